"""Algorithm X and its links, against counts known from elsewhere and against brute force."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unidoku
from tests.helpers.boards import EASY, HARD, INKALA
from unidoku import Board, Request, Stop, layout
from unidoku.backends.adapters.exact_cover import ExactCover, Links
from unidoku.backends.toolkit.budget import LimitReached
from unidoku.backends.toolkit.cover import cover_of, held_candidates

Problem: TypeAlias = tuple[list[set[str]], str, str]
"""Options, primary items, secondary items."""


def linked(options: Sequence[Iterable[str]], primary: Iterable[str], secondary: str = "") -> Links:
    """Link a problem that is given option by option."""

    def holding(item: str) -> list[int]:
        return [number for number, option in enumerate(options) if item in option]

    return Links(len(options), list(map(holding, primary)), list(map(holding, secondary)))


def state(links: Links) -> object:
    changing = (links.left, links.right, links.up, links.down, links.size, links.small)
    return [list(each) for each in changing]


def brute_force(options: Sequence[set[str]], primary: str, secondary: str) -> set[frozenset[int]]:
    """Return the exact covers among all sets of options; those without a primary item are none."""
    useful = [number for number, option in enumerate(options) if option & set(primary)]
    covers = set()
    for count in range(len(primary) + 1):
        for chosen in combinations(useful, count):
            items = [item for number in chosen for item in options[number]]
            once = len(items) == len(set(items))
            if once and set(primary) <= set(items) <= set(primary) | set(secondary):
                covers.add(frozenset(chosen))
    return covers


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    items = "ABCDEFGH"[: draw(st.integers(1, 8))]
    options = draw(st.lists(st.sets(st.sampled_from(items), min_size=1, max_size=4), max_size=12))
    split = draw(st.integers(0, len(items)))
    return options, items[:split], items[split:]


# Knuth, "Dancing Links", (3).
KNUTH = ["CEF", "ADG", "BCF", "AD", "BG", "DEG"]


@pytest.mark.parametrize(("primary", "secondary"), [("ABCDEFG", ""), ("ABCDE", "FG")])
@pytest.mark.parametrize("first", [False, True])
def test_the_example_of_the_paper_has_its_one_solution(
    primary: str, secondary: str, first: bool
) -> None:
    covers = list(linked(KNUTH, primary, secondary).covers(first=first))
    assert [sorted(KNUTH[option] for option in cover) for cover in covers] == [["AD", "BG", "CEF"]]


@pytest.mark.parametrize("first", [False, True])
@given(problems())
def test_covers_are_those_of_brute_force_each_once(first: bool, problem: Problem) -> None:
    covers = list(linked(*problem).covers(first=first))
    assert len(set(map(frozenset, covers))) == len(covers)
    assert set(map(frozenset, covers)) == brute_force(*problem)


@pytest.mark.parametrize(("n", "known"), [(4, 2), (5, 10), (6, 4), (7, 40), (8, 92)])
def test_queens_stand_in_as_many_ways_as_known(n: int, known: int) -> None:
    """Each row and column has one queen, each diagonal at most one: OEIS A000170."""
    squares = [(row, column) for row in range(n) for column in range(n)]

    def lines(line: Callable[[int, int], int], numbers: range) -> list[list[int]]:
        return [[s for s, square in enumerate(squares) if line(*square) == k] for k in numbers]

    rows = lines(lambda row, column: row, range(n))
    columns = lines(lambda row, column: column, range(n))
    falling = lines(lambda row, column: column - row, range(1 - n, n))
    rising = lines(lambda row, column: column + row, range(2 * n - 1))
    links = Links(n * n, rows + columns, falling + rising)
    assert sum(1 for _ in links.covers()) == known


def test_nothing_to_cover_has_one_cover_which_is_empty() -> None:
    assert list(Links(0, []).covers()) == [[]]
    assert list(Links(0, [[]]).covers()) == []


@pytest.mark.parametrize("first", [False, True])
@given(problems())
def test_a_complete_search_leaves_the_links_as_they_were(first: bool, problem: Problem) -> None:
    links = linked(*problem)
    before = state(links)
    once = list(links.covers(first=first))
    assert state(links) == before
    assert list(links.covers(first=first)) == once


@given(problems(), st.data())
def test_so_does_one_after_choices_and_exclusions(problem: Problem, data: st.DataObject) -> None:
    options, primary, secondary = problem
    links = linked(options, primary, secondary)
    covering = [number for number, option in enumerate(options) if option & set(primary)]
    chosen = {number for number in covering if data.draw(st.integers(0, 3)) == 0}
    excluded = {number for number in covering if data.draw(st.integers(0, 3)) == 0} - chosen
    links.exclude(excluded)
    items = [item for number in chosen for item in options[number]]
    consistent = links.choose(chosen)
    assert consistent == (len(items) == len(set(items)))
    if consistent:
        before = state(links)
        whole_covers = {frozenset(chosen.union(cover)) for cover in links.covers()}
        assert state(links) == before
        covers = brute_force(options, primary, secondary)
        assert whole_covers == {c for c in covers if chosen <= c and excluded.isdisjoint(c)}


@given(problems(), st.integers(0, 20), st.integers(0, 3))
def test_a_search_of_a_copy_however_it_ends_leaves_the_original_alone(
    problem: Problem, limit: int, wanted: int
) -> None:
    class Interrupted(BaseException):
        pass

    def interrupt() -> None:
        raise Interrupted

    links = linked(*problem)
    before = state(links)
    limited = links.copy()
    nodes = None
    try:
        for number, _ in enumerate(limited.covers(node_limit=limit)):
            if number == wanted:
                break
    except LimitReached:
        nodes = limited.nodes
    assert nodes in (None, limit)
    assert limited.nodes <= limit
    assert state(links) == before
    with contextlib.suppress(Interrupted):
        list(links.copy(pause=interrupt).covers())
    assert state(links) == before
    complete = links.copy()
    list(complete.covers())
    assert state(links) == before == state(complete)


class Watched(Links):
    """Links that see to it that each item chosen is one with the fewest options."""

    def _operations(self) -> Any:
        fewest, cover, uncover = super()._operations()

        def watched(small: list[int], looked_at: int) -> int:
            item = fewest(small, looked_at)
            sizes = []
            other = self.right[0]
            while other:
                sizes.append(self.size[other])
                other = self.right[other]
            assert self.size[item] == min(sizes)
            return item

        return watched, cover, uncover


@given(problems())
def test_the_item_chosen_is_one_with_the_fewest_options(problem: Problem) -> None:
    links = linked(*problem)
    links.__class__ = Watched
    assert {frozenset(cover) for cover in links.covers()} == brute_force(*problem)


def test_so_it_is_in_a_search_with_many_dead_ends() -> None:
    board = Board.parse(INKALA)
    cover = cover_of(board.layout)
    links = Links(cover.size, cover.primary)
    links.__class__ = Watched
    assert links.choose(held_candidates(board)[0])
    assert sum(1 for _ in links.covers()) == 1
    assert links.failures > 20


def test_without_the_heuristic_the_search_tree_is_far_larger() -> None:
    board = Board.parse(HARD)
    nodes = {
        heuristic: unidoku.load("exact-cover", heuristic=heuristic)
        .solve(board, solutions=2, node_limit=100_000)
        .statistics["nodes"]
        for heuristic in ("mrv", "first")
    }
    assert nodes["mrv"] < 1_000
    assert nodes["first"] == 100_000


def test_the_first_item_of_a_board_is_its_first_empty_cell() -> None:
    """So each option tried fills the next cell: as many as cells, where nothing goes wrong."""
    row = unidoku.Layout.from_units(4, [range(4)], shape=(1, 4))
    result = ExactCover(heuristic="first").search(Board.empty(row), Request())
    assert result.solutions == ((1, 2, 3, 4),)
    assert (result.statistics["nodes"], result.statistics["failures"]) == (4, 0)


def test_givens_cost_no_nodes() -> None:
    full = unidoku.solve(Board.parse(HARD), backend="norvig").solutions[0]
    board = Board.from_values(layout("classic", 9), full)
    result = ExactCover().search(board, Request(solutions=None))
    assert (result.count, result.stop) == (1, Stop.EXHAUSTED)
    assert result.statistics["nodes"] == 0
    clashing = Board.from_values(layout("classic", 9), (full[1], *full[1:]))
    result = ExactCover().search(clashing, Request(solutions=None))
    assert (result.count, result.statistics["nodes"]) == (0, 0)


def test_a_board_that_propagation_fills_has_a_node_a_cell_and_no_failure() -> None:
    board = Board.parse(EASY)
    statistics = ExactCover().search(board, Request(solutions=2)).statistics
    assert statistics["nodes"] == board.givens.count(0)
    assert statistics["failures"] == 0


def test_a_limit_at_any_node_spoils_no_later_search() -> None:
    board = Board.parse(HARD)
    whole = ExactCover().search(board, Request(solutions=None))
    nodes = int(whole.statistics["nodes"])
    for limit in (*range(1, nodes, 7), nodes - 1):
        stopped = ExactCover().search(board, Request(solutions=None, node_limit=limit))
        assert (stopped.stop, stopped.statistics["nodes"]) == (Stop.NODES, limit)
        again = ExactCover().search(board, Request(solutions=None))
        assert again.solutions == whole.solutions
        assert again.statistics["nodes"] == nodes
    enough = ExactCover().search(board, Request(solutions=None, node_limit=nodes))
    assert enough.stop is Stop.EXHAUSTED


def test_a_time_limit_while_the_links_are_made_spoils_no_later_search() -> None:
    unseen = unidoku.Layout.from_units(9, [range(9), range(9, 18)], shape=(2, 9), name="unseen")
    stopped = ExactCover().search(Board.empty(unseen), Request(time_limit=1e-9))
    assert (stopped.count, stopped.stop) == (0, Stop.TIME)
    assert stopped.statistics["nodes"] == 0
    assert ExactCover().search(Board.empty(unseen), Request(keep=0)).count == 1


def test_searches_under_way_at_the_same_time_do_not_disturb_each_other() -> None:
    links = linked([*KNUTH, *"ABCDEFG"], "ABCDEFG")
    alone = list(links.copy().covers())
    first, other = links.copy().covers(), links.copy().covers()
    both = [(next(first), next(other)) for _ in alone]
    assert both == [(cover, cover) for cover in alone]
