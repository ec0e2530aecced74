"""What becomes of the rules that setters use: a table made by reading, writing and solving them.

Each rule stands on an empty board of 4×4 or 5×5. A format holds it if the puzzle that is read from
what was written has as many solutions, and nothing was reported as lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from make_backends import table
from make_techniques import DRAWN

import unidoku
from unidoku import Board, InputError, layout
from unidoku import rules as r
from unidoku.formats.draft import Draft
from unidoku.formats.meanings import full_ranks
from unidoku.logic import TECHNIQUES, State, steps_from
from unidoku.rules import Rule

YES, PARTLY, NO, NOTHING = "✓", "~", "✗", "–"

_FRAME = Draft("the table", 4, 4)
_ROW, _COLUMN, _PATH = (0, 1, 2, 3), (0, 4, 8, 12), (0, 1, 5, 6)
_EVERY = _FRAME.adjacent()
_PAIR = ((0, 1),)
_GRID = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
_DOTS = tuple((a, b) for a, b in _EVERY if abs(_GRID[a] - _GRID[b]) == 1)
_LINES = _FRAME.lines()


def _step(state: int, value: int) -> int | None:
    return value if not state or 0 < value - state <= 2 else None


_OWN_LINE = r.Line(_PATH, 0, _step, lambda state: True, "digits rise by at most 2")

CASES: Mapping[str, tuple[str, Sequence[Rule]]] = {
    "killer": ("classic", [r.Killer((0, 1, 4), 6)]),
    "cage without a sum": ("latin", [r.Killer((0, 1, 6))]),
    "thermometer": ("latin", [r.Thermo(_PATH)]),
    "slow thermometer": ("latin", [r.SlowThermo(_PATH)]),
    "arrow": ("classic", [r.Arrow((0,), (1, 6))]),
    "pill": ("latin", [r.Arrow((0, 1), (5, 6, 7, 11, 15))]),
    "German whispers": ("latin", [r.Whispers(_PATH, 2)]),
    "Dutch whispers": ("latin", [r.Whispers(_PATH, 2)]),
    "renban": ("latin", [r.Renban((0, 1, 6))]),
    "nabner": ("classic", [r.Nabner((1, 6))]),
    "modular line": ("latin", [r.Modular((0, 1, 6))]),
    "entropic line": ("latin", [r.Entropic((0, 1, 6))]),
    "parity line": ("latin", [r.Parity((0, 1, 6))]),
    "region sum line": ("classic", [r.RegionSum((0, 1, 2))]),
    "double arrow": ("classic", [r.DoubleArrow((0, 1, 5, 6))]),
    "ambiguous arrow": ("classic", [r.AmbiguousArrow((0, 1, 6))]),
    "zipper line": ("latin", [r.Zipper((0, 1, 6, 7, 11))]),
    "product line": ("latin", [r.ProductLine((0, 1, 6), 12)]),
    "ten line": ("latin", [r.SumLine((0, 1, 6, 11, 10), 10)]),
    "sum line": ("latin", [r.SumLine((0, 1, 6, 7), 5)]),
    "between line": ("latin", [r.Between((0, 1, 6))]),
    "lockout line": ("latin", [r.Lockout((0, 1, 6), 2)]),
    "palindrome": ("latin", [r.Palindrome((0, 1, 6, 11))]),
    "clone": ("classic", [r.Clone((0, 1), (10, 11))]),
    "row, column or box index": (
        "classic",
        [r.Index((0,), "row"), r.Index((5,), "column"), r.Index((10,), "box")],
    ),
    "place and value in cells": ("classic", [r.Indexed((0,), (5,), _ROW)]),
    "white and black dots": ("classic", [r.DiffersBy(_PAIR), r.Ratio(((5, 6),))]),
    "all dots given": (
        "latin",
        [r.DiffersBy(_DOTS), r.DiffersBy(_FRAME.adjacent(_DOTS), never=True)],
    ),
    "X and V": ("classic", [r.PairSum(_PAIR, 5)]),
    "all X and V given": (
        "classic",
        [r.PairSum(_EVERY, 5, never=True), r.PairSum(_EVERY, 10, never=True)],
    ),
    "quadruple": ("classic", [r.Contains((5, 6, 9, 10), (1, 1, 2))]),
    "odd and even cells": ("classic", [r.Odd((0,)), r.Even((5,))]),
    "minimum, maximum": ("classic", [r.Minimum((5,)), r.Maximum((3,))]),
    "inequality": ("classic", [r.Greater(_PAIR)]),
    "little killer": ("classic", [r.SumOfCells((0, 5, 10, 15), 7)]),
    "sandwich": ("classic", [r.Sandwich(_ROW, 3)]),
    "X-sum": ("classic", [r.XSum(_ROW, 6)]),
    "battlefield": ("classic", [r.Battlefield(_ROW, 5)]),
    "skyscraper": ("classic", [r.Skyscraper(_ROW, 3)]),
    "hidden skyscraper": ("classic", [r.HiddenSkyscraper(_ROW, 2)]),
    "numbered room": ("classic", [r.NumberedRoom(_ROW, 3)]),
    "diagonals": ("x", []),
    "windows, extra regions": ("windoku", []),
    "disjoint groups": ("disjoint", []),
    "anti-knight": ("anti-knight", []),
    "anti-king": ("latin+anti-king", []),
    "non-consecutive": ("latin+non-consecutive", []),
    "taxicab": ("latin", [r.Taxicab()]),
    "taxicab of 3 steps": ("latin", [r.Taxicab(steps=3)]),
    "doublers": (
        "classic",
        [r.Doubler(), r.Killer((0, 1, 4), 9), r.SumOfCells((0, 5, 10, 15), 13)],
    ),
    "doublers that are known": ("classic", [r.Doubler(at=(0, 6)), r.Arrow((1,), (4, 8))]),
    "counting circles": ("classic", [r.CountingCircles((0, 5, 10))]),
    "equality cage": ("classic", [r.EqualityCage((0, 1))]),
    "lunchbox": ("classic", [r.Lunchbox((0, 1, 5), 2)]),
    "same values": ("classic", [r.SameMultiset((0, 1), (10, 11))]),
    "rellik cage": ("classic", [r.Rellik((0, 1), 3)]),
    "flatmates": (
        "classic",
        [r.Flatmates(line, middle=2, above=1, below=3) for line in _LINES[4:]],
    ),
    "entropy": (
        "latin",
        [
            r.Hits(_FRAME.square(top, left, 2, 2), ((1, 2), (3, 4)))
            for top in range(3)
            for left in range(3)
        ],
    ),
    "full rank": ("classic", [*full_ranks([(_ROW, 3)], "only-unclued", _FRAME)]),
    "KenKen": ("latin", [r.KenKen((0, 1), 2, "/"), r.KenKen((4, 5, 8), 7, "+")]),
    "product": ("classic", [r.Product((0, 1, 5), 8)]),
    "connected digits": ("latin", [r.Connected(tuple(range(16)), (1, 2, 3), 4)]),
    "line of your own": ("latin", [_OWN_LINE]),
    "relation of your own": (
        "classic",
        [r.Pairs(((0, 1), (1, 6)), lambda a, b: (a + b) % 3 == 0, "divisible by 3")],
    ),
    "any of several": (
        "classic",
        [r.AnyOf(((r.Thermo((0, 1)),), (r.Killer((4, 9), 3),)))],
    ),
}
"""The rules: the variant of the board, and the rules on it."""


def rules_table() -> str:
    """Return the table."""
    header = ["rule", "kind", "`draw`", "SudokuPad", "f-puzzles", "ISS", "Penpa+", "`explain`"]
    rows = []
    for name, (variant, rules) in CASES.items():
        size = 5 if "+" in variant or "Dutch" in name or "taxicab" in name else 4
        board = Board.empty(layout(variant, size).with_rules(*rules))
        columns = [
            ", ".join(dict.fromkeys(f"`{rule.kind}`" for rule in rules)) or f"`{variant}`",
            _drawn(board),
            *[_in_format(board, form) for form in ("scl", "f-puzzles-json", "iss", "penpa")],
            _explained(board),
        ]
        rows.append([name, *columns])
    return table(header, rows)


def _drawn(board: Board) -> str:
    """Return whether a picture shows the rule."""
    kinds = {unit.kind for unit in board.layout.units}
    plain = Board.empty(layout("classic" if "box" in kinds else "latin", board.layout.n))
    drawn, bare = (
        unidoku.svg(each, theme="light").partition("viewBox")[2] for each in (board, plain)
    )
    return NOTHING if drawn == bare else YES


def _in_format(board: Board, form: str) -> str:
    """Return whether a format holds the rule; for SudokuPad, whether it draws it."""
    try:
        written = unidoku.write(board, form)
    except InputError:
        return NO
    if written.losses.dropped:
        return NO
    (back,) = unidoku.read(written.text, format=form)
    assert _count(back.board) == _count(board) > 0, (form, board)
    if form in ("scl", "penpa"):
        return "in words" if written.losses.approximated else YES
    return PARTLY if written.losses else YES


def _count(board: Board) -> int:
    return unidoku.count(board, limit=1000).count


def _explained(board: Board) -> str:
    """Return the first technique on rules that finds something, on a board with some givens."""
    solution = unidoku.solve(board).solutions[0]
    for shown in ((), range(8, 16), range(8), range(0, 16, 2), range(1, 16, 2)):
        values = [value if cell in shown else 0 for cell, value in enumerate(solution)]
        state = State.start(Board.from_values(board.layout, values))
        if step := next(steps_from(state, _ON_RULES), None):
            return step[0].technique
    return NOTHING if any(not _is_unit(rule) for rule in board.layout.rules) else "as units"


def _is_unit(rule: Rule) -> bool:
    return isinstance(rule, r.Killer) and rule.total is None


_ON_RULES = tuple(technique for technique in TECHNIQUES if technique.name in DRAWN)
"""The techniques on rules, which a page draws on puzzles with rules."""
