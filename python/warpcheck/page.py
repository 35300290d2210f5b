"""Makes of a page of warpcheck a part of a notebook, in the notebook's light or dark."""
from __future__ import annotations

import hashlib
import re
from html.parser import HTMLParser
from typing import Dict, List, Optional, Tuple

# A notebook says by these selectors which colours it has: JupyterLab, Notebook 7 and nbconvert; Colab; VS Code; pages
# of Sphinx.
LIGHT = ('body[data-jp-theme-light="true"]', 'html[theme="light"]', "body.vscode-light", 'html[data-theme="light"]',
         "body.notebook_app")
DARK = ('body[data-jp-theme-light="false"]', 'html[theme="dark"]', "body.vscode-dark",
        "body.vscode-high-contrast:not(.vscode-high-contrast-light)", 'html[data-theme="dark"]')

Rule = Tuple[str, str]  # what stands before the braces, and what stands between them


def _rules(sheet: str) -> List[Rule]:
    """Splits a style sheet into its outermost rules."""
    rules, depth, start, opened = [], 0, 0, 0
    for at, sign in enumerate(sheet):
        if sign == "{":
            if depth == 0:
                opened = at
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth == 0:
                rules.append((sheet[start:opened].strip(), sheet[opened + 1:at].strip()))
                start = at + 1
    return rules


def _split_selectors(selectors: str) -> List[str]:
    """Splits at commas outside of brackets."""
    parts, depth = [""], 0
    for sign in selectors:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(sign, 0)
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def _inside(selectors: str, scope: str) -> str:
    """Returns the selectors for elements of the part alone. The page's root is the part's."""
    scoped = [re.sub(r"^(:root|html|body)(?![\w-])", scope, one) for one in _split_selectors(selectors)]
    return ", ".join(one if one.startswith(scope) else f"{scope} {one}" for one in scoped)


def _scoped_sheet(sheet: str, scope: str) -> str:
    """Returns the style sheet for the part alone, with the notebook's choice of colours before the system's."""
    text: List[str] = []
    colours: Dict[bool, List[str]] = {False: [], True: []}
    for before, body in _rules(re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)):
        is_dark = bool(re.match(r"@media\s*\(prefers-color-scheme:\s*dark\)", before))
        if before.startswith("@media"):
            inner = [(_inside(selectors, scope), what) for selectors, what in _rules(body)]
            text.append(before + " {\n" + "\n".join(f"{one} {{ {what} }}" for one, what in inner) + "\n}")
            if is_dark:
                colours[True] += [what for selectors, what in inner if selectors == scope]
        else:
            text.append(f"{_inside(before, scope)} {{ {body} }}")
            if before == ":root":
                colours[False].append(re.sub(r"color-scheme:[^;]*;", "", body))
    for dark, hosts in ((False, LIGHT), (True, DARK)):
        chosen = ", ".join(f"{host} {scope}" for host in hosts)
        variables = "; ".join(part.strip().rstrip(";") for part in colours[dark])
        text.append(f"{chosen} {{ color-scheme: {'dark' if dark else 'light'}; {variables} }}")
    # Notebooks paint tables and code in their own way.
    text.append(f"{scope} tr, {scope} tr:hover, {scope} code {{ background: none; }}")
    text.append(f"{scope} table {{ table-layout: auto; margin: .4rem 0; font-size: inherit; border: 0; }}")
    text.append(f"{scope} code {{ color: inherit; padding: 0; }}")
    text.append(f"{scope} tr.marked {{ background: var(--mark); }}")
    return "\n".join(text)


class _Part(HTMLParser):
    """Takes a page's body and style sheet, and gives the anchors a prefix, so that two pages may stand in a
    notebook."""

    def __init__(self, prefix: str) -> None:
        super().__init__(convert_charrefs=False)
        self.prefix = prefix
        self.sheet: List[str] = []
        self.body: List[str] = []
        self._place = ""  # the element whose content is being read (style or body), or nothing
        self._skipped: Optional[str] = None

    def handle_starttag(self, tag: str, attributes: List[Tuple[str, Optional[str]]]) -> None:
        named = dict(attributes)
        if tag == "body" or (tag == "style" and self._place != "body"):
            self._place = tag
        elif self._place == "body":
            if tag == "script" or "skip" in (named.get("class") or "").split():
                self._skipped = tag
            if self._skipped is None:
                text = self.get_starttag_text() or ""
                text = re.sub(r'(\sid=")', rf"\g<1>{self.prefix}-", text)
                self.body.append(re.sub(r'(\shref="#)', rf"\g<1>{self.prefix}-", text))

    def handle_startendtag(self, tag: str, attributes: List[Tuple[str, Optional[str]]]) -> None:
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        if self._place == tag:
            self._place = ""
        elif self._skipped == tag:
            self._skipped = None
        else:
            self._add(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self._add(data)

    def handle_entityref(self, name: str) -> None:
        self._add(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._add(f"&#{name};")

    def _add(self, text: str) -> None:
        if self._place == "style":
            self.sheet.append(text)
        elif self._place == "body" and self._skipped is None:
            self.body.append(text)


def part_of(page: str) -> str:
    """Returns a page as a part for a notebook: it has no script, loads nothing, and changes nothing around it."""
    prefix = "warpcheck-" + hashlib.sha256(page.encode()).hexdigest()[:12]
    part = _Part(prefix)
    part.feed(page)
    part.close()
    sheet = _scoped_sheet("".join(part.sheet), f"#{prefix}")
    return f'<div class="warpcheck" id="{prefix}">\n<style>\n{sheet}\n</style>\n{"".join(part.body).strip()}\n</div>'
