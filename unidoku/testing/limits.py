"""The checks of the conformance suite about limits, threads, the seed, and options.

Searches show whether an option or a limit has an effect, and work how busy the machine is.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from typing import TypeAlias

from unidoku.backends.base import Request, Stop
from unidoku.backends.options import Value, format_label, parse_label
from unidoku.backends.solving.policy import refusals
from unidoku.backends.solving.solver import Solver, solver_of_row
from unidoku.backends.spec import DEDUCTIONS
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.rules import PairSum
from unidoku.core.variants import layout
from unidoku.errors import Cancelled, OptionError, UnsupportedError
from unidoku.support.cancel import Cancel

GRACE = 0.2
"""Seconds by which a search may exceed its time limit if it has a core for itself."""

ATTEMPTS = 3
"""Attempts: on a busy machine a search may end late once, with a wrong backend it always does."""

LARGE = (("latin", 10), ("classic", 12), ("classic", 16), ("classic", 25))
"""Variants and sizes of large boards; a search for all grids of the last one never ends."""

_MANY = ".....6....59.....82....8....45........3........6..3.54...325..6.................."


PROPER = "85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4."
"""A board with exactly one solution."""

_X = "...2.6........35.2..4....3...3..42..........8.19..84...4.1..9......6....9........"
"""A hard board with diagonals, whose cells have different numbers of peers."""

_PIGEONS = Board.empty(
    Layout.from_units(7, list(itertools.combinations(range(8), 2)), shape=(1, 8))
)
"""Eight cells, any two of which differ, and seven values: some thousand contradictions."""

_LONGEST = 2.0
"""Seconds of a search on an idle machine; what it has found by then is compared too."""

_PROBE = 0.05
"""Seconds of work that measure the share of a core that is free."""

_SLOWEST = 4.0
"""The largest slowdown that is allowed for: a search that is late by a second always fails."""

Seen: TypeAlias = tuple[object, ...]
"""What a search shows, except its times."""

_shifts = itertools.count()


def slowdown() -> float:
    """Return how many times longer than on an idle machine work takes now: 2 on half a core.

    The result is `_SLOWEST` at most.
    """
    wall, worked = time.perf_counter(), time.thread_time()
    while time.thread_time() - worked < _PROBE:
        pass
    return min((time.perf_counter() - wall) / (time.thread_time() - worked), _SLOWEST)


def questions(solver: Solver, option: str = "") -> Iterator[tuple[Board, Request]]:
    """Yield supported boards and requests whose searches show most options.

    For the option that changes how rules are passed on, the boards have rules.
    """
    capabilities = solver.spec.capabilities
    limit = _LONGEST * slowdown() if "time_limit" in capabilities.honours else None
    plain = (
        (_PIGEONS, 1),
        (Board.empty(layout("classic", 6)), 2),
        (Board.parse(_X, "x"), 2),
        (Board.parse(PROPER), 1),
    )
    ruled = ((Board.empty(_dominoes(5)), 1), (Board.empty(_dominoes(9)), 1))
    for board, solutions in ruled if option == DEDUCTIONS else plain:
        request = Request(solutions=solutions, time_limit=limit)
        if not refusals(capabilities, board.layout, request):
            yield board, request


def seen(solver: Solver, board: Board, request: Request) -> Seen:
    """Return what a search shows, on a layout that no earlier search had."""
    try:
        result = solver.search(Board(_moved(board.layout), board.candidates), request)
    except UnsupportedError as error:
        return (str(error),)
    facts = result.count, result.stop, result.solutions, result.candidates
    if result.stop is Stop.TIME:
        return facts
    counted = {k: v for k, v in result.statistics.items() if not k.endswith("_time")}
    return *facts, tuple(sorted(counted.items()))


def _dominoes(n: int) -> Layout:
    """Return a square with sums of pairs in three rows, which determine the cell that is left."""
    pairs: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for row in range(3):
        cells = list(range(row * n, row * n + n))
        del cells[2 * row]
        for a, b in zip(cells[::2], cells[1::2], strict=True):
            pairs[sum((2 * (cell // n) + cell % n) % n + 1 for cell in (a, b))].append((a, b))
    rules = tuple(PairSum(tuple(cells), total) for total, cells in pairs.items())
    return replace(layout("latin", n), rules=rules)


def _moved(layout: Layout) -> Layout:
    """Return the same layout at another position."""
    shift = next(_shifts) % 900
    positions = tuple((row + shift, column) for row, column in layout.positions)
    return replace(layout, positions=positions, name="custom")


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
        late = _in_time(f"limit {limit} s", partial(_late, solver, board, limit))
        assert late >= -limit / 2, f"limit {limit} s: stopped {-late:.3f} s before"
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
        _in_time(f"cancelled after {wait} s", partial(_cancelled, solver, board, wait))
    result = solver.solve(Board.parse(PROPER), solutions=2, cancel=Cancel())
    assert result.unique is True, f"a token that is not cancelled changes nothing, got {result}"


def _in_time(case: str, search: Callable[[], float]) -> float:
    """Return by how many seconds a search ended late: in the first attempt that was in time."""
    for _ in range(ATTEMPTS):
        late = search()
        if late <= GRACE or late <= GRACE * slowdown():
            return late
    raise AssertionError(f"{case}: ended {late:.3f} s late")


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


def _late(solver: Solver, board: Board, limit: float) -> float:
    """Return the seconds that an endless search takes beyond its time limit."""
    started = time.perf_counter()
    result = solver.solve(board, solutions=None, keep=0, time_limit=limit)
    elapsed = time.perf_counter() - started
    assert result.stop is Stop.TIME, f"limit {limit} s: got {result}"
    assert result.unique is not True
    return elapsed - limit


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
        usual = solver_of_row(solver.spec, parse_label(label)[1])
        return {seen(usual, board, request) for _ in range(2)}

    for name, value in alternatives(solver):
        others = _without(solver, name)
        label = format_label(solver.spec.name, others)
        with suppress(OptionError):
            other = solver_of_row(solver.spec, others | {name: value})
            boards = asked(DEDUCTIONS if name == DEDUCTIONS else "")
            if all(seen(other, *question) in usually(label, *question) for question in boards):
                yield name, value


def _without(solver: Solver, name: str) -> dict[str, Value]:
    """Return the options of a solver except one."""
    return {key: given for key, given in solver.options.items() if key != name}


def _changes_parameters(solver: Solver, name: str, value: Value) -> bool:
    """Return whether a value of an option changes the other parameters of the solver."""
    others = _without(solver, name)
    solvers = (solver_of_row(solver.spec, options) for options in (others, others | {name: value}))
    usual, other = (variant.parameters(Request()) | {name: value} for variant in solvers)
    return usual != other
