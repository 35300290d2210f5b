"""Tests the notebooks that are made of the handouts, and executes one of an assignment and one of a lab."""
import contextlib
import io
import json
import pathlib
import re
import sys
import tempfile
import unittest

import nbformat
from nbclient import NotebookClient

from warpcheck import notebooks

TOP = pathlib.Path(__file__).resolve().parents[2]
WHEEL = "https://example.org/warpcheck-0.1.0-py3-none-any.whl"


class Notebooks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        with contextlib.redirect_stdout(io.StringIO()):
            assert notebooks.main([str(cls.folder / "made"), "--repository", "school/gpu", "--path", "nb",
                                   "--wheel", WHEEL]) == 0
        cls.made = {path.stem: nbformat.read(path, as_version=4) for path in cls.folder.glob("made/*.ipynb")}

    def test_are_there_for_each_assignment_and_each_lab(self):
        self.assertEqual(set(self.made), {path.parent.name for path in TOP.glob("assignments/*/rubric.toml")}
                         | {f"lab_{path.parent.name}" for path in TOP.glob("labs/*/lab.toml")})
        for notebook in self.made.values():
            nbformat.validate(notebook)

    def test_say_how_they_are_used(self):
        for name, notebook in self.made.items():
            text = "\n".join(cell.source for cell in notebook.cells)
            self.assertIn(f"(https://colab.research.google.com/github/school/gpu/blob/main/nb/{name}.ipynb)", text)
            self.assertIn(f"warpcheck[toolkit,notebook] @ {WHEEL}", text)
            self.assertNotIn("make check", text)
            self.assertNotIn("student_template", text)
            prose = re.sub(r"```.*?```", "", "\n".join(cell.source for cell in notebook.cells
                                                     if cell.cell_type == "markdown"), flags=re.DOTALL)
            self.assertNotRegex(prose, r"\]\((?!https?:|data:|#)")
            if not name.startswith("lab_"):
                self.assertIn("](data:image/svg+xml;base64,", text)
                self.assertIn(f"\n%%warpcheck {name} --save my_{name}.cu --into grade\n#include \"{name}.h\"\n",
                              "\n" + text)

    def execute(self, name):
        notebook = self.made[name]
        client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(self.folder)}})
        client.execute()
        outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
        self.assertFalse([one for one in outputs if one.output_type == "error"])
        return outputs

    def test_of_an_assignment_is_executed(self):
        outputs = self.execute("picture")
        shown = [one for one in outputs if one.output_type == "execute_result"]
        self.assertEqual(len(shown), 1)
        self.assertIn("Score 0 / 100", shown[0].data["text/plain"])
        self.assertIn('<div class="warpcheck"', shown[0].data["text/html"])
        self.assertEqual(shown[0].data["application/vnd.warpcheck.grade+json"]["score"], 0)
        self.assertTrue((self.folder / "my_picture.cu").read_text().startswith("//"))
        # The progress is gone.
        self.assertFalse([one for one in outputs if one.output_type == "display_data"])
        self.assertFalse([one for one in outputs if one.get("name") == "stderr"])

    def test_of_a_lab_is_executed(self):
        shown = [one for one in self.execute("lab_banks") if one.output_type == "execute_result"]
        self.assertEqual(len(shown), 3)
        self.assertIn("data:image/svg+xml", shown[0].data["text/html"])
        self.assertIn("variant", shown[1].data["text/plain"])

    def test_are_refused_with_a_reason(self):
        for arguments, says in [(["x", "nothing"], "there is no notebook nothing: there are "),
                                (["x", "--course", str(self.folder / "none")], "none"),
                                (["x", "--wheel", "warpcheck"], "'warpcheck' is not the address"),
                                (["x", "--wheel", "https://x/warpcheck"], "is not the address"),
                                (["/proc/x"], "/proc/x")]:
            error = io.StringIO()
            with contextlib.redirect_stderr(error):
                self.assertEqual(notebooks.main(arguments), 2)
            self.assertIn(says, error.getvalue())

    def test_of_the_others_are_made_beside_a_broken_lab(self):
        course = self.folder / "course"
        for name in ("banks", "torn"):
            (course / "labs" / name).mkdir(parents=True)
            for file in ("lab.toml", "README.md", "banks.cu"):
                target = course / "labs" / name / file.replace("banks", name)
                target.write_text((TOP / "labs/banks" / file).read_text())
        (course / "labs/torn/lab.toml").write_text('title = "A"\ntitle = "B"\n')
        (course / "assignments").mkdir()
        error = io.StringIO()
        with contextlib.redirect_stderr(error), contextlib.redirect_stdout(io.StringIO()):
            status = notebooks.main([str(self.folder / "some"), "--course", str(course)])
        self.assertEqual(status, 2)
        self.assertRegex(error.getvalue(), r"^error: lab_torn: .*labs/torn/lab.toml:2:")
        self.assertEqual([path.name for path in (self.folder / "some").iterdir()], ["lab_banks.ipynb"])

    def test_may_be_chosen(self):
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(notebooks.main([str(self.folder / "one"), "scan"]), 0)
        self.assertEqual([path.name for path in (self.folder / "one").iterdir()], ["scan.ipynb"])
        text = json.dumps(json.loads((self.folder / "one/scan.ipynb").read_text()))
        self.assertNotIn("colab-badge", text)
        self.assertNotIn("warpcheck[", text)
        self.assertIn("your course says where it is", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
