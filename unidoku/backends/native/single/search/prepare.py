"""Tables for each cell, derived from the rows of all constraints once for a layout.

They list which constraints a cell wakes, which cells are its peers by rules, and its weight.
"""

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import CELLS_AT_ONCE, lowest_bit, size_of, unsigned
from unidoku.backends.native.single.search.kinds import (
    FAILURE_WEIGHT,
    PEER_WEIGHT,
    REGION_WEIGHT,
    UNGROUPED,
    Propagator,
)
from unidoku.backends.native.single.search.registers import Register
from unidoku.backends.native.single.search.rows import sum_row
from unidoku.backends.native.single.search.runs import visible
from unidoku.backends.native.single.search.state import Search, blocks_of, start_of
from unidoku.backends.native.single.search.units import list_units


def prepare(s: Search) -> None:
    """Fill the arrays of a layout, which so far contain only the peers by units.

    The rows of rules come behind those of units and all tables. Where these end is in the register
    of the number of solutions, for this call only, and is added here to where each row begins.
    Those of units are negative, ``~row``.
    """
    r = s.registers
    for constraint in range(r[Register.CONSTRAINTS]):
        row = s.rows[constraint]
        s.rows[constraint] = ~row if row < 0 else row + r[Register.COUNT]
    r[Register.COUNT] = 0
    list_units(s)
    (weights, _), words = start_of(s), r[Register.WORDS]
    for constraint in range(r[Register.CONSTRAINTS]):
        kind, row = s.kinds[constraint], s.rows[constraint]
        size = s.data[row]
        word, bit = constraint >> 6, 1 << (constraint & 63)
        if kind <= Propagator.EXCLUSION:
            word += words
        one_way = kind <= Propagator.RELATION
        for index in range(row + 1, row + 1 + (1 if one_way else size)):
            cell = s.data[index]
            at = 2 * cell * words + word
            if s.watch[at] & bit == 0:  # a line may read a cell again
                s.watch[at] |= bit
                weights[cell] += _weight_of(s, kind, row, index)
    for constraint in range(r[Register.CONSTRAINTS]):
        kind, row = s.kinds[constraint], s.rows[constraint]
        size = s.data[row]
        cage = kind == Propagator.UNIT and constraint >= r[Register.CAGES_BEGIN]
        if cage or kind == Propagator.SETS:
            _differ(s, row + 1, size)
        elif kind == Propagator.SUM:
            _, _, _, _, _, _, at = sum_row(s, row)
            if s.data[at] == UNGROUPED:
                _group(s, row, words)
            for _ in range(s.data[at]):
                _differ(s, at + 3, s.data[at + 2])
                at += 2 + s.data[at + 2]
    for pair in range(r[Register.PAIRS_AT], r[Register.PAIRS_AT] + 2 * r[Register.PAIRS], 2):
        _differ(s, pair, 2)
    blocks = blocks_of(s)
    for cell in range(r[Register.CELLS]):
        for block in range(cell * blocks, (cell + 1) * blocks):
            weights[cell] += PEER_WEIGHT * size_of(s.seen[block] & 0xFFFFFFFF)
        weights[cell] = max(weights[cell], 1)


def _weight_of(s: Search, kind: int, row: int, index: int) -> int:
    """Return what a constraint first adds to the weight of a cell of its row."""
    if kind == Propagator.REGION:
        return REGION_WEIGHT
    if kind == Propagator.DIVISION:
        places = s.data[row + 1 + s.data[row]]
        return FAILURE_WEIGHT if index <= row + 2 * places else 0
    if kind == Propagator.RUN and index > row + visible(s, row):
        return 0
    return FAILURE_WEIGHT


def _differ(s: Search, at: int, size: int) -> None:
    """Make that many cells of a row peers of each other."""
    blocks = blocks_of(s)
    for index in range(at, at + size):
        for other in range(at, at + size):
            peer = s.data[other]
            if index != other:
                block = s.data[index] * blocks + peer // CELLS_AT_ONCE
                s.seen[block] |= 1 << peer % CELLS_AT_ONCE


def _group(s: Search, row: int, words: int) -> None:
    """Divide the terms of a sum into groups of equal weight whose cells differ; none if no two do.

    A group is the largest number of remaining terms in one unit or cage. After the room for the
    groups there is a number for each term: whether it is in a group.
    """
    size, _, _, _, _, weights, groups = sum_row(s, row)
    at, taken = groups + 1, groups + 1 + 3 * size
    count, first = 0, 0
    while first < size:
        if s.data[taken + first]:
            first += 1
            continue
        constraint = _with_most_terms(s, row, first, words)
        s.data[at], s.data[at + 1] = s.data[weights + first], 0
        for term in range(first, size):
            cell = s.data[row + 1 + term]
            if _is_left(s, row, first, term) and (
                term == first if constraint < 0 else _is_on(s, cell, constraint, words)
            ):
                s.data[at + 2 + s.data[at + 1]] = cell
                s.data[at + 1] += 1
                s.data[taken + term] = 1
        at += 2 + s.data[at + 1]
        count += 1
    s.data[groups] = count if count < size else 0


def _with_most_terms(s: Search, row: int, first: int, words: int) -> int:
    """Return the unit or cage with the most remaining terms of a weight, or -1."""
    size, most, best = s.data[row], 0, -1
    for term in range(first, size):
        if not _is_left(s, row, first, term):
            continue
        for word in range(words):
            left = unsigned(s.watch[2 * s.data[row + 1 + term] * words + word])
            while left:
                constraint = word * 64 + lowest_bit(left)
                left &= left - 1
                if _differs(s, constraint):
                    terms = 0
                    for other in range(first, size):
                        terms += _is_left(s, row, first, other) and _is_on(
                            s, s.data[row + 1 + other], constraint, words
                        )
                    if terms > most or (terms == most and constraint < best):
                        most, best = terms, constraint
    return best


def _differs(s: Search, constraint: int) -> bool:
    """Return whether all cells of a constraint differ, as in a unit, a cage and some sums."""
    kind, row = s.kinds[constraint], s.rows[constraint]
    if kind == Propagator.SUM:
        size, _, _, _, _, _, groups = sum_row(s, row)
        return s.data[groups] == 1 and s.data[groups + 2] == size
    return kind == Propagator.UNIT or kind == Propagator.SETS


def _is_left(s: Search, row: int, first: int, term: int) -> bool:
    """Return whether a term is in no group yet and has the weight of the first such term."""
    size, _, _, _, _, weights, groups = sum_row(s, row)
    taken = groups + 1 + 3 * size
    return s.data[taken + term] == 0 and s.data[weights + term] == s.data[weights + first]


def _is_on(s: Search, cell: int, constraint: int, words: int) -> bool:
    """Return whether a constraint is on a cell."""
    return s.watch[2 * cell * words + (constraint >> 6)] >> (constraint & 63) & 1 != 0
