"""Runs a test with the packages of PyPI that it needs: in_venv.py <folder> <script or module> [arguments ...]

The packages are installed once, into a virtual environment in the folder. Ends with 77, and says why, where they
cannot be installed.
"""
import fcntl
import os
import pathlib
import subprocess
import sys

SKIPPED = 77
PACKAGES = ["ipython==9.18.1", "ipykernel==7.4.0", "nbclient==0.11.0", "nbformat==5.11.1", "pandas==3.1.1",
            "pandas-stubs==3.1.0.261029", "mypy==2.4.1", "ruff==0.17.6", "jupyterlab==4.6.6", "selenium==4.51.0",
            "nbgrader==0.9.6", "otter-grader==7.0.0"]


def install(folder):
    """Returns the Python of the environment, or None after a message."""
    folder.mkdir(parents=True, exist_ok=True)
    python, done = folder / "venv/bin/python", folder / "installed"
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run side by side
        if done.exists() and done.read_text() == "\n".join(PACKAGES):
            return python
        for command in ([sys.executable, "-m", "venv", "--clear", folder / "venv"],
                        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES]):
            ran = subprocess.run(command, capture_output=True, text=True)
            if ran.returncode:
                print(ran.stdout + ran.stderr)
                print(f"error: cannot install {' '.join(PACKAGES)}")
                return None
        done.write_text("\n".join(PACKAGES))
    return python


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    python = install(pathlib.Path(sys.argv[1]).resolve())
    if python is None:
        return SKIPPED
    what = sys.argv[2:] if sys.argv[2].endswith(".py") else ["-m", *sys.argv[2:]]
    path = f"{python.parent}:{os.environ['PATH']}"  # nbgrader starts alembic
    return subprocess.run([python, "-B", *what], env={**os.environ, "PATH": path}).returncode


if __name__ == "__main__":
    sys.exit(main())
