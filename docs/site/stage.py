"""Lay out the pages of the site: those of docs/ as they are, and those made from code.

The pages read well where they are, with links to files around them. Here each such link becomes
one to a page of the site, or to a copy of the file.
"""

from __future__ import annotations

import json
import posixpath
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import api
import commands
import notebooks
import upstream
from navigation import GENERATED, NOTEBOOKS, PARTS, ROOT_PAGES, SHOWN, unlisted
from solver import with_solver

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(!?\[([^\[\]]*)\]|\])\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name of each page in the project, and its name on the site."""
    for path in sorted((ROOT / "docs").glob("*.md")):
        yield f"docs/{path.name}", path.name
    for path in sorted((ROOT / "benchmarks" / "results").glob("*.md")):
        yield f"benchmarks/results/{path.name}", f"results/{path.name}"
    for notebook in NOTEBOOKS:
        yield f"docs/{notebook}.ipynb", f"{notebook}.md"
    yield from ROOT_PAGES.items()


def stage(target: Path) -> None:
    """Write the sources of the site into a folder; what has not changed keeps its time."""
    texts_of = dict(texts())
    (target / "extra").mkdir(parents=True, exist_ok=True)
    names = dict(pages())
    PARTS["index.md"]["Explanation"] += unlisted(
        {page.rpartition(".")[0] for page in {*texts_of, *names.values()}}
    )
    for source, name in names.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        if source.endswith(".ipynb"):
            text = notebooks.page(json.loads(text))
        if name == "index.md":
            text = with_solver(text, target / "extra")
        texts_of[name] = with_contents(
            name, moved(text, source, name, {**names, **GENERATED}, target)
        )
    for path in sorted((ROOT / "docs" / "images").rglob("*.*")):
        copy(path, target / path.relative_to(ROOT / "docs"))
    for old in sorted({*target.rglob("*.md"), *target.rglob("*.rst")}):
        name = old.relative_to(target).as_posix()
        if name not in texts_of and not name.startswith("files/"):
            old.unlink()
    for name, text in texts_of.items():
        write(target / name, text)


def texts() -> Iterator[tuple[str, str]]:
    """Yield the names and texts of the pages that are made from code."""
    yield from api.pages()
    yield "commands.md", commands.page()
    yield "upstream.md", upstream.page()


def with_contents(name: str, text: str) -> str:
    """Return a page with its tree of contents, shown at its beginning or hidden."""
    if name not in SHOWN:
        return text + contents(name, ":hidden:")
    front, heading, rest = text.partition("\n## ")
    return "".join((front, contents(name, ":maxdepth: 1"), heading, rest))


def contents(name: str, option: str) -> str:
    """Return the tree of contents of a page."""
    return "".join(
        f"\n```{{toctree}}\n{option}\n:caption: " + caption + "\n\n" + "\n".join(below) + "\n```\n"
        for caption, below in PARTS.get(name, {}).items()
        if below
    )


def moved(text: str, source: str, name: str, names: dict[str, str], target: Path) -> str:
    """Return a page with its links as they are on the site."""

    def link(match: re.Match[str]) -> str:
        before, text, to, anchor = match.groups()
        where = posixpath.normpath(posixpath.join(posixpath.dirname(source), to))
        if where in names:
            goal = names[where]
        elif where.startswith("docs/images/"):
            goal = where.removeprefix("docs/")
        elif where.endswith(".html"):
            return whole_page(ROOT / where, name, text or before, target)
        elif (ROOT / where).is_file():
            goal = f"files/{where}"
            copy(ROOT / where, target / goal)
        elif (ROOT / where).is_dir():
            return text or before  # a folder has no page
        else:
            raise SystemExit(f"{source}: the link to {to} leads to no page and no file")
        near = posixpath.relpath(goal, posixpath.dirname(name) or ".")
        return f"{before}({near}{anchor or ''})"

    parts: list[str] = []
    end = 0
    for code in CODE.finditer(text):
        parts += [LINK.sub(link, text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, LINK.sub(link, text[end:])])


def whole_page(path: Path, name: str, text: str, target: Path) -> str:
    """Have a page that is HTML already beside those of the site, and return the link to it."""
    whole = f"{path.stem}-page.html"
    back = f'<p><a href="{Path(name).stem}.html">Back to the documentation</a></p>'
    page = re.sub(r"(<main\b[^>]*>)", rf"\1\n{back}", path.read_text(encoding="utf-8"), count=1)
    write(target / "extra" / whole, page)
    return f'<a href="{whole}">{text}</a>'


def copy(path: Path, to: Path) -> None:
    """Copy a file, if it has changed."""
    if not to.exists() or to.stat().st_mtime < path.stat().st_mtime:
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, to)


def write(path: Path, text: str) -> None:
    """Write a file, if its text has changed."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
