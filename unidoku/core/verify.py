"""The checker: is this grid a solution of this board?

It reads the board's own definition, cell by cell and unit by unit, and uses no table or code that a
backend uses, so that it does not share a backend's mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from marshal import dumps
from struct import Struct
from typing import NamedTuple

from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.rules import Rule


def verify(board: Board, grid: Sequence[int]) -> list[str]:
    """Return what is wrong with a grid as a solution of the board; empty if it is a solution.

    A grid has no values of hidden cells, so only faults that occur whatever these hold are
    reported. For a complete check use the expanded board, whose grids include them
    (`unidoku.core.hidden`).

    >>> verify(Board.parse("1...", "latin"), (1, 2, 2, 2))
    ['row B: 2 appears 2 times', 'column 2: 2 appears 2 times']
    """
    if _is_right(board, grid):
        return []
    found = _faults(board, grid)
    return [one if isinstance(one, str) else board.layout.fault(*one, grid) for one in found]


def is_solution(board: Board, grid: Sequence[int]) -> bool:
    """Return whether the grid is a solution of the board; stop at the first fault."""
    return _is_right(board, grid) or next(_faults(board, grid), None) is None


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
        held = sorted(grid[cell] for cell in unit.cells if cell < known)
        for value in sorted(set(held)):
            if held.count(value) > 1:
                yield f"{unit}: {layout.shown[value]} appears {held.count(value)} times"
    yield from layout.broken(grid)


def _is_right(board: Board, grid: Sequence[int]) -> bool:
    """Return whether a quick check accepts a grid; if False, a full check has to decide.

    It is False for layouts with rules or hidden cells. A value is one bit in as many bytes as n
    values need. A grid is right if each cell has a bit in common with its candidates and no bit
    occurs twice in a unit. In a full unit each bit except the last must occur an odd number of
    times: there are just enough cells for each value once, including the last. In other units the
    number of different bits must equal the number of cells.
    """
    layout = board.layout
    if layout.rules or layout.hidden:
        return False
    candidates = board.candidates
    size = len(candidates)
    try:
        # Ints take five bytes, True takes one; a value that cannot be written raises.
        if len(dumps(grid, 2)) != 5 + 5 * size:  # type: ignore[arg-type]  # any sequence may come
            return False
        values = bytes(grid)
    except (TypeError, ValueError):
        return False
    bits, cells, packed, units = _sight_of(layout)
    held = b"".join([values.translate(table) for table in bits]).ljust(_BYTES)
    known = _look_up(cells, held)
    own = _from_bytes(known, "little") & _from_bytes(packed(*candidates), "little")
    if own.bit_count() != size:
        return False
    for places, shifts, mask, differing in units:
        in_units = _from_bytes(_look_up(places, held), "little")
        if differing:
            for shift in shifts:
                in_units |= in_units >> shift
            if (in_units & mask).bit_count() != differing:
                return False
        else:
            for shift in shifts:
                in_units ^= in_units >> shift
            if in_units & mask != mask:
                return False
    return True


def _look_up(places: bytes | list[int], held: bytes) -> bytes:
    """Return the bytes at these places."""
    if type(places) is bytes:  # a translation table is the fastest look-up
        return places.translate(held[:_BYTES])
    return bytes([held[place] for place in places])


_from_bytes = int.from_bytes


class _Sight(NamedTuple):
    """Tables for the quick check of a layout's grids.

    A grid is converted to bytes: the first byte of each cell, then the second of each, and so on.

    Args:
        bits: for each byte of a value, the table of that byte.
        cells: places of the bytes, with all bytes of a cell together.
        packed: function that converts sets of candidates to such bytes.
        units: for all units of one size: the places of the bytes of their first cells, then of
            their second cells, and so on; the shifts that bring all these onto the first; the bits
            of the first that count; how many of them are set if no value is repeated, 0 for full
            units.
    """

    bits: list[bytes]
    cells: bytes | list[int]
    packed: Callable[..., bytes]
    units: list[tuple[bytes | list[int], list[int], int, int]]


@lru_cache(maxsize=64)
def _sight_of(layout: Layout) -> _Sight:
    n = layout.n
    letter = next((letter for most, letter in _LETTERS if n <= most), None)
    width = Struct(f"<{letter}").size if letter else -(-n // 8)

    def joined(*sets: int) -> bytes:
        return b"".join([one.to_bytes(width, "little") for one in sets])

    planes = range(0, width * len(layout), len(layout))
    units = []
    for size in sorted({len(unit.cells) for unit in layout.units} - {1}):
        alike = [unit.cells for unit in layout.units if len(unit.cells) == size]
        counted = n - 1 if size == n else 8 * width
        seen = planes[: -(-counted // 8)]
        places = _places(
            [cells[at] + plane for at in range(size) for plane in seen for cells in alike]
        )
        row = len(alike)
        bits = b"".join(bytes([255 >> max(0, 8 * k + 8 - counted)]) * row for k in range(len(seen)))
        shifts = [8 * len(bits) * step for step in _steps(size)]
        mask = int.from_bytes(bits, "little")
        units.append((places, shifts, mask, 0 if size == n else size * row))
    return _Sight(
        bits=[
            bytes(1 << (v - first) if 0 <= v - first < 8 else 0 for v in range(_BYTES))
            for first in range(1, 8 * width + 1, 8)
        ],
        cells=_places([cell + plane for cell in layout.cells for plane in planes]),
        packed=Struct(f"<{len(layout)}{letter}").pack if letter else joined,
        units=units,
    )


def _steps(size: int) -> Iterator[int]:
    """Yield shifts of a row of that length by which its first item meets each other item once."""
    while size > 1:
        step = size - 1 if size % 2 else size // 2
        yield step
        size = step


def _places(places: list[int]) -> bytes | list[int]:
    return bytes(places) if max(places) < _BYTES else places


_BYTES = 256
"""The number of byte values, which is the length of a table for `bytes.translate`."""

_LETTERS = ((8, "B"), (16, "H"), (32, "I"), (64, "Q"))
"""The formats of `struct` for sets of up to that many values."""
