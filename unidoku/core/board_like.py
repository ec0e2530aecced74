"""What is taken for a board: a board, a puzzle, a text, rows of values, arrays of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from numbers import Real
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Union, runtime_checkable

from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.variants import Variant
from unidoku.errors import FormatError, InputError
from unidoku.support.schema import shown
from unidoku.support.text import plural

if TYPE_CHECKING:
    import numpy
    import numpy.typing


@runtime_checkable
class NamedBoard(Protocol):
    """A board with a name, as `unidoku.Puzzle` is."""

    @property
    def board(self) -> Board:
        """The board."""

    @property
    def name(self) -> str:
        """Its name."""


# Built from full names and classes above, because documentation tools evaluate signatures in other
# modules.
BoardLike: TypeAlias = Union[
    Board,
    NamedBoard,
    str,
    Sequence[float | str | Sequence[float | str | None] | None],
    "numpy.typing.NDArray[numpy.integer | numpy.floating]",
]
"""Anything accepted as a board: a board, a puzzle, a text, rows of values or all values in order.

An empty cell is 0, None or NaN; other floats must be whole. Rows may be texts, or have texts for
cells, which are then read as one text."""


def as_board(source: BoardLike, variant: str | Layout | None = None) -> Board:
    """Return a text, rows of values, a puzzle or a board as a board.

    >>> as_board([1, 0, 0, 0] + [0, 0, 2, 0] + [0, 3, 0, 0] + [0, 0, 0, 4]).text("line")
    '1.....2..3.....4'
    >>> as_board([[1.0, float("nan")], [None, 0]], "latin").text("line")
    '1...'

    Args:
        source: a board, a puzzle, a text, rows of values, or all values in reading order; arrays
            and data frames too. An empty cell is 0, None or NaN. Rows may also be texts, or
            have a text for each cell, where an empty one is an empty cell too.
        variant: layout of a text or of rows: the name of a variant, or a layout; by default
            ``classic``.

    Raises:
        InputError: the source is not one of these, or is a board of another layout.
        FormatError, LayoutError: as for `Board.parse`.
    """
    if isinstance(source, Board):
        wanted = None if variant is None else _layout_of(variant, len(source.layout))
        if variant is not None and source.layout != wanted and _needs_no_regions(variant):
            raise InputError(f"expected a {_name_of(variant)} board, got {source!r}")
        return source
    if isinstance(source, str):
        return _parsed(source, variant or "classic")
    if isinstance(source, NamedBoard) and isinstance(source.board, Board):
        return as_board(source.board, variant)
    rows = _listed(source)
    if (text := _text_of(rows)) is not None:
        return _parsed(text, variant or "classic")
    first = rows[0] if isinstance(rows, Sequence) and rows else None
    is_several = isinstance(getattr(first, "board", first), Board)
    is_several = is_several or getattr(source, "ndim", 0) > 2
    if not isinstance(rows, Sequence) or isinstance(rows, bytes | bytearray) or is_several:
        raise InputError(
            f"expected a board: a text, rows of values, a Board or a Puzzle, got {shown(source)}"
            f"{_advice(source)}"
        )
    if rows and all(isinstance(value, Real) or is_missing(value) for value in rows):
        layout = _layout_of(variant or "classic", len(rows))
        if layout is None or len(layout) != len(rows):
            name = _name_of(variant or "classic")
            raise InputError(
                f"expected the values of a {name} board, got {plural(len(rows), 'value')}"
            )
        return Board.from_values(layout, map(_value, rows))
    return Board.parse(
        [[*map(_value, row)] if hasattr(row, "__len__") else row for row in rows],
        variant or "classic",
    )


def as_grid(source: BoardLike, layout: Layout) -> tuple[Any, ...]:
    """Return the values of a grid in reading order; what is no whole number stays as it is.

    >>> from unidoku import layout
    >>> as_grid([[1.0, 2], [2, None]], layout("latin", 2)), as_grid("1221", layout("latin", 2))
    ((1, 2, 2, None), (1, 2, 2, 1))

    Args:
        source: the values in any form in which `as_board` takes a board.
        layout: layout of a text.

    Raises:
        InputError: the source is not one of these.
        FormatError: it is a text that is not of the layout.
    """
    if isinstance(source, tuple) and {int}.issuperset(map(type, source)):
        return source
    if isinstance(source, str | Board | NamedBoard):
        return as_board(source, layout).givens
    rows = _listed(source)
    if (text := _text_of(rows)) is not None:
        return as_board(text, layout).givens
    if not isinstance(rows, Sequence) or isinstance(rows, bytes | bytearray):
        raise InputError(f"expected a grid: values, rows of values or a text, got {shown(source)}")
    if rows and all(isinstance(row, list | tuple) for row in rows):
        rows = [value for row in rows for value in row]
    return tuple(map(_value, rows))


def is_missing(value: object) -> bool:
    """Return whether a value stands for nothing in a column: None, NaN, pandas' NA or NaT.

    >>> [is_missing(value) for value in (None, float("nan"), 0, "")]
    [True, True, False, False]
    """
    if value is None:
        return True
    if hasattr(value, "__len__"):
        return False
    differs: object = value != value  # only these differ from themselves
    return differs is value or differs is True or (isinstance(value, Real) and bool(differs))


_FILE = re.compile(r"[^\n]*\.[A-Za-z]\w+")
"""A text that may be the name of a file, if it is not a board."""


def _parsed(text: str, variant: str | Layout) -> Board:
    with file_names_told(text):
        return Board.parse(text, variant)


@contextmanager
def file_names_told(text: str) -> Iterator[None]:
    """Say in the error about a text that is no board how to read a file, if it may name one."""
    try:
        yield
    except FormatError as error:
        if not _FILE.fullmatch(text):
            raise
        hint = f"{error.message}; to read the puzzles of a file: unidoku.read({shown(text)})"
        raise FormatError(hint, error.line, error.column) from None


def _advice(source: object) -> str:
    """Return what to do with something that contains boards; empty if that is unknown."""
    if isinstance(source, os.PathLike):
        return f"; read the puzzles of a file: unidoku.read({os.fspath(source)!r})"
    if isinstance(source, bytes | bytearray):
        return "; decode it: board.decode()"
    if hasattr(source, "read"):
        return "; read the file first: board.read()"
    if isinstance(source, Sequence) or getattr(source, "ndim", 0) > 2:
        return "; give one of its boards: boards[0]"
    return ""


def _listed(source: Any) -> Any:
    """Return arrays, columns and data frames as lists, and other things as they are."""
    if isinstance(source, type):
        return source
    array = source.to_numpy() if hasattr(source, "to_numpy") else source
    return array.tolist() if hasattr(array, "tolist") else array


def _text_of(rows: Any) -> str | None:
    """Return rows of texts, or of a text for each cell, as one text; None for anything else.

    Texts are cells if there are more of them than a square of rows as long as the longest one has.
    """
    if isinstance(rows, str):  # in an array of no dimensions
        return rows
    if not isinstance(rows, list | tuple) or not rows:
        return None
    if all(isinstance(row, str) for row in rows) and max(map(len, rows)) ** 2 >= len(rows):
        return "\n".join(rows)
    if _are_texts(rows):
        return " ".join(map(_text_of_cell, rows))
    if all(isinstance(row, list | tuple) for row in rows) and _are_texts([*chain(*rows)]):
        return "\n".join(" ".join(map(_text_of_cell, row)) for row in rows)
    return None


def _are_texts(cells: Sequence[object]) -> bool:
    """Return whether cells are texts, perhaps with empty cells among them."""
    if not any(issubclass(kind, str) for kind in {*map(type, cells)}):
        return False
    return all(isinstance(cell, str) or is_missing(cell) for cell in cells)


def _text_of_cell(cell: object) -> str:
    return (cell.strip() if isinstance(cell, str) else "") or "."


def _value(value: Any) -> Any:
    """Return the value of a cell as an int, None for a missing one; others as they are."""
    if isinstance(value, int):  # a switch, which is no value, as it is
        return value
    if is_missing(value):
        return None
    return int(float(value)) if isinstance(value, Real) and value % 1 == 0 else value


def _layout_of(variant: str | Layout, cells: int) -> Layout | None:
    """Return the layout of a variant in the size with that number of cells, or None."""
    if isinstance(variant, Layout):
        return variant
    parsed = Variant.parse(variant)
    n = None if parsed.needs_regions else parsed.size(cells)
    return None if n is None else parsed.layout(n)


def _needs_no_regions(variant: str | Layout) -> bool:
    return isinstance(variant, Layout) or not Variant.parse(variant).needs_regions


def _name_of(variant: str | Layout) -> str:
    return variant.name if isinstance(variant, Layout) else variant
