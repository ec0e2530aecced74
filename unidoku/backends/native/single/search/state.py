"""The arrays of a search, and how a cell is narrowed.

All functions of the search are translated to machine code, see
`unidoku.backends.native.compiler.translator`; arrays are pointers.
"""

from __future__ import annotations

from typing import NamedTuple

from unidoku.backends.native.compiler.intrinsics import (
    CELLS_AT_ONCE,
    Numbers,
    bytes_at,
    join,
    mirrored,
    numbers_at,
    short_numbers_at,
    zeros_above,
)
from unidoku.backends.native.single.search.kinds import MAX_VALUES
from unidoku.backends.native.single.search.registers import Register

_NOT_NEGATIVE = (1 << 63) - 1

CONTRADICTION, MORE_MAY_FOLLOW, ALL_THAT_FOLLOWS = 0, 1, 2
"""The result of a propagator if it matters whether another run would find more."""


class Search(NamedTuple):
    """The arrays of a search, as pointers."""

    registers: Numbers
    candidates: Numbers
    data: Numbers
    rows: Numbers
    kinds: Numbers
    watch: Numbers
    seen: Numbers
    queue: Numbers
    decided: Numbers
    weights: Numbers
    work: Numbers
    stack: Numbers
    guesses: Numbers
    grids: Numbers


def reversed_bits(values: int) -> int:
    """Return a set of values in the opposite order: 0 becomes the largest possible value."""
    return (mirrored(values) >> 1) & _NOT_NEGATIVE


def highest_bit(number: int) -> int:
    """Return the place of the highest bit of a number that is not 0."""
    return 63 - zeros_above(number)


def up_to(value: int) -> int:
    """Return the set of values up to a value, inclusive; all values if it is large."""
    return -1 if value >= MAX_VALUES else (2 << value) - 1


def from_value(value: int) -> int:
    """Return the set of values from a value on; all if it is negative, none if it is large."""
    return 0 if value > MAX_VALUES else ~((1 << max(value, 0)) - 1)


def shifted(values: int, distance: int) -> int:
    """Return a set of values that are larger by a distance, or smaller if that is negative."""
    return values << distance if distance >= 0 else values >> -distance


def first_bits(count: int) -> int:
    """Return the set of the first bits: none if the count is negative, at most 64."""
    return -1 if count >= 64 else (1 << max(count, 0)) - 1


def search_at(registers_at: int) -> Search:
    """Return the arrays of a search."""
    r = numbers_at(registers_at)
    return Search(
        r,
        numbers_at(r[Register.CANDIDATES_AT]),
        numbers_at(r[Register.DATA_AT]),
        numbers_at(r[Register.ROWS_AT]),
        numbers_at(r[Register.KINDS_AT]),
        numbers_at(r[Register.WATCH_AT]),
        short_numbers_at(r[Register.SEEN_AT]),
        numbers_at(r[Register.QUEUE_AT]),
        numbers_at(r[Register.DECIDED_AT]),
        numbers_at(r[Register.WEIGHTS_AT]),
        numbers_at(r[Register.WORK_AT]),
        numbers_at(r[Register.STACK_AT]),
        numbers_at(r[Register.GUESSES_AT]),
        bytes_at(r[Register.GRIDS_AT]),
    )


def start_of(s: Search) -> tuple[Numbers, Numbers]:
    """Return the initial weights, and the candidates that rules leave to each cell."""
    return numbers_at(s.registers[Register.START_AT]), numbers_at(
        s.registers[Register.ROOT_DOMAINS_AT]
    )


def blocks_of(s: Search) -> int:
    """Return the number of blocks of cells that vectors hold."""
    return (s.registers[Register.CELLS] + CELLS_AT_ONCE - 1) // CELLS_AT_ONCE


def more_may_follow(fits: int) -> int:
    """Return the result of a propagator from whether its constraint can hold."""
    return MORE_MAY_FOLLOW if fits else CONTRADICTION


def all_that_follows(fits: int) -> int:
    """Return the result of a propagator that finds all deductions."""
    return ALL_THAT_FOLLOWS if fits else CONTRADICTION


def wake(s: Search, cell: int) -> None:
    """Put the constraints on a cell into the queue."""
    words = s.registers[Register.WORDS]
    if words == 1:
        s.queue[0] |= s.watch[2 * cell]
    else:
        join(s.queue, 0, s.watch, 2 * cell * words, words)


def wake_once_decided(s: Search, cell: int) -> None:
    """Put the constraints that only a decided cell wakes into the queue."""
    words = s.registers[Register.WORDS]
    at = (2 * cell + 1) * words
    for word in range((s.registers[Register.EXCLUSIONS] + 63) >> 6):
        s.queue[word] |= s.watch[at + word]


def leave(s: Search, constraint: int) -> None:
    """Remove a constraint from the queue."""
    s.queue[constraint >> 6] &= ~(1 << (constraint & 63))


def decide(s: Search, cell: int) -> None:
    """Record a newly decided cell, whose value is to be removed from its peers."""
    s.decided[s.registers[Register.DECIDED]] = cell
    s.registers[Register.DECIDED] += 1


def narrow(s: Search, cell: int, allowed: int) -> None:
    """Give a cell fewer candidates, at least one; they must differ from the current ones."""
    s.candidates[cell] = allowed
    if allowed & (allowed - 1) == 0:
        decide(s, cell)
    wake(s, cell)


def keep(s: Search, cell: int, allowed: int) -> bool:
    """Keep only the allowed candidates of a cell; return whether any are left."""
    old = s.candidates[cell]
    mask = old & allowed
    if mask != old:
        if mask == 0:
            return False
        narrow(s, cell, mask)
    return True
