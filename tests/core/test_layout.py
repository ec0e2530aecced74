from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import unidoku
from unidoku import Board, Layout, Unit, layout
from unidoku.errors import InputError, LayoutError
from unidoku.support.notation import named_by
from unidoku.support.setting import Setting


def test_every_classic_cell_has_three_units_and_twenty_peers() -> None:
    classic = layout()
    assert len(classic) == 81
    assert len(classic.units) == 27
    assert all(len(units) == 3 for units in classic.units_of)
    assert all(len(peers) == 20 for peers in classic.peers)


def test_the_units_and_peers_of_c2_are_as_in_norvigs_tests() -> None:
    classic = layout()
    c2 = classic.cell("C2")
    named = [[classic.names[cell] for cell in unit.cells] for unit in classic.units_of[c2]]
    assert sorted(named) == sorted(
        [
            ["A2", "B2", "C2", "D2", "E2", "F2", "G2", "H2", "I2"],
            ["C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9"],
            ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"],
        ]
    )
    peers = "A1 A2 A3 B1 B2 B3 C1 C3 C4 C5 C6 C7 C8 C9 D2 E2 F2 G2 H2 I2"
    assert " ".join(sorted(classic.names[cell] for cell in classic.peers[c2])) == peers


def test_units_have_kinds_and_names() -> None:
    classic = layout()
    units = classic.units_of[classic.cell("C2")]
    assert [unit.kind for unit in units] == ["row", "column", "box"]
    assert [str(unit) for unit in units] == ["row C", "column 2", "box 1"]


def test_a_unit_gets_its_name_in_letters_without_a_change_that_other_threads_see(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unit = Unit((0, 1, 4, 5), "region")
    with named_by("r1c1"):
        monkeypatch.delattr(Setting, "set_to")
        assert unit.named(layout("classic", 4)).name == "region A1-B2"
        monkeypatch.undo()


@pytest.mark.parametrize("name", ["C2", "c2", "r3c2", "R3C2"])
def test_cells_are_found_by_name(name: str) -> None:
    assert layout().cell(name) == 19


@pytest.mark.parametrize("name", ["", "C", "C0", "C10", "Z1", "r0c1", "r1c", "2C", "A1 "])
def test_a_cell_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises(LayoutError, match="expected a cell from A1 to I9"):
        layout().cell(name)


@pytest.mark.parametrize("cell", [16, -1])
def test_only_cells_and_values_that_exist_have_names(cell: int) -> None:
    with pytest.raises(LayoutError, match=f"expected cells from 0 to 15, got {cell}"):
        layout("classic", 4).name_all([0, cell])
    with pytest.raises(LayoutError, match=f"expected values from 0 to 4, got {cell}"):
        layout("classic", 4).name_values([1, cell])


def test_cells_from_an_iterator_are_named_too() -> None:
    cells: Any = iter([0, 5])
    assert layout("classic", 4).name_all(cells) == "A1 and B2"


def test_beyond_26_rows_cells_are_named_by_numbers() -> None:
    large = layout("latin", 27)
    assert large.names[0] == "r1c1"
    assert large.cell("r27c27") == len(large) - 1
    with pytest.raises(LayoutError, match="r1c1 to r27c27"):
        large.cell("A1")


def test_a_layout_of_own_units_takes_three_lines() -> None:
    units: list[str | list[int]] = ["A1 A2 A3", "B1 B2 B3", "A1 B2", [2, 4]]
    layout_of_units = unidoku.Layout.from_units(3, units, shape=(2, 3))
    board = unidoku.Board.parse("1.. .3.", layout_of_units)
    assert [unit.cells for unit in layout_of_units.units] == [(0, 1, 2), (3, 4, 5), (0, 4), (2, 4)]
    assert unidoku.solve(board, solutions=None, backend="norvig").count == 2


def test_positions_and_shapes_may_be_arrays() -> None:
    places: Any = np.array([[0, 1], [1, 0], [1, 1]])
    assert Layout.from_units(3, [], positions=places).positions == ((0, 1), (1, 0), (1, 1))
    sides: Any = np.array([2, 3])
    assert Layout.from_units(3, np.arange(6).reshape(2, 3), shape=sides) == Layout.from_units(
        3, ["A1 A2 A3", "B1 B2 B3"], shape=(2, 3)
    )


def test_units_with_the_same_cells_are_one() -> None:
    pair = Layout.from_units(2, ["A1 A2", "A2 A1", Unit((0, 1), "box")])
    assert len(pair.units) == 1


def test_full_units_are_those_of_n_cells() -> None:
    strip = Layout.from_units(3, ["A1 A2 A3", "B1 B2"])
    assert [unit.cells for unit in strip.full_units] == [(0, 1, 2)]
    assert strip.full_units_of[0] == ((0, 1, 2),)
    assert strip.full_units_of[3] == ()


def test_units_within_others_are_not_maximal() -> None:
    knights = layout("anti-king", 4)
    assert len(knights.units) == 12 + 18
    assert all(len(unit.cells) == 4 or unit.kind == "anti-king" for unit in knights.maximal_units)
    inside = {unit.cells for unit in knights.units} - {u.cells for u in knights.maximal_units}
    assert inside == {(0, 5), (1, 4), (2, 7), (3, 6), (8, 13), (9, 12), (10, 15), (11, 14)}


def test_layouts_are_equal_and_hash_alike_whatever_their_name() -> None:
    small = Layout.from_units(2, ["A1 A2"], name="one")
    other = Layout.from_units(2, ["A1 A2"], name="other")
    assert small == other
    assert hash(small) == hash(other)
    assert small != Layout.from_units(2, ["A1 B1"])


def test_layouts_survive_pickling() -> None:
    before = layout("x+non-consecutive", 6)
    assert before.peers
    after = pickle.loads(pickle.dumps(before))
    assert after == before
    assert after.peers == before.peers
    assert after.name == before.name


def test_layouts_are_immutable() -> None:
    with pytest.raises(AttributeError):
        layout().n = 4  # type: ignore[misc]  # wrong on purpose


@pytest.mark.parametrize(
    ("n", "units", "message"),
    [
        (0, [], "expected a size from 1"),
        (2, ["A1 A1"], "each cell once"),
        (2, [[0, 4]], "expected cells 0 to 3"),
        (2, [[-1, 0]], "expected cells 0 to 3"),
        (2, ["A1 A2 B1"], "3 cells cannot differ with only 2 values"),
        (2, ["A1 C9"], "expected a cell from A1 to B2, got 'C9'"),
    ],
)
def test_what_makes_no_layout_is_refused(n: int, units: list[str], message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        Layout.from_units(n, units)


def test_positions_must_be_in_reading_order() -> None:
    with pytest.raises(LayoutError, match="reading order"):
        Layout(2, (), ((0, 1), (0, 0)))


FOUR = layout("classic", 4)
LOOSE: list[Any] = [None, True, 1.5, "no", (None,), ((),), ("a", 2), len, [[0.5]], {1: 2}, {0.5}]
"""Things that are wrong, or nothing at all, in most arguments."""


@pytest.mark.parametrize(
    "call",
    [
        lambda loose: Layout(loose, (), ((0, 0),)),
        lambda loose: Layout(2, loose, ((0, 0),)),
        lambda loose: Layout(2, (), loose),
        lambda loose: Layout(2, (), ((0, 0),), rules=loose),
        lambda loose: Layout(2, (), ((0, 0),), name=loose),
        lambda loose: Layout(2, (), ((0, 0),), first_value=loose),
        lambda loose: Layout(2, (), ((0, 0),), hidden=loose),
        lambda loose: Layout(2, (), ((0, 0),), areas=loose),
        lambda loose: Layout(2, (Unit(loose),), ((0, 0),)),
        lambda loose: Layout(2, (Unit((0,), kind=loose),), ((0, 0),)),
        lambda loose: Layout(2, (Unit((0,), name=loose),), ((0, 0),)),
        lambda loose: Layout.from_units(loose, []),
        lambda loose: Layout.from_units(10**30, [], name=loose),
        lambda loose: Layout.from_units(2, loose),
        lambda loose: Layout.from_units(2, [], shape=loose),
        lambda loose: Layout.from_units(2, [], positions=loose),
        lambda loose: Layout.from_units(2, [], rules=loose),
        lambda loose: Layout.from_units(2, [], areas=loose),
        FOUR.with_rules,
        lambda loose: FOUR.cell(loose) and FOUR,
        lambda loose: FOUR.cells_of(loose) and FOUR,
        lambda loose: Board(FOUR, loose).layout,
        lambda loose: Board.from_values(FOUR, loose).layout,
        lambda loose: Board.from_candidates(FOUR, loose).layout,
        lambda loose: Board.parse("." * 16, size=loose).layout,
        lambda loose: Board.parse("." * 16, loose).layout,
        lambda loose: Board.empty(FOUR).fill(loose).layout,
        lambda loose: Board.empty(FOUR).assign(loose, 1).layout,
        lambda loose: Board.empty(FOUR).assign(0, loose).layout,
        lambda loose: unidoku.overlap([(FOUR, loose)]),
        lambda loose: unidoku.overlap([(loose, (0, 0))]),
    ],
)
def test_what_is_no_part_of_a_layout_or_board_is_refused_or_makes_one(
    call: Callable[[Any], Layout],
) -> None:
    for loose in LOOSE:
        with suppress(InputError):
            result = call(loose)
            assert repr(pickle.loads(pickle.dumps(result))) == repr(result)
            assert "<svg" in unidoku.svg(Board.empty(result))
            assert unidoku.solve(Board.empty(result), backend="norvig").count


def test_lists_and_numbers_of_numpy_become_tuples_and_numbers_of_python() -> None:
    numpy = pytest.importorskip("numpy")
    cells: Any = numpy.arange(2)
    units: Any = [Unit(cells)]
    positions: Any = [[0, 0], [0, 1]]
    areas: Any = [cells]
    result = Layout(numpy.int64(2), units, positions, areas=areas, hidden=numpy.array([3]))
    expected = Layout(2, (Unit((0, 1)),), ((0, 0), (0, 1)), areas=((0, 1),), hidden=(3,))
    assert result == expected
    candidates: Any = [3, numpy.int64(3)]
    board = Board(result, candidates)
    assert (hash(result), board.digest) == (hash(expected), Board.empty(expected).digest)
