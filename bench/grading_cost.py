#!/usr/bin/env python3
"""Measures the time to grade one right submission as a multiple of its compilation by nvcc alone,
side by side: bench/grading_cost.py [--rounds N] BUILD [ASSIGNMENT ...]. "Cold" submissions are new,
"cached" ones are in the build cache. The figures are medians of wall time and of processor time."""

import argparse
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def nvcc():
    return shutil.which("nvcc") or os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin/nvcc")


def cost(command, environment=None):
    """Returns the seconds of wall time and of processor time of the command and all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    wall = time.monotonic() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(build, assignment, rounds, scratch):
    reference = ROOT / "reference" / f"{assignment}.cu"
    source = scratch / f"{assignment}.cu"
    environment = dict(os.environ, WARPCHECK_CACHE=str(scratch / "cache"))
    compilation = [nvcc(), "-std=c++20", "-O3", "-lineinfo", "--no-compress", "-cudart", "none", "-shared",
                   "-Xcompiler", "-fPIC", "-gencode", "arch=compute_90,code=compute_90",
                   f"-I{ROOT}/assignments/{assignment}", str(reference), "-o", str(scratch / "bare.so")]
    grade = [str(build / "warpcheck"), "check", assignment, str(source), "--device", "emulator", "--seed", "1"]
    costs = {"nvcc": [], "cold": [], "cached": []}
    for turn in range(rounds):
        # Each submission is new to the cache.
        source.write_text(reference.read_text() + f"// round {turn}\n")
        costs["nvcc"].append(cost(compilation))
        costs["cold"].append(cost(grade, environment))
        costs["cached"].append(cost(grade, environment))
    median = {name: [statistics.median(column) for column in zip(*values)] for name, values in costs.items()}
    bare = median["nvcc"]
    text = "  ".join(f"{name} {median[name][0] / bare[0]:.2f} ({median[name][1] / bare[1]:.2f})"
                     for name in ("cold", "cached"))
    print(f"{assignment:<10} nvcc {bare[0]:.2f} s ({bare[1]:.2f})  {text}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("assignments", nargs="*")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    names = options.assignments or sorted(path.stem for path in (ROOT / "reference").glob("*.cu"))
    print("multiples of nvcc alone, of wall time (of processor time)")
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            measure(options.build.resolve(), name, options.rounds, pathlib.Path(scratch))


if __name__ == "__main__":
    main()
