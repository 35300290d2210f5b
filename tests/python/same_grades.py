"""Compares the grade of the Python package with the command's, field by field.

    same_grades.py [--jobs N] [--done FILE] [<file.cu> ...]

Without files it compares all of tests/submissions, in a random order that is always the same. With --done, it writes
the name of each file that agrees into FILE, and leaves out those that are there already. So it can be stopped and
started again.

Each submission is graded twice, by the package and by the command. The package must give to the byte what its own
command wrote, and must start that command with the same options. Between the two gradings only the times may differ,
and what RUN_BY_RUN names. Such a difference is printed, but is no mistake.
"""
import argparse
import concurrent.futures
import contextlib
import dataclasses
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading
from unittest import mock

import warpcheck

SUBMISSIONS = pathlib.Path(__file__).resolve().parents[1] / "submissions"
SEED = 1
# The fields and attributes with times. Two runs with one seed differ in these.
TIMES = {"seconds", "execution_time"}
# A measured time in a sentence, and its share of a limit: "37.1 s on the host, waiting included (124 %)".
# GitHub's workflow commands write % as %25.
TIME_IN_A_SENTENCE = re.compile(r"\b\d+\.\d+ s\b(?:([^.()]*\()\d+ %(?:25)?\))?")
# Two runs with one seed may also differ in these fields of the JSON report, for the reason that stands here.
RUN_BY_RUN = {
    "host_output": "the program prints what it has measured, or several of its threads print",
    "launches": "several threads of the host launch, in any order",
    "timelines": "they follow the order of the launches",
}
# The fields of a Grade that hold parts of the JSON report as they are.
PARTS = {"criteria", "complaints", "compile_error", "data"}
# Differences of one file that are printed. More of them would tell nothing new.
MOST_SHOWN = 5


def assignment_of(path):
    """Returns the folder below tests/submissions, or below its folder `hostile`."""
    parts = path.relative_to(SUBMISSIONS).parts
    return parts[1] if parts[0] == "hostile" else parts[0]


@dataclasses.dataclass
class Command:
    """What a command was asked and gave: its options, its status, the terminal's report, and the files it wrote."""
    options: list
    status: int
    text: str
    reports: dict

    @classmethod
    def ended(cls, arguments, status, text):
        """Reads the files that the arguments name, and leaves these out of the options."""
        options, reports = [], {}
        for argument in arguments:
            name, _, file = argument.removeprefix("--").partition("=")
            if name in warpcheck.FORMATS:
                path = pathlib.Path(file)
                reports[name] = path.read_bytes().decode() if path.exists() else "(not written)"
            elif argument != "--":
                options.append(argument)
        return cls(sorted(options), status, text, reports)

    @classmethod
    def grades(cls, path):
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["check", assignment_of(path), str(path), "--device=emulator", f"--seed={SEED}",
                         *(f"--{name}={folder}/{name}" for name in warpcheck.FORMATS)]
            ran = subprocess.run([os.environ["WARPCHECK_PROGRAM"], *arguments], capture_output=True)
            return cls.ended(arguments, ran.returncode, ran.stdout.decode())


class Recorder(threading.local):
    """Keeps what the command wrote that the package has started last in this thread."""
    command = None

    @contextlib.contextmanager
    def watching(self):
        start = warpcheck.grades.run_command

        def started(*arguments, **options):
            ended = start(*arguments, **options)
            self.command = Command.ended(arguments, ended.status, ended.stdout)
            return ended

        with mock.patch.object(warpcheck.grades, "run_command", started):
            yield


RECORDER = Recorder()


def shown(value):
    text = json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else repr(value)
    return text if len(text) <= 160 else f"{text[:160]}..."


def apart(where, mine, theirs):
    """Yields the places where two values differ, each with what is there."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for key in sorted(mine.keys() | theirs.keys()):
            yield from apart(f"{where}/{key}", mine.get(key), theirs.get(key))
    elif isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        for number, pair in enumerate(zip(mine, theirs)):
            yield from apart(f"{where}/{number}", *pair)
    elif isinstance(mine, str) and isinstance(theirs, str) and "\n" in mine + theirs:
        yield from apart(where, mine.split("\n"), theirs.split("\n"))
    elif mine != theirs:
        yield f"{where}: {shown(mine)}, from the command {shown(theirs)}"


def without_times(text):
    """Returns a report that two runs with one seed write alike: as data, if it is JSON."""
    def cleaned(value):
        if isinstance(value, dict):
            return {key: cleaned(one) for key, one in value.items() if key not in TIMES}
        if isinstance(value, str):
            return TIME_IN_A_SENTENCE.sub(r"? s\1", value)
        return [cleaned(one) for one in value] if isinstance(value, list) else value

    try:
        return cleaned(json.loads(text))
    except ValueError:
        # The lines of a sentence break elsewhere if a time has more digits.
        return cleaned(re.sub(r"\s+", " ", re.sub(r'(?<= )(time|timestamp)="[^"]*"', "", text)))


def fields(thing):
    """Returns the names of what an object shows, without methods and properties."""
    return {name for name in vars(thing) if not name.startswith("_")}


def unequal(name, thing, data, also=()):
    """Yields the fields of an object that are not those of the same name in the JSON report."""
    for field in sorted(fields(thing) - PARTS - {one for one, _ in also}):
        yield from apart(f"{name}.{field}", getattr(thing, field), data.get(field, "(no such field)"))
    for field, value in also:
        yield from apart(f"{name}.{field}", getattr(thing, field), value)


def differences(grade, command):
    """Yields what of a grade is not what its own command gave. Nothing excuses such a difference."""
    for name in warpcheck.FORMATS:
        yield from apart(f"report {name}", grade.report(name), command.reports[name])
    if (grade.junit(), grade.html(), str(grade)) != (grade.report("junit"), grade.report("html"), grade.text):
        yield "junit(), html() or str() is not the report of that name"
    data = json.loads(command.reports["json"])
    yield from apart("data", grade.data, data)
    yield from unequal("grade", grade, data, [
        ("text", command.text), ("is_final", data["score_is_final"]), ("full", command.status == 0),
        ("fraction", data["score"] / data["max_score"])])

    theirs = data["compile_error"]
    if (grade.compile_error is None) != (theirs is None):
        yield from apart("compile_error", repr(grade.compile_error), theirs)
    elif theirs is not None:
        yield from unequal("compile_error", grade.compile_error, theirs)

    yield from apart("criteria", [one.id for one in grade.criteria], [one["id"] for one in data["criteria"]])
    for mine, theirs in zip(grade.criteria, data["criteria"]):
        yield from unequal(mine.id, mine, theirs, [("earned", theirs["points"] == theirs["max_points"])])
        if grade[mine.id] is not mine:
            yield f"grade[{mine.id}] is another criterion"
        yield from apart(f"{mine.id}.complaints", len(mine.complaints), len(theirs["complaints"]))
        for complaint, said in zip(mine.complaints, theirs["complaints"]):
            place = f"{said['file']}:{said['line']}" if said["line"] else said["file"]
            yield from unequal(f"{mine.id}.complaints", complaint, said, [
                ("criterion", mine.id), ("cases", tuple(said["cases"])), ("place", place)])
    if grade.complaints != [one for criterion in grade.criteria for one in criterion.complaints]:
        yield "complaints are not those of the criteria"


def reasons_of_runs(mine, theirs):
    """Returns what RUN_BY_RUN excuses between two JSON reports, as the place and the reason of each."""
    excused = {key: reason for key, reason in RUN_BY_RUN.items() if mine.get(key) != theirs.get(key)}
    if "launches" not in excused:
        excused.pop("timelines", None)
    elif sorted(map(json.dumps, mine["launches"])) != sorted(map(json.dumps, theirs["launches"])):
        return {}  # not only another order
    return excused


def between_runs(mine, theirs):
    """Compares two gradings. Returns mistakes, and differences that come from the runs themselves."""
    bad = [*apart("options", mine.options, theirs.options), *apart("status", mine.status, theirs.status)]
    data, said = (without_times(one.reports["json"]) for one in (mine, theirs))
    excused = reasons_of_runs(data, said)
    bad += apart("json", *({key: value for key, value in one.items() if key not in excused} for one in (data, said)))
    if not excused:  # else the other reports show the same difference again
        bad += apart("text", without_times(mine.text), without_times(theirs.text))
        for name in warpcheck.FORMATS:
            bad += apart(f"report {name}", *(without_times(one.reports[name]) for one in (mine, theirs)))
    by_run = []
    for key, reason in excused.items():
        place = next(apart(f"json/{key}", data[key], said[key]))
        by_run.append(f"{place} ({reason})")
    return bad, by_run


def compare(path):
    """Grades a file twice. Returns what is wrong, and what differs from run to run."""
    try:
        grade = warpcheck.check(assignment_of(path), path, device="emulator", seed=SEED)
        own = RECORDER.command
        bad, by_run = between_runs(own, Command.grades(path))
        return [*differences(grade, own), *bad], by_run
    except (OSError, ValueError, warpcheck.WarpcheckError) as error:
        return [f"there is no grade: {error!r}"], []


def all_files():
    files = sorted(SUBMISSIONS.rglob("*.cu"))
    random.Random(SEED).shuffle(files)
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--done", type=pathlib.Path, default=os.devnull)
    parser.add_argument("files", nargs="*", type=lambda name: pathlib.Path(name).resolve())
    options = parser.parse_args()
    before = set(options.done.read_text().split()) if options.done.is_file() else set()
    files = [one for one in options.files or all_files() if str(one.relative_to(SUBMISSIONS)) not in before]
    bad = changing = 0
    with open(options.done, "a") as done, RECORDER.watching(), \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for number, (path, (wrong, by_run)) in enumerate(zip(files, pool.map(compare, files)), 1):
            name = path.relative_to(SUBMISSIONS)
            bad += bool(wrong)
            changing += bool(by_run)
            for one in wrong[:MOST_SHOWN]:
                print(f"{name}: differs: {one}", flush=True)
            for one in by_run:
                print(f"{name}: changes from run to run: {one}", flush=True)
            if not wrong:
                print(name, file=done, flush=True)
            if number % 50 == 0:
                print(f"{number} of {len(files)} files, {bad} differ", flush=True)
    print(f"{len(files)} files, {bad} differ, {changing} change from run to run, {len(before)} were compared before")
    return 1 if bad or not files + list(before) else 0


if __name__ == "__main__":
    sys.exit(main())
