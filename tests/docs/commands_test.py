"""Tests the commands that the documentation shows: commands_test.py <build folder>.

A command is run, in a folder that has the files it names, or one of the rules below says why not, and what of it is
checked instead. A command without a rule is a failure.
"""
import fnmatch
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
TOP = pathlib.Path(__file__).resolve().parents[2]
WARPCHECK = BUILD / "warpcheck"
PAGES = [TOP / "README.md", TOP / "CONTRIBUTING.md", *sorted((TOP / "docs").glob("*.md"))]
# The words with which a line of a block is a command.
FIRST = re.compile(r"(time |\$ )?(([A-Z_]+=\S+ )*)"
                   r"(build/\S+|ci/\S+|warpcheck|make|pip|tar|apt|cmake|ctest|ninja|git|gdb|nvcc|ncu|sort|awk|ccache|cd|sudo)(?= |$)")

# These are run, and end with this status. It is None where it depends on the machine or on what is compared.
RUN = {
    "warpcheck check transpose my_transpose.cu": 1,
    "build/warpcheck check transpose my_transpose.cu --seed 1": 1,
    "warpcheck batch transpose submissions.zip --out grades/": 0,
    "warpcheck note anna_101 --out grades/ --points 85 --comment \"graded by hand: the idea is right\"": 0,
    "warpcheck run transpose.cu": 0,
    "warpcheck run --trace tiled:10 transpose.cu": 0,
    "build/warpcheck run --check races,api program.cu": 0,
    "build/warpcheck run --break-on-finding program.cu": 0,
    "build/warpcheck run --trace tiled:10 program.cu": 0,
    "build/warpcheck run --counters counters.json program.cu": 0,
    "nvcc -O3 -lineinfo -cudart shared -gencode arch=compute_90,code=compute_90 program.cu -o program": 0,
    "warpcheck run --counters counters.json ./program": 0,
    "warpcheck run --sarif findings.sarif ./program": 0,
    "warpcheck run --check races --fail-on-findings --counters findings.json ./program input": 0,
    "warpcheck handout transpose out/ --service github": 0,
    "build/warpcheck validate transpose tests/submissions/transpose/failed/naive.cu": 0,
    "warpcheck list": 0,
    "warpcheck doctor": None,
    "warpcheck lab": 0,
    "warpcheck lab transpose --device emulator --set n=64,128 --html transpose.html": 0,
    "build/transpose_checks --gtest_list_tests": 0,
    "ctest --test-dir build -N": 0,
}
# These are run by the test that is named: the text stands in it.
ELSEWHERE = {
    "warpcheck new course my_course": ("install/install_test.py", '"new", "course"'),
    "warpcheck new assignment NAME": ("install/install_test.py", '"new", "assignment"'),
    "warpcheck build": ("install/install_test.py", 'self.warpcheck("build")'),
    "warpcheck validate NAME": ("install/install_test.py", 'self.warpcheck("validate", name'),
    "warpcheck validate <name>": ("install/install_test.py", 'self.warpcheck("validate", name'),
    "warpcheck handout NAME DIR": ("install/install_test.py", '"handout"'),
    "warpcheck handout saxpy out/ --service github": ("install/install_test.py", '"handout"'),
    "warpcheck handout saxpy out/ --service github"
    " --wheel https://example.org/warpcheck-0.1.0-py3-none-manylinux_2_34_x86_64.whl": ("course/wheel_test.py", '"--wheel"'),
    "warpcheck mutation <name>": ("install/install_test.py", 'self.warpcheck("mutation"'),
    "warpcheck batch transpose submissions/ --out grades/": ("batch/batch_command_test.cc", '"--out"'),
    "warpcheck batch transpose submissions/ --out grades/ --class class.toml": ("batch/whole_class_test.cc", '"--class"'),
    "warpcheck batch transpose submissions/ --out grades/ --leaderboard grades/leaderboard.html":
        ("batch/batch_command_test.cc", '"--leaderboard"'),
    "warpcheck batch transpose submissions.zip --out grades/ --similar": ("batch/similar_test.cc", '"--similar"'),
    "warpcheck batch transpose submissions/ --out /shared/grades --executor slurm"
    ' --slurm-options "--partition=teaching --account=cuda --time=60"': ("slurm/slurm_test.py", '"slurm"'),
    "warpcheck validate transpose tests/submissions/transpose/failed/*.cu": ("submissions/CMakeLists.txt", "validate"),
    "warpcheck check heat2d my_heat.cu --case order_2_65x63 --dump out/": ("cli/cli_test.cc", '"--dump"'),
    "warpcheck check transpose my_transpose.cu --watch --html report.html": ("cli/watch_test.py", '"--watch"'),
    "warpcheck lab transpose": ("labs/CMakeLists.txt", "lab"),
    "ci/docs.sh": ("docs/site_test.py", "ci/docs.sh"),
    "build/warpcheck parity --against tests/parity/h200/lines.txt --known tests/parity/known.txt":
        ("parity/CMakeLists.txt", "$<TARGET_FILE:warpcheck> parity --only ${always}"),
}
# Patterns of the others. Their options must be in --help, their targets in the Makefile, their
# programs and tests in the build.
NOT_RUN = {
    "warpcheck mutation transpose": "takes minutes: make mutation-all",
    "warpcheck mutation --where --sample 6 --seed 11": "takes minutes: mutation (where_test.cc)",
    "warpcheck more-work transpose": "takes minutes: make mutation-all",
    "warpcheck lab ../course/labs/mine": "a folder of the reader",
    "warpcheck parity *": "takes minutes, or needs a GPU",
    "warpcheck *[[<]*": "says which options there are",
    "build/warpcheck check <name> *": "says which options there are",
    "WARPCHECK_KEEP_SCRATCH=1 build/warpcheck check *": "leaves files",
    "make *": "this test is a part of one",
    "pip install *": "needs the network",
    "ninja *": "builds",
    "cmake --build *": "builds",
    "cmake --preset *": "needs another clang",
    "ci/lint.sh *": "builds",
    "ci/fuzz.sh *": "builds",
    "ctest *": "runs this test again",
    "*build/*_test*": "is run by ctest",
    "WARPCHECK_UPDATE_GOLDEN=1 ctest *": "writes files of the tree",
    "build/transpose_checks --gtest_filter=*": "needs the order of a run before",
    "build/write_pages *": "is run by the test browser",
    "gdb *": "is interactive",
    "ncu *": "needs a GPU",
    "nvcc -cudart shared -lineinfo main.cu *": "two files of the reader",
    "ci/gpu.sh *": "needs a GPU",
    "ci/toolkits.sh *": "needs the network",
    "git *": "shows what the reader has changed",
    "sort *": "needs the log of a build",
    "awk *": "needs the log of a build",
    "ccache *": "needs ccache",
    "cd *": "goes into the course of the reader",
}


def commands():
    """Returns the commands of all pages as (place, text), without comments."""
    found = []
    for page in PAGES:
        text = page.read_text().replace(" \\\n", " ")
        in_fence = False
        for number, line in enumerate(text.splitlines(), 1):
            if line.startswith("```"):
                in_fence = not in_fence
            elif (line.startswith("    ") or in_fence) and FIRST.match(line.strip()) and not re.match(r" {5,}", line):
                command = re.sub(r"\s+#.*$", "", line.strip()).removeprefix("time ")
                if not re.match(r"warpcheck(: | [a-z]+s |\s*$)", command):
                    found.append((f"{page.name}:{number}", re.sub(r"\s+", " ", command)))
    return found


def rule(command):
    """Returns the pattern of NOT_RUN that a command matches."""
    return next((pattern for pattern in NOT_RUN if fnmatch.fnmatchcase(command, pattern)), None)


@functools.cache
def options_of(subcommand):
    """Returns whether a subcommand of warpcheck exists, and its options, as --help names them."""
    helped = subprocess.run([WARPCHECK, subcommand, "--help"], capture_output=True, text=True)
    return helped.returncode == 0, set(re.findall(r"(?<![^\s,])--[a-z-]+", helped.stdout))


class Commands(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)
        unpadded = TOP / "tests/submissions/transpose/failed/unpadded_tile.cu"
        shutil.copy(unpadded, cls.folder / "my_transpose.cu")
        for name in ("transpose.cu", "program.cu"):
            shutil.copy(pathlib.Path(__file__).with_name("transpose.cu"), cls.folder / name)
        with zipfile.ZipFile(cls.folder / "submissions.zip", "w") as archive:
            archive.write(unpadded, "anna_101/transpose.cu")
            archive.write(TOP / "reference/transpose.cu", "ben_102/transpose.cu")
        for name in ("build", "tests"):
            (cls.folder / name).symlink_to(BUILD if name == "build" else TOP / name)
        (cls.folder / "bin").mkdir()
        (cls.folder / "bin/warpcheck").symlink_to(WARPCHECK)

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def start(self, command):
        nvcc = os.path.dirname(os.environ.get("WARPCHECK_NVCC", ""))
        path = f"{self.folder}/bin:{nvcc}:{os.environ['PATH']}"
        return subprocess.run(["bash", "-c", command], cwd=self.folder, capture_output=True, text=True, timeout=240,
                              env={**os.environ, "PATH": path, "WARPCHECK_COURSE": str(TOP), "USER": "grader"})

    def test_have_rules(self):
        every = commands()
        self.assertGreater(len(every), 60)
        without = [one for one in every if one[1] not in RUN and one[1] not in ELSEWHERE and not rule(one[1])]
        self.assertEqual(without, [])
        texts = {text for _, text in every}
        self.assertEqual([one for one in [*RUN, *ELSEWHERE] if one not in texts and one != "ci/docs.sh"], [])
        self.assertEqual([one for one in NOT_RUN if one not in {rule(text) for text in texts}], [])

    def test_that_are_run_work(self):
        for command, status in RUN.items():
            with self.subTest(command):
                ran = self.start(command)
                if status is not None:
                    self.assertEqual(ran.returncode, status, ran.stdout + ran.stderr)
                self.assertIn(ran.returncode, (0, 1, 3), ran.stderr)

    def test_that_others_run_are_in_their_tests(self):
        for command, (test, text) in ELSEWHERE.items():
            with self.subTest(command):
                self.assertIn(text, (TOP / "tests" / test).read_text())

    def test_have_options_that_exist(self):
        for place, command in commands():
            if named := re.search(r"(?:^|/| )warpcheck ([a-z-]+)(.*)", command):
                with self.subTest(f"{place} {command}"):
                    exists, known = options_of(named[1])
                    self.assertTrue(exists)
                    unquoted = re.sub(r'"[^"]*"', "", named[2])
                    self.assertLessEqual(set(re.findall(r"(?<=[\s\[])--[a-z-]+", unquoted)), known)

    def test_name_every_option(self):
        helped = subprocess.run([WARPCHECK, "--help"], capture_output=True, text=True).stdout
        subcommands = re.findall(r"^  ([a-z-]+) +[A-Z]", helped[helped.index("Subcommands"):], re.MULTILINE)
        self.assertGreater(len(subcommands), 10)
        text = "\n".join(page.read_text() for page in PAGES)
        for subcommand in subcommands:
            for option in options_of(subcommand)[1] - {"--help"}:
                with self.subTest(f"{subcommand} {option}"):
                    self.assertRegex(text, rf"{option}(?![a-z-])")

    def test_have_targets_and_programs_that_exist(self):
        built = subprocess.run(["ninja", "-C", BUILD, "-t", "targets", "all"], capture_output=True, text=True).stdout
        for place, command in commands():
            with self.subTest(f"{place} {command}"):
                if made := re.match(r"make ([a-z-]+)", command):
                    self.assertRegex((TOP / "Makefile").read_text(), rf"(?m)^{made[1]}:")
                for program in re.findall(r"(?<![/\w])build/(\w+)(?= |$)", command):
                    self.assertTrue(f"\n{program}: " in built, program)
                if script := re.match(r"ci/\S+", command):
                    self.assertTrue((TOP / script[0]).is_file())

    def test_report_of_the_readme(self):
        text = (TOP / "README.md").read_text()
        shown = re.search(r"^```\n(tiled.*?)^```$", text, re.MULTILINE | re.DOTALL)[1]
        self.assertIn(shown, self.start("warpcheck run transpose.cu").stderr)


if __name__ == "__main__":
    unittest.main()
