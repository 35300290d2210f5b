#!/usr/bin/env bash
# Makes the file that an instructor uploads to Gradescope. Usage: warpcheck-gradescope <assignment |
# NAME.warp> [autograder.zip]. The file contains warpcheck's wheel: the one that WARPCHECK_WHEEL
# names, or the one of `make package` in dist/. For an assignment of your own course, give its
# bundle, which `warpcheck handout` makes.
set -euo pipefail
here=$(cd "$(dirname "$(realpath "$0")")" && pwd)
dist=$here/../../../dist
if [ $# -lt 1 ] || [ $# -gt 2 ]; then sed -n '2,4s/^# //p' "$0" >&2; exit 2; fi
assignment=$1
zip=$(realpath -m "${2:-autograder.zip}")
fail() { echo "warpcheck-gradescope: $1" >&2; exit 3; }
wheels=("${WARPCHECK_WHEEL:-$dist}"/*.whl)
[ -z "${WARPCHECK_WHEEL:-}" ] || wheels=("$WARPCHECK_WHEEL")
if [ ${#wheels[@]} -ne 1 ] || [ ! -f "${wheels[0]}" ]; then
  fail "WARPCHECK_WHEEL has to name warpcheck's wheel, or one has to be in dist/: \`make package\` makes it"
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
folder=$scratch/autograder
mkdir "$folder"
wheel=${wheels[0]}
# Mistakes that would fail on Gradescope, for every student, fail here.
python3 - "$wheel" "$assignment" <<'PYTHON' || exit 3
import json, pathlib, sys, tarfile, zipfile
wheel, assignment = map(pathlib.Path, sys.argv[1:])
try:
    if assignment.suffix == ".warp":
        made_by = json.load(tarfile.open(assignment).extractfile("bundle.json"))["version"].split()[-1]
        if not wheel.name.startswith(f"warpcheck-{made_by}-"):
            sys.exit(f"warpcheck-gradescope: {assignment} was made by warpcheck {made_by}, and the wheel is {wheel.name}")
    elif not any(name.endswith(f"/lib/warpcheck/{assignment}_checks") for name in zipfile.ZipFile(wheel).namelist()):
        sys.exit(f"warpcheck-gradescope: {wheel} has no {assignment}: give the assignment's bundle, NAME.warp")
except (OSError, EOFError, KeyError, ValueError, tarfile.TarError, zipfile.BadZipFile) as error:
    sys.exit(f"warpcheck-gradescope: cannot read {wheel} or {assignment}: {error}; take the wheel of `make package`, and the bundle of `warpcheck handout`")
PYTHON
[ "${assignment%.warp}" = "$assignment" ] || cp "$assignment" "$folder/"
cp "$here/setup.sh" "$here/run_autograder" "$wheel" "$folder/"
chmod +x "$folder/setup.sh" "$folder/run_autograder"
basename "$assignment" .warp >"$folder/assignment"
python3 -c 'import shutil, sys; shutil.make_archive(sys.argv[1], "zip", sys.argv[2])' "$scratch/packed" "$folder"
mv "$scratch/packed.zip" "$zip"
echo "$zip"
