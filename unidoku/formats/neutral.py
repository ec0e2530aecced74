"""The neutral form of puzzles: a JSON object a line, cells as numbers, every fact spelled out.

Collections of puzzles of many kinds come in it. A line is read as far as its facts and rules are
known here; what is not known is named, and nothing is left out in silence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from unidoku.core.bits import all_values, mask_of
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout, Unit, row_name
from unidoku.core.rules.base import Rule
from unidoku.core.text.symbols import DIGITS_FIRST
from unidoku.core.variants import layout as named_layout
from unidoku.errors import FormatError, InputError, LayoutError
from unidoku.formats.neutral_rules import RULES, Facts
from unidoku.formats.puzzle_table import with_rules
from unidoku.formats.puzzles import Puzzle
from unidoku.kinds import TABLE, TEXT, WHOLE, Kind, listed_of, misfit, or_null, whole

__all__ = ["Unread", "puzzles_from_neutral"]


@dataclass(frozen=True, slots=True)
class Unread:
    """A puzzle that cannot be read.

    Args:
        name: what its file calls it.
        line: the line where it begins, from 1.
        reasons: what it has that is not known here, each in a few words.
    """

    name: str
    line: int
    reasons: tuple[str, ...]


_CELLS = listed_of(WHOLE)
_UNITS = listed_of(Kind("cells", _CELLS.holds, "lists of cells"))

_KEYS: Mapping[str, Kind] = {
    "name": TEXT,
    "source": TEXT,
    "family": TEXT,
    "origin": TEXT,
    "note": TEXT,
    "n": whole(1, bits=8),
    "values": Kind("the lowest and the highest value", lambda v: _CELLS.holds(v) and len(v) == 2),  # type: ignore[arg-type]  # it is a list
    "shape": Kind("rows and columns", lambda v: _CELLS.holds(v) and len(v) == 2),  # type: ignore[arg-type]  # it is a list
    "hidden": whole(0),
    "blocked": _CELLS,
    "units": _UNITS,
    "regions": or_null(_UNITS),
    "givens": TEXT,
    "candidates": TABLE,
    "rules": listed_of(TABLE),
    "count": or_null(whole(0)),
    "at_least": whole(0),
    "solution": or_null(TEXT),
    "verified": Kind("a list", lambda value: isinstance(value, list)),
    "features": Kind("a list", lambda value: isinstance(value, list)),
}
_NEEDED = ("name", "n", "values", "shape", "units", "givens", "rules")

_EMPTY, _HOLE = ".", "#"


def puzzles_from_neutral(lines: Iterable[tuple[int, str]]) -> Iterator[Puzzle | Unread]:
    """Yield the puzzles of numbered lines, and what cannot be read of them.

    Raises:
        FormatError: a line is no puzzle in this form.
    """
    for number, text in lines:
        try:
            table = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"expected a puzzle in JSON: {error}", number) from error
        if not isinstance(table, dict):
            raise FormatError(f"expected a puzzle, got {table!r}", number)
        if wrong := misfit(table, _KEYS, _NEEDED):
            raise FormatError(f"expected a puzzle in the neutral form: {wrong}", number)
        try:
            yield _puzzle(table, number)
        except _UnreadError as error:
            yield Unread(table["name"], number, error.args)
        except (InputError, LookupError, TypeError, ValueError) as error:
            name = table["name"]
            raise FormatError(f"{name}: expected a puzzle in the neutral form: {error}", number) from error


class _UnreadError(Exception):
    """The reasons why a puzzle is not read."""


def _puzzle(table: Mapping[str, Any], line: int) -> Puzzle:
    reasons = [*_strange_facts(table)]
    rules, given = _rules(table, reasons)
    if reasons:
        raise _UnreadError(*dict.fromkeys(reasons))
    rows, columns = table["shape"]
    blocked = set(table.get("blocked", ()))
    ours = {cell: k for k, cell in enumerate(c for c in range(rows * columns) if c not in blocked)}
    try:
        base = _base(table, ours)
    except LayoutError as error:
        raise _UnreadError(str(error)) from error
    one = with_rules(base, [moved for rule in rules if (moved := rule.on(ours)) is not None])
    masks = [all_values(one.n)] * len(one)
    told = [(int(cell), values) for cell, values in table.get("candidates", {}).items()]
    for cell, values in [*told, *given]:
        masks[ours[cell]] &= mask_of(v for v in values if 1 <= v <= one.n)
    for cell, value in _values(table["givens"], ours):
        if value:
            masks[cell] &= mask_of([value])
    solution: Grid | None = None
    if text := table.get("solution"):
        solution = tuple(value for _, value in _values(text, ours))
    return Puzzle(
        Board(one, tuple(masks)),
        table["name"],
        line,
        solution=solution,
        solutions=table.get("count"),
        at_least=table.get("at_least", 0),
    )
