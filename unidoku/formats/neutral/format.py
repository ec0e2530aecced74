"""The neutral form of puzzles: one JSON object on each line, cells as numbers, all facts explicit.

Collections of puzzles of many kinds use it. A line is read only if all of its facts and rules are
known to this version; unknown ones are named, and nothing is left out silently.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from unidoku.core.layout import MAX_FIRST
from unidoku.errors import FormatError, InputError, LayoutError
from unidoku.formats.draft import Draft
from unidoku.formats.meanings import UnknownRuleError
from unidoku.formats.neutral.rules import CELLS, LISTS, meanings_of
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.toml.table import SHAPE
from unidoku.support.schema import LINE, TABLE, TEXT, Kind, listed_of, misfit, or_null, shown, whole


@dataclass(frozen=True, slots=True)
class Unread:
    """A puzzle that cannot be read.

    Args:
        name: its name in the file.
        line: the line where it begins, from 1.
        reasons: the parts that this version does not know, each in a few words.
    """

    name: str
    line: int
    reasons: tuple[str, ...]

    @property
    def message(self) -> str:
        """The name of the puzzle, and the reasons why it is not read."""
        return f"{self.name}: not read: {', '.join(self.reasons)}"


_TWO = Kind("a list of two whole numbers", lambda v: CELLS.holds(v) and len(v) == 2)  # type: ignore[arg-type]  # it is a list
_ANY = Kind("anything", lambda _: True)

_KEYS: Mapping[str, Kind] = {
    "name": LINE,
    "source": TEXT,
    "family": TEXT,
    "origin": _ANY,
    "note": _ANY,
    "n": whole(1, bits=8),
    "values": _TWO,
    "shape": SHAPE,
    "hidden": whole(0),
    "blocked": CELLS,
    "units": LISTS,
    "regions": or_null(LISTS),
    "givens": TEXT,
    "candidates": TABLE,
    "rules": listed_of(TABLE),
    "count": or_null(whole(0)),
    "at_least": whole(0),
    "solution": or_null(TEXT),
    "verified": _ANY,
    "features": _ANY,
}
_NEEDED = ("name", "n", "values", "shape", "units", "givens", "rules")

_EMPTY = "."

_MOST_CELLS = 100_000
"""More cells than any puzzle has, as a guard against a mistyped shape."""


def puzzle_from_neutral(table: Mapping[str, Any]) -> Puzzle | Unread:
    """Return the puzzle in a table of the neutral form.

    Raises:
        FormatError: the text is not valid.
    """
    if wrong := misfit(table, _KEYS, _NEEDED):
        raise FormatError(f"expected a puzzle in the neutral form: {wrong}", 1)
    name = table["name"]
    try:
        return _puzzle(table)
    except _UnreadError as error:
        return Unread(name, 1, error.args)
    except (InputError, LookupError, TypeError, ValueError) as error:
        raise FormatError(f"{name}: expected a puzzle in the neutral form: {error}", 1) from error


def read_neutral(text: str, *, guess: bool = False) -> Iterator[Puzzle | Unread]:
    """Yield the puzzle on a line, or an `Unread` if it cannot be read.

    Raises:
        FormatError: the line is not a puzzle in this form.
    """
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"expected a puzzle in JSON: {error}", 1) from error
    if not isinstance(table, dict):
        raise FormatError(f"expected a puzzle, got {shown(table)}", 1)
    yield puzzle_from_neutral(table)


class _UnreadError(Exception):
    """The reasons why a puzzle is not read."""


def _puzzle(table: Mapping[str, Any]) -> Puzzle:
    low, high = table["values"]
    fits = 0 <= low <= MAX_FIRST and high - low + 1 == table["n"]
    reasons = [] if fits else [f"values {low} to {high}"]
    if math.prod(table["shape"]) + table.get("hidden", 0) > _MOST_CELLS:
        raise _UnreadError(*reasons, f"more than {_MOST_CELLS:,} cells")
    draft = Draft(table["name"], *table["shape"], *table["values"])
    draft.hidden, draft.blocked = table.get("hidden", 0), set(table.get("blocked", ()))
    draft.units = table["units"]
    units = set(map(frozenset, draft.units))
    regions = dict.fromkeys(map(frozenset, table.get("regions") or ()))
    draft.regions = [[*region] for region in regions if region in units]
    draft.areas = [[*region] for region in regions if region not in units]
    for fact in table["rules"]:
        try:
            draft.add(*meanings_of(fact, draft))
        except UnknownRuleError as error:
            reasons.append(f"rule {error}")
    if reasons:
        raise _UnreadError(*dict.fromkeys(reasons))
    for cell, values in table.get("candidates", {}).items():
        draft.keep(int(cell), values)
    for cell, value in _values(table["givens"], draft):
        if value:
            draft.keep(cell, [value + draft.low - 1])
    try:
        board = draft.board()
    except LayoutError as error:
        raise _UnreadError(str(error)) from error
    solution = table.get("solution")
    return Puzzle(
        board,
        table["name"],
        1,
        solution=tuple(value for _, value in _values(solution, draft)) if solution else None,
        solutions=table.get("count"),
        at_least=table.get("at_least", 0),
    )


def _values(text: str, draft: Draft) -> Iterator[tuple[int, int]]:
    """Yield each cell that exists, and its value in the text, counted from 1; 0 if it is empty."""
    if len(text) != len(draft.cells):
        wanted = f"{len(draft.cells)} symbols, one for each cell"
        raise FormatError(f"expected {wanted}, got {len(text)}")
    for cell, symbol in zip(draft.cells, text, strict=True):
        if cell in draft.blocked:
            continue
        value = 0 if symbol == _EMPTY else int(symbol, 36) - draft.low + 1
        if symbol != _EMPTY and not 1 <= value <= len(draft.values):
            raise FormatError(f"expected values from {draft.low} to {draft.high}, got {symbol!r}")
        yield cell, value
