#!/usr/bin/env bash
# Gradescope runs this once, when it builds the autograder's image. It installs the wheel that
# pack.sh has put beside it, with NVIDIA's compiler.
set -euo pipefail
source_folder=${AUTOGRADER:-/autograder}/source
apt-get update -qq
apt-get install -y -qq --no-install-recommends bubblewrap g++ python3-venv
python3 -m venv "$source_folder/warpcheck"
wheels=("$source_folder"/*.whl)
"$source_folder/warpcheck/bin/pip" install --quiet "${wheels[0]}[toolkit]"
