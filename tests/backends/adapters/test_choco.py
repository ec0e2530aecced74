from __future__ import annotations

import resource
import sys
from dataclasses import replace
from functools import partial

import pytest

import unidoku
from tests.helpers.boards import HARD, INKALA, MANY
from tests.helpers.python_process import run_python
from unidoku import (
    Board,
    Contains,
    Layout,
    NoThreeEqual,
    Request,
    Sandwich,
    Status,
    Stop,
    layout,
)
from unidoku.backends.adapters.choco import adapter as choco
from unidoku.errors import OptionError

LEVELS = ["AC", "AC_REGIN", "BC", "DEFAULT", "FC", "NEQS"]
STRATEGIES = [
    "default",
    "dom_over_w_deg",
    "dom_over_w_deg_ref",
    "conflict_history",
    "failure_rate_based",
    "failure_length_based",
    "pick_on_dom",
    "min_dom_lb",
    "min_dom_ub",
    "input_order_lb",
    "input_order_ub",
]


def effort(label: str) -> tuple[float, float]:
    """Return the nodes to the solution of a hard board, and those to the proof that it is alone."""
    solver = unidoku.load(label)
    first = solver.solve(Board.parse(INKALA))
    proof = solver.solve(Board.parse(INKALA), solutions=2)
    assert proof.unique is True
    return first.statistics["nodes"], proof.statistics["nodes"]


@pytest.mark.parametrize("learning", ["false", "true"])
@pytest.mark.parametrize(
    "option",
    [*(f"consistency={level}" for level in LEVELS), *(f"strategy={name}" for name in STRATEGIES)],
)
def test_every_level_and_strategy_finds_every_grid(option: str, learning: str) -> None:
    solver = unidoku.load(f"choco[{option},learning={learning}]")
    assert solver.solve(Board.empty(layout("classic", 4)), solutions=None).count == 288
    assert solver.solve(Board.parse(HARD), solutions=2).unique is True
    full = solver.solve(Board.parse(HARD)).solutions[0]
    board = Board.parse(HARD).fill(full)
    assert solver.solve(board, solutions=None).solutions == (full,), "nothing left to decide"


def test_each_level_has_its_own_search() -> None:
    """Also those that remove the same: the weights of Choco's strategy depend on who did it."""
    efforts = {level: effort(f"choco[consistency={level},strategy=default]") for level in LEVELS}
    assert len(set(efforts.values())) == len(LEVELS)
    proofs = {level: nodes for level, (_, nodes) in efforts.items()}
    assert proofs["AC"] < proofs["DEFAULT"] < proofs["BC"] < proofs["FC"]
    assert effort("choco[consistency=FC,strategy=default,learning=true]")[1] < proofs["FC"]


def test_each_strategy_has_its_own_search() -> None:
    efforts = {effort(f"choco[strategy={strategy}]") for strategy in STRATEGIES}
    assert len(efforts) == len(STRATEGIES)


@pytest.mark.parametrize("strategy", ["round_robin", "activity_based", "random"])
def test_strategies_that_end_the_process_or_repeat_solutions_are_refused(strategy: str) -> None:
    with pytest.raises(OptionError, match="choco: option 'strategy': expected default"):
        unidoku.load("choco", strategy=strategy)


def test_nodes_are_counted_and_are_not_seconds() -> None:
    """A getter of that name in pychoco returns the time."""
    statistics = unidoku.load("choco[consistency=FC]").solve(Board.parse(INKALA)).statistics
    assert isinstance(statistics["nodes"], int)
    assert statistics["nodes"] > statistics["failures"] > 100


@pytest.mark.parametrize("learning", [False, True])
def test_slices_lose_no_solution_and_add_no_node(
    learning: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    solver = unidoku.load("choco", consistency="FC", learning=learning)
    board = Board.empty(layout("latin+x", 5))
    slices: list[None] = []
    set_criterion = choco._set_criterion
    monkeypatch.setattr(choco, "_set_criterion", lambda *it: slices.append(set_criterion(*it)))
    whole = solver.solve(board, solutions=None)
    in_one = len(slices)
    monkeypatch.setattr(choco, "_SLICE", 0.0)
    cut = solver.solve(board, solutions=None)
    assert len(slices) - in_one > in_one + 5, "it was cut"
    assert cut.solutions == whole.solutions
    assert cut.statistics["nodes"] == whole.statistics["nodes"]
    assert cut.statistics["failures"] == whole.statistics["failures"]


def test_both_limits_may_be_given_and_the_first_to_come_counts() -> None:
    solver = unidoku.load("choco")
    board = Board.parse(MANY)
    result = solver.solve(board, solutions=None, keep=0, node_limit=50, time_limit=60)
    assert (result.stop, result.statistics["nodes"]) == (Stop.NODES, 50)
    result = solver.solve(board, solutions=None, keep=0, node_limit=10**12, time_limit=0.05)
    assert result.stop is Stop.TIME


def test_what_would_raise_in_java_does_not_get_there() -> None:
    """An exception in Java ends the process."""
    solver = unidoku.load("choco")
    empty = Board(layout("latin", 2), (0, 3, 3, 3))
    assert solver.solve(empty).status is Status.UNSATISFIABLE
    lone_cells = Board.empty(Layout.from_units(2, [[0]], shape=(1, 3)))
    assert solver.solve(lone_cells, solutions=None).count == 8
    assert solver.solve(Board.parse("."), solutions=None).count == 1


def test_memory_does_not_grow_with_the_searches() -> None:
    """By pychoco's own classes a search leaves some hundred kilobytes behind."""
    backend = unidoku.load("choco").backend
    board = Board.parse(HARD)
    request = Request(solutions=2, time_limit=60)

    def peak_after(searches: int) -> float:
        for _ in range(searches):
            backend.search(board, request)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / 2**20 if sys.platform == "darwin" else peak / 2**10

    before = peak_after(300)
    assert peak_after(700) - before < 40


def test_a_limit_of_addresses_ends_in_an_error_and_not_in_the_answer_no() -> None:
    below = 8 << 30
    limit = partial(resource.setrlimit, resource.RLIMIT_AS, (below, below))
    words = ["solve", INKALA, "--backend", "choco"]
    ran = run_python("-m", "unidoku", *words, preexec_fn=limit)
    assert ran.returncode == 2
    assert "its library reserves 33 GiB of addresses" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_a_long_line_is_posted_layer_by_layer_with_the_same_grids(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = (Sandwich((0, 1, 2, 3), 3), Contains((0, 5, 10, 15), (1, 2)), NoThreeEqual((1, 6, 9)))
    board = Board.empty(replace(layout("latin", 4), rules=rules))
    usual = unidoku.solve(board, backend="choco", solutions=None)
    monkeypatch.setattr(choco, "_MOST_STEPS", 0)
    assert unidoku.solve(board, backend="choco", solutions=None).solutions == usual.solutions
    assert usual.count == unidoku.count(board, backend="norvig").count > 0
