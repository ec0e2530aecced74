"""The checks of the conformance suite about limits, threads, the seed, and options."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache

from unidoku.backends.base import Request, Stop
from unidoku.backends.options import Value, format_label, parse_label
from unidoku.backends.solving.policy import refusals
from unidoku.backends.solving.solver import Solver
from unidoku.backends.spec import DEDUCTIONS
from unidoku.core.board import Board
from unidoku.core.variants import layout
from unidoku.errors import Cancelled, OptionError, UnsupportedError
from unidoku.support.cancel import Cancel
from unidoku.testing.effects import PROPER, Seen, questions, seen, slowdown

GRACE = 0.2
"""Seconds by which a search may exceed its time limit if it has a core for itself."""

ATTEMPTS = 3
"""Attempts: on a busy machine a search may end late once, with a wrong backend it always does."""

LARGE = (("latin", 10), ("classic", 12), ("classic", 16), ("classic", 25))
"""Variants and sizes of large boards; a search for all grids of the last one never ends."""

_MANY = ".....6....59.....82....8....45........3........6..3.54...325..6.................."


class NotClaimed(Exception):  # noqa: N818 - no error: there is nothing to check
    """The backend does not claim what the check is about; the message says what."""


def honours_threads(solver: Solver) -> None:
    """Several threads find the same solutions and have an effect, or are refused."""
    _honoured(solver, "threads")
    board = Board.empty(layout("classic", 4))
    refused: list[str] = []
    for wanted, known in ((None, 288), (1, 1)):
        single = Request(solutions=wanted)
        several = replace(single, threads=4)
        try:
            result = solver.search(board, several)
        except UnsupportedError as error:
            refused.append(str(error))
            continue
        assert result.count == known, f"4 threads: got {result.count}"
        assert solver.parameters(several) != solver.parameters(single) or (
            seen(solver, board, several) != seen(solver, board, single)
        ), f"4 threads, solutions={wanted}: neither parameters nor statistics show them"
    if len(refused) < 2:
        return
    try:
        many = solver.solve_many([board] * 3, solutions=None, keep=0, threads=4)
    except UnsupportedError as error:
        # An option may fix the number of threads: then another is refused, not ignored.
        assert solver.options, f"claims to honour threads, and refuses them: {refused[0]}"
        raise NotClaimed(str(error)) from error
    assert many.counts.tolist() == [288] * 3, f"4 threads: got {many.counts}"


def honours_the_seed(solver: Solver) -> None:
    """With one thread the same seed gives the same grid, and another seed has an effect.

    A backend that passes seeds on may refuse them if no solver that takes them is installed.
    """
    _honoured(solver, "seed")
    board = Board.empty(layout("classic", 4))
    try:
        results = [solver.solve(board, seed=7) for _ in range(3)]
    except UnsupportedError as error:
        raise NotClaimed(str(error)) from error
    if (workers := solver.threads(Request())) > 1:
        raise NotClaimed(f"{solver.label}: {workers} workers race each other for the grid")
    grids = {result.solutions for result in results}
    assert len(grids) == 1, "the same seed gave different grids"
    first, other = (solver.parameters(Request(seed=seed)) for seed in (7, 8))
    assert first != other or any(
        seen(solver, board, replace(request, seed=seed)) != seen(solver, board, request)
        for board, request in questions(solver)
        for seed in range(4)
    ), "different seeds: neither answers, statistics nor parameters differ"


def honours_the_time_limit(solver: Solver) -> None:
    """Endless searches end at their time limit, not earlier, and return what they have found."""
    _honoured(solver, "time_limit")
    for board, limit in zip(_endless(solver), (0.05, 0.15), strict=False):
        for _ in range(ATTEMPTS):
            elapsed = _timed(solver, board, limit)
            if elapsed <= limit + GRACE or elapsed <= limit + GRACE * slowdown():
                break
        else:
            raise AssertionError(f"limit {limit} s: took {elapsed:.3f} s")
        assert elapsed >= limit / 2, f"limit {limit} s: stopped after {elapsed:.3f} s"
    result = solver.solve(Board.parse(PROPER), solutions=2, time_limit=100)
    assert result.unique is True, f"a limit that is not reached changes nothing, got {result}"
    many = Board.empty(layout("latin", 6))
    for limit in (0.15, 1.0):  # the longer one where a busy machine finds few in the shorter
        result = solver.solve(many, solutions=None, keep=3, time_limit=limit)
        assert result.stop is Stop.TIME
        if len(result.solutions) == 3:
            break
    assert result.solutions, f"nothing found within {limit} s: too slow, or lost: {result}"
    assert len(result.solutions) == 3, f"what was found before the limit is lost: {result}"


def stops_when_cancelled(solver: Solver) -> None:
    """Endless searches end soon after they are cancelled, and the solver works afterwards."""
    _honoured(solver, "time_limit")  # the code that looks at the clock looks at the token too
    for board, wait in zip(_endless(solver), (0.05, 0.15), strict=False):
        for _ in range(ATTEMPTS):
            late = _cancelled(solver, board, wait)
            if late <= GRACE or late <= GRACE * slowdown():
                break
        else:
            raise AssertionError(f"cancelled after {wait} s: ended {late:.3f} s later")
    result = solver.solve(Board.parse(PROPER), solutions=2, cancel=Cancel())
    assert result.unique is True, f"a token that is not cancelled changes nothing, got {result}"


def _cancelled(solver: Solver, board: Board, wait: float) -> float:
    """Return the seconds between the cancellation of an endless search and its end."""
    cancel, at = Cancel(), list[float]()

    def end() -> None:
        at.append(time.perf_counter())
        cancel.cancel()

    timer = threading.Timer(wait, end)
    timer.start()
    try:
        result = solver.solve(board, solutions=None, keep=0, cancel=cancel)
    except Cancelled:
        return time.perf_counter() - at[0]
    finally:
        timer.cancel()
        timer.join()
    raise AssertionError(f"cancelled after {wait} s: expected Cancelled, got {result}")


def _endless(solver: Solver) -> list[Board]:
    """Return boards whose search does not end, of sizes that the backend supports."""
    boards = [Board.empty(layout(*LARGE[-1])), Board.parse(_MANY)]
    return [b for b in boards if not refusals(solver.spec.capabilities, b.layout, Request())]


def _timed(solver: Solver, board: Board, limit: float) -> float:
    """Return the seconds that an endless search takes under a time limit."""
    started = time.perf_counter()
    result = solver.solve(board, solutions=None, keep=0, time_limit=limit)
    elapsed = time.perf_counter() - started
    assert result.stop is Stop.TIME, f"limit {limit} s: got {result}"
    assert result.unique is not True
    return elapsed


def honours_the_node_limit(solver: Solver) -> None:
    """The search tree never exceeds the node limit, and reaches it in an endless search."""
    _honoured(solver, "node_limit")
    for board in _endless(solver):
        for limit in (1, 10, 100):
            result = solver.solve(board, solutions=None, keep=0, node_limit=limit)
            assert result.stop is Stop.NODES, f"limit {limit}: got {result}"
            assert result.statistics["nodes"] == limit, f"limit {limit}: got {result}"
    result = solver.solve(Board.parse(PROPER), solutions=2, node_limit=10**9)
    assert result.unique is True, f"a limit that is not reached changes nothing, got {result}"


def _honoured(solver: Solver, limit: str) -> None:
    """Raise `NotClaimed` unless the backend honours a limit."""
    if limit not in solver.spec.capabilities.honours:
        raise NotClaimed(f"{solver.label} does not claim to honour {limit}")


def honours_its_options(solver: Solver) -> None:
    """Each declared option has a value that changes something or is refused.

    The check tries all values of options of bool and Literal, and the options that the solver was
    made with. Where neither answers nor statistics differ, it is enough that the backend's other
    `parameters` differ. The check leaves out Unidoku's own options, which no backend has to heed.
    """
    if not solver.spec.target:
        raise NotClaimed(f"{solver.label} has no target that declares its options")
    shared = {option.name for option in solver.spec.shared_options}
    tried = [(name, value) for name, value in alternatives(solver) if name not in shared]
    if not tried:
        raise NotClaimed(f"{solver.label} declares no option whose values are known")
    silent = set(without_effect(solver)).intersection(tried)
    alive = {name for name, value in tried if (name, value) not in silent}
    alive |= {name for name, value in silent if _changes_parameters(solver, name, value)}
    dead = sorted({name for name, _ in tried} - alive)
    assert not dead, (
        f"{solver.label}: {', '.join(dead)}: expected an effect on the answers, the statistics "
        "or the parameters, or an OptionError or UnsupportedError; got none"
    )


def alternatives(solver: Solver) -> Iterator[tuple[str, Value]]:
    """Yield each option with each of its values except the default."""
    for option in solver.spec.options():
        values = [*option.values]
        if (given := solver.options.get(option.name)) is not None and given not in values:
            values.append(given)
        yield from ((option.name, value) for value in values if value != option.default)


def without_effect(solver: Solver) -> Iterator[tuple[str, Value]]:
    """Yield the options and values that change no answer and no statistic and are not refused.

    Each search has a new layout, so that state which a backend keeps between searches makes no
    difference.
    """

    @cache
    def asked(option: str) -> list[tuple[Board, Request]]:
        return list(questions(solver, option))  # the same for most: what is usual is seen once

    @cache
    def usually(label: str, board: Board, request: Request) -> set[Seen]:
        usual = _solver_with(solver, parse_label(label)[1])
        return {seen(usual, board, request) for _ in range(2)}

    for name, value in alternatives(solver):
        others = _without(solver, name)
        label = format_label(solver.spec.name, others)
        with suppress(OptionError):
            other = _solver_with(solver, others | {name: value})
            boards = asked(DEDUCTIONS if name == DEDUCTIONS else "")
            if all(seen(other, *question) in usually(label, *question) for question in boards):
                yield name, value


def _solver_with(solver: Solver, options: Mapping[str, Value]) -> Solver:
    return Solver(solver.spec, solver.spec.create(options), options)


def _without(solver: Solver, name: str) -> dict[str, Value]:
    """Return the options of a solver except one."""
    return {key: given for key, given in solver.options.items() if key != name}


def _changes_parameters(solver: Solver, name: str, value: Value) -> bool:
    """Return whether a value of an option changes the other parameters of the solver."""
    others = _without(solver, name)
    solvers = (_solver_with(solver, options) for options in (others, others | {name: value}))
    usual, other = (variant.parameters(Request()) | {name: value} for variant in solvers)
    return usual != other
