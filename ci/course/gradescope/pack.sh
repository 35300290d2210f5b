#!/usr/bin/env bash
# Makes what an instructor uploads to Gradescope: pack.sh <assignment> [autograder.zip].
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
assignment=${1:?usage: pack.sh <assignment> [autograder.zip]}
zip=$(realpath -m "${2:-autograder.zip}")
[ -f "$top/assignments/$assignment/rubric.toml" ] || {
  echo "pack.sh: no assignment '$assignment': see assignments/" >&2; exit 2; }
command -v zip >/dev/null || { echo "pack.sh: zip is missing: apt-get install zip" >&2; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$here/setup.sh" "$here/run_autograder" "$folder/"
chmod +x "$folder/setup.sh" "$folder/run_autograder"
echo "$assignment" >"$folder/assignment"
mkdir "$folder/warpcheck"
git -C "$top" archive HEAD | tar -x -C "$folder/warpcheck"
rm -f "$zip"
(cd "$folder" && zip -qr "$zip" .)
echo "$zip"
