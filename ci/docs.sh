#!/usr/bin/env bash
# Builds the documentation's site: docs.sh <folder>. `docs.sh install` only installs MkDocs, with a
# virtual environment of Python in .cache/docs/.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
requirements=$top/docs/requirements.txt
tools=${WARPCHECK_DOCS_TOOLS:-$top/.cache/docs}

[ $# -eq 1 ] || { echo "usage: ci/docs.sh <folder> | install" >&2; exit 2; }

if ! cmp -s "$requirements" "$tools/installed.txt"; then
  mkdir -p "$tools"
  { python3 -m venv "$tools" && "$tools/bin/pip" --quiet install -r "$requirements"; } >"$tools/log" 2>&1 || {
    cat "$tools/log" >&2
    echo "error: cannot install MkDocs: it needs python3-venv and PyPI" >&2
    exit 3
  }
  cp "$requirements" "$tools/installed.txt"
fi
[ "$1" = install ] && exit 0

out=$(realpath -m "$1")
cd "$top"
# A strict build fails on a warning. With --quiet there are none.
NO_MKDOCS_2_WARNING=true "$tools/bin/python" -m mkdocs build --strict --site-dir "$out" 2>"$tools/log" || {
  grep -v '^INFO' "$tools/log" >&2
  exit 1
}
echo "the site: $out/index.html"
