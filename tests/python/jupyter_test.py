"""Grades a cell in JupyterLab, in headless Chromium, in the light and in the dark.

    jupyter_test.py [<folder for screenshots>]

The notebook's colours are the contrary of the system's. Ends with 77, and says why, where there is no browser.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "browser"))
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

import check_pages

TOP = pathlib.Path(__file__).resolve().parents[2]
NAIVE = (TOP / "tests/submissions/transpose/failed/naive.cu").read_text()
CELLS = ["%load_ext warpcheck", f"%%warpcheck transpose --device emulator --seed 1\n{NAIVE}"]
TOKEN = "warpcheck"
SHOTS = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 1 else None
# Does what "Run All Cells" in the menu does, and waits for the last cell.
RUN_ALL = """
const [done] = arguments;
jupyterapp.restored
  .then(() => jupyterapp.shell.currentWidget.sessionContext.ready)
  .then(() => jupyterapp.commands.execute("notebook:run-all-cells"))
  .then(() => done(null), error => done(String(error)));
"""
PAPER = {False: "rgb(255, 255, 255)", True: "rgb(20, 23, 27)"}


def notebook():
    cells = [{"cell_type": "code", "id": f"cell-{number}", "metadata": {}, "execution_count": None, "outputs": [],
              "source": source} for number, source in enumerate(CELLS)]
    return {"cells": cells, "nbformat": 4, "nbformat_minor": 5,
            "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}}


class Jupyter(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        (cls.folder / "work").mkdir()
        cls.log = open(cls.folder / "log", "w")  # noqa: SIM115
        cls.addClassCleanup(cls.log.close)
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.port=0",
             f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={cls.folder}/work",
             "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
             "--LabApp.expose_app_in_browser=True"],  # as `jupyterapp`, for RUN_ALL
            stdout=cls.log, stderr=cls.log, cwd=cls.folder / "work",
            env={**os.environ, "HOME": str(cls.folder), "JUPYTERLAB_SETTINGS_DIR": f"{cls.folder}/settings",
                 "JUPYTER_RUNTIME_DIR": f"{cls.folder}/runtime", "WARPCHECK_CACHE": os.environ.get(
                     "WARPCHECK_CACHE", f"{pathlib.Path.home()}/.cache/warpcheck")})
        cls.addClassCleanup(server.wait)
        cls.addClassCleanup(server.terminate)
        cls.address = cls.address_of_server()
        cls.browser = check_pages.Browser()
        cls.addClassCleanup(cls.browser.driver.quit)
        cls.browser.driver.set_script_timeout(120)

    @classmethod
    def address_of_server(cls):
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            for path in cls.folder.glob("runtime/jpserver-*.json"):
                try:
                    url = json.loads(path.read_text())["url"]
                    urllib.request.urlopen(f"{url}api/status?token={TOKEN}")
                    return url
                except (ValueError, KeyError, urllib.error.URLError):
                    pass
            time.sleep(0.2)
        raise AssertionError((cls.folder / "log").read_text())

    def wait_for(self, found, seconds=120):
        try:
            return WebDriverWait(self.browser.driver, seconds).until(lambda _: found())
        except TimeoutException:
            self.shoot("timeout")
            page = self.browser.driver.find_element(By.TAG_NAME, "body").text
            raise AssertionError(f"JupyterLab shows:\n{page}\n\n{(self.folder / 'log').read_text()}") from None

    def shoot(self, name):
        if SHOTS:
            time.sleep(1)
            self.browser.driver.save_screenshot(str(SHOTS / f"jupyter_{name}.png"))

    def grade_a_cell(self, dark):
        """Executes the notebook, and returns the element that the grade shows."""
        driver = self.browser.driver
        settings = self.folder / "settings/@jupyterlab/apputils-extension"
        settings.mkdir(parents=True, exist_ok=True)
        theme = "JupyterLab Dark" if dark else "JupyterLab Light"
        (settings / "themes.jupyterlab-settings").write_text(json.dumps({"theme": theme, "adaptive-theme": False}))
        name = "dark.ipynb" if dark else "light.ipynb"
        (self.folder / "work" / name).write_text(json.dumps(notebook()))
        self.browser.look((1280, 1000), not dark)
        self.browser.requests()
        driver.get(f"{self.address}lab/tree/{name}?token={TOKEN}&reset")
        find = driver.find_elements
        self.wait_for(lambda: len(find(By.CSS_SELECTOR, ".jp-CodeCell .cm-content")) == 2)
        self.wait_for(lambda: find(By.CSS_SELECTOR, '.jp-Notebook-ExecutionIndicator[data-status="idle"]'))

        def graded():
            self.assertIsNone(driver.execute_async_script(RUN_ALL))
            return find(By.CSS_SELECTOR, ".jp-OutputArea .warpcheck")

        # JupyterLab may replace the kernel of a notebook that it has just opened. It then executes no cell, and
        # says nothing.
        return self.wait_for(graded)[0]

    def check(self, dark):
        part = self.grade_a_cell(dark)
        driver = self.browser.driver
        self.assertEqual(driver.execute_script("return document.body.dataset.jpThemeLight"), str(not dark).lower())
        style = "return getComputedStyle(arguments[0]).getPropertyValue(arguments[1])"
        self.assertEqual(driver.execute_script(style, part, "background-color"), PAPER[dark])
        self.assertIn("60 / 100", part.text)
        self.assertIn("Fix this first: Coalesced loads and stores", part.text)
        contrast = check_pages.CONTRAST.replace("document.body.query", "arguments[1].query")
        self.assertEqual(driver.execute_script(contrast, check_pages.LEAST_CONTRAST, part), [])
        self.assertEqual(len(part.find_elements(By.TAG_NAME, "script")), 0)
        # The line that the report names is the line that the notebook shows.
        line = next(number for number, text in enumerate(CELLS[1].splitlines(), 1) if "// expect" in text)
        self.assertIn(f"cell.cu:{line} ", part.text)
        self.assertTrue(part.find_elements(By.CSS_SELECTOR, "svg.access"))
        # Only the grade is left below the cell, and nothing came from elsewhere.
        outputs = driver.find_elements(By.CSS_SELECTOR, ".jp-OutputArea-output")
        self.assertEqual(len(outputs), 1)
        self.assertFalse([url for url in self.browser.requests() if "warpcheck.css" in url or "cdn" in url])
        for element, name in ((part, ""), (part.find_element(By.CSS_SELECTOR, "svg.access"), "_picture")):
            driver.execute_script("arguments[0].scrollIntoView()", element)
            self.shoot(("dark" if dark else "light") + name)

    def test_shows_a_grade_in_the_light(self):
        self.check(dark=False)

    def test_shows_a_grade_in_the_dark(self):
        self.check(dark=True)


if __name__ == "__main__":
    check_pages.skip_without_a_browser()
    unittest.main(argv=sys.argv[:1])
