#!/usr/bin/env python3
"""Tests that docs/checkers.md says of each kind of finding when it is made.

A kind has a row of a table, which begins with its name, or a paragraph whose first line names it.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def kinds() -> list[str]:
    text = (ROOT / "harness/device/finding.def").read_text()
    return re.findall(r'^FINDING\(\w+, "(\w+)"', text, re.MULTILINE)


def described(text: str) -> set[str]:
    """Returns the names in the first cells of rows, and in the first lines of paragraphs."""
    cells = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", text, re.MULTILINE)
    lines = re.findall(r"(?:^|\n\n)([^|\n-][^\n]*)", text)
    return set(re.findall(r"`(\w+)`", " ".join(cells + lines)))


def main() -> int:
    known = kinds()
    assert len(known) > 30, known
    missing = [kind for kind in known if kind not in described((ROOT / "docs/checkers.md").read_text())]
    for kind in missing:
        print(f"docs/checkers.md does not say when {kind} is found")
    # The test itself must find a kind that is missing.
    assert described("| `a`, `b` | when |\n\n`c`: if so\n") == {"a", "b", "c"}
    assert described("First\nline: not `a`.\n- not `b`\n\n- not `c`\n| `d` |\n") == {"d"}
    return 1 if missing else 0


sys.exit(main())
