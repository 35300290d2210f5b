#!/usr/bin/env bash
# Coursera runs this for every submission. It writes feedback.json and the page that the learner
# sees. If grading does not work, it writes neither, and Coursera says that the grader failed. Set
# ASSIGNMENT.
set -uo pipefail
unset WARPCHECK_COURSE WARPCHECK_TRUST
ASSIGNMENT=transpose
here=$(dirname "$(realpath "$0")")
shared=${SHARED_FOLDER:-/shared}
# Coursera clears the variables of the image.
export PATH=/opt/warpcheck/bin:${PATH:-/usr/bin:/bin}
export HOME=${HOME:-/tmp} WARPCHECK_CACHE=${WARPCHECK_CACHE:-/tmp/warpcheck}
# The bundle is trusted, because the person who made the grader has put it there.
if [ -n "${WARPCHECK_COURSE:-}" ]; then
  export WARPCHECK_COURSE=$here/$WARPCHECK_COURSE WARPCHECK_TRUST
fi
rm -f "$shared/feedback.json" "$shared/htmlFeedback.html"
# A single file is graded by itself, whatever its name is. Several files are graded as one program.
submission=$shared/submission
mapfile -d '' -t files < <(find "$submission" -name '*.cu' -type f -print0)
if [ ${#files[@]} -eq 0 ]; then
  cat >"$shared/feedback.json" <<JSON
{"fractionalScore": 0, "feedback": "There is no .cu file in this submission: hand in $ASSIGNMENT.cu.", "feedbackType": "TXT"}
JSON
  echo "There is no .cu file in this submission: hand in $ASSIGNMENT.cu." >"$shared/txtFeedback.txt"
  exit 0
fi
if [ ${#files[@]} -eq 1 ]; then submission=${files[0]}; fi
results=$(mktemp -d) || exit 3
trap 'rm -rf "$results"' EXIT
FAIL_UNDER=0 "${WARPCHECK_GRADE:-warpcheck-grade}" "$ASSIGNMENT" "$submission" "$results"
status=$?
[ "$status" -eq 0 ] || exit "$status"
cp "$results/report.html" "$shared/htmlFeedback.html" || exit 3
cp "$results/coursera.json" "$shared/feedback.json"
