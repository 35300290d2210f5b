"""Grades and runs CUDA kernels from Python and in notebooks.

    import warpcheck
    grade = warpcheck.check("transpose", "my_transpose.cu")
    grade.score, grade.complaints

In a notebook, `%load_ext warpcheck` adds the magics `%%warpcheck` and `%%cuda_run`. The functions start the
programs of warpcheck and read their reports; nothing is graded in Python.
"""
from __future__ import annotations

from .errors import BuildFailed, GradingFailed, Interrupted, NotFound, NotInstalled, WarpcheckError, WrongUsage
from .grades import FORMATS, CompileError, Complaint, Criterion, Grade, check, check_source
from .installation import Assignment, LabName, assignments, labs, version

__all__ = [
    "FORMATS", "Assignment", "BuildFailed", "CompileError", "Complaint", "Criterion", "Grade", "GradingFailed",
    "Interrupted", "LabName", "NotFound", "NotInstalled", "WarpcheckError", "WrongUsage", "assignments", "check",
    "check_source", "labs", "version",
]
