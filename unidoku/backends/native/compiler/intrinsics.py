"""Functions of the search that machine code has instructions or vector loops for.

Each is here once: its name, its signature, and what it means in Python. Where the search runs as
Python these functions run. Where it is compiled, `unidoku.backends.native.compiler.emitters` emits
other code for each of them, with the same result. Nothing here imports LLVM.

Numbers have 64 bits, and those that are read from memory have a sign. Python's numbers do not wrap
around, so a function that takes a number apart bit by bit reads it by `unsigned`, and one that
relies on the overflow of a product wraps it by `wrapped`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Protocol

SETS_AT_ONCE = 8
"""Number of sets of values in a vector; lists of sets are padded with empty ones."""

NARROW = 16
"""Bits of a set of values where units are looked at in vectors: on boards of so many values."""

WORDS_AT_ONCE = 4
"""Number of words of a set of constraints in a vector; sets of several words are padded."""

VALUES_AT_ONCE = 8
"""Number of values of a term of a sum in a vector, in addition to the nearest one."""

MOVES_AT_ONCE = 8
"""Number of moves of a machine in a vector; lists of moves are padded with moves of no values."""

CELLS_AT_ONCE = 32
"""Number of cells in a vector that removes a value."""

UNITS_AT_ONCE = 32
"""Number of units in a vector that tells which of them have something to find."""

NUMBERS_OF_UNITS = UNITS_AT_ONCE * NARROW // 64
"""Numbers of 64 bits in such a vector, which has one of 16 bits for each unit."""

NO_CELL = 3 * CELLS_AT_ONCE - 1
"""A place behind all cells, without candidates: boards of more cells have no such vectors."""

_ALL = (1 << 64) - 1
_NUMBERS = ctypes.POINTER(ctypes.c_int64)


class Numbers(Protocol):
    """An array of numbers of 64 bits with a sign; a number that is written wraps around."""

    def __getitem__(self, index: int, /) -> int:
        """Return a number."""

    def __setitem__(self, index: int, value: int, /) -> None:
        """Write a number."""


def numbers_at(address: int) -> Numbers:
    """Return the numbers of 64 bits at an address."""
    return ctypes.cast(address, _NUMBERS)


def short_numbers_at(address: int) -> Numbers:
    """Return the numbers of 32 bits at an address."""
    return ctypes.cast(address, ctypes.POINTER(ctypes.c_int32))


def bytes_at(address: int) -> Numbers:
    """Return the bytes at an address."""
    return ctypes.cast(address, ctypes.POINTER(ctypes.c_uint8))


def unsigned(number: int) -> int:
    """Return the same 64 bits as a number without a sign."""
    return number & _ALL


def wrapped(number: int) -> int:
    """Return the lowest 64 bits as a number with a sign, as memory has it."""
    return ((number + (1 << 63)) & _ALL) - (1 << 63)


def copy(to: Numbers, to_at: int, of: Numbers, of_at: int, size: int) -> None:
    """Copy ``size`` numbers from a place in one array to a place in another."""
    for index in range(size):
        to[to_at + index] = of[of_at + index]


def lowest_bit(number: int) -> int:
    """Return the position of the lowest bit of a number that is not 0."""
    return (number & -number).bit_length() - 1


def zeros_above(number: int) -> int:
    """Return how many zeros are above the highest bit of a number that is not 0."""
    return 64 - (number & _ALL).bit_length()


def size_of(number: int) -> int:
    """Return the number of set bits of a number."""
    return (number & _ALL).bit_count()


def mirrored(number: int) -> int:
    """Return the bits of a number in the opposite order."""
    return int(f"{number & _ALL:064b}"[::-1], 2)


def join(to: Numbers, to_at: int, of: Numbers, at: int, words: int) -> None:
    """Add to a set, of a multiple of 4 words, the members of another."""
    for word in range(words):
        to[to_at + word] |= of[at + word]


def meet(to: Numbers, to_at: int, of: Numbers, at: int, words: int) -> None:
    """Remove from a set, of a multiple of 4 words, what is not in another."""
    for word in range(words):
        to[to_at + word] &= of[at + word]


def shared(to: Numbers, to_at: int, of: Numbers, at: int, words: int) -> int:
    """Return the union of all words that two sets share: 0 if they share nothing."""
    union = 0
    for word in range(words):
        union |= to[to_at + word] & of[at + word]
    return union


def fit_sets(
    work: Numbers, data: Numbers, at: int, vectors: int, size: int, lacking: int
) -> tuple[int, int]:
    """Find what cells can hold that together hold one of some sets of values, each value once.

    Args:
        work: the candidates of the cells. Behind them it takes, for each cell, the union over the
            possible sets: of the value that only this cell can hold there, else of all.
        data: the sets, in vectors; an empty set is not possible.
        at: index of the first vector.
        vectors: number of vectors.
        size: number of cells.
        lacking: values that the rest of a unit lacks, so that the sets have them.

    Returns:
        The values that all possible sets have, and whether a cell lost a value of a possible set,
        so that less may be possible now.
    """
    every, less = -1, False
    candidates = [work[cell] for cell in range(size)]
    unions = [0] * size
    for index in range(at, at + SETS_AT_ONCE * vectors):
        values = data[index]
        masks = [mask & values for mask in candidates]
        if values == 0 or lacking & ~values or 0 in masks:
            continue
        once = twice = 0
        for mask in masks:
            twice |= once & mask
            once |= mask
        lone = values & ~twice
        if once != values or any(mask & lone & (mask & lone) - 1 for mask in masks):
            continue
        every &= values
        for cell, mask in enumerate(masks):
            unions[cell] |= mask & lone or mask
            less |= mask & lone not in (0, mask)
    for cell, union in enumerate(unions):
        work[size + cell] |= union
    return every, less


def sums_with(reached: int, data: Numbers, at: int, most: int, values: int) -> int:
    """Return the sums that are reached with one term more, by those of 8 values that it may have.

    Sums are bits of a number.

    Args:
        reached: the sums without the term.
        data: how far each of the 8 values is from the base.
        at: index of the first of these.
        most: the largest distance that counts.
        values: which of the values the term may have, as bits.
    """
    union = 0
    for value in range(VALUES_AT_ONCE):
        if values >> value & 1 and 0 <= data[at + value] <= most:
            union |= reached << data[at + value]
    return union & _ALL


def sums_without(
    reached: int, before: int, data: Numbers, at: int, most: int, values: int
) -> tuple[int, int]:
    """Return the sums before a term from which sums are reached, and the values that lead there.

    Args:
        reached: the sums with the term, as bits.
        before: the sums possible without it, as bits.
        data: how far each of the 8 values is from the base.
        at: index of the first of these.
        most: the largest distance that counts.
        values: which of the values the term may have, as bits.

    Returns:
        The sums of ``before`` from which some value leads to ``reached``, and these values as bits.
    """
    union = leads = 0
    for value in range(VALUES_AT_ONCE):
        if values >> value & 1 and 0 <= data[at + value] <= most:
            moved = (reached & _ALL) >> data[at + value] & before
            union |= moved
            leads |= (moved != 0) << value
    return union, leads


def states_behind(data: Numbers, at: int, vectors: int, mask: int, reached: int) -> int:
    """Return the states that a machine may be in after it has read one of some values.

    A move is a set of values, a set of states, and the state that they lead to, as a set.

    Args:
        data: the moves: three vectors, one after the other, for each eight.
        at: index of the first vector.
        vectors: number of vectors of moves.
        mask: the values.
        reached: the states that it may be in before.
    """
    union = 0
    for values, states, target in _moves(data, at, vectors):
        if values & mask and states & reached:
            union |= target
    return union


def states_before(
    data: Numbers, at: int, vectors: int, mask: int, reached: int, good: int
) -> tuple[int, int]:
    """Return the reached states that have a move to a good state, and the values of such moves."""
    union = allowed = 0
    for values, states, target in _moves(data, at, vectors):
        if target & good and values & mask and states & reached:
            union |= states & reached
            allowed |= values
    return union, allowed


def states_shifted(data: Numbers, at: int, vectors: int, mask: int, reached: int) -> int:
    """Do the same as `states_behind` by shifts, moves of states that rise by the same number."""
    union = 0
    for values, states, rise in _moves(data, at, vectors):
        if values & mask:
            union |= _rotated(states & reached, rise)
    return union


def states_shifted_back(
    data: Numbers, at: int, vectors: int, mask: int, reached: int, good: int
) -> tuple[int, int]:
    """Do the same as `states_before` by shifts."""
    union = allowed = 0
    for values, states, rise in _moves(data, at, vectors):
        sources = _rotated(good, -rise) & states & reached
        if sources and values & mask:
            union |= sources
            allowed |= values
    return union, allowed


def _rotated(states: int, rise: int) -> int:
    """Return a set of 64 states that rise by a number, modulo 64."""
    states, rise = unsigned(states), rise & 63
    return unsigned(states << rise | states >> 64 - rise)


def _moves(data: Numbers, at: int, vectors: int) -> Iterator[tuple[int, int, int]]:
    for first in range(at, at + 3 * MOVES_AT_ONCE * vectors, 3 * MOVES_AT_ONCE):
        for index in range(first, first + MOVES_AT_ONCE):
            yield data[index], data[index + MOVES_AT_ONCE], data[index + 2 * MOVES_AT_ONCE]


def take_from(candidates: Numbers, block: int, cells: int, value: int) -> int:
    """Remove a value from cells of a block of 32; return the set of those that had it.

    Args:
        candidates: candidates of all cells, changed in place.
        block: index of the block: it has the cells from ``32 * block`` on.
        cells: the cells, as bits from the first of the block on.
        value: the value, as a set.
    """
    lost, first = 0, block * CELLS_AT_ONCE
    cells &= (1 << CELLS_AT_ONCE) - 1
    while cells:
        bit = cells & -cells
        cells ^= bit
        cell = first + lowest_bit(bit)
        old = candidates[cell]
        if old & value:
            candidates[cell] = old & ~value
            lost |= bit
    return lost


def take_all(
    candidates: Numbers,
    seen: Numbers,
    decided: Numbers,
    blocks: int,
    block: int,
    first: int,
    end: int,
) -> int:
    """Remove the values of decided cells from their peers in a block; return which lost one.

    Args:
        candidates: candidates of all cells, changed in place.
        seen: the peers of each cell: ``blocks`` numbers, each with 32 peers as bits.
        decided: a list of decided cells.
        blocks: number of blocks of 32 cells.
        block: index of the block.
        first: index in ``decided`` of the first cell used.
        end: index behind that of the last.
    """
    lost = 0
    pairs = [(decided[index], candidates[decided[index]]) for index in range(first, end)]
    for cell, value in pairs:
        lost |= take_from(candidates, block, seen[cell * blocks + block], value)
    return lost


def cells_within(candidates: Numbers, block: int, values: int) -> int:
    """Return the cells of a block of 32 that hold one of some values, as a set of bits.

    Args:
        candidates: candidates of all cells.
        block: index of the block.
        values: the values; a cell without candidates counts too.
    """
    first = block * CELLS_AT_ONCE
    within = [candidates[first + index] & ~values == 0 for index in range(CELLS_AT_ONCE)]
    return sum([1 << index for index, is_within in enumerate(within) if is_within])


def cells_with_few(candidates: Numbers, block: int) -> int:
    """Return the cells of a block of 32 that have two or three candidates, as a set of bits."""
    first = block * CELLS_AT_ONCE
    few = [1 < size_of(candidates[first + index]) < 4 for index in range(CELLS_AT_ONCE)]
    return sum([1 << index for index, has_few in enumerate(few) if has_few])


def cells_that_differ(candidates: Numbers, block: int, others: Numbers, at: int) -> int:
    """Return the cells of a block of 32 whose candidates are not those of another state, as bits.

    Args:
        candidates: candidates of all cells.
        block: index of the block.
        others: candidates of the other state, and numbers behind these up to the end of a block.
        at: index of its first cell.
    """
    first = block * CELLS_AT_ONCE
    cells = range(first, first + CELLS_AT_ONCE)
    differ = [candidates[cell] != others[at + cell] for cell in cells]
    return sum([1 << index for index, it_differs in enumerate(differ) if it_differs])


def has_unit_vectors() -> bool:
    """Return whether `units_with_work` may be called: not in Python, and not on all processors."""
    return False


def units_with_work(candidates: Numbers, data: Numbers, at: int, most: int) -> int:
    """Return which of `UNITS_AT_ONCE` units propagation can use, as a set of bits.

    These units have fewer values left than cells, which is a contradiction, or as many, one of
    which has only one place, in a cell with other candidates too.

    Args:
        candidates: candidates of all cells, at most 95, then of `NO_CELL`.
        data: a vector with the size of each unit, then vectors with a cell of each unit.
        at: index of the first vector.
        most: the largest size of a unit: so many vectors of cells follow.
    """
    raise NotImplementedError("expected has_unit_vectors() to be asked first")
