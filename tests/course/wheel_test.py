"""Shows that warpcheck is installed from its wheel alone: wheel_test.py <warpcheck>.

Whoever registers the name warpcheck in an index of packages must not get a program onto a student's machine. So this
test is such an index. It runs what students and CI services run to install warpcheck, and looks at the names that pip
asks for. It also reads every file that they receive.
"""
import hashlib
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import zipfile

import yaml

PROGRAM = pathlib.Path(sys.argv.pop())
TOP = pathlib.Path(__file__).resolve().parents[2]
COURSE = TOP / "ci" / "course"
SERVICES = ["github", "classroom", "gitlab", "jenkins", "autolab", "coursera", "gradescope", "prairielearn"]
VERSION = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]


def write_wheel(folder, name, version, requires=(), program="true"):
    """Writes a wheel with one program, `name`, which succeeds. Returns its path."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as files:
        files.writestr(f"{name}_program.py", "def main():\n  pass\n")
        files.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n" + "".join(requires))
        files.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        files.writestr(f"{info}/entry_points.txt", f"[console_scripts]\n{name} = {name}_program:main\n")
        files.writestr(f"{info}/RECORD", "")
    return path


class Index(http.server.BaseHTTPRequestHandler):
    """An index with every package that it is asked for, and the address of warpcheck's wheel."""

    def do_GET(self):
        parts = self.path.strip("/").split("/")
        if parts[0] == "simple":
            self.server.asked.add(parts[1])
            wheel = write_wheel(self.server.folder, parts[1].replace("-", "_"), "9.9")
            body = f'<a href="/files/{wheel.name}">{wheel.name}</a>'.encode()
        else:
            body = (self.server.folder / parts[-1]).read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if parts[0] == "simple" else "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Wheel(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.wheel = write_wheel(self.folder, "warpcheck", VERSION, [
            "Provides-Extra: toolkit\n", 'Requires-Dist: a-compiler; extra == "toolkit"\n'])

    def hand_out(self, service, *options, assignment="transpose"):
        folder = self.folder / f"{service or 'alone'}{len(options)}"
        subprocess.run([PROGRAM, "handout", assignment, folder, *(["--service", service] if service else []), *options],
                       check=True, stdout=subprocess.DEVNULL, env={**os.environ, "WARPCHECK_WHEEL": ""})
        return folder


class Installing(Wheel):
    """Each way to install, with the address of the wheel and without it."""

    def setUp(self):
        super().setUp()
        self.index = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index)
        self.addCleanup(self.index.server_close)
        self.addCleanup(self.index.shutdown)
        threading.Thread(target=self.index.serve_forever, daemon=True).start()
        self.index.folder, self.index.asked = self.folder, set()
        here = f"http://127.0.0.1:{self.index.server_address[1]}"
        self.address = f"{here}/files/{self.wheel.name}"
        # The machine of a service, of which the test needs only Python.
        programs = self.folder / "programs"
        programs.mkdir()
        for name in ("sudo", "apt-get"):
            (programs / name).write_text("#!/bin/sh\n")
            (programs / name).chmod(0o755)
        # A venv with a pip of its own takes seconds: this one shares pip with Python here.
        (programs / "python3").write_text(f"""#!/bin/sh
[ "$1 $2" = "-m venv" ] || exec '{sys.executable}' "$@"
'{sys.executable}' -m venv --without-pip "$3" || exit
printf '#!/bin/sh\\nexec %s -m pip --python %s/bin/python "$@"\\n' '{sys.executable}' "$(realpath "$3")" >"$3/bin/pip"
chmod +x "$3/bin/pip"
""")
        (programs / "python3").chmod(0o755)
        self.environment = {
            "PATH": f"{programs}:{pathlib.Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(self.folder),
            "RUNNER_TEMP": str(self.folder), "AUTOGRADER": str(self.folder), "PIP_INDEX_URL": here + "/simple",
            "PIP_CONFIG_FILE": os.devnull, "PIP_NO_CACHE_DIR": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_RETRIES": "0", "no_proxy": "127.0.0.1"}

    def run_it(self, *command, cwd=None, **variables):
        shutil.rmtree(self.folder / "warpcheck", ignore_errors=True)
        self.index.asked.clear()
        return subprocess.run([str(part) for part in command], cwd=cwd or self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, env={**self.environment, **variables})

    def steps(self, service):
        """Returns the shell lines with which a service installs warpcheck, and the settings of its file."""
        folder = self.hand_out(service)
        if service in ("github", "classroom"):
            (file,) = (folder / ".github/workflows").iterdir()
            return next(step for step in yaml.safe_load(file.read_text())["jobs"]["grade"]["steps"]
                        if step.get("name") == "Install")["run"]
        if service == "gitlab":
            lines = yaml.safe_load((folder / ".gitlab-ci.yml").read_text())["grade"]["before_script"]
            return "\n".join(lines).replace("/opt/warpcheck", str(self.folder / "warpcheck"))
        stage = (folder / "Jenkinsfile").read_text().split("stage('Install')")[1].split("stage(")[0]
        return "\n".join(re.findall(r"sh '(.*)'", stage))

    def check(self, name, script, ends_with_wheel, *without):
        """Runs a script of a service with the address of the wheel, and then with each of `without`."""
        bash = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]
        with self.subTest(name):
            ran = self.run_it(*bash, **ends_with_wheel)
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
            # pip has used the index, and not for warpcheck.
            self.assertEqual(self.index.asked, {"a-compiler"})
            self.assertTrue((self.folder / "warpcheck/bin/warpcheck").exists())
            for variables in without:
                ran = self.run_it(*bash, **variables)
                self.assertNotEqual(ran.returncode, 0)
                self.assertIn("wheel", ran.stdout + ran.stderr)
                self.assertEqual(self.index.asked, set())

    def test_by_name_would_ask_the_index(self):
        # Otherwise the other tests would show nothing.
        self.run_it("python3", "-m", "venv", "warpcheck")
        pip = subprocess.run([self.folder / "warpcheck/bin/pip", "install", "warpcheck[toolkit]"], capture_output=True,
                             text=True, env=self.environment)
        self.assertEqual(pip.returncode, 0, pip.stderr)
        self.assertIn("warpcheck", self.index.asked)

    def test_on_a_service_asks_for_the_wheel(self):
        for service in ("github", "classroom", "gitlab", "jenkins"):
            self.check(service, self.steps(service), {"WARPCHECK_WHEEL": self.address}, {"WARPCHECK_WHEEL": ""}, {})
        course = yaml.safe_load((COURSE / "new/course/.github/workflows/validate.yml").read_text())
        self.check("course", course["jobs"]["validate"]["steps"][2]["run"], {"WARPCHECK_WHEEL": self.address}, {})

    def test_by_the_action_asks_for_the_wheel(self):
        action = yaml.safe_load((TOP / "action.yml").read_text())
        self.assertTrue(action["inputs"]["wheel"]["required"])
        script = action["runs"]["steps"][0]["run"]
        self.check("address", script, {"WHEEL": self.address}, {"WHEEL": "warpcheck"}, {"WHEEL": ""}, {"WHEEL": "https://x"})
        self.check("file", script, {"WHEEL": self.wheel.name}, {"WHEEL": "warpcheck-none.whl"})

    def test_on_gradescope_asks_for_the_wheel(self):
        source = self.folder / "source"
        source.mkdir()
        shutil.copy(self.wheel, source)
        ran = self.run_it("bash", COURSE / "gradescope/setup.sh")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(self.index.asked, {"a-compiler"})

    def test_by_the_handout_asks_for_the_wheel(self):
        digest = "#sha256=" + hashlib.sha256(self.wheel.read_bytes()).hexdigest()
        for address in (self.address, self.address + digest, str(self.wheel)):
            with self.subTest(address):
                student = self.hand_out("github", "--wheel", address)
                ran = self.run_it("make", "install", cwd=student)
                self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
                self.assertEqual(self.index.asked, {"a-compiler"})
                self.assertTrue((student / ".warpcheck/bin/warpcheck").exists())
                # `make check` now takes this program.
                self.assertIn("'.warpcheck/bin/warpcheck' check", self.run_it("make", "-n", "check", cwd=student).stdout)
                (file,) = (student / ".github/workflows").iterdir()
                setting = yaml.safe_load(file.read_text())["jobs"]["grade"]["env"]["WARPCHECK_WHEEL"]
                self.assertEqual(setting, ("file://" if address[0] == "/" else "") + address)
                shutil.rmtree(student)
        changed = self.hand_out("github", "--wheel", self.address + "#sha256=" + "0" * 64)
        ran = self.run_it("make", "install", cwd=changed)
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("HASH", ran.stderr.upper())
        self.assertFalse((changed / ".warpcheck/bin/warpcheck").exists())

    def test_by_a_handout_without_an_address_asks_for_it(self):
        student = self.hand_out("")
        for setting in ([], ["WHEEL=warpcheck"], ["WHEEL=warpcheck-none.whl"]):
            ran = self.run_it("make", "install", *setting, cwd=student)
            self.assertNotEqual(ran.returncode, 0)
            self.assertIn(".whl", ran.stderr)
            self.assertEqual(self.index.asked, set())
        ran = self.run_it("make", "install", f"WHEEL=../{self.wheel.name}", cwd=student)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(self.index.asked, {"a-compiler"})


class Address(Wheel):
    def test_of_the_wheel_is_written_for_every_service(self):
        address = f"https://example.org/a/warpcheck-{VERSION}-py3-none-any.whl"
        for service in SERVICES:
            folder = self.hand_out(service, "--wheel", address)
            texts = texts_in(folder)
            named = {path.name for path, text in texts.items() if address in text}
            self.assertIn("Makefile", named, service)
            if service in SERVICES[:4]:
                self.assertEqual(len(named), 2, service)

    def test_is_refused_if_nobody_could_use_it(self):
        good = f"warpcheck-{VERSION}-py3-none-any.whl"
        for wheel, says in [("warpcheck", "is not the address"), (good, "is not the address"),
                            ("https://example.org/warpcheck", "is not the address"),
                            (f"https://example.org/'; rm -rf x/{good}", "is not the address"),
                            (f"https://example.org/$(x)/{good}", "is not the address"),
                            (f"https://example.org/{good}\n", "is not the address"),
                            ("/wheels/warpcheck-0.0.9-py3-none-any.whl", "the wheel is of warpcheck 0.0.9")]:
            for given in ({"--wheel": wheel}, {"WARPCHECK_WHEEL": wheel}):
                options = [part for name, value in given.items() if name[0] == "-" for part in (name, value)]
                ran = subprocess.run([PROGRAM, "handout", "reduce", self.folder / "x", *options], capture_output=True,
                                     text=True, env={**os.environ, **{k: v for k, v in given.items() if k[0] != "-"}})
                self.assertEqual(ran.returncode, 2, ran.stderr)
                self.assertIn(says, ran.stderr)
                self.assertFalse((self.folder / "x").exists())


def texts_in(folder):
    """Returns the texts of a folder, by their paths, and of the archives in it."""
    texts = {}
    for path in sorted(folder.rglob("*")):
        if path.name.endswith((".tar.gz", ".tar")):
            inside = path.with_name(path.name + ".unpacked")
            shutil.unpack_archive(path, inside)
            texts.update(texts_in(inside))
        elif path.is_file() and path.suffix != ".warp":
            texts[path] = path.read_text()
    return texts


def by_name(text):
    """Returns the places of a text that would have warpcheck by its name from an index of packages."""
    found = []
    for line in text.replace("\\\n", " ").splitlines():
        # With an extra: only a file's ending may come before it, or an address after it.
        found += [line for mark in re.finditer(r"\bwarpcheck\[[\w,{}]+\](?!\s*@)", line)]
        for command in re.finditer(r"\b(?:pip3?|uv pip)['\"]? (?:-\S+ )*(?:install|download|wheel)\b([^;|&`]*)|"
                                   r"\b(?:pipx|uv|uv tool|conda|mamba) (?:install|run|add)\b([^;|&`]*)", line):
            words = re.split(r"[\s,]+", (command[1] or command[2] or "").split("#")[0])
            found += [line for word in words if re.fullmatch(r"['\"(]*warpcheck([=<>~!].*)?['\").:]*", word)]
        found += [line for _ in re.finditer(r"^\s*(?:-\s+)?[\"']?warpcheck\s*[=<>~!]=.*$", line)]  # a list of requirements
    return found


class Names(Wheel):
    def test_are_found(self):
        for text in ["pip install warpcheck", "pip install 'warpcheck[toolkit]'", "run `pip install warpcheck[gpu]`; or",
                     "%pip install --quiet \"warpcheck[toolkit,notebook]\"", "uv pip install -U warpcheck==0.1.0",
                     "pipx run warpcheck", "warpcheck==0.1.0", "  - warpcheck>=0.1", "python3 -m pip install \\\n  warpcheck",
                     '"$RUNNER_TEMP/warpcheck/bin/pip" install "warpcheck[toolkit]"']:
            self.assertTrue(by_name(text), text)
        for text in ['pip install "warpcheck[toolkit] @ $WHEEL"', "pip install './warpcheck-0.1.0-py3-none-any.whl[toolkit]'",
                     "/opt/warpcheck/bin/pip install $(ls /tmp/*.whl)[toolkit]", "warpcheck check a b.cu"]:
            self.assertFalse(by_name(text), text)

    def test_are_in_no_file_that_students_or_services_receive(self):
        read = {}
        for service in ["", *SERVICES]:
            folder = self.hand_out(service)
            read.update(texts_in(folder))
        notebooks = self.folder / "notebooks"
        for options in ([], ["--wheel", f"https://example.org/warpcheck-{VERSION}-py3-none-any.whl"]):
            subprocess.run([sys.executable, "-m", "warpcheck.notebooks", notebooks / f"{len(options)}", *options],
                           check=True, stdout=subprocess.DEVNULL,
                           env={**os.environ, "PYTHONPATH": str(TOP / "python"), "WARPCHECK_PROGRAM": str(PROGRAM),
                                "WARPCHECK_WHEEL": ""})
        read.update({path: "".join("".join(cell["source"]) + "\n" for cell in json.loads(text)["cells"])
                     for path, text in texts_in(notebooks).items()})
        self.assertGreater(len(read), 100)
        for folder in ("ci", "docs", "python", "student_template", "assignments", "labs", "harness"):
            for path in (TOP / folder).rglob("*"):
                if path.is_file() and path.suffix not in (".png", ".jpg", ".gif", ".pyc", ".ico", ".woff2"):
                    read[path] = path.read_text()
        for path in TOP.iterdir():
            if path.is_file():
                read[path] = path.read_text()
        for path, text in read.items():
            self.assertEqual(by_name(text), [], path)


class Files(Wheel):
    """What a handout's texts name is in the student's folder."""

    def test_that_texts_name_are_in_the_folder(self):
        names = [path.parent.name for path in TOP.glob("assignments/*/rubric.toml")]
        self.assertGreater(len(names), 10)
        for name in names:
            folder = self.hand_out("github", assignment=name)
            files = {str(path.relative_to(folder)) for path in folder.rglob("*")}
            comments = "".join(re.findall(r"//.*", (folder / f"{name}.cu").read_text()))
            texts = [(folder / text).read_text() for text in ("HANDOUT.md", "README.md")] + [comments]
            for text in texts:
                code = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
                named = set(re.findall(r"(?<![\w<./-])[\w./-]+\.(?:cu|h|md|warp|svg|png)\b(?!>)", code))
                named = {one for one in named if "://" not in one and not one.startswith(("www.", "/"))}
                named = {one for one in named if not re.match("cooperative_groups|mma|cuda", one)}  # CUDA's headers
                self.assertLessEqual(named, files, name)
                self.assertNotIn("student_template", text)
                self.assertNotIn("SUBMISSION=", text)
            self.assertTrue((folder / "HANDOUT.md").exists())
            shutil.rmtree(folder)


if __name__ == "__main__":
    unittest.main()
