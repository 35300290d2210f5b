"""Runs a lab of a lecture with `warpcheck lab`, and gives its table and figures as an object."""
from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Union

from .frames import frame_of
from .installation import PathLike, course_options, error_of, run_command
from .page import part_of

if TYPE_CHECKING:
    import pandas

# A notebook keeps the JSON report under this type. JupyterLab would show application/json instead of the page.
MIME_TYPE = "application/vnd.warpcheck.lab+json"


class Lab:
    """The measurements of a lab. In a notebook it shows the page with figures, elsewhere the table."""

    def __init__(self, text: str, data: str, page: str, csv: str, figures: Sequence[str]) -> None:
        self._html = page
        self._csv = csv
        self.text = text
        """The table as a terminal shows it."""
        self.data: Dict[str, Any] = json.loads(data)
        """The JSON report."""
        self.name: str = self.data["lab"]
        self.title: str = self.data["title"]
        self.device: str = self.data["device"]
        self.rows: List[Dict[str, Any]] = self.data["rows"]
        """The table: the axes, the variant, and the columns by their names."""
        self.notes: List[str] = self.data["notes"]
        self.fault: Optional[str] = self.data.get("fault")
        """Why the lab ended early, after the rows that are there; else None."""
        self.figures: List[str] = list(figures)
        """The figures as SVG."""

    def html(self) -> str:
        """Returns the page for a browser, which needs no other file."""
        return self._html

    def csv(self) -> str:
        """Returns the table as CSV."""
        return self._csv

    def frame(self) -> "pandas.DataFrame":
        """Returns the table as a pandas frame."""
        return frame_of(self.rows)

    def __repr__(self) -> str:
        return f"<warpcheck.Lab {self.name} on {self.device}: {len(self.rows)} rows>"

    def __str__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, Any]:
        return {"text/plain": self.text, "text/html": part_of(self._html), MIME_TYPE: self.data}


def lab(name: PathLike, *, device: Optional[str] = None,
        sets: Optional[Mapping[str, Sequence[Union[int, str]]]] = None, course: Optional[PathLike] = None,
        trust: Optional[str] = None) -> Lab:
    """Runs a lab, as `warpcheck lab` does.

    `name` is a lab of `labs()`, or a folder. `sets` gives axes other values: `{"n": [64, 128]}`. `course` and `trust`
    are those of `check`. A lab that ends early has a `fault`.

    Raises WrongUsage, NotFound, GradingFailed, NotInstalled or Interrupted.
    """
    options = course_options(course, trust)
    if device is not None:
        options.append(f"--device={device}")
    for axis, values in (sets or {}).items():
        options.append(f"--set={axis}={','.join(str(value) for value in values)}")
    with tempfile.TemporaryDirectory(prefix="warpcheck-") as folder:
        files = {format: pathlib.Path(folder) / format for format in ("json", "html", "csv", "svg")}
        options += [f"--{format}={path}" for format, path in files.items()]
        ended = run_command("lab", *options, "--", os.fspath(name))
        if not files["json"].exists():
            raise error_of(ended)
        figures = sorted(files["svg"].glob("*.svg"), key=lambda path: int(path.stem.rpartition("_")[2]))
        report, page, csv = (files[format].read_bytes().decode("utf-8") for format in ("json", "html", "csv"))
        return Lab(ended.stdout, report, page, csv, [path.read_text("utf-8") for path in figures])
