"""Automata that read the values of cells in order.

A machine has a canonical form: without states that no accepted line passes, with states of the same
future merged (bisimulation), and numbered by their transitions. So equal machines are mostly one
object, and data derived from a machine is computed once.

Pruning uses the cached steps of machines through sets of values (`Passes`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import Any, TypeAlias, TypeVar

from unidoku.core.bits import bits_of, set_of, values_of
from unidoku.core.caching import number_cache, weigh
from unidoku.errors import LayoutError
from unidoku.support.deadline import check_time_limit

Transition: TypeAlias = tuple[int, int, int]
"""A state, a value, and a state that may come next."""

_Does = TypeVar("_Does", bound=tuple[Any, ...])
"""The classes that a state leads to."""

MOST_STATES = 20_000
"""More states than any known rule needs; a step function with unlimited states is stopped there."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A nondeterministic finite automaton; sets of states are ints, like sets of values.

    Args:
        starts: the states in which the machine may start.
        accepting: the states in which the machine may end.
        steps: for each state and value, ``steps[state][value - 1]``, the states that may come next.
    """

    starts: int
    accepting: int
    steps: tuple[tuple[int, ...], ...]
    parts: tuple[int, int, tuple[tuple[int, ...], ...]] = field(
        init=False, repr=False, compare=False
    )
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the hash once: machines are keys of caches, and sorted by their parts."""
        object.__setattr__(self, "parts", (self.starts, self.accepting, self.steps))
        object.__setattr__(self, "_hash", hash(self.parts))

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
        """Whether the machine is in at most one state, whatever it has read."""
        sets = (self.starts, *[states for row in self.steps for states in row])
        return not any(states & (states - 1) for states in sets)

    def after(self, states: int, value: int) -> int:
        """Return the states that a value may lead to from any of some states."""
        reached = 0
        for state in bits_of(states):
            reached |= self.steps[state][value - 1]
        return reached

    def accepts(self, values: Iterable[int]) -> bool:
        """Return whether the machine accepts a line of values."""
        states = self.starts
        for value in values:
            states = self.after(states, value)
        return bool(states & self.accepting)


def machine_of_rows(n: int, rows: Iterable[tuple[int, ...]]) -> Machine:
    """Return the machine that accepts the rows of a table, all of the same length.

    >>> pairs = machine_of_rows(3, [(1, 2), (2, 1)])
    >>> pairs.accepts([2, 1]), pairs.accepts([2, 2])
    (True, False)
    """
    complete = {*rows}
    begins = {row[:end] for row in complete for end in range(len(row))}

    def step(before: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        after = (*before, value)
        return (0,) if after in complete else after if after in begins else None

    return machine_of_steps(n, (), step, lambda state: state == (0,))


def machine_of_steps(
    n: int,
    start: Hashable,
    step: Callable[[Any, int], Hashable | None],
    accept: Callable[[Any], object],
    first_value: int = 1,
) -> Machine:
    """Return the machine of a step function, with all states that it reaches.

    >>> rising = machine_of_steps(3, 0, lambda last, v: v if v > last else None, lambda last: True)
    >>> rising.accepts([1, 3]), rising.accepts([3, 1])
    (True, False)

    Args:
        n: values are 1 to n.
        start: the first state, anything hashable.
        step: function from a state and a value to the next state, None if there is none.
        accept: function that returns whether a line may end in a state.
        first_value: number passed to the step function for the value 1.

    Raises:
        LayoutError: there are more than `MOST_STATES` states.
    """
    numbers: dict[Hashable, int] = {start: 0}
    states = [start]
    rows: list[Row] = []
    seen = range(first_value, n + first_value)
    for state in states:  # the list grows meanwhile
        check_time_limit()
        row = []
        for value in seen:
            target = step(state, value)
            if target is None:
                row.append(NONE)
                continue
            number = numbers.get(target)
            if number is None:
                if len(states) >= MOST_STATES:
                    raise LayoutError(f"expected at most {MOST_STATES} states of a line, got more")
                number = numbers[target] = len(states)
                states.append(target)
            row.append(number)
        rows.append(row)
    ends = [number for number, state in enumerate(states) if accept(state)]
    return _of_rows([0], ends, rows)


def machine_of(
    n: int, starts: Iterable[int], accepting: Iterable[int], transitions: Iterable[Transition]
) -> Machine:
    """Return the machine with these transitions, in canonical form."""
    begin, ends = [*dict.fromkeys(starts)], {*accepting}
    targets: defaultdict[int, list[set[int]]] = defaultdict(lambda: [set() for _ in range(n)])
    for state, value, target in transitions:
        targets[state][value - 1].add(target)
    numbers = {state: number for number, state in enumerate(begin)}
    states = [*begin]
    rows: list[list[Targets]] = []
    for state in states:  # the list grows meanwhile
        check_time_limit()
        row: list[Targets] = []
        for reached in targets[state] if state in targets else [()] * n:
            for target in reached:
                if target not in numbers:
                    numbers[target] = len(states)
                    states.append(target)
            row.append(tuple([numbers[target] for target in reached]))
        rows.append(row)
    places = [number for number, state in enumerate(states) if state in ends]
    first = [*range(len(begin))]
    if all(len(reached) < 2 for row in rows for reached in row):
        one_each = [[reached[0] if reached else NONE for reached in row] for row in rows]
        return _of_rows(first, places, one_each)
    return _of_sets(first, places, rows)


NONE = -1
"""The number that means no state."""

Row: TypeAlias = list[int]
"""For each value, the state that comes next, or `NONE`."""

Targets: TypeAlias = tuple[int, ...]
"""States that may come next."""


def _of_rows(starts: Iterable[int], ends: Iterable[int], rows: list[Row]) -> Machine:
    """Return the machine of rows of states, all of which are reachable."""
    leading = _leading(ends, rows)
    none_left = [[target if target in leading else NONE for target in row] for row in rows]
    by_class = [
        itemgetter(*row, NONE) for row in none_left
    ]  # one more item, so that it returns a tuple

    def does(state: int, class_of: list[int]) -> tuple[int, ...]:
        targets: tuple[int, ...] = by_class[state](class_of)
        return targets

    groups, class_of = _classes(len(rows), leading, {*ends}, does)
    steps = [
        tuple([1 << target if target >= 0 else 0 for target in does(group[0], class_of)[:-1]])
        for group in groups
    ]
    return _machine(starts, ends, leading, class_of, steps)


def _of_sets(starts: Iterable[int], ends: Iterable[int], rows: list[list[Targets]]) -> Machine:
    """Return the machine of rows of sets of states, all of which are reachable."""
    leading = _leading(ends, [[*chain.from_iterable(row)] for row in rows])
    targets_of = [[[t for t in targets if t in leading] for targets in row] for row in rows]

    def does(state: int, class_of: list[int]) -> tuple[tuple[int, ...], ...]:
        check_time_limit()
        return tuple(
            [
                tuple(sorted({class_of[t] for t in targets}))
                if len(targets) > 1
                else (class_of[targets[0]],)
                if targets
                else ()
                for targets in targets_of[state]
            ]
        )

    groups, class_of = _classes(len(rows), leading, {*ends}, does)
    steps = [tuple([set_of(targets) for targets in does(group[0], class_of)]) for group in groups]
    return _machine(starts, ends, leading, class_of, steps)


def _machine(
    starts: Iterable[int],
    ends: Iterable[int],
    leading: set[int],
    class_of: list[int],
    steps: list[tuple[int, ...]],
) -> Machine:
    """Return the machine of classes of states."""
    begin, accepting = (
        set_of({class_of[state] for state in states if state in leading})
        for states in (starts, ends)
    )
    machine = Machine(begin, accepting, tuple(steps))
    weigh(machine.steps)
    return _interned(machine)


@number_cache(maxsize=256)
def united(machines: tuple[Machine, ...]) -> Machine:
    """Return the machine that accepts every line that one of some machines accepts."""
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


def _leading(ends: Iterable[int], rows: Iterable[Iterable[int]]) -> set[int]:
    """Return the states from which some end is reachable."""
    back: defaultdict[int, list[int]] = defaultdict(list)
    for state, row in enumerate(rows):
        check_time_limit()
        for target in row:
            back[target].append(state)
    leading = set(ends)
    todo = [*leading]
    while todo:
        for state in back.get(todo.pop(), ()):
            if state not in leading:
                leading.add(state)
                todo.append(state)
    return leading


def _classes(
    count: int, leading: set[int], ends: set[int], does: Callable[[int, list[int]], _Does]
) -> tuple[list[list[int]], list[int]]:
    """Return the classes of states with the same future, and the class of each state or -1.

    Classes are numbered by the transitions of their states, so that the names of states do not
    matter.
    """
    in_order = sorted(leading)
    classes = [
        [state_in_class for state_in_class in in_order if state_in_class not in ends],
        [state_in_class for state_in_class in in_order if state_in_class in ends],
    ]
    groups = [group for group in classes if group]
    class_of = [NONE] * (count + 1)
    while True:
        for number, group in enumerate(groups):
            for state in group:
                class_of[state] = number
        finer: list[list[int]] = []
        for group in groups:
            check_time_limit()
            if len(group) == 1:
                finer.append(group)
                continue
            parts: defaultdict[_Does, list[int]] = defaultdict(list)
            for index, state in enumerate(group):
                if not index % 1024:
                    check_time_limit()
                parts[does(state, class_of)].append(state)
            finer += [parts[part] for part in sorted(parts)]
        if len(finer) == len(groups):
            return groups, class_of
        groups = finer


@number_cache(maxsize=1024)
def _interned(machine: Machine) -> Machine:
    """Return one shared object for equal machines: many lines have the same machine."""
    return machine


class Passes:
    """The steps of a machine through sets of values, cached for all lines that use it."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.forth: dict[tuple[int, int], int] = {}
        self.back: dict[tuple[int, int, int], tuple[int, int]] = {}

    def ahead(self, states: int, values: int) -> int:
        """Return the states after a cell, as bits.

        Args:
            states: the states before the cell, as bits.
            values: candidates of the cell.
        """
        check_time_limit()
        reached, columns = 0, [value - 1 for value in values_of(values)]
        for state in bits_of(states):
            row = self.machine.steps[state]
            for column in columns:
                reached |= row[column]
        if len(self.forth) >= _MOST_STEPS:
            self.forth.clear()
        self.forth[states, values] = reached
        return reached

    def behind(self, states: int, values: int, after: int) -> tuple[int, int]:
        """Return the states from which a value leads to given states, and the values that cannot.

        Args:
            states: the states before a cell, as bits.
            values: candidates of the cell.
            after: the states after the cell that may be reached, as bits.

        Returns:
            The states of ``states`` with a step into ``after``, and those of the candidates that
            lead no such state there.
        """
        check_time_limit()
        useful, gone, columns = 0, values, [value - 1 for value in values_of(values)]
        for state in bits_of(states):
            row = self.machine.steps[state]
            for column in columns:
                if row[column] & after:
                    useful |= 1 << state
                    gone &= ~(1 << column)
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
