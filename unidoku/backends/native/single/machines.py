"""What machines are asked before they are searched: which states matter, and what they count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import and_
from typing import NamedTuple, TypeAlias

from unidoku.core.bits import all_values, bits_of, set_of
from unidoku.core.machine import Machine

__all__ = ["Counter", "Moves", "counter_of", "live", "moves_of", "required"]

Moves: TypeAlias = dict[int, int]
"""For each state that may come next the set of values by which it does."""

MOST_STATES_LOOKED_THROUGH = 40
"""States of a machine above which it is not asked which values it must read."""


class Counter(NamedTuple):
    """What a machine says that only counts one value.

    Args:
        value: counted from 0.
        least: times that it must read it.
        most: times that it may.
        is_flagged: whether the first cell tells if it is read at all: never by 1, else by 2.
    """

    value: int
    least: int
    most: int
    is_flagged: bool


@lru_cache(maxsize=256)
def counter_of(machine: Machine, length: int) -> Counter | None:
    """Return what a machine says of so many cells if it only counts one value."""
    if len(machine.steps) < 2:
        return None
    start = machine.starts.bit_length() - 1
    row = machine.steps[start]
    if (sum(targets != 1 << start for targets in row) > 1 and any(row[2:])) or (
        not machine.is_deterministic
    ):
        return None
    if (found := _counted(machine, start, length)) is not None:
        return Counter(*found, is_flagged=False)
    never, so_often, *others = [*machine.steps[start], 0]
    if any(others) or not (never and so_often):
        return None
    absent, there = (
        _counted(machine, one.bit_length() - 1, length - 1) for one in (never, so_often)
    )
    if absent is None or there is None:
        return None
    (_, _, none), (value, least, most) = absent, there
    same = absent[0] == value and none == 0 < least == most
    return Counter(value, least, most, is_flagged=True) if same else None


def _counted(machine: Machine, state: int, length: int) -> tuple[int, int, int] | None:
    """Return the value that a machine counts from a state on, and how often it may come."""
    value: int | None = None
    accepted: list[bool] = []
    while len(accepted) <= len(machine.steps):
        row = machine.steps[state]
        moves = [one for one, targets in enumerate(row) if targets != 1 << state]
        if len(moves) > 1 or (moves and value not in (None, moves[0])):
            return None
        accepted.append(bool(machine.accepting >> state & 1))
        if not moves or not row[moves[0]]:
            break
        (value,) = moves
        state = row[value].bit_length() - 1
    value = moves[0] if moves else value
    if value is None or True not in accepted:
        return None
    least = accepted.index(True)
    if not all(accepted[least:]):
        return None
    return value, least, len(accepted) - 1 if moves else length


@lru_cache(maxsize=256)
def moves_of(machine: Machine) -> list[Moves]:
    """Return the moves from each state: the states that come next, and by which values."""
    found = []
    for row in machine.steps:
        moves: dict[int, int] = {}
        for value, targets in enumerate(row):
            while targets:
                target = targets & -targets
                moves[target] = moves.get(target, 0) | 1 << value
                targets ^= target
        found.append({target.bit_length() - 1: values for target, values in moves.items()})
    return found


@lru_cache(maxsize=256)
def live(machine: Machine, length: int) -> tuple[int, ...]:
    """Return the states before each of so many cells, and behind, on some way to the end."""
    after = [set_of(moves) for moves in moves_of(machine)]
    before = [0] * len(after)
    for state, moves in enumerate(moves_of(machine)):
        for target in moves:
            before[target] |= 1 << state
    reached = _followed(machine.starts, after, length)
    ends = reached[length] & machine.accepting
    back = _followed(ends, before, length)
    return tuple(map(and_, reached, reversed(back)))


def _followed(states: int, links: Sequence[int], times: int) -> list[int]:
    """Return sets of states that follow each other, by what follows each state."""
    followed = [states]
    known: dict[int, int] = {}
    for _ in range(times):
        if states not in known:
            known[states] = _united([links[state] for state in bits_of(states)])
        states = known[states]
        followed.append(states)
    return followed


@lru_cache(maxsize=256)
def required(machine: Machine, length: int) -> int:
    """Return the values without which a machine does not accept so many cells.

    Of a machine of many states none: to look for them would take long.
    """
    if len(machine.steps) > MOST_STATES_LOOKED_THROUGH:
        return 0
    everything = all_values(max(map(len, machine.steps), default=0))
    good = live(machine, length)
    moves = [[*one.items()] for one in moves_of(machine)]
    needed = dict.fromkeys(bits_of(good[length]), 0)  # from each state on, by all ways to the end
    for states in reversed(good[:length]):
        sooner = {}
        for state in bits_of(states):
            by_all = everything
            for target, values in moves[state]:
                if target in needed:
                    alone = 0 if values & (values - 1) else values
                    by_all &= needed[target] | alone
            sooner[state] = by_all
        needed = sooner
    return _common([needed[state] for state in bits_of(good[0])], everything)


def _common(sets: Iterable[int], common: int) -> int:
    for held in sets:
        common &= held
    return common


def _united(sets: Iterable[int]) -> int:
    united = 0
    for held in sets:
        united |= held
    return united
