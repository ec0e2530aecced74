"""The solver that callers use: a backend with the policy that is the same for all backends."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

from unidoku.backends import BackendSpec, find
from unidoku.backends.base import Backend, Capabilities, Limits, Request, Result
from unidoku.backends.function import FunctionBackend, capabilities_of
from unidoku.backends.keywords import advice
from unidoku.backends.options import (
    PREFIX,
    Value,
    format_label,
    is_label,
    label_of,
    options_of,
    parse_label,
    plain,
)
from unidoku.backends.reach import refuse_beyond_catalogue
from unidoku.backends.solving.policy import (
    Attempt,
    Prepared,
    prepared,
    refusal,
    refusals_of_layout,
    refusals_of_request,
    wrap_exception,
    wrapped_exceptions,
    wrong_answers,
)
from unidoku.backends.solving.time_left import after_board, ordered, out_of_time
from unidoku.backends.spec import DEDUCTIONS
from unidoku.backends.toolkit.budget import Budget, LimitReached
from unidoku.backends.toolkit.checked import Checked, checking
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.hidden import conceals
from unidoku.core.layout import Layout
from unidoku.errors import OptionError, UnsupportedError, WrongAnswerError
from unidoku.parallel.processes import cpu_ns, forget_interrupted_exec
from unidoku.support.arguments import named_arguments, named_fields, plain_number
from unidoku.support.cancel import Cancel, cancellable, each_step
from unidoku.support.deadline import time_limit_scope

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from unidoku.backends.batch import BatchResult
    from unidoku.backends.solving.streams import Boards
    from unidoku.core.batch import Batch


@dataclass(frozen=True, slots=True)
class Solver:
    """A backend with its options, for any number of boards.

    Three methods search one board. `solve` takes the board in any form, and limits as keywords;
    `search` takes a `Board` and a `Request`; `attempt` takes the same, and returns a failure
    instead of raising it. `solve_many` and `stream` search many boards, `search_batch` a `Batch`.

    If all solutions of a board were found and kept, they are in ascending order, as numbers read
    cell by cell, on every backend. If a limit ended the search, or ``keep`` left grids out, they
    are the first that the backend found, in the order found, which differs between backends.

    Args:
        spec: row of the catalogue.
        backend: the adapter.
        options: options of the adapter.

    Attributes:
        label: the name and the options, such as ``cp-sat[num_workers=2]``.
    """

    spec: BackendSpec
    backend: Backend
    options: Mapping[str, Any] = field(default_factory=dict)
    label: str = field(init=False, repr=False, compare=False)
    _shared: dict[str, Value] = field(init=False, repr=False, compare=False)

    @named_fields
    def __post_init__(self) -> None:
        """Set the label, which every error needs."""
        object.__setattr__(self, "label", format_label(self.spec.name, self.options))
        shared = {
            option.name: self.options.get(option.name, option.default)
            for option in self.spec.shared_options
        }
        object.__setattr__(self, "_shared", shared)

    def __reduce__(self) -> tuple[Callable[..., Solver], tuple[Any, ...]]:
        """Pickle the arguments of the solver; unpickling makes it again, without models."""
        if self.spec.target:
            return solver_of_row, (self.spec, dict(self.options))
        return Solver, (self.spec, self.backend, dict(self.options))  # the backend was passed in

    def renewed(self) -> Solver:
        """Return a solver with the same options and a new backend, without its models.

        A backend that was passed in as an object cannot be made again, and is kept.

        Raises:
            BackendError: as for `load`.
        """
        return solver_of_row(self.spec, dict(self.options)) if self.spec.target else self

    def parameters(self, request: Request | None = None) -> dict[str, Value]:
        """Return the options and the parameters of the underlying solver that a search uses.

        >>> load("exact-cover").parameters()
        {'heuristic': 'mrv', 'deductions': True}

        Args:
            request: request, on which some parameters depend; by default one solution, no limits.

        Raises:
            UnsupportedError: the backend itself refuses the request.
        """
        parameters = getattr(self.backend, "parameters", None)
        if not callable(parameters):
            return options_of(self.backend) | self._shared
        return {
            str(k): plain(v) for k, v in parameters(request or Request()).items()
        } | self._shared

    @property
    def version(self) -> str:
        """The version of the underlying solver and of what it runs; empty if unknown.

        A program may be started to print it, which takes some milliseconds.
        """
        version = getattr(self.backend, "version", None)
        return version if isinstance(version, str) else self.spec.version or ""

    def _prepared(self, layout: Layout) -> Prepared:
        """Return the layout that the backend gets, or why it refuses it; computed once."""
        terms = self.spec.terms if self._shared.get(DEDUCTIONS) else None
        find_sums = getattr(self.backend, "find_sums", None)
        return prepared(layout, self.spec.capabilities, terms, find_sums)

    def board_for(self, board: Board) -> Board:
        """Return the board on the layout that the backend gets, or raise its refusal."""
        layout, refused = self._prepared(board.layout)
        if refused:
            raise refusal(self.label, refused)
        return board if layout is board.layout else Board.of(layout, board.candidates)

    def threads(self, request: Request) -> int:
        """Return the number of threads of a search, from the request or from an option."""
        count: int = self.options.get(self.spec.threads_option, request.threads)
        return count or os.cpu_count() or 1

    @cancellable
    def solve(
        self,
        board: BoardLike,
        /,
        *,
        variant: str | Layout | None = None,
        cancel: Cancel | None = None,
        **limits: Unpack[Limits],
    ) -> Result:
        """Search a board; the result contains the puzzle, so that it can show the solution.

        >>> print(load("norvig").solve("1... ..2. .3.. ...4", solutions=2))
        exactly 1 solution

        Args:
            board: the puzzle: a board, a text, or rows of values.
            variant: layout of a text or of rows: the name of a variant, or a layout; by default
            ``classic``.
            cancel: a token that ends the search, as in `unidoku.solve`.
            limits: the fields of `Request`.

        Raises:
            InputError: a limit or the board is not valid.
            UnsupportedError, WrongAnswerError, BackendError: as for `search`.
        """
        read = partial(as_board, board, variant)
        return after_board(read, Request.of(**limits), self.search)

    def search(self, board: Board, request: Request) -> Result:
        """Search a board; raise the error of a failed `attempt`.

        Raises:
            UnsupportedError: the backend does not support the board or honour a limit.
            WrongAnswerError: the backend returned a grid that is not a solution, the same grid
                twice, or an impossible count.
            BackendError: the underlying solver failed.
        """
        attempt = self.attempt(board, request, is_timed=False)
        return attempt.result_or_raise(self.label, board)

    def attempt(
        self,
        board: Board,
        request: Request,
        searched: Callable[[], object] | None = None,
        *,
        is_timed: bool = True,
    ) -> Attempt:
        """Search a board and return the outcome, without raising.

        This refuses requests that the backend does not support, checks every grid that it returns,
        and sorts the solutions if all were found. With ``is_timed`` it times the backend's work,
        for about a microsecond. ``searched`` is called between the search and the check.
        """
        capabilities = self.spec.capabilities
        clock, layout = Budget(request), board.layout
        refused = refusals_of_request(capabilities, request)
        if refused or not (layout.rules or layout.hidden):  # else the search refuses the layout
            refused = (*refusals_of_layout(capabilities, layout), *refused)
        if refused:
            return Attempt(error=refusal(self.label, refused))
        search = self.searching(layout)
        checked: Checked | None = None
        wall, cpu = (time.perf_counter_ns(), cpu_ns()) if is_timed else (0, 0)
        if is_timed or clock.seconds is None:
            returned, error = self._called(search, board, request, clock)
        else:
            with checking(board) as checked:
                returned, error = self._called(search, board, request, clock)
        if is_timed:
            wall, cpu = time.perf_counter_ns() - wall, cpu_ns() - cpu
        if searched is not None:
            searched()
        if isinstance(error, WrongAnswerError):  # hidden cells are checked before they are left out
            return Attempt(None, None, (str(error),), wall, cpu)
        if error is not None:
            return Attempt(error=error, wall_ns=wall, cpu_ns=cpu)
        wrong = wrong_answers(capabilities, board, request, returned, checked)
        result = returned if isinstance(returned, Result) else None
        if result is not None and not wrong:
            result = ordered(result.about(board), clock)
        return Attempt(result, None, wrong, wall, cpu)

    def _called(
        self,
        search: Callable[[Board, Request], object],
        board: Board,
        request: Request,
        clock: Budget,
    ) -> tuple[object, Exception | None]:
        """Return what a search of a board returns, or None and what it raises."""
        try:
            if clock.seconds is None:
                return search(board, request), None
            with time_limit_scope(clock.check_building):
                return search(board, request), None
        except LimitReached as limit:  # in code that is not given the limit
            return out_of_time(board, clock.elapsed, limit.stop), None
        except UnsupportedError as error:  # tools do not know which backend uses them
            unnamed = str(error) in error.reasons
            return None, refusal(self.label, error.reasons) if unnamed else error
        except Exception as error:  # noqa: BLE001 - any exception of a backend becomes its outcome
            return None, error
        except SystemExit as end:  # which would end this process with the exit code of an answer
            failure = wrap_exception(self.label, end)
            failure.__cause__ = end
            return None, failure
        except KeyboardInterrupt:  # perhaps in an import that the backend began
            forget_interrupted_exec()
            raise

    def searching(self, layout: Layout) -> Callable[[Board, Request], Result]:
        """Return the function that searches boards of a layout with the backend."""
        if not layout.rules and not layout.hidden:
            return self.backend.search
        if not layout.conceals or not conceals(layout, self.spec.capabilities.whole_rules):
            return self._ask
        from unidoku.backends.solving.projection import search_expanded  # few layouts need it

        return partial(search_expanded, self.label, self._ask, self.spec.capabilities)

    def _ask(self, board: Board, request: Request) -> Result:
        """Search a board with rules; the time to translate these counts towards the time limit."""
        return after_board(partial(self.board_for, board), request, self.backend.search, board)

    @cancellable
    def solve_many(
        self,
        boards: Boards,
        *,
        layout: Layout | str | None = None,
        cancel: Cancel | None = None,
        **limits: Unpack[Limits],
    ) -> BatchResult:
        """Search many boards of one layout at once.

        >>> solver = load("norvig")
        >>> result = solver.solve_many(["1... ..2. .3.. ...4", "1", "." * 16], solutions=2)
        >>> result.counts.tolist(), result.unique.tolist(), list(result.invalid)
        ([1, 0, 2], [True, False, False], [1])

        Args:
            boards: an array of ints of shape (boards, cells), uint8 for speed, 0 for an empty
                cell; an array or a data frame's column of texts, whose index `to_pandas` of the
                result keeps; or texts, bytes, boards, puzzles and rows of ints in any mixture,
                one board each.
            layout: layout of all boards, or a variant's name, whose size is that of the
                array, of the first board, or of the first text that can be read, or else 9x9. The
                default is the layout of the first board, or else ``classic``.
            cancel: a token that ends the search of all boards.
            limits: the fields of `Request`; ``time_limit`` and ``node_limit`` hold for each
                board, and ``keep`` is 1 (one grid for each board) or 0.

        Returns:
            One entry for each board. A text that cannot be read, a row with a number above n, and
            a number or a missing value (None, NaN, NA) in place of a board are listed in
            ``invalid``, and the others are solved.

        Raises:
            InputError: a limit or the layout is not valid, or a board has another layout.
            UnsupportedError, WrongAnswerError, BackendError: as for `search`; support is checked
                before any board is searched.
        """
        # imports numpy, which a single board does not need
        from unidoku.backends.solving import streams

        return streams.solve_many(self.search_batch, boards, layout, limits)

    def stream(
        self,
        boards: Boards,
        *,
        layout: Layout | str | None = None,
        chunk: int = 16384,
        executor: Executor | None = None,
        recheck: bool = False,
        cancel: Cancel | None = None,
        **limits: Unpack[Limits],
    ) -> Iterator[BatchResult]:
        """Search any number of boards, in memory that does not grow with their number.

        Args:
            boards: as for `solve_many`; taken from the iterator as they are needed.
            layout: as for `solve_many`; the size is looked for among the first 1024 texts.
            chunk: number of boards in each result.
            executor: executor that sends chunks to other processes or machines, each with its own
                copy of this solver, such as a `concurrent.futures.ProcessPoolExecutor`, or
                ``client.get_executor()`` of Dask. A chunk whose process or machine is lost is
                searched again on another. By default this process searches.
            recheck: check each grid here again, after the process that found it checked it.
            cancel: a token that ends the search in this process; with an executor, what its nodes
                have begun is not ended.
            limits: as for `solve_many`.

        Returns:
            One result for each chunk, in order, with indices within the chunk. An error of the
            backend names the board by its place among all boards.

        Raises:
            InputError, UnsupportedError, WrongAnswerError, BackendError: as for `solve_many`, when
                the chunk with the fault is reached; a BackendError also if the executor is broken.
        """
        from unidoku.backends.solving import streams  # imports numpy

        batches = streams.stream(self, boards, layout, chunk, executor, recheck, limits)
        return each_step(batches, cancel)

    def expect(self, layout: Layout, boards: int) -> None:
        """Announce about how many boards of a layout will follow, in any batches.

        A backend with a method of this name may prepare for them.
        """
        if (expect := getattr(self.backend, "expect", None)) is not None:
            expect(self._prepared(layout).layout, boards)

    def prepare(self, layout: Layout, request: Request | None = None) -> None:
        """Load now what the first search of a layout would load or compile for later ones.

        Call it before you measure searches. A backend may have a method of this name, which gets
        the layout, and the request too if it has a second parameter.

        Args:
            layout: layout of the boards.
            request: request of the searches; by default one solution, no limits.

        Raises:
            BackendError: it failed.
        """
        if (prepare := getattr(self.backend, "prepare", None)) is not None:
            with wrapped_exceptions(self.label):
                arguments = [self._prepared(layout).layout, request or Request()]
                prepare(*arguments[: len(signature(prepare).parameters)])

    def search_batch(
        self, batch: Batch, request: Request, name: Callable[[int], str] = "board {}".format
    ) -> BatchResult:
        """Search each board of a batch, in one call of the backend if it takes many.

        Args:
            batch: the boards.
            request: a request whose ``keep`` is 0 or 1; its limits hold for each board.
            name: function from an index to the name of that board in messages.

        Raises:
            UnsupportedError, WrongAnswerError, BackendError: as for `search`.
        """
        from unidoku.backends.solving import streams  # imports numpy

        return streams.search_batch(self, self._prepared(batch.layout), batch, request, name)


BackendLike: TypeAlias = str | Solver | Backend | Callable[..., object]
"""What calls take for a backend: a label, a solver, a function, a class, or an object with the
method ``search``."""


@named_arguments
def load(
    label: str | Backend | Callable[..., object], /, *, untrusted: bool = False, **options: Any
) -> Solver:
    """Return the solver of a label, such as ``norvig`` or ``cp-sat[num_workers=1]``.

    >>> load(lambda text: "1243342143122134").solve("1... ..2. .3.. ...4").text("line")
    '1243342143122134'

    Args:
        label: a backend's name, with options in brackets or without; or a function, a class, or
            an object with the method ``search``. One without a label of its own, such as a lambda,
            is known in this process only.
        untrusted: whether the label or the options come from somebody else: then only backends
            that come with Unidoku are loaded, and no option may name a file or a command.
        options: more options; they override those of the label.

    Raises:
        UnknownBackendError: no backend has that name; the message names the nearest.
        BackendNotInstalledError: its library is not installed; the message states what to type.
        OptionError: an option is unknown or of the wrong type.
    """
    options = {name: plain_number(value) for name, value in options.items()}
    if untrusted:
        refuse_beyond_catalogue(label_of(label), options)
    if not is_label(label):
        return _of_object(label, options)
    name, given = parse_label(label_of(label))
    try:
        return solver_of_row(find(name), given | options)
    except OptionError as error:
        hint, _ = advice(error.unknown, options.get(error.unknown), Request.__slots__)
        if not hint:
            raise
        if error.unknown in Request.__slots__:
            hint = repr(error.unknown)
        message = f"{error}; limits are keywords of its solve, and options of the commands: {hint}"
        raise OptionError(message, unknown=error.unknown) from None


def _of_object(backend: object, options: Mapping[str, Any]) -> Solver:
    """Return the solver of a function, a class or an object that has no label.

    Raises:
        OptionError: it is something else, or an object with options, which would have no effect.
    """
    named: Any = backend if hasattr(backend, "__qualname__") else type(backend)
    name = f"{named.__module__}:{named.__qualname__}"
    summary = (getattr(backend, "__doc__", None) or name).strip().partition("\n")[0]
    capabilities = getattr(backend, "capabilities", Capabilities())
    if callable(getattr(backend, "search", None)) and isinstance(capabilities, Capabilities):
        if options and not isinstance(backend, type):
            option = next(iter(options))
            raise OptionError(
                f"{name} is an object already; give {option!r} to its class", unknown=option
            )
        spec = BackendSpec(name=name, target="", summary=summary, capabilities=capabilities)
        instance: Any = backend(**options) if isinstance(backend, type) else backend
        return Solver(spec, instance, options)
    if not callable(backend) or isinstance(backend, type):
        label_of(backend)  # raises, and says what is expected
    function: Any = backend
    spec = BackendSpec(
        name=PREFIX + name, target="", summary=summary, capabilities=capabilities_of(function)
    )
    return Solver(spec, FunctionBackend(spec.name, function, **options), options)


def solver_of_row(spec: BackendSpec, options: Mapping[str, Any]) -> Solver:
    """Return the solver of a row with options; the row need not be in the catalogue.

    Raises:
        BackendNotInstalledError, OptionError: as for `load`.
    """
    return Solver(spec, spec.create(options), options)


def solver_to_dict(solver: Solver, request: Request | None = None) -> dict[str, Any]:
    """Return the row of a solver, its options, and its parameters in a request, ready for JSON.

    >>> from unidoku import load
    >>> row = solver_to_dict(load("exact-cover[heuristic=first]"))
    >>> row["label"], row["parameters"]
    ('exact-cover[heuristic=first]', {'heuristic': 'first', 'deductions': True})

    Raises:
        UnsupportedError: as for `Solver.parameters`.
    """
    parameters = solver.parameters(request)
    return solver.spec.record() | {"label": solver.label, "parameters": parameters}
