#!/usr/bin/env bash
# Installs what is missing on a Debian 12 machine: `setup.sh grade` for grading, `setup.sh test` for
# the project's tests as well, `setup.sh test-all` for those too that need a browser
# or Slurm. Does nothing, quickly, where everything is there.
set -euo pipefail

grade_packages=(
  g++ cmake ninja-build pkg-config
  bubblewrap libseccomp-dev
  libboost-dev libboost-filesystem-dev
  libfmt-dev libexpected-dev nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libtinyxml2-dev
  libgtest-dev libgmock-dev
  libffi-dev libssl-dev
  libarchive-dev libutf8proc-dev libyaml-cpp-dev
)
test_packages=(
  clang clang-format clang-tidy libclang-rt-14-dev
  libbenchmark-dev
  libxml2-utils
  python3-yaml shellcheck zip
  git
)
test_all_packages=(
  chromium chromium-driver python3-selenium fonts-dejavu-core
  slurm-wlm munge
)

case "${1:-test}" in
  grade) packages=("${grade_packages[@]}") ;;
  test) packages=("${grade_packages[@]}" "${test_packages[@]}") ;;
  test-all) packages=("${grade_packages[@]}" "${test_packages[@]}" "${test_all_packages[@]}") ;;
  *) echo "usage: ci/setup.sh [grade|test|test-all]" >&2; exit 2 ;;
esac

find_nvcc() {
  command -v nvcc && return
  local root
  for root in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda; do
    if [ -n "$root" ] && [ -x "$root/bin/nvcc" ]; then echo "$root/bin/nvcc"; return; fi
  done
  return 1
}

if ! find_nvcc >/dev/null; then
  cat >&2 <<'MESSAGE'
error: nvcc not found on PATH, in CUDA_HOME or in /usr/local/cuda.
  warpcheck compiles submissions with the CUDA Toolkit 13 (12 is not tested); no GPU is needed.
  Install the toolkit, or say where it is: CUDA_HOME=/path/to/cuda make check
MESSAGE
  exit 3
fi

command -v dpkg-query >/dev/null || {
  echo "note: this is not Debian; install the like of: ${packages[*]}" >&2
  exit 0
}

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "installing: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "error: packages are missing and there is no sudo; as root: apt-get install ${missing[*]}" >&2
    exit 3
  fi
  as_root=(sudo)
fi
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
