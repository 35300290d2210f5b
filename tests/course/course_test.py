"""Runs the files that courses copy from ci/course and student_template, as the services run them."""
import base64
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

import yaml

PROGRAM = pathlib.Path(sys.argv.pop())
TOP = pathlib.Path(__file__).resolve().parents[2]
COURSE = TOP / "ci" / "course"
SUBMISSIONS = TOP / "tests" / "submissions" / "transpose"
GOOD = TOP / "reference" / "transpose.cu"
NAIVE = SUBMISSIONS / "failed" / "naive.cu"

# Prints lines that GitHub would obey as commands if they stood at the start of a line.
PRINTS = NAIVE.read_text().replace("void transpose(", """#include <cstdio>
void transpose_quietly(const float* in, float* out, int rows, int cols);
void transpose(const float* in, float* out, int rows, int cols) {
  std::puts("\\n::error::forged\\n##[error]forged\\n::add-mask::a");
  std::fflush(stdout);
  transpose_quietly(in, out, rows, cols);
}
void transpose_quietly(""", 1)


class Course(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def run_it(self, *command, **variables):
        environment = {**os.environ, "WARPCHECK_PROGRAM": str(PROGRAM), **variables}
        for name in ("GITHUB_ACTIONS", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "MAKEFLAGS", "MAKELEVEL"):
            if name not in variables:
                environment.pop(name, None)
        return subprocess.run([str(part) for part in command], cwd=self.folder, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def submission(self, source, name="transpose.cu"):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        return path


class Grade(Course):
    def grade(self, *arguments, **variables):
        return self.run_it(COURSE / "grade.sh", *arguments, **variables)

    def test_writes_every_report_and_ends_as_the_score_says(self):
        self.submission(GOOD.read_text())
        self.assertEqual(self.grade("transpose", "transpose.cu").returncode, 0)
        self.assertEqual(sorted(path.name for path in (self.folder / "results").iterdir()),
                         ["annotations.txt", "classroom.json", "code-quality.json",
                          "diagnostics.txt", "gradescope.json", "junit.xml", "report.html", "report.json",
                          "summary.md"])
        self.submission(NAIVE.read_text())
        self.assertEqual(self.grade("transpose", "transpose.cu").returncode, 1)
        self.assertEqual(
            self.grade("transpose", "transpose.cu", FAIL_UNDER="60").returncode, 0)

    def test_gives_github_annotations_and_nothing_that_the_submission_prints(self):
        self.submission(PRINTS)
        output, summary = self.folder / "output", self.folder / "summary"
        ran = self.grade("transpose", "transpose.cu", GITHUB_ACTIONS="true",
                         GITHUB_OUTPUT=str(output), GITHUB_STEP_SUMMARY=str(summary))
        self.assertIn("60 / 100", summary.read_text())
        self.assertEqual(ran.returncode, 1, ran.stderr)
        lines = ran.stdout.splitlines()
        stop = re.fullmatch("::stop-commands::([0-9a-f]{32})", lines[0])
        self.assertTrue(stop)
        # The text is shown in a place where no command is obeyed.
        self.assertIn("forged", ran.stdout)
        obeyed = lines[lines.index(f"::{stop.group(1)}::") + 1:]
        self.assertNotIn("forged", "\n".join(obeyed))
        self.assertTrue(obeyed[0].startswith("::error file=transpose.cu,line="), obeyed)
        self.assertEqual(obeyed[-1], "::notice title=Matrix transpose::Score 60 / 100")
        name, _, value = output.read_text().strip().partition("=")
        self.assertEqual(name, "classroom")
        classroom = json.loads(base64.b64decode(value))
        self.assertEqual(sum(test["score"] for test in classroom["tests"]), 60)
        self.assertEqual(classroom["max_score"], 100)

    def test_gives_no_grade_where_grading_does_not_work(self):
        self.submission(GOOD.read_text())
        output = self.folder / "output"
        for arguments, variables, status in [
                (("transpose", "none.cu"), {}, 2),
                (("none", "transpose.cu"), {}, 2),
                (("transpose",), {}, 2),
                (("transpose", "transpose.cu"), {"WARPCHECK_PROGRAM": "/none"}, 3)]:
            # The file was handed in with the submission.
            forged = self.folder / "results" / "junit.xml"
            forged.parent.mkdir(exist_ok=True)
            forged.write_text("<testsuites/>")
            ran = self.grade(*arguments, GITHUB_OUTPUT=str(output), **variables)
            self.assertEqual(ran.returncode, status, ran.stderr)
            self.assertEqual(forged.exists(), len(arguments) < 2, "a CI service would publish it")
            self.assertNotEqual(ran.stderr, "")
            self.assertFalse(output.exists())


class Gradescope(Course):
    def setUp(self):
        super().setUp()
        source = self.folder / "source"
        source.mkdir()
        (source / "assignment").write_text("transpose\n")

    def grade(self, **variables):
        ran = self.run_it(COURSE / "gradescope" / "run_autograder", AUTOGRADER=str(self.folder),
                          WARPCHECK_GRADE=str(COURSE / "grade.sh"), **variables)
        results = self.folder / "results" / "results.json"
        return ran, json.loads(results.read_text()) if results.exists() else None

    def test_reports_the_score_of_a_file_of_any_name(self):
        self.submission(NAIVE.read_text(), "submission/my work.cu")
        ran, results = self.grade()
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(results["score"], 60)
        self.assertEqual([test["score"] for test in results["tests"]], [40, 20, 0, 0])
        self.assertEqual({test["status"] for test in results["tests"]}, {"passed", "failed"})

    def test_grades_several_files_as_one_program(self):
        kernel, _, host = GOOD.read_text().partition("void transpose(")
        self.submission(kernel + "void transpose(" + host, "submission/transpose.cu")
        self.submission("int unused() { return 1; }\n", "submission/helper.cu")
        self.assertEqual(self.grade()[1]["score"], 100)

    def test_leaves_no_results_where_grading_does_not_work(self):
        self.submission(GOOD.read_text(), "submission/transpose.cu")
        ran, results = self.grade(WARPCHECK_PROGRAM="/none")
        self.assertEqual(ran.returncode, 3)
        self.assertIsNone(results)

    def test_tells_who_hands_in_no_kernel_that_it_is_missing(self):
        self.submission("Dear grader,", "submission/letter.txt")
        ran, results = self.grade()
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(results["score"], 0)
        self.assertIn("transpose.cu", results["output"])

    def test_packs_what_has_to_be_uploaded(self):
        def wheel_of(version):
            path = self.folder / f"warpcheck-{version}-py3-none-any.whl"
            with zipfile.ZipFile(path, "w") as files:
                files.writestr("warpcheck/installed/lib/warpcheck/transpose_checks", "")
            return path

        version = self.run_it(PROGRAM, "--version").stdout.split()[-1]
        wheel, newer = wheel_of(version), wheel_of(version + "1")
        self.assertEqual(self.run_it(PROGRAM, "handout", "reduce", "handout").returncode, 0)
        bundle = self.folder / "handout/reduce.warp"
        (self.folder / "damaged.warp").write_bytes(bundle.read_bytes()[:1000])
        pack = COURSE / "gradescope" / "pack.sh"
        ran = self.run_it(pack, "transpose", "a.zip", WARPCHECK_WHEEL=str(wheel))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        shutil.unpack_archive(self.folder / "a.zip", self.folder / "unpacked")
        names = {path.name for path in (self.folder / "unpacked").iterdir()}
        self.assertEqual(names, {"setup.sh", "run_autograder", "assignment", wheel.name})
        ran = self.run_it(pack, bundle, "b.zip", WARPCHECK_WHEEL=str(wheel))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        with zipfile.ZipFile(self.folder / "b.zip") as files:
            self.assertEqual(files.read("assignment"), b"reduce\n")
            mode = files.getinfo("run_autograder").external_attr >> 16
            self.assertTrue(mode & 0o100, oct(mode))
            self.assertEqual(files.read("reduce.warp"), bundle.read_bytes())
        for assignment, path, reason in [
                ("reduce", wheel, "has no reduce"), ("transpose", "/none.whl", "has to name"),
                ("none.warp", wheel, "none.warp"), ("damaged.warp", wheel, "damaged.warp"),
                (bundle, newer, "was made by warpcheck " + version)]:
            ran = self.run_it(pack, assignment, "c.zip", WARPCHECK_WHEEL=str(path))
            self.assertEqual(ran.returncode, 3, ran.stderr)
            self.assertTrue(ran.stderr.startswith("warpcheck-gradescope: "), ran.stderr)
            self.assertIn(reason, ran.stderr)
            self.assertFalse((self.folder / "c.zip").exists())


class Handout(Course):
    def hand_out(self, name, folder, *service):
        return self.run_it(PROGRAM, "handout", name, folder, *service)

    def test_holds_what_a_student_needs(self):
        for folder in sorted((TOP / "assignments").iterdir()):
            if not (folder / "rubric.toml").exists():
                continue
            name = folder.name
            self.assertEqual(self.hand_out(name, name).returncode, 0)
            handed = {path.name for path in (self.folder / name).iterdir()}
            self.assertLessEqual({f"{name}.cu", f"{name}.h", f"{name}.warp", "Makefile", "README.md",
                                  "HANDOUT.md", ".vscode", ".gitignore"}, handed)
            self.assertIn(f"ASSIGNMENT ?= {name}\n", (self.folder / name / "Makefile").read_text())
            for picture in re.findall(r"\]\(([^):]+\.svg)\)",
                                      (self.folder / name / "HANDOUT.md").read_text()):
                self.assertIn(picture, handed)

    def test_sets_the_assignment_of_each_service(self):
        for service, file in [("github", ".github/workflows/warpcheck.yml"),
                              ("classroom", ".github/workflows/classroom.yml"),
                              ("gitlab", ".gitlab-ci.yml"), ("jenkins", "Jenkinsfile")]:
            self.assertEqual(self.hand_out("reduce", service, "--service", service).returncode, 0)
            text = (self.folder / service / file).read_text()
            self.assertNotIn("transpose", text)
            digest = hashlib.sha256((self.folder / service / "reduce.warp").read_bytes()).hexdigest()
            for setting, value in [("ASSIGNMENT", "reduce"), ("WARPCHECK_COURSE", "reduce.warp"),
                                   ("WARPCHECK_TRUST", digest)]:
                self.assertRegex(text, rf"{setting} *[:=] *'{value}'")
            if file.endswith(".yml"):
                steps = yaml.safe_load(text)
                job = steps.get("jobs", steps)["grade"]
                self.assertEqual(job.get("env", steps.get("variables"))["WARPCHECK_TRUST"], digest)

    def test_refuses_what_it_does_not_know_and_keeps_what_is_there(self):
        (self.folder / "full").mkdir()
        (self.folder / "full" / "file").touch()
        for arguments in [("none", "x"), ("reduce", "x", "--service", "none"), ("reduce", "full"),
                          ("x.warp", "x")]:
            ran = self.hand_out(*arguments)
            self.assertEqual(ran.returncode, 2)
            self.assertNotEqual(ran.stderr, "")
        self.assertFalse((self.folder / "x").exists())

    def test_checks_and_lists_problems(self):
        self.hand_out("transpose", "work")
        shutil.copy(NAIVE, self.folder / "work" / "transpose.cu")
        make = ("make", "-C", "work", "--no-print-directory", f"WARPCHECK={PROGRAM}",
                "DEVICE=emulator")
        ran = self.run_it(*make, "check")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("Score 60 / 100", ran.stdout)
        self.assertIn("results/report.html", ran.stdout)
        self.assertIn("Fix this first", (self.folder / "work/results/report.html").read_text())
        ran = self.run_it(*make, "problems")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        tasks = json.loads((self.folder / "work/.vscode/tasks.json").read_text())
        matcher = tasks["tasks"][0]["problemMatcher"]["pattern"]["regexp"]
        problems = [re.fullmatch(matcher, line) for line in ran.stdout.splitlines()]
        self.assertEqual(len(problems), 1, ran.stdout)
        file, line = problems[0].group(1), int(problems[0].group(2))
        self.assertIn("out[", pathlib.Path(file).read_text().splitlines()[line - 1])
        ran = self.run_it("make", "-C", "work", "check", "WARPCHECK=/none")
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("WARPCHECK=", ran.stderr)
        self.assertIn("pip install", ran.stderr)
        # If another file replaces the bundle, it is not run.
        with (self.folder / "work/transpose.warp").open("ab") as bundle:
            bundle.write(b" ")
        ran = self.run_it(*make, "check")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("is not the file that is trusted", ran.stderr)
        ran = self.run_it(PROGRAM, "--course", "work/transpose.warp", "list")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("contains a program", ran.stderr)


class Scripts(unittest.TestCase):
    def test_shellcheck_is_silent(self):
        if not shutil.which("shellcheck"):
            self.skipTest("no shellcheck")
        scripts = [path for path in (TOP / "ci").rglob("*") if path.is_file()
                   and path.read_text().startswith("#!/usr/bin/env bash")]
        self.assertGreater(len(scripts), 8)
        ran = subprocess.run(["shellcheck", "-x", "-e", "SC1091,SC2153", *scripts], capture_output=True,
                             text=True)
        self.assertEqual(ran.stdout, "")


if __name__ == "__main__":
    unittest.main()
