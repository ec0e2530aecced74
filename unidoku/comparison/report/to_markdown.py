"""Tables as Markdown, of the kind that GitHub shows."""

from __future__ import annotations

import re
from collections.abc import Iterable

from unidoku.comparison.report.table import Table

__all__ = ["to_markdown"]

_SPECIAL = re.compile(r"([\\`*_<>|~])")


def to_markdown(table: Table) -> str:
    r"""Return the table as Markdown, its title in bold above, its note below.

    >>> print(to_markdown(Table(title="T", headings=("name", "n"), rows=(("a|b", "1"),))))
    **T**
    <BLANKLINE>
    | name | n |
    | --- | ---: |
    | a\|b | 1 |
    <BLANKLINE>
    """

    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    rule = ["---", *("---:" for _ in table.headings[1:])]
    rows = [map(_escaped, row) for row in (table.headings, *table.rows)]
    lines = [f"**{_escaped(table.title)}**", "", line(rows[0]), line(rule), *map(line, rows[1:])]
    if table.note:
        lines += ["", _escaped(table.note)]
    return "\n".join([*lines, ""])


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
