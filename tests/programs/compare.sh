#!/usr/bin/env bash
# Usage: compare.sh <warpcheck> <program> <expected, without .txt> <status>. Runs the program on the
# emulator and compares its output with that of a GPU. A program that ends with 0 must have no
# findings.
set -u
warpcheck=$1 program=$2 expected=$3 status=$4
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
failed=0

"$warpcheck" run --fail-on-findings "$program" >"$scratch/out" 2>"$scratch/err"
got=$?
if [ "$got" != "$status" ]; then
  echo "exit status $got, expected $status"
  failed=1
fi
diff "$expected.txt" "$scratch/out" || failed=1
if [ -f "$expected.stderr.txt" ]; then
  head -n "$(wc -l <"$expected.stderr.txt")" "$scratch/err" | diff "$expected.stderr.txt" - ||
    failed=1
fi
[ $failed = 0 ] || cat "$scratch/err"
exit $failed
