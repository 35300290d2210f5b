"""Runs a program of warpcheck, shows its progress, and ends everything that it started at an interrupt."""
from __future__ import annotations

import codecs
import contextlib
import os
import pty
import re
import selectors
import signal
import subprocess
import threading
import time
import tty
import uuid
from dataclasses import dataclass
from types import FrameType
from typing import Callable, Dict, Iterator, List, Optional, Sequence, Tuple

# Every process of a call has this variable in its environment, with the call's own value.
MARK = "WARPCHECK_PYTHON_CALL"
# After an interrupt the programs have this many seconds to remove their files.
GRACE_SECONDS = 3.0

Listener = Callable[[str], None]


@dataclass
class Complaint:
    """The error that a command ended with, or the last one that it told."""

    kind: str
    """"not_found", "not_built" or "other"."""
    message: str
    hint: str
    printed: str
    """What stderr has of it."""


@dataclass
class Ended:
    """How a program ended. A negative status is the number of a signal."""

    status: int
    stdout: str
    stderr: str
    error: Optional[Complaint] = None


class _Stream:
    """Collects what a program writes, and gives it to a listener at once."""

    def __init__(self, fd: int, listener: Optional[Listener]) -> None:
        self.fd = fd
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._listener = listener
        self._parts: List[str] = []

    def read(self) -> bool:
        """Returns false at the end of the stream."""
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:  # a terminal without a program
            data = b""
        text = self._decoder.decode(data, final=not data)
        if text:
            self._parts.append(text)
            if self._listener:
                self._listener(text)
        return bool(data)

    def text(self) -> str:
        return "".join(self._parts)


# The command shows its progress in one line of a terminal, which it writes again and again.
_LINE_START = "\r\x1b[K"
_PROGRESS = re.compile(re.escape(_LINE_START) + r"(?:[^\r\n]*(?=" + re.escape(_LINE_START) + "))?")


def _progress_listener(progress: Listener) -> Listener:
    pending = ""

    def listen(text: str) -> None:
        nonlocal pending
        *complete, pending = (pending + text).split(_LINE_START)
        for line in complete:
            if line.strip() and "\n" not in line:  # else it is a message
                progress(line.strip())

    return listen


def _marked(mark: str) -> List[int]:
    """Returns the processes of this user that have the mark in their environment."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if wanted in file.read().split(b"\0"):
                    found.append(int(name))
        except OSError:
            pass  # it has ended, or belongs to somebody else
    return found


def _send(process: int, what: signal.Signals) -> None:
    with contextlib.suppress(OSError):
        os.kill(process, what)


@contextlib.contextmanager
def _interrupted_later() -> Iterator[None]:
    """Holds back Ctrl-C until the end of the block. Only the main thread gets it at all."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    got: List[Tuple[int, Optional[FrameType]]] = []
    signal.signal(signal.SIGINT, lambda number, frame: got.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if got:
        before(*got[0])


def _end(child: subprocess.Popen[bytes], mark: str) -> None:
    """Ends the child and everything that it started, also what has left its process group."""
    with contextlib.suppress(OSError):
        os.killpg(child.pid, signal.SIGINT)
    deadline = time.monotonic() + GRACE_SECONDS
    while time.monotonic() < deadline and (child.poll() is None or _marked(mark)):
        time.sleep(0.02)
    # The processes are looked for until there are none, because one may start another meanwhile.
    deadline = time.monotonic() + GRACE_SECONDS
    left = _marked(mark)
    while left and time.monotonic() < deadline:
        for process in left:
            _send(process, signal.SIGKILL)
        child.poll()
        time.sleep(0.01)
        left = _marked(mark)
    child.kill()
    child.wait()


def call(command: Sequence[str], *, cwd: Optional[str] = None, progress: Optional[Listener] = None,
         on_stdout: Optional[Listener] = None, on_stderr: Optional[Listener] = None,
         environment: Optional[Dict[str, str]] = None) -> Ended:
    """Runs a command to its end and returns what it wrote.

    `progress` gets each line of progress; then the program's stderr is a terminal. The listeners get the output
    while the program runs. An exception, also KeyboardInterrupt, ends the program and everything that it started.
    """
    mark = uuid.uuid4().hex
    out_reader, out_writer = os.pipe()
    if progress:
        err_reader, err_writer = pty.openpty()
        tty.setraw(err_writer)
        on_stderr = _progress_listener(progress)
    else:
        err_reader, err_writer = os.pipe()
    out, err = _Stream(out_reader, on_stdout), _Stream(err_reader, on_stderr)
    child: Optional[subprocess.Popen[bytes]] = None
    try:
        try:
            # In a session of its own the child does not get the signals of this process's group.
            with _interrupted_later():
                child = subprocess.Popen(list(command), cwd=cwd, stdin=subprocess.DEVNULL, stdout=out_writer,
                                         stderr=err_writer, start_new_session=True,
                                         env={**os.environ, **(environment or {}), MARK: mark})
        finally:
            os.close(out_writer)
            os.close(err_writer)
        _collect(child, [out, err])
    except BaseException:
        if child is not None:
            _end(child, mark)
        raise
    finally:
        os.close(out_reader)
        os.close(err_reader)
    return Ended(child.returncode, out.text(), _PROGRESS.sub("", err.text()))


def _collect(child: subprocess.Popen[bytes], streams: Sequence[_Stream]) -> None:
    """Reads until the child has ended. A process that it leaves behind may keep the streams open."""
    with selectors.DefaultSelector() as selector:
        for stream in streams:
            selector.register(stream.fd, selectors.EVENT_READ, stream)
        ended = False
        while selector.get_map():
            ready = selector.select(0 if ended else 0.05)
            if ended and not ready:
                break
            for key, _ in ready:
                if not key.data.read():
                    selector.unregister(key.fd)
            ended = ended or child.poll() is not None
    child.wait()
