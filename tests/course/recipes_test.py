"""Compiles the recipes of docs/writing_assignments.md: its code blocks that are marked `cpp recipe`, as one file."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
GUIDE = TOP / "docs" / "writing_assignments.md"
BLOCK = re.compile(r"^```cpp recipe\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMPILE = sys.argv[1:]  # the compiler and its options
del sys.argv[1:]


def code(text):
    """Returns the recipes as one file whose lines have the numbers that they have in the guide."""
    return "".join(f'#line {text.count(chr(10), 0, block.start(1)) + 1} "{GUIDE.name}"\n{block[1]}'
                   for block in BLOCK.finditer(text))


def errors(source):
    """Returns what the compiler says about a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "checks.cpp"
        path.write_text(source)
        ran = subprocess.run([*COMPILE, "-fsyntax-only", str(path)], capture_output=True, text=True)
        return "" if ran.returncode == 0 else ran.stderr


class Recipes(unittest.TestCase):
    def test_compile(self):
        source = code(GUIDE.read_text())
        self.assertGreater(len(re.findall("^TEST_P", source, re.MULTILINE)), 5)
        wrong = errors(source)
        self.assertFalse(wrong, wrong)

    def test_that_do_not_compile_are_named_by_their_line(self):
        guide = GUIDE.read_text().replace('.Of("table")', ".Of(7)", 1)
        line = guide[:guide.index(".Of(7)")].count("\n") + 1
        self.assertIn(f"{GUIDE.name}:{line}", errors(code(guide)))


if __name__ == "__main__":
    unittest.main()
