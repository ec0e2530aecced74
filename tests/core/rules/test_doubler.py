"""Doublers: cells of which one is in each row, column and box, and which count twice in sums."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import unidoku
from tests.core.rules.test_definitions import grids_of, solutions
from tests.helpers.definitions import keeps_all
from tests.helpers.volume import thorough, volume
from tests.helpers.wild_rules import wild_board
from unidoku import Board, Layout, LayoutError, layout
from unidoku.analysis.on_sheets import with_doublers
from unidoku.core import rules as r
from unidoku.core.hidden import stated
from unidoku.core.layout import Grid
from unidoku.core.rules.valued import Valued
from unidoku.formats.sentences import rules_text
from unidoku.logic import State, walk_through
from unidoku.logic import facts as in_words
from unidoku.logic.links import chain_step

FOUR = layout("classic", 4)
at = FOUR.cells_of
VALUED = (
    *("killer", "sum", "arrow", "same-sum", "weighted-sum", "region-sum", "zipper"),
    *("double-arrow", "pair-sum", "sandwich", "x-sum", "sum-line", "any-of"),
    *("ambiguous-arrow", "battlefield"),
)


def grids() -> Iterator[tuple[Grid, ...]]:
    """Yield all grids of 4×4, row by row."""
    two = [*itertools.product(itertools.permutations(range(1, 5)), repeat=2)]
    bands = [(a, b) for a, b in two if {*a[:2], *b[:2]} == {*a[2:], *b[2:]} == {1, 2, 3, 4}]
    for rows in (above + below for above, below in itertools.product(bands, repeat=2)):
        if all(len({row[k] for row in rows}) == 4 for k in range(4)):
            yield rows


def valued(rows: tuple[Grid, ...], factor: int, *, repeats: bool) -> Iterator[list[list[int]]]:
    """Yield the values of a grid for each way to place doublers."""
    for columns in itertools.permutations(range(4)):
        if len({(row // 2, column // 2) for row, column in enumerate(columns)}) < 4:
            continue
        if repeats or len({rows[row][column] for row, column in enumerate(columns)}) == 4:
            yield [
                [
                    value * (factor if columns[index] == column else 1)
                    for column, value in enumerate(row)
                ]
                for index, row in enumerate(rows)
            ]


CASES: list[tuple[list[r.Rule], Callable[[Any, Any], bool]]] = [
    ([r.Killer(at("A1 A2 B1"), 11), r.SumOfCells(at("A3 B4"), 6)], lambda g, v: (
        v[0][0] + v[0][1] + v[1][0] == 11 and v[0][2] + v[1][3] == 6
        and len({g[0][0], g[0][1], g[1][0]}) == 3
    )),
    ([r.Arrow(at("D1"), at("D2 D3"))], lambda g, v: v[3][0] == v[3][1] + v[3][2]),
    ([r.RegionSum(at("A2-A3 B3"))], lambda g, v: v[0][1] == v[0][2] + v[1][2]),
    ([r.AmbiguousArrow(at("A1-A2 B3"))], lambda g, v: (
        sum(line := (v[0][0], v[0][1], v[1][2])) in [2 * value for value in line]
    )),
    ([r.AmbiguousArrow(at("A1-A2 B3"), ends=True)], lambda g, v: (
        sum(line := (v[0][0], v[0][1], v[1][2])) in (2 * line[0], 2 * line[2])
    )),
    ([r.Battlefield(at("row 1"), 6)], lambda g, v: (
        sum(v[0][slice(*sorted((g[0][0], 4 - g[0][3])))]) == 6
    )),
    ([r.PairSum(((12, 13),), 5)], lambda g, v: v[3][0] + v[3][1] == 5),
    ([r.PairSum(((12, 13), (0, 1)), 5, never=True)], lambda g, v: (
        v[3][0] + v[3][1] != 5 != v[0][0] + v[0][1]
    )),
    ([r.XSum(at("row 1"), 8), r.Thermo(at("B1 C1"))], lambda g, v: (
        sum(v[0][: g[0][0]]) == 8 and g[1][0] < g[2][0]
    )),
    ([r.Sandwich(at("row 1"), 6)], lambda g, v: (
        sum(v[0][slice(*sorted((g[0].index(1), g[0].index(4))))][1:]) == 6
    )),
    ([r.SumLine(at("A1-A4"), 5)], lambda g, v: (
        {5, 10, 15, 20} & set(itertools.accumulate(v[0])) >= {5, sum(v[0])}
        and all(k * 5 in itertools.accumulate(v[0]) for k in range(1, sum(v[0]) // 5 + 1))
    )),
    ([r.AnyOf(((r.Killer(at("A1 A2"), 9),), (r.Killer(at("A1 B1"), 12),)))], lambda g, v: (
        v[0][0] + v[0][1] == 9 or v[0][0] + v[1][0] == 12
    )),
]  # fmt: skip
"""Rules on 4×4, and what they say of digits and of values."""


@pytest.mark.parametrize(
    "doubler",
    [
        r.Doubler(),
        r.Doubler(factor=-1),
        *thorough(r.Doubler(factor=3), r.Doubler(factor=0, repeats=True)),
    ],
)
def test_sums_count_values_and_everything_else_digits(doubler: r.Doubler) -> None:
    factor, repeats = doubler.factor, doubler.repeats
    every = [(rows, [*valued(rows, factor, repeats=repeats)]) for rows in grids()]
    for rules, holds in CASES:
        if factor < 0 and isinstance(rules[0], r.SumLine):
            continue
        board = Board.empty(FOUR.with_rules(doubler, *rules))
        wanted = sum(any(holds(rows, values) for values in ways) for rows, ways in every)
        for label in ("native", "sat"):
            assert unidoku.count(board, limit=300, backend=label).count == wanted, (label, rules)


def test_checker_and_backends_agree_with_definitions_where_only_some_cells_are_marked() -> None:
    chance, seen = random.Random("doublers"), 0
    while seen < volume(8):
        board = wild_board(chance, "doubler", *chance.choices(VALUED, k=2))
        if not any(isinstance(rule, Valued) for rule in board.layout.rules):
            continue
        seen += 1
        expected = solutions(board)
        for grid in itertools.product(*[board.values(cell) for cell in board.layout.cells]):
            satisfied = not any(True for _ in board.layout.broken(grid))
            assert satisfied == keeps_all(board.layout, grid), (board.layout.rules, grid)
        for label in ("native[engine=single]", "sat"):
            assert grids_of(label, board) in (None, expected), (label, board.layout.rules)


def test_known_doublers_and_their_marks_belong_together() -> None:
    known = Board.empty(FOUR.with_rules(r.Doubler(at=at("A1")), r.Killer(at("A1 B2"), 9)))
    corners = {grid[:6:5] for grid in unidoku.solve(known, solutions=None).solutions}
    assert corners == {(4, 1)}  # not 3 and 3: they share a box
    (rule,) = [rule for rule in known.layout.rules if isinstance(rule, r.Doubler)]
    assert rule.marks == tuple(range(16, 32))
    assert len(known.layout.hidden) == 16
    assert unidoku.count(Board.empty(FOUR.with_rules(r.Doubler(at=at("A1 A2"))))).count == 0


def test_a_rule_of_sums_counts_values_in_whatever_order_the_rules_come() -> None:
    before = FOUR.with_rules(r.Killer(at("A1 B2"), 9)).with_rules(r.Doubler())
    after = FOUR.with_rules(r.Doubler()).with_rules(r.Killer(at("A1 B2"), 9))
    assert isinstance(before.rules[0], Valued)
    assert isinstance(after.rules[1], Valued)
    assert stated(before).rules[0] == r.Killer((0, 5), 9)
    assert not stated(after).hidden
    without = Layout(4, after.units, after.positions, rules=after.rules[1:], hidden=after.hidden)
    assert without.rules == (r.Killer((0, 5), 9),)


def test_a_file_needs_no_hidden_cells_for_doublers() -> None:
    board = Board.empty(FOUR.with_rules(r.Doubler(at=at("B2"), factor=3), r.Killer(at("A1 B2"), 9)))
    text = unidoku.write(board, "toml").text
    assert '{ kind = "doubler", at = "B2", factor = 3 }' in text
    assert "hidden" not in text
    (puzzle,) = unidoku.read(text, format="toml")
    assert (puzzle.board, puzzle.board.digest) == (board, board.digest)


def test_steps_name_doublers() -> None:
    solved = Board.parse("1324 4231 3142 2413", FOUR)
    rules = [r.Killer(at("A1 B1"), 5), r.Killer(at("A2-A4 B4"), 14), r.Killer(at("B2 B3 C3"), 11)]
    layout = FOUR.with_rules(
        r.Doubler(), *rules, r.Killer(at("C1 C2 D1"), 9), r.Killer(at("C4 D2-D4"), 11)
    )
    walk = walk_through(Board(layout, solved.candidates))
    words = [fact for step in walk.steps for fact in step.consequence.split("; ")]
    for noun, cells in (("a doubler", "A4 B2 C1 D3"), ("no doubler", "A1 B1 C2 D4")):
        facts = [fact for fact in words if fact.endswith((f"is {noun}", f"are {noun}"))]
        for cell in cells.split():
            assert any(cell in fact for fact in facts)
    board = with_doublers(Board.empty(layout), walk.states[-1].grid[:16], unidoku.load("native"))
    assert [rule.at for rule in board.layout.rules if isinstance(rule, r.Doubler)] == [
        (3, 5, 8, 14)
    ]
    assert unidoku.svg(board).count("×2") == 4


def test_steps_say_what_doublers_would_count(root: Path) -> None:
    (puzzle,) = unidoku.read(root / "examples" / "rules" / "doublers.toml")
    steps = walk_through(puzzle.board, techniques="sum bounds").steps
    assert [str(step) for step in steps[:2]] == [
        "sum bounds, as a doubler with 4 counts 8 and the other cell at least 1 "
        "(the cage A1 B1 sums to 5, where a doubler counts twice): A1, B1 are not a doubler with 4",
        "sum bounds, as a doubler with 3 counts 6 and the others at least 7 (the cage C4 D2-D4 "
        "sums to 11, where a doubler counts twice): C4, D2, D3, D4 are not a doubler with 3 or 4",
    ]
    layout = steps[0].layout
    (added, *_) = [
        cell for rule in layout.rules if isinstance(rule, Valued) for cell in rule.adding
    ]
    assert in_words.holds(layout, added, 4) == "A1 is a doubler with 4"
    assert in_words.holds(layout, added, 1) == "A1 is no doubler, or one with 1"
    assert in_words.holds_none_of(layout, added, [1]) == "A1 is a doubler with 2, 3 or 4"
    assert in_words.holds_none_of(layout, added, [2, 3, 4]) == "A1 is not a doubler with 2, 3 or 4"
    (rule_of_doublers,) = [rule for rule in layout.rules if isinstance(rule, r.Doubler)]
    marks = [rule_of_doublers.mark_of[cell] for cell in range(4)]
    assert layout.in_words(rule_of_doublers, marks) == "A1-A4 have one doubler"
    chain = chain_step(State.start(puzzle.board), [(2, 1 << marks[0]), (2, 1 << marks[1])], [])
    assert chain.reason == "A1 is a doubler = A2 is a doubler"


def test_the_sentences_speak_of_doublers() -> None:
    text = rules_text(
        Board.empty(FOUR.with_rules(r.Doubler(at=at("A1")), r.Killer(at("A1 B2"), 9)))
    )
    assert text.splitlines()[1:4] == [
        "One cell in each row, column and box is a doubler, whose digit counts twice in every sum.",
        "No two doublers hold the same digit.",
        "A cell marked ×2 is a doubler.",
    ]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: r.Doubler(factor=1), "factor: expected a number up to 99 other than 1, got 1"),
        (lambda: r.Doubler(held=(0, 0)), "held: expected each cell once"),
        (lambda: r.Doubler(held=(0, 1), marks=(1, 2)), "marks: expected another cell for each"),
        (
            lambda: r.Doubler(held=(0, 1), groups=(0, 1), each=3),
            "each: expected groups of one size",
        ),
        (lambda: r.Doubler(held=(0, 1), at=(2,)), "at: expected some of the cells in held"),
        (
            lambda: FOUR.with_rules(r.Doubler(), r.Doubler(factor=3)),
            "expected one such rule, got two",
        ),
        (
            lambda: FOUR.with_rules(r.Doubler(held=at("A1 A2"))),
            "groups: expected groups that have",
        ),
        (lambda: FOUR.with_rules(r.AnyOf(((r.Doubler(),),))), "a rule of its own"),
        (
            lambda: FOUR.with_rules(r.Doubler(factor=-1), r.SumLine(at("A1-A4"), 5)),
            "sum-line: expected doublers with a factor from 0 on",
        ),
        (
            lambda: Layout.from_units(1, [], shape=(1, 1), rules=[r.Doubler()]),
            "expected at least two values, got 1",
        ),
    ],
)
def test_doublers_that_make_no_sense_are_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        make()


def test_a_weaker_sum_keeps_a_cell_that_may_be_a_doubler() -> None:
    row = layout("latin", 4).with_rules(r.Doubler(held=(0, 4, 8, 12), repeats=True, marks=()))
    (_, summed) = row.with_rules(r.SumOfCells((0, 1, 2), 5)).rules
    assert isinstance(summed, Valued)
    weaker = [rule.rule.cells for rule in summed.smaller()]
    assert {(0, 1), (0, 2)} <= {*weaker}
    assert all(0 in cells for cells in weaker)
