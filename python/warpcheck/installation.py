"""Finds the programs of warpcheck, asks them what they have, and makes exceptions of their exit statuses."""
from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import tempfile
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Union

from .child import Complaint, Ended, call
from .errors import GradingFailed, Interrupted, NotFound, NotInstalled, WarpcheckError, WrongUsage

PathLike = Union[str, "os.PathLike[str]"]

USAGE, FAULT, INTERRUPTED = 2, 3, 130


def program() -> str:
    """Returns the path of the command: WARPCHECK_PROGRAM, that of this package, or one on PATH."""
    named = os.environ.get("WARPCHECK_PROGRAM")
    if named:
        return named
    own = pathlib.Path(__file__).resolve().parent / "installed/lib/warpcheck/warpcheck"
    found = str(own) if own.exists() else shutil.which("warpcheck")
    if found is None:
        raise NotInstalled("the command warpcheck is not there: install the wheel, or set WARPCHECK_PROGRAM "
                           "to the path of the command")
    return found


def run_command(*arguments: str, **options: object) -> Ended:
    """Runs the command with these arguments. The options are those of `call`."""
    with tempfile.TemporaryDirectory(prefix="warpcheck-") as folder:
        file = pathlib.Path(folder) / "error.json"
        try:
            ended = call([program(), *arguments], environment={"WARPCHECK_ERROR_FILE": str(file)},
                         **options)  # type: ignore[arg-type]
        except OSError as error:
            raise NotInstalled(f"{error.filename or program()} cannot be started: {error.strerror}") from error
        if file.exists():
            ended.error = Complaint(**json.loads(file.read_text("utf-8")))
    return ended


def message_of(ended: Ended) -> str:
    """Returns what the command complained about, without its own name."""
    text = ended.error.printed if ended.error else ended.stderr.strip() or ended.stdout.strip()
    return re.sub(r"^(warpcheck: )?(error: )?", "", text).strip()


def error_of(ended: Ended) -> WarpcheckError:
    """Returns the exception for a command that has given no report."""
    message = message_of(ended)
    if ended.status == USAGE:
        missing = ended.error is not None and ended.error.kind == "not_found"
        return (NotFound if missing else WrongUsage)(message)
    if ended.status < 0 or ended.status == INTERRUPTED:
        return Interrupted("the command was ended by a signal before it had a result")
    return GradingFailed(message or f"the command ended with status {ended.status}")


def course_options(course: Optional[PathLike], trust: Optional[str]) -> List[str]:
    """Returns the options that name a course's folder, or the bundle of an assignment and its digest."""
    options = [] if course is None else ["--course", os.fspath(course)]
    return options if trust is None else [*options, "--trust", trust]


def _listed(command: str, key: str, course: Optional[PathLike], trust: Optional[str]) -> List[Dict[str, Any]]:
    """Returns the entries of the JSON file that a command writes which lists something."""
    with tempfile.TemporaryDirectory(prefix="warpcheck-") as folder:
        file = pathlib.Path(folder) / "list.json"
        ended = run_command(command, *course_options(course, trust), f"--json={file}")
        if not file.exists():
            raise error_of(ended)
        entries: List[Dict[str, Any]] = json.loads(file.read_text("utf-8"))[key]
        return entries


@dataclass(frozen=True)
class Assignment:
    """An assignment that this warpcheck has."""

    name: str
    title: str
    points: float
    course: str
    """The folder of its course, or the bundle."""
    error: Optional[str] = None
    """Why it cannot be graded, if its rubric is broken; then it has no title and no points. Otherwise None."""


def assignments(course: Optional[PathLike] = None, trust: Optional[str] = None) -> List[Assignment]:
    """Returns the assignments of this warpcheck and of a course, also those with a broken rubric.

    `course` and `trust` are those of `check`.
    """
    return [Assignment(**entry) for entry in _listed("list", "assignments", course, trust)]


@dataclass(frozen=True)
class LabName:
    """A lab that this warpcheck has."""

    name: str
    title: str
    folder: str
    error: Optional[str] = None
    """Why it cannot be run, if its lab.toml is broken; then it has no title. Otherwise None."""


def labs(course: Optional[PathLike] = None, trust: Optional[str] = None) -> List[LabName]:
    """Returns the labs of this warpcheck and of a course, also those with a broken lab.toml."""
    return [LabName(**entry) for entry in _listed("lab", "labs", course, trust)]


def version() -> str:
    """Returns the version of the command."""
    ended = run_command("--version")
    if ended.status:
        raise error_of(ended)
    return ended.stdout.split()[-1]
