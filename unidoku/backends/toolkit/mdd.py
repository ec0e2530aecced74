"""Constraints as decision diagrams, for solvers that support no sums, automata or tables.

The states of a layer are the partial sums, or the states of an automaton, from which the constraint
can still be satisfied; states with the same continuations are merged (a reduced multi-valued
decision diagram). An automaton is also made deterministic: each grid has one path, and no solver
finds a grid twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import TypeAlias, TypeVar, assert_never

from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine, machine_of_steps
from unidoku.core.constraints.primitives import Automaton, SameValues, Sum, Table
from unidoku.core.transforms.lower import Lowered
from unidoku.errors import UnsupportedError
from unidoku.support.deadline import check_time_limit

T = TypeVar("T")

MOST_ARCS = 200_000
"""The largest number of arcs of one machine: it takes some seconds to build."""

MOST_ARCS_OF_SUM = 2_000_000
"""The largest number of arcs of one sum: it takes some seconds and 300 MB to build. Sums of many
cells need as many only if their weights are so large that hardly two partial sums are equal."""

Arc: TypeAlias = tuple[int, int, int]
"""A state, the value of the layer's cell, and the state of the next layer."""


Step: TypeAlias = tuple[int, int, int | None]
"""A state, a value, and the state that they lead to, None if they lead nowhere."""


@dataclass(frozen=True, slots=True)
class Mdd:
    """The paths through layers of states, from state 0 to state 0.

    Args:
        cells: the cell of each layer.
        arcs: the arcs of each layer.
    """

    cells: tuple[int, ...]
    arcs: tuple[tuple[Arc, ...], ...]

    @property
    def width(self) -> int:
        """The largest number of states of a layer."""
        return max(len({state for state, _, _ in arcs}) for arcs in self.arcs)

    @property
    def is_empty(self) -> bool:
        """Whether there is no path."""
        return not all(self.arcs)

    def within(self, candidates: Sequence[int]) -> Mdd:
        """Return the paths whose values are among the candidates of their cells."""
        layers: list[list[Arc]] = []
        reached = {0}
        for cell, arcs in zip(self.cells, self.arcs, strict=True):
            mask = candidates[cell]
            layers.append([arc for arc in arcs if arc[0] in reached and mask >> arc[1] - 1 & 1])
            reached = {arc[2] for arc in layers[-1]}
        leading = {0}
        for index in range(len(layers) - 1, -1, -1):
            layers[index] = [arc for arc in layers[index] if arc[2] in leading]
            leading = {arc[0] for arc in layers[index]}
        return Mdd(self.cells, tuple(map(tuple, layers)))


def mdd_of(constraint: Sum | Automaton | Table, n: int) -> Mdd:
    """Return the layers of a constraint.

    Raises:
        UnsupportedError: there would be more than `MOST_ARCS` arcs, or `MOST_ARCS_OF_SUM`.
    """
    match constraint:
        case Sum():
            terms = sorted(
                zip(constraint.weights, constraint.cells, strict=True),
                key=lambda term: (-abs(term[0]), term[1]),
            )
            weights, cells = zip(*terms, strict=True)
            return Mdd(cells, _summed(weights, constraint.low, constraint.high, n))
        case Automaton(cells, machine):
            return Mdd(cells, _unrolled(machine, len(cells), n))
        case Table(cells, rows):
            return Mdd(cells, _rows_merged(rows))
        case _:
            assert_never(constraint)


def lines_of(constraint: SameValues, n: int) -> Iterator[Automaton]:
    """Yield for each value a line through both lists of cells, which hold it equally often."""
    both = tuple(chain.from_iterable(zip(constraint.cells, constraint.others, strict=True)))
    for value in range(1, n + 1):
        yield Automaton(both, _as_often(n, value, len(constraint.cells)))


@number_cache(maxsize=256)
def _as_often(n: int, wanted: int, most: int) -> Machine:
    """Return a machine that reads two lists in turn and counts a value equally often in both."""

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        turn, surplus = state
        surplus += turn * (value == wanted)
        return (-turn, surplus) if abs(surplus) <= most else None

    return machine_of_steps(n, (1, 0), step, lambda state: state[1] == 0)


def mdds_of_automata(lowered: Lowered) -> Iterator[Mdd]:
    """Yield the layers of all automata and tables of a layout."""
    constraints: tuple[Automaton | Table, ...] = (*lowered.automata, *lowered.tables)
    for constraint in constraints:
        yield mdd_of(constraint, lowered.n)


def tables_of(mdd: Mdd) -> Iterator[tuple[int, int | None, list[tuple[int, ...]]]]:
    """Yield a table for each layer, for solvers that have variables for states.

    Each is a cell, the highest state after it (None after the last), and rows with a state before,
    a value, and a state after. Rows omit the only state before the first cell and after the last.
    """
    first, last = 0, len(mdd.cells) - 1
    for index, (cell, arcs) in enumerate(zip(mdd.cells, mdd.arcs, strict=True)):
        check_time_limit()
        most = None if index == last else max(target for _, _, target in arcs)
        yield cell, most, [arc[index == first : 2 + (index != last)] for arc in arcs]


def steps_of(mdd: Mdd, n: int) -> Iterator[tuple[int, list[int], list[Step]]]:
    """Yield for each layer the cell that it reads, the states after it, and its steps.

    The steps are those of each state before the layer with each value; one that leads to no state
    has None as its target. The last layer has the states left out, because there is only one, and
    only the steps that lead to no state: all others reach the end.

    Args:
        mdd: the layers, whose steps are deterministic.
        n: the number of values.
    """
    for index, (cell, arcs) in enumerate(zip(mdd.cells, mdd.arcs, strict=True), start=1):
        check_time_limit()
        last = index == len(mdd.cells)
        after: dict[tuple[int, int], int | None] = {(arc[0], arc[1]): arc[2] for arc in arcs}
        states = sorted({state for state, _, _ in arcs})
        steps = [(s, v, after.get((s, v))) for s in states for v in range(1, n + 1)]
        nowhere = [step for step in steps if step[2] is None]
        yield cell, [] if last else sorted({arc[2] for arc in arcs}), nowhere if last else steps


@number_cache(maxsize=256)
def _unrolled(machine: Machine, size: int, n: int) -> tuple[tuple[Arc, ...], ...]:
    """Return the arcs of a machine for that many cells; lines of the same length share them."""
    leading = [machine.accepting]  # states that lead to the end when that many cells follow
    for _ in range(size):
        check_time_limit()
        ahead = leading[-1]
        rows = enumerate(machine.steps)
        leading.append(sum(1 << s for s, row in rows if any(to & ahead for to in row)))
    states = [machine.starts & leading[size]]
    steps: list[list[Arc]] = []
    arcs = 0
    for index in range(size):
        useful, arcs_here = leading[size - 1 - index], []
        for state in states:
            check_time_limit()
            for value in range(1, n + 1):
                if target := machine.after(state, value) & useful:
                    arcs_here.append((state, value, target))
        steps.append(arcs_here)
        arcs += len(arcs_here)
        _check_arcs("line", arcs, MOST_ARCS, size)
        states = sorted({target for _, _, target in arcs_here})
    return merged(steps)


def _check_arcs(kind: str, arcs: int, most: int, size: int) -> None:
    if arcs > most:
        reason = f"supports up to {most:,} steps of a {kind}, a {kind} of {size} cells needs more"
        raise UnsupportedError(reason, (reason,))


@number_cache(maxsize=256)
def _rows_merged(rows: tuple[tuple[int, ...], ...]) -> tuple[tuple[Arc, ...], ...]:
    """Return the arcs of a table; the states are the values so far."""
    names: defaultdict[tuple[int, ...], int] = defaultdict(count().__next__)
    steps = []
    for size in range(len(rows[0])):
        check_time_limit()
        arcs = {(names[row[:size]], row[size], names[row[: size + 1]]) for row in rows}
        steps.append(sorted(arcs))
    return merged(steps)


@number_cache(maxsize=1024)
def _summed(weights: tuple[int, ...], low: int, high: int, n: int) -> tuple[tuple[Arc, ...], ...]:
    """Return the arcs of a sum, with the heaviest weights first, which keeps them few.

    They do not depend on the cells, because thousands of puzzles have the same few sums.
    """
    least, most = [0], [0]  # bounds of the terms still to come, from the last
    for weight in reversed(weights):
        least.append(least[-1] + min(weight, weight * n))
        most.append(most[-1] + max(weight, weight * n))
    states: list[list[int]] = [[0]]
    steps: list[list[Arc]] = []
    arcs = 0
    for index, weight in enumerate(weights):
        lowest = low - most[len(weights) - 1 - index]
        highest = high - least[len(weights) - 1 - index]
        arcs_here: list[Arc] = []
        for part in _parts(states[-1], n):
            arcs_here += [
                (state, value, state + weight * value)
                for state in part
                for value in range(1, n + 1)
                if lowest <= state + weight * value <= highest
            ]
        steps.append(arcs_here)
        arcs += len(arcs_here)
        _check_arcs("sum", arcs, MOST_ARCS_OF_SUM, len(weights))
        states.append(sorted({target for _, _, target in arcs_here}))
    return merged(steps)


_OFTEN = 1 << 12
"""Arcs between two looks at the clock: a few milliseconds."""


def _parts(items: Sequence[T], weight: int = 1) -> Iterator[Sequence[T]]:
    """Yield the items in parts, with a look at the clock before each; an item is so many arcs."""
    size = max(_OFTEN // weight, 1)
    for start in range(0, max(len(items), 1), size):
        check_time_limit()
        yield items[start : start + size]


def merged(steps: list[list[Arc]]) -> tuple[tuple[Arc, ...], ...]:
    """Return the arcs that lead to the end, with states numbered from 0 and equal ones merged.

    After the last step all states are merged into one. There may be several first states, and
    several arcs from a state by the same value.
    """
    name_of = {target: 0 for _, _, target in steps[-1]}
    layers: list[tuple[Arc, ...]] = []
    for arcs in reversed(steps):
        ways: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for part in _parts(arcs):
            for state, value, target in part:
                if target in name_of:
                    ways[state].append((value, name_of[target]))
        names: dict[tuple[tuple[int, int], ...], int] = {}
        name_of = {}
        for states in _parts(sorted(ways.items())):
            for state, out in states:
                name_of[state] = names.setdefault(tuple(out), len(names))
        layers.append(tuple((name, value, to) for out, name in names.items() for value, to in out))
    return tuple(reversed(layers))
