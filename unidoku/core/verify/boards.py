"""The checker: is this grid a solution of this board?

It reads the board's own definition, cell by cell and unit by unit, and uses no table or code that a
backend uses, so that it does not share a backend's mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from marshal import dumps
from operator import itemgetter
from struct import Struct
from typing import NamedTuple

from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board, as_grid
from unidoku.core.layout import Layout
from unidoku.core.rules import Rule
from unidoku.support.arguments import named_arguments


@named_arguments
def verify(board: BoardLike, grid: BoardLike) -> list[str]:
    """Return what is wrong with a grid as a solution of the board; empty if it is a solution.

    A grid has no values of hidden cells, so only faults that occur whatever these hold are
    reported. For a complete check use the expanded board, whose grids include them
    (`unidoku.core.hidden`).

    >>> verify(Board.parse("1...", "latin"), (1, 2, 2, 2))
    ['row B: 2 appears 2 times', 'column 2: 2 appears 2 times']

    Args:
        board: the puzzle: a board, or a text, rows of values or a puzzle as for `unidoku.solve`.
        grid: the values, in any form in which a board may be given: all in reading order, rows, an
            array, a text.

    Raises:
        InputError: the board is not a board, or the grid is a text that cannot be read or no grid.
    """
    board = as_board(board)
    return faults_of(board, as_grid(grid, board.layout))


@named_arguments
def is_solution(board: BoardLike, grid: BoardLike) -> bool:
    """Return whether the grid is a solution of the board; the arguments are those of `verify`."""
    board = as_board(board)
    values = as_grid(grid, board.layout)
    return _is_right(board, values) or next(_faults(board, values), None) is None


def faults_of(board: Board, grid: Sequence[int]) -> list[str]:
    """Return what is wrong with a grid that a solver returns; nothing but an int is a value."""
    if _is_right(board, grid):
        return []
    faults = _faults(board, grid)
    return [
        fault if isinstance(fault, str) else board.layout.fault(*fault, grid) for fault in faults
    ]


def _faults(board: Board, grid: Sequence[int]) -> Iterator[str | tuple[Rule, tuple[int, ...]]]:
    """Yield what is wrong: values that are no candidates, and violated units and rules.

    For a rule, yield it with the cells at fault, because a message takes long to make.
    """
    layout = board.layout
    if len(grid) != len(layout.positions):
        yield f"expected {len(layout.positions)} values, one for each cell, got {len(grid)}"
        return
    fits = True
    for cell, value in enumerate(grid):
        if type(value) is not int or not 1 <= value <= layout.n:
            yield f"{layout.names[cell]}: {value!r} is not a value from 1 to {layout.n}"
            fits = False
        elif not board.candidates[cell] >> (value - 1) & 1:
            yield f"{layout.names[cell]}: {layout.shown[value]} is not among its candidates"
            fits = False
    if not fits:
        return
    known = len(layout.positions)
    for unit in layout.units:
        unit_values = sorted(grid[cell] for cell in unit.cells if cell < known)
        for value in sorted(set(unit_values)):
            if unit_values.count(value) > 1:
                times = f"{layout.shown[value]} appears {unit_values.count(value)} times"
                yield f"{unit.named(layout)}: {times}"
    yield from layout.broken(grid)


def _is_right(board: Board, grid: Sequence[int]) -> bool:
    """Return whether a quick check accepts a grid; if False, a full check has to decide.

    It is False for layouts with rules or hidden cells. Marshalled, a tuple is five bytes and five
    bytes for each int; with every value replaced with 1, it must be a tuple of ones.

    A value is then one bit in as many bytes as n values need. A grid is right if each cell has a
    bit in common with its candidates and no bit occurs twice in a unit. In a full unit each bit
    except the last must occur an odd number of times: there are just enough cells for each value
    once, including the last. In other units the number of different bits must equal the number of
    cells.
    """
    layout = board.layout
    if layout.rules or layout.hidden:
        return False
    to_one, ones, bits, rest, gathered, packed, units = _sight_of(layout)
    try:
        written = dumps(grid, 2)  # type: ignore[arg-type]  # any sequence may come
    except ValueError:
        return False
    if written.translate(to_one) != ones:
        return False
    values = written[6::5]
    seen = _from_bytes(gathered(b"".join([*map(values.translate, bits), rest])), "little")
    present = seen & _from_bytes(packed(*board.candidates), "little")
    if present.bit_count() != len(values):
        return False
    for skipped, shifts, mask, differing in units:
        seen >>= skipped
        folded = seen
        if differing:
            for shift in shifts:
                folded |= folded >> shift
            if (folded & mask).bit_count() != differing:
                return False
        else:
            for shift in shifts:
                folded ^= folded >> shift
            if folded & mask != mask:
                return False
    return True


_from_bytes = int.from_bytes


class _Sight(NamedTuple):
    """Tables for the quick check of a layout's grids.

    The values of a grid are converted to bytes with one bit: the first byte of each cell, then the
    second of each, and so on; then zeros. Of these bytes, the first that are gathered are those of
    the candidates; then, for all units of one size, those of their first cells, of their second
    cells, and so on.

    Args:
        one: table that replaces every value with 1.
        ones: a grid of ones, marshalled.
        bits: for each byte of a value, the table of that byte.
        rest: zeros after the bytes of the cells.
        gathered: function that gathers bytes.
        packed: function that converts sets of candidates to bytes, with all of a cell together.
        units: for all units of one size: the number of bits before those of their cells, from the
            previous size on; the shifts that bring the bits of each cell, and of as many zeros as
            make a power of two, onto those of the first cell, each once; the bits of the first cell
            that count; how many of them are set if no value is repeated, 0 for full units.
    """

    to_one: bytes
    ones: bytes
    bits: list[bytes]
    rest: bytes
    gathered: Callable[[bytes], bytes]
    packed: Callable[..., bytes]
    units: list[tuple[int, list[int], int, int]]


@lru_cache(maxsize=64)
def _sight_of(layout: Layout) -> _Sight:
    n, size = layout.n, len(layout)
    letter = next((letter for most, letter in _LETTERS if n <= most), None)
    width = Struct(f"<{letter}").size if letter else -(-n // 8)

    def joined(*sets: int) -> bytes:
        return b"".join([mask.to_bytes(width, "little") for mask in sets])

    places, units = _places_of(layout, width)
    zero = width * size
    # A value that looks like the mark of an int stays as it is; the full check sees such grids.
    to_one = bytes(1 if 1 <= byte <= n and byte != _INT else byte for byte in range(_BYTES))
    few = zero < _BYTES  # a translation table is the fastest look-up
    chosen = itemgetter(*places)
    return _Sight(
        to_one=to_one,
        ones=dumps((1,) * size, 2).translate(to_one),
        bits=[
            bytes(1 << (v - first) if 0 <= v - first < 8 else 0 for v in range(_BYTES))
            for first in range(1, 8 * width + 1, 8)
        ],
        rest=bytes(_BYTES - zero if few else 1),
        gathered=bytes(places).translate if few else lambda row: bytes(chosen(row)),
        packed=Struct(f"<{size}{letter}").pack if letter else joined,
        units=units,
    )


def _places_of(
    layout: Layout, width: int
) -> tuple[list[int], list[tuple[int, list[int], int, int]]]:
    """Return the places of the bytes that are gathered, ``width`` for a value, and the units."""
    n, zero = layout.n, width * len(layout)
    planes = range(0, zero, len(layout))
    places = [cell + plane for cell in layout.cells for plane in planes]
    units, begun, gap = [], 0, 0
    for size in sorted({len(unit.cells) for unit in layout.units} - {1}):
        alike = [unit.cells for unit in layout.units if len(unit.cells) == size]
        counted = n - 1 if size == n else 8 * width
        used = planes[: -(-counted // 8)]
        row = len(alike)
        bits = b"".join(bytes([255 >> max(0, 8 * k + 8 - counted)]) * row for k in range(len(used)))
        steps = [1 << k for k in reversed(range((size - 1).bit_length()))]
        places += [zero] * gap
        units.append(
            (
                8 * (len(places) - begun),
                [8 * len(bits) * step for step in steps],
                int.from_bytes(bits, "little"),
                0 if size == n else size * row,
            )
        )
        begun = len(places)
        places += [
            cells[index] + plane for index in range(size) for plane in used for cells in alike
        ]
        gap = len(bits) * (1 + sum(steps) - size)  # the shifts reach beyond the last cells
    return places, units


_BYTES = 256
"""The number of byte values, which is the length of a table for `bytes.translate`."""

_INT = ord("i")
"""The byte that marks an int when it is marshalled."""

_LETTERS = ((8, "B"), (16, "H"), (32, "I"), (64, "Q"))
"""The formats of `struct` for sets of up to that many values."""
