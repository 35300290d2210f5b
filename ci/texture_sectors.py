#!/usr/bin/env python3
"""Counts the sectors of texture fetches on a GPU with Nsight Compute, and compares them.

usage: texture_sectors.py <program> <file>

The program is tests/parity/texture_sectors.cu, compiled. Each line of the file has the sectors and
the name of a pattern. Prints what the GPU counts, in the same form. Exits 0 if it is the same, 1 if
it is not, 3 if Nsight Compute (ncu) fails.
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

METRIC = "l1tex__t_sectors_pipe_tex_mem_texture.sum"


def count(program: str) -> list[str]:
    """Returns a line for each pattern, in the order of the launches."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "sectors.csv"
        command = ["ncu", "--cache-control", "none", "--clock-control", "none", "--metrics", METRIC,
                   "--csv", "--page", "raw", "--log-file", str(log), program]
        run = subprocess.run(command, check=True, capture_output=True, text=True)
        lines = [line for line in log.read_text(encoding="utf-8").splitlines()
                 if not line.startswith("==")]
    names = [line for line in run.stdout.splitlines() if not line.startswith("==")]
    heading, _units, *launches = csv.reader(lines)
    sectors = [launch[heading.index(METRIC)] for launch in launches]
    return [f"{number} {name}" for number, name in zip(sectors, names, strict=True)]


def main() -> int:
    try:
        counted = count(sys.argv[1])
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        print(f"ncu does not count: {error}", file=sys.stderr)
        return 3
    print("\n".join(counted))
    known = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()
    different = sum(a != b for a, b in zip(counted, known)) + abs(len(counted) - len(known))
    print(f"{different} of {len(counted)} patterns differ", file=sys.stderr)
    return 0 if different == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
