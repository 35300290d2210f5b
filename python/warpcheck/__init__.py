"""Grades and runs CUDA kernels from Python and in notebooks.

    import warpcheck
    grade = warpcheck.check("transpose", "my_transpose.cu")
    grade.score, grade.complaints

In a notebook, `%load_ext warpcheck` adds the magics `%%warpcheck` and `%%cuda_run`. The functions start the
programs of warpcheck and read their reports; nothing is graded in Python.
"""
from __future__ import annotations

from typing import Any

from .classes import Batch, batch
from .errors import BuildFailed, GradingFailed, Interrupted, NotFound, NotInstalled, WarpcheckError, WrongUsage
from .grades import FORMATS, CompileError, Complaint, Criterion, Grade, check, check_source
from .installation import Assignment, LabName, assignments, labs, version
from .lecture_labs import Lab, lab
from .runs import Access, Finding, Kernel, Line, Run, run, run_source, trace

__all__ = [
    "FORMATS", "Access", "Assignment", "Batch", "BuildFailed", "CompileError", "Complaint", "Criterion", "Finding",
    "Grade", "GradingFailed", "Interrupted", "Kernel", "Lab", "LabName", "Line", "NotFound", "NotInstalled", "Run",
    "WarpcheckError", "WrongUsage", "assignments", "batch", "check", "check_source", "lab", "labs", "run",
    "run_source", "trace", "version",
]


def load_ipython_extension(shell: Any) -> None:
    """Adds the magics: `%load_ext warpcheck`."""
    from .magics import load

    load(shell)
