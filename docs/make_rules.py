"""Write the page of the kinds of rules, from their catalogue and docstrings.

Usage: python docs/make_rules.py
"""

from __future__ import annotations

import inspect
import re
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any

from make_backends import one_line, table

from unidoku.core.rules.base import KINDS, Rule
from unidoku.core.rules.fields import CellRole, fields_of_cells
from unidoku.support.toml import toml_value

PAGE = Path(__file__).parent / "rules.md"

INTRODUCTION = """\
# The kinds of rules

<!-- Made by `python docs/make_rules.py` from catalogue and docstrings: change those. -->

Each kind by its name in [puzzle files](puzzle-files.md) and by its class in Python; its fields have
the same names in both. In files *cells* are such as `A1-A4 B4`, a *line* is cells in order, *pairs*
are a list of two cells each. Rules are about the values that people see, whatever the first value
of the layout is. Cells and lines have at least one cell. A cell that is listed twice counts twice,
but need not differ from itself. The [gallery](gallery.md) has a puzzle of each kind, and
[another page](rules-measured.md) says what each backend decides of each kind.
"""

CELLS = {CellRole.GROUP: "cells", CellRole.LINE: "a line", CellRole.PAIRS: "pairs"}


def first_paragraph(kind: type[Rule]) -> str:
    """Return the first paragraph of a rule's docstring on one line."""
    return one_line((inspect.getdoc(kind) or "").split("\n\n")[0]).replace("``", "`")


def meaning(kind: type[Rule], name: str) -> str:
    """Return what the docstring of a rule, or of what it is derived from, says of a field."""
    for base in kind.__mro__:
        text = inspect.getdoc(base) or ""
        if match := re.search(
            rf"^    {name}: (.*?)(?=\n    \w+: |\n\n|\Z)", text, re.MULTILINE | re.DOTALL
        ):
            return one_line(match[1].rstrip("."))
    return ""


def field_text(kind: type[Rule], field: Field[Any]) -> str:
    """Return what is said of a field: its name, what it holds, its meaning and its default."""
    of_cells = fields_of_cells(kind).get(field.name)
    holds = f" ({CELLS[of_cells]})" if of_cells else ""
    default = ""
    if field.default is None:
        default = "; may be absent"
    elif field.default is not MISSING:
        default = f"; {toml_value(field.default)} if absent"
    return f"`{field.name}`{holds}: {meaning(kind, field.name)}{default}"


def page() -> str:
    """Return the page."""
    rows = [
        [
            f"`{name}`",
            f"`{kind.__name__}`",
            first_paragraph(kind),
            "<br>".join(field_text(kind, field) for field in fields(kind)),
        ]
        for name, kind in KINDS.items()
    ]
    return f"{INTRODUCTION}\n{table(['kind', 'class', 'what it says', 'fields'], rows)}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
