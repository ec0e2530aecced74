"""Why a rule fails: the facts that are told make it fail, and bounds of sums are right."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from unidoku import Board, layout
from unidoku.core import rules as r
from unidoku.core.bits import mask_of, values_of
from unidoku.core.constraints.primitives import Sets, Sum
from unidoku.core.layout import Layout
from unidoku.logic import State
from unidoku.logic.geometry import cells_of, geometry
from unidoku.logic.reasons import words
from unidoku.logic.reasons.failures import failure
from unidoku.logic.reasons.reasoning import why_not
from unidoku.logic.ruled.statement import Statement
from unidoku.testing import truth
from unidoku.testing.boards import random_board
from unidoku.testing.layouts import RandomLayout, random_layout
from unidoku.testing.rules import with_rules


@pytest.mark.parametrize(
    ("rule", "cell", "value", "why_it_fails"),
    [
        (r.Killer((30, 31), 11), "F5", 6, "as F1 and F2 are not 6 and the sum is at most 9"),
        (r.Killer((0, 1, 2), 6), "A1", 5, "as the sum is at least 8"),
        (r.Killer((0, 1, 2), 6), "A4", 1, "as A1, A2 and A3 are not 1 and the sum is at least 9"),
        (r.Greater(((0, 1),)), "A1", 1, "as nothing is left for A2"),
        (r.Whispers((0, 7, 14), 4), "B2", 4, "whatever its other cells hold"),
        (r.Arrow((0,), (6, 12)), "A1", 1, "as B1 C1 sum to at least 3"),
        (r.Skyscraper((0, 1, 2, 3, 4, 5), 6), "A1", 3, "whatever its other cells hold"),
        (r.SumOfCells((0, 1, 2, 3), 10), "A5", 1, "as A1, A2, A3 and A4 are not 1 and the sum"),
    ],
)
def test_a_rule_that_fails_is_told_with_what_makes_it_fail(
    rule: r.Rule, cell: str, value: int, why_it_fails: str
) -> None:
    board = Board.empty(layout("classic", 6).with_rules(rule))
    state = State.start(board)
    step, _ = why_not(state, board.layout.cell(cell), value, is_placed=False)
    assert step is not None
    assert f"if {cell} is {value}, this rule fails, {why_it_fails}" in step.reason


def test_a_rule_that_is_no_sum_is_not_told_by_a_sum() -> None:
    ruled = layout("classic", 4).with_rules(r.Contains((12, 14), (2, 3)))
    board = Board.parse("..13 .... 3... ....", ruled)
    step, _ = why_not(State.start(board), ruled.cell("D1"), 4, is_placed=False)
    assert step is not None
    assert "if D1 is 4, this rule fails" in step.reason
    assert "sum" not in step.reason


def test_what_a_rule_wants_of_a_cell_is_told() -> None:
    ruled = layout("classic", 6).with_rules(r.Palindrome((0, 7, 9)))
    board = Board.from_values(ruled, [0] * 30 + [1] + [0] * 5)
    step, _ = why_not(State.start(board), ruled.cell("B4"), 1, is_placed=False)
    assert step is not None
    assert "if B4 is 1, this rule fails, as A1 would be 1: A1 B2 B4 reads" in step.reason


def test_a_long_rule_of_a_chain_is_said_once_and_numbered() -> None:
    rules = r.Zipper((0, 1, 8, 13, 12)), r.Killer((0, 6), 5), r.Killer((1, 7), 8)
    board = Board.empty(layout("classic", 6).with_rules(*rules))
    step, _ = why_not(State.start(board), board.layout.cell("E1"), 1, is_placed=False)
    assert step is not None
    assert step.reason.startswith(
        "if E1 is 1, then B3 is not 1, 2 or 3 (rule 1: cells at the same distance from the centre "
        "of A1 A2 B3 C2 C1 have the same sum), A2 is not 6 (rule 1), A3 is not 1 (A3 + B3 = 8"
    )


_FACT = re.compile(
    r"(?P<cells>[A-Z]\d+(?:(?:, | and )[A-Z]\d+)*) (?:is|are) "
    r"(?P<gone>not )?(?P<values>\d+(?: to \d+)?(?:(?:, | or )\d+(?: to \d+)?)*)(?= and |, |$)"
)
_BOUND = re.compile(r"(the sum|[A-Z]\d+)[A-Z\d -]*? (?:is|sum to) at (least|most) (\d+)")


@pytest.mark.parametrize("seed", [*range(30), 541, 899])
def test_the_end_of_a_reason_makes_its_rule_fail(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    _, source = random_layout(rng, 4)
    ruled = with_rules(rng, source.layout, source.grid, most=5)
    state = State.start(random_board(rng, RandomLayout(ruled, source.grid, source.hard)))
    failures: list[tuple[Statement, Sequence[int], Sequence[int], int, str]] = []

    def recorded(statement: Statement, *rest: Any) -> str:
        text = failure(statement, *rest)
        failures.append((statement, *rest[:3], text))
        return text

    monkeypatch.setattr(words, "failure", recorded)
    for cell, value in state.all_in(cells_of(state.empty)):
        why_not(state, cell, value, is_placed=False)
    for statement, before, left, assumed, text in failures:
        if state.layout.hidden_cells.keys().isdisjoint(statement.cells):
            masks = [*before]
            masks[assumed] = left[assumed]
            _restrict(state.layout, masks, text)
            assert not any(_arrangements(statement, masks)), text
            for first, end, total in _BOUND.findall(text):
                for number in _sums(statement, masks, first):
                    assert number >= int(total) if end == "least" else number <= int(total)


def _restrict(layout: Layout, masks: list[int], text: str) -> None:
    """Restrict candidates to what a text says of cells: ``A1 and A2 are not 1 to 3 or 5``."""
    for fact in _FACT.finditer(text):
        values = 0
        for run in re.split(", | or ", fact["values"]):
            first, _, last = run.partition(" to ")
            numbers = range(int(first), int(last or first) + 1)
            values |= mask_of(number - layout.first_value + 1 for number in numbers)
        for name in re.split(", | and ", fact["cells"]):
            masks[layout.cell(name)] &= ~values if fact["gone"] else values


def _arrangements(statement: Statement, masks: Sequence[int]) -> Iterator[list[int]]:
    """Yield values of a statement's cells that satisfy it, by trying everything."""
    for grid in _fillings(statement.layout, statement.cells, masks):
        if all(truth.holds(constraint, grid) for constraint in statement.constraints):
            yield grid


def _sums(statement: Statement, masks: Sequence[int], first: str) -> Iterator[int]:
    """Yield the sums of the cells of one sign, that of a cell if it is not ``the sum``."""
    layout, constraint = statement.layout, statement.constraint
    assert isinstance(constraint, Sum | Sets)
    cells = statement.cells
    if first != "the sum":
        assert isinstance(constraint, Sum)
        weights = dict(zip(constraint.cells, constraint.weights, strict=True))
        cells = tuple(cell for cell in cells if weights[cell] == weights[layout.cell(first)])
    sees = geometry(layout).sees
    for grid in _fillings(layout, cells, masks):
        if not any(
            grid[a] == grid[b] and sees[a] >> b & 1 for a, b in itertools.combinations(cells, 2)
        ):
            yield sum(layout.number(grid[cell]) for cell in cells)


def _fillings(layout: Layout, cells: Sequence[int], masks: Sequence[int]) -> Iterator[list[int]]:
    """Yield grids in which some cells hold one of their candidates."""
    for values in itertools.product(*(values_of(masks[cell]) for cell in cells)):
        grid = [0] * len(layout)
        for cell, value in zip(cells, values, strict=True):
            grid[cell] = value
        yield grid
