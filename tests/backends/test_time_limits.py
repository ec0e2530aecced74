"""What is made of a board's rules counts towards the time limit, and looks at the clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

import unidoku
from unidoku import Board, Request, Result, Stop, layout
from unidoku.backends.native.single.build import machines
from unidoku.backends.native.single.build.layout_tables import tables_of
from unidoku.backends.native.single.function import INTERPRETED
from unidoku.backends.solving.time_left import ordered
from unidoku.backends.toolkit import checked, mdd
from unidoku.backends.toolkit.checked import begin_checks, checking
from unidoku.backends.toolkit.clauses import Clauses
from unidoku.backends.toolkit.reified import Reified
from unidoku.core.constraints.automaton import Machine, Passes, machine_of, machine_of_steps
from unidoku.core.constraints.primitives import Automaton, Constraint, Or, Table
from unidoku.core.constraints.pruners import pruner
from unidoku.core.propagation import prune
from unidoku.core.rules import Killer, Rule, SumOfCells
from unidoku.core.rules.base import Facts
from unidoku.core.transforms import simplify
from unidoku.core.transforms.lower import lower
from unidoku.errors import TimeLimitError, WrongAnswerError
from unidoku.support.deadline import Deadline, check_time_limit, time_limit_scope

LIMIT = 0.02


@dataclass(frozen=True)
class Slow(Rule):
    """A rule whose constraints take longer than the time limit."""

    kind: ClassVar[str] = "slow"
    of: str  # each backend has its own, because constraints are cached

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Forbid nothing."""
        yield from ()

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield all rows but those of a value twice, slowly."""
        time.sleep(2 * LIMIT)
        yield from Killer(cage=(0, 1, 2)).constraints(facts)

    def words(self, names: Sequence[str]) -> str:
        """Return a name."""
        return "slow"


@pytest.mark.parametrize("label", ["native", "native[engine=single]", "auto", "sat", "norvig"])
def test_the_time_for_the_constraints_of_rules_counts(label: str) -> None:
    solver = unidoku.load(label)
    solver.prepare(layout("classic", 4))
    board = Board.empty(replace(layout("classic", 4), rules=(Slow(label),)))
    result = solver.search(board, Request(time_limit=LIMIT))
    assert (result.stop, result.count, result.puzzle) == (Stop.TIME, 0, board)
    assert solver.search(board, Request(time_limit=60)).stop is Stop.SOLUTIONS


class _Looked(Exception):  # noqa: N818 - not an error
    """Raised by the first look at the clock."""


def _raise() -> None:
    raise _Looked


def _counting(n: int = 9) -> Machine:
    return machine_of_steps(n, 0, lambda seen, value: seen | 1 << value, int.bit_count)


MACHINE = _counting(5)
KILLERS = replace(layout("classic", 9), rules=(Killer(cage=(0, 1, 9), total=20),))
CELLS = (*range(9),)
SUMS = replace(layout("classic", 9), rules=(SumOfCells((0, 10, 20, 30, 40), 30),))
EITHER = Or(((Automaton(CELLS[:5], _counting()),), (Automaton(CELLS[1:6], _counting()),)))


def _defined() -> Reified:
    reified = Reified(9, iter(range(1000, 9000)).__next__)
    reified.any_of([1, 2])
    return reified


@pytest.mark.parametrize(
    "work",
    [
        lambda: machine_of_steps(3, 0, lambda last, value: value, bool),
        lambda: machine_of(3, [0], [1], [(0, 1, 1), (0, 2, 1), (0, 2, 0)]),
        lambda: replace(KILLERS).constraints,
        lambda: simplify.simplify(KILLERS, [Table(CELLS[:3], ((1, 2, 3),))]),
        lambda: pruner.__wrapped__(Table(CELLS[:2], ((1, 2),)), 9),
        lambda: prune.removed_at_once.__wrapped__(KILLERS),
        lambda: Passes(MACHINE).ahead(MACHINE.starts, 1),
        lambda: Passes(MACHINE).behind(MACHINE.starts, 1, MACHINE.starts),
        lambda: machines.moves_of.__wrapped__(MACHINE),
        lambda: machines.live.__wrapped__(MACHINE, 5),
        lambda: machines.live_if_apart.__wrapped__(MACHINE, 5),
        lambda: machines.required.__wrapped__(MACHINE, 5),
        lambda: tables_of.__wrapped__(
            replace(KILLERS, rules=(Killer(cage=CELLS[:3], total=9),)), INTERPRETED
        ),
        lambda: mdd._unrolled.__wrapped__(MACHINE, 5, 5),
        lambda: mdd._summed.__wrapped__((2, 1), 3, 9, 5),
        lambda: mdd.merged([[(0, 1, 0)]]),
        lambda: list(Clauses(lower(SUMS))),
        lambda: Reified(9, iter(range(1000, 9000)).__next__).holds(EITHER),
        lambda: list(_defined().taken()),
    ],
)
def test_what_may_take_long_looks_at_the_clock(work: Callable[[], object]) -> None:
    work()  # what it uses is in memory, so that it looks itself
    with time_limit_scope(_raise), pytest.raises(_Looked):
        work()


def test_nothing_is_looked_at_outside_the_block_or_in_the_block_of_another() -> None:
    looks: list[str] = []
    check_time_limit()
    with time_limit_scope(lambda: looks.append("outer")):
        check_time_limit()
        with time_limit_scope(lambda: looks.append("inner")):
            check_time_limit()
        check_time_limit()
    check_time_limit()
    assert looks == ["outer", "inner", "outer"]


@pytest.mark.parametrize(
    "label", ["native[engine=single]", "native[engine=python]", "native", "norvig", "sat"]
)
def test_the_time_for_checking_grids_counts(label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Sequence[int]] = []

    def slow(board: Board, grid: Sequence[int]) -> list[str]:
        time.sleep(0.01)
        looked.append(grid)
        return []

    monkeypatch.setattr(checked, "faults_of", slow)
    solver = unidoku.load(label)
    solver.prepare(layout("classic", 9))
    result = solver.solve("." * 81, solutions=None, time_limit=0.3)
    # Without a limit on the checks, thousands of grids would take a minute.
    assert 0 < result.count == len(result.solutions) < 200
    assert result.stop is Stop.TIME
    assert list(result.solutions) == looked[-result.count :], "each is checked, once"


@pytest.mark.parametrize("label", ["native[engine=single]", "norvig", "sat", "auto"])
def test_a_wrong_grid_is_refused_in_time_too(label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checked, "faults_of", lambda *_: ["a lie"])
    with pytest.raises(WrongAnswerError, match="a lie, in the grid"):
        unidoku.solve("1... ..2. .3.. ...4", backend=label, solutions=2, time_limit=60)


def test_a_grid_found_twice_is_refused_in_time_too() -> None:
    board = Board.parse("1... ..2. .3.. ...4")
    (grid,) = unidoku.solve(board).solutions
    with checking(board) as check:
        add = begin_checks()
        assert add is not None
        add([grid])
        assert (check.are([grid]), check.are([]), check.wrong) == (True, False, ())
        add([(*grid,), grid])
        assert check.wrong == ("the same grid is returned twice",)


def test_grids_are_put_in_order_only_if_there_is_time() -> None:
    grids = tuple((n,) for n in range(5000, 0, -1))
    result = Result(count=5000, solutions=grids, stop=Stop.EXHAUSTED)
    assert ordered(result, Deadline()).solutions == grids[::-1]
    assert ordered(result, Deadline(60)).stop is Stop.EXHAUSTED
    late = ordered(result, Deadline(0.001))
    assert (late.stop, late.solutions) == (Stop.TIME, grids)


def test_the_time_for_making_the_board_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object) -> Board:
        time.sleep(2 * LIMIT)
        return Board.parse("1... ..2. .3.. ...4")

    monkeypatch.setattr("unidoku.backends.solving.solver.as_board", slow)
    assert unidoku.load("norvig").solve("", time_limit=LIMIT).stop is Stop.TIME

    def interrupted(*_: object) -> Board:
        time.sleep(2 * LIMIT)
        check_time_limit()
        raise AssertionError

    monkeypatch.setattr("unidoku.backends.solving.solver.as_board", interrupted)
    with pytest.raises(TimeLimitError, match=r"limit of 0\.02 s reached while the board was made"):
        unidoku.load("norvig").solve("", time_limit=LIMIT)
