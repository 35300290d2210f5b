"""What `cmake --install` makes: it runs wherever it is put, and gives no solution away."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop())
TOP = pathlib.Path(__file__).resolve().parents[2]
NVCC = pathlib.Path(os.environ["WARPCHECK_NVCC"]).resolve()

# What every machine has that has a C++ compiler.
EVERYWHERE = re.compile(r"linux-vdso|.*/ld-linux|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so")
# What Debian 12, Ubuntu 22.04 and RHEL 9 have at least: the wheel's manylinux_2_34.
FLOORS = {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 29), "CXXABI": (1, 3, 13), "GCC": (7, 0, 0)}


def run(*command, **options):
    return subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, **options)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, folder)
        folder.chmod(0o755)
        ran = run(os.environ["CMAKE_COMMAND"], "--install", BUILD, "--prefix", folder / "first",
                  "--strip")
        assert ran.returncode == 0, ran.stdout + ran.stderr
        # Whoever unpacks it puts it elsewhere.
        cls.tree = (folder / "first").rename(folder / "second")
        cls.programs = cls.tree / "lib/warpcheck"
        cls.files = sorted(path for path in cls.tree.rglob("*")
                           if path.is_file() and not path.is_symlink())
        cls.binaries = [path for path in cls.files if path.read_bytes()[:4] == b"\x7fELF"]

    def test_holds_every_assignment(self):
        names = sorted(path.name for path in (TOP / "assignments").iterdir() if path.is_dir())
        listed = run(self.tree / "bin/warpcheck", "list")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        for name in names:
            self.assertIn(name, listed.stdout)
            self.assertTrue((self.programs / f"{name}_checks").is_file())
            self.assertTrue((self.tree / f"share/warpcheck/student_template/{name}.cu").is_file())

    def test_brings_every_library_that_a_machine_need_not_have(self):
        self.assertGreater(len(self.binaries), 20)
        for binary in self.binaries:
            for line in run("ldd", binary, env={"PATH": os.environ["PATH"]}).stdout.splitlines():
                name, _, found = line.strip().partition(" => ")
                if EVERYWHERE.match(name) or name == "statically linked":
                    continue
                self.assertTrue(found.startswith(str(self.programs) + "/"),
                                f"{binary.name} takes {line.strip()}")

    def test_asks_for_no_newer_c_library_than_it_says(self):
        if 'VERSION_ID="12"' not in pathlib.Path("/etc/os-release").read_text():
            return  # the floors are those of a build on Debian 12
        for binary in self.binaries:
            symbols = run("objdump", "-T", binary).stdout
            for kind, version in re.findall(r"\((GLIBC|GLIBCXX|CXXABI|GCC)_([0-9.]+)\)", symbols):
                self.assertLessEqual(tuple(map(int, version.split("."))), FLOORS[kind],
                                     f"{binary.name} needs {kind}_{version}")

    def test_holds_no_line_and_no_kernel_name_of_a_reference(self):
        held = {path: path.read_bytes() for path in self.files}
        given = "".join(path.read_text() for path in (self.tree / "share").rglob("*")
                        if path.suffix in (".h", ".cu", ".md"))
        for reference in sorted((TOP / "reference").glob("*.cu")):
            text = reference.read_text()
            kernels = re.findall(r"__global__\s+void\s+(\w+)", text)
            self.assertTrue(kernels, reference)
            # What the handout, the interface or the names of the cases say too is no secret.
            cases = run(self.programs / f"{reference.stem}_checks", "--gtest_list_tests").stdout
            self.assertIn("/", cases)
            lines = [line.strip() for line in text.splitlines()]
            secrets = [name for name in kernels if name not in cases]
            secrets += [line for line in lines if len(line) > 24 and line not in given]
            self.assertGreater(len(secrets), 5)
            for secret in secrets:
                for path, content in held.items():
                    self.assertFalse(secret.encode() in content, f"{path} holds {secret!r}")

    def test_builds_a_course_of_ones_own(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin",
                       "CUDA_HOME": str(NVCC.parent.parent)}

        def warpcheck(*arguments, inside=folder / "course", **variables):
            return run(self.tree / "bin/warpcheck", *arguments, cwd=inside,
                       env={**environment, **variables})

        made = warpcheck("new", "course", "course", inside=folder)
        self.assertEqual(made.returncode, 0, made.stderr)
        readme = (folder / "course/README.md").read_text()
        self.assertIn("warpcheck new assignment NAME", readme)
        self.assertEqual(warpcheck("new", "course", "course", inside=folder).returncode, 2)
        self.assertEqual(warpcheck("new", "assignment", "blur").returncode, 0)
        for name, reason in [("blur", "is there already"), ("9lives", "C++ identifier"),
                             ("../blur", "C++ identifier")]:
            refused = warpcheck("new", "assignment", name)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(reason, refused.stderr)
        self.assertIn("is no course", warpcheck("build", inside=folder).stderr)

        built = warpcheck("build")
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        listed = warpcheck("list").stdout
        self.assertRegex(listed, rf"blur .*{folder}/course")
        self.assertRegex(listed, rf"transpose .*{self.tree}")
        for name in ("saxpy", "blur"):
            validated = warpcheck("validate", name, "--seed", "1")
            self.assertEqual(validated.returncode, 0, validated.stdout + validated.stderr)
        pieces = folder / "course/tests/submissions/blur/failed/a_piece_for_each_thread.cu"
        graded = warpcheck("check", "blur", pieces, inside=folder,
                           WARPCHECK_COURSE=str(folder / "course"))
        self.assertIn("Score 80 / 100", graded.stdout, graded.stderr)

        # A student's folder takes the place of no other assignment.
        student = folder / "student"
        shutil.copytree(TOP / "assignments/transpose", student / "assignments/transpose")
        (student / "build").mkdir()
        (student / "build/transpose_checks").symlink_to("/bin/true")
        shutil.copy(TOP / "student_template/transpose.cu", student)
        graded = warpcheck("check", "transpose", "transpose.cu", inside=student)
        self.assertEqual(graded.returncode, 1, graded.stdout + graded.stderr)

        # What does not compile says so.
        (folder / "course/reference/blur.cu").write_text("no kernel")
        self.assertEqual(warpcheck("build").returncode, 3)

    def grade(self, submission, *arguments):
        """As an ordinary user, who sees nothing of the sources and the build, where root may hide them."""
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        shutil.copy(submission, folder / "mine.cu")
        folder.chmod(0o777)
        command = [self.tree / "bin/warpcheck", "check", "transpose", folder / "mine.cu", *arguments]
        can_hide = run("unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt").returncode == 0
        if os.geteuid() == 0 and can_hide:
            command = ["unshare", "--mount", "sh", "-c",
                       "mount -t tmpfs none \"$0\" && "
                       "exec setpriv --reuid=4321 --regid=4321 --clear-groups \"$@\"",
                       TOP, *command]
        return run(*command, cwd=folder, env={"HOME": str(folder), "PATH": "/usr/bin:/bin",
                                              "CUDA_HOME": str(NVCC.parent.parent)})

    def test_grades_where_it_is_put(self):
        right = self.grade(TOP / "reference/transpose.cu", "--seed", "1")
        self.assertEqual(right.returncode, 0, right.stdout + right.stderr)
        self.assertIn("Score 100 / 100", right.stdout)
        self.assertIn("warpcheck 0.1.0, CUDA ", right.stdout)
        start = self.grade(self.tree / "share/warpcheck/student_template/transpose.cu")
        self.assertEqual(start.returncode, 1, start.stdout + start.stderr)
        self.assertIn("Score 0 / 100", start.stdout)


if __name__ == "__main__":
    unittest.main()
