"""Write the table of formats into their page, from the catalogue.

Usage: python docs/make_formats.py
"""

from __future__ import annotations

import re
from pathlib import Path

from make_backends import table

from unidoku.formats.catalogue import FORMATS, Format

PAGE = Path(__file__).parent / "formats.md"

START, END = "<!-- table -->\n", "<!-- end of table -->\n"


def page(text: str) -> str:
    """Return the page with the table in its place."""
    header = ["format", "what it is", "endings", "read", "written"]
    rows = table(header, map(row, FORMATS.values()))
    return re.sub(f"(?s){START}.*{END}", lambda _: START + rows + END, text)


def row(form: Format) -> list[str]:
    """Return the line of a format."""
    endings = ", ".join(f"`{ending}`" for ending in form.endings)
    return [f"`{form.name}`", form.summary, endings, form.reads, form.writes]


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
