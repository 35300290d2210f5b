#!/usr/bin/env bash
# Installs what is missing on a Debian 12 machine. Use `setup.sh grade` for grading, `setup.sh
# package` for packages too, `setup.sh test` for the project's tests, and `setup.sh test-all` also
# for MkDocs. Returns at once if nothing is missing.
set -euo pipefail

grade_packages=(
  g++ cmake ninja-build pkg-config
  bubblewrap libseccomp-dev
  libboost-dev libboost-filesystem-dev
  libfmt-dev libexpected-dev nlohmann-json3-dev libcli11-dev libtomlplusplus-dev libtinyxml2-dev
  libkainjow-mustache-dev
  libgtest-dev libgmock-dev
  libffi-dev libiberty-dev libre2-dev
  libarchive-dev zlib1g-dev libbz2-dev liblzma-dev libzstd-dev nettle-dev
  libutf8proc-dev libyaml-cpp-dev libcsv-dev
)
test_packages=(
  clang-16 clang-tidy-16 libclang-rt-16-dev  # Debian 12's clang 14 has no std::source_location
  clang-format
  libbenchmark-dev
  libxml2-utils
  ccache
  python3-yaml shellcheck zip
  git
)
optional_packages=(
  chromium chromium-driver python3-selenium fonts-dejavu-core
  slurm-wlm munge
  python3-venv
)

optional=()  # without a browser or Slurm, their tests are skipped
case "${1:-test}" in
  grade) packages=("${grade_packages[@]}") ;;
  package) packages=("${grade_packages[@]}" python3-venv) ;;
  test | test-all)
    packages=("${grade_packages[@]}" "${test_packages[@]}")
    optional=("${optional_packages[@]}")
    ;;
  *) echo "usage: ci/setup.sh [grade|package|test|test-all]" >&2; exit 2 ;;
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
  echo "note: this is not Debian; install the packages that correspond to: ${packages[*]}" >&2
  exit 0
}

# Prints the packages that are not installed.
missing_of() {
  local package status
  for package in "$@"; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || echo "$package"
  done
}

# Installs MkDocs from PyPI, once the packages are there. Without it, its test is skipped.
finish() {
  [ "${1:-test}" = test-all ] || exit 0
  "$(dirname "$0")/docs.sh" install || echo "note: without MkDocs, the test of the site is skipped" >&2
  exit 0
}

mapfile -t missing < <(missing_of "${packages[@]}")
mapfile -t missing_optional < <(missing_of "${optional[@]}")
if [ ${#missing[@]} -eq 0 ] && [ ${#missing_optional[@]} -eq 0 ]; then finish "$@"; fi

echo "installing: ${missing[*]} ${missing_optional[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "note: without root or sudo, install: apt-get install ${missing[*]} ${missing_optional[*]}" >&2
    if [ ${#missing[@]} -eq 0 ]; then finish "$@"; fi
    echo "error: packages are missing that are needed: ${missing[*]}" >&2
    exit 3
  fi
  as_root=(sudo)
fi
apt_install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}
updated=true
"${as_root[@]}" apt-get update -qq || updated=false
if [ ${#missing[@]} -gt 0 ]; then
  apt_install "${missing[@]}" || {
    echo "error: cannot install what is missing. Systems other than Debian 12 may have other versions." >&2
    echo "  docs/developing.md says how to use another clang (\"Another clang\")." >&2
    exit 3
  }
fi
if [ ${#missing_optional[@]} -gt 0 ]; then
  { $updated && apt_install "${missing_optional[@]}"; } ||
    echo "note: cannot install ${missing_optional[*]}: the tests that need them are skipped" >&2
fi
finish "$@"
