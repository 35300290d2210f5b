#!/usr/bin/env bash
# autograde-Makefile runs this for every submission. What it prints is the student's feedback, and
# the last line is the autoresult, the scores. If grading does not work, there is no autoresult: then
# Autolab keeps no score, and no student gets a zero for it. Set ASSIGNMENT.
set -uo pipefail
unset WARPCHECK_COURSE WARPCHECK_TRUST
ASSIGNMENT=transpose
here=$(dirname "$(realpath "$0")")
# The bundle is trusted, because the person who made autograde.tar has put it there.
if [ -n "${WARPCHECK_COURSE:-}" ]; then
  export WARPCHECK_COURSE=$here/$WARPCHECK_COURSE WARPCHECK_TRUST
fi
submission=$here/$ASSIGNMENT.cu
if [ ! -f "$submission" ]; then
  echo "There is no file $ASSIGNMENT.cu. Autolab gives it this name if the lab's handin filename is $ASSIGNMENT.cu."
  exit 3
fi
results=$(mktemp -d) || exit 3
trap 'rm -rf "$results"' EXIT
FAIL_UNDER=0 "${WARPCHECK_GRADE:-warpcheck-grade}" "$ASSIGNMENT" "$submission" "$results" 2>&1
status=$?
if [ "$status" -ne 0 ]; then
  echo "This submission was not graded, and this is not your mistake. Tell the staff of your course."
  exit "$status"
fi
cat "$results/autolab.json"
