#!/usr/bin/env bash
# Grades the references and some test submissions with several of NVIDIA's compilers, which it takes
# from PyPI, and compares the grades. Usage: toolkits.sh <folder for results> [versions ...]
#
# versions: of the package nvidia-cuda-nvcc, such as 13.0 13.5; by default the oldest and the newest
# of CUDA 13. It exits with 0 if all grades are equal, 1 if not, 3 if a compiler is not to be had.
set -euo pipefail
if [ $# -lt 1 ]; then sed -n '2,7s/^# \?//p' "$0" >&2; exit 2; fi
mkdir -p "$1"
results=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- 13.0 13
cd "$(dirname "$0")/.."
warpcheck=${WARPCHECK:-build/warpcheck}
export WARPCHECK_CACHE=$results/cache

# The packages of one release have its number, except CCCL, whose numbers are its own after 13.2.
for version in "$@"; do
  [ ! -x "$results/$version/nvidia/cu13/bin/nvcc" ] || continue
  packages=("nvidia-cuda-cccl==13.*")
  case $version in 13.[0-2]) packages=("nvidia-cuda-cccl==$version.*") ;; esac
  for name in nvidia-cuda-nvcc nvidia-nvvm nvidia-cuda-crt nvidia-cuda-runtime nvidia-nvtx nvidia-cuda-profiler-api; do
    packages+=("$name==$version.*")
  done
  python3 -m pip install --quiet --no-deps --root-user-action ignore --target "$results/$version" "${packages[@]}" || {
    echo "error: cannot install the compiler of CUDA $version"
    exit 3
  }
done

# The references, and a program of each kind for each assignment, one line each: assignment and file.
{
  for file in reference/*.cu; do echo "$(basename "$file" .cu) $file"; done
  for folder in tests/submissions/*/{passed,failed}; do
    find "$folder" -name '*.cu' | sort |
      awk -v most="${PROGRAMS:-1}" -v name="$(basename "$(dirname "$folder")")" 'NR <= most { print name, $0 }'
  done
} >"$results/programs.txt"
for version in "$@"; do
  mkdir -p "$results/reports/$version"
  # shellcheck disable=SC2016 # the inner shell expands these
  CUDA_HOME=$results/$version/nvidia/cu13 xargs -a "$results/programs.txt" -P "${JOBS:-2}" -L 1 bash -c '
    "$0" check "$2" "$3" --device emulator --seed 7 --json "$1/$(echo "$3" | tr / _).json" >/dev/null || [ $? -eq 1 ]
  ' "$warpcheck" "$results/reports/$version"
done
python3 - "$results/reports" "$@" <<'PYTHON'
import json, pathlib, sys
folder, versions = pathlib.Path(sys.argv[1]), sys.argv[2:]
differ = 0
files = sorted({path.name for version in versions for path in (folder / version).glob("*.json")})
for name in files:
    grades = {}
    for version in versions:
        path = folder / version / name
        report = json.loads(path.read_text()) if path.exists() else {"score": None, "criteria": []}
        grades[version] = [report["score"], *(one["points"] for one in report["criteria"])]
    if len({json.dumps(grade) for grade in grades.values()}) != 1:
        differ += 1
        print(name, grades)
print(f"{len(files)} programs, {differ} with other grades, with {', '.join(versions)}")
sys.exit(differ > 0 or not files)
PYTHON
