"""Makes a notebook of each assignment and each lab, from their handouts.

    python -m warpcheck.notebooks FOLDER [NAME ...] [--repository OWNER/NAME] [--wheel ADDRESS]
"""
from __future__ import annotations

import argparse
import base64
import functools
import json
import os
import pathlib
import re
import sys
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence

from .errors import NotFound, WarpcheckError
from .installation import assignments, labs

MIME_TYPES = {".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg"}

SETUP = """\
# Run this cell first. It installs warpcheck where it is not there yet, as on Colab.
import importlib.util
import shutil

if importlib.util.find_spec("warpcheck") is None:
    {install}
if shutil.which("bwrap") is None:
    !(apt-get update -qq && apt-get install -qq bubblewrap) > /dev/null

import warpcheck

%load_ext warpcheck"""

# pip gets the wheel itself, by its address or its path. It must never look for the name warpcheck in an index of
# packages, where anybody can register it.
INSTALL = """%pip install --quiet "{requirement}\""""
NO_WHEEL = """raise ImportError("this notebook does not name warpcheck's wheel: your course says where it is")"""

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

    requirement: Optional[str]
    repository: Optional[str] = None
    branch: str = "main"
    folder: str = "notebooks"

    def setup(self) -> str:
        """Returns the text of the first cell."""
        install = NO_WHEEL if self.requirement is None else INSTALL.format(requirement=self.requirement)
        return SETUP.format(install=install)

    def badge(self, name: str) -> List[str]:
        """Returns the text of the link to Colab, if the repository is known."""
        if self.repository is None:
            return []
        path = "/".join(part for part in (self.repository, "blob", self.branch, self.folder.strip("/")) if part)
        return [f"[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]"
                f"(https://colab.research.google.com/github/{path}/{name}.ipynb)"]


def requirement_of(wheel: str) -> str:
    """Returns what pip installs: a wheel at an address or a path. Raises WarpcheckError if it is neither."""
    if not re.fullmatch(r"((https?|file)://)?[\w.~:/@%+,=-]*\bwarpcheck-[\w.+-]+\.whl([?#][\w.~:/@%+,=?&-]*)?", wheel):
        raise WarpcheckError(f"{wheel!r} is not the address or the file of warpcheck's wheel, which ends with .whl")
    extras = "[toolkit,notebook]"
    return f"warpcheck{extras} @ {wheel}" if "://" in wheel else f"{os.path.abspath(wheel)}{extras}"


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
        _code(source.setup()),
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
        _code(source.setup()),
        _text(_embedded(text, folder)),
        _text(f"## The kernels\n\n```cpp\n{kernels.rstrip()}\n```"),
        _text("## On this machine\n\nWithout a GPU the emulator counts; it measures no times."),
        _code(f'lab = warpcheck.lab("{name}")\nlab'),
        _text("The table as a frame of pandas, for plots of your own:"),
        _code("lab.frame()"),
        *_other_values(name, (folder / "lab.toml").read_text("utf-8")),
    ])


def _failing(error: str) -> Dict[str, Any]:
    raise WarpcheckError(error)


def makers_of(source: Source, names: Sequence[str] = (),
              course: Optional[pathlib.Path] = None) -> Dict[str, Callable[[], Dict[str, Any]]]:
    """Returns the functions that make the notebooks, by the notebooks' names.

    Without names they are those of all assignments and labs that there are; with a course, those of its own. The
    function of a broken assignment or lab raises a WarpcheckError.
    """
    makers: Dict[str, Callable[[], Dict[str, Any]]] = {}

    def add(name: str, home: pathlib.Path, error: Optional[str], make: Callable[[], Dict[str, Any]]) -> None:
        if course is None or home.resolve() == course.resolve():
            makers[name] = make if error is None else functools.partial(_failing, error)

    for assignment in assignments(course):
        home = pathlib.Path(assignment.course)
        add(assignment.name, home, assignment.error,
            functools.partial(assignment_notebook, assignment.name, home, source))
    for lab in labs(course):
        folder = pathlib.Path(lab.folder)
        add(f"lab_{lab.name}", folder.parents[1], lab.error, functools.partial(lab_notebook, lab.name, folder, source))
    for name in names:
        if name not in makers:
            raise NotFound(f"there is no notebook {name}: there are {', '.join(sorted(makers))}")
    return {name: makers[name] for name in names or makers}


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Writes the notebooks. Returns the exit status: 2 if one could not be made."""
    parser = argparse.ArgumentParser(prog="python -m warpcheck.notebooks", description="Makes a notebook of each "
                                     "assignment and each lab, from their handouts")
    parser.add_argument("folder", type=pathlib.Path, help="write the notebooks into this folder")
    parser.add_argument("names", nargs="*", help="make only these: transpose, lab_banks")
    parser.add_argument("--course", type=pathlib.Path, metavar="DIR", help="a course with assignments of its own")
    parser.add_argument("--wheel", metavar="ADDRESS", default=os.environ.get("WARPCHECK_WHEEL") or None,
                        help="the address or the path of the wheel that the first cell installs (default: the variable "
                        "WARPCHECK_WHEEL); without it, the cell says that the wheel is missing")
    parser.add_argument("--repository", metavar="OWNER/NAME", help="the repository on GitHub that has the notebooks, "
                        "for the link to Colab")
    parser.add_argument("--branch", default="main", help="its branch (default: main)")
    parser.add_argument("--path", default="notebooks", help="its folder with the notebooks (default: notebooks)")
    options = parser.parse_args(arguments)
    if options.repository and not re.fullmatch(r"[\w.-]+/[\w.-]+", options.repository):
        parser.error(f"--repository {options.repository} is not of the form OWNER/NAME")
    made = failed = 0
    try:
        requirement = requirement_of(options.wheel) if options.wheel else None
        source = Source(requirement, options.repository, options.branch, options.path)
        makers = makers_of(source, options.names, options.course)
        options.folder.mkdir(parents=True, exist_ok=True)
        for name, make in makers.items():
            try:
                text = json.dumps(make(), indent=1, ensure_ascii=False)
            except (WarpcheckError, OSError) as error:  # the others do not depend on it
                print(f"error: {name}: {error}", file=sys.stderr)
                failed += 1
                continue
            (options.folder / f"{name}.ipynb").write_text(text + os.linesep, "utf-8")
            made += 1
    except (WarpcheckError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{made} notebooks in {options.folder}")
    return 2 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
