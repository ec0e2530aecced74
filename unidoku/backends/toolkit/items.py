"""The rules of a layout as items of an exact cover, with options beyond the candidates.

An option for each set of values says what the cells do *not* hold: with the candidates it covers
each value once. An option for each arc of the layers of a sum or an automaton; that arcs meet in
a state, and have their cells' values, is said bit by bit: of each bit an item for either value
covers the ends that have it and the beginnings that do not.

Of what is in alternatives there are options for whether it holds and for whether it does not; its
layers lead to either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias, assert_never

from unidoku.backends.lower import Lowered
from unidoku.backends.toolkit.layers import Arc, Layers, layers_of, layers_of_automata, lines_of
from unidoku.core.shapes import Automaton, Or, Relation, Rows, SameValues, Sets, Shape, Sum

__all__ = ["Items"]

_Numbered: TypeAlias = tuple[int, int]
"""An option, and a number that it stands for: a value or a state."""

_Truth: TypeAlias = tuple[int, int]
"""Options that something holds, and that it does not."""


@dataclass(slots=True)
class Items:
    """Primary items for the sets and sums of a layout.

    Args:
        lowered: the rules.
        options: how many options there are so far: first the candidates.
    """

    lowered: Lowered
    options: int = field(default=0)
    _told: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin after the candidates."""
        self.options = max(self.options, self.lowered.size)

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the options of each item, and count options on the way."""
        for shape in self.lowered.sets:
            yield from self._sets(shape)
        for one in self.lowered.sums:
            yield from self._layers(layers_of(one, self.lowered.n))
        for layers in layers_of_automata(self.lowered):
            yield from self._layers(layers)
        for same in self.lowered.same_values:
            yield from self._same_values(same)
        for either in self.lowered.alternatives:
            holds, _ = self._holds(either)
            told, self._told = self._told, []
            yield from (*told, [holds])

    def _new(self, count: int) -> range:
        first = self.options
        self.options += count
        return range(first, self.options)

    def _sets(self, shape: Sets) -> Iterator[list[int]]:
        n, chosen = self.lowered.n, self._new(len(shape.masks))
        yield list(chosen)
        for value in range(n):
            held = [cell * n + value for cell in shape.cells]
            told = zip(chosen, shape.masks, strict=True)
            yield [*held, *[y for y, mask in told if not mask >> value & 1]]

    def _same_values(self, shape: SameValues) -> Iterator[list[int]]:
        """Say that each value is held as often: of lists that differ by both, or by neither."""
        n = self.lowered.n
        if shape.differ:
            for value, neither in enumerate(self._new(n)):
                for cells in (shape.cells, shape.others):
                    yield [neither, *[cell * n + value for cell in cells]]
            return
        for line in lines_of(shape, n):
            yield from self._layers(layers_of(line, n))

    def _layers(self, layers: Layers) -> Iterator[list[int]]:
        return self._way(map(self._values, layers.cells), layers.arcs)

    def _values(self, cell: int) -> list[_Numbered]:
        return [
            (cell * self.lowered.n + value - 1, value) for value in range(1, self.lowered.n + 1)
        ]

    def _way(
        self,
        read: Iterable[list[_Numbered]],
        arcs: Iterable[Sequence[Arc]],
        ends: Sequence[_Numbered] = (),
    ) -> Iterator[list[int]]:
        """Yield that there is one way through layers of arcs.

        Args:
            read: for each layer options, one of which is chosen, with what is read if it is.
            arcs: of each layer.
            ends: options, one of which is chosen, with the state in which the way ends if it is.
        """
        before: list[_Numbered] = []  # arcs, each with the state that it leads to
        for held, its in zip(read, arcs, strict=True):
            numbers = self._new(len(its))
            yield list(numbers)
            told = list(zip(numbers, its, strict=True))
            yield from _same(held, [(number, value) for number, (_, value, _) in told])
            if before:
                yield from _same(before, [(number, state) for number, (state, _, _) in told])
            before = [(number, target) for number, (_, _, target) in told]
        if ends:
            yield from _same(before, ends)

    def _truth(self) -> _Truth:
        """Return options for whether something holds, one of which is chosen."""
        yes, no = self._new(2)
        self._told.append([yes, no])
        return yes, no

    def _any_of(self, some: Iterable[_Truth]) -> _Truth:
        """Return whether any of some things holds: the state is whether one did so far."""
        read = [[(no, 0), (yes, 1)] for yes, no in some]
        arcs = [((0, 0, 0), (0, 1, 1)), *[_EITHER] * (len(read) - 1)]
        made = yes, no = self._truth()
        self._told.extend(self._way(read, arcs, [(no, 0), (yes, 1)]))
        return made

    def _all_of(self, some: Iterable[_Truth]) -> _Truth:
        yes, no = self._any_of([(no, yes) for yes, no in some])
        return no, yes

    def _holds(self, shape: Shape) -> _Truth:
        """Return whether a shape holds."""
        match shape:
            case Sum() | Automaton() | Rows():
                layers = layers_of(shape, self.lowered.n)
                yes, no = truth = self._truth()
                if layers.is_empty:
                    self._told.append([no])
                    return truth
                read = map(self._values, layers.cells)
                ends = [(yes, 0), (no, 1)]
                self._told.extend(self._way(read, _completed(layers, self.lowered.n), ends))
                return truth
            case Relation() | Sets() | SameValues():
                return self._all_of([self._holds(one) for one in lines_of(shape, self.lowered.n)])
            case Or(branches):
                return self._any_of([self._all_of(map(self._holds, b)) for b in branches])
            case _:
                assert_never(shape)


_EITHER: tuple[Arc, ...] = ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 1))
"""Whether one has held so far, whether this one does, and whether one has held then."""


def _completed(layers: Layers, n: int) -> Iterator[list[Arc]]:
    """Yield the arcs of layers, and those to a last state of each from which none leads back."""
    dead = -1
    for arcs in layers.arcs:
        ways = {(state, value) for state, value, _ in arcs}
        states = {state for state, _, _ in arcs} | ({dead} - {-1})
        dead = 1 + max(target for _, _, target in arcs)
        others = product(sorted(states), range(1, n + 1))
        yield [
            *arcs,
            *[(state, value, dead) for state, value in others if (state, value) not in ways],
        ]


def _same(some: Sequence[_Numbered], others: Sequence[_Numbered]) -> Iterator[list[int]]:
    """Yield items such that the one of some and the one of others have the same number."""
    largest = max((number for _, number in (*some, *others)), default=0)
    for place in range(largest.bit_length()):
        for bit in (0, 1):
            yield [
                *[option for option, number in some if number >> place & 1 == bit],
                *[option for option, number in others if number >> place & 1 != bit],
            ]
