#!/usr/bin/env bash
# Makes two measurements on a machine with a GPU. The first is the time of each reference beside a
# bound: a copy, or a function of NVIDIA's libraries. The second is the time to grade the transpose
# assignment, with all cases and counters, relative to the time that Nsight Compute takes to read the
# same metrics of the same launches. Usage: bench/gpu.sh <build folder>. WARPCHECK_FLAGS is passed on
# (--no-sandbox).
set -euo pipefail
WARPCHECK_FLAGS=${WARPCHECK_FLAGS:-}
build=$(realpath "$1")
cd "$(dirname "$0")/.."
for tool in nvidia-smi ncu nvcc; do
  command -v "$tool" >/dev/null || { echo "skipped: no $tool on this machine"; exit 0; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export WARPCHECK_CACHE=$scratch/cache

nvcc -O3 -std=c++17 -arch=native -Iassignments/transpose bench/data/transpose_launches.cu \
  -o "$scratch/launches"
headers=(-Iharness)
for assignment in assignments/*/; do headers+=("-I$assignment"); done
nvcc -O3 -std=c++20 -arch=native "${headers[@]}" bench/data/reference_bounds.cu -lcublas \
  -o "$scratch/bounds"
"$scratch/bounds"
# Lists every metric of the table of counters once, without those that ncu does not know: it names
# the first unknown one and stops.
metrics=$(grep -o 'smsp__sass[a-z0-9_]*' harness/device/counters.def | sort -u)
while true; do
  ncu --metrics "$(paste -sd, <<<"$metrics")" "$scratch/launches" >"$scratch/tried" 2>&1 || true
  unknown=$(sed -n 's/.*Failed to find metric regex:^\([a-z0-9_]*\).*/\1/p' "$scratch/tried")
  if [ -z "$unknown" ]; then break; fi
  echo "ncu does not know ${unknown%%$'\n'*}"
  metrics=$(grep -vx "${unknown%%$'\n'*}" <<<"$metrics")
done
metrics=$(paste -sd, <<<"$metrics")

seconds() {  # measures the time of the given command
  local begin
  begin=$(date +%s%N)
  "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; echo "failed: $*" >&2; exit 1; }
  awk "BEGIN { printf \"%.2f\", ($(date +%s%N) - $begin) / 1e9 }"
}
median() { sort -n "$1" | sed -n 2p; }

# shellcheck disable=SC2086  # several flags
grade() { "$build/warpcheck" check transpose reference/transpose.cu --device gpu --seed 1 $WARPCHECK_FLAGS "$@"; }
grade >/dev/null 2>&1 || true  # this run builds the submission
for round in 1 2 3; do
  seconds ncu --metrics "$metrics" "$scratch/launches" >>"$scratch/ncu"; echo >>"$scratch/ncu"
  seconds grade >>"$scratch/full"; echo >>"$scratch/full"
done
ncu=$(median "$scratch/ncu")
echo "ncu, the same metrics over the same launches: $ncu s"
time=$(median "$scratch/full")
echo "grading on the GPU alone: $time s; ratio $(awk "BEGIN { printf \"%.2f\", $time / $ncu }")"
