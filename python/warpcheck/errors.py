"""The exceptions of this package. A lost point is none: it is in the grade."""
from __future__ import annotations

from typing import List


class WarpcheckError(Exception):
    """The base of all exceptions of this package. Its text says what is wrong and what to do."""

    def _render_traceback_(self) -> List[str]:
        # IPython shows these lines instead of a traceback, which says nothing about a student's file.
        return [f"{type(self).__name__}: {self}"]


class WrongUsage(WarpcheckError):
    """An option or an argument is wrong (exit status 2 of the command)."""


class NotFound(WrongUsage):
    """The file, the course, the assignment or the lab does not exist."""


class NotInstalled(WarpcheckError):
    """The programs of warpcheck, or a package for Python that a function needs, are not there."""


class BuildFailed(WarpcheckError):
    """nvcc could not build the program of `run`. `log` is what it wrote."""

    def __init__(self, message: str, log: str) -> None:
        super().__init__(message)
        self.log = log

    def __str__(self) -> str:
        return "\n".join(part for part in (self.args[0], self.log.rstrip()) if part)


class GradingFailed(WarpcheckError):
    """warpcheck itself, or the machine, prevented a grade or a report (exit status 3)."""


class Interrupted(WarpcheckError):
    """Somebody ended the command by a signal. Ctrl-C here is a KeyboardInterrupt, as anywhere in Python."""
