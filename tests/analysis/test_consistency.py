"""Levels of consistency: each removes what it should and no value of a solution."""

from __future__ import annotations

import pytest
from hypothesis import given

from unidoku import Board, InputError, Killer, Layout, Unit, generate, load, propagate
from unidoku.analysis.consistency import LEVELS, consistent, levels_table, solving_levels
from unidoku.core.variants import layout
from unidoku.testing.strategies import boards

NAMES = tuple(level.name for level in LEVELS)
WEAKER = (
    ("forward checking", "singles"),
    ("forward checking", "bounds"),
    ("bounds", "domains"),
    ("singles", "domains"),
    *((name, f"{name} + shaving") for name in NAMES[:4]),
    ("bounds + shaving", "domains + shaving"),
)

SHAVED = "..712..........32.9.8..3......2...7.6...4...8.4....5...89..4....12.6.4..4......1."


def row(*sets: int) -> Board:
    """Return a board that is one unit, with these candidates."""
    size = len(sets)
    return Board.of(
        Layout.from_units(max(sets).bit_length(), [Unit(tuple(range(size)))], shape=(1, size)),
        sets,
    )


@pytest.mark.parametrize(
    ("level", "sets", "left"),
    [
        ("forward checking", (0b1, 0b11, 0b111), (0b1, 0b10, 0b100)),
        ("forward checking", (0b11, 0b11, 0b111), (0b11, 0b11, 0b111)),
        ("singles", (0b11, 0b11, 0b111), (0b11, 0b11, 0b100)),
        ("bounds", (0b11, 0b11, 0b111), (0b11, 0b11, 0b100)),
        ("bounds", (0b1001, 0b1001, 0b1111, 0b1111), (0b1001, 0b1001, 0b1111, 0b1111)),
        ("domains", (0b1001, 0b1001, 0b1111, 0b1111), (0b1001, 0b1001, 0b0110, 0b0110)),
        ("domains", (0b11, 0b11, 0b11, 0b1111), None),
        ("bounds", (0b11, 0b11, 0b11, 0b1111), None),
        ("forward checking", (0b1, 0b1, 0b11, 0b1111), None),
    ],
)
def test_a_level_removes_what_it_should_from_a_unit(
    level: str, sets: tuple[int, ...], left: tuple[int, ...] | None
) -> None:
    board = consistent(row(*sets), level)
    assert (board and board.candidates) == left


@given(boards())
def test_no_level_removes_a_value_of_a_solution_and_stronger_ones_remove_more(board: Board) -> None:
    by_level = {name: consistent(board, name) for name in NAMES}
    for grid in load("norvig").solve(board, solutions=20).solutions:
        for left in by_level.values():
            assert left is not None
            assert all(
                mask >> value - 1 & 1 for mask, value in zip(left.candidates, grid, strict=True)
            )
    for weak, strong in WEAKER:
        weaker, stronger = by_level[weak], by_level[strong]
        if stronger is not None:
            assert weaker is not None
            assert not any(
                new & ~old for old, new in zip(weaker.candidates, stronger.candidates, strict=True)
            )


def test_singles_are_what_propagation_finds() -> None:
    for board in generate(count=3, seed=5, minimal=True):
        assert consistent(board, "singles") == propagate(board)


def test_shaving_decides_boards_that_propagation_does_not() -> None:
    levels = solving_levels(Board.parse(SHAVED))
    assert [name for name, solved in levels.items() if solved] == [
        *("singles + shaving", "bounds + shaving", "domains + shaving"),
    ]


def test_rules_are_propagated_at_each_level() -> None:
    rules = (Killer(cage=(0, 1), total=3), Killer(cage=(2, 3), total=7))
    board = consistent(Board.empty(layout("classic", 4).with_rules(*rules)), "forward checking")
    assert board is not None
    assert board.candidates[:4] == (0b11, 0b11, 0b1100, 0b1100)


def test_a_level_has_a_name() -> None:
    with pytest.raises(InputError, match=r"level: expected one of forward checking, .* got 'arc'"):
        consistent("1... ..2. .3.. ...4", "arc")


def test_the_table_has_the_share_of_each_level() -> None:
    table = levels_table([dict.fromkeys(NAMES, True), dict.fromkeys(NAMES, False)])
    assert [line[:3] for line in table.texts] == [(name, "1", "50.0 %") for name in NAMES]
