"""The magics `%%warpcheck` and `%%cuda_run` of notebooks: `%load_ext warpcheck` brings them."""
# IPython's functions for magics have no types.
# mypy: allow-untyped-calls, allow-untyped-decorators, allow-subclassing-any, no-warn-unused-ignores
from __future__ import annotations

import functools
import pathlib
import sys
from argparse import Namespace
from typing import Any, Callable, Dict, List, TextIO

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from IPython.display import DisplayHandle, clear_output, display

from .errors import WarpcheckError, WrongUsage
from .grades import Grade, check_source
from .runs import Run, run_source


class _Progress:
    """Shows one line below the cell, or on the terminal, while something happens, and nothing afterwards."""

    def __init__(self, in_notebook: bool) -> None:
        self._in_notebook = in_notebook
        self._on_terminal = not in_notebook and sys.stderr.isatty()
        self._line: Any = None

    def __call__(self, line: str) -> None:
        data = {"text/plain": line}
        if self._on_terminal:
            _write(sys.stderr, "\r\x1b[K" + line)
        elif isinstance(self._line, DisplayHandle):
            self._line.update(data, raw=True)
        elif self._in_notebook:
            self._line = display(data, raw=True, display_id=True)

    def clear(self) -> None:
        if self._on_terminal:
            _write(sys.stderr, "\r\x1b[K")
        elif self._line is not None:
            clear_output(wait=True)


def _as_usage_error(function: Callable[[], Any]) -> Any:
    """Gives IPython's own error for what the student wrote wrongly behind the magic."""
    try:
        return function()
    except WrongUsage as error:
        raise UsageError(str(error)) from None


@magics_class
class WarpcheckMagics(Magics):
    """Magics that treat the cell as a file of CUDA C++. A line has the number that it has in the cell."""

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self.variables: Dict[str, Any] = shell.user_ns
        self.in_notebook = getattr(shell, "kernel", None) is not None
        self._raw_cell = ""

    def remember(self, info: Any) -> None:
        """Keeps the cell as the student sees it; IPython removes empty lines above a magic."""
        self._raw_cell = info.raw_cell or ""

    def source_of(self, magic: str, cell: str) -> str:
        """Returns the file. A comment stands in the place of the magic, so that line numbers are the cell's."""
        raw = self._raw_cell
        above = raw[:len(raw) - len(raw.lstrip())].count("\n") if raw.lstrip().startswith("%%") else 0
        return "\n" * above + f"// This cell began with {magic}.\n" + cell

    def keep(self, arguments: Namespace, source: str) -> None:
        """Writes the file that --save names."""
        if arguments.save:
            path = pathlib.Path(arguments.save).expanduser()
            try:
                path.write_text(source, "utf-8")
            except OSError as error:
                raise UsageError(f"--save {arguments.save}: {error.strerror}") from None

    def bind(self, arguments: Namespace, result: Any) -> None:
        """Keeps the result in the variable that --into names."""
        if arguments.into:
            self.variables[arguments.into] = result

    @staticmethod
    def name_of(arguments: Namespace) -> str:
        name = pathlib.Path(arguments.save).name if arguments.save else "cell.cu"
        if not name.endswith(".cu"):
            raise UsageError(f"--save {arguments.save}: a file of CUDA C++ ends with .cu")
        if arguments.into and not arguments.into.isidentifier():
            raise UsageError(f"--into {arguments.into}: this is not a name of Python")
        return name

    @magic_arguments()
    @argument("assignment", help="the assignment's name, as `warpcheck list` shows it")
    @argument("--save", metavar="FILE", help="write the cell to this file, which can be handed in")
    @argument("--into", metavar="NAME", help="keep the grade in this variable")
    @argument("--device", choices=("auto", "emulator", "gpu"), help="the device that judges")
    @argument("--target", type=int, help="the compute capability of the emulated GPU, times 10")
    @argument("--seed", type=int, help="the seed of an earlier grading, to repeat it")
    @argument("--course", metavar="DIR", help="a course's folder, or the bundle of an assignment")
    @argument("--trust", metavar="SHA256", help="the digest that the bundle must have")
    @argument("--no-sandbox", action="store_true", help="run without isolation; only for code that you trust")
    @argument("--no-experiments", action="store_true", help="do not try where the mistake is")
    @argument("--dump", metavar="DIR", help="write expected, got and difference of a case to this folder")
    @argument("--case", action="append", default=[], metavar="NAME", help="with --dump: a case, as the report names it")
    @cell_magic
    def warpcheck(self, line: str, cell: str) -> Grade:
        """Grade the cell as the submission of an assignment, and return the grade."""
        arguments = parse_argstring(self.warpcheck, line)
        name = self.name_of(arguments)
        source = self.source_of(f"%%warpcheck {arguments.assignment}", cell)
        self.keep(arguments, source)
        progress = _Progress(self.in_notebook)
        try:
            grade: Grade = _as_usage_error(lambda: check_source(
                arguments.assignment, source, name=name, device=arguments.device, target=arguments.target,
                seed=arguments.seed, course=arguments.course, trust=arguments.trust,
                sandbox=not arguments.no_sandbox, experiments=not arguments.no_experiments, dump=arguments.dump,
                cases=arguments.case, progress=progress))
        finally:
            progress.clear()
        self.bind(arguments, grade)
        return grade

    @magic_arguments()
    @argument("--save", metavar="FILE", help="write the cell to this file")
    @argument("--into", metavar="NAME", help="keep the result in this variable")
    @argument("--check", metavar="LIST", help="all, none, or names of checkers, separated by commas")
    @argument("--trace", metavar="KERNEL:LINE", help="draw the accesses of this line of the cell")
    @argument("--timeline", action="store_true", help="show what the order of streams lets overlap")
    @argument("--calls", action="store_true", help="list the calls of the runtime, and what each waits for")
    @argument("--break-on-finding", action="store_true", help="show the warp's registers at the first finding")
    @argument("--lines", type=int, help="show this many lines of each kernel")
    @argument("--seed", type=int, help="the seed for the order of blocks and warps")
    @argument("--threads", type=int, help="run kernels on this many threads")
    @argument("--memory", type=int, metavar="GIB", help="the memory of the device")
    @argument("--instructions", type=int, help="end a kernel after this many warp instructions")
    @argument("--nvcc", action="append", default=[], metavar="FLAG", help="a flag for nvcc: --nvcc=-DN=64")
    @argument("arguments", nargs="*", help="the program's arguments; after -- they may begin with -")
    @cell_magic
    def cuda_run(self, line: str, cell: str) -> Run:
        """Build the cell as a program, run it on the emulator, and return what it cost and what was found."""
        arguments = parse_argstring(self.cuda_run, line)
        name = self.name_of(arguments)
        source = self.source_of("%%cuda_run", cell)
        self.keep(arguments, source)
        options = {option: getattr(arguments, option) for option in (
            "check", "trace", "timeline", "calls", "break_on_finding", "lines", "seed", "threads", "memory",
            "instructions", "nvcc")}
        words: List[str] = arguments.arguments
        errors: List[str] = []
        try:
            result: Run = _as_usage_error(lambda: run_source(
                source, *words, name=name, on_stdout=functools.partial(_write, sys.stdout), on_stderr=errors.append,
                **options))
        except (UsageError, WarpcheckError):
            errors.clear()  # the exception says it
            raise
        finally:
            _write(sys.stderr, "".join(errors))
        self.bind(arguments, result)
        return result


def _write(stream: TextIO, text: str) -> None:
    if text:
        stream.write(text)
        stream.flush()


def load(shell: InteractiveShell) -> None:
    """Registers the magics."""
    magics = WarpcheckMagics(shell)
    shell.register_magics(magics)
    shell.events.register("pre_run_cell", magics.remember)
