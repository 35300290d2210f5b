#!/usr/bin/env bash
# Grades $SUBMISSION for $ASSIGNMENT on $DEVICE. If SUBMISSION is not set, grades every file of
# student_template/ for the assignment with its name. Reports go to $RESULTS: report.html is the
# page of $SUBMISSION, and NAME.html that of each file of student_template/. Exits with 0 if the
# grading itself worked.
set -uo pipefail
start=$PWD
cd "$(dirname "$0")/.." || exit 3
mkdir -p "$RESULTS" || exit 3

worst=0
page=${SUBMISSION:+report}  # if empty, each file gets a page with its own name
grade() {
  local assignment=$1 submission=$2 name status
  name=$(basename "$submission" .cu)
  build/warpcheck check "$assignment" "$submission" --device "$DEVICE" \
    --junit "$RESULTS/$name.xml" --json "$RESULTS/$name.json" \
    --diagnostics "$RESULTS/$name.diagnostics.txt" --html "$RESULTS/${page:-$name}.html"
  status=$?
  # 0 and 1 are grades; any other status means that grading did not work.
  if [ "$status" -gt 1 ] && [ "$status" -gt "$worst" ]; then worst=$status; fi
}

if [ -n "$SUBMISSION" ]; then
  case "$SUBMISSION" in
    /*) grade "$ASSIGNMENT" "$SUBMISSION" ;;
    *) grade "$ASSIGNMENT" "$start/$SUBMISSION" ;;
  esac
else
  for file in student_template/*.cu; do
    grade "$(basename "$file" .cu)" "$file"
  done
fi
if [ "$worst" -eq 0 ]; then
  echo "reports: $RESULTS/, as a page for a browser: $RESULTS/${page:-NAME}.html"
fi
exit "$worst"
