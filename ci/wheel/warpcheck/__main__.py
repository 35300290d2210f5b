"""Becomes the program that the wheel brings along."""
import os
import pathlib
import sys

PROGRAM = pathlib.Path(__file__).resolve().parent / "installed" / "lib" / "warpcheck" / "warpcheck"


def main():
    os.execv(PROGRAM, ["warpcheck", *sys.argv[1:]])


if __name__ == "__main__":
    main()
