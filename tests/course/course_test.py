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
import tarfile
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
                         ["annotations.txt", "autolab.json", "classroom.json", "code-quality.json",
                          "coursera.json", "diagnostics.txt", "gradescope.json", "junit.xml",
                          "prairielearn.json", "report.html", "report.json", "summary.md"])
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


class Action(Course):
    """The action at the top of the repository: what GitHub requires of it, and its steps."""
    # docs.github.com, "Metadata syntax for GitHub Actions".
    KEYS = {"name", "author", "description", "inputs", "outputs", "runs", "branding"}
    STEP = {"name", "id", "if", "env", "shell", "run", "uses", "with", "continue-on-error", "working-directory"}

    def setUp(self):
        super().setUp()
        self.action = yaml.safe_load((TOP / "action.yml").read_text())

    def test_has_the_form_that_github_reads(self):
        action = self.action
        self.assertLessEqual({"name", "description", "runs"}, set(action))
        self.assertLessEqual(set(action), self.KEYS)
        self.assertLess(len(action["description"]), 125)
        for name, value in action["inputs"].items():
            self.assertRegex(name, "^[a-z_][a-z0-9_-]*$")
            self.assertLessEqual(set(value), {"description", "required", "default"})
            self.assertIsInstance(value["description"], str)
            self.assertIsInstance(value.get("default", ""), str, "GitHub passes texts")
            self.assertNotEqual("default" in value, value["required"])
        self.assertEqual(action["runs"]["using"], "composite")
        ids = {step.get("id") for step in action["runs"]["steps"]}
        for output in action["outputs"].values():
            self.assertEqual(set(output), {"description", "value"})
            self.assertIn(re.search(r"steps\.([\w-]+)\.", output["value"])[1], ids)
        used = set()
        for step in action["runs"]["steps"]:
            self.assertLessEqual(set(step), self.STEP)
            self.assertNotEqual("run" in step, "uses" in step)
            self.assertEqual("run" in step, "shell" in step, "GitHub requires a shell")
            # An expression in a script would run what a workflow's author did not mean as code.
            self.assertNotIn("${{", step.get("run", ""))
            if "uses" in step:
                self.assertRegex(step["uses"], r"^[\w.-]+/[\w./-]+@[\w.-]+$")
            used |= set(re.findall(r"inputs\.([\w-]+)", json.dumps(step)))
        self.assertEqual(used, set(action["inputs"]))

    def grade(self, **inputs):
        """Runs the step that grades, and returns its end and its outputs."""
        (step,) = [step for step in self.action["runs"]["steps"] if step.get("id") == "grade"]
        inputs = {name: inputs.get(name.replace("-", "_"), value.get("default", ""))
                  for name, value in self.action["inputs"].items()}
        environment = {name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], value)
                       for name, value in step["env"].items()}
        programs = self.folder / "runner" / "warpcheck" / "bin"
        programs.mkdir(parents=True, exist_ok=True)
        if not (programs / "warpcheck-grade").exists():
            (programs / "warpcheck-grade").symlink_to(COURSE / "grade.sh")
        output = self.folder / "output"
        output.write_text("")
        ran = self.run_it("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"],
                          RUNNER_TEMP=str(self.folder / "runner"), GITHUB_OUTPUT=str(output),
                          GITHUB_ACTIONS="true", **environment)
        return ran, dict(line.split("=", 1) for line in output.read_text().splitlines())

    def test_grades_and_says_the_score(self):
        self.submission(NAIVE.read_text())
        ran, output = self.grade(assignment="transpose")
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertIn("::error file=transpose.cu,line=", ran.stdout)
        self.assertEqual((output["score"], output["max-score"]), ("60", "100"))
        self.assertIn("classroom", output)
        self.assertTrue((self.folder / "results" / "junit.xml").exists())
        ran, output = self.grade(assignment="transpose", fail_under="60", submission="transpose.cu")
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_gives_no_score_where_grading_does_not_work(self):
        ran, output = self.grade(assignment="transpose", submission="none.cu")
        self.assertEqual(ran.returncode, 2)
        self.assertEqual(output, {})


class Platforms(Course):
    """The set-ups that `handout --service` makes, run as the platforms run them."""

    def set_up(self, service):
        ran = self.run_it(PROGRAM, "handout", "transpose", "setup", "--service", service)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return self.folder / "setup"

    def run_script(self, *command, **variables):
        # A variable of the machine must not choose another assignment.
        return self.run_it(*command, WARPCHECK_GRADE=str(COURSE / "grade.sh"), WARPCHECK_COURSE="/none",
                           WARPCHECK_TRUST="none", **variables)

    def handed_out(self, archive):
        shutil.unpack_archive(archive, self.folder / "handed")
        names = {path.name for path in (self.folder / "handed" / "transpose").iterdir()}
        self.assertLessEqual({"transpose.cu", "transpose.warp", "Makefile", "HANDOUT.md"}, names)

    def autolab(self, source, **variables):
        """Does what Autolab does, and returns the lines of the feedback."""
        setup, instance = self.folder / "setup", self.folder / "instance"
        shutil.rmtree(instance, ignore_errors=True)
        instance.mkdir()
        shutil.copy(setup / "autograde-Makefile", instance / "Makefile")
        shutil.copy(setup / "autograde.tar", instance)
        (instance / "transpose.cu").write_text(source)
        return self.run_script("make", "-C", instance, "--no-print-directory",
                               **variables).stdout.splitlines()

    def test_autolab_ends_with_the_scores_of_its_problems(self):
        setup = self.set_up("autolab")
        self.handed_out(setup / "transpose-handout.tar.gz")
        lines = self.autolab(PRINTS.replace("::error::forged", '{\\"scores\\": {\\"right\\": 1000}}'))
        scores = json.loads(lines[-1])
        self.assertEqual(scores["scoreboard"], [60])
        problems = re.findall(r"^(\S+)  (\d+)  \(", (setup / "problems.txt").read_text(), re.MULTILINE)
        self.assertEqual({name for name, _ in problems}, set(scores["scores"]))
        self.assertEqual(sum(int(points) for _, points in problems), 100)
        self.assertIn("Score 60 / 100", "\n".join(lines))
        lines = self.autolab("int x = ;")
        self.assertEqual(set(json.loads(lines[-1])["scores"].values()), {0})

    def test_autolab_gives_no_score_where_grading_does_not_work(self):
        self.set_up("autolab")
        lines = self.autolab(GOOD.read_text(), WARPCHECK_PROGRAM="/none")
        self.assertNotIn("scores", "\n".join(lines))
        self.assertIn("Tell the staff", "\n".join(lines))

    def prairielearn(self, source, name="transpose.cu", **variables):
        grade = self.folder / "grade"
        shutil.rmtree(grade, ignore_errors=True)
        shutil.copytree(self.folder / "setup" / "tests", grade / "tests")
        (grade / "student").mkdir()
        (grade / "student" / name).write_text(source)
        self.run_script("bash", grade / "tests" / "run.sh", GRADE_FOLDER=str(grade), **variables)
        return json.loads((grade / "results" / "results.json").read_text())

    def test_prairielearn_takes_no_attempt_for_what_cannot_be_graded(self):
        setup = self.set_up("prairielearn")
        self.handed_out(setup / "clientFilesQuestion" / "transpose.tar.gz")
        info = json.loads((setup / "info.json").read_text())
        self.assertRegex(info["uuid"], "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
        self.assertEqual(info["title"], "Matrix transpose")
        self.assertLessEqual(info["externalGradingOptions"]["timeout"], 600)
        self.assertIn("COPY *.whl", (setup / "image" / "Dockerfile").read_text())
        self.assertIn('file-names="transpose.cu"', (setup / "question.html").read_text())
        result = self.prairielearn(NAIVE.read_text())
        self.assertTrue(result["gradable"])
        self.assertAlmostEqual(result["score"], 0.6)
        self.assertIn("images", result["tests"][2])
        for source, name, variables, says in [
                ("int x = ;", "transpose.cu", {}, "does not compile"),
                ("Dear grader,", "letter.txt", {}, "transpose.cu"),
                (GOOD.read_text(), "transpose.cu", {"WARPCHECK_PROGRAM": "/none"}, "not your mistake")]:
            result = self.prairielearn(source, name, **variables)
            self.assertIs(result["gradable"], False)
            self.assertIn(says, result["format_errors"][0])

    def coursera(self, source, name="transpose.cu", **variables):
        shared = self.folder / "shared"
        shutil.rmtree(shared, ignore_errors=True)
        (shared / "submission").mkdir(parents=True)
        (shared / "submission" / name).write_text(source)
        ran = self.run_script("bash", self.folder / "setup" / "grader" / "run.sh",
                              SHARED_FOLDER=str(shared), **variables)
        feedback = shared / "feedback.json"
        return ran, json.loads(feedback.read_text()) if feedback.exists() else None

    def test_coursera_writes_a_share_and_a_page(self):
        setup = self.set_up("coursera")
        self.handed_out(setup / "transpose-handout.tar.gz")
        self.assertIn("run.sh", (setup / "grader" / "Dockerfile").read_text())
        ran, feedback = self.coursera(NAIVE.read_text())
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertAlmostEqual(feedback["fractionalScore"], 0.6)
        self.assertEqual(feedback["feedbackType"], "HTML")
        self.assertIn("Fix this first", (self.folder / "shared" / "htmlFeedback.html").read_text())
        self.assertEqual(self.coursera("int x = ;")[1]["fractionalScore"], 0)
        ran, feedback = self.coursera("Dear grader,", "letter.txt")
        self.assertIn("transpose.cu", feedback["feedback"])
        self.assertTrue((self.folder / "shared" / "txtFeedback.txt").exists())
        ran, feedback = self.coursera(GOOD.read_text(), WARPCHECK_PROGRAM="/none")
        self.assertEqual(ran.returncode, 3)
        self.assertIsNone(feedback)

    def test_keep_hidden_criteria_from_the_student(self):
        # A course with transpose, in which one criterion is hidden. It has the tests of transpose.
        course = self.folder / "course"
        for name in ("assignments", "student_template", "reference"):
            shutil.copytree(TOP / name, course / name)
        rubric = course / "assignments" / "transpose" / "rubric.toml"
        text = rubric.read_text()
        name = "No bank conflicts"
        self.assertEqual(text.count(f'name = "{name}"'), 1)
        rubric.write_text(text.replace(f'name = "{name}"', 'name = "Zebra"\nhidden = true\n# a zebra'))
        (course / "build").mkdir()
        checks = course / "build" / "transpose_checks"
        shutil.copy(PROGRAM.parent / "transpose_checks", checks)
        (course / "build" / "libs").symlink_to(PROGRAM.parent / "libs")
        ran = self.run_it(PROGRAM, "--course", course, "handout", "transpose", "setup", "--service", "autolab")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        setup = self.folder / "setup"
        self.handed_out(setup / "transpose-handout.tar.gz")
        self.assertIn("hidden-tests", (setup / "problems.txt").read_text())
        handed = self.folder / "handed" / "transpose"
        bundle = self.folder / "bundle"
        with tarfile.open(handed / "transpose.warp") as files:
            files.extractall(bundle)
        shutil.copy(NAIVE, handed / "transpose.cu")
        ran = self.run_it("make", "-C", handed, "--no-print-directory", "check", f"WARPCHECK={PROGRAM}",
                          "DEVICE=emulator")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("Hidden tests: 20 points", ran.stdout)
        self.assertIn("Score 60 / 80", ran.stdout)
        seen = [ran.stdout] + [path.read_text() for folder in (handed, bundle) for path in folder.rglob("*")
                               if path.is_file() and path.suffix not in (".warp",) and "_checks" not in path.name]
        self.assertGreater(len(seen), 10)
        for text in seen:
            self.assertNotIn("ebra", text)
        scores = json.loads(self.autolab(GOOD.read_text())[-1])
        self.assertEqual(scores["scores"]["hidden-tests"], 20)
        self.assertEqual(scores["scoreboard"], [80])

    def test_are_made_for_every_assignment(self):
        for service in ("autolab", "prairielearn", "coursera", "gradescope"):
            ran = self.run_it(PROGRAM, "handout", "reduce", service, "--service", service)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            for path in (self.folder / service).rglob("*"):
                if path.suffix in (".sh", ".json", ".html", ".txt"):
                    self.assertNotIn("transpose", path.read_text(), path)


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
        matcher, nvcc = [one["pattern"]["regexp"] for one in tasks["tasks"][0]["problemMatcher"]]
        problems = [re.fullmatch(matcher, line) for line in ran.stdout.splitlines()]
        self.assertEqual(len(problems), 1, ran.stdout)
        file, line = problems[0].group(1), int(problems[0].group(2))
        self.assertIn("out[", pathlib.Path(file).read_text().splitlines()[line - 1])
        # The other matcher takes what nvcc itself prints, which names lines in brackets.
        for line, found in [
                ('a b.cu(6): error: identifier "row" is undefined',
                 ("a b.cu", "6", "error", 'identifier "row" is undefined')),
                ("k.cu(12): warning #177-D: variable \"x\" was declared but never referenced",
                 ("k.cu", "12", "warning", 'variable "x" was declared but never referenced')),
                ("k.cu(3): catastrophic error: cannot open source file \"none.h\"",
                 ("k.cu", "3", "error", 'cannot open source file "none.h"')),
                ("1 error detected in the compilation of \"k.cu\".", None)]:
            match = re.fullmatch(nvcc, line)
            self.assertEqual(match and match.groups(), found)
            self.assertIsNone(re.fullmatch(matcher, line))
        ran = self.run_it("make", "-C", "work", "check", "WARPCHECK=/none")
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("WARPCHECK=", ran.stderr)
        self.assertIn("make install", ran.stderr)
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
