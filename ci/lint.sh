#!/usr/bin/env bash
# clang-format and clang-tidy over the project's C++ files: ci/lint.sh <jobs>.
set -euo pipefail
jobs=$1
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files 'harness/**.h' 'harness/**.cc' 'tests/**.h' 'tests/**.cc' \
  'bench/**.cc' 'assignments/**.cpp' 'assignments/**.h')
clang-format --dry-run --Werror "${files[@]}"
cmake --preset dev >/dev/null  # for compile_commands.json; nothing is built
mapfile -t sources < <(printf '%s\n' "${files[@]}" | grep -E '\.(cc|cpp)$' | grep -v '^tests/fuzz/' \
  | while read -r file; do grep -q "\"file\": \"$PWD/$file\"" build-dev/compile_commands.json && echo "$file"; done)
printf '%s\n' "${sources[@]}" | xargs -P "$jobs" -n 4 clang-tidy -quiet -p build-dev --extra-arg=-Wno-unknown-warning-option \
  2>/dev/null
echo "lint: ${#files[@]} files, clean"
