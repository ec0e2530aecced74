"""The solver that callers hold: a backend, and the policy that is the same for all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeGuard, Unpack

from unidoku.backends import BackendSpec, find
from unidoku.backends.base import Backend, Limits, Request, Result, Stop
from unidoku.backends.options import format_label, parse_label
from unidoku.core.board import Board, BoardLike, as_board
from unidoku.core.verify import verify
from unidoku.errors import BackendError, UnidokuError, UnsupportedError, WrongAnswerError

if TYPE_CHECKING:
    from unidoku.backends.batch import BatchResult
    from unidoku.backends.many import Boards
    from unidoku.core.layout import Layout

__all__ = ["Attempt", "Solver", "load"]


@dataclass(frozen=True, slots=True)
class Solver:
    """A backend with its options, ready for any number of boards.

    Args:
        spec: its row of the catalogue.
        backend: the adapter.
        options: what the adapter was made with.
    """

    spec: BackendSpec
    backend: Backend
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The name and the options, such as ``cp-sat[num_workers=2]``."""
        return format_label(self.spec.name, self.options)

    def solve(self, board: BoardLike, **limits: Unpack[Limits]) -> Result:
        """Search with the fields of `Request` as keywords: ``solve(board, solutions=2)``.

        The result knows its puzzle, so that it can show the solution.
        """
        puzzle = as_board(board)
        return replace(self.search(puzzle, Request.of(**limits)), puzzle=puzzle)

    def search(self, board: Board, request: Request) -> Result:
        """Search a board; refuse what the backend lacks, check every grid it returns.

        Raises:
            UnsupportedError: the backend cannot serve the board or honour a limit.
            WrongAnswerError: the backend returned a grid that is no solution, the same one
                twice, or a count that cannot be.
            BackendError: the solver beneath failed.
        """
        if refused := self.spec.capabilities.lacking(board, request):
            raise UnsupportedError(
                f"{self.label} {'; '.join(refused)}. Choose another: unidoku backends"
            )
        try:
            returned = self.backend.search(board, request)
        except UnidokuError:
            raise
        except Exception as error:
            kind = type(error).__name__
            raise BackendError(f"{self.label}: {kind}: {error}") from error
        for reason in self.wrong_answers(board, request, returned):
            raise WrongAnswerError(f"{self.label} on board {board.digest}: {reason}")
        return returned

    def solve_many(
        self, boards: Boards, *, layout: Layout | str | None = None, **limits: Unpack[Limits]
    ) -> BatchResult:
        """Search many boards of one layout at once.

        >>> solver = load("norvig")
        >>> result = solver.solve_many(["1... ..2. .3.. ...4", "1", "." * 16], solutions=2)
        >>> result.counts.tolist(), result.unique.tolist(), list(result.invalid)
        ([1, 0, 2], [True, False, False], [1])

        Args:
            boards: a uint8 array (or one of other ints) of shape (boards, cells), 0 for an empty
                cell; or texts and boards in any mixture, one board each.
            layout: of all of them: a layout, or a variant's name, whose size is that of the
                array, of the first board, or of the first text that can be read; classic 9x9
                where none can. If not given, the first board's own, else ``classic``.
            limits: the fields of `Request`; ``time_limit`` and ``node_limit`` hold for each
                board, and ``keep`` is 1 (a grid a board) or 0.

        Returns:
            An entry a board. A text that cannot be read, or a row with a number above n, is
            named in ``invalid`` and the others are solved.

        Raises:
            InputError: a limit or layout that cannot be, or a board of another layout.
            UnsupportedError, WrongAnswerError, BackendError: as `search`; no board is searched
                before all are known to be served.
        """
        from unidoku.backends import many  # numpy, which a single board need not load

        return many.solve_many(self, boards, layout, limits)

    def stream(
        self,
        boards: Boards,
        *,
        layout: Layout | str | None = None,
        chunk: int = 16384,
        **limits: Unpack[Limits],
    ) -> Iterator[BatchResult]:
        """Search boards without end, in memory that does not grow with their number.

        Args:
            boards: as for `solve_many`; taken from the iterator as they are needed.
            layout: as for `solve_many`; the size is looked for among the first 1024 texts.
            chunk: boards a result.
            limits: as for `solve_many`.

        Returns:
            One result a chunk, in order; its indices are those in the chunk. An error of the
            backend names the board by its place among all.

        Raises:
            InputError, UnsupportedError, WrongAnswerError, BackendError: as `solve_many`, when
                the chunk at fault is reached.
        """
        from unidoku.backends import many  # as above

        return many.stream(self, boards, layout, chunk, limits)

    def wrong_answers(self, board: Board, request: Request, returned: object) -> Iterator[str]:
        """Yield what in a result of the backend cannot be: the checks that `search` makes."""
        yield from _wrong_answers(board, request, returned)
        stop = getattr(returned, "stop", None)
        if stop is Stop.INCOMPLETE and self.spec.capabilities.complete:
            yield "a complete backend, and yet it stopped because of: incomplete"

    def attempt(
        self, board: Board, request: Request, searched: Callable[[], object] = lambda: None
    ) -> Attempt:
        """Search a board and say all there is to say of it, without raising.

        Only the backend's own work is timed; the check of its answer comes after.

        Args:
            board: the puzzle.
            request: what is asked.
            searched: called between the search and the check.
        """
        if refused := self.spec.capabilities.lacking(board, request):
            return Attempt(refused=tuple(refused))
        returned: object = None
        failure: Exception | None = None
        wall, cpu = time.perf_counter_ns(), time.process_time_ns()
        try:
            returned = self.backend.search(board, request)
        except Exception as error:  # noqa: BLE001 - whatever it raises is what there is to say
            failure = error
        wall, cpu = time.perf_counter_ns() - wall, time.process_time_ns() - cpu
        searched()
        wrong = () if failure else tuple(self.wrong_answers(board, request, returned))
        result = returned if _is_result(returned) else None
        return Attempt(result=result, error=failure, wrong=wrong, wall_ns=wall, cpu_ns=cpu)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One search, whatever came of it.

    Args:
        result: what the backend returned, if it is a Result at all; of no use if it is wrong.
        refused: why the backend was not asked.
        error: what it raised.
        wrong: why what it returned cannot be right.
        wall_ns: nanoseconds from the call to the answer.
        cpu_ns: processor time of this process meanwhile, in nanoseconds.
    """

    result: Result | None = None
    refused: tuple[str, ...] = ()
    error: Exception | None = None
    wrong: tuple[str, ...] = ()
    wall_ns: int = 0
    cpu_ns: int = 0


def _is_result(returned: object) -> TypeGuard[Result]:
    """Tell whether a backend returned what later steps can count, hash and compare."""
    return isinstance(returned, Result) and all(type(grid) is tuple for grid in returned.solutions)


def _wrong_answers(board: Board, request: Request, returned: object) -> Iterator[str]:
    """Yield what in a result cannot be: grids that are no solutions, counts that do not fit."""
    if not _is_result(returned):
        yield f"expected a Result with grids as tuples of ints, got {returned!r}"
        return
    count, grids, stop = returned.count, returned.solutions, returned.stop
    right = True
    for grid in grids:
        if reasons := verify(board, grid):
            right = False
            yield f"{reasons[0]}, in the grid {grid}"
    if right and len(grids) > 1 and len(set(grids)) < len(grids):
        yield "the same grid is returned twice"
    if len(grids) != (count if request.keep is None else min(count, request.keep)):
        yield f"{count} counted and {len(grids)} returned, with {request.keep or 'all'} to keep"
    if request.solutions is not None and count > request.solutions:
        yield f"{count} counted, {request.solutions} asked for"
    unasked = (stop is Stop.TIME and request.time_limit is None) or (
        stop is Stop.NODES and request.node_limit is None
    )
    if (stop is Stop.SOLUTIONS) != (count == request.solutions) or unasked:
        yield f"{count} counted, and yet it stopped because of: {stop.value}"


def load(label: str, /, **options: Any) -> Solver:
    """Return the solver of a label, such as ``norvig`` or ``cp-sat[num_workers=1]``.

    Args:
        label: a backend's name, with options in brackets or without.
        options: more options; they override those of the label.

    Raises:
        UnknownBackendError: no such backend; names the nearest.
        BackendNotInstalledError: its library is not installed; says what to type.
        OptionError: an option is unknown or of the wrong type.
    """
    name, given = parse_label(label)
    spec = find(name)
    chosen = given | options
    return Solver(spec, spec.create(chosen), chosen)
