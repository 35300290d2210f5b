"""Tests what `cmake --install` makes: it runs in any folder, and contains no solution."""
import bz2
import gzip
import hashlib
import io
import json
import lzma
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
import zlib

BUILD = pathlib.Path(sys.argv.pop())
TOP = pathlib.Path(__file__).resolve().parents[2]
NVCC = pathlib.Path(os.environ["WARPCHECK_NVCC"]).resolve()
VERSION = re.search(r"project\(warpcheck VERSION ([\d.]+)", (TOP / "CMakeLists.txt").read_text())[1]

# These libraries are on every machine that has a C++ compiler.
EVERYWHERE = re.compile(r"linux-vdso|.*/ld-linux|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so")
# These versions are the least that Debian 12, Ubuntu 22.04 and RHEL 9 have: the wheel's
# manylinux_2_34.
FLOORS = {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 29), "CXXABI": (1, 3, 13), "GCC": (7, 0, 0)}


def run(*command, **options):
    return subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, **options)


def run_alone(*command, hidden, **options):
    """Runs a command as an ordinary user, with these folders hidden if root can do that."""
    can_hide = run("unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt").returncode == 0
    if os.geteuid() == 0 and can_hide:
        hide = "".join(f"mount -t tmpfs none '{folder}' && " for folder in hidden)
        command = ["unshare", "--mount", "sh", "-c",
                   hide + "exec setpriv --reuid=4321 --regid=4321 --clear-groups \"$@\"", "sh", *command]
    return run(*command, **options)


# The most bytes that each package may have, packed with gzip's usual effort (or by zip, for a
# wheel).
MOST = {"archive": 14_000_000, "wheel": 15_000_000, "assignment": 200_000, "bundle": 400_000}


def archive_bytes(paths, top):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=6) as archive:
        for path in paths:
            archive.add(path, path.relative_to(top))
    return len(packed.getvalue())


def wheel_bytes(paths, top):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path in paths:
            wheel.write(path, path.relative_to(top))
    return len(packed.getvalue())


def secrets_of(reference, cases, given):
    """Returns lines of a reference's source, and its kernels' names, that students find nowhere else."""
    text = reference.read_text()
    kernels = re.findall(r"__global__\s+void\s+(\w+)", text)
    assert kernels, reference
    lines = [line.strip() for line in text.splitlines()]
    return ([name for name in kernels if name not in cases and name not in given]
            + [line for line in lines if len(line) > 24 and line not in given])


def unpacked_frames(content):
    """Yields everything that gzip, zlib, xz, bzip2 or zstd has packed anywhere in these bytes."""
    for magic, unpack in [(b"\x1f\x8b\x08", lambda: zlib.decompressobj(31)), (b"x\x9c", zlib.decompressobj),
                          (b"x\xda", zlib.decompressobj), (b"\xfd7zXZ\0", lzma.LZMADecompressor),
                          (b"BZh", bz2.BZ2Decompressor)]:
        for at in re.finditer(re.escape(magic), content):
            try:
                yield unpack().decompress(content[at.start():], 1 << 24)
            except (zlib.error, lzma.LZMAError, OSError, EOFError):
                pass
    for at in re.finditer(re.escape(b"\x28\xb5\x2f\xfd"), content):
        ran = subprocess.run(["zstd", "--decompress", "--stdout", "--no-check"], input=content[at.start():],
                             capture_output=True)
        yield ran.stdout  # a magic number before anything other than a frame


def device_code_in(path, depth=2, content=None):
    """Yields the signs that this file contains a kernel: fat binaries, PTX or CUDA code, packed or not."""
    content = path.read_bytes() if content is None else content
    # The header of a fat binary: magic, version 1, 16 bytes.
    if b"\x50\xed\x55\xba\x01\x00\x10\x00" in content:
        yield "a fat binary"
    for entry in re.findall(rb"\.visible\s+\.entry\s+(\w+)|\.entry\s+(_Z\w+)\s*\(", content):
        yield f"PTX of {b''.join(entry).decode()}"
    for kernel in re.findall(rb"__global__\s+(?:[\w()<>, ]+\s)?(\w+)\s*\([^)]", content):
        yield f"the source of {kernel.decode()}"
    if depth > 0:
        for frame in unpacked_frames(content):
            yield from (f"{found}, packed" for found in device_code_in(path, depth - 1, frame))


class Installation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, folder)
        folder.chmod(0o755)
        ran = run(os.environ["CMAKE_COMMAND"], "--install", BUILD, "--prefix", folder / "first",
                  "--strip")
        assert ran.returncode == 0, ran.stdout + ran.stderr
        # A user may unpack it into any folder.
        cls.tree = (folder / "first").rename(folder / "second")
        cls.programs = cls.tree / "lib/warpcheck"
        cls.files = sorted(path for path in cls.tree.rglob("*")
                           if path.is_file() and not path.is_symlink())
        cls.binaries = [path for path in cls.files if path.read_bytes()[:4] == b"\x7fELF"]


class Installed(Installation):
    def test_holds_every_assignment(self):
        names = sorted(path.name for path in (TOP / "assignments").iterdir() if path.is_dir())
        listed = run(self.tree / "bin/warpcheck", "list")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        for name in names:
            self.assertIn(name, listed.stdout)
            self.assertTrue((self.programs / f"{name}_checks").is_file())
            self.assertTrue((self.tree / f"share/warpcheck/student_template/{name}.cu").is_file())

    def test_holds_every_lab_that_solves_no_assignment(self):
        solving = {"atomics", "cipher", "heat", "limiter", "matmul", "reduce", "spills", "texture", "transpose",
                   "wave3d"}
        every = {path.parent.name for path in TOP.glob("labs/*/lab.toml")}
        self.assertLess(solving, every)
        names = sorted(every - solving)
        listed = run(self.tree / "bin/warpcheck", "lab")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertEqual([line.split()[0] for line in listed.stdout.splitlines()], names)
        for name in names:
            self.assertTrue((self.tree / f"share/warpcheck/labs/{name}/README.md").is_file())

    def test_brings_every_library_that_a_machine_need_not_have(self):
        self.assertGreater(len(self.binaries), 20)
        for binary in self.binaries:
            for line in run("ldd", binary, env={"PATH": os.environ["PATH"]}).stdout.splitlines():
                name, _, found = line.strip().partition(" => ")
                if EVERYWHERE.match(name) or name == "statically linked":
                    continue
                self.assertTrue(found.startswith(str(self.programs) + "/"),
                                f"{binary.name} takes {line.strip()}")

    def test_is_small(self):
        self.assertLess(archive_bytes(self.files, self.tree), MOST["archive"])
        self.assertLess(wheel_bytes(self.files, self.tree), MOST["wheel"])
        for folder in (TOP / "assignments").iterdir():
            if not folder.is_dir():
                continue
            own = [path for path in self.files if folder.name in path.parts
                   or path.name in (f"{folder.name}_checks", f"{folder.name}.cu")]
            self.assertGreater(len(own), 4)
            self.assertLess(archive_bytes(own, self.tree), MOST["assignment"], folder.name)

    def test_asks_for_no_newer_c_library_than_it_says(self):
        if 'VERSION_ID="12"' not in pathlib.Path("/etc/os-release").read_text():
            return  # the least versions of a build on Debian 12
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
            cases = run(self.programs / f"{reference.stem}_checks", "--gtest_list_tests").stdout
            self.assertIn("/", cases)
            secrets = secrets_of(reference, cases, given)
            self.assertGreater(len(secrets), 5)
            for secret in secrets:
                for path, content in held.items():
                    self.assertFalse(secret.encode() in content, f"{path} holds {secret!r}")

    def test_holds_no_kernel_but_skeletons_and_examples(self):
        """The installation contains neither PTX nor source, packed or not, which could be handed in."""
        # No kernel of the labs that are installed solves an assignment (cmake/Package.cmake).
        students = [self.tree / "share/warpcheck" / folder for folder in ("student_template", "course/new", "labs")]
        tries = {"PTX of probe", "the source of Works"}  # doctor uses these to find out what works
        self.assertEqual(set(device_code_in(students[0] / "transpose.cu")), {"the source of transpose_kernel"})
        for path in self.files:
            if not any(path.is_relative_to(folder) for folder in students):
                self.assertEqual(set(device_code_in(path)) - tries, set(), path)

    def test_sees_kernels_however_they_are_packed(self):
        ptx = b".visible .entry _Z4copyPf(\n.param .u64 p)\n{ ret; }\n" * 20
        zstd = subprocess.run(["zstd", "--stdout"], input=ptx, capture_output=True, check=True).stdout
        for packed in (ptx, gzip.compress(ptx), zlib.compress(ptx), lzma.compress(ptx), bz2.compress(ptx), zstd,
                       gzip.compress(b"before" + zstd)):
            found = set(device_code_in(None, content=b"\x7fELF..." + packed + b"after"))
            self.assertTrue(any(one.startswith("PTX of _Z4copyPf") for one in found), packed[:8])

    def grade(self, submission, *arguments):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        shutil.copy(submission, folder / "mine.cu")
        folder.chmod(0o777)
        return run_alone(self.tree / "bin/warpcheck", "check", "transpose", folder / "mine.cu",
                         *arguments, hidden=[TOP], cwd=folder,
                         env={"HOME": str(folder), "PATH": "/usr/bin:/bin",
                              "CUDA_HOME": str(NVCC.parent.parent)})

    def test_grades_where_it_is_put(self):
        right = self.grade(TOP / "reference/transpose.cu", "--seed", "1")
        self.assertEqual(right.returncode, 0, right.stdout + right.stderr)
        self.assertIn("Score 100 / 100", right.stdout)
        self.assertIn(f"warpcheck {VERSION}, CUDA ", right.stdout)
        start = self.grade(self.tree / "share/warpcheck/student_template/transpose.cu")
        self.assertEqual(start.returncode, 1, start.stdout + start.stderr)
        self.assertIn("Score 0 / 100", start.stdout)


class Course(Installation):
    """Tests the way from `warpcheck new course` to the grades of a student, of a class and of Gradescope."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.folder.chmod(0o755)
        self.course = self.folder / "course"
        self.environment = {"HOME": str(self.folder), "PATH": "/usr/bin:/bin",
                            "CUDA_HOME": str(NVCC.parent.parent)}

    def warpcheck(self, *arguments, inside=None):
        return run(self.tree / "bin/warpcheck", *arguments, cwd=inside or self.course,
                   env=self.environment)

    def works(self, ran, status=0):
        self.assertEqual(ran.returncode, status, ran.stdout + ran.stderr)
        return ran

    def make_course(self, *assignments):
        self.works(self.warpcheck("new", "course", "course", inside=self.folder))
        for name in assignments:
            self.works(self.warpcheck("new", "assignment", name))

    def test_is_begun_by_commands_that_refuse_what_would_be_lost(self):
        self.make_course("blur")
        readme = (self.course / "README.md").read_text()
        self.assertIn("warpcheck new assignment NAME", readme)
        self.works(self.warpcheck("new", "course", "course", inside=self.folder), 2)
        for name, reason in [("blur", "is there already"), ("9lives", "C++ identifier"),
                             ("../blur", "C++ identifier")]:
            refused = self.works(self.warpcheck("new", "assignment", name), 2)
            self.assertIn(reason, refused.stderr)
        self.assertIn("is not a course", self.warpcheck("build", inside=self.folder).stderr)
        # An assignment that lacks files stops only itself.
        (self.course / "assignments/half").mkdir()
        (self.course / "assignments/half/rubric.toml").write_text('title = "Half"\n')
        built = self.works(self.warpcheck("build"))
        self.assertIn("'half' is left out", " ".join((built.stdout + built.stderr).split()))
        self.assertTrue((self.course / "build/blur_checks").exists())
        # Building a course that does not compile gives an error.
        (self.course / "assignments/blur/checks.cpp").write_text("no checks")
        self.works(self.warpcheck("build"), 3)

    def test_goes_the_whole_way(self):
        self.make_course("blur")
        self.works(self.warpcheck("build"))
        listed = self.warpcheck("list").stdout
        self.assertRegex(listed, rf"blur .*{self.course}")
        self.assertRegex(listed, rf"transpose .*{self.tree}")
        for name in ("saxpy", "blur"):
            self.works(self.warpcheck("validate", name, "--seed", "1"))
        recorded = self.works(self.warpcheck("validate", "blur", "--record"))
        self.assertIn("no target of blur is relative to the reference", recorded.stdout)
        self.works(self.warpcheck("handout", "blur", self.folder / "handout", "--service", "gitlab"))
        self.works(self.warpcheck("mutation", "blur", "--only", "16:"))
        tried = self.works(self.warpcheck("more-work", "blur", "--sample", "1"))
        self.assertRegex(tried.stdout, "1 program, [1-9].* 0 raised a score")
        self.check_handout()
        self.check_student()
        self.check_class()
        self.check_gradescope()

    def check_handout(self):
        """The bundle has no line of the reference, none of its kernels' names, and only the skeleton's kernel."""
        handout = self.folder / "handout"
        self.assertLess((handout / "blur.warp").stat().st_size, MOST["bundle"])
        unpacked = self.folder / "unpacked"
        shutil.unpack_archive(handout / "blur.warp", unpacked, "gztar")
        held = {path: path.read_bytes() for folder in (handout, unpacked)
                for path in folder.rglob("*") if path.is_file()}
        self.assertIn(unpacked / "build/blur_checks", held)
        for path in held:
            found = set(device_code_in(path))
            self.assertEqual(found, {"the source of blur_kernel"} if path.name == "blur.cu" else set(), path)
        given = "".join(content.decode() for path, content in held.items()
                        if path.suffix in (".h", ".cu", ".md"))
        secrets = secrets_of(self.course / "reference/blur.cu", "", given)
        self.assertGreater(len(secrets), 2)
        for secret in secrets:
            for path, content in held.items():
                self.assertFalse(secret.encode() in content, f"{path} holds {secret!r}")

    def check_student(self):
        """A student needs only the handout and an installed warpcheck."""
        student = self.folder / "student"
        shutil.copytree(self.folder / "handout", student)
        for path in [student, *student.rglob("*")]:
            os.chown(path, 4321, 4321) if os.geteuid() == 0 else None
        environment = {**self.environment, "HOME": str(student),
                       "PATH": f"{self.tree}/bin:/usr/bin:/bin"}
        make = ["make", "-C", student, "check", "DEVICE=emulator"]
        hidden = [TOP, self.course]
        start = self.works(run_alone(*make, hidden=hidden, env=environment))
        self.assertIn("Score 0 / 100", start.stdout)
        shutil.copy(self.course / "reference/blur.cu", student)
        right = self.works(run_alone(*make, hidden=hidden, env=environment))
        self.assertIn("Score 100 / 100", right.stdout)
        ran = run("make", "-C", student, "check", env={**environment, "PATH": "/usr/bin:/bin"})
        self.assertIn("warpcheck is not installed: run `make install`", ran.stderr)

    def check_class(self):
        """A class can be graded from another folder, by the course and by its bundle."""
        submissions = self.course / "tests/submissions/blur"
        students = self.folder / "class"
        for name, file in [("ann", "passed/strided_grid.cu"), ("ben", "failed/a_piece_for_each_thread.cu")]:
            (students / name).mkdir(parents=True)
            shutil.copy(submissions / file, students / name / "blur.cu")
        bundle = self.folder / "handout/blur.warp"
        trust = hashlib.sha256(bundle.read_bytes()).hexdigest()
        for out, course in [("a", ["--course", self.course]),
                            ("b", ["--course", bundle, "--trust", trust])]:
            self.works(self.warpcheck(*course, "batch", "blur", students, "--out", self.folder / out,
                                      "--device", "emulator", inside=self.folder))
            rows = (self.folder / out / "grades.csv").read_text()
            self.assertRegex(rows, "ann,.*100")
            self.assertRegex(rows, "ben,.*80")

    def check_gradescope(self):
        """The zip that an instructor uploads grades a student's file with what setup.sh installs."""
        wheel = self.folder / f"warpcheck-{VERSION}-py3-none-any.whl"
        wheel.touch()
        packed = self.works(run(self.tree / "bin/warpcheck-gradescope", self.folder / "handout/blur.warp",
                                self.folder / "autograder.zip",
                                env={**self.environment, "WARPCHECK_WHEEL": str(wheel)}))
        shutil.unpack_archive(packed.stdout.strip(), self.folder / "autograder/source")
        submission = self.folder / "autograder/submission"
        submission.mkdir()
        shutil.copy(self.course / "tests/submissions/blur/failed/a_piece_for_each_thread.cu", submission)
        self.works(run("bash", self.folder / "autograder/source/run_autograder",
                       env={**self.environment, "AUTOGRADER": str(self.folder / "autograder"),
                            "WARPCHECK_GRADE": str(self.tree / "bin/warpcheck-grade")}))
        results = json.loads((self.folder / "autograder/results/results.json").read_text())
        self.assertEqual(results["score"], 80)

    def test_of_a_student_takes_the_place_of_no_assignment(self):
        student = self.folder / "student"
        shutil.copytree(TOP / "assignments/transpose", student / "assignments/transpose")
        (student / "build").mkdir()
        (student / "build/transpose_checks").symlink_to("/bin/true")
        shutil.copy(TOP / "student_template/transpose.cu", student)
        self.works(self.warpcheck("check", "transpose", "transpose.cu", inside=student), 1)


if __name__ == "__main__":
    unittest.main()
