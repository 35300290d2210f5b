"""Tests the examples of docs/python.md with nbgrader and otter."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import otter

TOP = pathlib.Path(__file__).resolve().parents[2]
NAIVE = (TOP / "tests/submissions/transpose/failed/naive.cu").read_text()
DOCS = (TOP / "docs/python.md").read_text()
MAGIC = "%%warpcheck transpose --save my_transpose.cu --device emulator\n"


def example(name):
    """Returns a block of the documentation."""
    return re.search(rf"^```python title=\"{re.escape(name)}\"\n(.*?)^```", DOCS, re.MULTILINE | re.DOTALL).group(1)


def cell(identity, source, grade=False, solution=False, points=None):
    marks = {"schema_version": 3, "grade_id": identity, "grade": grade, "solution": solution, "locked": grade,
             "task": False, **({"points": points} if grade else {})}
    return {"cell_type": "code", "id": identity, "metadata": {"nbgrader": marks} if grade or solution else {},
            "execution_count": None, "outputs": [], "source": source}


def notebook(solution):
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": [
        cell("setup", "%load_ext warpcheck"), cell("mine", MAGIC + solution, solution=True),
        cell("tests", example("A cell of tests"), grade=True, points=100)]})


class Platforms(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def nbgrader(self, *arguments):
        ran = subprocess.run([sys.executable, "-m", "nbgrader", *arguments], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_nbgrader_takes_the_score(self):
        (self.folder / "nbgrader_config.py").write_text(
            f"c = get_config()\nc.CourseDirectory.course_id = 'gpu'\n{example('nbgrader_config.py')}")
        source = self.folder / "source/ps1/transpose.ipynb"
        source.parent.mkdir(parents=True)
        source.write_text(notebook(f"// BEGIN SOLUTION\n{NAIVE}// END SOLUTION\n"))
        self.nbgrader("generate_assignment", "ps1")
        released = json.loads((self.folder / "release/ps1/transpose.ipynb").read_text())
        self.assertEqual("".join(released["cells"][1]["source"]).strip(), MAGIC + "// YOUR CODE HERE")
        released["cells"][1]["source"] = MAGIC + NAIVE
        submitted = self.folder / "submitted/ann/ps1/transpose.ipynb"
        submitted.parent.mkdir(parents=True)
        submitted.write_text(json.dumps(released))
        self.nbgrader("autograde", "ps1", "--create")
        from nbgrader.api import Gradebook
        with Gradebook(f"sqlite:///{self.folder}/gradebook.db") as gradebook:
            found = gradebook.find_submission("ps1", "ann")
            self.assertEqual((found.score, found.max_score), (60, 100))

    def test_otter_takes_the_criteria(self):
        (self.folder / "my_transpose.cu").write_text(NAIVE)
        (self.folder / "tests").mkdir()
        (self.folder / "tests/transpose.py").write_text(example("tests/transpose.py"))
        found = otter.Notebook(tests_dir="tests").check("transpose", global_env={})
        self.assertEqual([(one.test_case.points, one.passed) for one in found.test_case_results],
                         [(40, True), (20, True), (20, False), (20, False)])
        self.assertIn("Coalesced loads and stores", found.test_case_results[2].message)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
