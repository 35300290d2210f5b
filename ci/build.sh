#!/usr/bin/env bash
# Configures and builds. It prints nothing unless something goes wrong. Usage: ci/build.sh <preset>
# <target> <jobs>.
set -euo pipefail
preset=$1 target=$2 jobs=$3
cd "$(dirname "$0")/.."
case "$preset" in
  release) folder=build ;;
  *) folder=build-$preset ;;
esac

log=$(mktemp)
trap 'rm -f "$log"' EXIT
if [ ! -f "$folder/build.ninja" ]; then
  case "$preset" in
    fuzz | lint)
      command -v clang++-16 >/dev/null || {
        echo "error: clang++-16 not found, with which the preset $preset compiles." >&2
        echo "  Install clang-16, clang-tidy-16 and libclang-rt-16-dev, or use another clang" >&2
        echo "  (docs/developing.md, \"Another clang\")." >&2
        exit 3
      } ;;
  esac
  echo "configuring $folder"
  cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; exit 3; }
fi
# Prints nothing if there is nothing to do.
if ninja -C "$folder" -n "$target" 2>/dev/null | grep -q 'no work to do'; then exit 0; fi
echo "building $folder ($target)"
if [ -t 1 ]; then
  ninja -C "$folder" -j "$jobs" "$target"
else
  ninja -C "$folder" -j "$jobs" "$target" >"$log" 2>&1 || { tail -n 60 "$log" >&2; exit 3; }
fi
