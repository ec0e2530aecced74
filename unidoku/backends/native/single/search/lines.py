"""Propagators of tables and automata: sets of rows, and of states, as bits."""

from __future__ import annotations

from unidoku.backends.native.compiler.intrinsics import (
    join,
    lowest_bit,
    meet,
    shared,
    states_before,
    states_behind,
    states_shifted,
    states_shifted_back,
    unsigned,
)
from unidoku.backends.native.single.search.kinds import StepForm
from unidoku.backends.native.single.search.registers import Register
from unidoku.backends.native.single.search.rows import line_row, table_row
from unidoku.backends.native.single.search.state import Search, keep


def table(s: Search, row: int) -> bool:
    """Keep the values that occur in some row whose values are all left."""
    size, cells, words, at = table_row(s, row)
    values = s.registers[Register.VALUES]
    s.registers[Register.TICKS] += size * words >> 1
    for word in range(words):
        s.work[word] = -1
    for index in range(size):
        for word in range(words, 2 * words):
            s.work[word] = 0
        left = s.candidates[s.data[cells + index]]
        while left:
            first = at + (index * values + lowest_bit(left)) * words
            left &= left - 1
            join(s.work, words, s.data, first, words)
        meet(s.work, 0, s.work, words, words)
    for index in range(size):
        cell = s.data[cells + index]
        left = s.candidates[cell]
        allowed = 0
        while left:
            value = left & -left
            left ^= value
            first = at + (index * values + lowest_bit(value)) * words
            allowed |= value if shared(s.work, 0, s.data, first, words) else 0
        if not keep(s, cell, allowed):
            return False
    return True


def apart(s: Search, row: int) -> bool:
    """Narrow two lines, cells of both in turn, that must not be equal.

    If they can differ in only one place, the cells there must differ.
    """
    cell = other = -1
    for index in range(row + 1, row + 1 + s.data[row], 2):
        candidates, other_candidates = s.candidates[s.data[index]], s.candidates[s.data[index + 1]]
        if candidates & other_candidates == 0:
            return True
        if candidates & (candidates - 1) or candidates != other_candidates:
            if cell >= 0:
                return True
            cell, other = s.data[index], s.data[index + 1]
    if cell < 0:
        return False
    candidates, other_candidates = s.candidates[cell], s.candidates[other]
    if candidates & (candidates - 1) == 0:
        return keep(s, other, ~candidates)
    return other_candidates & (other_candidates - 1) != 0 or keep(s, cell, ~other_candidates)


def differ_where(s: Search, row: int) -> bool:
    """Narrow two cells that differ if another holds a value, or that cell if they cannot."""
    value = s.data[row + 4]
    where, cell, other = s.data[row + 1], s.data[row + 2], s.data[row + 3]
    candidates, other_candidates = s.candidates[cell], s.candidates[other]
    if s.candidates[where] & value == 0:
        return True
    if s.candidates[where] != value:
        return (
            candidates != other_candidates
            or candidates & (candidates - 1) != 0
            or keep(s, where, ~value)
        )
    if candidates & (candidates - 1) == 0 and not keep(s, other, ~candidates):
        return False
    other_candidates = s.candidates[other]
    return other_candidates & (other_candidates - 1) != 0 or keep(s, cell, ~other_candidates)


def indexed(s: Search, row: int) -> bool:
    """Narrow a place on a line, the value there, and the cell at the place if that is known."""
    end = row + 1 + s.data[row]
    where, value, line, surplus = s.data[row + 1], s.data[row + 2], row + 3, s.data[end]
    left, values = s.candidates[where], s.candidates[value]
    indices = shared = 0
    at_place = -1
    while left:
        bit = left & -left
        left ^= bit
        at = line + lowest_bit(bit) + surplus
        if line <= at < end:
            cell = s.data[at]
            common = values & (bit if cell == where else s.candidates[cell])
            if common:
                indices |= bit
                shared |= common
                at_place = cell
    if not (indices and keep(s, where, indices) and keep(s, value, shared)):
        return False
    return indices & (indices - 1) != 0 or keep(s, at_place, shared)


def automaton(s: Search, row: int) -> int:
    """Keep the values on some path through the machine, from a first to an accepting state.

    No step leads from one part to another, so the values on some path are those on some path
    through any part. The four numbers of a part are those that `_read` takes, places counted from
    the table.
    """
    size, cells, table, words, count, parts = line_row(s, row)
    s.registers[Register.TICKS] += size * words >> 1  # many states take long
    for index in range(size):
        s.work[index] = 0
    fits = False
    for part in range(parts, parts + 4 * count, 4):
        live, at = table + s.data[part + 2], table + s.data[part + 3]
        fits |= _read(s, row, s.data[part], s.data[part + 1], live, at)
    if fits:
        for index in range(size - 1, -1, -1):
            fits &= keep(s, s.data[cells + index], s.work[index])
    return fits


def _read(s: Search, row: int, way: int, count: int, live: int, at: int) -> bool:
    """Add the values on paths through a part of a machine; return whether there is a path.

    Args:
        s: the search.
        row: the place of its row.
        way: form in which its steps are written, see `StepForm`.
        count: number of steps, or of vectors of them; for `StepForm.ONE_BY_ONE`, words of a set.
        live: the place of the sets of possible states before each cell and after the last.
        at: the place of the steps, or of where those of each state begin, counted from there.
    """
    if way == StepForm.ONE_BY_ONE:
        if count == 1:
            return _of_few_states(s, row, live, at)
        return _one_by_one(s, row, count, live, at)
    size = s.data[row]
    states = s.data[live]
    for index in range(size):
        s.work[size + index] = states
        mask = s.candidates[s.data[row + 1 + index]]
        if way == StepForm.SHIFTS:
            next_states = states_shifted(s.data, at, count, mask, states)
        else:
            next_states = states_behind(s.data, at, count, mask, states)
        states = next_states & s.data[live + index + 1]
        if states == 0:
            return False
    for index in range(size - 1, -1, -1):
        next_states, before = states, s.work[size + index]
        mask = s.candidates[s.data[row + 1 + index]]
        if way == StepForm.SHIFTS:
            states, allowed = states_shifted_back(s.data, at, count, mask, before, next_states)
        else:
            states, allowed = states_before(s.data, at, count, mask, before, next_states)
        s.work[index] |= allowed
    return True


def _of_few_states(s: Search, row: int, live: int, states: int) -> bool:
    """Do what `_read` does by the transitions of each state; a set of states is one number."""
    size = s.data[row]
    current = s.data[live]
    for index in range(size):
        s.work[size + index] = current
        left = unsigned(current)
        mask = s.candidates[s.data[row + 1 + index]]
        current = 0
        while left:
            state = states + lowest_bit(left)
            left &= left - 1
            for step in range(states + s.data[state], states + s.data[state + 1], 2):
                current |= 1 << s.data[step + 1] if s.data[step] & mask else 0
        current &= s.data[live + index + 1]
        if current == 0:
            return False
    for index in range(size - 1, -1, -1):
        mask = s.candidates[s.data[row + 1 + index]]
        left, later = unsigned(s.work[size + index]), current
        current = allowed = 0
        while left:
            bit = left & -left
            state = states + lowest_bit(bit)
            left ^= bit
            for step in range(states + s.data[state], states + s.data[state + 1], 2):
                if s.data[step] & mask and later >> s.data[step + 1] & 1:
                    current |= bit
                    allowed |= s.data[step]
        s.work[index] |= allowed
    return True


def _one_by_one(s: Search, row: int, words: int, live: int, states: int) -> bool:
    """Do what `_read` does by the transitions of each state; a set of states is several words."""
    work, size = s.work, s.data[row]
    for word in range(words):
        work[size + word] = s.data[live + word]
    for word in range(size + words, size + (size + 1) * words):
        work[word] = 0
    for index in range(size):
        mask = s.candidates[s.data[row + 1 + index]]
        current, later = size + index * words, size + (index + 1) * words
        for word in range(words):
            left = unsigned(work[current + word])
            while left:
                state = states + word * 64 + lowest_bit(left)
                left &= left - 1
                for step in range(states + s.data[state], states + s.data[state + 1], 2):
                    if s.data[step] & mask:
                        target = s.data[step + 1]
                        work[later + (target >> 6)] |= 1 << (target & 63)
        alive = 0
        for word in range(words):
            work[later + word] &= s.data[live + (index + 1) * words + word]
            alive |= work[later + word]
        if alive == 0:
            return False
    for index in range(size - 1, -1, -1):
        mask = s.candidates[s.data[row + 1 + index]]
        current, later = size + index * words, size + (index + 1) * words
        allowed = 0
        for word in range(words):
            left, good = unsigned(work[current + word]), 0
            while left:
                bit = left & -left
                state = states + word * 64 + lowest_bit(bit)
                left ^= bit
                for step in range(states + s.data[state], states + s.data[state + 1], 2):
                    target = s.data[step + 1]
                    if s.data[step] & mask and work[later + (target >> 6)] >> (target & 63) & 1:
                        good |= bit
                        allowed |= s.data[step]
            work[current + word] = good
        work[index] |= allowed
    return True
