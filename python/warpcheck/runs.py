"""Runs any CUDA program with `warpcheck run`, and gives its costs, findings and pictures as an object."""
from __future__ import annotations

import functools
import html
import json
import os
import pathlib
import tempfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from .errors import BuildFailed, NotFound
from .frames import frame_of
from .installation import PathLike, error_of, message_of, run_command
from .page import part_of

if TYPE_CHECKING:
    import pandas

# A notebook keeps the JSON report under this type. JupyterLab would show application/json instead of the page.
MIME_TYPE = "application/vnd.warpcheck.run+json"
Counters = Mapping[str, Optional[int]]
Extent = Tuple[int, int, int]


@dataclass(frozen=True)
class Line:
    """A line of a kernel, and what was counted there."""

    file: str
    line: int
    counters: Counters = field(repr=False)


@dataclass(frozen=True)
class Finding:
    """A mistake that a checker has found."""

    kind: str
    file: str
    line: int
    message: str
    kernel: str
    count: int
    data: Mapping[str, Any] = field(repr=False, compare=False)
    """The finding as in the JSON report."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.kind}: {self.message}" if self.line else f"{self.kind}: {self.message}"


@dataclass(frozen=True)
class Kernel:
    """Launches of one kernel with equal grid, block and shared memory. The counters are sums."""

    name: str
    launches: int
    grid: Extent
    block: Extent
    shared_bytes: int
    counters: Counters = field(repr=False)
    lines: Tuple[Line, ...] = field(repr=False)
    data: Mapping[str, Any] = field(repr=False, compare=False)
    """The launches as in the JSON report."""


@dataclass(frozen=True)
class Access:
    """The worst access of a traced instruction: which lane touched which byte, and what it cost."""

    kernel: str
    file: str
    line: int
    memory: str
    kind: str
    cost: int
    """Sectors of global memory, or wavefronts of shared memory."""
    ideal: int
    data: Mapping[str, Any] = field(repr=False, compare=False)
    """The access as in the JSON report."""


class Run:
    """What a program did on the emulator. In a notebook it shows the page, elsewhere the terminal's report."""

    def __init__(self, status: int, stdout: str, stderr: str, reports: Mapping[str, str],
                 output_was_shown: bool = False) -> None:
        self._html = reports["html"]
        self._sarif = reports["sarif"]
        self._output_was_shown = output_was_shown
        self.exit_status = status
        """The program's own; the negative number of its signal; 1 for a finding with fail_on_findings."""
        self.stdout = stdout
        self.stderr = stderr
        """What nvcc and the program wrote to stderr."""
        self.text = reports["report"]
        """The report as a terminal shows it."""
        self.data: Dict[str, Any] = json.loads(reports["counters"])
        """The JSON report."""
        processes = self.data["processes"]
        self.kernels: List[Kernel] = [_kernel(one) for process in processes for one in process["kernels"]]
        self.findings: List[Finding] = [
            _finding(one) for process in processes
            for one in [*process["findings"], *(found for kernel in process["kernels"]
                                                for found in kernel["findings"])]]
        self.accesses: List[Access] = [_access(one) for process in processes for one in process.get("accesses", [])]
        self.timelines: List[Dict[str, Any]] = [process["timeline"] for process in processes if "timeline" in process]

    def html(self) -> str:
        """Returns the report as a page for a browser, which needs no other file."""
        return self._html

    def sarif(self) -> str:
        """Returns the findings as SARIF 2.1.0, for code scanning and editors."""
        return self._sarif

    def frame(self) -> "pandas.DataFrame":
        """Returns the counters of each line of each kernel as a pandas frame."""
        return frame_of([{"kernel": kernel.name, "file": line.file, "line": line.line, **line.counters}
                         for kernel in self.kernels for line in kernel.lines])

    def __repr__(self) -> str:
        return (f"<warpcheck.Run {self.data['program']}: exit status {self.exit_status}, "
                f"{len(self.kernels)} kernels, {len(self.findings)} findings>")

    def __str__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, Any]:
        output = "" if self._output_was_shown else self.stdout + self.stderr
        shown = f"<pre>{html.escape(output)}</pre>\n" if output else ""
        return {"text/plain": f"{output}\n{self.text}" if output else self.text,
                "text/html": shown + part_of(self._html), MIME_TYPE: self.data}


def _place(data: Mapping[str, Any]) -> Tuple[str, int]:
    where = data.get("where") or {}
    return where.get("file", ""), where.get("line", 0)


def _extent(data: Mapping[str, int]) -> Extent:
    return data["x"], data["y"], data["z"]


def _kernel(data: Mapping[str, Any]) -> Kernel:
    lines = tuple(Line(*_place(one), one["counters"]) for one in data["lines"])
    return Kernel(data["kernel"], data["launches"], _extent(data["grid"]), _extent(data["block"]),
                  data["shared_bytes"], data["counters"], lines, data)


def _finding(data: Mapping[str, Any]) -> Finding:
    return Finding(data["kind"], *_place(data), data["message"], data.get("kernel", ""), data["count"], data)


def _access(data: Mapping[str, Any]) -> Access:
    return Access(data["kernel"], *_place(data), data["memory"], data["kind"], data["cost"], data["ideal"], data)


def run(program: PathLike, *arguments: str, check: Optional[str] = None, trace: Optional[str] = None,
        timeline: bool = False, calls: bool = False, break_on_finding: bool = False, fail_on_findings: bool = False,
        seed: Optional[int] = None, threads: Optional[int] = None, memory: Optional[int] = None,
        instructions: Optional[int] = None, lines: Optional[int] = None, nvcc: Sequence[str] = (),
        root: Optional[PathLike] = None, on_stdout: Optional[Callable[[str], None]] = None,
        on_stderr: Optional[Callable[[str], None]] = None) -> Run:
    """Runs a program, or builds and runs a .cu file, on the emulator, as `warpcheck run` does.

    `arguments` are the program's. `check` has names of checkers, separated by commas; `trace` a kernel and a line
    ("tiled:10"), whose accesses are drawn; `nvcc` flags for the compiler. Files of the folder `root`, by default the
    working folder, are shown by their names in it. The other options are those of docs/run.md. `on_stdout` and
    `on_stderr` get the program's output while it runs.

    Raises BuildFailed, WrongUsage, NotFound, GradingFailed, NotInstalled or Interrupted. A finding raises nothing,
    nor does a program that fails: see `exit_status`.
    """
    options = [f"--nvcc={flag}" for flag in nvcc]
    for name, value in (("check", check), ("trace", trace), ("seed", seed), ("threads", threads),
                        ("memory", memory), ("instructions", instructions), ("lines", lines),
                        ("root", None if root is None else os.fspath(root))):
        if value is not None:
            options.append(f"--{name}={value}")
    for name, flag in (("timeline", timeline), ("calls", calls), ("break-on-finding", break_on_finding),
                       ("fail-on-findings", fail_on_findings)):
        if flag:
            options.append(f"--{name}")
    with tempfile.TemporaryDirectory(prefix="warpcheck-") as folder:
        files = {name: pathlib.Path(folder) / name for name in ("counters", "report", "html", "sarif")}
        options += [f"--{name}={path}" for name, path in files.items()]
        path = os.fspath(program)
        ended = run_command("run", *options, f"./{path}" if path.startswith("-") else path, *arguments,
                            on_stdout=on_stdout, on_stderr=on_stderr)
        if not files["counters"].exists():
            if ended.error is not None and ended.error.kind == "not_built":
                raise BuildFailed(ended.error.message, ended.stderr.partition(ended.error.printed)[0])
            raise error_of(ended)
        reports = {name: path.read_text("utf-8") for name, path in files.items()}
    result = Run(ended.status, ended.stdout, ended.stderr, reports, output_was_shown=on_stdout is not None)
    if trace is not None and not result.accesses:
        raise NotFound(message_of(ended) if ended.error else f"nothing was traced in {trace}")
    return result


def trace(program: PathLike, kernel: str, line: int, *arguments: str, **options: Any) -> Run:
    """Runs a program and draws which lane touches which bank or sector in a line of a kernel.

    The pictures' data is in `accesses`. The options are those of `run`. Raises NotFound if the program launches no
    such kernel, or the line makes no access.
    """
    return run(program, *arguments, trace=f"{kernel}:{line}", **options)


@functools.lru_cache(maxsize=None)
def _folder_of_texts() -> "tempfile.TemporaryDirectory[str]":
    # The build cache knows a program by its path. One folder for this process lets it replace the program.
    return tempfile.TemporaryDirectory(prefix="warpcheck-")


def run_source(source: str, *arguments: str, name: str = "cell.cu", nvcc: Sequence[str] = (), **options: Any) -> Run:
    """Builds and runs a text as if it were a file of this name in the working folder. The options are those of
    `run`."""
    folder = pathlib.Path(_folder_of_texts().name)
    path = folder / name
    path.write_text(source, "utf-8")
    prefix = f"{folder}/"

    def renamed(listener: Optional[Callable[[str], None]]) -> Optional[Callable[[str], None]]:
        return None if listener is None else lambda text: listener(text.replace(prefix, ""))

    for output in ("on_stdout", "on_stderr"):
        options[output] = renamed(options.get(output))
    try:
        result = run(path, *arguments, nvcc=[f"-I{os.getcwd()}", *nvcc], root=folder, **options)
    except BuildFailed as error:
        raise BuildFailed(error.args[0].replace(prefix, ""), error.log.replace(prefix, "")) from None
    reports = {"counters": json.dumps(result.data), "report": result.text, "html": result.html(),
               "sarif": result.sarif()}
    return Run(result.exit_status, result.stdout, result.stderr.replace(prefix, ""),
               {report: text.replace(prefix, "") for report, text in reports.items()},
               output_was_shown=options["on_stdout"] is not None)
