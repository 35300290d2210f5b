"""Grades a class with `warpcheck batch`, and gives its marks as an object."""
from __future__ import annotations

import csv
import json
import os
import pathlib
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional

from .errors import NotFound
from .frames import frame_of
from .installation import PathLike, course_options, error_of, run_command

if TYPE_CHECKING:
    import pandas


class Batch:
    """The grades of a class, and the folder with their files."""

    def __init__(self, folder: pathlib.Path, text: str, remarks: str, complete: bool) -> None:
        self.folder = folder
        """Has the files of docs/batch.md: grades.csv, index.html, students/, ..."""
        self.text = text
        """What the command says at its end."""
        self.remarks = remarks
        """What it complains about: submissions that it could not grade, for example."""
        self.complete = complete
        """True if every student has a final score, and every submission could be read."""
        with open(folder / "grades.csv", encoding="utf-8", newline="") as file:
            self.rows: List[Dict[str, str]] = list(csv.DictReader(file))
        """The lines of grades.csv, one for each student, as texts."""

    def grade(self, student: str) -> Dict[str, Any]:
        """Returns the JSON report that the student of this id may see."""
        path = self.folder / "json" / f"{student}.json"
        if not path.is_file():
            raise NotFound(f"{student} has no grade in {self.folder}")
        data: Dict[str, Any] = json.loads(path.read_text("utf-8"))
        return data

    def html(self) -> str:
        """Returns the page of the class. Its links lead to other files of the folder."""
        return (self.folder / "index.html").read_text("utf-8")

    def frame(self) -> "pandas.DataFrame":
        """Returns the lines of grades.csv as a pandas frame."""
        return frame_of(self.rows)

    def __repr__(self) -> str:
        return f"<warpcheck.Batch {self.folder}: {len(self.rows)} students>"

    def __str__(self) -> str:
        return self.text


def _progress(folder: pathlib.Path) -> Optional[Dict[str, Any]]:
    """Returns the contents of progress.json with the time at which it was written, or None if there is none."""
    file = folder / "progress.json"
    if not file.is_file():
        return None
    return {**json.loads(file.read_text("utf-8")), "written": file.stat().st_mtime_ns}


def batch(assignment: str, submissions: PathLike, out: PathLike, *, rules: Optional[PathLike] = None,
          resume: bool = False, regrade: Optional[str] = None, only: Optional[str] = None,
          jobs: Optional[int] = None, device: Optional[str] = None, executor: Optional[str] = None,
          slurm_options: Optional[str] = None, seed: Optional[int] = None, course: Optional[PathLike] = None,
          trust: Optional[str] = None, sandbox: bool = True, experiments: bool = True,
          similar: bool = False, leaderboard: Optional[PathLike] = None,
          progress: Optional[Callable[[str], None]] = None) -> Batch:
    """Grades a class, as `warpcheck batch` does.

    `submissions` is a folder or an archive, `out` the folder for grades and reports, `rules` a class.toml. The other
    options are those of docs/batch.md, with `_` for `-`. `progress` gets a line for each step.

    Raises WrongUsage, NotFound, GradingFailed, NotInstalled or Interrupted; the grades so far are kept in `out`, and
    `resume=True` continues. A bad mark raises nothing, nor does a submission that could not be graded: see `complete`.
    """
    if not os.path.exists(submissions):
        raise NotFound(f"no such file or folder: {os.fspath(submissions)}")
    options = course_options(course, trust)
    for name, value in (("class", rules), ("regrade", regrade), ("only", only), ("jobs", jobs), ("device", device),
                        ("executor", executor), ("slurm-options", slurm_options), ("seed", seed),
                        ("leaderboard", leaderboard)):
        if value is not None:
            options.append(f"--{name}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    for name, flag in (("resume", resume), ("no-sandbox", not sandbox), ("no-experiments", not experiments),
                       ("similar", similar)):
        if flag:
            options.append(f"--{name}")
    folder = pathlib.Path(out)
    before = _progress(folder)
    ended = run_command("batch", *options, f"--out={os.fspath(out)}", "--", assignment, os.fspath(submissions),
                        progress=progress)
    end = _progress(folder)
    if end is None or end == before or end["state"] != "done":
        raise error_of(ended)
    return Batch(folder, ended.stdout, ended.stderr, complete=ended.status == 0 and end["graded"] == end["total"])
