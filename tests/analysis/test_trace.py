"""The tree of a search: its nodes are those of the search, and what it says of each is true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.boards import IMPOSSIBLE, INKALA
from unidoku import (
    Board,
    InputError,
    Killer,
    Layout,
    UnsupportedError,
    WeightedSum,
    backends,
    load,
    trace,
)
from unidoku.analysis.trace import Trace
from unidoku.analysis.trace.record import MOST_NODES, TRACING
from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.visit import Guess, NodeEnd, Visit, clash
from unidoku.core.bits import bit
from unidoku.core.variants import layout

FOUR = "1... ..2. .3.. ...."
PROPER = "1.....2..3.....4"

CAGES = (((0, 1, 4), 7), ((2, 3, 7), 7), ((8, 12, 13), 8))
KILLER = Board.empty(
    layout("classic", 4).with_rules(
        *(tuple(Killer(cage=cage, total=total) for cage, total in CAGES))
    )
)


def test_the_backends_that_tell_their_search_are_named() -> None:
    telling = [
        path
        for path in Path(backends.__file__).parent.rglob("*.py")
        if re.search(r"^    def trace\(", path.read_text(), re.MULTILINE)
    ]
    names = {path.stem if path.stem != "adapter" else path.parent.name for path in telling}
    assert sorted(name.replace("_", "-") for name in names) == [*TRACING]


@pytest.mark.parametrize("label", ["norvig", "native", "logic[search=true]"])
@pytest.mark.parametrize("solutions", [1, 2])
def test_a_tree_has_the_nodes_and_failures_of_the_search(label: str, solutions: int) -> None:
    boards = [Board.parse(FOUR), KILLER]
    for board in boards if label.startswith("logic") else [Board.parse(INKALA), *boards]:
        tree = trace(board, backend=label, solutions=solutions)
        result = load(label).solve(board, solutions=solutions)
        figures = result.statistics
        assert (tree.nodes, tree.count(NodeEnd.CONTRADICTION)) == (
            figures["nodes"],
            figures["failures"],
        )
        assert tree.count(NodeEnd.SOLUTION) == result.count
        assert tree.stop is result.stop


@pytest.mark.parametrize(
    "label", ["exact-cover", "exact-cover[heuristic=first]", "python-constraint"]
)
def test_a_tree_has_a_root_and_what_the_search_tried(label: str) -> None:
    for board in (Board.parse(FOUR), KILLER):
        tree = trace(board, backend=label, solutions=5)
        result = load(label).solve(board, solutions=5)
        assert tree.nodes == 1 + result.statistics["nodes"]
        assert tree.count(NodeEnd.SOLUTION) == result.count


def test_restarts_of_native_are_further_trees() -> None:
    tree = trace(IMPOSSIBLE, backend="native")
    figures = load("native").solve(IMPOSSIBLE).statistics
    assert len(tree.runs) == 1 + figures["restarts"] > 1
    assert (tree.nodes, tree.count(NodeEnd.CONTRADICTION)) == (
        figures["nodes"],
        figures["failures"],
    )
    assert "1 restart, " in str(tree)


def paths(tree: Trace) -> Iterator[tuple[list[int], bool]]:
    """Yield the candidates of each node as its path tells them, and whether it is a solution."""
    path: list[list[int]] = []
    for depth, node in tree.walk():
        del path[depth:]
        left = list(path[-1] if path else tree.board.candidates)
        if isinstance(node.guess, Guess):
            mask = bit(node.guess.value)
            left[node.guess.cell] &= mask if node.guess.holds else ~mask
        for cell, value in node.filled:
            left[cell] = bit(value)
        for cell, value in node.removed:
            left[cell] &= ~bit(value)
        if node.step and path:
            path[-1] = left
        path.append(left)
        yield left, node.end is NodeEnd.SOLUTION


@pytest.mark.parametrize("label", TRACING)
def test_what_is_filled_and_removed_leads_to_the_solutions(label: str) -> None:
    for board in (Board.parse(FOUR), Board.parse(PROPER)):
        tree = trace(board, backend=label, solutions=1 if label == "logic" else None)
        grids = {tuple(mask.bit_length() for mask in left) for left, ends in paths(tree) if ends}
        count = tree.count(NodeEnd.SOLUTION)
        assert len(grids) == count
        everything = set(load("native").solve(board, solutions=None).solutions)
        assert grids == everything if label != "logic" else grids <= everything


def test_text_shows_branches_and_chains() -> None:
    assert trace(FOUR, backend="native", solutions=3).text().splitlines() == [
        "native: 5 nodes, 0 contradictions, 3 solutions; it ends at the last solution asked for",
        "start → A2=2 B1=3 B2=4 B4=1 C3=1 D2=1; 13 other candidates removed",
        "├ C4=2 → C1=4 D1=2; 1 other candidate removed",
        "│ ├ A3=3 → A4=4 D3=4 D4=3 ✓ solution",
        "│ └ A3≠3 → A3=4 A4=3 D3=3 D4=4 ✓ solution",
        "└ C4≠2 → A3=4 A4=3 C1=2 C4=4 D1=4 D3=3 D4=2 ✓ solution",
    ]
    chain = trace(FOUR, backend="exact-cover").text().splitlines()
    assert chain[2].startswith("B1=3"), "an only child is not indented"


def test_steps_of_logic_are_in_its_words() -> None:
    tree = trace(PROPER, backend="logic")
    assert tree.root.children[0].step == "hidden single 2 in box 1: A2 is 2"
    assert tree.root.children[-1].end is NodeEnd.SOLUTION
    stalled = trace(INKALA, backend="logic")
    assert (stalled.root.end, stalled.stop) == (NodeEnd.LIMIT, Stop.INCOMPLETE)


@pytest.mark.parametrize("label", TRACING)
def test_a_tree_ends_at_the_node_limit_and_says_so(label: str) -> None:
    tree = trace(INKALA, backend=label + "[search=true]" * (label == "logic"), node_limit=3)
    assert (tree.nodes, tree.stop) == (3, Stop.NODES)
    assert str(tree).endswith("it ends at the node limit, there is more")
    assert [node.end for _, node in tree.walk()][-1] is NodeEnd.LIMIT


def test_a_tree_ends_at_the_time_limit() -> None:
    tree = trace("." * 625, variant=layout("latin", 25), backend="norvig", time_limit=0.001)
    assert tree.stop is Stop.TIME


def test_a_backend_that_does_not_tell_its_search_is_refused() -> None:
    with pytest.raises(
        UnsupportedError, match=r"tells the steps of its search \(exact-cover, .*, got sat$"
    ):
        trace(FOUR, backend="sat")
    with pytest.raises(InputError, match="node_limit: expected an int"):
        trace(FOUR, node_limit=0)


class Endless:
    """A backend that visits one node after the other, none of which ends."""

    def search(self, board: Board, request: Request) -> Result:
        """Find nothing."""
        return Result(count=0, solutions=(), stop=Stop.INCOMPLETE)

    def trace(self, board: Board, request: Request) -> Iterator[Visit]:
        """Yield a root and children without end."""
        yield Visit(depth=0)
        while True:
            yield Visit(depth=1, guess="once more")


def test_a_tree_of_ones_own_backend_ends_at_100_000_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_NODES == 100_000
    monkeypatch.setattr("unidoku.analysis.trace.record.MOST_NODES", 1000)
    tree = trace(FOUR, backend=Endless())
    assert (tree.nodes, tree.stop) == (1000, Stop.NODES)
    assert len(tree.root.children) == 999


@pytest.mark.parametrize(
    ("candidates", "words"),
    [
        ((1, 1), "two cells of row A are 1"),
        ((15, 0), "no value is left for A2"),
        ((14, 14, 14, 14), "no cell of row A can be 1"),
        ((3, 12, 12, 12), "1 and 2 have no cell of row A but A1"),
        ((15, 15), ""),
    ],
)
def test_a_contradiction_is_said_in_words(candidates: tuple[int, ...], words: str) -> None:
    left = (*candidates, *[15] * (16 - len(candidates)))
    assert clash(layout("classic", 4), left) == words


def test_hidden_cells_are_searched_and_have_names_of_their_own() -> None:
    square = Layout.from_units(
        2, ["A1 A2"], shape=(1, 2), hidden=[0b11], rules=[WeightedSum((0, 2), (1, 1), 3, "=")]
    )
    tree = trace(Board.empty(square), backend="norvig", solutions=None)
    assert tree.names == ("A1", "A2", "#1")
    assert tree.count(NodeEnd.SOLUTION) == 2
    assert tree.record()["nodes"][1]["guess"] == {"cell": "A1", "value": 1, "holds": True}
