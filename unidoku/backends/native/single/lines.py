"""Propagators of tables and automata: sets of rows, and of states, as bits."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
# Numba infers the types here and provides none for mypy.

from __future__ import annotations

import numpy as np

from unidoku.backends.native.single import registers as reg
from unidoku.backends.native.single.state import ONE, compiled, keep, lowest_bit
from unidoku.backends.native.single.vector import states_before, states_behind


@compiled
def table(s, row):
    """Keep the values that occur in some row whose values are all left."""
    size, values = s.data[row], s.registers[reg.VALUES]
    words, at = s.data[row + size + 1], s.data[row + size + 2]
    s.registers[reg.TICKS] += size * words >> 1
    some_row = np.int64(0)
    for word in range(words):
        rows = np.int64(-1)
        for place in range(size):
            left = s.candidates[s.data[row + 1 + place]]
            held = np.int64(0)
            while left:
                value = lowest_bit(left)
                left &= left - 1
                held |= s.data[at + (place * values + value) * words + word]
            rows &= held
        s.work[word] = rows
        some_row |= rows
    if some_row == 0:
        return False
    for place in range(size):
        cell = s.data[row + 1 + place]
        left = s.candidates[cell]
        kept = np.int64(0)
        while left:
            value = lowest_bit(left)
            left &= left - 1
            first = at + (place * values + value) * words
            for word in range(words):
                if s.work[word] & s.data[first + word]:
                    kept |= ONE << value
                    break
        if not keep(s, cell, kept):
            return False
    return True


@compiled
def automaton(s, row):
    """Keep the values on some path through the machine, from a first to an accepting state.

    A row: number of cells, the cells, words of a set of states, vectors of moves, the place of the
    sets of possible states before each cell and after the last, and the place of its moves or, if
    they are not vectors, of where the transitions of each state begin. A move is a set of values, a
    set of states, and a state as a set; a transition is a set of values and a state.
    """
    size = s.data[row]
    words, live, states = s.data[row + size + 1], s.data[row + size + 3], s.data[row + size + 4]
    work = s.work
    s.registers[reg.TICKS] += (
        size * words >> 1
    )  # many states take so long that the clock has to be checked sooner
    if s.data[row + size + 2]:
        return _all_moves(s, row, s.data[row + size + 2], live, states)
    if words == 1:
        return _of_few_states(s, row, live, states)
    for word in range(words):
        work[word] = s.data[live + word]
    for word in range(words, (size + 1) * words):
        work[word] = 0
    for place in range(size):
        mask = s.candidates[s.data[row + 1 + place]]
        here, there = place * words, (place + 1) * words
        for word in range(words):
            left = work[here + word]
            while left:
                state = states + word * 64 + lowest_bit(left)
                left &= left - 1
                for step in range(s.data[state], s.data[state + 1], 2):
                    if s.data[step] & mask:
                        target = s.data[step + 1]
                        work[there + (target >> 6)] |= ONE << (target & 63)
        alive = np.int64(0)
        for word in range(there, there + words):
            work[word] &= s.data[live + word]
            alive |= work[word]
        if alive == 0:
            return False
    return _backwards(s, row, words, states)


@compiled
def _of_few_states(s, row, live, states):
    """Do the same with sets of states that are one number."""
    size = s.data[row]
    here = s.data[live]
    for place in range(size):
        s.work[place] = left = here
        mask = s.candidates[s.data[row + 1 + place]]
        here = np.int64(0)
        while left:
            state = states + lowest_bit(left)
            left &= left - 1
            for step in range(s.data[state], s.data[state + 1], 2):
                here |= ONE << s.data[step + 1] if s.data[step] & mask else np.int64(0)
        here &= s.data[live + place + 1]
        if here == 0:
            return False
    for place in range(size - 1, -1, -1):
        cell = s.data[row + 1 + place]
        mask = s.candidates[cell]
        left, there = s.work[place], here
        here = kept = np.int64(0)
        while left:
            own = left & -left
            state = states + lowest_bit(own)
            left ^= own
            for step in range(s.data[state], s.data[state + 1], 2):
                if s.data[step] & mask and there >> s.data[step + 1] & 1:
                    here |= own
                    kept |= s.data[step]
        if not keep(s, cell, kept):
            return False
    return True


@compiled
def _all_moves(s, row, vectors, live, moves):
    """Do the same with all moves at once, eight in a vector."""
    size = s.data[row]
    states = s.data[live]
    for place in range(size):
        s.work[place] = states
        mask = s.candidates[s.data[row + 1 + place]]
        states = states_behind(s.data, moves, vectors, mask, states) & s.data[live + place + 1]
        if states == 0:
            return False
    for place in range(size - 1, -1, -1):
        cell = s.data[row + 1 + place]
        mask = s.candidates[cell]
        states, kept = states_before(s.data, moves, vectors, mask, s.work[place], states)
        if not keep(s, cell, kept):
            return False
    return True


@compiled
def _backwards(s, row, words, states):
    """Leave the values that lead from the states reached to those that are reached after them."""
    work = s.work
    for place in range(s.data[row] - 1, -1, -1):
        cell = s.data[row + 1 + place]
        mask = s.candidates[cell]
        here, there = place * words, (place + 1) * words
        kept = np.int64(0)
        for word in range(words):
            left, good = work[here + word], np.int64(0)
            while left:
                own = left & -left
                state = states + word * 64 + lowest_bit(own)
                left ^= own
                for step in range(s.data[state], s.data[state + 1], 2):
                    target = s.data[step + 1]
                    if s.data[step] & mask and work[there + (target >> 6)] >> (target & 63) & 1:
                        good |= own
                        kept |= s.data[step]
            work[here + word] = good
        if not keep(s, cell, kept):
            return False
    return True
