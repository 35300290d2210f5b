#!/usr/bin/env bash
# Makes the pictures of the README again, from the pages of this build: pictures.sh <build folder>
# <folder>. It needs chromium.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The report of a tile without padding, without the comments that say what is wrong with it.
sed -e '/^\/\//d' -e 's# *// expect.*##' "$top/tests/submissions/transpose/failed/unpadded_tile.cu" >"$scratch/my_transpose.cu"
"$build/warpcheck" check transpose "$scratch/my_transpose.cu" --device emulator --seed 1 \
  --html "$scratch/report.html" --fail-under 0 >/dev/null

# A class of the project's own wrong and right programs. The names are made up.
class=(
  ada_lovelace:passed/padded_tile alan_turing:failed/unpadded_tile barbara_liskov:passed/swizzled_tile
  edsger_dijkstra:failed/naive grace_hopper:error/does_not_compile john_backus:failed/missing_syncthreads
  katherine_johnson:passed/registers_and_shuffles ken_thompson:failed/guard_of_the_block
  lynn_conway:passed/padded_tile margaret_hamilton:passed/large_tile niklaus_wirth:failed/unwritten_last_row
  radia_perlman:failed/divergent_barrier
)
mkdir "$scratch/class"
for student in "${class[@]}"; do
  cp "$top/tests/submissions/transpose/${student#*:}.cu" "$scratch/class/${student%:*}.cu"
done
"$build/warpcheck" batch transpose "$scratch/class" --out "$scratch/grades" --device emulator --seed 1 >/dev/null

# shoot <page> <picture> <width> <height>
shoot() {
  chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$scratch/profile" \
    --window-size="$3,$4" --screenshot="$out/$2" "file://$1" >/dev/null 2>"$scratch/log" || {
    cat "$scratch/log" >&2
    exit 3
  }
}
shoot "$scratch/report.html" report.png 1000 1000
shoot "$scratch/grades/index.html" class.png 1000 1000
ls -l "$out"
