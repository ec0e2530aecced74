from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import unidoku
from tests.backends.native.boards import HARD, LANES, NONE, SEVERAL, SINGLE
from unidoku import Board, Layout, Stop, layout
from unidoku.backends.batch import STOPS
from unidoku.backends.native.lanes import search, workspace
from unidoku.backends.native.lanes.workspace import Clock
from unidoku.core.bits import all_values
from unidoku.core.rules import NonConsecutive
from unidoku.errors import OptionError, UnsupportedError

WIDTHS = ["native[engine=lanes]"] + [f"native[engine=lanes,lanes={k}]" for k in (8, 16, 32, 64)]
LABELS = [*WIDTHS[:3], "native[engine=lanes,bands=false]"]


def marked(text: str, marks: dict[int, int]) -> Board:
    """A classic board with the candidates of some cells taken away."""
    candidates = list(Board.parse(text).candidates)
    for cell, mask in marks.items():
        candidates[cell] &= ~mask
    return Board(layout("classic"), tuple(candidates))


@pytest.mark.parametrize(
    "n", [2, 15, 16, *(pytest.param(n, marks=pytest.mark.slow) for n in (32, 64))]
)
def test_no_value_is_beside_one_that_does_not_exist(n: int) -> None:
    pair = Layout.from_units(n, [], shape=(1, 2), rules=[NonConsecutive(((0, 1),))])
    result = LANES.solve(Board.empty(pair), solutions=None, keep=0)
    assert result.count == n * n - 2 * (n - 1)


@pytest.mark.parametrize(
    ("chosen", "known"),
    [
        (Layout.from_units(1, [[0]], shape=(1, 1)), 1),
        (Layout.from_units(1, [], shape=(1, 1)), 1),
        (Layout.from_units(1, [[0], [1]], shape=(1, 2)), 1),
        (Layout.from_units(3, [], shape=(1, 3)), 27),
        (Layout.from_units(16, [[0]], shape=(1, 2)), 256),
        (Layout.from_units(5, [[0, 1, 2]], shape=(1, 4)), 300),
        (Layout.from_units(17, [range(3)], positions=[(0, 2 * k) for k in range(4)]), 69360),
        (layout("disjoint", 6), 2799360),
    ],
    ids=repr,
)
def test_full_grids_are_as_many_as_known(chosen: Layout, known: int) -> None:
    result = LANES.solve(Board.empty(chosen), solutions=None, keep=0)
    assert (result.count, result.stop) == (known, Stop.EXHAUSTED)


@pytest.mark.parametrize("label", LABELS)
def test_a_cell_without_candidates_has_no_solution(label: str) -> None:
    for chosen in (layout("classic"), Layout.from_units(3, [[0, 1]], shape=(1, 40))):
        for cell in (0, 20, len(chosen) - 1):
            masks = [all_values(chosen.n)] * len(chosen)
            masks[cell] = 0
            result = unidoku.solve(Board(chosen, tuple(masks)), backend=label, solutions=None)
            assert (result.count, result.stop) == (0, Stop.EXHAUSTED)


@pytest.mark.parametrize("n", [34, 64])
def test_a_unit_may_have_more_parts_than_a_question_answers(n: int) -> None:
    chosen = Layout.from_units(n, [range(n), range(n - 2, 2 * n - 2)], shape=(1, 2 * n - 2))
    pair = 1 | 1 << n - 1
    grid = [*range(1, n + 1), *range(1, n - 1)]
    masks = [1 << value - 1 for value in grid]
    # Two cells of one unit alone may be exchanged, and so may the two that both units hold.
    masks[0] = masks[1] = 3
    masks[n - 2] = masks[n - 1] = 1 << n - 2 | 1 << n - 1
    assert LANES.solve(Board(chosen, tuple(masks)), solutions=None).count == 4
    assert LANES.solve(Board.empty(chosen), solutions=3).count == 3
    masks[0] = masks[n - 1] = pair
    masks[1] = 2
    masks[n - 2] = 1 << n - 2
    assert LANES.solve(Board(chosen, tuple(masks)), solutions=None).count == 1


@pytest.mark.parametrize("label", [*WIDTHS, "native[engine=lanes,bands=false]"])
def test_boards_have_the_counts_that_single_finds(label: str) -> None:
    texts = [*HARD, *SEVERAL[:3], "11" + "." * 79]
    if "bands" not in label:
        texts.append(NONE)  # which takes long without bands
    mine = unidoku.load(label).solve_many(texts, solutions=300)
    plain = SINGLE.solve_many(texts, solutions=300)
    assert mine.counts.tolist() == plain.counts.tolist()
    assert mine.stops.tolist() == plain.stops.tolist()
    for text, count in zip(texts, mine.counts, strict=True):
        assert unidoku.count(Board.parse(text), limit=300, backend=label).count == count


@pytest.mark.parametrize(
    ("lanes", "n"),
    [
        *((8, 20), (16, 36)),
        *(
            pytest.param(lanes, n, marks=pytest.mark.thorough)
            for lanes, n in ((8, 36), (16, 20), (32, 20), (32, 36), (64, 20))
        ),
        pytest.param(64, 36, marks=pytest.mark.soak),  # which takes two seconds to compile
    ],
)
def test_vectors_may_be_wider_than_those_of_the_processor(lanes: int, n: int) -> None:
    chosen = Layout.from_units(n, [range(n), range(0, n, 2)], shape=(1, n))
    masks = [1 << cell for cell in chosen.cells]
    masks[3] = masks[7] = 1 << 3 | 1 << 7
    solver = unidoku.load("native", engine="lanes", lanes=lanes)
    assert solver.solve(Board(chosen, tuple(masks)), solutions=None).count == 2


def several_solutions() -> Iterator[Board]:
    yield from map(Board.parse, SEVERAL)
    yield marked(SEVERAL[3], {0: 1, 40: 0b101010101, 41: 0b111, 77: 0b110000000})
    yield marked(SEVERAL[2], {0: 0b1010, 80: 0b11})
    yield Board.empty(layout("latin", 6))
    yield Board.empty(layout("x", 6))


@pytest.mark.parametrize("keep", [1, 2, 5, 64, 65])
def test_the_grids_kept_are_those_that_a_lone_lane_finds_first(keep: int) -> None:
    for board in several_solutions():
        # So many that a single lane searches, and hands them out as it finds them.
        first = LANES.solve(board, solutions=200).solutions
        for solver in map(unidoku.load, WIDTHS[:4]):
            for wanted in (keep, 150):
                grids = solver.solve(board, solutions=wanted, keep=min(keep, wanted)).solutions
                assert grids == first[: len(grids)], solver.label
                assert len(grids) == min(keep, len(first))


@pytest.mark.parametrize("label", WIDTHS)
def test_the_grids_of_a_batch_are_those_of_each_board_alone(label: str) -> None:
    solver = unidoku.load(label)
    alone = [LANES.solve(Board.parse(text)).solutions[0] for text in SEVERAL]
    for texts, firsts in ((SEVERAL, alone), (SEVERAL[::-1], alone[::-1])):
        for wanted in (1, 70):
            grids = solver.solve_many(texts, solutions=wanted).grids
            assert list(map(tuple, grids.tolist())) == firsts


def test_all_grids_are_found_once_when_there_are_more_than_are_handed_out_at_once() -> None:
    result = LANES.solve(Board.empty(layout("latin+x", 6)), solutions=5000)
    assert result.count == len(set(result.solutions)) == 5000


@pytest.mark.parametrize("node_limit", [1, 2, 5, 17, 100])
def test_a_node_limit_is_kept_alike_in_any_number_of_lanes(node_limit: int) -> None:
    texts = [*HARD, *SEVERAL, NONE] * 3
    request: dict[str, Any] = {"solutions": None, "node_limit": node_limit}
    expected = LANES.solve_many(texts, **request)
    assert expected.statistics["nodes"] <= node_limit * len(texts)
    for solver in map(unidoku.load, WIDTHS[1:]):
        result = solver.solve_many(texts, **request)
        assert result.counts.tolist() == expected.counts.tolist()
        assert result.stops.tolist() == expected.stops.tolist()
        assert result.grids.tolist() == expected.grids.tolist()
        assert result.statistics["nodes"] == expected.statistics["nodes"]
    for text, count, stop in zip(texts, expected.counts, expected.stops, strict=True):
        alone = LANES.solve(Board.parse(text), keep=1, **request)
        assert (alone.count, alone.stop) == (count, STOPS[stop])
        assert alone.statistics["nodes"] <= node_limit
        if alone.stop is Stop.NODES:
            assert alone.statistics["nodes"] == node_limit


def test_a_time_limit_holds_for_each_board_of_a_batch() -> None:
    endless = SEVERAL[3]
    texts = [endless, *HARD * 100, endless, *HARD * 100, endless]
    result = LANES.solve_many(texts, solutions=None, time_limit=1.5)
    at_its_limit = [stop == STOPS.index(Stop.TIME) for stop in result.stops]
    assert [text == endless for text in texts] == at_its_limit


def test_a_clock_gives_each_board_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("time.perf_counter", lambda: now)
    watch = Clock(1.0, 2, 81)
    now = 0.75
    assert watch.late({0, 7}) == []
    now = 1.0
    assert watch.late({0, 7}) == [0]
    now = 1.5
    assert watch.late({7, 8}) == []
    now = 1.75
    assert watch.late({7, 8}) == [7]
    assert watch.rounds >= 1


def test_stacks_grow_as_deep_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace, "FIRST_DEPTH", 1)
    chosen = Layout.from_units(5, [range(5), [3, 4, 5]], shape=(1, 60))
    result = LANES.solve(Board.empty(chosen), solutions=500, keep=5)
    assert result.count == 500
    assert LANES.solve(Board.empty(chosen), solutions=500).count == 500
    for board in (Board.empty(layout("latin", 6)), Board.parse(SEVERAL[2])):
        grown = unidoku.load("native[engine=lanes,lanes=8]").solve(board, solutions=70)
        monkeypatch.undo()
        assert grown.solutions == LANES.solve(board, solutions=70).solutions


def test_several_threads_find_what_one_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "BOARDS_A_TASK", 7)
    texts = [*HARD, *SEVERAL] * 10 + [NONE]
    for limits in ({}, {"solutions": 2}, {"solutions": None, "node_limit": 30}):
        alone = LANES.solve_many(texts, **limits)
        shared = LANES.solve_many(texts, threads=2, **limits)
        assert alone.counts.tolist() == shared.counts.tolist()
        assert alone.stops.tolist() == shared.stops.tolist()
        assert alone.grids.tolist() == shared.grids.tolist()


@pytest.mark.parametrize(
    ("label", "board", "message"),
    [
        (
            "native",
            Board.from_candidates(layout("classic", 4), [{1, 2}, *[{1, 2, 3, 4}] * 15]),
            "board 1: native cannot honour threads=2 for one board or for boards with pencil",
        ),
        (
            "native[engine=python]",
            Board.empty(layout("classic", 4)),
            "native cannot honour threads=2 in Python; ask for threads=1",
        ),
    ],
    ids=["pencil marks", "python"],
)
def test_threads_that_a_batch_would_not_use_are_refused(
    label: str, board: Board, message: str
) -> None:
    boards = [Board.empty(board.layout), board]
    with pytest.raises(UnsupportedError, match=f"^{re.escape(message)}"):
        unidoku.load(label).solve_many(boards, threads=2)
    assert unidoku.load(label).solve_many(boards).solved.all()


def test_a_batch_may_be_empty_and_is_not_changed() -> None:
    nothing = LANES.solve_many(np.zeros((0, 81), np.uint8))
    assert len(nothing) == 0
    given = np.zeros((3, 81), np.uint8)
    given.setflags(write=False)
    result = LANES.solve_many(given, keep=0)
    assert result.counts.tolist() == [1, 1, 1]
    assert not result.grids.any()


def test_rows_that_do_not_follow_each_other_in_memory_are_read_right() -> None:
    rows = [[int(c) if c != "." else 0 for c in text] for text in (*HARD, *SEVERAL)]
    plain = np.array(rows, np.uint8)
    spread = np.zeros((len(rows), 162), np.uint8)[:, ::2]
    spread[:] = plain
    for rows_apart in (spread, np.asfortranarray(plain)):
        counts = LANES.solve_many(rows_apart, solutions=9).counts
        assert counts.tolist() == LANES.solve_many(plain, solutions=9).counts.tolist()


@pytest.mark.parametrize(
    "large",
    [
        Layout.from_units(65, [range(65)], shape=(1, 65)),
        Layout.from_units(9, [range(9)], shape=(5, 820)),
    ],
    ids=["values", "cells"],
)
def test_a_layout_too_large_for_the_lanes_is_refused_or_left_to_others(large: Layout) -> None:
    values = [0, *(cell % large.n + 1 for cell in range(1, len(large) - 1)), 0]
    board = Board.from_values(large, values)
    with pytest.raises(UnsupportedError, match=r"supports up to \d+ (values|cells), the board has"):
        LANES.solve(board)
    several = unidoku.count(board, limit=2, backend="auto").count
    cells = np.array([values, values], np.uint8)
    with pytest.raises(UnsupportedError, match="supports up to"):
        LANES.solve_many(cells, layout=large)
    result = unidoku.load("auto").solve_many(cells, layout=large, solutions=2)
    assert result.counts.tolist() == [several, several] == [2, 2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "simd"}, "engine"),
        ({"engine": "lanes", "lanes": 12}, "lanes"),
        ({"engine": "lanes", "lanes": 4}, "lanes"),
        ({"engine": "python", "lanes": 8}, "need engine=lanes"),
        ({"engine": "python", "bands": False}, "need engine=lanes"),
        ({"engines": "lanes"}, "engines"),
    ],
)
def test_an_unknown_option_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        unidoku.load("native", **options)
