#!/usr/bin/env python3
"""check_exactness.py <warpcheck> <program>: tests the sentence of `warpcheck run` about approximate instructions."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM, WARPCHECK = sys.argv.pop(), sys.argv.pop()
EXACT = "exact: a GPU gives the same bits for each instruction that ran"
OTHER = "approximate, and a GPU may compute other last digits;"


class Exactness(unittest.TestCase):
    def run_kernels(self, *kernels, check="all"):
        """Returns the sentence, with one space between words, and the approximations of the JSON."""
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            ran = subprocess.run([WARPCHECK, "run", "--check", check, "--counters", report, PROGRAM, *kernels],
                                 capture_output=True, text=True, timeout=60)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            process = json.loads(report.read_text())["processes"][0]
        sentence = re.search(r"^warpcheck run: .*\n((?:  .*\n)*)", ran.stderr, re.MULTILINE)[1]
        return re.sub(r"/\S*/", "", " ".join(sentence.split())), process.get("approximations", [])

    def test_is_said_of_every_program(self):
        self.assertEqual(self.run_kernels("Exact"), (EXACT, []))
        self.assertEqual(self.run_kernels("Exact", check="none"), (EXACT, []))

    def test_names_the_instruction_and_where_its_result_goes(self):
        text, found = self.run_kernels("Exact", "Stored", "Stored")
        self.assertEqual(text, f"not exact: ex2.approx.f32 at exactness.cu:9 is {OTHER} a result depends on that at "
                               "exactness.cu:11")
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0]["used"])

    def test_knows_branches(self):
        text, _ = self.run_kernels("Decides")
        self.assertEqual(text, f"not exact: sin.approx.f32 at exactness.cu:15 is {OTHER} a result depends on that at "
                               "exactness.cu:16")

    def test_knows_results_that_nothing_uses(self):
        text, found = self.run_kernels("Unused")
        self.assertEqual(text, f"not exact: sin.approx.f32 at exactness.cu:22 is {OTHER} no result depends on that")
        self.assertFalse(found[0]["used"])

    def test_does_not_count_what_was_not_executed(self):
        self.assertEqual(self.run_kernels("NotReached"), (EXACT, []))

    def test_names_the_first_one_that_is_used(self):
        text, found = self.run_kernels("Unused", "Decides", "Stored")
        self.assertEqual(text, f"not exact: sin.approx.f32 at exactness.cu:15 and 2 more are {OTHER} a result depends on "
                               "that at exactness.cu:16")
        self.assertEqual(len(found), 3)

    def test_leaves_mistakes_to_their_findings(self):
        self.assertEqual(self.run_kernels("Outside"), (EXACT.replace(":", ", apart from the findings below:", 1), []))

    def test_names_limits(self):
        text, _ = self.run_kernels("Exact", "NotOffered")
        self.assertEqual(text, "not exact: the program calls a function that is not offered")


if __name__ == "__main__":
    unittest.main()
