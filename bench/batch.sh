#!/usr/bin/env bash
# How fast a class is graded, measured side by side with nvcc alone, and what the order of the work
# costs: bench/batch.sh <build folder> [submissions, 300] [simulated submissions, 10000]
set -euo pipefail
build=$(realpath "$1")
submissions=${2:-300}
simulated=${3:-10000}
cd "$(dirname "$0")/.."

jobs=$(nproc)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
export WARPCHECK_CACHE=$scratch/cache

# Right and wrong ones in turn; a function of its own makes each new to nvcc and to the cache.
kinds=(tests/submissions/transpose/passed/*.cu
       tests/submissions/transpose/failed/{naive,unpadded_tile,naive_column_reads}.cu)
mkdir "$scratch/class"
for ((i = 0; i < submissions; ++i)); do
  { cat "${kinds[$((i % ${#kinds[@]}))]}"
    echo "__device__ int student_$i(int x) { return x * $i + 1; }"
  } >"$scratch/class/student_$i.cu"
done

now() { date +%s%N; }
compile() {  # the files on stdin
  xargs -P "$jobs" -I{} "$nvcc" -std=c++17 -O3 -lineinfo --no-compress -cudart none -shared \
    -Xcompiler -fPIC -gencode arch=compute_90,code=compute_90 -Iassignments/transpose {} \
    -o {}.so
}

# Sets `seconds` and `peak` (of the batch itself, in MiB; its workers are counted by the rule that
# leaves memory for each).
batch() {  # the arguments of warpcheck batch
  local begin pid grown
  begin=$(now)
  "$build/warpcheck" batch transpose "$@" --device emulator --seed 1 >/dev/null 2>"$scratch/log" &
  pid=$!
  peak=0
  while grown=$(awk '/VmHWM/ { print int($2 / 1024) }' "/proc/$pid/status" 2>/dev/null); do
    [ -n "$grown" ] && [ "$grown" -gt "$peak" ] && peak=$grown
    sleep 0.1
  done
  wait "$pid" || true
  seconds=$(awk "BEGIN { print ($(now) - $begin) / 1e9 }")
}

echo "== $submissions submissions that differ, $jobs at once"
# Half of the compilations before and half after, so that a machine that changes speed is fair.
half=$((submissions / 2))
find "$scratch/class" -name '*.cu' | sort >"$scratch/files"
begin=$(now)
head -n "$half" "$scratch/files" | compile
bare=$(($(now) - begin))
batch "$scratch/class" --out "$scratch/out"
begin=$(now)
tail -n +"$((half + 1))" "$scratch/files" | compile
bare=$(awk "BEGIN { print ($bare + $(now) - $begin) / 1e9 }")
graded=$(awk -F, 'NR > 1 && $6 != "not_graded"' "$scratch/out/grades.csv" | wc -l)
awk "BEGIN {
  printf \"nvcc alone: %.1f a minute\\n\", 60 * $submissions / $bare
  printf \"batch:      %.1f a minute, %d of %d graded; ratio %.2f\\n\", 60 * $graded / $seconds,
         $graded, $submissions, $bare * $graded / $submissions / $seconds
}"
echo "memory of the batch itself: $peak MiB"

echo
echo "== $simulated submissions with a stub for compiler and checks"
mkdir "$scratch/many"
for ((i = 0; i < simulated; ++i)); do echo "// $i" >"$scratch/many/student_$i.cu"; done
export WARPCHECK_GRADE_WORKER=$build/batch_stub_worker
export STUB_RUBRIC=$PWD/assignments/transpose/rubric.toml STUB_NOTES=$scratch
batch "$scratch/many" --out "$scratch/simulated"
graded=$(awk -F, 'NR > 1 && $6 != "not_graded"' "$scratch/simulated/grades.csv" | wc -l)
echo "begin to end: $seconds s, $graded of $simulated graded; memory of the batch: $peak MiB"
batch "$scratch/many" --out "$scratch/simulated" --resume
echo "resumed with nothing to do: $seconds s; memory: $peak MiB"
