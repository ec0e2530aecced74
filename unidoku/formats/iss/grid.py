"""Constraints of Interactive Sudoku Solver on the whole grid, on whole lines, and on neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from unidoku.core import rules
from unidoku.core.constraints.primitives import Pair
from unidoku.core.layout import Unit
from unidoku.core.rules.pairs import PairRule
from unidoku.errors import FormatError
from unidoku.formats import meanings
from unidoku.formats.frame import KING
from unidoku.formats.iss.scope import Args, Read, Scope, diagonal_from, number
from unidoku.formats.meanings import Domain, Meaning, different
from unidoku.support.schema import shown


def check_nine(scope: Scope) -> None:
    """Refuse a board whose low, middle and high values ISS does not define.

    Raises:
        FormatError: its values are not 1 to 9.
    """
    if [*scope.draft.values] != [*range(1, 10)]:
        raise FormatError("expected values 1 to 9")


def _squares(scope: Scope, classes: list[list[int]]) -> Iterator[Meaning]:
    return meanings.squares_hit(scope.draft.fours(), classes)


def _entropy(scope: Scope, args: Args) -> Iterator[Meaning]:
    check_nine(scope)
    return _squares(scope, [[1, 2, 3], [4, 5, 6], [7, 8, 9]])


def _mod_three(scope: Scope, args: Args) -> Iterator[Meaning]:
    values = scope.draft.values
    return _squares(scope, [[v for v in values if v % 3 == rest] for rest in (1, 2, 0)])


def _marks(make: Callable[[tuple[Pair]], PairRule], mark: str = "") -> Read:
    """Return the reader of marks between adjacent cells."""

    def read(scope: Scope, args: Args) -> Iterator[PairRule]:
        for pair in scope.adjacent(scope.cells(args)):
            if mark:
                if scope.is_branch and scope.strict:
                    raise FormatError("expected no marks in an Or, beside strict ones")
                scope.marked[mark].append(pair)
            yield make((pair,))

    return read


def _strict(name: str) -> Read:
    def read(scope: Scope, args: Args) -> tuple[()]:
        scope.strict.append(name)
        return ()

    return read


def strict_rules(scope: Scope) -> Iterator[PairRule]:
    """Yield the rules about all adjacent cells without a mark, if the constraints have them."""
    draft = scope.draft
    for name in dict.fromkeys(scope.strict):
        mark = "dot" if name == "StrictKropki" else "letter"
        pairs = draft.adjacent(scope.marked[mark])
        if mark == "dot":
            draft.report.read_as(
                "StrictKropki: cells without a dot do not differ by 1, and are not in a ratio of 2"
            )
            yield rules.DiffersBy(pairs, 1, never=True)
            yield rules.Ratio(pairs, 2, never=True)
        else:
            draft.report.read_as("StrictXV: cells without a letter sum to neither 5 nor 10")
            yield rules.PairSum(pairs, 5, never=True)
            yield rules.PairSum(pairs, 10, never=True)


def _consecutive(scope: Scope, args: Args) -> Iterator[rules.DiffersBy]:
    scope.draft.report.read_as("AntiConsecutive excepts no cells, with a dot or without")
    yield rules.DiffersBy(scope.draft.adjacent(), 1, never=True)


def _moves(name: str, moves: Iterable[tuple[int, int]]) -> Read:
    return lambda scope, args: (different(pair, name) for pair in scope.draft.steps(moves))


def _diagonal(scope: Scope, args: Args) -> Iterator[Unit]:
    falling, rising = scope.draft.diagonals()
    yield different(rising if number(args[0]) > 0 else falling)


def _windows(scope: Scope, args: Args) -> Iterator[Unit]:
    draft = scope.draft
    if not (boxes := draft.boxes_of(scope.size)):
        return
    width = sum(cell < draft.columns for cell in boxes[0])
    height = scope.size // width
    for left in range(1, draft.columns - width, width + 1):
        for top in range(1, draft.rows - height, height + 1):
            yield different(draft.square(top, left, height, width), "window")


def _disjoint(scope: Scope, args: Args) -> Iterator[Unit]:
    for cells in zip(*scope.draft.boxes_of(scope.size), strict=True):
        yield different(cells, "disjoint")


def _little_killer(scope: Scope, args: Args) -> Iterator[rules.SumOfCells]:
    """Yield the sum of the diagonal from a cell."""
    total, line = number(args[0]), diagonal_from(scope.draft, scope.cell(args[1]))
    if not line:
        raise FormatError(f"expected the first cell of a diagonal, got {shown(args[1])}")
    if len(line) < 2:
        raise FormatError("expected a diagonal of two cells or more")
    yield rules.SumOfCells(line, total)


def _sandwich(scope: Scope, args: Args) -> Iterator[rules.Sandwich | rules.Lunchbox]:
    line = scope.line(args[1], 1)
    is_whole = len(line) == len(scope.draft.values)
    yield (rules.Sandwich if is_whole else rules.Lunchbox)(line, number(args[0]))


def _outside(
    kind: type[rules.XSum | rules.Skyscraper | rules.HiddenSkyscraper | rules.NumberedRoom],
) -> Read:
    """Return the reader of clues at both ends of a line."""

    def read(scope: Scope, args: Args) -> Iterator[Meaning]:
        for clue, end in zip(args[1:3], (1, -1), strict=False):
            if clue:
                yield kind(scope.line(args[0], end), number(clue))

    return read


def _full_rank(scope: Scope, args: Args) -> Iterator[Meaning]:
    for clue, end in zip(args[1:3], (1, -1), strict=False):
        if clue:
            clues = [(scope.line(args[0], end), number(clue))]
            # That no two lines are equal at all, `_ties` says once.
            ties = "any" if scope.ties == "any" else "only-unclued"
            yield from meanings.full_ranks(clues, ties, scope.draft)


def _ties(scope: Scope, args: Args) -> Iterable[Meaning]:
    return meanings.full_ranks([], "none", scope.draft) if scope.ties == "none" else ()


def _doppelganger(scope: Scope, args: Args) -> Iterator[Meaning]:
    """Yield that each line and box lacks one value, and the rules about the missing values."""
    draft = scope.draft
    size = draft.rows
    if draft.rows != draft.columns or draft.low != 0 or draft.high != size:
        raise FormatError("expected a square with values from 0 to its side")
    (zero,) = scope.cells(["DGZ"])
    yield Domain([zero], [0])
    lines = draft.lines()
    groups: dict[str, Sequence[Sequence[int]]]
    groups = {"DGC": lines[:size], "DGR": lines[size:], "DGB": draft.regions}
    lacking: dict[int, list[int]] = {cell: [] for cell in draft.cells}
    for prefix, regions in groups.items():
        missing = scope.cells([f"{prefix}{at + 1}" for at in range(len(regions))])
        for region, cell in zip(regions, missing, strict=True):
            yield different([*region, cell])
            for each in region:
                lacking[each].append(cell)
        if missing:
            yield different([*missing, zero])
    for cell, cells in lacking.items():
        yield rules.DifferWhere((cell,), 0, tuple(cells))


def _regions_alike(scope: Scope, args: Args) -> Iterable[Meaning]:
    draft = scope.draft
    regions = [*draft.lines(), *draft.regions]
    most = max(map(len, regions))
    sets = [region for region in regions if len(region) == most]
    return meanings.same_values(sets) if most != len(draft.values) else ()


def _indexing(scope: Scope, args: Args) -> Iterator[Meaning]:
    draft = scope.draft
    cells = tuple(dict.fromkeys(scope.cells(args[1:])))
    if max(cells, default=0) >= len(draft.cells):
        raise FormatError(f"expected cells of the grid, got {shown(args[-1])}")
    if cells:
        yield rules.Index(cells, "row" if args[0] == "R" else "column")


GRID: Mapping[str, Read] = {
    "WhiteDot": _marks(rules.DiffersBy, "dot"),
    "BlackDot": _marks(rules.Ratio, "dot"),
    "X": _marks(rules.PairSum, "letter"),
    "V": _marks(lambda pairs: rules.PairSum(pairs, 5), "letter"),
    "GreaterThan": _marks(rules.Greater),
    "StrictKropki": _strict("StrictKropki"),
    "StrictXV": _strict("StrictXV"),
    "AntiConsecutive": _consecutive,
    "AntiKnight": _moves("anti-knight", [(1, 2), (2, 1), (1, -2), (2, -1)]),
    "AntiKing": _moves("anti-king", KING),
    "AntiTaxicab": lambda scope, args: [
        rules.Taxicab(tuple(scope.draft.cells), scope.draft.columns)
    ],
    "GlobalEntropy": _entropy,
    "GlobalMod": _mod_three,
    "DutchFlatmates": lambda scope, args: meanings.flatmates(scope.draft),
    "Diagonal": _diagonal,
    "Windoku": _windows,
    "DisjointSets": _disjoint,
    "Doppelganger": _doppelganger,
    "LittleKiller": _little_killer,
    "Sandwich": _sandwich,
    "XSum": _outside(rules.XSum),
    "Skyscraper": _outside(rules.Skyscraper),
    "HiddenSkyscraper": _outside(rules.HiddenSkyscraper),
    "NumberedRoom": _outside(rules.NumberedRoom),
    "FullRank": _full_rank,
    "FullRankTies": _ties,
    "RegionSameValues": _regions_alike,
    "Indexing": _indexing,
}
"""The reader of each of these constraints."""
