"""Makes a notebook of each assignment and each lab, from their handouts.

    python -m warpcheck.notebooks FOLDER [NAME ...] [--repository OWNER/NAME] [--wheel ADDRESS]
"""
from __future__ import annotations

import argparse
import base64
import json
import os
import pathlib
import re
import sys
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence

from .errors import NotFound, WarpcheckError
from .installation import assignments, home, labs

MIME_TYPES = {".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg"}

SETUP = """\
# Run this cell first. It installs warpcheck where it is not there yet, as on Colab.
import importlib.util
import shutil

if importlib.util.find_spec("warpcheck") is None:
    %pip install --quiet "{requirement}"
if shutil.which("bwrap") is None:
    !(apt-get update -qq && apt-get install -qq bubblewrap) > /dev/null

import warpcheck

%load_ext warpcheck"""

WHAT_TO_DO = """\
## What to do

1. Run the first cell of this notebook.
2. The last section has your file in a cell. It compiles and does nothing. Fill in the kernel and launch it.
3. Run the cell to grade it, as often as you like. The report names the line of the cell for every lost point; the
   line of `%%warpcheck` is the first. Improve it, and grade again.
4. Hand in `my_{name}.cu`, which the cell writes each time.
"""

YOUR_FILE = """\
## Your file

Run the cell to grade it, and to write `my_{name}.cu`. `grade` keeps the result. `%%warpcheck?` lists the options."""


@dataclass(frozen=True)
class Source:
    """Where students find the notebooks, and what installs warpcheck there."""

    requirement: str
    repository: Optional[str] = None
    branch: str = "main"
    folder: str = "notebooks"

    def badge(self, name: str) -> List[str]:
        """Returns the text of the link to Colab, if the repository is known."""
        if self.repository is None:
            return []
        path = "/".join(part for part in (self.repository, "blob", self.branch, self.folder.strip("/")) if part)
        return [f"[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]"
                f"(https://colab.research.google.com/github/{path}/{name}.ipynb)"]


def requirement_of(wheel: Optional[str]) -> str:
    """Returns what pip installs: a wheel at an address or a path, or the package of an index."""
    extras = "[toolkit,notebook]"
    if wheel is None:
        return f"warpcheck{extras}"
    return f"warpcheck{extras} @ {wheel}" if "://" in wheel else f"{wheel}{extras}"


def _embedded(text: str, folder: pathlib.Path) -> str:
    """Puts a handout's pictures into its text, and takes away links to files that a notebook lacks."""

    def picture(match: "re.Match[str]") -> str:
        alt, name = match.groups()
        kind = MIME_TYPES.get(pathlib.Path(name).suffix)
        path = folder / name
        if "://" in name or kind is None or not path.is_file():
            return match.group(0)
        return f"![{alt}](data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()})"

    text = re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)", picture, text)
    return re.sub(r"(?<!!)\[([^\]]+)\]\((?![a-z]+:|#)[^)\s]+\)", r"\1", text)


def _with_section(text: str, title: str, section: str) -> str:
    """Replaces a section of a handout."""
    return re.sub(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", lambda _: section + "\n", text,
                  flags=re.MULTILINE | re.DOTALL)


def _notebook(name: str, cells: Sequence[Dict[str, Any]]) -> Dict[str, Any]:
    return {
        "cells": [{"id": f"{name}-{number}", "metadata": {}, **cell} for number, cell in enumerate(cells, 1)],
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                     "language_info": {"name": "python"}},
        "nbformat": 4, "nbformat_minor": 5,
    }


def _text(text: str) -> Dict[str, Any]:
    return {"cell_type": "markdown", "source": text.strip().splitlines(keepends=True)}


def _code(text: str) -> Dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "outputs": [],
            "source": text.strip("\n").splitlines(keepends=True)}


def assignment_notebook(name: str, course: pathlib.Path, source: Source) -> Dict[str, Any]:
    """Returns the notebook of an assignment: its handout, and a cell that grades the student's file."""
    folder = course / "assignments" / name
    handout = _with_section((folder / "README.md").read_text("utf-8"), "What to do", WHAT_TO_DO.format(name=name))
    template = (course / "student_template" / f"{name}.cu").read_text("utf-8")
    # The first comment of a template says where the handout is and what grades the file.
    template = re.sub(r"\A(//[^\n]*\n)+(?=#include)", "", template)
    return _notebook(name, [
        *map(_text, source.badge(name)),
        _code(SETUP.format(requirement=source.requirement)),
        _text(_embedded(handout, folder)),
        _text(YOUR_FILE.format(name=name)),
        _code(f"%%warpcheck {name} --save my_{name}.cu --into grade\n{template}"),
        _text("What cost points, as objects of Python:"),
        _code("for complaint in grade.complaints:\n    print(complaint, end=\"\\n\\n\")"),
    ])


def _other_values(lab: str, description: str) -> List[Dict[str, Any]]:
    """Returns cells that run a lab with two values of an axis. `description` is its lab.toml."""
    axes = re.findall(r'^\[\[axis\]\]\nname = "(\w+)"\n(?:label = .*\n)?values = \[([^\]]+)\]', description,
                      re.MULTILINE)
    for axis, listed in axes:
        values = [value.strip() for value in listed.split(",")]
        if len(values) > 2:
            return [_text(f"Give an axis other values, here `{axis}`:"),
                    _code(f'warpcheck.lab("{lab}", sets={{"{axis}": [{values[0]}, {values[-1]}]}})')]
    return []


def lab_notebook(name: str, folder: pathlib.Path, source: Source) -> Dict[str, Any]:
    """Returns the notebook of a lab: its text, its kernels, its table and figures."""
    text = (folder / "README.md").read_text("utf-8")
    kernels = (folder / f"{name}.cu").read_text("utf-8")
    notebook_name = f"lab_{name}"
    return _notebook(notebook_name, [
        *map(_text, source.badge(notebook_name)),
        _code(SETUP.format(requirement=source.requirement)),
        _text(_embedded(text, folder)),
        _text(f"## The kernels\n\n```cpp\n{kernels.rstrip()}\n```"),
        _text("## On this machine\n\nWithout a GPU the emulator counts; it measures no times."),
        _code(f'lab = warpcheck.lab("{name}")\nlab'),
        _text("The table as a frame of pandas, for plots of your own:"),
        _code("lab.frame()"),
        *_other_values(name, (folder / "lab.toml").read_text("utf-8")),
    ])


def make_notebooks(source: Source, names: Sequence[str] = (),
                   course: Optional[pathlib.Path] = None) -> Dict[str, Dict[str, Any]]:
    """Returns the notebooks by their names. Without names: those of all assignments and labs that there are.

    With a course, the notebooks are those of its own assignments and labs.
    """
    notebooks = {}
    for assignment in assignments(course):
        folder = pathlib.Path(assignment.course)
        if course is None or folder.resolve() == course.resolve():
            notebooks[assignment.name] = lambda n=assignment.name, f=folder: assignment_notebook(n, f, source)
    for lab in labs(course):
        folder = (course or home()) / "labs" / lab.name
        if folder.is_dir():
            notebooks[f"lab_{lab.name}"] = lambda n=lab.name, f=folder: lab_notebook(n, f, source)
    for name in names:
        if name not in notebooks:
            raise NotFound(f"there is no notebook {name}: there are {', '.join(sorted(notebooks))}")
    return {name: notebooks[name]() for name in names or notebooks}


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Writes the notebooks, and returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m warpcheck.notebooks", description="Makes a notebook of each "
                                     "assignment and each lab, from their handouts")
    parser.add_argument("folder", type=pathlib.Path, help="write the notebooks into this folder")
    parser.add_argument("names", nargs="*", help="make only these: transpose, lab_banks")
    parser.add_argument("--course", type=pathlib.Path, metavar="DIR", help="a course with assignments of its own")
    parser.add_argument("--wheel", metavar="ADDRESS", help="the wheel that the first cell installs; without it, the "
                        "package warpcheck of pip's index")
    parser.add_argument("--repository", metavar="OWNER/NAME", help="the repository on GitHub that has the notebooks, "
                        "for the link to Colab")
    parser.add_argument("--branch", default="main", help="its branch (default: main)")
    parser.add_argument("--path", default="notebooks", help="its folder with the notebooks (default: notebooks)")
    options = parser.parse_args(arguments)
    if options.repository and not re.fullmatch(r"[\w.-]+/[\w.-]+", options.repository):
        parser.error(f"--repository {options.repository} is not of the form OWNER/NAME")
    source = Source(requirement_of(options.wheel), options.repository, options.branch, options.path)
    try:
        notebooks = make_notebooks(source, options.names, options.course)
        options.folder.mkdir(parents=True, exist_ok=True)
        for name, notebook in notebooks.items():
            path = options.folder / f"{name}.ipynb"
            path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + os.linesep, "utf-8")
    except (WarpcheckError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{len(notebooks)} notebooks in {options.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
