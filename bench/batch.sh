#!/usr/bin/env bash
# Measures the speed of grading a class beside nvcc alone, and the cost of the batch's own work.
# Usage: bench/batch.sh <build folder> [submissions, 300] [simulated submissions, 10000]
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

# Right and wrong submissions alternate. An additional function makes each of them new to nvcc and
# to the cache.
kinds=(tests/submissions/transpose/passed/*.cu
       tests/submissions/transpose/failed/{naive,unpadded_tile,naive_column_reads}.cu)
mkdir "$scratch/class"
for ((i = 0; i < submissions; ++i)); do
  { cat "${kinds[$((i % ${#kinds[@]}))]}"
    echo "__device__ int student_$i(int x) { return x * $i + 1; }"
  } >"$scratch/class/student_$i.cu"
done

now() { date +%s%N; }
# Sets `spent`: the processor time of all ended processes so far, in seconds.
look_at_clock() {
  times >"$scratch/times"  # must not run in a subshell, which has no children
  spent=$(awk -F'[ms ]+' 'NR == 2 { print 60 * $1 + $2 + 60 * $3 + $4 }' "$scratch/times")
}
compile() {  # compiles the files that stdin names
  xargs -P "$jobs" -I{} "$nvcc" -std=c++20 -O3 -lineinfo --no-compress -cudart none -shared \
    -Xcompiler -fPIC -gencode arch=compute_90,code=compute_90 -Iassignments/transpose {} \
    -o {}.so
}

# Sets `seconds`, `processor` (seconds of processor time) and `peak` (the memory of the batch itself
# in MiB; the rule that leaves memory for each worker counts its workers).
batch() {  # gets the arguments of warpcheck batch
  local begin pid before
  look_at_clock
  before=$spent
  begin=$(now)
  "$build/warpcheck" batch transpose "$@" --device emulator --seed 1 >/dev/null 2>"$scratch/log" &
  pid=$!
  peak=0
  while read_peak "$pid"; do sleep 0.2; done
  wait "$pid" || true
  seconds=$(awk "BEGIN { print ($(now) - $begin) / 1e9 }")
  look_at_clock
  processor=$(awk "BEGIN { print $spent - $before }")
}
read_peak() {  # kill -0 fails once the process has ended
  local name kib
  while read -r name kib _; do
    [ "$name" = VmHWM: ] && peak=$((kib / 1024)) && return
  done 2>/dev/null <"/proc/$1/status"
  return 1
}

echo "== $submissions submissions that differ, $jobs at once"
# Half of the compilations run before and half after, so that changes of the machine's speed cancel
# out.
half=$((submissions / 2))
find "$scratch/class" -name '*.cu' | sort >"$scratch/files"
look_at_clock
before=$spent
begin=$(now)
head -n "$half" "$scratch/files" | compile
bare=$(($(now) - begin))
look_at_clock
nvcc_processor=$(awk "BEGIN { print $spent - $before }")
batch "$scratch/class" --out "$scratch/out"
look_at_clock
before=$spent
begin=$(now)
tail -n +"$((half + 1))" "$scratch/files" | compile
bare=$(awk "BEGIN { print ($bare + $(now) - $begin) / 1e9 }")
look_at_clock
nvcc_processor=$(awk "BEGIN { print $nvcc_processor + $spent - $before }")
graded=$(awk -F, 'NR > 1 && $6 != "not_graded"' "$scratch/out/grades.csv" | wc -l)
awk "BEGIN {
  printf \"nvcc alone: %.1f a minute\\n\", 60 * $submissions / $bare
  printf \"batch:      %.1f a minute, %d of %d graded; ratio %.2f\\n\", 60 * $graded / $seconds,
         $graded, $submissions, $bare * $graded / $submissions / $seconds
  printf \"processor time of each: nvcc alone %.2f s, batch %.2f s; ratio %.2f\\n\",
         $nvcc_processor / $submissions, $processor / $graded,
         $nvcc_processor * $graded / $submissions / $processor
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
echo "begin to end: $seconds s ($processor s of processor time), $graded of $simulated graded;" \
  "memory of the batch: $peak MiB"
batch "$scratch/many" --out "$scratch/simulated" --resume
echo "resumed with nothing to do: $seconds s; memory: $peak MiB"
