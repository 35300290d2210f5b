"""Grades a file with `warpcheck check`, and gives the grade as an object."""
from __future__ import annotations

import json
import os
import pathlib
import tempfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from .errors import NotFound
from .frames import frame_of
from .installation import PathLike, course_options, error_of, run_command
from .page import part_of

if TYPE_CHECKING:
    import pandas

# A notebook keeps the JSON report under this type. JupyterLab would show application/json instead of the page.
MIME_TYPE = "application/vnd.warpcheck.grade+json"
# The reports of `warpcheck check`, by their options.
FORMATS = ("json", "html", "junit", "gradescope", "classroom", "autolab", "prairielearn", "coursera", "diagnostics",
           "annotations", "summary", "code-quality", "sarif")


@dataclass(frozen=True)
class Complaint:
    """What cost points: a place in the source, what was seen there, and a hint.

    Tests that complain about one mistake make one complaint. Its numbers are those of the first test.
    """

    criterion: str
    """The id of its criterion."""
    file: str
    line: int
    """0 if the complaint is about no line."""
    message: str
    hint: str
    kind: str
    """What it is about, such as "wrong_elements"; the kinds of findings are kinds too."""
    cases: Tuple[str, ...]
    """The short names of the tests that complain about it."""
    data: Mapping[str, Any] = field(repr=False, compare=False)
    """The complaint as in the JSON report; `map` and `access` are pictures' data."""

    @property
    def place(self) -> str:
        """The file and the line, as the report names them."""
        return f"{self.file}:{self.line}" if self.line else self.file

    def __str__(self) -> str:
        where = f"{self.place}: " if self.file else ""
        return where + self.message + (f"\nhint: {self.hint}" if self.hint else "")


@dataclass(frozen=True)
class Criterion:
    """A row of the rubric, and what was earned of it."""

    id: str
    name: str
    points: float
    max_points: float
    verdict: str
    """passed, failed, error, skipped, not measured, or harness fault."""
    reason: str
    complaints: Tuple[Complaint, ...]
    data: Mapping[str, Any] = field(repr=False, compare=False)
    """The criterion as in the JSON report, with its cases."""

    @property
    def earned(self) -> bool:
        return self.points >= self.max_points


@dataclass(frozen=True)
class CompileError:
    """Why the submission does not compile: the first error, and all of what nvcc wrote."""

    message: str
    file: str
    line: int
    log: str


class Grade:
    """The grade of one submission. In a notebook it shows the report's page, elsewhere the terminal's report."""

    def __init__(self, text: str, reports: Mapping[str, str]) -> None:
        self._reports = dict(reports)
        self.text = text
        """The report as a terminal shows it."""
        self.data: Dict[str, Any] = json.loads(reports["json"])
        """The JSON report."""
        self.assignment: str = self.data["assignment"]
        self.submission: str = self.data["submission"]
        self.score: float = self.data["score"]
        self.max_score: float = self.data["max_score"]
        self.is_final: bool = self.data["score_is_final"]
        """False if a counter that the score needs was not measured, or a GPU contradicts the emulator."""
        self.verdict: str = self.data["verdict"]
        self.seed: int = self.data["seed"]
        """Repeats this grading: `check(..., seed=grade.seed)`."""
        self.exactness: str = self.data["exactness"]
        """Whether a GPU would compute the same bits, in a sentence; empty if no kernel ran on the emulator."""
        error = self.data["compile_error"]
        self.compile_error: Optional[CompileError] = CompileError(**error) if error else None
        self.criteria: List[Criterion] = [_criterion(one) for one in self.data["criteria"]]
        self.complaints: List[Complaint] = [one for criterion in self.criteria for one in criterion.complaints]
        """The complaints of all criteria, in the rubric's order."""

    def __getitem__(self, criterion: str) -> Criterion:
        """Returns a criterion by its id: `grade["bank_conflicts"].points`."""
        for one in self.criteria:
            if one.id == criterion:
                return one
        raise KeyError(f"{criterion}: the criteria are {', '.join(one.id for one in self.criteria)}")

    @property
    def full(self) -> bool:
        """True for full marks that are final."""
        return self.is_final and self.score >= self.max_score

    @property
    def fraction(self) -> float:
        """The score as a number from 0 to 1."""
        return self.score / self.max_score if self.max_score else 0.0

    def report(self, format: str) -> str:
        """Returns one of the files that the command writes: see FORMATS."""
        if format not in self._reports:
            raise KeyError(f"{format}: the reports are {', '.join(self._reports)}")
        return self._reports[format]

    def junit(self) -> str:
        """Returns the report as JUnit XML, for CI."""
        return self.report("junit")

    def html(self) -> str:
        """Returns the report as a page for a browser, which needs no other file."""
        return self.report("html")

    def frame(self) -> "pandas.DataFrame":
        """Returns the criteria as a pandas frame, with a row for each."""
        return frame_of([{"id": one.id, "name": one.name, "points": one.points, "max_points": one.max_points,
                          "verdict": one.verdict, "reason": one.reason, "complaints": len(one.complaints)}
                         for one in self.criteria])

    def lines(self) -> "pandas.DataFrame":
        """Returns the counters of each line of each launch as a pandas frame."""
        return frame_of([{"case": launch["case"], "kernel": launch["kernel"], **line}
                         for launch in self.data["launches"] for line in launch["lines"]])

    def __repr__(self) -> str:
        return f"<warpcheck.Grade {self.assignment} {self.submission}: {self.score:g} / {self.max_score:g}>"

    def __str__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, Any]:
        return {"text/plain": self.text, "text/html": part_of(self.html()), MIME_TYPE: self.data}


def _complaint(criterion: str, data: Mapping[str, Any]) -> Complaint:
    return Complaint(criterion, data["file"], data["line"], data["message"], data["hint"], data["kind"],
                     tuple(data["cases"]), data)


def _criterion(data: Mapping[str, Any]) -> Criterion:
    return Criterion(data["id"], data["name"], data["points"], data["max_points"], data["verdict"], data["reason"],
                     tuple(_complaint(data["id"], one) for one in data["complaints"]), data)


def check(assignment: str, submission: PathLike, *, device: Optional[str] = None, target: Optional[int] = None,
          seed: Optional[int] = None, course: Optional[PathLike] = None, trust: Optional[str] = None,
          sandbox: bool = True, experiments: bool = True, staff: bool = False, dump: Optional[PathLike] = None,
          cases: Sequence[str] = (), progress: Optional[Callable[[str], None]] = None) -> Grade:
    """Grades one submission, as `warpcheck check` does.

    `submission` is a .cu file, or a folder with one or more. `device` is auto, emulator or gpu; `target` is the
    compute capability of the emulated GPU, times 10. `seed` repeats an earlier grading. `course` names a course's
    folder or the bundle of an assignment, `trust` the digest that the bundle must have. `sandbox=False` grades
    code that you trust. `experiments=False` does not try where the mistake is. `staff=True` shows hidden criteria,
    which students may not see. `dump` is a folder for the expected, computed and different values of the first wrong
    case, or of the `cases` that you name. `progress` gets
    a line at each step.

    Raises WrongUsage, NotFound, GradingFailed, NotInstalled or Interrupted. A bad mark raises nothing.
    """
    if not os.path.exists(submission):
        raise NotFound(f"no such file or folder: {os.fspath(submission)}")
    options = course_options(course, trust)
    for name, value in (("device", device), ("target", target), ("seed", seed)):
        if value is not None:
            options.append(f"--{name}={value}")
    if not sandbox:
        options.append("--no-sandbox")
    if not experiments:
        options.append("--no-experiments")
    if staff:
        options.append("--staff")
    if dump is not None:
        options.append(f"--dump={os.fspath(dump)}")
    options += [f"--case={case}" for case in cases]
    with tempfile.TemporaryDirectory(prefix="warpcheck-") as name:
        files = {format: pathlib.Path(name) / format for format in FORMATS}
        for format, path in files.items():
            options.append(f"--{format}={path}")
        ended = run_command("check", *options, "--", assignment, os.fspath(submission), progress=progress)
        if not files["json"].exists():
            raise error_of(ended)
        return Grade(ended.stdout, {format: path.read_bytes().decode("utf-8") for format, path in files.items()})


def check_source(assignment: str, source: str, *, name: str = "cell.cu", **options: Any) -> Grade:
    """Grades a text as if it were a file of this name. The options are those of `check`."""
    with tempfile.TemporaryDirectory(prefix="warpcheck-") as folder:
        path = pathlib.Path(folder) / name
        path.write_text(source, "utf-8")
        grade = check(assignment, path, **options)
    # The reports name the file without the folder, which is gone.
    prefix = f"{folder}/"
    return Grade(grade.text.replace(prefix, ""),
                 {format: grade.report(format).replace(prefix, "") for format in FORMATS})
