from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.helpers.volume import volume
from unidoku import Board, Layout, layout, load
from unidoku.backends.native.lanes.bands import MAX_BAND
from unidoku.backends.native.lanes.plan import MOST_VALUES_ASKED, Family, Plan, plan_of
from unidoku.core.variants import Variant
from unidoku.testing.strategies import boards, named_layouts, unit_systems

NORVIG = load("norvig")


@pytest.mark.parametrize(
    ("variant", "n", "sizes"),
    [
        ("classic", 4, [2, 2, 2, 2]),
        ("classic", 6, [2, 2, 2, 3, 3]),
        ("classic", 9, [3] * 6),
        ("classic", 12, [3] * 4 + [4] * 3),
        ("classic", 16, [4] * 8),
        ("classic", 25, []),
        ("latin", 9, []),
        ("classic:1x9", 9, []),
        ("samurai", 9, [3] * 30),
        ("x", 9, [3] * 6),
    ],
)
def test_rows_and_columns_of_boxes_are_found(variant: str, n: int, sizes: list[int]) -> None:
    chosen = Variant.parse(variant).layout(n)
    plan = plan_of(chosen)
    assert sorted(band.size for band in plan.bands) == sizes
    assert plan_of(chosen, bands=False).bands == ()


def test_a_jigsaw_of_boxes_has_the_bands_of_a_classic_board() -> None:
    boxes = "".join("ABCDEFGHI"[r // 3 * 3 + c // 3] for r in range(9) for c in range(9))
    assert len(plan_of(Variant.parse(f"jigsaw:{boxes}").layout(9)).bands) == 6


def test_bands_need_not_be_rows_nor_stand_together() -> None:
    boxes = [[0, 7, 3, 9, 12, 2], [1, 4, 5, 6, 8, 10]]
    lines = [[0, 7, 3, 1, 4, 5], [9, 12, 2, 6, 8, 10]]
    plan = plan_of(Layout.from_units(6, [*boxes, *lines], shape=(1, 13)))
    assert [band.size for band in plan.bands] == [2]
    assert sorted(plan.bands[0].cells) == sorted({*boxes[0], *boxes[1]})


def test_units_that_cross_unevenly_are_no_band() -> None:
    boxes = [[0, 1, 2, 3], [4, 5, 6, 7]]
    lines = [[0, 1, 2, 4], [3, 5, 6, 7]]
    plan = plan_of(Layout.from_units(4, [*boxes, *lines], shape=(1, 8)))
    assert plan.bands == ()
    assert plan.families


def test_what_a_band_says_is_not_said_again() -> None:
    plan = plan_of(layout("classic"))
    assert (plan.families, plan.full, plan.differing) == ((), (), ())
    assert not any(plan.peers)
    assert not plan.goes_on
    assert len(plan.splits) == 6
    assert {len(split.excluded) for split in plan.splits} == {6}
    assert {len(cells) for split in plan.splits for cells in split.excluded} == {18}


def test_a_board_too_large_for_bands_has_families_of_segments() -> None:
    plan = plan_of(layout("classic", 25))
    assert {tuple(map(len, family.segments)) for family in plan.families} == {(5,) * 5}
    assert len(plan.families) == 75 + 25  # boxes are divided by rows and by columns
    assert len(plan.full) == 75


def test_small_units_become_peers_and_large_ones_are_worked_on_as_a_whole() -> None:
    plan = plan_of(Layout.from_units(9, [[0, 1, 2, 3], [3, 4, 5, 6, 7], [7, 3]], shape=(1, 9)))
    assert plan.differing == ((3, 4, 5, 6, 7),)
    assert plan.peers == ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2), (), (), (), (), ())
    assert plan.splits == ()


def test_a_unit_within_another_says_nothing_new() -> None:
    plan = plan_of(Layout.from_units(4, [[0, 1, 2, 3], [1, 2], [3, 0, 2]], shape=(2, 2)))
    assert plan.all_units == (((0, 1, 2, 3), True),)
    assert not any(plan.peers)


def test_a_layout_without_units_is_planned() -> None:
    plan = plan_of(Layout.from_units(3, [], shape=(1, 2)))
    assert (plan.bands, plan.families, plan.full, plan.differing) == ((), (), (), ())
    assert (plan.peers, plan.partners, plan.all_units) == (((), ()), ((), ()), ())


@pytest.mark.parametrize("n", [5, 9, 12, 13, 16, 30, 64])
@pytest.mark.parametrize("crossing", [2, 5])
def test_a_question_has_no_more_answers_than_stand_in_its_rows(n: int, crossing: int) -> None:
    crossing = min(crossing, n - 1)
    units = [range(n), range(n - crossing, 2 * n - crossing)]
    plan = plan_of(Layout.from_units(n, units, shape=(1, 2 * n - crossing)))
    assert [family.segments for family in plan.families] == [(tuple(range(n - crossing, n)),)] * 2
    assert len(plan.splits) == (2 if n <= MOST_VALUES_ASKED else 0)
    for family, split in zip(plan.families, plan.splits, strict=False):
        assert len(split.excluded) == len(family.parts) <= 32


@pytest.mark.parametrize("n", [4, 6, 8, 9, 10, 12])
def test_pairings_of_bands_are_no_more_than_stand_in_the_rows(n: int) -> None:
    plan = plan_of(layout("classic", n))
    assert plan.bands
    assert all(len(split.excluded) <= 32 for split in plan.splits)


def check_family(family: Family, plan: Plan) -> None:
    """Its parts are those of a full unit, each once; its segments stand in another one too."""
    cells = [cell for part in family.parts for cell in part]
    full = {unit for unit, is_full in plan.all_units if is_full}
    assert len(cells) == len(set(cells)) == plan.n
    assert tuple(sorted(cells)) in full
    assert {cell for segment in family.segments for cell in segment}.isdisjoint(family.singles)
    for segment in family.segments:
        assert sum(set(segment) <= set(unit) for unit in full) > 1
        assert len(segment) > 1


@given(named_layouts() | unit_systems())
def test_every_unit_has_its_place_in_the_plan(chosen: Layout) -> None:
    plan = plan_of(chosen)
    full = {unit for unit, is_full in plan.all_units if is_full}
    in_bands = {unit for band in plan.bands for unit in band.units}
    assert in_bands | {*plan.full} == full
    assert in_bands.isdisjoint(plan.full)
    for band in plan.bands:
        assert 2 <= band.size <= MAX_BAND
        assert len({len(segment) for box in band.segments for segment in box}) == 1
        assert len(band.cells) == band.size * plan.n
    for family in plan.families:
        check_family(family, plan)
    for cell in chosen.cells:
        known = [unit for unit in (*full, *plan.differing) if cell in unit]
        peers = {other for unit in known for other in unit} | {*plan.peers[cell]}
        assert peers - {cell} == chosen.peers[cell]


@settings(max_examples=volume(50))
@given(boards(named_layouts() | unit_systems()))
def test_of_every_question_exactly_one_answer_holds(board: Board) -> None:
    for bands in (True, False):
        plan = plan_of(board.layout, bands=bands)
        for grid in NORVIG.solve(board, solutions=5).solutions:
            for split in plan.splits:
                for value in range(1, plan.n + 1):
                    possible = (all(grid[c] != value for c in cells) for cells in split.excluded)
                    assert sum(possible) == 1
