"""Compares the grade of the Python package with the command's, field by field.

    same_grades.py [--jobs N] [<file.cu> ...]     without files: all of tests/submissions, in a random order that is
                                                  always the same
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import warpcheck

SUBMISSIONS = pathlib.Path(__file__).resolve().parents[1] / "submissions"
SEED = 1
# The fields and attributes with times. Two runs with one seed differ only in these.
TIMES = {"seconds", "execution_time"}
# The fields that hold parts of the JSON report as they are.
PARTS = {"criteria", "complaints", "compile_error", "data"}


def assignment_of(path):
    """Returns the folder below tests/submissions, or below its folder `hostile`."""
    parts = path.relative_to(SUBMISSIONS).parts
    return parts[1] if parts[0] == "hostile" else parts[0]


@dataclasses.dataclass
class Command:
    """What the command gave: its status, the terminal's report, and the text of each file that it wrote."""
    status: int
    text: str
    reports: dict

    @classmethod
    def grades(cls, path, *options):
        with tempfile.TemporaryDirectory() as folder:
            files = {name: pathlib.Path(folder) / name for name in warpcheck.FORMATS}
            ran = subprocess.run([os.environ["WARPCHECK_PROGRAM"], "check", assignment_of(path), str(path), "--device",
                                  "emulator", "--seed", str(SEED), *options,
                                  *(f"--{name}={file}" for name, file in files.items())], capture_output=True)
            return cls(ran.returncode, ran.stdout.decode(),
                       {name: file.read_bytes().decode() for name, file in files.items()})


def without_times(text):
    """Returns a report that two runs with one seed write alike: as data, if it is JSON."""
    def cleaned(value):
        if isinstance(value, dict):
            return {key: cleaned(one) for key, one in value.items() if key not in TIMES}
        return [cleaned(one) for one in value] if isinstance(value, list) else value

    try:
        return cleaned(json.loads(text))
    except ValueError:
        return re.sub(r'(?<= )(time|timestamp)="[^"]*"', "", text)


def fields(thing):
    """Returns the names of what an object shows, without methods and properties."""
    return {name for name in vars(thing) if not name.startswith("_")}


def unequal(name, thing, data, also=()):
    """Yields the fields of an object that are not those of the same name in the JSON report."""
    for field in sorted(fields(thing) - PARTS - {one for one, _ in also}):
        if field not in data or getattr(thing, field) != data[field]:
            yield f"{name}.{field}"
    for field, value in also:
        if getattr(thing, field) != value:
            yield f"{name}.{field}"


def differences(grade, command):
    """Yields what of a grade is not what the command gave."""
    for name in warpcheck.FORMATS:
        if without_times(grade.report(name)) != without_times(command.reports[name]):
            yield f"the report {name}"
    if (grade.junit(), grade.html(), str(grade)) != (grade.report("junit"), grade.report("html"), grade.text):
        yield "the text of a function"
    data = json.loads(command.reports["json"])
    if without_times(json.dumps(grade.data)) != without_times(json.dumps(data)):
        yield "data"
    yield from unequal("grade", grade, data, [
        ("text", command.text), ("is_final", data["score_is_final"]), ("full", command.status == 0),
        ("fraction", data["score"] / data["max_score"])])

    theirs = data["compile_error"]
    if (grade.compile_error is None) != (theirs is None):
        yield "compile_error"
    elif theirs is not None:
        yield from unequal("compile_error", grade.compile_error, theirs)

    if [one.id for one in grade.criteria] != [one["id"] for one in data["criteria"]]:
        yield "the criteria"
    for mine, theirs in zip(grade.criteria, data["criteria"]):
        yield from unequal(mine.id, mine, theirs, [("earned", theirs["points"] == theirs["max_points"])])
        if grade[mine.id] is not mine:
            yield f"grade[{mine.id}]"
        if len(mine.complaints) != len(theirs["complaints"]):
            yield f"{mine.id}.complaints"
        for complaint, said in zip(mine.complaints, theirs["complaints"]):
            place = f"{said['file']}:{said['line']}" if said["line"] else said["file"]
            yield from unequal(f"{mine.id}.complaints", complaint, said, [
                ("criterion", mine.id), ("cases", tuple(said["cases"])), ("place", place)])
    if grade.complaints != [one for criterion in grade.criteria for one in criterion.complaints]:
        yield "complaints"


def differences_of_file(path):
    """Grades a file twice, and returns what differs."""
    try:
        grade = warpcheck.check(assignment_of(path), path, device="emulator", seed=SEED)
        return list(differences(grade, Command.grades(path)))
    except (OSError, ValueError, warpcheck.WarpcheckError) as error:
        return [f"there is no grade: {error!r}"]


def all_files():
    files = sorted(SUBMISSIONS.rglob("*.cu"))
    random.Random(SEED).shuffle(files)
    return files


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("files", nargs="*", type=lambda name: pathlib.Path(name).resolve())
    options = parser.parse_args()
    files = options.files or all_files()
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for number, (path, found) in enumerate(zip(files, pool.map(differences_of_file, files)), 1):
            bad += bool(found)
            for one in found:
                print(f"{path.relative_to(SUBMISSIONS)}: {one} differs", flush=True)
            if number % 50 == 0:
                print(f"{number} of {len(files)} files, {bad} differ", flush=True)
    print(f"{len(files)} files, {bad} differ")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
