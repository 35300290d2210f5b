#!/usr/bin/env bash
# Usage: avx2_symbols.sh <nm> <object>. Fails if the object, which is compiled for AVX2, exports a
# symbol that is not in the namespace v3. A linker could use such a symbol for every processor.
set -euo pipefail

symbols=$("$1" --defined-only --extern-only --format=posix "$2" | cut -d ' ' -f 1)
[ -n "$symbols" ] || { echo "$2 offers nothing"; exit 1; }
if others=$(grep -v 2v3 <<<"$symbols"); then
  printf '%s offers, besides the namespace v3:\n%s\n' "$2" "$others"
  exit 1
fi
