#!/usr/bin/env bash
# Grades one submission for a CI service. Usage: grade.sh <assignment> <file.cu | folder> [results
# folder].
#
# Writes every report into the results folder (default: results). Exits with 0 for at least
# FAIL_UNDER percent of the points (default: 100), 1 for less, 2 for wrong usage, and 3 if the
# grading itself did not work. DEVICE is emulator (default), auto or gpu. WARPCHECK_FLAGS has
# further options.
set -uo pipefail
if [ $# -lt 2 ] || [ $# -gt 3 ]; then sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; fi
assignment=$1 submission=$2 results=${3:-results}
# Files in this folder are from another run, or were handed in with the submission. They must not
# count for this grade, whatever happens.
for report in junit.xml report.json gradescope.json classroom.json autolab.json \
    prairielearn.json coursera.json annotations.txt code-quality.json diagnostics.txt summary.md report.html; do
  rm -rf -- "${results:?}/$report" || exit 3
done
here=$(dirname "$(realpath "$0")")
warpcheck=${WARPCHECK_PROGRAM:-}
# If installed, this script is in share/warpcheck/course; in a checkout, it is in ci/course.
for program in "$here/../../../lib/warpcheck/warpcheck" "$here/../../build/warpcheck"; do
  if [ -z "$warpcheck" ] && [ -x "$program" ]; then warpcheck=$program; fi
done
if [ ! -x "$warpcheck" ]; then
  echo "grade.sh: ${warpcheck:-warpcheck} is missing: install it, or run \`make build\` in its checkout" >&2
  exit 3
fi
mkdir -p "$results" || exit 3

# GitHub runs commands that it finds in a step's output, and the report quotes the submission.
# Therefore GitHub is told to obey no command until it reads a word that nobody can guess
# (docs.github.com, "Stopping and starting workflow commands").
word=
if [ "${GITHUB_ACTIONS:-}" = true ]; then
  word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  echo "::stop-commands::$word"
fi
# shellcheck disable=SC2086  # WARPCHECK_FLAGS is a list of words
"$warpcheck" check "$assignment" "$submission" --device "${DEVICE:-emulator}" \
  --fail-under "${FAIL_UNDER:-100}" \
  --junit "$results/junit.xml" --json "$results/report.json" \
  --gradescope "$results/gradescope.json" --classroom "$results/classroom.json" \
  --autolab "$results/autolab.json" --prairielearn "$results/prairielearn.json" \
  --coursera "$results/coursera.json" \
  --annotations "$results/annotations.txt" --code-quality "$results/code-quality.json" \
  --diagnostics "$results/diagnostics.txt" --summary "$results/summary.md" \
  --html "$results/report.html" ${WARPCHECK_FLAGS:-}
status=$?
if [ -n "$word" ]; then
  echo "::$word::"
  [ "$status" -gt 1 ] || cat "$results/annotations.txt"
fi
if [ -n "${GITHUB_OUTPUT:-}" ] && [ "$status" -le 1 ]; then
  echo "classroom=$(base64 -w0 "$results/classroom.json")" >>"$GITHUB_OUTPUT"
fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ "$status" -le 1 ]; then
  cat "$results/summary.md" >>"$GITHUB_STEP_SUMMARY"
fi
[ "$status" -le 1 ] || echo "grade.sh: grading did not work (status $status): this is no grade" >&2
exit "$status"
