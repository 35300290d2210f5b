#!/usr/bin/env bash
# Prints the speeds that warpcheck promises. Each is a ratio of two times that are measured side by
# side in this run. Usage: bench/run.sh <build folder>.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

echo "== emulator: million warp instructions a second, all counting and checks on"
"$build/emulator_bench" --benchmark_min_time=1 2>/dev/null | tee "$scratch/emulator"
echo "on one thread, time with checkers, a multiple of counting alone: median of 5 rounds (least-most)"
bench/checker_cost.py "$build"
echo "on two threads, the same"
bench/checker_cost.py "$build" --threads 2
echo "speed on two threads, a multiple of one:"
awk -F'[ /]+' '$3 == "threads:1" { one[$1 $2] = $6; work[$1 $2] = $8 }
  $3 == "threads:2" && /watch:[03]/ {
    printf "  %s, %s: %.2f; processor time of both together, a multiple of one: %.2f\n",
      $1, /watch:0/ ? "counting alone" : "all checkers", one[$1 $2] / $6, $8 / work[$1 $2] }' \
  "$scratch/emulator"

echo
echo "== a launch beside shared memory that it does not use, a multiple of one without it (median of 5)"
bench/shared_memory_cost.py "$build"

echo
echo "== grading one right submission of each assignment, end to end (median of 7, interleaved)"
bench/grading_cost.py "$build"

echo
echo "== memory of the whole grade (largest process, from its start)"
submission=tests/submissions/transpose/passed/padded_tile.cu
export WARPCHECK_CACHE=$scratch/cache
python3 - "$build" "$submission" <<'PYTHON' || true
import resource, subprocess, sys
subprocess.run([sys.argv[1] + "/warpcheck", "check", "transpose", sys.argv[2], "--seed", "1"],
               stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, "MiB")
PYTHON
