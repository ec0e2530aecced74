"""Write the tables of formats and of rules in them into their page, by reading and writing.

Usage: python docs/make_formats.py
"""

from __future__ import annotations

import re
from pathlib import Path

from make_backends import table
from rules_in_formats import rules_table

from unidoku.formats.catalogue import FORMATS, Format

PAGE = Path(__file__).parent / "formats.md"

START, END = "<!-- table -->\n", "<!-- end of table -->\n"
RULES, END_OF_RULES = "<!-- rules -->\n", "<!-- end of rules -->\n"


def page(text: str) -> str:
    """Return the page with both tables in their places."""
    header = ["format", "what it is", "endings", "read", "written"]
    rows = table(header, map(row, FORMATS.values()))
    text = re.sub(f"(?s){START}.*{END}", lambda _: START + rows + END, text)
    return re.sub(
        f"(?s){RULES}.*{END_OF_RULES}", lambda _: RULES + rules_table() + END_OF_RULES, text
    )


def row(form: Format) -> list[str]:
    """Return the line of a format."""
    endings = ", ".join(f"`{ending}`" for ending in form.endings)
    return [f"`{form.name}`", form.summary, endings, form.reads, form.writes]


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
