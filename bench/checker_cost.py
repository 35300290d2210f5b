#!/usr/bin/env python3
"""Prints the cost of the checkers: the time of emulator_bench with them, as a multiple of counting alone.

    bench/checker_cost.py BUILD_FOLDER [--rounds N] [--threads N] [--kernel NAME]

Every round measures counting alone and each checker right after each other and takes their ratio, so
that other work on the machine, which comes and goes, touches both. Printed are the median of the
rounds and the least and the most. On one thread it is processor time, on several the clock's.
"""

import argparse
import csv
import os
import statistics
import subprocess

ALONE, RACES, INITIALISATION, ALL = range(4)  # these are values of the benchmarks' argument "watch"
NAMES = {RACES: "races", INITIALISATION: "initialisation", ALL: "all checkers"}


def measure(program, kernel, threads):
    """Runs one round and returns {kernel: {watch: milliseconds}}."""
    output = subprocess.run(
        [program, f"--benchmark_filter=^{kernel}/.*/threads:{threads}/", "--benchmark_format=csv",
         "--benchmark_min_time=0.15"],
        check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    times = {}
    lines = output.splitlines()
    header = next(i for i, line in enumerate(lines) if line.startswith("name,"))
    for row in csv.DictReader(lines[header:]):
        name, watch = row["name"].split("/")[:2]
        time = row["cpu_time" if threads == 1 else "real_time"]
        times.setdefault(name, {})[int(watch.split(":")[1])] = float(time)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--kernel", default=".*")
    options = parser.parse_args()
    program = os.path.join(options.build, "emulator_bench")
    rounds = [measure(program, options.kernel, options.threads) for _ in range(options.rounds)]
    for kernel in rounds[0]:
        alone = statistics.median(times[kernel][ALONE] for times in rounds)
        cells = [f"alone {alone:7.2f} ms"]
        for watch, name in NAMES.items():
            ratios = [times[kernel][watch] / times[kernel][ALONE] for times in rounds]
            cells.append(f"{name} {statistics.median(ratios):.2f} "
                         f"({min(ratios):.2f}-{max(ratios):.2f})")
        print(f"  {kernel:<20} " + "  ".join(cells))


if __name__ == "__main__":
    main()
