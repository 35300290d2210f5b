#!/usr/bin/env bash
# Runs clang-format and clang-tidy over the project's C++ files. Usage: ci/lint.sh <jobs>.
set -euo pipefail
jobs=$1
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files 'harness/**.h' 'harness/**.cc' 'tests/**.h' 'tests/**.cc' \
  'labs/**.cu' 'docs/**.cu' 'bench/**.cc' 'assignments/**.cpp' 'assignments/**.h' 'reference/*.cu' 'student_template/*.cu')
clang-format --dry-run --Werror "${files[@]}"
# clang-tidy checks every file when it is compiled (cmake/Lint.cmake).
ci/build.sh lint all "$jobs"
echo "lint: ${#files[@]} files, clean"
