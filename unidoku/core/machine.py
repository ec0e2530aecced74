"""Automata that read the values of cells in order.

A machine is kept in one form: without states that no line passes, states with the same future
merged (bisimulation), and numbered by what they do. So equal machines are mostly one object,
and what is made of a machine is made once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from unidoku.core.bits import bits_of, mask_of
from unidoku.errors import LayoutError

__all__ = [
    "MOST_STATES",
    "Machine",
    "Transition",
    "machine_of",
    "machine_of_steps",
    "reversed_in",
    "united",
]

Transition: TypeAlias = tuple[int, int, int]
"""A state, a value, and a state that may come next."""

MOST_STATES = 20_000
"""More states than any rule met has had; a step function without end is stopped there."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A finite automaton, nondeterministic; sets of states are ints, as sets of values are.

    Args:
        starts: the states in which it may start.
        accepting: the states in which it may end.
        steps: for each state and value, ``steps[state][value - 1]``, the states that may come next.
    """

    starts: int
    accepting: int
    steps: tuple[tuple[int, ...], ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the hash once: machines are keys of caches."""
        object.__setattr__(self, "_hash", hash((self.starts, self.accepting, self.steps)))

    def __hash__(self) -> int:
        """Return the hash."""
        return self._hash

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """All steps, one by one."""
        return tuple(
            (state, value, target)
            for state, row in enumerate(self.steps)
            for value, targets in enumerate(row, start=1)
            for target in bits_of(targets)
        )

    @property
    def is_deterministic(self) -> bool:
        """Whether it is in one state at most, whatever it has read."""
        sets = (self.starts, *[states for row in self.steps for states in row])
        return not any(states & (states - 1) for states in sets)

    def after(self, states: int, value: int) -> int:
        """Return the states that may come after any of some states, by a value."""
        reached = 0
        for state in bits_of(states):
            reached |= self.steps[state][value - 1]
        return reached

    def accepts(self, values: Iterable[int]) -> bool:
        """Return whether it accepts a line of values."""
        states = self.starts
        for value in values:
            states = self.after(states, value)
        return bool(states & self.accepting)


def machine_of_steps(
    n: int,
    start: Hashable,
    step: Callable[[Any, int], Hashable | None],
    accept: Callable[[Any], object],
    first_value: int = 1,
) -> Machine:
    """Return the machine of a step function, by all states that it comes to.

    >>> rising = machine_of_steps(3, 0, lambda last, v: v if v > last else None, lambda last: True)
    >>> rising.accepts([1, 3]), rising.accepts([3, 1])
    (True, False)

    Args:
        n: values are 1 to n.
        start: the first state, anything hashable.
        step: from a state and a value to the next state, None if there is none.
        accept: tells whether a line may end in a state.
        first_value: what the step function is told for a 1.

    Raises:
        LayoutError: there are more than `MOST_STATES` states.
    """
    numbers: dict[Hashable, int] = {start: 0}
    states = [start]
    transitions: list[Transition] = []
    for number, state in enumerate(states):  # which grows meanwhile
        for value in range(1, n + 1):
            target = step(state, value + first_value - 1)
            if target is None:
                continue
            if target not in numbers:
                if len(states) >= MOST_STATES:
                    raise LayoutError(f"expected at most {MOST_STATES} states of a line, got more")
                numbers[target] = len(states)
                states.append(target)
            transitions.append((number, value, numbers[target]))
    ends = [number for number, state in enumerate(states) if accept(state)]
    return machine_of(n, [0], ends, transitions)


def machine_of(
    n: int, starts: Iterable[int], accepting: Iterable[int], transitions: Iterable[Transition]
) -> Machine:
    """Return the machine with these transitions, in its one form."""
    begin, ends, steps = set(starts), set(accepting), list(transitions)
    on: defaultdict[int, set[int]] = defaultdict(set)
    back: defaultdict[int, set[int]] = defaultdict(set)
    for state, _, target in steps:
        on[state].add(target)
        back[target].add(state)
    kept = _closure(begin, on) & _closure(ends, back)
    out: dict[int, list[set[int]]] = {state: [set() for _ in range(n)] for state in kept}
    for state, value, target in steps:
        if state in kept and target in kept:
            out[state][value - 1].add(target)
    class_of = _classes(out, ends)
    one_of = {number: state for state, number in class_of.items()}
    made = tuple(
        tuple(_mask(class_of[target] for target in targets) for targets in out[one_of[number]])
        for number in range(len(one_of))
    )
    return _interned(
        Machine(
            _mask(class_of[state] for state in begin & kept),
            _mask(class_of[state] for state in ends & kept),
            made,
        )
    )


@lru_cache(maxsize=256)
def united(machines: tuple[Machine, ...]) -> Machine:
    """Return the machine that accepts what any of some machines of one board accepts."""
    n, names = 0, 0
    starts: list[int] = []
    ends: list[int] = []
    steps: list[Transition] = []
    for machine in machines:
        n = max(n, *map(len, machine.steps[:1]), 0)
        starts += [names + state for state in bits_of(machine.starts)]
        ends += [names + state for state in bits_of(machine.accepting)]
        steps += [(names + a, value, names + b) for a, value, b in machine.transitions]
        names += len(machine.steps)
    return machine_of(n, starts, ends, steps)


def reversed_in(machine: Machine) -> Machine:
    """Return the machine that reads n + 1 - v where this one reads v."""
    n = len(machine.steps[0]) if machine.steps else 0
    turned = [(state, n + 1 - value, target) for state, value, target in machine.transitions]
    return machine_of(n, bits_of(machine.starts), bits_of(machine.accepting), turned)


def _closure(states: Iterable[int], on: dict[int, set[int]]) -> set[int]:
    """Return all states that are reached from some."""
    found = set(states)
    todo = list(found)
    while todo:
        for target in on.get(todo.pop(), ()):
            if target not in found:
                found.add(target)
                todo.append(target)
    return found


def _classes(out: dict[int, list[set[int]]], ends: set[int]) -> dict[int, int]:
    """Return the class of each state: those that do the same are in one.

    Classes are numbered by what their states do, so that the names of states play no part.
    """
    class_of = {state: int(state in ends) for state in out}
    count = 0
    while count < (count := len(set(class_of.values()))):
        does = {
            state: (
                class_of[state],
                tuple([tuple(sorted({class_of[t] for t in targets})) for targets in row]),
            )
            for state, row in out.items()
        }
        ranks = {signature: rank for rank, signature in enumerate(sorted(set(does.values())))}
        class_of = {state: ranks[signature] for state, signature in does.items()}
    return class_of


def _mask(states: Iterable[int]) -> int:
    return mask_of(state + 1 for state in states)


@lru_cache(maxsize=1024)
def _interned(machine: Machine) -> Machine:
    """Return the one object of equal machines: many lines have the same."""
    return machine
