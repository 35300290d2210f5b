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
