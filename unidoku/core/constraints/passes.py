"""Cached steps of machines through sets of values, for pruning."""

from __future__ import annotations

from unidoku.core.bits import bits_of, values_of
from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine
from unidoku.support.deadline import check_time_limit


class Passes:
    """The steps of a machine through sets of values, cached for all lines that use it."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.forth: dict[tuple[int, int], int] = {}
        self.back: dict[tuple[int, int, int], tuple[int, int]] = {}

    def ahead(self, states: int, values: int) -> int:
        """Return the states after any of some states, by any of some values."""
        reached = 0
        for value in values_of(values):
            check_time_limit()
            reached |= self.machine.after(states, value)
        if len(self.forth) >= _MOST_STEPS:
            self.forth.clear()
        self.forth[states, values] = reached
        return reached

    def behind(self, states: int, values: int, after: int) -> tuple[int, int]:
        """Return the states from which some value leads on, and the values that never lead on."""
        useful = gone = 0
        for value in values_of(values):
            check_time_limit()
            leading = 0
            for state in bits_of(states):
                if self.machine.steps[state][value - 1] & after:
                    leading |= 1 << state
            useful |= leading
            if not leading:
                gone |= 1 << value - 1
        if len(self.back) >= _MOST_STEPS:
            self.back.clear()
        self.back[states, values, after] = useful, gone
        return useful, gone


_MOST_STEPS = 1 << 13
"""The largest number of cached steps of a machine in each direction."""


@number_cache(maxsize=128)
def passes_of(machine: Machine) -> Passes:
    """Return the passes of a machine, which all lines that use it share."""
    return Passes(machine)
