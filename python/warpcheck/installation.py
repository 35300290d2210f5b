"""Finds the programs of warpcheck, asks them what they have, and makes exceptions of their exit statuses."""
from __future__ import annotations

import os
import pathlib
import re
import shutil
from dataclasses import dataclass
from typing import List, Optional, Union

from .child import Ended, call
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
    try:
        return call([program(), *arguments], **options)  # type: ignore[arg-type]
    except OSError as error:
        raise NotInstalled(f"{error.filename or program()} cannot be started: {error.strerror}") from error


def home() -> pathlib.Path:
    """Returns the folder that holds `assignments/`, `student_template/` and `labs/` of this warpcheck."""
    command = pathlib.Path(program()).resolve()
    for folder in (os.environ.get("WARPCHECK_HOME"), command.parents[2] / "share/warpcheck", command.parents[1]):
        if folder and (pathlib.Path(folder) / "assignments").is_dir():
            return pathlib.Path(folder)
    raise NotInstalled(f"there are no assignments beside {command}")


def message_of(ended: Ended) -> str:
    """Returns what the command complained about, without its own name."""
    text = ended.stderr.strip() or ended.stdout.strip()
    return re.sub(r"^(warpcheck: )?(error: )?", "", text)


def error_of(ended: Ended) -> WarpcheckError:
    """Returns the exception for a command that has given no report."""
    message = message_of(ended)
    if ended.status == USAGE:
        missing = re.match(r"there is no (assignment|lab|program)|no such file", message)
        return (NotFound if missing else WrongUsage)(message)
    if ended.status < 0 or ended.status == INTERRUPTED:
        return Interrupted("the command was ended by a signal before it had a result")
    return GradingFailed(message or f"the command ended with status {ended.status}")


def course_options(course: Optional[PathLike], trust: Optional[str]) -> List[str]:
    """Returns the options that name a course's folder, or the bundle of an assignment and its digest."""
    options = [] if course is None else ["--course", os.fspath(course)]
    return options if trust is None else [*options, "--trust", trust]


@dataclass(frozen=True)
class Assignment:
    """An assignment that this warpcheck can grade."""

    name: str
    title: str
    points: float
    course: str
    """The folder of its course."""


def assignments(course: Optional[PathLike] = None) -> List[Assignment]:
    """Returns the assignments of this warpcheck, after those of a course."""
    ended = run_command("list", *course_options(course, None))
    if ended.status:
        raise error_of(ended)
    rows = re.findall(r"^(\S+) +(.*) \(([\d.,]+) points?\), in (.*)$", ended.stdout, re.MULTILINE)
    return [Assignment(name, title, float(points.replace(",", "")), folder) for name, title, points, folder in rows]


@dataclass(frozen=True)
class LabName:
    """A lab that this warpcheck can run."""

    name: str
    title: str


def labs(course: Optional[PathLike] = None) -> List[LabName]:
    """Returns the labs of this warpcheck, and those of a course."""
    ended = run_command("lab", *course_options(course, None))
    if ended.status:
        raise error_of(ended)
    return [LabName(*line.split(None, 1)) for line in ended.stdout.splitlines() if line.strip()]


def version() -> str:
    """Returns the version of the command."""
    ended = run_command("--version")
    if ended.status:
        raise error_of(ended)
    return ended.stdout.split()[-1]
