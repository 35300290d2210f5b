#!/usr/bin/env python3
"""Tests that the pages of docs/findings/ tell the truth: each broken program gets exactly its finding, its report is
the one on the page, and its repaired program gets none.

usage: findings_test.py <warpcheck> <folder of the compiled programs>

A section of a page has the name of a kind of finding, and three blocks: the broken program, the command with its output,
and the repaired program. With WARPCHECK_UPDATE_GOLDEN=1 the blocks are written, not compared.
"""
import concurrent.futures
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import unittest

WARPCHECK, PROGRAMS = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
del sys.argv[1:]

TOP = pathlib.Path(__file__).resolve().parents[2]
FOLDER = TOP / "docs" / "findings"
INDEX = TOP / "docs" / "findings.md"
UPDATE = os.environ.get("WARPCHECK_UPDATE_GOLDEN") == "1"

ROWS = re.findall(r'^FINDING\(\w+, "(\w+)", "([^"]+)", "(\w*)"\)$', (TOP / "harness/device/finding.def").read_text(),
                  re.MULTILINE)
KINDS = {kind: meaning for kind, meaning, _ in ROWS}
# A refused launch that nobody checks has its reason in a second finding. A program that undid the registration of its
# memory would wait for the copy there.
WITH = {"unchecked_launch": ["invalid_launch"], "unfinished_copy": ["leaked_handle"]}
# The report of this one has a line number of the PTX, so it is compiled alone.
ALONE = {"unsupported_code"}

SECTION = re.compile(r"^## (\w+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```(.*)\n((?:(?!```).*\n)*)```$", re.MULTILINE)


class Example:
    """The section of a page about one kind of finding."""

    def __init__(self, page, kind, text):
        self.page, self.kind, self.text = page, kind, text
        self.blocks = [match[2] for match in BLOCK.finditer(text)]
        self.command = self.blocks[1].splitlines()[0] if len(self.blocks) == 3 else ""

    def path(self, way):
        return FOLDER / self.page.stem / (self.kind + ("_repaired.cu" if way == "repaired" else ".cu"))

    def run(self, way):
        """Returns what the command prints."""
        path = self.path(way)
        words = shlex.split(self.command)[2:-1]  # without "$ warpcheck" and the file
        program = [path.name] if self.kind in ALONE else [PROGRAMS / f"{path.parent.name}.{way}", path.stem]
        ran = subprocess.run([WARPCHECK, *words, *program], cwd=path.parent, capture_output=True, text=True, timeout=60)
        report = re.sub(r"^warpcheck run: \S+", f"warpcheck run: {path.name}", ran.stderr, flags=re.MULTILINE)
        for folder in (f"{path.parent.resolve()}/", f"{path.parent}/"):
            report = report.replace(folder, "")
        return ran.stdout + report

    def expected(self, reports):
        """Returns the contents of the three blocks: first the word behind ```, then the text."""
        broken, repaired = self.path("broken").read_text(), self.path("repaired").read_text()
        return [("cpp" + marks(broken, repaired), broken),
                ("", f"{self.command}\n{reports['broken']}"),
                ("cpp" + marks(repaired, broken), repaired)]


def marks(text, other):
    """Returns which lines the site shows in colour: those that the other program does not have."""
    matcher = difflib.SequenceMatcher(None, other.splitlines(), text.splitlines(), autojunk=False)
    lines = [str(line + 1) for tag, _, _, begin, end in matcher.get_opcodes() if tag != "equal"
             for line in range(begin, end)]
    return f' hl_lines="{" ".join(lines)}"' if lines else ""


def found(report):
    """Returns the kinds of the findings of a report, in which long lines are broken."""
    text = re.sub(r"\s+", " ", report)
    return sorted(kind for kind, meaning in KINDS.items() for _ in re.findall(re.escape(f" {meaning}: "), text))


def examples():
    return [Example(page, *section.groups()) for page in sorted(FOLDER.glob("*.md"))
            for section in SECTION.finditer(page.read_text())]


def update(example, reports):
    text = example.page.read_text()
    blocks = iter(example.expected(reports))

    def block(_):
        language, body = next(blocks)
        return f"```{language}\n{body}```"
    example.page.write_text(text.replace(example.text, BLOCK.sub(block, example.text), 1))


class Findings(unittest.TestCase):
    maxDiff = None

    def test_every_kind_has_a_place(self):
        shown = [example.kind for example in examples()]
        self.assertEqual(sorted(set(shown)), sorted(shown))
        without = re.findall(r"^### (\w+)$", INDEX.read_text(), re.MULTILINE)
        self.assertEqual(sorted(shown + without), sorted(KINDS))
        # Reports name these pages.
        self.assertEqual(sorted((page, kind) for kind, _, page in ROWS if page),
                         sorted((example.page.stem, example.kind) for example in examples()))
        links = re.findall(r"\]\(findings/(\w+)\.md#(\w+)\)", INDEX.read_text())
        self.assertEqual(sorted(set(links)), sorted((example.page.stem, example.kind) for example in examples()))

    def test_every_program_is_shown(self):
        shown = sorted(example.path(way) for example in examples() for way in ("broken", "repaired"))
        self.assertEqual(shown, sorted(FOLDER.glob("*/*.cu")))

    def test_sections_say_what_is_wrong(self):
        for example in examples():
            with self.subTest(example.kind):
                self.assertEqual(len(example.blocks), 3)
                self.assertRegex(example.command, rf"^\$ warpcheck run (--\S+ \S+ )?{example.kind}\.cu$")
                self.assertLessEqual(len(example.path("broken").read_text().splitlines()), 30)

    def test_reports(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            jobs = {(example, way): pool.submit(example.run, way) for example in examples()
                    for way in ("broken", "repaired")}
        all_examples = {example for example, _ in jobs}
        self.assertGreater(len(all_examples), 40)
        for example in all_examples:
            reports = {way: jobs[example, way].result() for way in ("broken", "repaired")}
            if UPDATE:
                update(example, reports)
                continue
            with self.subTest(example.kind):
                self.assertEqual(found(reports["broken"]), sorted([example.kind, *WITH.get(example.kind, [])]),
                                 reports["broken"])
                self.assertEqual(found(reports["repaired"]), [], reports["repaired"])
                for block, (_, body) in zip(example.blocks, example.expected(reports)):
                    self.assertEqual(block, body)


if __name__ == "__main__":
    unittest.main()
