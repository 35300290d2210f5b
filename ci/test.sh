#!/usr/bin/env bash
# Runs tests and lists the skipped ones with their reasons. A skip that tests/expected_skips.txt
# does not list is a failure, even if all tests pass. Usage: ci/test.sh <ctest preset> <jobs>.
set -uo pipefail
preset=$1 jobs=$2
cd "$(dirname "$0")/.." || exit 3
folder=build
[ "$preset" = asan-ubsan ] && folder=build-asan-ubsan
log=$(mktemp)
trap 'rm -f "$log"' EXIT
ctest --preset "$preset" --parallel "$jobs" | tee "$log"
status=$?
ci/skips.sh "$log" "$folder/Testing/Temporary/LastTest.log" tests/expected_skips.txt || status=1
exit "$status"
