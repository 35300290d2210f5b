#!/usr/bin/env bash
# Prints the speeds that warpcheck promises, each as a ratio of things measured side by side in this
# run: bench/run.sh <build folder>.
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
echo "== grading one correct transpose submission, end to end (median of 7, interleaved)"
nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
submission=tests/submissions/transpose/passed/padded_tile.cu
export WARPCHECK_CACHE=$scratch/cache

compile() {
  "$nvcc" -std=c++20 -O3 -lineinfo --no-compress -cudart none -shared -Xcompiler -fPIC \
    -gencode arch=compute_90,code=compute_90 -Iassignments/transpose "$submission" \
    -o "$scratch/bare.so"
}
grade() { "$build/warpcheck" check transpose "$1" --device emulator --seed 1 >/dev/null; }
milliseconds() {  # of the command given
  local begin end
  begin=$(date +%s%N)
  "$@"
  end=$(date +%s%N)
  echo $(((end - begin) / 1000000))
}
median() { sort -n "$1" | sed -n 4p; }

compile
grade "$submission"
for round in 1 2 3 4 5 6 7; do
  milliseconds compile >>"$scratch/compile"
  # A comment of its own makes the file new to the cache.
  { cat "$submission"; echo "// round $round"; } >"$scratch/transpose.cu"
  milliseconds grade "$scratch/transpose.cu" >>"$scratch/cold"
  milliseconds grade "$scratch/transpose.cu" >>"$scratch/cached"
done
bare=$(median "$scratch/compile")
for kind in cold cached; do
  time=$(median "$scratch/$kind")
  echo "$kind: $time ms; nvcc alone: $bare ms; ratio $(awk "BEGIN { printf \"%.2f\", $time / $bare }")"
done

echo
echo "== memory of the whole grade (largest process, from its start)"
python3 - "$build" "$submission" <<'PYTHON' || true
import resource, subprocess, sys
subprocess.run([sys.argv[1] + "/warpcheck", "check", "transpose", sys.argv[2], "--seed", "1"],
               stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, "MiB")
PYTHON
