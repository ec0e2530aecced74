"""The policy for every backend: what layouts it gets, which requests it refuses, wrong answers.

`Solver.search` and `Solver.attempt` apply it to one board, `Solver.search_batch` to many, and
a comparison to the searches that it repeats. A search of one board returns an `Attempt`.

A layout is prepared once for all its boards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from unidoku.backends.base import Capabilities, Request, Result, Stop
from unidoku.backends.batch import STOPS, BatchResult
from unidoku.backends.failure import summarize_exception
from unidoku.backends.sum_range import larger_sums
from unidoku.backends.toolkit.checked import Checked
from unidoku.core.board import Board
from unidoku.core.caching import layout_cache
from unidoku.core.constraints.operations import with_parts
from unidoku.core.constraints.primitives import Constraint, Or
from unidoku.core.hidden import expanded_layout
from unidoku.core.layout import Layout
from unidoku.core.transforms.implied import SumFinder, with_implied
from unidoku.core.transforms.simplify import simplified, simplify
from unidoku.core.verify.boards import faults_of
from unidoku.errors import (
    BackendError,
    LayoutError,
    UnidokuError,
    UnsupportedError,
    WrongAnswerError,
)
from unidoku.parallel.processes import forget_interrupted_exec
from unidoku.support.text import listed, plural

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Attempt(NamedTuple):
    """One search of one board and its outcome.

    A named tuple: every search makes one, and a frozen dataclass takes three times as long.

    Args:
        result: what the backend returned if it is a Result; not usable if ``wrong`` is not empty.
        error: the refusal of the search, or the exception of the backend.
        wrong: reasons why the backend's answer cannot be right.
        wall_ns: nanoseconds from the call to the answer.
        cpu_ns: nanoseconds of processor time during the search, of this process and of those that
            it started and waited for, or keeps.
    """

    result: Result | None = None
    error: Exception | None = None
    wrong: tuple[str, ...] = ()
    wall_ns: int = 0
    cpu_ns: int = 0

    @property
    def refused(self) -> tuple[str, ...]:
        """The reasons why the backend refuses the board or the request."""
        error = self.error
        return (error.reasons or (str(error),)) if isinstance(error, UnsupportedError) else ()

    def result_or_raise(self, label: str, board: Board) -> Result:
        """Return the result if nothing is wrong with it, otherwise raise the error."""
        if isinstance(self.error, UnidokuError):
            raise self.error
        if self.error is not None:
            raise wrap_exception(label, self.error) from self.error
        if self.wrong:
            raise WrongAnswerError(f"{label} on board {board.digest}: {self.wrong[0]}")
        assert self.result is not None
        return self.result


def undecided(label: str) -> UnsupportedError:
    """Return the error for a question that an incomplete backend did not decide."""
    return UnsupportedError(
        f"{label} is not complete and did not decide; choose another backend: unidoku backends"
    )


def wrap_exception(label: str, error: BaseException) -> BackendError:
    """Return the error for an exception of a backend that is not a `UnidokuError`."""
    return BackendError(f"{label}: {summarize_exception(error)}")


@contextmanager
def wrapped_exceptions(label: str) -> Iterator[None]:
    """Raise a `BackendError` for an exception of a backend that is not a `UnidokuError`."""
    try:
        yield
    except UnidokuError:
        raise
    except KeyboardInterrupt:  # perhaps in an import that the backend began
        forget_interrupted_exec()
        raise
    except (Exception, SystemExit) as error:
        raise wrap_exception(label, error) from error


def refusals(capabilities: Capabilities, layout: Layout, request: Request) -> tuple[str, ...]:
    """Return the reasons why a backend must refuse a request for a layout; empty for none."""
    return (
        *refusals_of_layout(capabilities, layout),
        *refusals_of_request(capabilities, request),
    )


def refusals_of_layout(capabilities: Capabilities, layout: Layout) -> tuple[str, ...]:
    """Return the reasons why a backend must refuse all boards of a layout; empty for none."""
    reasons: list[str] = []
    try:
        layout = expanded_layout(layout, capabilities.whole_rules)
        if layout.rules:
            reasons += _unserved(capabilities.constraints, layout)
            if larger := larger_sums(capabilities.max_sum, layout):
                reasons.append(f"{larger}: --backend auto")
    except LayoutError as error:
        reasons.append(f"cannot be given the rules: {error}")
    if capabilities.max_values is not None and layout.n > capabilities.max_values:
        most = capabilities.max_values
        reasons.append(f"supports up to {most} values, the board has {layout.n}")
    return tuple(reasons)


def refusals_of_request(capabilities: Capabilities, request: Request) -> tuple[str, ...]:
    """Return the reasons why a backend must refuse a request on any layout; empty for none."""
    reasons: list[str] = []
    allowed, most = capabilities.max_solutions, request.solutions
    if allowed is not None and (most is None or most > allowed):
        wanted = "all are" if most is None else f"{most} are"
        most_found = plural(allowed, "solution")
        reasons.append(
            f"finds at most {most_found}, {wanted} requested; "
            f"solve and compare can ask for {allowed}: --solutions {allowed}"
        )
    given = (request.node_limit, request.seed, request.threads, request.time_limit)
    if given != _UNLIMITED and not capabilities.honours.issuperset(_LIMITS):
        for name, value, unlimited in zip(_LIMITS, given, _UNLIMITED, strict=True):
            if value != unlimited and name not in capabilities.honours:
                hint = "; compare and fuzz end it at a limit" if name == "time_limit" else ""
                reasons.append(f"cannot honour {name}={value}{hint}")
    return tuple(reasons)


def _unserved(served: frozenset[type[Constraint]], layout: Layout) -> tuple[str, ...]:
    """Return messages on unsupported constraints of a layout and the rules that need them."""
    of_kind = simplified(layout).of_kind
    if of_kind.keys() <= served and (
        Or not in of_kind or served.issuperset(map(type, with_parts(of_kind[Or])))
    ):
        return ()
    return _unserved_by_rule(served, layout)


@layout_cache(maxsize=64)
def _unserved_by_rule(served: frozenset[type[Constraint]], layout: Layout) -> tuple[str, ...]:
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    for rule in layout.rules:
        for constraint in with_parts(simplify(layout, rule.constraints(layout)).constraints):
            if type(constraint) not in served:
                kinds[constraint.name].add(repr(rule.kind))
    return tuple(
        f"does not support {name}, needed by {listed(sorted(needing))}"
        for name, needing in sorted(kinds.items())
    )


_LIMITS = ("node_limit", "seed", "threads", "time_limit")
"""Limits that a backend need not honour."""

_UNLIMITED = (None, None, 1, None)
"""The values of `_LIMITS` that mean no limit."""


_TIME, _NODES, _SOLUTIONS, _INCOMPLETE = Stop.TIME, Stop.NODES, Stop.SOLUTIONS, Stop.INCOMPLETE
"""What each answer is compared with: to find a member of an enum takes longer than that."""


def refusal(label: str, reasons: tuple[str, ...]) -> UnsupportedError:
    """Return the error for reasons that `refusals` gives."""
    message = f"{label} {'; '.join(reasons)}. Choose another: unidoku backends"
    return UnsupportedError(message, reasons)


def wrong_answers(
    capabilities: Capabilities,
    board: Board,
    request: Request,
    returned: object,
    checked: Checked | None = None,
) -> tuple[str, ...]:
    """Return the reasons why a backend's answer about a board cannot be right.

    Checks for grids that are not solutions, and for counts and stops that contradict each other or
    the request. Grids that were ``checked`` when they were found are not checked again.
    """
    if not _is_result(returned):
        return (f"expected a Result with grids as tuples of ints, got {returned!r}",)
    count, grids, stop = returned.count, returned.solutions, returned.stop
    wrong: list[str] = []
    if grids:
        if checked is None or not checked.are(grids):
            checked = Checked(board, grids)
        wrong += checked.wrong
    keep = request.keep
    expected = count if keep is None or count < keep else keep
    if len(grids) > expected or (len(grids) < expected and capabilities.grids):
        most = "all" if keep is None else keep
        wrong.append(
            f"reported {count} solutions and returned {len(grids)} grids, with keep={most}"
        )
    if request.solutions is not None and count > request.solutions:
        wrong.append(f"reported {count} solutions, expected at most {request.solutions}")
    not_requested = (stop is _TIME and request.time_limit is None) or (
        stop is _NODES and request.node_limit is None
    )
    if (stop is _SOLUTIONS) != (count == request.solutions) or not_requested:
        wrong.append(
            f"stop={stop.value} contradicts the count of {count} or the limits of the request"
        )
    if stop is _INCOMPLETE and capabilities.complete:
        wrong.append("a complete backend reported stop=incomplete")
    return tuple(wrong)


def _is_result(returned: object) -> TypeGuard[Result]:
    """Return whether a backend returned a Result that can be counted, hashed and compared."""
    return isinstance(returned, Result) and {tuple}.issuperset(map(type, returned.solutions))


def is_batch_result(returned: object, cells: NDArray[np.uint8]) -> TypeGuard[BatchResult]:
    """Return whether a backend returned arrays that have an entry for each board."""
    if not isinstance(returned, BatchResult):
        return False
    expected = (
        (returned.counts, (len(cells),), "int64"),
        (returned.grids, cells.shape, "uint8"),
        (returned.stops, (len(cells),), "uint8"),
    )
    return all(
        getattr(array, "shape", None) == shape and array.dtype.name == kind
        for array, shape, kind in expected
    )


def check_rows(
    label: str,
    capabilities: Capabilities,
    layout: Layout,
    cells: NDArray[np.uint8],
    request: Request,
    result: BatchResult,
    name: Callable[[int], str],
) -> None:
    """Raise WrongAnswerError if a backend's answer about one of many boards cannot be right.

    The request keeps one grid for each board, or none. ``name`` returns the name of a board by its
    index.
    """
    for row, reason in _wrong_rows(capabilities, layout, cells, request, result):
        raise WrongAnswerError(f"{label} on {name(row)}: {reason}")


def _wrong_rows(
    capabilities: Capabilities,
    layout: Layout,
    cells: NDArray[np.uint8],
    request: Request,
    result: BatchResult,
) -> Iterator[tuple[int, str]]:
    """Yield the reasons why a backend's answers about many boards cannot be right.

    Each is the index of a board and what is wrong with its answer, for the first board of each kind
    of fault.
    """
    import numpy as np  # a single board does not need it

    from unidoku.core.verify.arrays import wrong_grids

    counts, grids, stops = result.counts, result.grids, result.stops
    most = np.iinfo(np.int64).max if request.solutions is None else request.solutions
    for index in np.flatnonzero((counts < 0) | (counts > most))[:1]:
        yield int(index), f"reported {counts[index]} solutions, expected 0 to {most}"
    possible = {
        Stop.TIME: request.time_limit is not None,
        Stop.NODES: request.node_limit is not None,
        Stop.INCOMPLETE: not capabilities.complete,
    }
    is_possible = np.array([possible.get(stop, True) for stop in STOPS])
    right = np.where(stops < len(STOPS), is_possible[np.minimum(stops, len(STOPS) - 1)], False)
    right &= (stops == STOPS.index(Stop.SOLUTIONS)) == (counts == most)
    for index in np.flatnonzero(~right)[:1]:
        code = int(stops[index])
        reason = STOPS[code].value if code < len(STOPS) else f"{code} (unknown)"
        yield (
            int(index),
            f"stop={reason} contradicts the count of {counts[index]} or the limits of the request",
        )
    has_grid = counts > 0 if request.keep else np.zeros(len(counts), np.bool_)
    others = np.flatnonzero(~has_grid)
    for index in others[grids[others].any(axis=1)][:1]:
        yield int(index), "a grid was returned although none was found or requested"
    rows = np.flatnonzero(has_grid)
    everything = len(rows) == len(has_grid)  # then nothing has to be copied
    wrong = wrong_grids(layout, *((cells, grids) if everything else (cells[rows], grids[rows])))
    for index in rows[wrong[:1]]:
        grid = tuple(grids[index].tolist())
        board = Board.from_values(layout, cells[index].tolist())
        yield int(index), f"{'; '.join(faults_of(board, grid)[:1])}, in the grid {grid}"


class Prepared(NamedTuple):
    """A layout as a backend gets it, or why the backend must refuse its boards.

    Args:
        layout: the layout with its hidden cells below the grid, and with implied constraints if
            the solver uses them; the layout itself if it is refused.
        refusals: the reasons for a refusal; empty for none.
    """

    layout: Layout
    refusals: tuple[str, ...] = ()


def prepared(
    layout: Layout,
    capabilities: Capabilities,
    terms: int | None,
    find_sums: SumFinder | None = None,
) -> Prepared:
    """Return a layout prepared for a backend.

    With rules it takes milliseconds for each new layout, and checks the time limit in force.

    Args:
        layout: layout of the boards.
        capabilities: what the backend supports.
        terms: largest number of cells of an implied sum; None for no implied constraints.
        find_sums: finds implied sums; by default `unidoku.core.transforms.implied.implied_sums`.
    """
    if layout.rules or layout.hidden:
        return _with_constraints(layout, capabilities, terms, find_sums)
    return Prepared(layout, refusals_of_layout(capabilities, layout))


@layout_cache(maxsize=64)
def _with_constraints(
    layout: Layout, capabilities: Capabilities, terms: int | None, find_sums: SumFinder | None
) -> Prepared:
    if refused := refusals_of_layout(capabilities, layout):
        return Prepared(layout, refused)
    layout = expanded_layout(layout, capabilities.whole_rules)
    if layout.rules and terms is not None:
        layout = with_implied(layout, capabilities.constraints, terms, find_sums)
    return Prepared(layout)
