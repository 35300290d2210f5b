"""Tests what the README says of the assignments, and that one version stands everywhere: readme_test.py <warpcheck>."""
import pathlib
import re
import subprocess
import sys
import unittest

WARPCHECK = sys.argv.pop(1)
TOP = pathlib.Path(__file__).resolve().parents[2]
README = (TOP / "README.md").read_text()
# The lectures that the assignments were made for.
LECTURES = {"HKUST", "Stanford CME213", "USTC and NVIDIA", "METU", "KAUST", ""}


def table():
    """Returns the rows of the assignments' table, as lists of cells."""
    rows = README[README.index("## Assignments"):README.index("The lectures are courses")].splitlines()
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows if row.startswith("| [")]


class Assignments(unittest.TestCase):
    def test_are_those_that_warpcheck_lists(self):
        listed = subprocess.run([WARPCHECK, "list"], cwd=TOP, capture_output=True, text=True, check=True).stdout
        points = dict(re.findall(r"^(\w+) .*\((\d+) points\)", listed, re.MULTILINE))
        self.assertEqual({re.match(r"\[(\w+)\]", row[0])[1]: row[3] for row in table()}, points)

    def test_have_all_cells(self):
        for row in table():
            with self.subTest(row[0]):
                name = re.match(r"\[(\w+)\]", row[0])[1]
                self.assertEqual(len(row), 6)
                self.assertEqual(row[0], f"[{name}](assignments/{name}/README.md)")
                self.assertGreater(len(row[1]), 10)
                self.assertLessEqual(set(row[2].split(", ")), LECTURES)
                self.assertIn(int(row[4]), range(1, 10))

    def test_come_after_those_that_they_need(self):
        done = {""}
        for row in table():
            self.assertIn(row[5], done)
            done.add(re.match(r"\[(\w+)\]", row[0])[1])


class Figures(unittest.TestCase):
    """The README's figures are in the evidence, and what measures a figure of another page exists."""
    EVIDENCE = (TOP / "docs/evidence.md").read_text()

    def test_of_the_readme_are_in_the_evidence(self):
        section = README[README.index("## Why you can trust it"):README.index("## Assignments")]
        text = re.sub(r"`[^`]*`|\([^)]*\)", "", section)
        figures = re.findall(r"(?<![\w-])\d[\d,.]*\b|\b(?:ten|twenty) seconds", text)
        self.assertGreater(len(figures), 10)
        for figure in figures:
            with self.subTest(figure):
                self.assertRegex(self.EVIDENCE, rf"(?<!\w){re.escape(figure)}(?!\w)")

    def test_of_the_readme_have_no_other_place(self):
        """Times, shares and counts of programs stand in the section that the evidence repeats."""
        start, end = README.index("## Why you can trust it"), README.index("## Assignments")
        others = re.sub(r"`[^`]*`|^    .*$|^```.*?^```", "", README[:start] + README[end:], flags=re.MULTILINE | re.DOTALL)
        self.assertEqual(re.findall(r"\d[\d,.]* (?:s|ms|%|seconds|minutes|times|programs|kernels)\b", others), [])

    def test_of_other_pages_name_what_measures_them(self):
        rows = re.findall(r"^\| ([^|]*) \| (\[[^|]*) \| ([^|]*) \|$", self.EVIDENCE, re.MULTILINE)
        self.assertGreater(len(rows), 5)
        build = (TOP / "Makefile").read_text() + "".join(
            path.read_text() for folder in ("tests", "harness", "bench") for path in (TOP / folder).rglob("CMakeLists.txt"))
        for figures, _, command in rows:
            with self.subTest(figures):
                programs = re.findall(r"`(?:build/(\w+)|make ([a-z-]+)|(ci/\S+))", command)
                self.assertTrue(programs or "commands there" in command)
                for program, target, script in programs:
                    self.assertTrue((TOP / script).is_file() if script else f"{target or program}" in build)


class Version(unittest.TestCase):
    def test_is_that_of_cmake_wherever_it_stands(self):
        version = re.search(r"^project\(warpcheck VERSION ([\d.]+)", (TOP / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
        named = {}
        for page in [TOP / "README.md", *sorted((TOP / "docs").glob("*.md"))]:
            for found in re.findall(r"warpcheck[-_ ](\d+\.\d+\.\d+)", page.read_text()):
                named[page.name] = found
        named["CITATION.cff"] = re.search(r"^version: (.*)$", (TOP / "CITATION.cff").read_text(), re.MULTILINE)[1]
        named["CHANGELOG.md"] = re.search(r"^## ([\d.]+)$", (TOP / "CHANGELOG.md").read_text(), re.MULTILINE)[1]
        self.assertGreater(len(named), 3)
        self.assertEqual(set(named.values()), {version}, named)


if __name__ == "__main__":
    unittest.main()
