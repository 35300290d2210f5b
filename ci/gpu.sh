#!/usr/bin/env bash
# Builds on a machine with an NVIDIA GPU, runs the tests that need a GPU, grades some test submissions
# with the GPU as a witness, compares the emulator's counts with the GPU's, measures how long loads
# from constant memory take, the sectors of texture fetches, and the tables of all labs.
#
#   ci/gpu.sh <folder for results> [prefix] [steps]
#
# steps: which of "tests witness parity constant textures labs" to run after the build, all of them if
# none is named.
# prefix: a folder that holds libraries which the machine lacks, laid out as / (Debian packages,
# unpacked by dpkg -x). Without a GPU the script says so and does nothing. Exits 0 if all is well, 1
# if a test fails or devices disagree, 3 if the build or a tool does not work.
set -uo pipefail
if [ $# -lt 1 ]; then echo "usage: ci/gpu.sh <folder for results> [prefix] [steps]" >&2; exit 2; fi
mkdir -p "$1" || exit 3
results=$(realpath "$1")
prefix=$([ -n "${2:-}" ] && realpath "$2")
steps=" ${3:-tests witness parity constant textures labs} "
programs=${WITNESS_PROGRAMS:-120}  # how many test submissions are graded beside the GPU
cd "$(dirname "$0")/.." || exit 3

nvidia-smi -L >"$results/gpus.txt" 2>&1 || { echo "skipped: there is no NVIDIA GPU here"; exit 0; }
cat "$results/gpus.txt"
jobs=$(nproc)
build="build-gpu"
worst=0

# Usage: step NAME SECONDS COMMAND... It runs the command, with its output in $results/NAME.txt.
step() {
  local name=$1 limit=$2 begin=$SECONDS status=0
  shift 2
  timeout "$limit" "$@" >"$results/$name.txt" 2>&1 || status=$?
  echo "$name: $([ $status -eq 0 ] && echo ok || echo "FAILED, status $status"), $((SECONDS - begin)) s"
  if [ $status -ne 0 ]; then
    tail -n 40 "$results/$name.txt"
    [ $worst -ne 0 ] || worst=1
  fi
  return $status
}

wanted() { [[ $steps == *" $1 "* ]]; }

configure=(cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release
  -DWARPCHECK_WERROR=OFF)  # this compiler is not the one that developers use
# A sandbox does not show the libraries of the prefix to a submission.
sandbox=()
bwrap --ro-bind / / true 2>/dev/null || sandbox=(--no-sandbox)
if [ -n "$prefix" ]; then
  machine=$(uname -m)-linux-gnu
  libraries=$prefix/usr/lib/$machine
  configure+=("-DCMAKE_PREFIX_PATH=$prefix/usr")
  if [ -e "$libraries/pkgconfig/libffi.pc" ]; then
    export PKG_CONFIG_SYSROOT_DIR=$prefix PKG_CONFIG_PATH=$libraries/pkgconfig
  fi
  export CPATH=$prefix/usr/include:$prefix/usr/include/$machine${CPATH:+:$CPATH}
  export LIBRARY_PATH=$libraries${LIBRARY_PATH:+:$LIBRARY_PATH}
  export PATH=$PATH:$prefix/usr/bin LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  sandbox=(--no-sandbox)
fi
export WARPCHECK_CACHE=$PWD/$build/submission_cache

step configure 60 "${configure[@]}" || exit 3
step build 300 ninja -C "$build" -j "$jobs" || exit 3

wanted tests && step tests 180 ctest --test-dir "$build" -L gpu --output-on-failure

# With a GPU as a witness every submission must get the same grade as without one. The programs are
# drawn by chance, because all of them take an hour: they use its counters in turn, 2 s each.
if wanted witness; then
  (cd tests/submissions && printf '%s\n' */error/* */failed/* */passed/*) | shuf -n "$programs" |
    sed 's|\([^/]*\)/.*|\1 tests/submissions/&|' >"$results/programs.txt"
  step witness "$((60 + 5 * programs))" xargs -a "$results/programs.txt" -L 1 -P 4 \
    "$build/warpcheck" validate "${sandbox[@]}" --device auto --seed 20260 --jobs 1
  if grep -h "was no witness" "$results/witness.txt"; then worst=1; fi
fi

# More processes would only wait for each other at the GPU.
measure=("$build/warpcheck" parity "${sandbox[@]}" --jobs "$((jobs < 8 ? jobs : 8))")
if wanted parity && step parity-gpu 400 "${measure[@]}" --device gpu --write "$results/lines.txt" &&
  step parity-emulator 300 "${measure[@]}" --write "$results/emulator.txt"; then
  step parity 60 "$build/warpcheck" parity "$results/emulator.txt" --against "$results/lines.txt" \
    --known tests/parity/known.txt
  sed -n '1,14p' "$results/parity.txt"
fi

# The law of constant memory (docs/counters.md): the last line says how many patterns agree.
if wanted constant && step constant-build 60 nvcc -std=c++17 -O3 -arch=native \
    tests/parity/constant_memory.cu -o "$build/constant_memory" &&
  step constant 60 "$build/constant_memory"; then
  tail -n 1 "$results/constant.txt"
fi

# The sectors of texture fetches must be those that the emulator's test knows.
if wanted textures && step textures-build 60 nvcc -std=c++17 -arch=native \
    tests/parity/texture_sectors.cu -o "$build/texture_sectors"; then
  step textures 300 ci/texture_sectors.py "$build/texture_sectors" \
    tests/emulator/data/h100_texture_sectors.txt && tail -n 1 "$results/textures.txt"
fi

wanted labs && step labs 500 "$build/warpcheck" lab --all "$results/labs" --device gpu
exit $worst
