#!/usr/bin/env python3
"""check_grades.py <warpcheck>: tests what a grade says about approximate instructions."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

WARPCHECK = sys.argv.pop()
EXACT = "exact: a GPU gives the same bits for each instruction that ran"
OTHER = "approximate, and a GPU may compute other last digits;"
# blockDim.z is 1, so `one` stays 1 on the emulator, and the result is right. A product would change
# the bits of a NaN.
SUBMISSION = """#include "transpose.h"
__global__ void naive(const float* in, float* out, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || col >= cols) return;
  float one = 1;
  %s
  out[col * rows + row] = one == 1 ? in[row * cols + col] : 0;
}
void transpose(const float* in, float* out, int rows, int cols) {
  const dim3 block(32, 8);
  naive<<<dim3((cols + 31) / 32, (rows + 7) / 8), block>>>(in, out, rows, cols);
}
"""


class ExactnessOfGrades(unittest.TestCase):
    def grade(self, line):
        """Returns the grade's JSON, its terminal report with one space between words, and the JUnit properties."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "mine.cu").write_text(SUBMISSION % line)
            ran = subprocess.run([WARPCHECK, "check", "transpose", path / "mine.cu", "--device", "emulator", "--seed",
                                  "1", "--json", path / "g.json", "--junit", path / "g.xml", "--html", path / "g.html"],
                                 capture_output=True, text=True, timeout=300)
            self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
            grade = json.loads((path / "g.json").read_text())
            suites = xml.etree.ElementTree.parse(path / "g.xml").getroot()
            said = {one.get("value") for one in suites.iter("property") if one.get("name") == "exactness"}
            self.assertEqual(said, {grade["exactness"]})
            self.assertIn(grade["exactness"], " ".join(ran.stdout.split()))
            self.assertIn(grade["exactness"], (path / "g.html").read_text())
        return grade

    def test_of_exact_code(self):
        grade = self.grade("")
        self.assertEqual(grade["exactness"], EXACT)
        self.assertEqual(grade["approximations"], [])

    def test_of_a_result_that_depends_on_an_approximation(self):
        grade = self.grade("one = __expf(static_cast<float>(blockDim.z - 1));")
        self.assertEqual(grade["exactness"], f"not exact: ex2.approx.f32 at mine.cu:7 is {OTHER} a result depends "
                                             "on that at mine.cu:8")
        self.assertEqual(grade["score"], self.grade("")["score"], "it changes no score")
        cases = [one["case_name"] for one in grade["approximations"]]
        self.assertEqual(len(cases), len(set(cases)), "a case names an instruction once")

    def test_of_an_approximation_that_nothing_uses(self):
        grade = self.grade('asm volatile("{ .reg .f32 t; sin.approx.f32 t, %0; }" ::"f"(in[0]));')
        self.assertEqual(grade["exactness"], f"not exact: sin.approx.f32 at mine.cu:7 is {OTHER} no result depends on "
                                             "that")

    def test_of_an_approximation_that_is_not_reached(self):
        self.assertEqual(self.grade("if (blockDim.z > 1) one = __expf(in[0]);")["exactness"], EXACT)


if __name__ == "__main__":
    unittest.main()
