"""Calls that use a solver: solve, count, and others that are made of these.

Each takes a board as a `Board`, a text, or rows of values, and its backend as a label or a
`Solver`; by default the one that the environment names (``UNIDOKU_BACKEND``), or `auto`. Files of
settings are read by `configured` alone.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from unidoku.backends.base import Limits, Request, Result, Stop
from unidoku.backends.keywords import advice
from unidoku.backends.options import is_label, label_of, parse_label
from unidoku.backends.reach import refuse_beyond_catalogue
from unidoku.backends.solving.policy import undecided
from unidoku.backends.solving.solver import BackendLike, Solver, load
from unidoku.core.bits import bit, is_single, value_of, values_of
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.layout import Grid, Layout
from unidoku.core.propagation.propagate import propagate
from unidoku.errors import OptionError, TimeLimitError
from unidoku.parallel.killable import confinable
from unidoku.settings import Settings, default_label, read_settings
from unidoku.support.arguments import named_arguments
from unidoku.support.cancel import Cancel
from unidoku.support.deadline import Deadline
from unidoku.support.naming import naming

if TYPE_CHECKING:
    from unidoku.backends.batch import BatchResult
    from unidoku.backends.solving.streams import Boards


COUNTED = ("solutions", "keep")
"""The limits that calls set themselves if they only count or compare solutions."""


def catalogue_only(keywords: Mapping[str, Any]) -> None:
    """Refuse the backend and the options of a call on untrusted input that reach too far.

    Raises:
        UnknownBackendError, OptionError: as for `refuse_beyond_catalogue`.
    """
    backend = keywords.get("backend") or default_label()
    label = backend.label if isinstance(backend, Solver) else label_of(backend)
    refuse_beyond_catalogue(label, keywords)


@named_arguments
def configured(
    backend: str | Solver | None = None, /, settings: Settings | None = None, **options: Any
) -> Solver:
    """Return the solver that the arguments and settings choose (see `unidoku.settings`).

    This is the one call of the library that reads files of settings.

    >>> configured("norvig").label
    'norvig'

    Args:
        backend: a label, or a solver, which is returned; by default the backend of the settings.
        settings: the settings; by default those of the working folder.
        options: options of the backend, which override those of the label and the settings.

    Warns:
        UserWarning: the backend of the settings is ignored, because nobody trusted what it would
            start or import (see `unidoku.support.trust`).
    """
    if isinstance(backend, Solver):
        return _as_given(backend, options)
    if settings is None:
        wanted = "backend" if backend is None else parse_label(backend)[0]
        settings = read_settings().granted(wanted)
        for ignored in settings.ignored_at(wanted):
            warnings.warn(str(ignored), UserWarning, stacklevel=2)
    label, folder = (
        (settings.backend.value, settings.backend.folder) if backend is None else (backend, None)
    )
    name, given = parse_label(label)
    try:
        with naming(settings.programs_named, folder):
            return load(name, **(settings.options_of(name) | given | options))
    except OptionError as error:
        for key, setting in settings.options.get(name, {}).items():
            if repr(key) in str(error) and key not in given | options:
                raise OptionError(f"{setting.source}: {error}") from error
        raise


def _as_given(solver: Solver, options: Mapping[str, Any]) -> Solver:
    """Return a solver that was given; options would have no effect."""
    for option in options:
        message = f"{solver.label} is a solver already; give {option!r} to its load"
        raise OptionError(message, unknown=option)
    return solver


def solver_and_limits(
    backend: BackendLike | None,
    keywords: Mapping[str, Any],
    *,
    fixed: Collection[str] = (),
    others: Sequence[str] = ("variant", "backend"),
) -> tuple[Solver, Limits]:
    """Return the solver and the limits that keywords choose.

    Args:
        backend: the backend, as for `configured`.
        keywords: limits, and options of the backend.
        fixed: limits that the call itself sets, and refuses as keywords.
        others: the other keywords of the call, for messages.

    Raises:
        OptionError: a keyword is neither a limit nor an option of the backend.
    """
    names = [name for name in Request.__slots__ if name not in fixed]
    limits: Any = {name: keywords[name] for name in names if name in keywords}
    options = {name: value for name, value in keywords.items() if name not in limits}
    try:
        if isinstance(backend, Solver):
            return _as_given(backend, options), limits
        if backend is not None and not is_label(backend):
            return load(backend, **options), limits
        label = default_label() if backend is None else label_of(backend)
        return _solver_of(label, **options), limits
    except OptionError as error:
        if (name := error.unknown) not in options:
            raise
        hint, listing = advice(name, options[name], names, others)
        hint = hint or ("the call sets it itself." if name in fixed else "")
        message = f"unknown keyword {name!r}; {hint} {listing}" if hint else f"{error}; {listing}"
        raise OptionError(message, unknown=name) from None


def _solver_of(label: str, **options: Any) -> Solver:
    """Return the solver of a label; solvers of the catalogue are made once.

    Modules of the user may change, so that their solvers are made for each call.
    """
    if ":" in label:
        return load(label, **options)
    try:
        return _solver_of_catalogue(label, **options)
    except TypeError:  # a value that cannot be hashed, which `load` names
        return load(label, **options)


@lru_cache(maxsize=64, typed=True)
def _solver_of_catalogue(label: str, **options: Any) -> Solver:
    return load(label, **options)


@named_arguments
@confinable(catalogue_only)
def solve(
    board: BoardLike,
    /,
    *,
    backend: BackendLike | None = None,
    variant: str | Layout | None = None,
    solutions: int | None = 1,
    keep: int | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    threads: int = 1,
    seed: int | None = None,
    cancel: Cancel | None = None,
    untrusted: bool = False,
    memory_limit: int | None = None,
    **options: object,
) -> Result:
    """Search a board for solutions.

    >>> import unidoku
    >>> result = unidoku.solve("1... ..2. .3.. ...4", solutions=2)
    >>> result.unique, result.text("line")
    (True, '1243342143122134')

    Args:
        board: the puzzle: a board, a text, or rows of values.
        backend: a label such as ``cp-sat`` or ``cp-sat[num_workers=1]``, a solver, a function, a
            class, or an object with the method ``search``; by default the one that
            ``UNIDOKU_BACKEND`` names, or ``auto``.
        variant: layout of a text or of rows: the name of a variant, or a layout; by default
            ``classic``.
        solutions: number of solutions after which the search stops; None for all; 2 shows whether
            there is exactly one.
        keep: number of grids to return; None for all that were found.
        time_limit: seconds; by default there is no limit.
        node_limit: number of nodes of the search tree.
        threads: number of threads that the backend may use.
        seed: seed of the backend's random choices.
        **options: options of the backend, such as ``num_workers=1``.
        cancel: a token; when another thread calls its ``cancel``, the call ends within some
            milliseconds.
        untrusted: whether the text, the label or the options come from somebody else. Then only
            backends that come with Unidoku may be named, and no option with a file or a command.
            All of the call, reading the text included, is done in a process that is killed at its
            ``time_limit``, by default 10 s, or its ``memory_limit``. Starting it takes some 0.3 s.
        memory_limit: mebibytes that a call on untrusted input may use; by default 1024.

    Raises:
        InputError: a limit is not positive, or a keyword is unknown.
        Cancelled: the token was cancelled.
        TimeLimitError, MemoryLimitError: the process of a call on untrusted input was killed.
        FormatError: the text is not a board.
        UnknownBackendError, BackendNotInstalledError, OptionError: the backend cannot be used.
        UnsupportedError: the backend does not support the board or honour a limit.
        WrongAnswerError: the checker refuses what the backend returned.
        BackendError: the underlying solver failed.
    """
    limits = Limits(
        solutions=solutions,
        keep=keep,
        time_limit=time_limit,
        node_limit=node_limit,
        threads=threads,
        seed=seed,
    )
    solver, terms = solver_and_limits(backend, {**limits, **options})
    return solver.solve(board, variant=variant, **terms)


@named_arguments
@confinable(catalogue_only)
def count(
    board: BoardLike,
    /,
    *,
    limit: int | None = None,
    backend: BackendLike | None = None,
    variant: str | Layout | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    threads: int = 1,
    seed: int | None = None,
    cancel: Cancel | None = None,
    untrusted: bool = False,
    memory_limit: int | None = None,
    **options: object,
) -> Result:
    """Count the solutions of a board, up to a limit, without keeping grids.

    The number is ``count`` of the result. It is exact if ``stop`` is `Stop.EXHAUSTED`, otherwise
    it is a lower bound. The search stops at ``limit`` solutions; None counts them all.
    The other arguments are those of `solve`, without ``solutions`` and ``keep``.

    >>> import unidoku
    >>> unidoku.count("." * 16).count
    288
    """
    others = ("limit", "variant", "backend")
    limits = Limits(time_limit=time_limit, node_limit=node_limit, threads=threads, seed=seed)
    solver, terms = solver_and_limits(backend, {**limits, **options}, fixed=COUNTED, others=others)
    return solver.solve(board, variant=variant, **(terms | {"solutions": limit, "keep": 0}))


@named_arguments
@confinable(catalogue_only)
def solve_many(
    boards: Boards,
    /,
    *,
    backend: BackendLike | None = None,
    layout: Layout | str | None = None,
    solutions: int | None = 1,
    keep: int | None = None,
    time_limit: float | None = None,
    node_limit: int | None = None,
    threads: int = 1,
    seed: int | None = None,
    cancel: Cancel | None = None,
    untrusted: bool = False,
    memory_limit: int | None = None,
    **options: object,
) -> BatchResult:
    """Search many boards of one layout at once; for the boards of a file see `solve_file`.

    >>> import unidoku
    >>> result = unidoku.solve_many(["1... ..2. .3.. ...4", "12.. .... .... 21.."], solutions=2)
    >>> result.unique.tolist(), result.texts()[0]
    ([True, False], '1243342143122134')

    Boards and layout are as for `Solver.solve_many`, the backend is as for `solve`. The limits are
    those of `solve`, and hold for each board.
    """
    limits = Limits(
        solutions=solutions,
        keep=keep,
        time_limit=time_limit,
        node_limit=node_limit,
        threads=threads,
        seed=seed,
    )
    solver, terms = solver_and_limits(backend, {**limits, **options}, others=("layout", "backend"))
    return solver.solve_many(boards, layout=layout, **terms)


@named_arguments
@confinable(catalogue_only)
def true_candidates(
    board: BoardLike,
    /,
    *,
    backend: BackendLike | None = None,
    variant: str | Layout | None = None,
    time_limit: float | None = None,
    cancel: Cancel | None = None,
    untrusted: bool = False,
    memory_limit: int | None = None,
    **options: object,
) -> Board:
    """Return the board with only those candidates that occur in some solution.

    Each solution found proves all its values at once, so there are fewer searches than candidates.
    A board without solutions has no candidates left. Board, backend and variant are as for
    `solve`. The time limit is in seconds, for all searches together; by default there is none.

    >>> import unidoku
    >>> unidoku.true_candidates("12.. .... .... 21..").values("A3")
    (3, 4)

    Raises:
        TimeLimitError: the time limit, or the node limit of a search, came first.
        UnsupportedError, WrongAnswerError, BackendError: as `solve`.
    """
    questions = _Questions("true candidates", board, variant, backend, time_limit, options)
    propagated = propagate(questions.board)
    if propagated is not None and questions.ask(propagated, solutions=2) is None:
        for cell, mask in enumerate(propagated.candidates):
            for value in values_of(mask):
                if not questions.true[cell] & bit(value):
                    questions.ask(propagated.assign(cell, value))
    return Board(questions.board.layout, tuple(questions.true))


@named_arguments
@confinable(catalogue_only)
def backbone(
    board: BoardLike,
    /,
    *,
    backend: BackendLike | None = None,
    variant: str | Layout | None = None,
    time_limit: float | None = None,
    cancel: Cancel | None = None,
    untrusted: bool = False,
    memory_limit: int | None = None,
    **options: object,
) -> Grid:
    """Return the value of each cell whose value is the same in all solutions, 0 for the others.

    This takes at most one search for each cell. A board without solutions has no backbone: all
    values are 0. Arguments and errors are those of `true_candidates`.

    >>> import unidoku
    >>> unidoku.backbone("12.. .... .... 21..")
    (1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0)
    """
    questions = _Questions("backbone", board, variant, backend, time_limit, options)
    propagated = propagate(questions.board)
    if propagated is not None and questions.ask(propagated, solutions=2) is None:
        for cell, mask in enumerate(propagated.candidates):
            if is_single(mask_of_all := questions.true[cell]):
                masks = [*propagated.candidates]
                masks[cell] = mask & ~mask_of_all
                questions.ask(Board(questions.board.layout, tuple(masks)))
    return tuple(map(value_of, questions.true))


class _Questions:
    """Searches for solutions of one board within one time limit, and what they found.

    Attributes:
        board: the board.
        true: the candidates of each cell that occur in some solution found so far.
    """

    def __init__(
        self,
        name: str,
        board: BoardLike,
        variant: str | Layout | None,
        backend: BackendLike | None,
        time_limit: float | None,
        options: Mapping[str, object],
    ) -> None:
        self._name = name
        given = {"time_limit": time_limit, **options}
        self._solver, limits = solver_and_limits(backend, given, fixed=COUNTED)
        self._request = Request.of(**limits)
        self._deadline = Deadline(limits.get("time_limit"))
        self.board = as_board(board, variant)
        self.true = [0] * len(self.board.layout)

    def ask(self, question: Board, solutions: int = 1) -> int | None:
        """Search; return the number of solutions, or None if there may be more than found."""
        limit = self._deadline.limit
        request = replace(self._request, solutions=solutions, time_limit=limit)
        result = self._solver.search(question, request)
        if result.stop in (Stop.TIME, Stop.NODES):
            is_late = result.stop is Stop.TIME
            most = f"{self._deadline.seconds:.3g} s" if is_late else f"{request.node_limit} nodes"
            raise TimeLimitError(f"{self._name}: not decided within {most}")
        if not result.stop.answered:
            raise undecided(self._solver.label)
        for grid in result.solutions:
            for cell, value in enumerate(grid):
                self.true[cell] |= bit(value)
        return result.count if result.stop is Stop.EXHAUSTED else None
