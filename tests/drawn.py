#!/usr/bin/env python3
"""Runs a command for a part of many items: those that the last 50 commits changed, and a share of the others that
the hash of the commit draws. Each commit draws others, and one commit always the same ones.

usage: drawn.py [options] <source of items> -- <command> [<argument> ...]

An argument {} of the command becomes one argument for each drawn item; {:} in an argument becomes all of them,
joined by colons. Ends with the command's status; without a drawn item the command is not run.
"""

import argparse
import glob
import hashlib
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECENT = 50  # commits


def git(*arguments: str) -> str | None:
    """Returns what git prints; None outside a clone, or without git."""
    try:
        done = subprocess.run(("git", "-C", ROOT, *arguments), capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout


def changed_files() -> set[str]:
    """Returns the paths, from the root, that recent commits or edits that are not committed have changed."""
    recent = git("log", f"-{RECENT}", "--format=", "--name-only") or ""
    edited = git("status", "--porcelain", "--untracked-files=all") or ""
    return set(recent.splitlines()) | {line[3:] for line in edited.splitlines()}


def cases_of(program: str) -> list[str]:
    """Returns the cases of a GoogleTest program, as Suite.Case."""
    listed = subprocess.run((program, "--gtest_list_tests"), capture_output=True, text=True, check=True).stdout
    cases, suite = [], ""
    for line in listed.splitlines():
        text = line.split("#")[0].rstrip()
        if not text.startswith(" "):
            suite = text
        else:
            cases.append(suite + text.strip())
    return cases


def is_of(item: str, path: str) -> bool:
    """Tells whether an item belongs to a file. A case belongs to the program whose assignment and name it ends with."""
    file = pathlib.PurePath(path)
    return item == path or item.endswith(f"/{file.parent.parent.name}_{file.stem}")


def draw(items: list[str], share: int, commit: str, changed: set[str]) -> list[str]:
    """Returns the items of changed files, and about one of `share` others."""
    return [item for item in items
            if any(is_of(item, path) for path in changed)
            or int.from_bytes(hashlib.sha256(f"{commit} {item}".encode()).digest()[:8], "big") % share == 0]


def filled_in(command: list[str], items: list[str]) -> list[str]:
    """Returns the command with the items in place of {} and {:}."""
    whole = []
    for argument in command:
        whole += items if argument == "{}" else [argument.replace("{:}", ":".join(items))]
    return whole


def main() -> int:
    if "--" not in sys.argv:
        sys.exit(__doc__)
    end = sys.argv.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=int, default=3, help="one of how many items is drawn")
    parser.add_argument("--always", nargs="*", default=[], help="items that are never left out")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--files", nargs="+", help="patterns of files, from the root of the repository")
    source.add_argument("--cases", help="a GoogleTest program")
    source.add_argument("--names", nargs="+", help="the items themselves")
    options = parser.parse_args(sys.argv[1:end])

    commit = (git("rev-parse", "HEAD") or "").strip()
    if options.files:
        items = sorted(path for pattern in options.files for path in glob.glob(pattern, root_dir=ROOT))
    else:
        items = cases_of(options.cases) if options.cases else options.names
    if not items:
        sys.exit("drawn.py: there is nothing to draw from")
    drawn = options.always + [item for item in draw(items, options.share, commit, changed_files())
                              if item not in options.always]
    print(f"{len(drawn)} of {len(items)}, drawn by commit {commit[:8] or '(none)'}", flush=True)
    if not drawn:
        return 0
    return subprocess.run(filled_in(sys.argv[end + 1:], drawn), cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
