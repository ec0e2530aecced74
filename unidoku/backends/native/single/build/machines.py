"""The analysis of machines before a search: which states matter, and what they count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import chain
from operator import and_, or_
from typing import NamedTuple, TypeAlias

from unidoku.backends.native.single.search.kinds import MOST_CLASSES
from unidoku.core.bits import all_values, bits_of, set_of
from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine
from unidoku.support.deadline import check_time_limit

Moves: TypeAlias = list[tuple[int, int]]
"""The states that may come next, each with the set of values that lead there."""

STATES_OF_A_NUMBER = 64
"""Number of states in a set that is one number."""

FEW_VALUES = 4
"""Up to this number of values, the steps of a machine are searched for a pattern."""

MOST_STATES_LOOKED_THROUGH = 64
"""For machines with more states, required values are not computed, because that would take long."""


class Counter(NamedTuple):
    """The effect of a machine that only counts one value.

    Args:
        value: the value, numbered from 0.
        least: how often the value must occur.
        most: how often the value may occur.
        is_flagged: whether the first cell is a flag: 1 if the value never occurs, otherwise 2.
    """

    value: int
    least: int
    most: int
    is_flagged: bool


class Effect(NamedTuple):
    """What a machine does on some cells, if that has a propagator of its own.

    Args:
        counter: what it counts, if it only counts a value.
        tells_apart: whether it only tells two lines apart.
        classes: the classes of values of which it requires one each.
    """

    counter: Counter | None
    tells_apart: bool
    classes: tuple[tuple[int, int], ...] | None


@number_cache(maxsize=256)
def effect_of(machine: Machine, length: int) -> Effect | None:
    """Return the effects of a machine on a line of ``length`` cells that have a propagator."""
    effect = Effect(
        counter_of(machine, length), tells_lines_apart(machine, length), classes_of(machine)
    )
    return effect if any(part not in (None, False) for part in effect) else None


def counter_of(machine: Machine, length: int) -> Counter | None:
    """Return the effect of a machine on that many cells if it only counts one value."""
    if len(machine.steps) < 2:
        return None
    start = machine.starts.bit_length() - 1
    row = machine.steps[start]
    if (sum(targets != 1 << start for targets in row) > 1 and any(row[2:])) or (
        not machine.is_deterministic
    ):
        return None
    if (count := _counted(machine, start, length)) is not None:
        return Counter(*count, is_flagged=False)
    never, so_often, *others = [*machine.steps[start], 0]
    if any(others) or not (never and so_often):
        return None
    absent, present = (
        _counted(machine, target.bit_length() - 1, length - 1) for target in (never, so_often)
    )
    if absent is None or present is None:
        return None
    (_, _, none), (value, least, most) = absent, present
    same = absent[0] == value and none == 0 < least == most
    return Counter(value, least, most, is_flagged=True) if same else None


def _counted(machine: Machine, state: int, length: int) -> tuple[int, int, int] | None:
    """Return the value that a machine counts from a state on, and how often it may occur.

    Returns:
        The value, numbered from 0, and the least and largest number of its occurrences in the rest
        of the line; None if the machine does anything else.
    """
    value: int | None = None
    accepted: list[bool] = []
    while len(accepted) <= len(machine.steps):
        row = machine.steps[state]
        moves = [move for move, targets in enumerate(row) if targets != 1 << state]
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


def tells_lines_apart(machine: Machine, length: int) -> bool:
    """Return whether a machine accepts two lines, read in turn, if and only if they differ."""
    n = len(machine.steps[0]) if machine.steps else 0
    same, differ = machine.starts, machine.accepting
    if length % 2 or len(machine.steps) != n + 2 or not machine.is_deterministic:
        return False
    if differ.bit_count() != 1 or same == differ:
        return False
    after_first = machine.steps[same.bit_length() - 1]
    if len({same, differ, *after_first}) != n + 2 or 0 in after_first:
        return False
    return {*machine.steps[differ.bit_length() - 1]} == {differ} and all(
        machine.steps[state.bit_length() - 1]
        == tuple([same if other == value else differ for other in range(n)])
        for value, state in enumerate(after_first)
    )


@number_cache(maxsize=256)
def moves_of(machine: Machine) -> list[Moves]:
    """Return for each state the states that may come next, with the values that lead to each."""
    of_states = []
    for row in machine.steps:
        check_time_limit()
        moves: dict[int, int] = {}
        for value, targets in enumerate(row):
            while targets:
                target = targets & -targets
                moves[target] = moves.get(target, 0) | 1 << value
                targets ^= target
        of_states.append([(target.bit_length() - 1, values) for target, values in moves.items()])
    return of_states


def classes_of(machine: Machine) -> tuple[tuple[int, int], ...] | None:
    """Return the classes of values of a machine that requires one of each, otherwise None.

    Each comes with the sets of classes that contain it, as bits of a number.

    A state stands for the classes that were read: a value of another class leads to one that has
    that too, any other value nowhere else.
    """
    states = len(machine.steps)
    if states < 2 or states & (states - 1) or not machine.is_deterministic:
        return None
    start = machine.starts.bit_length() - 1
    classes = [values for target, values in moves_of(machine)[start] if target != start]
    if len(classes) > MOST_CLASSES or states != 1 << len(classes):
        return None
    state_of = {0: start}
    for read in range(1, 1 << len(classes)):  # subsets come first
        last = read.bit_length() - 1
        value = classes[last].bit_length() - 1
        target = machine.steps[state_of[read ^ 1 << last]][value]
        if not target:
            return None
        state_of[read] = target.bit_length() - 1
    for read, state in state_of.items():
        expected = [1 << state] * len(machine.steps[state])
        for number, values in enumerate(classes):
            for value in bits_of(values):
                expected[value] = 1 << state_of[read | 1 << number]
        if machine.steps[state] != tuple(expected):
            return None
    if machine.accepting != 1 << state_of[len(state_of) - 1]:
        return None
    return tuple(
        (values, set_of(read for read in state_of if read >> number & 1))
        for number, values in enumerate(classes)
    )


@number_cache(maxsize=256)
def live(machine: Machine, length: int) -> tuple[int, ...]:
    """Return, before each of that many cells and after the last, the states on an accepted path.

    Each is a set of states, as bits: those that some values before lead to, and from which some
    values of the other cells lead to acceptance.
    """
    after = [set_of(target for target, _ in moves) for moves in moves_of(machine)]
    before = [0] * len(after)
    for state, moves in enumerate(moves_of(machine)):
        for target, _ in moves:
            before[target] |= 1 << state
    reached = _followed(machine.starts, after, length)
    ends = reached[length] & machine.accepting
    back = _followed(ends, before, length)
    return tuple(map(and_, reached, reversed(back)))


def _followed(states: int, links: Sequence[int], times: int) -> list[int]:
    """Return the successive sets of states, given the successors of each state."""
    followed = [states]
    before = after = 0
    for _ in range(times):
        if before & ~states:
            before = after = 0  # else only what follows the states that are new is looked up
        check_time_limit()
        for state in bits_of(states ^ before):
            after |= links[state]
        before, states = states, after
        followed.append(states)
    return followed


@number_cache(maxsize=256)
def live_if_apart(machine: Machine, length: int) -> tuple[int, ...]:
    """Return the states as `live` does, for cells that differ, which leaves fewer states.

    That many cells read as many different values. If the paths to a state, from it, or both
    together have too few values, no line passes it.
    """
    sets = live(machine, length)
    if len(machine.steps) > MOST_STATES_LOOKED_THROUGH:
        return sets
    moves = moves_of(machine)
    read = [dict.fromkeys(bits_of(sets[0]), 0)]
    for index in range(length):
        check_time_limit()
        reached: dict[int, int] = {}
        for state, values in read[-1].items():
            for target, step_values in moves[state]:
                reached[target] = reached.get(target, 0) | values | step_values
        after = sets[index + 1]
        read.append(
            {
                state: values
                for state, values in reached.items()
                if after >> state & 1 and values.bit_count() > index
            }
        )
    still = dict.fromkeys(read[length], 0)
    sets_if_apart = [set_of(still)]
    for index in range(length - 1, -1, -1):
        check_time_limit()
        ahead, still = still, {}
        for state, values in read[index].items():
            left = [
                step_values | ahead[target]
                for target, step_values in moves[state]
                if target in ahead
            ]
            union = reduce(or_, left, 0)
            if union.bit_count() >= length - index and (union | values).bit_count() >= length:
                still[state] = union
        sets_if_apart.append(set_of(still))
    return tuple(reversed(sets_if_apart))


@number_cache(maxsize=256)
def required(machine: Machine, length: int) -> int:
    """Return the values without which a machine does not accept that many cells.

    Empty for a machine of many states.
    """
    if len(machine.steps) > MOST_STATES_LOOKED_THROUGH:
        return 0
    everything = all_values(max(map(len, machine.steps), default=0))
    good = live(machine, length)
    moves = moves_of(machine)
    needed = dict.fromkeys(bits_of(good[length]), 0)  # from each state on, by all paths to the end
    for states in reversed(good[:length]):
        check_time_limit()
        sooner = {}
        for state in bits_of(states):
            by_all = everything
            for target, values in moves[state]:
                if target in needed:
                    alone = 0 if values & (values - 1) else values
                    by_all &= needed[target] | alone
            sooner[state] = by_all
        needed = sooner
    return reduce(and_, [needed[state] for state in bits_of(good[0])], everything)


@number_cache(maxsize=256)
def parts(machine: Machine) -> tuple[Machine, ...]:
    """Return machines of up to 64 states one of which accepts what a machine does.

    No step leads from one to another. If there are no parts, returns the machine itself. States are
    numbered in the order in which they are reached, so that many steps rise by the same; not so
    those of a machine of one start and many values, whose steps rise by this and that.
    """
    is_whole = machine.starts & (machine.starts - 1) == 0
    if not machine.steps or (is_whole and len(machine.steps[0]) > FEW_VALUES):
        return (machine,) if machine.steps else ()
    pieces = _pieces(machine)
    if any(len(piece) > STATES_OF_A_NUMBER for piece in pieces):
        return (machine,)
    bins: list[list[int]] = []
    for piece in sorted(pieces, key=len, reverse=True):
        with_room = (states for states in bins if len(states) + len(piece) <= STATES_OF_A_NUMBER)
        if (fitting := next(with_room, None)) is None:
            bins.append(piece)
        else:
            fitting += piece
    return tuple(_renumbered(machine, states) for states in bins)


def _pieces(machine: Machine) -> list[list[int]]:
    """Return the states that steps connect, each list in the order in which they are reached."""
    after = [[*dict.fromkeys(chain.from_iterable(map(bits_of, row)))] for row in machine.steps]
    near = [set(targets) for targets in after]
    for state, targets in enumerate(after):
        for target in targets:
            near[target].add(state)
    pieces = []
    for states in _connected(near):
        reached = dict.fromkeys(bits_of(machine.starts & set_of(states)))
        todo = list(reached)
        for state in todo:  # the list grows meanwhile
            new = [target for target in after[state] if target not in reached]
            reached.update(dict.fromkeys(new))
            todo += new
        pieces.append(todo)
    return pieces


def _connected(near: list[set[int]]) -> Iterator[list[int]]:
    left = set(range(len(near)))
    while left:
        component = [min(left)]
        left.remove(component[0])
        for state in component:  # the list grows meanwhile
            new = sorted(near[state] & left)
            left.difference_update(new)
            component += new
        yield component


def _renumbered(machine: Machine, states: list[int]) -> Machine:
    """Return the machine of some states, numbered in their order."""
    number = {state: index for index, state in enumerate(states)}
    part = set_of(states)

    def renumbered(mask: int) -> int:
        if mask & (mask - 1) == 0:  # as after most steps
            return 1 << number[mask.bit_length() - 1] if mask else 0
        return set_of(number[state] for state in bits_of(mask))

    steps = tuple(tuple(map(renumbered, machine.steps[state])) for state in states)
    return Machine(renumbered(machine.starts & part), renumbered(machine.accepting & part), steps)
