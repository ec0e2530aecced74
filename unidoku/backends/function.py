"""A backend made from a function of the user, named as ``function:module:name``.

The function gets a board as text or rows, and returns None or a solution in any form in which
boards can be read. Its answer is checked like that of every backend.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeAlias, get_origin, get_type_hints

from unidoku.backends.base import Backend, Capabilities, Request, Result
from unidoku.backends.options import PREFIX, DeclaredOption, checked, declared_options
from unidoku.backends.spec import BackendSpec
from unidoku.backends.toolkit.budget import SolutionCollector, collect
from unidoku.core.board import Board
from unidoku.core.board_like import as_board
from unidoku.core.layout import Grid, Layout
from unidoku.core.variants import Variant, layout
from unidoku.errors import BackendError, InputError, LayoutError, OptionError, UnsupportedError
from unidoku.support.schema import shown

Form: TypeAlias = Literal["text", "rows", "board"]
"""How the function gets a board: a line of characters, a list of rows of ints, or a `Board`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionSpec(BackendSpec):
    """The row of a user's function in the catalogue; its backend calls that function."""

    @classmethod
    def of(cls, target: str, function: Callable[..., object]) -> FunctionSpec:
        """Return the row of a function that can be imported as this ``module:name``."""
        summary = (function.__doc__ or target).strip().partition("\n")[0]
        capabilities = capabilities_of(function)
        return cls(name=PREFIX + target, target=target, summary=summary, capabilities=capabilities)

    def factory(self) -> Callable[..., Backend]:
        """Return the function that makes the backend from its options."""
        return partial(FunctionBackend, self.name, BackendSpec.factory(self))

    def options(self) -> tuple[DeclaredOption, ...]:
        """Return the options that every function has."""
        return declared_options(_Options)


def capabilities_of(function: Callable[..., object]) -> Capabilities:
    """Return what a function can do: it finds one solution, unless it yields them."""
    returned = _hints(function).get("return")
    many = inspect.isgeneratorfunction(function) or (
        (get_origin(returned) or returned) in (Iterator, Generator)
    )
    return Capabilities(max_solutions=None if many else 1)


class FunctionBackend:
    """Calls the function and reads what it returns.

    Args:
        name: name of the function in messages.
        function: the function.
        board: form in which it gets a board; by default from the annotation of its first parameter
            (``str``, `Board`, or anything else for rows), and text without an annotation.
        empty: the character of an empty cell in a text. In rows an empty cell is 0.
        variant: variant that the function solves; by default ``classic``, or every layout that
            units describe if the function gets a `Board`.
    """

    def __init__(
        self,
        name: str,
        function: Callable[[Any], object],
        *,
        board: Form | None = None,
        empty: str | int = ".",
        variant: str | None = None,
    ) -> None:
        options = _Options(board=board, empty=empty, variant=variant)
        checked(name, options)
        if len(str(empty)) != 1:
            raise OptionError(f"{name}: option 'empty': expected one character, got {empty!r}")
        if variant is not None:
            Variant.parse(variant)  # refuses an unknown variant
        self._name = name
        self._function = function
        self._form = board or form_of(function)
        self._empty = str(empty)
        self._variant = variant or ("classic" if self._form != "board" else None)

    def search(self, board: Board, request: Request) -> Result:
        """Call the function with the board."""
        given = self._given(board)
        start = time.perf_counter()
        answer = self._function(given)
        spent = time.perf_counter() - start
        if answer is True and self._form == "rows":
            answer = given  # the function filled the rows in place
        collector = SolutionCollector(request)
        stop = collect(self._grids(answer, board.layout), collector)
        return collector.result(stop, {} if isinstance(answer, Iterator) else {"solve_time": spent})

    def _given(self, board: Board) -> object:
        """Return the board in the function's form; refuse a board that the form cannot express."""
        if self._variant is not None and not _is_of(self._variant, board.layout):
            raise UnsupportedError(
                f"{self._name} solves {self._variant} boards only (its option 'variant'); "
                f"got {board.layout.name}, n = {board.layout.n}"
            )
        if self._form == "board":
            return board
        if board.has_pencil_marks:
            raise UnsupportedError(f"{self._name} gets a board as {self._form}: no pencil marks")
        if self._form == "text":
            return board.text("line").replace(".", self._empty)
        rows: list[list[int]] = [[] for _ in range(board.layout.rows)]
        for (row, _), value in zip(board.layout.positions, board.givens, strict=True):
            rows[row].append(value)
        return rows

    def _grids(self, answer: object, shape: Layout) -> Iterator[Grid]:
        """Yield the solutions in what the function returned, or in what it yields."""
        if answer is None or answer is False:
            return
        for item in answer if isinstance(answer, Iterator) else (answer,):
            yield self._grid(item, shape)

    def _grid(self, answer: object, shape: Layout) -> Grid:
        if isinstance(answer, str) and len(answer) == len(shape) and answer.isdecimal():
            return tuple(map(int, answer))  # a tenth of the time of reading any text
        try:
            grid = as_board(answer, shape).givens  # type: ignore[arg-type] # it refuses others
        except InputError as error:
            reason = str(error)
        else:
            if all(grid):
                return grid
            reason = "some cells have no value"
        raise BackendError(
            f"{self._name}: expected a solution of {len(shape)} values as text or rows, or None "
            f"for no solution, got {shown(answer)}: {reason}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    board: Form | None = None
    empty: str | int = "."
    variant: str | None = None


def form_of(function: Callable[..., object]) -> Form:
    """Return the form that a function's first parameter is annotated as."""
    hints = {name: hint for name, hint in _hints(function).items() if name != "return"}
    hint = next(iter(hints.values()), str)
    kind = get_origin(hint) or hint
    if kind is Board:
        return "board"
    return "text" if kind in (str, Any) else "rows"


def _hints(function: Callable[..., object]) -> Mapping[str, Any]:
    """Return the annotations of a function's parameters; empty if they cannot be evaluated."""
    try:
        return get_type_hints(function)
    except (NameError, TypeError):  # names for type checkers only; compiled code
        return {}


def _is_of(variant: str, shape: Layout) -> bool:
    """Return whether a layout is the variant's layout of that size."""
    try:
        return layout(variant, shape.n) == shape
    except LayoutError:
        return False
