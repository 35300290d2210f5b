#!/usr/bin/env python3
"""Prints what a launch costs beside memory that host and device share, as a multiple of one without it.

    bench/shared_memory_cost.py BUILD_FOLDER [--mib N] [--launches N] [--rounds N]

The kernel does not use this memory, so that it should cost nothing. Every round measures all kinds of
memory right after each other. Printed are the median of the rounds and the least and the most.
"""

import argparse
import os
import re
import statistics
import subprocess

ALONE = "none"
KINDS = ["pinned", "managed", "registered"]


def measure(options, kind):
    """Returns the microseconds of a launch."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "shared_memory.cu")
    output = subprocess.run(
        [os.path.join(options.build, "warpcheck"), "run", program, kind, str(options.mib),
         str(options.launches)],
        check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return float(re.search(r"([\d.]+) us a launch", output)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--mib", type=int, default=256)
    parser.add_argument("--launches", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rounds = [{kind: measure(options, kind) for kind in [ALONE, *KINDS]}
              for _ in range(options.rounds)]
    alone = statistics.median(times[ALONE] for times in rounds)
    print(f"  alone                {alone:6.1f} us")
    for kind in KINDS:
        ratios = [times[kind] / times[ALONE] for times in rounds]
        print(f"  {options.mib} MiB {kind:<12} {statistics.median(ratios):5.2f} "
              f"({min(ratios):.2f}-{max(ratios):.2f})")


if __name__ == "__main__":
    main()
