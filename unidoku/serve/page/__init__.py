"""The page of the workbench: modules of JavaScript, styles, and the HTML that loads them."""

from __future__ import annotations

import base64
import json
import re
from functools import lru_cache
from importlib.resources import files
from string import Template

from unidoku.draw.paint import BOARD, STEPS
from unidoku.support.language import ENGLISH, PAGE, language, room_of
from unidoku.support.page import json_text, read_part, read_words

TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}
"""The types of the page's files, by their ending."""

INDEX = "index.html"


@lru_cache(maxsize=1)
def names() -> frozenset[str]:
    """Return the names of the files that the page loads."""
    return frozenset(
        entry.name
        for entry in files(__name__).iterdir()
        if entry.name.endswith(tuple(TYPES)) and entry.name != INDEX
    )


def part(name: str) -> str:
    """Return a file of the page."""
    return read_part(__name__, name)


def index() -> str:
    """Return the page, and the words of its modules, in the language in force."""
    words = dict(room_of(language(), PAGE)) if language() != ENGLISH else {}
    return Template(read_words(__name__, INDEX)).substitute(
        language=language(), words=json_text(words)
    )


def style() -> str:
    """Return the style of the page: of all pages, of boards and steps, and its own."""
    theme = read_part("unidoku.support.page", "theme.css")
    palettes = [BOARD.page_style, STEPS.page_style, BOARD.style_of("safe"), STEPS.style_of("safe")]
    return "\n".join([theme, *palettes, part("page.css")])


def in_one() -> str:
    """Return the page in one text, for a frame that can load nothing.

    A map of imports has the modules as addresses with their content, under their bare names.
    """
    modules = {
        name: re.sub(r'from "\./([\w-]+\.js)"', r'from "\1"', part(name))
        for name in sorted(names())
        if name.endswith(".js")
    }
    addresses = {
        name: f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}"
        for name, text in modules.items()
    }
    return (
        index()
        .replace('<link rel="stylesheet" href="/style.css">', f"<style>{style()}</style>")
        .replace(
            '<script type="module" src="/page/main.js"></script>',
            f'<script type="importmap">{json.dumps({"imports": addresses})}</script>'
            '<script type="module">import "main.js";</script>',
        )
    )
