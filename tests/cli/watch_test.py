#!/usr/bin/env python3
"""watch_test.py <warpcheck>: tests `warpcheck check --watch`."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

WARPCHECK = sys.argv.pop()
TOP = pathlib.Path(__file__).resolve().parents[2]
NAIVE = (TOP / "tests/submissions/transpose/failed/naive.cu").read_text()
RIGHT = (TOP / "reference/transpose.cu").read_text()
RELOADS = '<meta http-equiv="refresh"'
LIMIT = 280  # in seconds: ends a test that waits for a line that does not come


class Watched:
    """A running `warpcheck check --watch`."""

    def __init__(self, submission, *options):
        self.process = subprocess.Popen([WARPCHECK, "check", "transpose", submission, "--watch", "--device", "emulator",
                                         *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.timer = threading.Timer(LIMIT, self.process.kill)
        self.timer.start()

    def until(self, text):
        """Returns what is printed up to the line with this text."""
        said = ""
        for line in self.process.stdout:
            said += line
            if text in line:
                return said
        raise AssertionError(f"it ended without {text!r}:\n{said}")

    def report(self):
        return self.until("Watching ")

    def end(self, how=signal.SIGINT):
        self.process.send_signal(how)
        return self.ended()[0]

    def ended(self):
        said = self.process.stdout.read()
        status = self.process.wait()
        return status, said

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.timer.cancel()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def replace(path, text):
    """Saves a file as editors do: a new file takes the place of the old one."""
    new = path.with_name(f".{path.name}.new")
    new.write_text(text)
    os.replace(new, path)


class Watch(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.mine = self.folder / "mine.cu"
        self.mine.write_text(NAIVE)
        self.page = self.folder / "page.html"

    def test_grades_each_save_and_says_what_changed(self):
        with Watched(self.mine, "--html", self.page) as watched:
            first = watched.report()
            self.assertIn("Score 60 / 100", first)
            self.assertNotIn("Since the last time", first)
            self.assertIn(RELOADS, self.page.read_text())

            replace(self.mine, RIGHT)
            second = watched.report()
            self.assertIn("Saved: mine.cu", second)
            self.assertIn("Score: 60 before, now 100 of 100", second)
            self.assertIn("Gained: ", second)
            self.assertIn("Gone: mine.cu:", second)
            page = self.page.read_text()
            self.assertIn("Score: 60 before, now 100 of 100", page)
            self.assertIn(RELOADS, page)

            self.mine.write_text(NAIVE)
            third = watched.report()
            self.assertIn("Score: 100 before, now 60 of 100", third)
            self.assertIn("Lost: ", third)
            self.assertIn("New: mine.cu:", third)
            seeds = {line for said in (first, second, third) for line in said.splitlines() if ", seed " in line}
            self.assertEqual(len(seeds), 1, "one seed for all, so that only the program changes")
            self.assertEqual(watched.end(), 1, "the status of the last grade")
        page = self.page.read_text()
        self.assertNotIn(RELOADS, page)
        self.assertIn("Score: 100 before, now 60 of 100", page)

    def test_grades_again_what_was_saved_during_a_grade(self):
        with Watched(self.mine) as watched:
            watched.report()
            replace(self.mine, RIGHT)
            watched.until("Saved: ")  # the grade of the first save begins now
            replace(self.mine, NAIVE)
            watched.report()
            self.assertIn("Score 60 / 100", watched.report())
            replace(self.mine, RIGHT)
            self.assertIn("Score: 60 before, now 100 of 100", watched.report())
            self.assertEqual(watched.end(signal.SIGTERM), 0)

    def test_compares_with_the_last_program_that_compiled(self):
        with Watched(self.mine) as watched:
            watched.report()
            self.mine.write_text(NAIVE.replace("rows && col", "rowz && col"))
            self.assertIn("It does not compile any more: mine.cu:8: identifier \"rowz\" is undefined", watched.report())
            self.mine.write_text(RIGHT)
            self.assertIn("Score: 60 before, now 100 of 100", watched.report())
            self.assertEqual(watched.end(), 0)

    def test_watches_the_headers_of_a_folder(self):
        work = self.folder / "work"
        work.mkdir()
        (work / "mine.cu").write_text('#include "body.cuh"\n')
        (work / "body.cuh").write_text(NAIVE)
        with Watched(work, "--html", work / "page.html") as watched:
            self.assertIn("Score 60 / 100", watched.report())
            replace(work / "body.cuh", RIGHT)
            said = watched.report()
            self.assertIn("Saved: body.cuh", said)
            self.assertIn("Score 100 / 100", said)
            self.assertEqual(watched.end(), 0)

    def test_waits_for_a_file_that_is_gone_and_ends_with_its_folder(self):
        work = self.folder / "work"
        work.mkdir()
        mine = work / "mine.cu"
        mine.write_text(NAIVE)
        with Watched(mine) as watched:
            watched.report()
            mine.unlink()
            watched.until("mine.cu is gone: waiting until it is there again")
            mine.write_text(RIGHT)
            self.assertIn("Score: 60 before, now 100 of 100", watched.report())
            mine.write_bytes(b"\0" * 2_000_000)
            watched.report()  # what cannot be graded is said, and the next save is graded
            mine.write_text(NAIVE)
            self.assertIn("Score: 100 before, now 60 of 100", watched.report())
            shutil.rmtree(work)
            status, said = watched.ended()
            self.assertEqual(status, 2, said)
            self.assertIn(f"the folder {work} is gone", said)

    def test_refuses_what_it_cannot_watch(self):
        other = self.folder / "other.cu"
        for submissions, why in (((self.folder / "none.cu",), "no such file or folder"),
                                 ((self.mine, other), f"2 are named: {self.mine}, {other}")):
            ran = subprocess.run([WARPCHECK, "check", "transpose", *submissions, "--watch"], capture_output=True,
                                 text=True, timeout=LIMIT)
            self.assertEqual(ran.returncode, 2, ran.stderr)
            self.assertIn(why, ran.stderr)


if __name__ == "__main__":
    unittest.main()
