"""Propagators of tables and automata: sets of rows, and of states, as bits."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
# Numba infers the types here, and has none for mypy.

from __future__ import annotations

import numpy as np

from unidoku.backends.native.single import registers as reg
from unidoku.backends.native.single.state import ONE, compiled, keep, lowest_bit


@compiled
def table(s, row):
    """Leave the values that some row holds of those whose values are all left."""
    size, values = s.data[row], s.registers[reg.VALUES]
    words, at = s.data[row + size + 1], s.data[row + size + 2]
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
    """Leave the values on some way through the machine, from a first state to one that accepts.

    A row: how many cells, the cells, words of a set of states, the place of the sets of states that
    it may be in before each cell and behind the last, and of where the transitions of each state
    begin. A transition is a set of values and a state.
    """
    size = s.data[row]
    words, live, states = s.data[row + size + 1], s.data[row + size + 2], s.data[row + size + 3]
    work = s.work
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
