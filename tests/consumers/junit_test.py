"""Gives warpcheck's JUnit files to their consumers: Jenkins' schema, junitparser, junit2html, and the
fields that GitLab and dorny/test-reporter read.

  junit_test.py <warpcheck> <folder for what is installed>
"""
import glob
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM, INSTALLED = sys.argv[1:3]
PYTHON = f"{INSTALLED}/venv/bin/python"
SCHEMA = f"{INSTALLED}/junit-10.xsd"
READERS = ["junitparser==5.0.3", "junit2html==31.1.4"]
# The schema of Jenkins' xunit plugin is published with the tests of pytest.
PYTEST, SCHEMA_IN_PYTEST = "pytest==8.3.4", "pytest-8.3.4/testing/example_scripts/junit-10.xsd"
GITLAB_MOST_BYTES = 30 << 20
# dorny/test-reporter reads the file and the line of a failure from a Java stack trace.
PLACE = re.compile(r"^\s*at .*\((?P<file>[^()]+):(?P<line>\d+)\)$", re.MULTILINE)


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def install():
    if os.path.exists(SCHEMA):
        return
    run(sys.executable, "-m", "venv", f"{INSTALLED}/venv")
    run(PYTHON, "-m", "pip", "install", "-q", *READERS)
    with tempfile.TemporaryDirectory() as folder:
        run(PYTHON, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "pytest", "-d", folder, PYTEST)
        with tarfile.open(glob.glob(f"{folder}/*.tar.gz")[0]) as archive:
            text = archive.extractfile(SCHEMA_IN_PYTEST).read()
    with open(SCHEMA, "wb") as file:
        file.write(text)


class Consumers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Grades a class of three: one has full marks, one lost a criterion, and one has no program."""
        cls.folder = tempfile.TemporaryDirectory()
        tests = f"{SOURCE}/tests/submissions/transpose"
        os.makedirs(f"{cls.folder.name}/class")
        for name, path in {"ada": f"{SOURCE}/reference/transpose.cu", "bob": f"{tests}/failed/naive.cu"}.items():
            with open(path) as source, open(f"{cls.folder.name}/class/{name}.cu", "w") as copy:
                copy.write(source.read())
        with open(f"{cls.folder.name}/class/eve.cu", "w") as file:
            file.write("no CUDA\n")
        out = f"{cls.folder.name}/grades"
        run(PROGRAM, "batch", "transpose", f"{cls.folder.name}/class", "--out", out, "--device", "emulator")
        cls.whole_class = f"{out}/junit.xml"
        cls.files = [cls.whole_class, *glob.glob(f"{out}/junit/*.xml"), *glob.glob(f"{SOURCE}/tests/report/data/*.xml")]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_there_are_files_of_every_kind(self):
        self.assertGreater(len(self.files), 9)

    def test_jenkins_schema_takes_them(self):
        for path in self.files:
            with self.subTest(path):
                checked = subprocess.run(["xmllint", "--noout", "--schema", SCHEMA, path], capture_output=True, text=True)
                self.assertEqual(checked.returncode, 0, checked.stderr)

    def test_jenkins_schema_refuses_what_is_none(self):
        with open(self.whole_class) as file:
            text = file.read()
        broken = f"{self.folder.name}/broken.xml"
        with open(broken, "w") as file:
            file.write(text.replace("<testsuites ", '<testsuites skipped="0" ', 1))
        checked = subprocess.run(["xmllint", "--noout", "--schema", SCHEMA, broken], capture_output=True)
        self.assertNotEqual(checked.returncode, 0)

    def test_junitparser_counts_what_is_there(self):
        script = ("import sys, junitparser; x = junitparser.JUnitXml.fromfile(sys.argv[1]);"
                  "cases = [c for s in x for c in s];"
                  "bad = [c for c in cases if c.result and not isinstance(c.result[0], junitparser.Skipped)];"
                  "print(len(cases), len(bad), x.tests, x.failures + x.errors)")
        for path in self.files:
            with self.subTest(path):
                cases, bad, tests, failures = run(PYTHON, "-c", script, path).split()
                self.assertEqual((cases, bad), (tests, failures))

    def test_junit2html_shows_them(self):
        for path in self.files:
            with self.subTest(path):
                page = f"{self.folder.name}/page.html"
                run(PYTHON, "-m", "junit2htmlreport", path, page)
                with open(page) as file:
                    text = file.read()
                for case in ElementTree.parse(path).getroot().iter("testcase"):
                    self.assertIn(case.get("name").split("&")[0].split("<")[0], text)

    def test_gitlab_keeps_every_case(self):
        """Tests a consumer that shows one of several cases with the same name in a suite, and reads no large file."""
        for path in self.files:
            with self.subTest(path):
                self.assertLess(os.path.getsize(path), GITLAB_MOST_BYTES)
                for suite in ElementTree.parse(path).getroot().iter("testsuite"):
                    names = [(case.get("classname"), case.get("name")) for case in suite.iter("testcase")]
                    self.assertEqual(len(names), len(set(names)))

    def test_dorny_finds_the_place(self):
        suites = {suite.get("name"): suite for suite in ElementTree.parse(self.whole_class).getroot()}
        places = [PLACE.search(failure.text) for failure in suites["bob"].iter("failure")]
        self.assertTrue(places and all(place and int(place["line"]) > 0 for place in places))


if __name__ == "__main__":
    try:
        install()
    except (subprocess.CalledProcessError, OSError) as error:
        print(getattr(error, "stderr", None) or "")
        print(f"error: cannot install what reads JUnit files: {error}")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
