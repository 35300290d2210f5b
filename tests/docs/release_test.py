"""Tests that ci/release.sh refuses what cannot be released."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"project\(warpcheck VERSION ([\d.]+)", (TOP / "CMakeLists.txt").read_text())[1]
FILES = ["CMakeLists.txt", "CHANGELOG.md", "CITATION.cff", "ci/release.sh"]


class Release(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.top = pathlib.Path(self.folder.name)
        (self.top / "ci").mkdir()
        for name in FILES:
            shutil.copy(TOP / name, self.top / name)
        self.git("init", "-q")
        self.commit()

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments], cwd=self.top, check=True,
                       capture_output=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "A commit")

    def replace(self, name, old, new):
        path = self.top / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))

    def check(self):
        ran = subprocess.run([self.top / "ci/release.sh", "check"], capture_output=True, text=True)
        return ran.returncode, (ran.stdout + ran.stderr).strip()

    def test_a_clean_tree_with_changes_is_good(self):
        self.assertEqual(self.check(), (0, f"release: v{VERSION} can be made"))

    def test_changed_files_are_refused(self):
        (self.top / "new.txt").write_text("new\n")
        self.assertEqual(self.check(), (1, "release: the tree has changes: commit them, or remove the files"))

    def test_a_tag_that_exists_is_refused(self):
        self.git("tag", f"v{VERSION}")
        self.assertEqual(self.check(), (1, f"release: the tag v{VERSION} exists: set a new version in CMakeLists.txt"))

    def test_a_version_without_changes_is_refused(self):
        self.replace("CMakeLists.txt", f"VERSION {VERSION}", "VERSION 99.0.0")
        self.commit()
        wanted = "release: CHANGELOG.md has no section '## 99.0.0' with changes"
        self.assertEqual(self.check(), (1, wanted))
        self.replace("CHANGELOG.md", f"## {VERSION}", f"## 99.0.0\n\n## {VERSION}")
        self.commit()
        self.assertEqual(self.check(), (1, wanted), "the section is empty")

    def test_another_version_in_the_citation_is_refused(self):
        self.replace("CITATION.cff", f"version: {VERSION}", "version: 0.0.9")
        self.commit()
        self.assertEqual(self.check(), (1, f"release: CITATION.cff has another version than {VERSION}"))


if __name__ == "__main__":
    unittest.main()
