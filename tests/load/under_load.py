#!/usr/bin/env python3
"""Grades one class three times: on an idle machine, beside busy processes of higher priority, and
while every third compiler process is killed. --resume then grades the rest on the
idle machine. Every score must be the same all three times, and none may be missing.

    under_load.py build/warpcheck [--submissions 40] [--busy 16] [--seed 1]
"""
import argparse
import csv
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
# The compiler processes that work. A compilation starts a few of them, so some are not killed.
COMPILERS = {"cicc", "ptxas", "cc1plus"}
NO_PROGRAM = {"does_not_compile", "empty"}  # the names of killed compilers must not look like these


def write_class(folder, count):
    """Makes submissions of all verdicts in turn, each new to the compiler."""
    kinds = sorted(path for verdict in ("passed", "failed", "error")
                   for path in (SOURCE / "tests/submissions/transpose" / verdict).glob("*.cu")
                   if "// final: no" not in path.read_text())
    random.Random(7).shuffle(kinds)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        remark = f"// {number}\n" if kind.stem in NO_PROGRAM else (
            f"__device__ int student_{number}(int x) {{ return x * {number} + 1; }}\n")
        (folder / f"{kind.stem}_{number}.cu").write_text(kind.read_text() + "\n" + remark)


class Batch:
    """Runs a batch with its own build cache, so that everything is compiled."""

    def __init__(self, program, work, name):
        self.program, self.work, self.out = program, work, work / name
        self.environment = os.environ | {"WARPCHECK_CACHE": str(work / f"cache-{name}")}

    def run(self, *options, nice=0):
        command = [self.program, "batch", "transpose", str(self.work / "class"), "--out",
                   str(self.out), "--device", "emulator", "--seed", "1", *options]
        before = (lambda: os.nice(nice)) if nice else None
        start = time.monotonic()
        ended = subprocess.run(command, env=self.environment, preexec_fn=before,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(f"  {self.out.name}: status {ended.returncode}, {len(self.scores())} scores, "
              f"{time.monotonic() - start:.0f} s", flush=True)
        if ended.returncode not in (0, 3):
            sys.exit(ended.stdout)
        return ended

    def scores(self):
        """Returns the scores that were given, by id."""
        with open(self.out / "grades.csv", newline="") as file:
            return {row["id"]: row["score"] for row in csv.DictReader(file) if row["score"]}


class Busy:
    """Starts processes that compute all the time, with a higher priority than the batch."""

    def __init__(self, count):
        self.higher = os.geteuid() == 0
        before = (lambda: os.nice(-5)) if self.higher else None
        self.processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"],
                                           preexec_fn=before) for _ in range(count)]

    @property
    def nice(self):
        """Returns the priority of the batch beside them."""
        return 0 if self.higher else 10

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


class Killer(threading.Thread):
    """Kills every third compiler process that it sees below a process, after a moment."""

    def __init__(self, root, seed):
        super().__init__(daemon=True)
        self.root, self.random = root, random.Random(seed)
        self.seen, self.killed, self.over = set(), 0, threading.Event()

    @staticmethod
    def facts(pid):
        """Returns the name, parent and start of a process."""
        with open(f"/proc/{pid}/stat") as file:
            name, rest = file.read().split("(", 1)[1].rsplit(")", 1)
        fields = rest.split()
        return name, int(fields[1]), fields[19]

    def look(self):
        parents, compilers = {}, []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                name, parent, start = self.facts(pid)
            except (OSError, IndexError):
                continue
            parents[int(pid)] = parent
            if name in COMPILERS:
                compilers.append((int(pid), start))
        for pid, start in compilers:
            above = pid
            while above in parents and above != self.root:
                above = parents[above]
            if above == self.root and (pid, start) not in self.seen:
                self.seen.add((pid, start))
                if self.random.randrange(3) == 0:
                    self.kill(pid)

    def kill(self, pid):
        try:
            os.kill(pid, signal.SIGKILL)
            self.killed += 1
        except ProcessLookupError:
            pass

    def run(self):
        while not self.over.wait(0.002):
            self.look()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.join()


def differences(expected, found):
    return [f"{name}: {expected.get(name, 'none')} on an idle machine, {score} here"
            for name, score in sorted(found.items()) if expected.get(name) != score]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--submissions", type=int, default=40)
    parser.add_argument("--busy", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(prefix="warpcheck-load-"))
    try:
        return judge(options, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def judge(options, work):
    (work / "class").mkdir()
    write_class(work / "class", options.submissions)
    program = str(options.program.resolve())
    problems = []

    print("idle")
    idle = Batch(program, work, "idle")
    idle.run()
    expected = idle.scores()
    if len(expected) != options.submissions:
        problems.append(f"{options.submissions - len(expected)} have no score on an idle machine")

    print(f"beside {options.busy} busy processes of higher priority")
    busy = Batch(program, work, "busy")
    with Busy(options.busy) as load:
        busy.run(nice=load.nice)
    problems += differences(expected, busy.scores())

    print("while compilers are killed")
    killed = Batch(program, work, "killed")
    with Killer(os.getpid(), options.seed) as killer:
        killed.run()
    print(f"  {killer.killed} of {len(killer.seen)} compiler processes were killed")
    if killer.killed == 0:
        problems.append("no compiler was killed: nothing was tried")
    problems += differences(expected, killed.scores())

    print("what is missing, by --resume on the idle machine")
    for batch in (busy, killed):
        batch.run("--resume")
        scores = batch.scores()
        problems += differences(expected, scores)
        problems += [f"{name} has no score after --resume" for name in sorted(expected)
                     if name not in scores]
    for problem in problems:
        print("error:", problem)
    print(f"{options.submissions} submissions, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
