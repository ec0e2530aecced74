"""Loops of sets: as many cells as the values that the units which join them can take."""

from __future__ import annotations

from random import Random

import pytest

from tests.helpers.technique_cases import Case, steps
from tests.helpers.technique_layouts import CLASSIC, X
from unidoku import Layout
from unidoku.logic import State, technique
from unidoku.support.language import in_language

ROOM, LOOP = "B2 B8 H2 H8", ("B1 B3", "B7 B9", "A8 C8", "G8 I8", "H9 H7", "H3 H1", "I2 G2", "C2 A2")
"""Where an SK loop has its givens, and its eight pairs, one after the other."""

VALUES = ((2, 7), (3, 8), (1, 6), (3, 9), (2, 7), (4, 5), (1, 6), (4, 8))
"""The values from each pair to the next: the unit before the first pair takes those of the last."""


def looped(layout: Layout) -> Case:
    """Return a case with an SK loop, and nothing else."""
    case = Case(layout)
    for cell, value in zip(ROOM.split(), (9, 5, 3, 8), strict=True):
        case.cells([value], cell)
    for index, cells in enumerate(LOOP):
        case.cells((*VALUES[index], *VALUES[(index + 1) % 8]), cells)
    return case


@pytest.mark.parametrize("layout", [CLASSIC, X])
def test_a_loop_of_eight_pairs_leaves_its_values_nowhere_else_in_its_units(layout: Layout) -> None:
    (step,) = steps("SK loop", looped(layout).board)
    assert "3,8 in row B" in step.reason
    assert "as many as the 16 cells A2, A8, B1" in step.reason
    gone = set(step.eliminations)
    open_cells = {layout.cell(name) for name in ["B4", "B5", "B6"]}
    assert {(cell, value) for cell in open_cells for value in (3, 8)} <= gone
    assert not any(cell in step.cells for cell, _ in gone)
    assert {str(unit) for unit in step.units} >= {"row B", "row H", "column 2", "box 9"}


@pytest.mark.parametrize("value", [1, 4, 6])
def test_a_candidate_more_in_a_pair_breaks_the_loop(value: int) -> None:
    case = looped(CLASSIC)
    case.candidates[CLASSIC.cell("B1")] |= 1 << value - 1
    assert not steps("SK loop", case.board)


def test_a_value_that_two_units_beside_a_pair_take_leaves_the_pair() -> None:
    case = looped(CLASSIC)
    for cells, old, new in (("B1 B3", 7, 8), ("A2 C2", 7, 8)):
        for cell in map(CLASSIC.cell, cells.split()):
            case.candidates[cell] = case.candidates[cell] & ~(1 << old - 1) | 1 << new - 1
    removed = {gone for step in steps("SK loop", case.board) for gone in step.eliminations}
    assert {(CLASSIC.cell(name), 8) for name in ("B1", "B3")} <= removed


def test_random_pairs_make_no_step_that_is_wrong() -> None:
    random, count = Random(7), 0
    for _ in range(12):
        case, values = Case(CLASSIC), [*range(1, 10)]
        for cell in ROOM.split():
            case.cells([random.choice(values)], cell)
        sets = [random.sample(values, random.choice((1, 2, 2, 3))) for _ in LOOP]
        for index, cells in enumerate(LOOP):
            case.cells({*sets[index], *sets[(index + 1) % 8]}, cells)
        count += len(steps("SK loop", case.board))
    assert count


def test_a_loop_is_told_in_german_and_french() -> None:
    state = State.start(looped(CLASSIC).board)
    for language, words in {"de": "so viele wie die 16 Zellen", "fr": "autant que les 16"}.items():
        with in_language(language):
            (step,) = technique("SK loop").steps(state)
            assert words in step.sentence
