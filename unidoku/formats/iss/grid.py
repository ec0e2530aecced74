"""Constraints of Interactive Sudoku Solver on the whole grid, on whole lines, and on neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from unidoku.errors import FormatError
from unidoku.formats.draft import box_grid
from unidoku.formats.iss.scope import Args, Fact, Read, Scope, number
from unidoku.support.schema import shown


def thirds(scope: Scope) -> list[list[int]]:
    """Return the low, middle and high values of a board with nine values."""
    if [*scope.draft.values] != [*range(1, 10)]:
        raise FormatError("expected values 1 to 9")
    return [[1, 2, 3], [4, 5, 6], [7, 8, 9]]


def _squares(scope: Scope, classes: list[list[int]]) -> Fact:
    columns = scope.draft.columns
    corners = [
        cell
        for cell in scope.draft.cells
        if scope.draft.inside(cell // columns + 1, cell % columns + 1)
    ]
    squares = [[cell, cell + 1, cell + columns, cell + columns + 1] for cell in corners]
    return {"kind": "squares_hit_classes", "squares": squares, "classes": classes}


def _entropy(scope: Scope, args: Args) -> Iterator[Fact]:
    yield _squares(scope, thirds(scope))


def _mod_three(scope: Scope, args: Args) -> Iterator[Fact]:
    values = scope.draft.values
    yield _squares(scope, [[v for v in values if v % 3 == rest] for rest in (1, 2, 0)])


def _marks(kind: str, mark: str = "", **fields: Any) -> Read:
    """Return the reader of marks between adjacent cells."""

    def read(scope: Scope, args: Args) -> Iterator[Fact]:
        for pair in scope.beside(scope.cells(args)):
            if mark:
                if scope.is_branch and scope.strict:
                    raise FormatError("expected no marks in an Or, beside strict ones")
                scope.marked[mark].append(pair)
            yield {"kind": kind, "cells": [*pair], **fields}

    return read


def _strict(name: str) -> Read:
    def read(scope: Scope, args: Args) -> Iterator[Fact]:
        scope.strict.append(name)
        yield from ()

    return read


def strict_rules(scope: Scope) -> Iterator[Fact]:
    """Yield the rules about all adjacent cells without a mark, if the constraints have them."""
    draft = scope.draft
    for name in dict.fromkeys(scope.strict):
        mark = "dot" if name == "StrictKropki" else "letter"
        pairs = draft.beside(scope.marked[mark])
        if mark == "dot":
            draft.report.read_as(
                "StrictKropki: cells without a dot do not differ by 1, and are not in a ratio of 2"
            )
            yield {"kind": "not_difference", "value": 1, "pairs": pairs}
            yield {"kind": "not_ratio", "value": 2, "pairs": pairs}
        else:
            draft.report.read_as("StrictXV: cells without a letter sum to neither 5 nor 10")
            for total in (5, 10):
                yield {"kind": "not_sum", "value": total, "pairs": pairs}


def _consecutive(scope: Scope, args: Args) -> Iterator[Fact]:
    scope.draft.report.read_as("AntiConsecutive excepts no cells, with a dot or without")
    yield {"kind": "not_difference", "value": 1, "pairs": scope.draft.beside()}


def _moves(name: str, *moves: tuple[int, int]) -> Read:
    def read(scope: Scope, args: Args) -> Iterator[Fact]:
        yield {"kind": "different_pairs", "name": name, "pairs": scope.draft.steps(moves)}

    return read


def _diagonal(scope: Scope, args: Args) -> Iterator[Fact]:
    rising = number(args[0]) > 0
    corner = (0, scope.draft.columns - 1, 1, -1) if rising else (0, 0, 1, 1)
    yield {"kind": "different", "cells": scope.draft.run(*corner)}


def _windows(scope: Scope, args: Args) -> Iterator[Fact]:
    draft = scope.draft
    if not (found := box_grid(draft, scope.size)):
        return
    columns = draft.columns
    width = sum(cell < columns for cell in found[0])
    height = scope.size // width
    for left in range(1, columns - width, width + 1):
        for top in range(1, draft.rows - height, height + 1):
            cells = [
                row * columns + column
                for row in range(top, top + height)
                for column in range(left, left + width)
            ]
            yield {"kind": "different", "name": "window", "cells": cells}


def _disjoint(scope: Scope, args: Args) -> Iterator[Fact]:
    for cells in zip(*box_grid(scope.draft, scope.size), strict=True):
        yield {"kind": "different", "name": "disjoint", "cells": [*cells]}


def _little_killer(scope: Scope, args: Args) -> Iterator[Fact]:
    """Yield the sum of the diagonal from a cell; each diagonal has one cell to start from."""
    total, (first,) = number(args[0]), scope.cells([args[1]])
    draft = scope.draft
    row, column = divmod(first, draft.columns)
    last_row, last_column = draft.rows - 1, draft.columns - 1
    if column == 0 and row < last_row:
        move = (1, 1)
    elif column == last_column and 0 < row < last_row:
        move = (-1, -1)
    elif row == 0:
        move = (1, -1)
    elif row == last_row and 0 < column < last_column:
        move = (-1, 1)
    else:
        raise FormatError(f"expected the first cell of a diagonal, got {shown(args[1])}")
    line = draft.run(row, column, *move)
    if len(line) < 2:
        raise FormatError("expected a diagonal of two cells or more")
    yield {"kind": "little_killer", "cells": line, "sum": total}


def _sandwich(scope: Scope, args: Args) -> Iterator[Fact]:
    line = scope.line(args[1], 1)
    kind = "sandwich" if len(line) == len(scope.draft.values) else "lunchbox"
    yield {"kind": kind, "cells": line, "sum": number(args[0])}


def _outside(make: Callable[[list[int], int], Fact]) -> Read:
    """Return the reader of clues at both ends of a line."""

    def read(scope: Scope, args: Args) -> Iterator[Fact]:
        for clue, end in zip(args[1:3], (1, -1), strict=False):
            if clue:
                yield make(scope.line(args[0], end), number(clue))

    return read


def _clue(kind: str, key: str) -> Read:
    return _outside(lambda line, clue: {"kind": kind, "cells": line, key: clue})


def _full_rank(scope: Scope, args: Args) -> Iterator[Fact]:
    for clue, end in zip(args[1:3], (1, -1), strict=False):
        if clue:
            clues = [{"line": scope.line(args[0], end), "rank": number(clue)}]
            yield {"kind": "full_rank", "clues": clues, "ties": scope.ties}


def _ties(scope: Scope, args: Args) -> Iterator[Fact]:
    if scope.ties == "none":
        yield {"kind": "full_rank", "clues": [], "ties": "none"}


def _doppelganger(scope: Scope, args: Args) -> Iterator[Fact]:
    """Yield that each line and box lacks one value, and the rules about the missing values."""
    draft = scope.draft
    size = draft.rows
    if draft.rows != draft.columns or draft.low != 0 or draft.high != size:
        raise FormatError("expected a square with values from 0 to its side")
    (zero,) = scope.cells(["DGZ"])
    yield {"kind": "given", "cell": zero, "values": [0]}
    lines = [*map(list, draft.lines())]
    groups = {"DGC": lines[:size], "DGR": lines[size:], "DGB": [*map(list, draft.regions)]}
    lacking: dict[int, list[int]] = {cell: [] for cell in draft.cells}
    for prefix, regions in groups.items():
        missing = scope.cells([f"{prefix}{at + 1}" for at in range(len(regions))])
        for region, cell in zip(regions, missing, strict=True):
            yield {"kind": "different", "cells": [*region, cell]}
            for one in region:
                lacking[one].append(cell)
        if missing:
            yield {"kind": "different", "cells": [*missing, zero]}
    for cell, cells in lacking.items():
        yield {"kind": "doppelganger_zero", "cell": cell, "cells": cells}


def _regions_alike(scope: Scope, args: Args) -> Iterator[Fact]:
    draft = scope.draft
    regions = [*map(list, draft.lines()), *map(list, draft.regions)]
    most = max(map(len, regions))
    sets = [region for region in regions if len(region) == most]
    if most != len(draft.values) and len(sets) > 1:
        yield {"kind": "same_multiset", "sets": sets}


def _indexing(scope: Scope, args: Args) -> Iterator[Fact]:
    draft = scope.draft
    for cell in scope.cells(args[1:]):
        row, column = divmod(cell, draft.columns)
        by_row = args[0] == "R"
        line = draft.run(0, column, 1, 0) if by_row else draft.run(row, 0, 0, 1)
        value = 1 + (row if by_row else column)
        yield {"kind": "index", "selector": cell, "cells": line, "value": value}


GRID: Mapping[str, Read] = MappingProxyType(
    {
        "WhiteDot": _marks("difference", "dot", value=1),
        "BlackDot": _marks("ratio", "dot", value=2),
        "X": _marks("pair_sum", "letter", value=10),
        "V": _marks("pair_sum", "letter", value=5),
        "GreaterThan": _marks("greater"),
        "StrictKropki": _strict("StrictKropki"),
        "StrictXV": _strict("StrictXV"),
        "AntiConsecutive": _consecutive,
        "AntiKnight": _moves("anti-knight", (1, 2), (2, 1), (1, -2), (2, -1)),
        "AntiKing": _moves("anti-king", (1, 1), (1, -1)),
        "AntiTaxicab": lambda scope, args: [{"kind": "anti_taxicab"}],
        "GlobalEntropy": _entropy,
        "GlobalMod": _mod_three,
        "DutchFlatmates": lambda scope, args: [
            {"kind": "dutch_flatmates", "middle": 5, "above": 1, "below": 9}
        ],
        "Diagonal": _diagonal,
        "Windoku": _windows,
        "DisjointSets": _disjoint,
        "Doppelganger": _doppelganger,
        "LittleKiller": _little_killer,
        "Sandwich": _sandwich,
        "XSum": _clue("x_sum", "sum"),
        "Skyscraper": _clue("skyscraper", "value"),
        "HiddenSkyscraper": _clue("hidden_skyscraper", "value"),
        "NumberedRoom": _outside(
            lambda line, clue: {
                "kind": "numbered_room",
                "selector": line[0],
                "cells": line,
                "value": clue,
            }
        ),
        "FullRank": _full_rank,
        "FullRankTies": _ties,
        "RegionSameValues": _regions_alike,
        "Indexing": _indexing,
    }
)
"""The reader of each of these constraints."""
