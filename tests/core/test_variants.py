from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unidoku
from unidoku import Board, Killer, Layout, layout, overlap
from unidoku.core.regions import random_regions
from unidoku.core.variants import ADDITIONS, BASES, CONTENTS, PLACEMENTS, RULES, Variant, variant_of
from unidoku.errors import LayoutError
from unidoku.testing.layouts import additions


def cells(layout: Layout, kind: str) -> list[str]:
    return [
        " ".join(layout.names[cell] for cell in unit.cells)
        for unit in layout.units
        if unit.kind == kind
    ]


def kinds(layout: Layout) -> Counter[str]:
    return Counter(unit.kind for unit in layout.units)


@pytest.mark.parametrize("n", [*range(1, 26), 36, 49, 64])
def test_latin_squares_of_every_size(n: int) -> None:
    square = layout("latin", n)
    assert len(square) == n * n
    assert all(len(peers) == 2 * (n - 1) for peers in square.peers)


@pytest.mark.parametrize(
    ("n", "box"), [(1, 1), (4, 2), (6, 2), (8, 2), (9, 3), (12, 3), (16, 4), (25, 5), (64, 8)]
)
def test_classic_boxes_are_as_square_as_they_can_be(n: int, box: int) -> None:
    square = layout("classic", n)
    assert len(square.full_units) == len(square.units)
    heights = {
        1 + max(rows) - min(rows)
        for unit in square.units
        if unit.kind == "box"
        for rows in [[square.positions[cell][0] for cell in unit.cells]]
    }
    assert heights == ({box} if n > 1 else set())


def test_any_box_shape() -> None:
    assert cells(layout("classic:3x2", 6), "box")[0] == "A1 A2 B1 B2 C1 C2"
    assert cells(layout("classic:2x3", 6), "box")[0] == "A1 A2 A3 B1 B2 B3"
    assert layout("classic:1x5", 5) == layout("latin", 5)


def test_a_kind_of_rule_that_is_no_variant_is_named_as_such() -> None:
    with pytest.raises(LayoutError, match=r"got 'killer', a kind of rule; write it with its cells"):
        layout("x+killer")
    assert layout("non-consecutive").rules


@pytest.mark.parametrize(
    ("variant", "n", "kind", "units"),
    [
        ("x", 9, "diagonal", ["A1 B2 C3 D4 E5 F6 G7 H8 I9", "A9 B8 C7 D6 E5 F4 G3 H2 I1"]),
        (
            "windoku",
            9,
            "window",
            [
                "B2 B3 B4 C2 C3 C4 D2 D3 D4",
                "B6 B7 B8 C6 C7 C8 D6 D7 D8",
                "F2 F3 F4 G2 G3 G4 H2 H3 H4",
                "F6 F7 F8 G6 G7 G8 H6 H7 H8",
            ],
        ),
        ("windoku", 4, "window", ["B2 B3 C2 C3"]),
        ("asterisk", 9, "asterisk", ["B5 C3 C7 E2 E5 E8 G3 G7 H5"]),
        ("centre-dot", 9, "centre-dot", ["B2 B5 B8 E2 E5 E8 H2 H5 H8"]),
        ("girandola", 9, "girandola", ["A1 A9 B5 E2 E5 E8 H5 I1 I9"]),
        (
            "jigsaw:aaabacbbccbdcddd",
            4,
            "region",
            ["A1 A2 A3 B1", "A4 B3 B4 C3", "B2 C1 C2 D1", "C4 D2 D3 D4"],
        ),
    ],
)
def test_a_variant_has_its_units(variant: str, n: int, kind: str, units: list[str]) -> None:
    assert cells(layout(variant, n), kind) == units


def test_windoku_of_sixteen_has_nine_windows_and_disjoint_groups_a_cell_of_each_box() -> None:
    assert kinds(layout("windoku", 16))["window"] == 9
    groups = cells(layout("disjoint"), "disjoint")
    assert groups[0] == "A1 A4 A7 D1 D4 D7 G1 G4 G7"
    assert len(groups) == 9


def test_the_moves_of_knight_and_king_are_pairs() -> None:
    knight = layout("anti-knight")
    assert kinds(knight)["anti-knight"] == 4 * 8 * 7
    peers = {knight.names[cell] for cell in knight.peers[knight.cell("E5")]}
    assert {"C4", "C6", "D3", "D7", "F3", "F7", "G4", "G6"} <= peers
    assert kinds(layout("anti-king"))["anti-king"] == 2 * 8 * 8


def test_a_jigsaw_of_boxes_is_classic() -> None:
    jigsaw = layout("jigsaw:1122112233443344", 4)
    classic = layout("classic", 4)
    assert {unit.cells for unit in jigsaw.units} == {unit.cells for unit in classic.units}


def test_combinations_have_the_units_of_all_their_parts() -> None:
    both = layout("x+windoku")
    assert kinds(both) == kinds(layout("x")) | kinds(layout("windoku"))
    assert kinds(layout("latin+x", 5)) == {"row": 5, "column": 5, "diagonal": 2}
    assert kinds(layout("jigsaw:1122112233443344+x", 4))["diagonal"] == 2


def test_a_rule_can_be_combined_too() -> None:
    miracle = layout("anti-knight+anti-king+non-consecutive")
    (rule,) = miracle.rules
    assert rule.kind == "non-consecutive"
    assert list(rule.broken([0] * 3 + [4, 5] + [0] * 76)) == [(3, 4)]


def test_samurai_counts_shared_boxes_once() -> None:
    samurai = layout("samurai")
    assert len(samurai) == 369
    assert kinds(samurai) == {"row": 45, "column": 45, "box": 41}
    assert (samurai.rows, samurai.columns) == (21, 21)
    shared = samurai.cell("G7")
    assert sorted(unit.kind for unit in samurai.units_of[shared]) == [
        "box",
        "column",
        "column",
        "row",
        "row",
    ]


def test_samurai_of_other_sizes_and_of_other_squares() -> None:
    assert len(layout("samurai", 4)) == 5 * 16 - 4 * 4
    assert kinds(layout("samurai+x"))["diagonal"] == 10
    assert layout("samurai+non-consecutive").rules


def test_grids_can_be_placed_freely() -> None:
    placed = layout("grids:0,0/6,6")
    assert len(placed) == 81 + 81 - 9
    assert placed == overlap([(layout(), (0, 0)), (layout(), (6, 6))])
    with pytest.raises(LayoutError, match="layouts of one size"):
        overlap([(layout(), (0, 0)), (layout("classic", 4), (0, 0))])


@pytest.mark.parametrize(
    ("variant", "n", "message"),
    [
        ("klassic", 9, "did you mean 'classic'"),
        ("", 9, "expected a variant"),
        ("x+x", 9, "each variant once"),
        ("latin+classic", 9, "expected one of"),
        ("x:3", 9, "takes no argument"),
        ("classic:2x4", 9, "expected a box of 9 cells"),
        ("classic:3", 9, "rows x columns"),
        ("classic:0x0", 9, "expected a box of 9 cells"),
        ("latin+windoku", 9, "needs boxes"),
        ("windoku", 6, "needs square boxes"),
        ("asterisk", 4, "defined on 9x9"),
        ("centre-dot", 16, "needs boxes with a centre cell"),
        ("jigsaw", 9, "needs a region map"),
        ("jigsaw:0011", 4, "expected a region map of 16 symbols"),
        ("jigsaw:0000000011112222", 4, "region '0' of the map has 8 cells, expected 4"),
        ("grids:1", 9, "expected places as row,column"),
        ("samurai+latin", 9, "needs boxes"),
        ("classic", 0, "expected a size"),
        ("classic", 7, "use variant 'latin' or 'jigsaw'"),
    ],
)
def test_a_variant_that_does_not_exist_is_refused(variant: str, n: int, message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        layout(variant, n)


@pytest.mark.parametrize("name", [*ADDITIONS, *RULES, *CONTENTS, *BASES, *PLACEMENTS])
def test_every_name_of_the_catalogue_makes_a_layout(name: str) -> None:
    argument = {"jigsaw": ":" + "".join(c * 9 for c in "ABCDEFGHI"), "grids": ":0,0/3,3"}
    assert layout(name + argument.get(name, "")).size == 9


@pytest.mark.parametrize(
    ("variant", "count", "n"),
    [
        ("classic", 81, 9),
        ("classic", 80, None),
        ("classic", 49, None),
        ("classic:7x1", 49, 7),
        ("latin", 49, 7),
        ("samurai", 369, 9),
        ("samurai", 64, 4),
        ("grids:0,0/6,6", 153, 9),
    ],
)
def test_the_size_follows_from_the_number_of_cells(variant: str, count: int, n: int | None) -> None:
    assert Variant.parse(variant).size(count) == n


def test_the_same_arguments_give_the_same_object() -> None:
    assert layout("x", 9) is layout("x", 9)


def test_a_layout_knows_its_variant() -> None:
    for name in ("classic", "x+windoku", "latin+non-consecutive", "samurai", "classic:3x2"):
        n = 6 if ":" in name else 9
        assert variant_of(layout(name, n)) == Variant.parse(name)
    bare = layout("classic", 4)
    assert variant_of(type(bare)(4, bare.units[:-1], bare.positions, name="classic")) is None


def test_every_addition_exists_in_some_layout() -> None:
    names = {name for n in (4, 8, 9) for name in additions("classic", n)}
    assert names == set(ADDITIONS)


@given(st.integers(2, 7), st.integers(0, 99))
def test_regions_that_keep_a_grid_hold_each_value_once(n: int, seed: int) -> None:
    grid = tuple((row + column) % n + 1 for row in range(n) for column in range(n))
    region = random_regions(n, random.Random(seed), grid=grid)
    for which in range(n):
        values = [value for value, item in zip(grid, region, strict=True) if item == which]
        assert sorted(values) == list(range(1, n + 1))


def test_overlaid_layouts_keep_their_hidden_cells_and_areas() -> None:
    part = Layout.from_units(
        3, [(0, 1)], shape=(1, 2), hidden=[6], rules=[Killer((1, 2), 5)], areas=[(0, 1)]
    )
    both = overlap([(part, (0, 0)), (part, (0, 1))])
    assert (both.hidden, both.areas) == ((6, 6), ((0, 1), (1, 2)))
    grids = unidoku.solve(Board.empty(part), solutions=None).solutions
    joined = tuple((*grid, last) for grid in grids for first, last in grids if first == grid[1])
    assert unidoku.solve(Board.empty(both), solutions=None).solutions == joined
    assert len(joined) == 4
