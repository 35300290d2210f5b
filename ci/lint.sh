#!/usr/bin/env bash
# clang-format and clang-tidy over the project's C++ files: ci/lint.sh <jobs>.
set -euo pipefail
jobs=$1
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files 'harness/**.h' 'harness/**.cc' 'tests/**.h' 'tests/**.cc' \
  'labs/**.h' 'labs/**.cc' 'labs/**.cu' 'docs/**.cu' 'bench/**.cc' 'assignments/**.cpp' 'assignments/**.h' 'reference/*.cu' 'student_template/*.cu')
clang-format --dry-run --Werror "${files[@]}"

# clang-tidy ignores rules that it cannot read, but prints a message.
unread=$(clang-tidy --dump-config 2>&1 >/dev/null)
if [ -n "$unread" ]; then
  printf '%s\nlint: clang-tidy cannot read .clang-tidy\n' "$unread" >&2
  exit 1
fi
# clang-tidy checks every file when it is compiled (cmake/Lint.cmake).
ci/build.sh lint all "$jobs"
echo "lint: ${#files[@]} files, clean"
