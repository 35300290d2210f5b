"""Compares the grade of the Python package with the command's, field by field.

    same_grades.py [<assignment>/<verdict>/<file.cu> ...]     without files: all of tests/submissions
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import warpcheck

SUBMISSIONS = pathlib.Path(__file__).resolve().parents[1] / "submissions"
SEED = 1


def without_times(value):
    """Two runs with one seed differ only in the fields called seconds."""
    if isinstance(value, dict):
        return {key: without_times(one) for key, one in value.items() if key != "seconds"}
    return [without_times(one) for one in value] if isinstance(value, list) else value


def command_grade(assignment, path):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        ran = subprocess.run([os.environ["WARPCHECK_PROGRAM"], "check", assignment, str(path), "--device", "emulator",
                              "--seed", str(SEED), "--json", str(report)], capture_output=True, text=True)
        return ran.stdout, json.loads(report.read_text())


def differences(path):
    """Yields what differs between the two grades of a file."""
    assignment = path.relative_to(SUBMISSIONS).parts[0]
    text, data = command_grade(assignment, path)
    grade = warpcheck.check(assignment, path, device="emulator", seed=SEED)
    if grade.text != text:
        yield "the terminal's report"
    mine, theirs = without_times(grade.data), without_times(data)
    for key in {**mine, **theirs}:
        if mine.get(key) != theirs.get(key):
            yield f"the JSON report's {key}"
    for field, value in (("assignment", data["assignment"]), ("submission", data["submission"]),
                         ("score", data["score"]), ("max_score", data["max_score"]), ("verdict", data["verdict"]),
                         ("seed", data["seed"]), ("is_final", data["score_is_final"])):
        if getattr(grade, field) != value:
            yield f"the grade's {field}"
    if len(grade.criteria) != len(data["criteria"]):
        yield "the number of criteria"
    for mine, theirs in zip(grade.criteria, data["criteria"]):
        for field in ("id", "name", "points", "max_points", "verdict", "reason"):
            if getattr(mine, field) != theirs[field]:
                yield f"{theirs['id']}.{field}"
        said = {(one["file"], one["line"], one["message"], one["hint"]) for case in theirs["cases"]
                for one in [case, *case.get("more", [])] if one["message"]}
        if {(one.file, one.line, one.message, one.hint) for one in mine.complaints} != said:
            yield f"{theirs['id']}.complaints"


def main():
    files = ([SUBMISSIONS / name for name in sys.argv[1:]] or
             sorted(path for path in SUBMISSIONS.glob("*/*/*.cu") if path.parts[-3] != "hostile"))
    bad = 0
    for path in files:
        for difference in differences(path):
            bad += 1
            print(f"{path.relative_to(SUBMISSIONS)}: {difference} differs")
    print(f"{len(files)} files, {bad} differences")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
