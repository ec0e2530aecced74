"""Deductions about a single value on the classic board, by tables over bands and stacks.

A value's three places in a band (three rows) pair the band's rows with its boxes one to one, and
its three places in a stack (three columns) pair bands with columns. A place can be removed if none
of the six pairings that are still possible uses it. This covers all locked candidates, and when
nothing more can be removed, every hidden single in a column or a box is also one in a row.

The first rule comes from the band solvers (zhouyundong, JCZSolve), the second is J. Kelly's stack
rule (FastBandSolver, semajyllek/sudoku). Here one int holds the three bands of a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import permutations

from unidoku.backends.native.python.general import Left, full_units
from unidoku.backends.native.python.tree import Engine, Settled
from unidoku.core.layout import Layout

_SIDE = 3
_N = _SIDE * _SIDE
_ROW = (1 << _N) - 1
_BAND = (1 << _N * _SIDE) - 1


def fits(layout: Layout) -> bool:
    """Return whether a layout is the classic one, judged by its units and not by its name."""
    lines = range(_N)
    units = {tuple(_N * row + column for column in lines) for row in lines}
    units |= {tuple(_N * row + column for row in lines) for column in lines}
    units |= {
        tuple(_N * (top + row) + left + column for row in range(_SIDE) for column in range(_SIDE))
        for top in range(0, _N, _SIDE)
        for left in range(0, _N, _SIDE)
    }
    same = {unit.cells for unit in layout.units} == units
    return same and layout.n == _N and len(layout) == _N * _N and not layout.rules


def engine(layout: Layout) -> Engine:
    """Return the engine of a layout that `fits`."""
    left = Left(layout)
    return Engine(
        n=_N,
        everything=left.everything,
        settle=make_settle(),
        units=full_units(layout),
        left=left,
    )


@cache
def make_settle() -> Callable[[int, int], Settled | None]:
    """Build the tables and return the function that deduces from the places of one value.

    It is written out for three bands and stacks, with sizes as literals, because it is the inner
    loop of every search. It uses tables only: measured, caching words or places gains nothing.
    """
    paired = _paired()
    row_1, row_2, row_3 = (_boxes_of_row(row) for row in range(_SIDE))
    mini_rows = _mini_rows()
    keep = tuple(mini_rows[pattern] for pattern in paired)
    band_1, band_2, band_3 = (_stacks_of_band(band) for band in range(_SIDE))
    columns_of = [_columns_of_stack(stack) for stack in range(_SIDE)]
    stack_1, stack_2, stack_3 = (tuple(t[pattern] for pattern in paired) for t in columns_of)
    lowest = sum(1 << _N * row for row in range(_N))
    highest = lowest << _N - 1
    others = highest - lowest

    def settle(places: int, _before: int) -> Settled | None:
        while True:
            top, middle, bottom = places & _BAND, places >> 27 & _BAND, places >> 54
            top &= keep[row_1[top & _ROW] | row_2[top >> 9 & _ROW] | row_3[top >> 18]]
            middle &= keep[row_1[middle & _ROW] | row_2[middle >> 9 & _ROW] | row_3[middle >> 18]]
            bottom &= keep[row_1[bottom & _ROW] | row_2[bottom >> 9 & _ROW] | row_3[bottom >> 18]]
            if not (top and middle and bottom):
                return None
            columns = (
                band_1[(top | top >> 9 | top >> 18) & _ROW]
                | band_2[(middle | middle >> 9 | middle >> 18) & _ROW]
                | band_3[(bottom | bottom >> 9 | bottom >> 18) & _ROW]
            )
            banded = top | middle << 27 | bottom << 54
            places = banded & (
                stack_1[columns & _ROW] | stack_2[columns >> 9 & _ROW] | stack_3[columns >> 18]
            )
            if places == banded:
                break
        # No row is empty, so the subtraction clears the lowest place of each and nothing else;
        # the addition then carries into a row's highest bit if another place is left in it.
        several = places & (places - lowest)
        single = highest & ~((several & others) + others | several)
        return places, places & ((single << 1) - (single >> _N - 1))

    return settle


def _paired() -> tuple[int, ...]:
    """Return, for each set of pairs of three things with three, its pairs on a complete pairing.

    Bit ``3a + b`` pairs ``a`` with ``b``; a pairing is one to one, so there are six.
    """
    table = [0] * (1 << _N)
    for others in permutations(range(_SIDE)):
        pairing = sum(1 << _SIDE * a + b for a, b in enumerate(others))
        for pairs in range(1 << _N):
            if pairs & pairing == pairing:
                table[pairs] |= pairing
    return tuple(table)


def _boxes_of_row(row: int) -> tuple[int, ...]:
    """Return, for each set of a row's columns, the pairs (row, box) that they are in."""
    return _unions([1 << _SIDE * row + column // _SIDE for column in range(_N)])


def _mini_rows() -> tuple[int, ...]:
    """Return, for each set of pairs (row, box), their cells in a band."""
    sides = range(_SIDE)
    return _unions([0b111 << _N * row + _SIDE * box for row in sides for box in sides])


def _stacks_of_band(band: int) -> tuple[int, ...]:
    """Return, for each set of a band's columns, the pairs (band, column of the stack).

    Nine bits a stack, one after the other.
    """
    return _unions(
        [1 << _N * (column // _SIDE) + _SIDE * band + column % _SIDE for column in range(_N)]
    )


def _columns_of_stack(stack: int) -> tuple[int, ...]:
    """Return, for each set of pairs (band, column of the stack), their cells on the board."""
    sides = range(_SIDE)
    column_in_band = sum(1 << _N * row for row in sides)
    return _unions(
        [
            column_in_band << _N * _SIDE * band + _SIDE * stack + column
            for band in sides
            for column in sides
        ]
    )


def _unions(images: Iterable[int]) -> tuple[int, ...]:
    """Return, for each set of things, the union of their images."""
    table = [0]
    for image in images:
        table += [union | image for union in table]
    return tuple(table)
