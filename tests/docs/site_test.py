"""Builds the documentation's site with MkDocs, and checks CITATION.cff and the issue forms by their schemas.

Ends with 77, and says why, where MkDocs cannot be installed.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
TOOLS = pathlib.Path(os.environ.setdefault("WARPCHECK_DOCS_TOOLS", str(TOP / ".cache/docs")))
FORMS = sorted((TOP / ".github/ISSUE_TEMPLATE").glob("[!c]*.yml"))


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def problems(schema, *files):
    """Returns what is wrong with files, by one of the schemas that check-jsonschema contains."""
    ran = run(TOOLS / "bin/check-jsonschema", "--builtin-schema", schema, *files)
    return "" if ran.returncode == 0 else ran.stdout + ran.stderr


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.site = pathlib.Path(cls.folder.name) / "site"
        cls.built = run(TOP / "ci/docs.sh", str(cls.site))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def page(self, name):
        return (self.site / name / "index.html").read_text()

    def test_is_built_without_a_warning(self):
        self.assertEqual(self.built.returncode, 0, self.built.stderr)

    def test_has_every_page_and_reaches_it(self):
        start = self.page(".")
        for page in [*TOP.glob("docs/*.md"), *TOP.glob("assignments/*/README.md"), *TOP.glob("labs/*/README.md")]:
            name = page.relative_to(TOP).as_posix().removesuffix("README.md").removesuffix(".md").rstrip("/")
            with self.subTest(name):
                self.assertIn(f'href="{name}/"', start)
                self.assertIn("<h1", self.page(name))

    def test_shows_blocks_as_code(self):
        for page in self.site.rglob("index.html"):
            with self.subTest(page):
                self.assertNotIn("<p>```", page.read_text())

    def test_has_light_and_dark_colours(self):
        self.assertIn('data-md-color-scheme="default"', self.page("."))
        self.assertIn('data-md-color-scheme="slate"', self.page("."))

    def test_is_searched(self):
        index = json.loads((self.site / "search/search_index.json").read_text())["docs"]
        found = {one["location"] for one in index if "32-way bank conflict" in one["text"] or "shared_race" in one["title"]}
        self.assertIn("docs/findings/threads/#shared_race", found)

    def test_loads_nothing_from_other_servers(self):
        loads = re.compile(r'<(?:script|img|link)[^>]+(?:src|href)="(https?:[^"]+)"')
        for page in self.site.rglob("*.html"):
            outside = [link for link in loads.findall(page.read_text()) if "canonical" not in link]
            self.assertEqual(outside, [], page)

    def test_is_refused_with_a_broken_anchor(self):
        with tempfile.TemporaryDirectory() as name:
            copy = pathlib.Path(name) / "copy"
            shutil.copytree(TOP, copy, ignore=shutil.ignore_patterns("build*", ".git", ".cache", "harness", "results", "dist"))
            with open(copy / "docs/students.md", "a") as page:
                page.write("[nowhere](run.md#nowhere)\n")
            ran = run(copy / "ci/docs.sh", f"{name}/site")
            self.assertNotEqual(ran.returncode, 0)
            self.assertIn("'run.md#nowhere', but the doc 'docs/run.md' does not contain an anchor '#nowhere'", ran.stderr)


class Schemas(unittest.TestCase):
    def test_of_the_citation(self):
        self.assertEqual(problems("vendor.citation-file-format", TOP / "CITATION.cff"), "")

    def test_of_the_issue_forms(self):
        self.assertEqual(len(FORMS), 3)
        self.assertEqual(problems("vendor.github-issue-forms", *FORMS), "")
        self.assertEqual(problems("vendor.github-issue-config", TOP / ".github/ISSUE_TEMPLATE/config.yml"), "")

    def test_find_a_mistake(self):
        with tempfile.TemporaryDirectory() as folder:
            for schema, source, old, new in (("citation-file-format", TOP / "CITATION.cff", "license: MIT", "license: none"),
                                             ("github-issue-forms", FORMS[0], "type: textarea", "type: text")):
                path = pathlib.Path(folder) / source.name
                path.write_text(source.read_text().replace(old, new))
                self.assertTrue(problems(f"vendor.{schema}", path), schema)


if __name__ == "__main__":
    installed = run(TOP / "ci/docs.sh", "install")
    if installed.returncode != 0:
        print(installed.stderr.strip().splitlines()[-1])
        sys.exit(77)
    unittest.main()
