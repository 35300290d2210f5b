#!/usr/bin/env bash
# clang-format and clang-tidy over the project's C++ files: ci/lint.sh <jobs>.
set -euo pipefail
jobs=$1
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files 'harness/**.h' 'harness/**.cc' 'tests/**.h' 'tests/**.cc' \
  'bench/**.cc' 'assignments/**.cpp' 'assignments/**.h' 'reference/*.cu' 'student_template/*.cu')
clang-format --dry-run --Werror "${files[@]}"
cmake --preset dev >/dev/null  # for compile_commands.json; nothing is built
mapfile -t sources < <(printf '%s\n' "${files[@]}" | grep -E '\.(cc|cpp)$' | grep -v '^tests/fuzz/' \
  | while read -r file; do grep -q "\"file\": \"$PWD/$file\"" build-dev/compile_commands.json && echo "$file"; done)
# clang-tidy also passes over a configuration that it cannot read: what it prints to stderr, but for
# the count of what it does not show, is a failure too.
complaints=$(mktemp)
trap 'rm -f "$complaints"' EXIT
status=0
printf '%s\n' "${sources[@]}" \
  | xargs -P "$jobs" -n 4 clang-tidy -quiet -p build-dev --extra-arg=-Wno-unknown-warning-option \
      2>"$complaints" || status=$?
if grep -v ' warnings\? generated\.$' "$complaints" >&2 || [ "$status" -ne 0 ]; then
  echo "lint: clang-tidy complains, see above" >&2
  exit 1
fi
echo "lint: ${#files[@]} files, clean"
