#!/usr/bin/env python3
"""Opens the pages in headless Chromium and checks what only a browser can tell: that no script runs but the
class's own, nothing is loaded, nothing scrolls sideways on a phone, no text is squeezed into a column of
letters or lies over another, text is readable in the light and in the dark, everything is reached by Tab, and
that the class's rows sort, filter and search. A page that is bad in each of these ways has to be found out first.

usage: check_pages.py <write_pages> [folder for screenshots [pages whose names contain this]]

Ends with 77, and says why, where there is no browser.
"""

import functools
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
except ImportError:
    webdriver = None

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
SKIPPED = 77
PHONE, DESK = (360, 740), (1280, 900)
OTHERS = (390, 844), (820, 1180)  # these widths are a larger phone and a tablet
LEAST_CONTRAST = 4.5  # see WCAG 2.1, 1.4.3
MAX_TABS = 60

# Finds elements with a text of their own whose colour has too little contrast to its background.
CONTRAST = """
const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
const part = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const light = c => 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2]);
const behind = e => {
  for (; e; e = e.parentElement) {
    const c = parse(getComputedStyle(e).backgroundColor);
    if (c.length === 3 || c[3] === 1) return c;
  }
  return matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0] : [255, 255, 255];
};
const bad = [];
for (const e of document.body.querySelectorAll('*')) {
  if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
  const a = light(parse(getComputedStyle(e).color)), b = light(behind(e));
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < arguments[0]) bad.push(e.tagName + ': ' + ratio.toFixed(2));
}
return bad.slice(0, 5);
"""

# Finds elements with a text of their own that is broken into lines of one or two letters: the text
# has more letters than three on each line. Also finds source code that has less than a fifth of its
# table's width.
SQUEEZED = """
const bad = [];
for (const e of document.body.querySelectorAll('*')) {
  const own = [...e.childNodes].filter(n => n.nodeType === 3 && n.data.trim());
  if (e.getBoundingClientRect().right <= 0) continue;  // for readers of the page's text alone
  const range = document.createRange();
  for (const n of own) {
    range.selectNodeContents(n);
    const tops = new Set([...range.getClientRects()].map(r => Math.round(r.top)));
    const letters = n.data.trim().length;
    if (tops.size >= 3 && letters < 3 * tops.size) bad.push(e.tagName + ' ' + n.data.trim().slice(0, 20));
  }
}
for (const e of document.querySelectorAll('td.code')) {
  const table = e.closest('table').getBoundingClientRect();
  if (e.getBoundingClientRect().width < table.width / 5) bad.push('source ' + e.textContent.slice(0, 20));
}
return bad.slice(0, 5);
"""

# Finds pieces of text that lie over each other.
OVERLAPS = """
const rects = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const range = document.createRange();
for (let n; (n = walker.nextNode());) {
  if (!n.data.trim() || !n.parentElement.checkVisibility({visibilityProperty: true})) continue;
  range.selectNodeContents(n);
  const box = n.parentElement.closest('pre')?.getBoundingClientRect();  // which scrolls
  for (const r of range.getClientRects())
    if (r.width > 2 && r.right > 0 && (!box || r.bottom <= box.bottom)) rects.push({r, n});
}
rects.sort((a, b) => a.r.top - b.r.top);
const bad = [];
for (let i = 0; i < rects.length; ++i) {
  for (let k = i + 1; k < rects.length && rects[k].r.top < rects[i].r.bottom - 4; ++k) {
    const a = rects[i], b = rects[k];
    if (a.n === b.n) continue;
    if (Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left) > 2)
      bad.push(a.n.data.trim().slice(0, 20) + ' / ' + b.n.data.trim().slice(0, 20));
  }
}
return bad.slice(0, 5);
"""

# The page of a class has one script, which its policy names; other pages have no script.
SCRIPTS = """
const bad = [];
if (document.title === 'owned' || window.owned) bad.push('a script ran');
const own = document.getElementById('list') ? 1 : 0;
if (document.scripts.length !== own) bad.push('has scripts');
for (const e of document.querySelectorAll('*')) for (const a of e.attributes)
  if (a.name.startsWith('on') || /^\\s*javascript:/i.test(a.value)) bad.push(e.tagName + ' ' + a.name);
return bad;
"""

HEADERS = """
return [...document.querySelectorAll('table')].filter(t =>
    !t.querySelector('thead th[scope=col]') || t.querySelector('th:not([scope])')).map(t => 'table: ' +
    t.textContent.slice(0, 40));
"""

BAD_PAGE = b"""<!DOCTYPE html><title>bad</title><body style="background:#fff">
<script>window.owned = 1</script><img src="/missing.png">
<p style="width:1900px;color:#ddd">faint and wide</p><a href="#x" tabindex="-1">unreachable</a>
<p style="width:1px;overflow-wrap:anywhere">12,345</p><p style="margin-bottom:-40px">one</p><p>other</p><table><tr><th>x</th></tr></table>"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


class Browser:
    def __init__(self):
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                         "--disable-background-networking", "--disable-component-update"):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        options.binary_location = CHROMIUM
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)

    def look(self, size, dark):
        width, height = size
        cdp = self.driver.execute_cdp_cmd
        cdp("Emulation.setDeviceMetricsOverride", {"width": width, "height": height,
                                                   "deviceScaleFactor": 1, "mobile": width == PHONE[0]})
        cdp("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def requests(self):
        """Returns the addresses that were requested since the last call."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return [url for url in found if not url.startswith(("data:", "chrome:", "about:"))]

    def open(self, url):
        self.driver.get("about:blank")
        self.requests()
        self.complaints()
        self.driver.get(url)

    # Each check returns a list of the mistakes that it finds.
    def network(self, url):
        return [other for other in self.requests() if other != url]

    def complaints(self):
        """Returns messages of the browser: what a policy forbade, and where a script failed."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def scripts(self):
        return self.driver.execute_script(SCRIPTS) + self.complaints()

    def width(self, size):
        widest = self.driver.execute_script("return document.documentElement.scrollWidth")
        return [] if widest <= size[0] else [f"{widest} pixels wide, of {size[0]}"]

    def squeezed(self):
        return self.driver.execute_script(SQUEEZED)

    def overlaps(self):
        return self.driver.execute_script(OVERLAPS)

    def open_all(self):
        """Checks the parts of a page that are folded."""
        self.driver.execute_script("document.querySelectorAll('details').forEach(e => { e.open = true; })")

    def contrast(self):
        return self.driver.execute_script(CONTRAST, LEAST_CONTRAST)

    def headers(self):
        return self.driver.execute_script(HEADERS)

    def tab(self, may_be_none=False):
        targets = self.driver.execute_script(
            "window.targets = [...document.querySelectorAll('a[href], [tabindex=\"0\"], summary, input, select, button')]"
            ".filter(e => e.checkVisibility()); return targets.length")
        reached = []
        for _ in range(min(targets, MAX_TABS)):
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
            reached.append(self.driver.execute_script(
                "const e = document.activeElement, r = e.getBoundingClientRect();"
                "return [targets.indexOf(e), r.width > 0 && r.left >= 0 &&"
                " getComputedStyle(e).outlineStyle !== 'none']"))
        expected = [[i, True] for i in range(min(targets, MAX_TABS))]
        return [] if reached == expected and (targets or may_be_none) else [f"Tab reaches {reached}"]


def check_page(browser, url):
    wrong = []

    def add(what, found):
        wrong.extend(f"{what}: {one}" for one in found)

    for dark in (False, True):
        browser.look(PHONE, dark)
        browser.open(url)
        add("network", browser.network(url))
        add("scripts", browser.scripts())
        browser.open_all()
        add("contrast, " + ("dark" if dark else "light"), browser.contrast())
    for size in (PHONE, *OTHERS, DESK):
        browser.look(size, False)
        browser.open(url)
        for folded in (True, False):
            if not folded:
                browser.open_all()
            add(f"width, at {size[0]}", browser.width(size))
            add(f"squeezed, at {size[0]}", browser.squeezed())
            add(f"overlaps, at {size[0]}", browser.overlaps())
    browser.open(url)
    add("headers", browser.headers())
    add("tab", browser.tab(may_be_none="/progress/running" in url or "/students/" in url))
    return wrong


# Returns the visible rows, each as the texts of its cells.
ROWS = """
return [...document.querySelectorAll('#list tbody tr')].filter(e => e.checkVisibility())
    .map(e => [...e.cells].map(c => c.textContent.trim()));
"""


def check_class(browser, url):
    """Checks that the rows of a class of 300 sort, filter and search, by keyboard too, and are all there without
    the script."""
    driver = browser.driver
    wrong = []

    def rows():
        return driver.execute_script(ROWS)

    def expect(what, good):
        if not good:
            wrong.append(f"class: {what}")

    def control(name):
        return driver.find_element("id", name)

    def choose(name, value):
        driver.execute_script("const e = document.getElementById(arguments[0]); e.value = arguments[1];"
                              "e.dispatchEvent(new Event('input', {bubbles: true}))", name, value)

    browser.look(DESK, False)
    browser.open(url)
    everybody = rows()
    expect("300 rows", len(everybody) == 300)
    expect("says how many", control("shown").text == "300 of 300 shown")
    expect("announces it", control("shown").get_attribute("role") == "status")
    control("find").send_keys("zoe nunez")  # the search ignores accents
    found = rows()
    expect("search", 0 < len(found) < 300 and all("Zoë Núñez" in row[0] for row in found))
    expect("says how many are found", control("shown").text == f"{len(found)} of 300 shown")
    expect("search is in the address", "find=zoe+nunez" in driver.current_url)
    driver.refresh()
    expect("search survives", rows() == found and control("find").get_attribute("value") == "zoe nunez")
    control("clear").click()
    expect("all are back", rows() == everybody)
    for text in ("王伟", "김민준", "प्रिया", "فاطمة", "student_100017"):
        control("find").clear()
        control("find").send_keys(text)
        expect(f"search for {text}", rows() and all(text in row[0] for row in rows()))
    control("find").clear()
    control("find").send_keys("<b>nobody</b>")
    expect("nobody is found", not rows() and control("shown").text == "0 of 300 shown")
    control("clear").click()
    columns = len(everybody[0])
    for value, shown in (("passed", "passed"), ("error", "error"), ("missing", "missing"), ("refused", "refused")):
        choose("result", value)
        expect(f"only {shown}", rows() and all(row[2] == shown for row in rows()))
    choose("result", "")
    choose("lost", "1")
    expect("a lost criterion", rows() and all(row[3] == "0" for row in rows()))
    control("clear").click()
    for name, is_it in (("late", lambda row: row[-1].startswith("late")),
                        ("open", lambda row: "not final" in row[1] or row[1] == "-")):
        control(name).send_keys(Keys.SPACE)
        expect(name, [row for row in everybody if is_it(row)] == rows())
        control(name).send_keys(Keys.SPACE)

    def number(text):
        return float(text.split()[0]) if text[0].isdigit() else -1

    heads = driver.find_elements("css selector", "#list thead button")
    expect("each column sorts", len(heads) == columns)
    for column, head in enumerate(heads):
        is_number = column == 1 or 2 < column < columns - 1
        head.send_keys(Keys.ENTER)
        once = [row[column] for row in rows()]
        sort = head.find_element("xpath", "..").get_attribute("aria-sort")
        expect(f"column {column} says how it is sorted", sort == ("descending" if is_number else "ascending"))
        if is_number:
            expect(f"column {column} is sorted", [number(one) for one in once] ==
                   sorted((number(one) for one in once), reverse=True))
        head.send_keys(Keys.ENTER)
        twice = [row[column] for row in rows()]
        expect(f"column {column} is sorted the other way", twice == once[::-1] or
               (is_number and [number(one) for one in twice] == sorted(number(one) for one in twice)) or
               (twice[0], twice[-1]) == (once[-1], once[0]))
    browser.look(OTHERS[0], False)
    browser.open(url + "#order=1&down=1&lost=4")
    expect("the phone sorts by the list", rows() and "descending" in driver.page_source)
    expect("no complaints", not browser.complaints())

    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.look(DESK, False)
        driver.get("about:blank")
        driver.get(url)
        expect("without the script: all rows", rows() == everybody)
        expect("without the script: no controls", not control("filter").is_displayed())
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    return wrong


def check_checks(browser, url):
    """Opens the page that is bad in every way; returns the checks that found nothing wrong in it."""
    found = {line.split(":")[0].split(",")[0] for line in check_page(browser, url)}
    return sorted({"network", "scripts", "width", "squeezed", "overlaps", "contrast", "headers", "tab"} - found)


def shoot(browser, url, folder, name):
    for size, device in ((OTHERS[0], "phone"), (OTHERS[1], "tablet"), (DESK, "desk")):
        for dark in (False, True):
            browser.look(size, dark)
            browser.open(url)
            height = browser.driver.execute_script(
                "return Math.min(4000, document.documentElement.scrollHeight)")
            browser.look((size[0], height), dark)
            target = folder / f"{name}_{device}_{'dark' if dark else 'light'}.png"
            browser.driver.save_screenshot(str(target))


def skip_without_a_browser():
    missing = [name for name, found in (("python3-selenium", webdriver),
                                        ("chromium", os.path.exists(CHROMIUM)),
                                        ("chromium-driver", os.path.exists(DRIVER))) if not found]
    if missing:
        print(f"SKIPPED: {', '.join(missing)} not installed: ci/setup.sh test does that on Debian")
        sys.exit(SKIPPED)


def main():
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__)
    skip_without_a_browser()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.argv[1], str(folder)], check=True)
        (folder / "bad.html").write_bytes(BAD_PAGE)
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Quiet, directory=name))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        root = f"http://127.0.0.1:{server.server_address[1]}/"
        browser = Browser()
        failures = 0
        try:
            for missed in check_checks(browser, root + "bad.html"):
                failures += 1
                print(f"the check of {missed} sees nothing in a page that is bad")
            pages = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html")
                           if path.name != "bad.html" and (len(sys.argv) < 4 or sys.argv[3] in str(path)))
            for page in pages:
                wrong = check_page(browser, root + page)
                if page == "large/index.html":
                    wrong += check_class(browser, root + page)
                failures += len(wrong)
                print(f"{'BAD ' if wrong else 'good'} {page}")
                for line in wrong:
                    print(f"    {line}")
                if len(sys.argv) > 2:
                    shoot(browser, root + page, pathlib.Path(sys.argv[2]),
                          page.replace("/", "_").removesuffix(".html"))
        finally:
            browser.driver.quit()
            server.shutdown()
        print(f"{len(pages)} pages, {failures} failures")
        return 1 if failures or (len(pages) < 25 and len(sys.argv) < 4) else 0


if __name__ == "__main__":
    sys.exit(main())
