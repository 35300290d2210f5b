"""Tests that each link of a Markdown file to a file of the repository, or to a heading, works on GitHub."""
import pathlib
import re
import subprocess
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^(```|~~~).*?^\1$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\]|!\[[^\]]*\]\([^)]*\))*\]\(([^)\s]+)\)")


def anchors(text):
    """Returns the anchors that GitHub gives the headings of a Markdown text."""
    found = {}
    for heading in re.findall(r"^#+ +(.*?)$", FENCE.sub("", text), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found[anchor] = found.get(anchor, -1) + 1
        if found[anchor]:
            found[f"{anchor}-{found[anchor]}"] = 0
    return set(found)


def links(text):
    """Returns the targets of the links of a Markdown text, those around pictures too."""
    text = CODE.sub("", FENCE.sub("", text))
    inner = re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", text)
    return inner + LINK.findall(text)


def broken(page):
    """Returns the links of a page that lead nowhere."""
    wrong = []
    for link in links(page.read_text()):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            wrong.append(f"{page.name}: no file {link}")
        elif anchor and (target.suffix != ".md" or anchor not in anchors(target.read_text())):
            wrong.append(f"{page.name}: no heading {link}")
    return wrong


def pages():
    names = subprocess.run(["git", "ls-files", "*.md"], cwd=TOP, capture_output=True, text=True).stdout.split()
    return [TOP / name for name in names] or sorted(TOP.glob("*.md")) + sorted(TOP.glob("docs/**/*.md"))


class Links(unittest.TestCase):
    def test_lead_somewhere(self):
        self.assertGreater(len(pages()), 30)
        self.assertEqual([one for page in pages() for one in broken(page)], [])

    def test_that_lead_nowhere_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text("# A page, and more\n[file](none.md) [here](#a-page-and-more) [there](#there)\n"
                            "[![picture](none.png)](page.md) `[code](none.md)`\n```\n[code](none.md)\n# No heading\n```\n"
                            "[self](page.md#no-heading) [web](https://example.org/none.md)\n")
            self.assertEqual(sorted(broken(page)), ["page.md: no file none.md", "page.md: no file none.png",
                                                    "page.md: no heading #there",
                                                    "page.md: no heading page.md#no-heading"])


if __name__ == "__main__":
    unittest.main()
