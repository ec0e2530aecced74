"""The forms of machines' steps for the compiled search, see `single.kinds.StepForm`."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import NamedTuple, TypeAlias

from unidoku.backends.native.compiler.intrinsics import MOVES_AT_ONCE
from unidoku.backends.native.single.build.machines import (
    STATES_OF_A_NUMBER,
    live,
    live_if_apart,
    moves_of,
    parts,
)
from unidoku.backends.native.single.build.memory import (
    LINE,
    Numbers,
    in_whole_lines,
    numbers_of,
)
from unidoku.backends.native.single.search.kinds import StepForm
from unidoku.core.bits import bits_of
from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine

MANY_TRANSITIONS = 3
"""Above this average number of transitions of a state, all steps of a machine are processed at
once; the same applies to machines with several starts, which are in many states at once."""

FEW_MOVES = 8 * MOVES_AT_ONCE
"""Up to this number of moves, the steps of a deterministic machine with one start are processed at
once."""


class LineForm(NamedTuple):
    """A machine that reads lines of some length, in the form of the compiled search.

    Args:
        words: words of a set of its states.
        table: these words; the number of parts of the machine; for each the form in which its steps
            are written, the number of vectors of steps, or for `StepForm.ONE_BY_ONE` the words of a
            set of states, and where in the table its states and its steps begin. Then for each part
            the states that matter before each cell and after the last, as sets, and the steps.
    """

    words: int
    table: Numbers


@number_cache(maxsize=512)
def form_of_line(machine: Machine, length: int, differ: bool) -> LineForm:
    """Return the form of a machine that reads some lines of that many cells.

    Args:
        machine: the machine.
        length: number of cells of a line.
        differ: whether the cells are known to differ.
    """
    sets_of = live_if_apart if differ else live
    live_parts = [(part, sets) for part in parts(machine) if (sets := sets_of(part, length))[0]]
    words = words_of_states(machine)
    head = [words, len(live_parts)]
    tables = numbers_of((), 1)
    first = -(-(len(head) + 4 * len(live_parts)) // LINE) * LINE
    for part, sets in live_parts:
        words_of_part = words_of_states(part)
        way, size, steps = steps_of(part)
        begin = first + len(tables)
        tables += in_whole_lines(numbers_of(sets, words_of_part))
        head += (way, size or words_of_part, begin, first + len(tables))
        tables += in_whole_lines(steps)
    return LineForm(words, in_whole_lines(head) + tables)


def words_of_states(machine: Machine) -> int:
    """Return the words of a set of a machine's states."""
    return -(-len(machine.steps) // STATES_OF_A_NUMBER)


@number_cache(maxsize=256)
def steps_of(machine: Machine) -> tuple[StepForm, int, tuple[int, ...]]:
    """Return the best form of a machine's steps, their number of vectors, and the steps."""
    transitions = transitions_of(machine)
    if len(machine.steps) > STATES_OF_A_NUMBER:
        return StepForm.ONE_BY_ONE, 0, transitions
    has_one_start = machine.starts & (machine.starts - 1) == 0
    numbers = len(transitions) - len(machine.steps) - 1
    if has_one_start and numbers <= 2 * MANY_TRANSITIONS * len(machine.steps):
        return StepForm.ONE_BY_ONE, 0, transitions
    way, steps = StepForm.MOVES, _moves(machine)
    if has_one_start and machine.is_deterministic and len(steps) > FEW_MOVES:
        return StepForm.ONE_BY_ONE, 0, transitions
    if len(shifts := _shifts(machine)) < len(steps):
        way, steps = StepForm.SHIFTS, shifts
    vectors = -(-len(steps) // MOVES_AT_ONCE)
    return way, vectors, tuple(_in_vectors(steps))


_Step: TypeAlias = tuple[int, int, int]


def _moves(machine: Machine) -> list[_Step]:
    """Return the steps of a machine by the state that they lead to."""
    before: defaultdict[tuple[int, int], int] = defaultdict(int)
    for state, row in enumerate(machine.steps):
        for value, targets in enumerate(row):
            for target in bits_of(targets):
                before[target, value] |= 1 << state
    values: defaultdict[tuple[int, int], int] = defaultdict(int)
    for (target, value), states in before.items():
        values[target, states] |= 1 << value
    return [
        (mask, _signed(states), _signed(1 << target)) for (target, states), mask in values.items()
    ]


def _shifts(machine: Machine) -> list[_Step]:
    """Return the steps of a machine by how much they rise."""
    rising: defaultdict[tuple[int, int], int] = defaultdict(int)
    for state, row in enumerate(machine.steps):
        for value, targets in enumerate(row):
            for target in bits_of(targets):
                rising[target - state, value] |= 1 << state
    values: defaultdict[tuple[int, int], int] = defaultdict(int)
    for (rise, value), states in rising.items():
        values[rise, states] |= 1 << value
    return [
        (mask, _signed(states), rise % STATES_OF_A_NUMBER)
        for (rise, states), mask in values.items()
    ]


def _in_vectors(steps: list[_Step]) -> list[int]:
    """Return the three numbers of steps in vectors, padded with no values."""
    steps = steps + [(0, 0, 0)] * (-len(steps) % MOVES_AT_ONCE)
    vectors = [
        steps[first : first + MOVES_AT_ONCE] for first in range(0, len(steps), MOVES_AT_ONCE)
    ]
    return [
        *chain.from_iterable(chain.from_iterable(zip(*vector, strict=True)) for vector in vectors)
    ]


@number_cache(maxsize=256)
def transitions_of(machine: Machine) -> tuple[int, ...]:
    """Return where in this the transitions of each state begin, where all end, and they all."""
    begins: list[int] = []
    steps: list[int] = []
    first = len(machine.steps) + 1
    for moves in moves_of(machine):
        begins.append(first + len(steps))
        for target, values in moves:
            steps += (values, target)
    return (*begins, first + len(steps), *steps)


def _signed(elements: int) -> int:
    """Return a set of up to 64 elements as a signed 64-bit number."""
    return elements - (elements >> 63 << 64)
