"""Chooses the files of the site: MkDocs calls these functions (mkdocs.yml names this file).

The pages are Markdown files of the repository, and every file that one of them links to. They keep their places, so
that a relative link works on GitHub and on the site.
"""
import pathlib
import re

from mkdocs.structure.files import File, Files

TOP = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["*.md", "docs/*.md", "docs/findings/*.md", "assignments/*/README.md", "labs/*/README.md", "ci/course/README.md"]
STYLE = "docs/site/site.css"
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)|(?:src|srcset|href)=\"([^\"#]+)\"")


def title_of(page):
    """Returns a page's first heading."""
    return re.search(r"^# (.*)$", (TOP / page).read_text(), re.MULTILINE)[1]


def pages():
    return sorted(path.relative_to(TOP).as_posix() for pattern in PAGES for path in TOP.glob(pattern))


def linked_files(page):
    """Returns the files of the repository that a page links to."""
    places = [TOP / page.parent / (match[1] or match[2]) for match in LINK.finditer((TOP / page).read_text())]
    inside = [place.resolve() for place in places if place.is_file()]
    return {place.relative_to(TOP).as_posix() for place in inside if place.is_relative_to(TOP)}


def chapter(folder):
    """Returns the navigation of the handouts, or of the labs."""
    return [{title_of(page): page} for page in pages() if page.startswith(f"{folder}/")]


def named(nav):
    """Returns all paths of a navigation."""
    if isinstance(nav, str):
        return {nav}
    return set().union(*map(named, nav.values() if isinstance(nav, dict) else nav))


def on_config(config):
    config.nav = [{title: chapter(part) if part in ("assignments", "labs") else part}
                  for one in config.nav for title, part in one.items()]
    rest = [page for page in pages() if page.startswith("docs/") and page not in named(config.nav)]
    config.nav[-1]["Reference"] += [{title_of(page): page} for page in rest]
    return config


def on_files(files, config):
    chosen = {*pages(), STYLE}
    for page in pages():
        chosen |= linked_files(pathlib.Path(page))
    of_theme = [file for file in files if file.abs_src_path is None or not file.abs_src_path.startswith(config.docs_dir)]
    return Files([*of_theme, *(File.generated(config, path, abs_src_path=str(TOP / path)) for path in sorted(chosen))])


def on_page_markdown(markdown, page, config, files):
    """Leaves out the words behind a block's language: GitHub ignores them, and MkDocs would show the block as text."""
    return re.sub(r"^```(\w+) [a-z]+$", r"```\1", markdown, flags=re.MULTILINE)
