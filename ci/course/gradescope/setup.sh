#!/usr/bin/env bash
# Gradescope runs this once, when it builds the autograder's image: installs NVIDIA's compiler and
# builds warpcheck, which pack.sh has put beside it.
set -euo pipefail
source_folder=${AUTOGRADER:-/autograder}/source
if ! [ -x /usr/local/cuda/bin/nvcc ]; then
  . /etc/os-release
  distribution=$ID${VERSION_ID//./}
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends ca-certificates curl make
  curl -fsSL -o /tmp/keyring.deb \
    "https://developer.download.nvidia.com/compute/cuda/repos/$distribution/x86_64/cuda-keyring_1.1-1_all.deb"
  dpkg -i /tmp/keyring.deb
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends cuda-minimal-build-13-0 cuda-cupti-dev-13-0
fi
make -C "$source_folder/warpcheck" build
