#!/usr/bin/env bash
# Makes what an instructor uploads to Gradescope: pack.sh <assignment> [autograder.zip]. It holds
# warpcheck's wheel: the one of `make package` in dist/, or the one that WARPCHECK_WHEEL names.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
assignment=${1:?usage: pack.sh <assignment> [autograder.zip]}
zip=$(realpath -m "${2:-autograder.zip}")
[ -f "$top/assignments/$assignment/rubric.toml" ] || {
  echo "pack.sh: no assignment '$assignment': see assignments/" >&2; exit 2; }
command -v zip >/dev/null || { echo "pack.sh: zip is missing: apt-get install zip" >&2; exit 3; }
wheels=("${WARPCHECK_WHEEL:-$top/dist}"/*.whl)
[ -z "${WARPCHECK_WHEEL:-}" ] || wheels=("$WARPCHECK_WHEEL")
if [ ${#wheels[@]} -ne 1 ] || [ ! -f "${wheels[0]}" ]; then
  echo "pack.sh: there has to be one wheel in $top/dist: run \`make package\`, or set WARPCHECK_WHEEL to a file" >&2
  exit 3
fi
python3 - "${wheels[0]}" "$assignment" <<'PYTHON' || { echo "pack.sh: ${wheels[0]} has no $assignment: pack it anew, with \`make package\`" >&2; exit 3; }
import sys, zipfile
names = zipfile.ZipFile(sys.argv[1]).namelist()
sys.exit(0 if any(name.endswith(f"/lib/warpcheck/{sys.argv[2]}_checks") for name in names) else 1)
PYTHON
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$here/setup.sh" "$here/run_autograder" "${wheels[0]}" "$folder/"
chmod +x "$folder/setup.sh" "$folder/run_autograder"
echo "$assignment" >"$folder/assignment"
rm -f "$zip"
(cd "$folder" && zip -qr "$zip" .)
echo "$zip"
