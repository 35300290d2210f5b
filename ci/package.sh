#!/usr/bin/env bash
# Packs what a build folder installs: package.sh <build folder> <folder>. It makes an archive that
# runs in any folder, a .deb, and a Python wheel, all of one build.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

(cd "$scratch" && cpack --config "$build/CPackConfig.cmake" -B "$scratch/cpack" >"$scratch/log") || {
  cat "$scratch/log" >&2
  exit 3
}
find "$scratch/cpack" -maxdepth 1 \( -name '*.tar.gz' -o -name '*.deb' \) -exec mv -t "$out" {} +

# The wheel has the same files, the package for Python, and programs that start warpcheck, since wheels
# have no links.
cp -r "$top/python" "$scratch/wheel"
find "$scratch/wheel" -name __pycache__ -prune -exec rm -r {} +
cp "$top/README.md" "$top/LICENSE" "$scratch/wheel/"
cmake --install "$build" --prefix "$scratch/wheel/warpcheck/installed" --strip >/dev/null
rm -r "$scratch/wheel/warpcheck/installed/bin"
version=$(sed -n 's/^project(warpcheck VERSION \([0-9.]*\).*/\1/p' "$top/CMakeLists.txt")
sed -i "s/@VERSION@/$version/" "$scratch/wheel/pyproject.toml"
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" --quiet install build wheel auditwheel
"$scratch/venv/bin/python" -m build --wheel --outdir "$scratch/made" "$scratch/wheel" >"$scratch/log" || {
  cat "$scratch/log" >&2
  exit 3
}
"$scratch/venv/bin/wheel" tags --remove --platform-tag "linux_$(uname -m)" "$scratch"/made/*.whl >/dev/null
# auditwheel finds the oldest systems on which the programs run. It need not repair the wheel: this
# is no Python module, and the libraries lie beside the programs already.
policy=$("$scratch/venv/bin/auditwheel" show "$scratch"/made/*.whl | grep -o 'manylinux_[0-9_]*_[a-z0-9_]*' | head -1)
"$scratch/venv/bin/wheel" tags --remove --platform-tag "${policy:-linux_$(uname -m)}" "$scratch"/made/*.whl >/dev/null
mv "$scratch"/made/*.whl "$out/"
ls -l "$out"
