#!/usr/bin/env python3
"""Tells which test programs show a kind of finding, and which kinds no test program shows.

usage: index.py FILE... [--kind KIND]

The files come from `warpcheck validate NAME --index FILE`; `make test-all` leaves one for each assignment in
build/tests/submissions. With --kind it names all programs of this kind, otherwise the number of programs for each.
"""

import argparse
import collections
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def kinds() -> list[str]:
    """Returns the kinds of findings, as results name them."""
    table = (ROOT / "harness/device/finding.def").read_text(encoding="utf-8")
    return re.findall(r'^FINDING\(\w+,\s*"(\w+)"', table, re.MULTILINE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--kind", choices=kinds())
    options = parser.parse_args()
    programs = collections.defaultdict(list)
    for file in options.files:
        for line in file.read_text(encoding="utf-8").splitlines():
            kind, program = line.split(" ", 1)
            programs[kind].append(program)
    if options.kind:
        print("\n".join(sorted(programs[options.kind])))
        return
    for kind in sorted(kinds(), key=lambda kind: (len(programs[kind]), kind)):
        example = min(programs[kind], default="no program of these assignments")
        print(f"{len(programs[kind]):5}  {kind:24} {example}")


if __name__ == "__main__":
    main()
