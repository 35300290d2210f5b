#!/usr/bin/env bash
# PrairieLearn runs this for every submission, as the entrypoint of the question's image
# (image/Dockerfile). A submission that does not compile is not gradable, and costs no attempt;
# neither does a grading that does not work. Set ASSIGNMENT.
set -uo pipefail
unset WARPCHECK_COURSE WARPCHECK_TRUST
ASSIGNMENT=transpose
root=${GRADE_FOLDER:-/grade}
# The bundle is trusted, because the person who made the question has put it there.
if [ -n "${WARPCHECK_COURSE:-}" ]; then
  export WARPCHECK_COURSE=$root/tests/$WARPCHECK_COURSE WARPCHECK_TRUST
fi
mkdir -p "$root/results" || exit 3
not_gradable() {
  printf '{"gradable": false, "format_errors": ["%s"]}\n' "$1" >"$root/results/results.json"
  exit 0
}
# A single file is graded by itself, whatever its name is. Several files are graded as one program.
submission=$root/student
mapfile -d '' -t files < <(find "$submission" -name '*.cu' -type f -print0)
if [ ${#files[@]} -eq 0 ]; then
  not_gradable "There is no .cu file in this submission: upload $ASSIGNMENT.cu."
fi
if [ ${#files[@]} -eq 1 ]; then submission=${files[0]}; fi
results=$(mktemp -d) || exit 3
trap 'rm -rf "$results"' EXIT
FAIL_UNDER=0 "${WARPCHECK_GRADE:-warpcheck-grade}" "$ASSIGNMENT" "$submission" "$results"
if [ ! -f "$results/prairielearn.json" ]; then
  not_gradable "The grader did not work, and this is not your mistake. Tell the staff of your course."
fi
cp "$results/prairielearn.json" "$root/results/results.json"
