"""Tests the magics in IPython's own shell."""
import os
import pathlib
import signal
import sys
import tempfile
import threading
import time
import unittest

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import warpcheck

TOP = pathlib.Path(__file__).resolve().parents[2]
NAIVE = (TOP / "tests/submissions/transpose/failed/naive.cu").read_text()
PROGRAM = """#include <cstdio>
#include <cstdlib>
__global__ void store(float* out) { out[threadIdx.x * 32] = 1; }
int main(int argc, char** argv) {
  float* out;
  cudaMalloc(&out, 4096);
  store<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  std::printf("%d arguments\\n", argc - 1);
  std::fprintf(stderr, "to stderr\\n");
  if (argc > 2) store<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 3;
}
"""


class Magics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shell = InteractiveShell.instance()
        cls.shell.run_cell("%load_ext warpcheck")

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def run_cell(self, cell):
        with capture_output() as captured:
            ran = self.shell.run_cell(cell, store_history=True)
        self.out, self.err = captured.stdout, captured.stderr
        self.ran = ran
        return ran.result

    def line_of(self, cell, part):
        """Returns the number of a line as the notebook shows it beside the cell."""
        return next(number for number, line in enumerate(cell.splitlines(), 1) if part in line)

    def test_grade_a_cell_with_its_lines(self):
        for above in ("", "\n", "\n  \n\n"):
            cell = f"{above}%%warpcheck transpose --device emulator --seed 1\n{NAIVE}"
            grade = self.run_cell(cell)
            self.assertIsInstance(grade, warpcheck.Grade, self.out)
            self.assertEqual(grade.score, 60)
            self.assertEqual(grade.submission, "cell.cu")
            self.assertEqual({one.line for one in grade.complaints}, {self.line_of(cell, "// expect")})
            self.assertIn(f"cell.cu:{self.line_of(cell, '// expect')}", self.out)
        of_file = warpcheck.check_source("transpose", NAIVE, device="emulator", seed=1)
        self.assertEqual([one.points for one in grade.criteria], [one.points for one in of_file.criteria])

    def test_write_the_values_that_are_wrong(self):
        source = (TOP / "tests/submissions/transpose/failed/only_multiples_of_32.cu").read_text()
        for case in ("32x33", "33x32"):
            self.run_cell(f"%%warpcheck transpose --device emulator --dump values --case {case}\n{source}")
        self.assertTrue(list(self.folder.glob("values/32x33/*.npy")), self.out)
        self.assertTrue(list(self.folder.glob("values/33x32/*.npy")), self.out)

    def test_save_a_file_with_the_lines_of_the_cell(self):
        cell = f"%%warpcheck transpose --save mine.cu --into grade --device emulator\n{NAIVE}"
        result = self.run_cell(cell)
        self.assertIs(self.shell.user_ns["grade"], result)
        saved = (self.folder / "mine.cu").read_text()
        self.assertEqual(saved.splitlines()[1:], cell.splitlines()[1:])
        self.assertTrue(saved.startswith("//"))
        of_file = warpcheck.check("transpose", "mine.cu", device="emulator", seed=result.seed)
        self.assertEqual(of_file.complaints, result.complaints)
        self.assertIn("mine.cu:", result.text)

    def test_grade_a_cell_that_does_not_compile(self):
        grade = self.run_cell("%%warpcheck transpose --device emulator\n#include \"transpose.h\"\nint x = y;\n")
        self.assertEqual((grade.score, grade.compile_error.line), (0, 3))
        self.assertTrue(self.ran.success)

    def test_run_a_cell(self):
        result = self.run_cell(f"%%cuda_run --into run -- --a b\n{PROGRAM}")
        self.assertIs(self.shell.user_ns["run"], result)
        self.assertEqual((result.exit_status, result.stdout, result.stderr), (3, "2 arguments\n", "to stderr\n"))
        self.assertIn("2 arguments\n", self.out)
        self.assertEqual(self.err, "to stderr\n")
        found = [one for one in result.findings if one.kind.startswith("out_of_bounds")]
        self.assertEqual({(one.file, one.line) for one in found}, {("cell.cu", 4)})
        traced = self.run_cell(f"%%cuda_run --trace store:4 --nvcc=-DX --check none\n{PROGRAM}")
        self.assertEqual([(one.cost, one.ideal, one.line) for one in traced.accesses], [(32, 4, 4)])

    def test_find_headers_beside_the_notebook(self):
        (self.folder / "mine.h").write_text("constexpr int kStatus = 5;\n")
        result = self.run_cell('%%cuda_run --save program.cu\n#include "mine.h"\nint main() { return kStatus; }\n')
        self.assertEqual(result.exit_status, 5)
        self.assertTrue((self.folder / "program.cu").exists())

    def test_refuse_wrong_options(self):
        for line, says in [("%%warpcheck", "assignment"), ("%%warpcheck transposed", "did you mean transpose"),
                           ("%%warpcheck transpose --device abacus", "invalid choice"),
                           ("%%warpcheck transpose --seed x", "invalid int"),
                           ("%%warpcheck transpose --sed 1 x", "unrecognized"),
                           ("%%warpcheck transpose --target 13", "choose one of"),
                           ("%%warpcheck transpose --course nowhere", "nowhere"),
                           ("%%warpcheck transpose --save mine.txt", "ends with .cu"),
                           ("%%warpcheck transpose --save nowhere/mine.cu", "No such file"),
                           ("%%warpcheck transpose --into 1st", "not a name"),
                           ("%%cuda_run --memory 0", "--memory"), ("%%cuda_run --trace 7", "not of the form"),
                           ("%%cuda_run --check nothing", "nothing")]:
            self.run_cell(f"{line}\nint main() {{}}\n")
            self.assertIsInstance(self.ran.error_in_exec, UsageError, line)
            self.assertIn(says, str(self.ran.error_in_exec), line)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_say_why_a_program_is_not_built(self):
        self.run_cell("%%cuda_run\nint main() { return x; }\n")
        self.assertIsInstance(self.ran.error_in_exec, warpcheck.BuildFailed)
        shown = self.out + self.err
        self.assertEqual(shown.count('cell.cu(2): error: identifier "x" is undefined'), 1)
        self.assertNotIn("Traceback", shown)

    def test_stop_a_cell(self):
        cell = "%%cuda_run\n#include <unistd.h>\nint main() { write(1, \"on\\n\", 3); for (;;) pause(); }\n"
        stopper = threading.Thread(target=self.interrupt_soon)
        stopper.start()
        begin = time.monotonic()
        self.run_cell(cell)
        stopper.join()
        self.assertIsInstance(self.ran.error_in_exec, KeyboardInterrupt)
        self.assertLess(time.monotonic() - begin, 60)

    def interrupt_soon(self):
        """Interrupts when the program runs."""
        deadline = time.monotonic() + 50
        while time.monotonic() < deadline and not any(self.is_program(name) for name in os.listdir("/proc")):
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    @staticmethod
    def is_program(name):
        try:
            words = pathlib.Path(f"/proc/{name}/cmdline").read_bytes().split(b"\0")
            return words[0].endswith(b"cell.cu") and name.isdigit()
        except OSError:
            return False

    def test_have_help(self):
        for magic in ("warpcheck", "cuda_run"):
            text = self.shell.find_cell_magic(magic).__doc__
            self.assertIn("--save", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
