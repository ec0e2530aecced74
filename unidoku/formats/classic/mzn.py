"""Completions of quasigroups as models of MiniZinc, ``QCP/qcp-*_ext.mzn`` of its benchmarks.

Such a model declares each cell as a variable, whose domain is one value if it is given, and lists
the rows and the columns. It is the only kind of model that is read: MiniZinc is a language, and
other models are not puzzles in it but programs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from unidoku.core.bits import mask_of
from unidoku.core.board import Board
from unidoku.core.layout import MAX_FIRST, Layout, Unit
from unidoku.errors import FormatError, LayoutError
from unidoku.formats.draft import kind_of_unit, usual_layout
from unidoku.formats.puzzles import Puzzle

_MOST_VARIABLES = 10_000

_MOST_VALUES = 62

_MOST_CELLS = 1_000_000
"""The most variables that all units list together."""

_VARIABLE = re.compile(r"var\s+(\d{1,3})\s*\.\.\s*(\d{1,3})\s*:\s*([A-Za-z]\w*)")

_ARRAY = re.compile(r"array\s*\[[^\[\]]*\]\s*of\s+var\s+[\w\s.]+:\s*\w+\s*=\s*\[([\w\s,]*)\]")

_DIFFER = re.compile(r"constraint\s+all_?different\s*\(\s*\[([\w\s,]*)\]\s*\)")

_REST = re.compile(r'include\s+"[^"]*"|solve\b[^;]*\bsatisfy|output\b.*', re.DOTALL)
"""Items that do not change what the solutions are."""


def read(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the board of a model.

    >>> text = "var 1..2: a; var 2..2: b; constraint all_different([a, b]); solve satisfy;"
    >>> [puzzle.board.givens for puzzle in read(text)]
    [(0, 2)]

    Raises:
        FormatError: the model has an item of another kind; the message states its line.
    """
    domains: dict[str, range] = {}
    order: list[str] = []
    units: list[tuple[str, ...]] = []
    room = _MOST_CELLS
    for item, line in _items(text):
        if match := _VARIABLE.fullmatch(item):
            low, high = int(match[1]), int(match[2])
            if match[3] in domains or not low <= high:
                raise FormatError(f"mzn: expected a new variable with values, got {item!r}", line)
            domains[match[3]] = range(low, high + 1)
            if len(domains) > _MOST_VARIABLES:
                raise FormatError(f"mzn: expected at most {_MOST_VARIABLES:,} variables", line)
        elif match := _ARRAY.fullmatch(item):
            order = [*_names(match[1], domains, line)]
        elif match := _DIFFER.fullmatch(item):
            units.append(_names(match[1], domains, line))
            room -= len(units[-1])
            if room < 0:
                raise FormatError(f"mzn: expected units of at most {_MOST_CELLS:,} cells", line)
        elif not _REST.fullmatch(item):
            raise FormatError(
                "mzn: of the models of MiniZinc only completions of quasigroups are read, with "
                "variables such as var 0..9: v; and all_different; nonograms and Kakuro are in "
                f"their .dzn files; got {' '.join(item.split())[:60]!r}",
                line,
            )
    if not domains:
        raise FormatError("mzn: expected variables such as var 0..9: v;, got none")
    names = order if {*order} == domains.keys() and len(order) == len(domains) else [*domains]
    try:
        yield Puzzle(_board(names, domains, units), "", 1)
    except LayoutError as error:
        raise FormatError(f"mzn: {error}") from error


def _items(text: str) -> Iterator[tuple[str, int]]:
    """Yield each item of a model, without comments, and its line."""
    bare = re.sub(r"%.*", "", text)
    line = 1
    parts = bare.split(";")
    for number, part in enumerate(parts):
        item = part.strip()
        start = line + part[: len(part) - len(part.lstrip())].count("\n")
        line += part.count("\n")
        if item and number == len(parts) - 1:
            raise FormatError(f"mzn: expected ; after {item[:40]!r}", start)
        if item:
            yield item, start


def _names(text: str, domains: dict[str, range], line: int) -> tuple[str, ...]:
    names = tuple(name for part in text.split(",") if (name := part.strip()))
    for name in names:
        if name not in domains:
            raise FormatError(f"mzn: expected declared variables, got {name[:40]!r}", line)
    return names


def _board(
    names: Sequence[str], domains: dict[str, range], units: Sequence[tuple[str, ...]]
) -> Board:
    low = min(domain.start for domain in domains.values())
    n = max(domain.stop for domain in domains.values()) - low
    if n > _MOST_VALUES or low > MAX_FIRST:
        raise FormatError(
            f"mzn: expected at most {_MOST_VALUES} values, got {low} to {low + n - 1}"
        )
    side = math.isqrt(len(names))
    width = side if side * side == len(names) else side + 1
    cell_of = {name: cell for cell, name in enumerate(names)}
    groups = [tuple(sorted([cell_of[name] for name in unit])) for unit in units]
    places = [divmod(cell, width) for cell in range(len(names))]
    layout = Layout.from_units(
        n,
        [Unit(cells, kind_of_unit([places[cell] for cell in cells])) for cells in groups if cells],
        positions=places,
        name="quasigroup",
        first_value=low,
    )
    masks = [mask_of(value - low + 1 for value in domains[name]) for name in names]
    return Board(usual_layout(layout), tuple(masks))
