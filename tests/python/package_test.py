"""Tests the Python package: its grades, its errors, what it starts, and its parts for notebooks."""
import dataclasses
import inspect
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import same_grades
import warpcheck
from warpcheck import child, page, runs

TOP = pathlib.Path(__file__).resolve().parents[2]
SUBMISSIONS = TOP / "tests/submissions"
NAIVE = SUBMISSIONS / "transpose/failed/naive.cu"
# All processes that these tests start have this in their environment.
os.environ["WARPCHECK_PACKAGE_TEST"] = str(os.getpid())
THIS_PROGRAM = f"WARPCHECK_PACKAGE_TEST={os.getpid()}\0"


class Folder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def stub(self, script):
        """Puts a shell script in the place of the command."""
        path = self.folder / "warpcheck"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        before = os.environ["WARPCHECK_PROGRAM"]
        self.addCleanup(os.environ.__setitem__, "WARPCHECK_PROGRAM", before)
        os.environ["WARPCHECK_PROGRAM"] = str(path)


def other_than(value):
    """Returns another value of the same kind."""
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, (int, float)) else {list: [], dict: {}, tuple: ()}.get(type(value), "changed")


class Grades(Folder):
    def test_are_those_of_the_command(self):
        verdicts = [sorted((SUBMISSIONS / "transpose" / verdict).glob("*.cu"))[0]
                    for verdict in ("passed", "failed", "error")]
        with same_grades.RECORDER.watching():
            for path in [*verdicts, NAIVE, SUBMISSIONS / "hostile/transpose/passed/prints_commands.cu"]:
                self.assertEqual(same_grades.compare(path), ([], []), path)

    def test_of_a_program_that_prints_times_differ_in_these_only(self):
        with same_grades.RECORDER.watching():
            wrong, by_run = same_grades.compare(SUBMISSIONS / "picture/passed/asks_and_prints_everything.cu")
        self.assertEqual(wrong, [])
        self.assertRegex(by_run[0], r"^json/host_output/3: 'first pixel after: .* \(the program prints what it has ")

    def test_have_the_formats_of_the_command(self):
        helped = subprocess.run([os.environ["WARPCHECK_PROGRAM"], "check", "--help"], capture_output=True, text=True)
        self.assertEqual(sorted(re.findall(r"--([a-z-]+) TEXT +write [^e]", helped.stdout)), sorted(warpcheck.FORMATS))

    def test_are_compared_in_every_field(self):
        """Whatever is changed in a grade, the comparison with the command notices it."""
        command = same_grades.Command.grades(NAIVE)

        def graded():
            return warpcheck.Grade(command.text, command.reports)

        self.assertEqual(list(same_grades.differences(graded(), command)), [])
        for field in same_grades.fields(graded()):
            grade = graded()
            setattr(grade, field, other_than(getattr(grade, field)))
            self.assertTrue(list(same_grades.differences(grade, command)), field)
        for format in warpcheck.FORMATS:
            grade = graded()
            grade._reports[format] = "{}"
            self.assertTrue(list(same_grades.differences(grade, command)), format)
        lost = [one.id for one in graded().criteria].index("coalesced")
        for field in same_grades.fields(graded().criteria[lost]) - {"data"}:
            grade = graded()
            grade.criteria[lost] = dataclasses.replace(
                grade.criteria[lost], **{field: other_than(getattr(grade.criteria[lost], field))})
            grade.complaints = [one for criterion in grade.criteria for one in criterion.complaints]
            self.assertTrue(list(same_grades.differences(grade, command)), field)
        for field in same_grades.fields(graded().complaints[0]) - {"data"}:
            grade = graded()
            changed = dataclasses.replace(
                grade.complaints[0], **{field: other_than(getattr(grade.complaints[0], field))})
            grade.criteria[lost] = dataclasses.replace(grade.criteria[lost], complaints=(changed,))
            grade.complaints = [changed]
            self.assertTrue(list(same_grades.differences(grade, command)), field)

    def test_of_two_runs_are_compared_with_few_excuses(self):
        launches = [{"kernel": "a", "seconds": 1}, {"kernel": "b", "seconds": 2}]
        before = {"score": 60, "host_output": "1 ms", "launches": launches, "timelines": [1]}

        def compared(text="60 points", options=("--seed=1",), **changes):
            mine, theirs = (same_grades.Command(list(given), 1, said, {
                name: json.dumps(data) if name == "json" else said for name in warpcheck.FORMATS})
                for given, said, data in ((("--seed=1",), "60 points", before), (options, text, {**before, **changes})))
            return same_grades.between_runs(mine, theirs)

        self.assertEqual(compared(launches=[{**one, "seconds": 3} for one in launches]), ([], []))
        self.assertEqual(compared(host_output="2 ms")[0], [])
        before["message"] = "37.1 s on the host, waiting included (124 %)"
        self.assertEqual(compared(message="37.0 s on the host, waiting included (123 %)"), ([], []))
        self.assertTrue(compared(message="37.1 s on the GPU (124 %)")[0])
        self.assertIn("json/host_output: '1 ms', from the command '2 ms'", compared(host_output="2 ms")[1][0])
        self.assertEqual(compared(launches=launches[::-1], timelines=[2])[0], [])
        self.assertEqual(len(compared(launches=launches[::-1], timelines=[2])[1]), 2)
        for says, changes in [("json/score", {"score": 80}), ("json/launches/1/kernel", {"launches": launches[:1] * 2}),
                              ("json/launches", {"launches": launches[:1]}), ("json/timelines", {"timelines": [2]}),
                              ("options", {"options": ["--seed=2"]}), ("report html", {"text": "80 points"}),
                              ("json/score", {"score": 80, "host_output": "2 ms"})]:
            self.assertTrue([one for one in compared(**changes)[0] if one.startswith(says)], (says, changes))

    def test_of_a_lost_criterion(self):
        grade = warpcheck.check("transpose", NAIVE, device="emulator", seed=1)
        self.assertEqual((grade.score, grade.max_score, grade.fraction), (60, 100, 0.6))
        self.assertFalse(grade.full)
        lost = grade["coalesced"]
        self.assertEqual((lost.points, lost.earned, lost.verdict), (0, False, "failed"))
        self.assertTrue(grade["right"].earned)
        complaint = lost.complaints[0]
        self.assertIn(complaint, grade.complaints)
        self.assertGreater(complaint.line, 0)
        self.assertEqual(len(complaint.cases), 3)
        self.assertTrue(str(complaint).startswith(f"naive.cu:{complaint.line}: global"))
        self.assertIn("hint: neighbouring threads", str(complaint))
        self.assertEqual(repr(grade), f"<warpcheck.Grade transpose {NAIVE}: 60 / 100>")
        with self.assertRaisesRegex(KeyError, "right, in_bounds"):
            grade["no_such"]

    def test_write_the_values_that_are_wrong(self):
        path = SUBMISSIONS / "transpose/failed/only_multiples_of_32.cu"
        dump = self.folder / "values"
        grade = warpcheck.check("transpose", path, device="emulator", seed=1, dump=dump)
        self.assertIn(f"Arrays in {dump}:", grade.text)
        self.assertTrue(list(dump.rglob("*.npy")))
        with self.assertRaisesRegex(warpcheck.WrongUsage, "no_such"):
            warpcheck.check("transpose", path, device="emulator", dump=dump, cases=["no_such"])

    def test_have_every_report(self):
        grade = warpcheck.check("transpose", NAIVE, device="emulator", seed=1)
        suite = ElementTree.fromstring(grade.junit())
        self.assertTrue(list(suite.iter("failure")))
        self.assertEqual(json.loads(grade.report("gradescope"))["score"], 60)
        self.assertEqual(json.loads(grade.report("sarif"))["version"], "2.1.0")
        bundle = grade._repr_mimebundle_()
        self.assertEqual(set(bundle), {"text/plain", "text/html", "application/vnd.warpcheck.grade+json"})
        self.assertEqual(bundle["text/plain"], str(grade))
        self.assertEqual(bundle["application/vnd.warpcheck.grade+json"], json.loads(grade.report("json")))
        with self.assertRaisesRegex(KeyError, "junit"):
            grade.report("pdf")

    def test_of_a_program_that_does_not_compile(self):
        grade = warpcheck.check_source("transpose", '#include "transpose.h"\nint x = y;\n', device="emulator")
        self.assertEqual(grade.score, 0)
        self.assertEqual((grade.compile_error.file, grade.compile_error.line), ("cell.cu", 2))
        self.assertIn('"y" is undefined', grade.compile_error.message)
        self.assertIsNone(warpcheck.check("transpose", NAIVE, device="emulator").compile_error)

    def test_of_a_text_name_no_folder(self):
        grade = warpcheck.check_source("transpose", NAIVE.read_text(), name="mine.cu", device="emulator", seed=1)
        self.assertEqual(grade.submission, "mine.cu")
        for format in warpcheck.FORMATS:
            self.assertNotIn(tempfile.gettempdir() + "/", grade.report(format), format)
        of_file = warpcheck.check("transpose", NAIVE, device="emulator", seed=1)
        self.assertEqual(grade.score, of_file.score)
        self.assertEqual([one.line for one in grade.complaints], [one.line for one in of_file.complaints])

    def test_show_their_progress(self):
        lines = []
        warpcheck.check("transpose", NAIVE, device="emulator", progress=lines.append)
        self.assertEqual(lines[0], "building ...")
        self.assertTrue(any(" done" in line for line in lines[1:]), lines)
        self.assertFalse([line for line in lines if "\x1b" in line or "\r" in line])

    def test_that_are_not_final_are_no_exception(self):
        report = json.dumps({"assignment": "a", "submission": "s", "score": 0, "max_score": 100, "verdict": "failed",
                             "score_is_final": False, "seed": 1, "exactness": "", "compile_error": None,
                             "criteria": []})
        self.stub('for a; do case $a in --json=*) file=${a#--json=};; --*=*) : > "${a#*=}";; esac; done\n'
                  f"echo '{report}' > \"$file\"; exit 3")
        grade = warpcheck.check("transpose", NAIVE)
        self.assertFalse(grade.is_final or grade.full)


PROGRAM = """#include <cstdio>
#include <cstdlib>
__global__ void tiled(const float* in, float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
int main(int argc, char** argv) {
  float *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  cudaMemset(in, 0, 4096);
  tiled<<<1, dim3(32, 32)>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("got %s\\n", argc > 1 ? argv[1] : "nothing");
  std::fprintf(stderr, "to stderr\\n");
  cudaFree(in);
  return argc > 2 ? std::atoi(argv[2]) : 0;
}
"""


class Runs(Folder):
    def setUp(self):
        super().setUp()
        self.program = self.folder / "tiled.cu"
        self.program.write_text(PROGRAM)

    def test_are_those_of_the_command(self):
        result = warpcheck.run(self.program, "--flag", "7", seed=1, timeline=True)
        report = self.folder / "report.json"
        ran = subprocess.run([os.environ["WARPCHECK_PROGRAM"], "run", "--seed=1", "--timeline", f"--counters={report}",
                              str(self.program), "--flag", "7"], capture_output=True, text=True)
        self.assertEqual((result.exit_status, ran.returncode), (7, 7))
        self.assertEqual((result.stdout, ran.stdout), ("got --flag\n", "got --flag\n"))
        self.assertEqual(ran.stderr, f"{result.stderr}\n{result.text}")
        theirs = json.loads(report.read_text())
        for data in (theirs, result.data):
            for process in data["processes"]:
                del process["process"]
        self.assertEqual(result.data, theirs)
        kernel = result.kernels[0]
        self.assertEqual((kernel.name, kernel.launches, kernel.grid, kernel.block, kernel.shared_bytes),
                         ("tiled(float const*, float*)", 1, (1, 1, 1), (32, 32, 1), 4096))
        self.assertEqual(kernel.counters["shared_wavefronts"], 32 + 32 * 32)
        self.assertEqual({line.line: line.counters["shared_wavefronts"] for line in kernel.lines if line.line == 7},
                         {7: 32 * 32})
        self.assertEqual([(one.kind, one.line) for one in result.findings], [("leak", 12)])
        self.assertEqual(len(result.timelines), 1)
        self.assertIn("exit status 7, 1 kernels, 1 findings", repr(result))

    def test_have_the_sarif_of_the_command(self):
        file = self.folder / "findings.sarif"
        subprocess.run([os.environ["WARPCHECK_PROGRAM"], "run", f"--sarif={file}", str(self.program)],
                       capture_output=True)
        self.assertEqual(json.loads(warpcheck.run(self.program).sarif()), json.loads(file.read_text()))
        found = json.loads(warpcheck.run_source(PROGRAM).sarif())["runs"][0]["results"]
        self.assertEqual([one["ruleId"] for one in found], ["leak"])
        place = found[0]["locations"][0]["physicalLocation"]
        self.assertEqual((place["artifactLocation"]["uri"], place["region"]["startLine"]), ("cell.cu", 12))

    def test_show_their_output_once(self):
        quiet = warpcheck.run(self.program)
        self.assertTrue(quiet._repr_mimebundle_()["text/plain"].startswith("got nothing\nto stderr\n"))
        self.assertIn("<pre>got nothing\nto stderr\n</pre>", quiet._repr_mimebundle_()["text/html"])
        seen = []
        shown = warpcheck.run(self.program, on_stdout=seen.append)
        self.assertEqual("".join(seen), "got nothing\n")
        self.assertEqual(shown._repr_mimebundle_()["text/plain"], str(shown))
        self.assertEqual(set(shown._repr_mimebundle_()),
                         {"text/plain", "text/html", "application/vnd.warpcheck.run+json"})

    def test_trace_a_line(self):
        result = warpcheck.trace(self.program, "tiled", 7)
        shared = [one for one in result.accesses if one.memory == "shared"]
        self.assertEqual([(one.kind, one.cost, one.ideal, one.line) for one in shared], [("load", 32, 1, 7)])
        self.assertIn('<svg class="access"', result.html())
        for kernel, line, says in [("tiled", 6, "made no access"), ("other", 7, "launched tiled"),
                                   ("", 7, "not of the form")]:
            with self.assertRaisesRegex(warpcheck.WrongUsage, says):
                warpcheck.trace(self.program, kernel, line)

    def test_of_a_text_name_no_folder(self):
        for folder in (self.folder, pathlib.Path(tempfile.gettempdir())):
            self.addCleanup(os.chdir, os.getcwd())
            os.chdir(folder)
            (self.folder / "mine.h").write_text("// here\n")
            include = f'#include "{os.path.relpath(self.folder)}/mine.h"\n'
            result = warpcheck.run_source(include + PROGRAM, "x")
            for text in (result.text, result.html(), json.dumps(result.data), result.stderr):
                self.assertNotIn(pathlib.Path(runs._folder_of_texts().name).name, text)
            self.assertEqual({one.file for one in result.findings}, {"cell.cu"})
            self.assertIn("  cell.cu:8  ", result.text)

    def test_fail_by_exceptions(self):
        for error, says, call in [
                (warpcheck.NotFound, "there is no program", lambda: warpcheck.run("/nowhere")),
                (warpcheck.WrongUsage, "is not executable", lambda: warpcheck.run(TOP / "README.md")),
                (warpcheck.WrongUsage, "--memory", lambda: warpcheck.run(self.program, memory=0)),
                (warpcheck.WrongUsage, "", lambda: warpcheck.run("--help"))]:
            with self.assertRaisesRegex(error, says):
                call()
        with self.assertRaises(warpcheck.BuildFailed) as caught:
            warpcheck.run_source("int x = y;\n")
        self.assertIn('cell.cu(1): error: identifier "y" is undefined', caught.exception.log)
        self.assertIn(caught.exception.log.rstrip(), str(caught.exception))
        self.assertTrue(str(caught.exception).startswith("cell.cu could not be built"))
        crashed = warpcheck.run_source("#include <cstdlib>\nint main() { std::abort(); }\n")
        self.assertEqual(crashed.exit_status, -signal.SIGABRT)


class Labs(Folder):
    def test_are_those_of_the_command(self):
        result = warpcheck.lab("banks", device="emulator", sets={"stride": [1, 32]})
        report = self.folder / "lab.json"
        ran = subprocess.run([os.environ["WARPCHECK_PROGRAM"], "lab", "banks", "--device", "emulator", "--set",
                              "stride=1,32", "--json", str(report)], capture_output=True, text=True)
        self.assertEqual(result.text, ran.stdout)
        self.assertEqual(result.data, json.loads(report.read_text()))
        self.assertEqual(len(result.csv().splitlines()), 1 + len(result.rows))
        self.assertEqual((result.name, result.title, result.fault),
                         ("banks", "Bank conflicts by type and stride", None))
        self.assertEqual({row["stride"] for row in result.rows}, {1, 32})
        self.assertEqual(len(result.figures), len(result.data["figures"]))
        self.assertTrue(all(figure.startswith("<svg") for figure in result.figures))
        bundle = result._repr_mimebundle_()
        self.assertIn("data:image/svg+xml", bundle["text/html"])
        self.assertEqual(bundle["text/plain"], result.text)

    def test_fail_by_exceptions(self):
        for error, says, arguments, options in [
                (warpcheck.NotFound, "the labs are: ", ("none",), {}),
                (warpcheck.WrongUsage, "its axes are: stride", ("banks",), {"sets": {"n": [1]}}),
                (warpcheck.WrongUsage, "abacus", ("banks",), {"device": "abacus"})]:
            with self.assertRaisesRegex(error, says):
                warpcheck.lab(*arguments, **options)


class Classes(Folder):
    def setUp(self):
        super().setUp()
        for student, name in (("ann", "passed/padded_tile.cu"), ("bob", "failed/naive.cu")):
            (self.folder / "in" / student).mkdir(parents=True)
            (self.folder / "in" / student / "transpose.cu").write_bytes(
                (SUBMISSIONS / "transpose" / name).read_bytes())
        self.out = self.folder / "out"

    def test_are_graded_and_continued(self):
        lines = []
        batch = warpcheck.batch("transpose", self.folder / "in", self.out, only="a*", jobs=1, seed=1,
                                progress=lines.append)
        self.assertFalse(batch.complete)
        self.assertTrue(lines)
        batch = warpcheck.batch("transpose", self.folder / "in", self.out, resume=True)
        self.assertTrue(batch.complete, batch.remarks)
        self.assertEqual([(row["id"], row["score"]) for row in batch.rows], [("ann", "100"), ("bob", "60")])
        self.assertIn("graded 2 of 2 submissions", str(batch))
        self.assertEqual(repr(batch), f"<warpcheck.Batch {self.out}: 2 students>")
        self.assertIn("</html>", batch.html())
        alone = warpcheck.check("transpose", SUBMISSIONS / "transpose/failed/naive.cu", device="emulator", seed=1)
        self.assertEqual(batch.grade("bob")["criteria"][2]["complaints"][0]["message"], alone.complaints[0].message)
        with self.assertRaisesRegex(warpcheck.NotFound, "eve has no grade"):
            batch.grade("eve")

    def test_fail_by_exceptions(self):
        for error, says, arguments, options in [
                (warpcheck.NotFound, "no such file or folder", ("transpose", self.folder / "none", self.out), {}),
                (warpcheck.NotFound, "did you mean transpose", ("transposed", self.folder / "in", self.out), {}),
                (warpcheck.WrongUsage, "rules.toml", ("transpose", self.folder / "in", self.out),
                 {"rules": "rules.toml"}),
                (warpcheck.WrongUsage, "4096", ("transpose", self.folder / "in", self.out), {"jobs": 0})]:
            with self.assertRaisesRegex(error, says):
                warpcheck.batch(*arguments, **options)
        self.stub("echo 'warpcheck: error: the batch was stopped' >&2; exit 3")
        with self.assertRaisesRegex(warpcheck.GradingFailed, "the batch was stopped"):
            warpcheck.batch("transpose", self.folder / "in", self.out)


class Options(unittest.TestCase):
    # The options of the commands that have another name in Python.
    RENAMED = {"case": "cases", "no-sandbox": "sandbox", "no-experiments": "experiments", "class": "rules",
               "set": "sets"}
    # The results of these options are methods and attributes of the object that a function returns.
    RESULTS = {"check": set(warpcheck.FORMATS), "run": {"counters", "report", "html", "sarif"},
               "lab": {"json", "html", "csv", "svg"}, "batch": set()}
    # These serve only people at a terminal; a loop over labs() does the same as --all.
    AT_A_TERMINAL = {"check": {"watch", "fail-under"}, "lab": {"all"}}

    def test_of_the_commands_are_those_of_the_functions(self):
        for command, results in self.RESULTS.items():
            helped = subprocess.run([os.environ["WARPCHECK_PROGRAM"], command, "--help"], capture_output=True,
                                    text=True).stdout
            options = set(re.findall(r"^ +(?:-\w,)?--([a-z-]+)", helped, re.MULTILINE)) - {"help"}
            self.assertLessEqual(results, options, command)
            for option in options - results - self.AT_A_TERMINAL.get(command, set()):
                name = self.RENAMED.get(option, option).replace("-", "_")
                self.assertIn(name, inspect.signature(getattr(warpcheck, command)).parameters, command)


class Errors(Folder):
    def test_of_usage(self):
        for error, says, arguments, options in [
                (warpcheck.NotFound, "no such file or folder: nowhere.cu", ("transpose", "nowhere.cu"), {}),
                (warpcheck.NotFound, "did you mean transpose", ("transposed", NAIVE), {}),
                (warpcheck.WrongUsage, "abacus", ("transpose", NAIVE), {"device": "abacus"}),
                (warpcheck.WrongUsage, "choose one of", ("transpose", NAIVE), {"target": 13}),
                (warpcheck.WrongUsage, "not a whole number", ("transpose", NAIVE), {"seed": -1}),
                (warpcheck.WrongUsage, "", ("--help", NAIVE), {})]:
            with self.assertRaisesRegex(error, says) as caught:
                warpcheck.check(*arguments, **options)
            self.assertIsInstance(caught.exception, warpcheck.WarpcheckError)
            self.assertNotIn("warpcheck: error", str(caught.exception))

    def test_of_the_machine(self):
        for script, error, says in [("echo 'warpcheck: error: no processor' >&2; exit 3", warpcheck.GradingFailed,
                                     "^no processor$"),
                                    ("kill -TERM $$", warpcheck.Interrupted, "signal"),
                                    ("exit 130", warpcheck.Interrupted, "signal"),
                                    ("exit 0", warpcheck.GradingFailed, "status 0")]:
            self.stub(script)
            with self.assertRaisesRegex(error, says):
                warpcheck.check("transpose", NAIVE)
        for kind, error in (("not_found", warpcheck.NotFound), ("other", warpcheck.WrongUsage)):
            self.stub(f"""echo '{{"kind": "{kind}", "message": "", "hint": "", "printed": "in other words"}}' \\
                      > "$WARPCHECK_ERROR_FILE"; exit 2""")
            with self.assertRaisesRegex(error, "^in other words$") as caught:
                warpcheck.check("transpose", NAIVE)
            self.assertIs(type(caught.exception), error)
        self.stub("printf '\\r\\033[Kbuilding ...\\r\\033[Kwarpcheck: error: no processor\\n' >&2; exit 3")
        lines = []
        with self.assertRaisesRegex(warpcheck.GradingFailed, "^no processor$"):
            warpcheck.check("transpose", NAIVE, progress=lines.append)
        self.assertEqual(lines, ["building ..."])
        os.environ["WARPCHECK_PROGRAM"] = str(self.folder / "nothing")
        with self.assertRaisesRegex(warpcheck.NotInstalled, "nothing cannot be started"):
            warpcheck.check("transpose", NAIVE)

    def test_say_what_lacks(self):
        script = textwrap.dedent(f"""
            import sys
            sys.modules["pandas"] = sys.modules["IPython"] = None
            import warpcheck
            grade = warpcheck.check("transpose", {str(NAIVE)!r}, device="emulator")
            try:
                grade.frame()
            except warpcheck.NotInstalled as error:
                print(error)
            """)
        ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        self.assertEqual(ran.stdout, "a frame needs pandas: pip install pandas\n", ran.stderr)

    def test_are_shown_without_a_traceback(self):
        self.assertEqual(warpcheck.NotFound("no file")._render_traceback_(), ["NotFound: no file"])


class Lists(Folder):
    def rubric(self, name, text):
        folder = self.folder / "assignments" / name
        folder.mkdir(parents=True)
        (folder / "rubric.toml").write_text(text)

    def test_name_broken_entries_with_their_errors_beside_the_others(self):
        criterion = '[[criterion]]\nname = "Right"\npoints = 12.5\ntests = "*"\n'
        self.rubric("odd", f'title = "It (3 points), in /x"\n{criterion}')
        self.rubric("broken", "title = ")
        for name, text in (("torn", 'title = "A"\ntitle = "B"\n'),
                           ("whole", (TOP / "labs/banks/lab.toml").read_text())):
            (self.folder / "labs" / name).mkdir(parents=True)
            (self.folder / "labs" / name / "lab.toml").write_text(text)
        found = {one.name: one for one in warpcheck.assignments(self.folder)}
        self.assertEqual(found["odd"], warpcheck.Assignment("odd", "It (3 points), in /x", 12.5, str(self.folder)))
        self.assertRegex(found["broken"].error, r"assignments/broken/rubric.toml:1:")
        self.assertEqual((found["broken"].title, found["broken"].points), ("", 0))
        self.assertIsNone(found["transpose"].error)
        labs = {one.name: one for one in warpcheck.labs(self.folder)}
        self.assertRegex(labs["torn"].error, r"labs/torn/lab.toml:2:")
        self.assertEqual((labs["whole"].error, labs["whole"].folder), (None, str(self.folder / "labs/whole")))
        self.assertIn("banks", labs)

    def test_of_a_course_that_is_not_there(self):
        for listing in (warpcheck.assignments, warpcheck.labs):
            with self.assertRaisesRegex(warpcheck.NotFound, "there is no course /nowhere"):
                listing("/nowhere")

    def test_of_assignments_and_labs(self):
        names = {path.parent.name for path in TOP.glob("assignments/*/rubric.toml")}
        found = warpcheck.assignments()
        self.assertEqual({one.name for one in found}, names)
        self.assertIn(("transpose", "Matrix transpose", 100), [(one.name, one.title, one.points) for one in found])
        self.assertEqual({one.name for one in warpcheck.labs()},
                         {path.parent.name for path in TOP.glob("labs/*/lab.toml")})
        self.assertRegex(warpcheck.version(), r"^\d+\.\d+\.\d+$")


class Children(Folder):
    def test_end_with_the_call_that_is_interrupted(self):
        """The child ignores the signal; a grandchild has a session of its own."""
        self.stub(f"trap '' INT; setsid sleep 1000 & echo $! > {self.folder}/pid; wait; sleep 1000")
        script = (f"import warpcheck\nwarpcheck.child.GRACE_SECONDS = 0.3\n"
                  f"warpcheck.check('transpose', {str(NAIVE)!r})\n")
        python = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True)
        pid = self.folder / "pid"
        self.wait_for(lambda: pid.exists() and pid.read_text().strip())
        python.send_signal(signal.SIGINT)
        self.assertIn("KeyboardInterrupt", python.communicate(timeout=20)[1])
        self.wait_for(lambda: not self.command_of(pid.read_text().strip()))

    def test_end_if_the_interrupt_comes_while_they_start(self):
        self.stub(f"echo $$ > {self.folder}/pid; exec sleep 1000")
        script = textwrap.dedent(f"""
            import os, signal, subprocess, warpcheck
            start = subprocess.Popen
            def begin(*arguments, **options):
                child = start(*arguments, **options)
                os.kill(os.getpid(), signal.SIGINT)
                return child
            subprocess.Popen = begin
            try:
                warpcheck.check("transpose", {str(NAIVE)!r})
            except KeyboardInterrupt:
                print("interrupted", flush=True)
            """)
        ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=20)
        self.assertEqual(ran.stdout, "interrupted\n", ran.stderr)
        pid = self.folder / "pid"
        process = pid.read_text().strip() if pid.exists() else ""  # it may end before it writes
        if process:
            self.assertFalse(self.command_of(process))

    @staticmethod
    def command_of(process):
        """Returns nothing for a process that has ended, also while nobody has asked how."""
        try:
            return pathlib.Path(f"/proc/{process}/cmdline").read_bytes()
        except OSError:
            return b""

    def test_of_a_real_grading_end_too(self):
        started = []

        def interrupt(line):
            if " done" in line:
                started.extend(self.left())
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            warpcheck.check("transpose", NAIVE, device="emulator", progress=interrupt)
        self.assertTrue(started)
        self.wait_for(lambda: not set(started) & set(self.left()))

    @staticmethod
    def left():
        """Returns the processes of this program's calls that have not ended."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                environment = pathlib.Path(f"/proc/{name}/environ").read_bytes()
                if f"{child.MARK}=".encode() in environment and THIS_PROGRAM.encode() in environment:
                    found.append(name)
            except OSError:
                pass  # it has ended, or belongs to somebody else
        return found

    def wait_for(self, condition):
        deadline = time.monotonic() + 20
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def test_may_leave_others_that_hold_the_output(self):
        begin = time.monotonic()
        ended = child.call(["sh", "-c", "sleep 20 & echo $!"])
        self.assertLess(time.monotonic() - begin, 10)
        os.kill(int(ended.stdout), signal.SIGKILL)

    def test_may_write_much_and_anything(self):
        ended = child.call([sys.executable, "-c", "import os\n"
                            "for fd in 1, 2: os.write(fd, b'\\xff' + '\\u20ac'.encode() * 300000)"])
        self.assertEqual(ended.stdout, "\ufffd" + "\u20ac" * 300000)
        self.assertEqual(ended.stderr, ended.stdout)


class Elements(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.targets, self.addresses = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            elif name == "href" and value.startswith("#"):
                self.targets.append(value[1:])
            elif name in ("src", "href"):
                self.addresses.append(value)


class Parts(unittest.TestCase):
    def setUp(self):
        # The golden pages are written without a head.
        sheet = (TOP / "harness/report/html/pages/style.css").read_text()
        self.pages = {}
        for name in ("naive", "wrong", "compile_error", "full"):
            text = (TOP / f"tests/report/data/{name}.html").read_text()
            self.pages[name] = f"<!DOCTYPE html><html><head><style>{sheet}</style></head>{text}"

    def test_have_no_script_and_load_nothing(self):
        for name, text in self.pages.items():
            found = Elements(page.part_of(text))
            self.assertFalse({"script", "link", "meta", "html", "body", "iframe"} & set(found.tags), name)
            self.assertTrue(all(one.startswith("data:") for one in found.addresses), found.addresses)

    def test_keep_the_text_and_lead_to_their_own_anchors(self):
        for name, text in self.pages.items():
            found, part = Elements(page.part_of(text)), page.part_of(text)
            self.assertLessEqual(set(found.targets), set(found.ids), name)
            self.assertEqual(len(found.ids), len(set(found.ids)))
            self.assertTrue(all(one.startswith(found.ids[0]) for one in found.ids))
            body = text[text.index("<h1"):text.index("</main>")]
            def bare(html, prefix):
                return html.replace(prefix, "").replace("\n", "")
            self.assertIn(bare(body, "\0"), bare(part, found.ids[0] + "-"))
        self.assertNotEqual(Elements(page.part_of(self.pages["naive"])).ids[0],
                            Elements(page.part_of(self.pages["wrong"])).ids[0])

    def test_leave_text_that_looks_like_an_anchor(self):
        made = page.part_of('<html><head><style>p { color: red }</style></head><body><a href="#x">y</a>'
                            '<pre id="x">puts(" id=\'1\' href=\'#2\' &lt;b id=&quot;3&quot;");</pre></body></html>')
        self.assertIn("puts(\" id='1' href='#2' &lt;b id=&quot;3&quot;\");", made)
        self.assertRegex(made, r'<a href="#(warpcheck-\w+-x)">y</a><pre id="\1">')

    def test_style_only_themselves(self):
        part = page.part_of(self.pages["naive"])
        scope = "#" + Elements(part).ids[0]
        sheet = part[part.index("<style>") + 7:part.index("</style>")]
        rules = page._rules(sheet)
        self.assertGreater(len(rules), 60)
        for before, body in rules:
            for selectors, _ in page._rules(body) if before.startswith("@media") else [(before, body)]:
                for selector in page._split_selectors(selectors):
                    self.assertIn(scope, selector)

    def test_take_the_colours_of_the_notebook(self):
        part = page.part_of(self.pages["naive"])
        light = part[part.index('body[data-jp-theme-light="true"]'):]
        dark = part[part.index('body[data-jp-theme-light="false"]'):]
        self.assertIn("color-scheme: light; --paper: #fff;", light[:light.index("}")])
        self.assertIn("color-scheme: dark; --paper: #14171b;", dark[:dark.index("}")])
        for variable in ("--ink", "--keyword", "--good-cell"):
            self.assertIn(variable, light[:light.index("}")])
            self.assertIn(variable, dark[:dark.index("}")])


if __name__ == "__main__":
    unittest.main()
