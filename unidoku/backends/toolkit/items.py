"""The rules of a layout as items of an exact cover, with options beyond the candidates.

An option for each set of values states what the cells do *not* hold: with the candidates it covers
each value once. There is an option for each arc of the layers of a sum or an automaton. That arcs
meet in a state, and have their cells' values, is encoded bit by bit: for each value of a bit, an
item covers the ends that have it and the beginnings that do not.

Alternatives have no items. Options for whether a branch holds could encode them, but a search that
takes the item with the fewest options would choose among those before it decides a cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from unidoku.backends.toolkit.mdd import Mdd, lines_of, mdd_of, mdds_of_automata
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.core.constraints.primitives import SameValues, Sets
from unidoku.core.transforms.lower import Lowered


@dataclass(slots=True)
class Items:
    """Primary items for the sets and sums of a layout.

    Args:
        lowered: the rules.
        options: number of options so far; the candidates come first.
    """

    lowered: Lowered
    options: int = field(default=0)

    def __post_init__(self) -> None:
        """Start numbering after the candidates."""
        self.options = max(self.options, self.lowered.size)

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the options of each item; this counts the options.

        Raises:
            LimitReached: the time limit of the search has passed.
            UnsupportedError: there are too many, see `unidoku.backends.toolkit.model_size`.
        """
        return ModelSize().counted(self._all())

    def _all(self) -> Iterator[list[int]]:
        for constraint in self.lowered.sets:
            yield from self._sets(constraint)
        for sum_ in self.lowered.sums:
            yield from self._layers(mdd_of(sum_, self.lowered.n))
        for mdd in mdds_of_automata(self.lowered):
            yield from self._layers(mdd)
        for same in self.lowered.same_values:
            yield from self._same_values(same)

    def _new(self, count: int) -> range:
        first = self.options
        self.options += count
        return range(first, self.options)

    def _sets(self, constraint: Sets) -> Iterator[list[int]]:
        n, chosen = self.lowered.n, self._new(len(constraint.masks))
        yield list(chosen)
        for value in range(n):
            candidates = [cell * n + value for cell in constraint.cells]
            yield [*candidates, *constraint.split(chosen, value + 1)[1]]

    def _same_values(self, constraint: SameValues) -> Iterator[list[int]]:
        """Yield the items of two lists of cells that hold the same values, each equally often.

        If the cells of each list differ, an option for each value says that neither list has it.
        """
        n = self.lowered.n
        if not constraint.differ:
            for line in lines_of(constraint, n):
                yield from self._layers(mdd_of(line, n))
            return
        for value, neither in enumerate(self._new(n)):
            for cells in constraint.lists:
                yield [neither, *[cell * n + value for cell in cells]]

    def _layers(self, mdd: Mdd) -> Iterator[list[int]]:
        n = self.lowered.n
        before: list[tuple[int, int]] = []  # arcs, each with the state that it leads to
        for cell, arcs in zip(mdd.cells, mdd.arcs, strict=True):
            numbers = self._new(len(arcs))
            yield list(numbers)
            candidates = [(cell * n + value, value) for value in range(n)]
            numbered = list(zip(numbers, arcs, strict=True))
            yield from _same(
                candidates, [(number, value - 1) for number, (_, value, _) in numbered]
            )
            if before:
                yield from _same(before, [(number, state) for number, (state, _, _) in numbered])
            before = [(number, target) for number, (_, _, target) in numbered]


def _same(ends: list[tuple[int, int]], others: list[tuple[int, int]]) -> Iterator[list[int]]:
    """Yield items, two a bit, by which the chosen options of two groups have the same number."""
    largest = max((number for _, number in (*ends, *others)), default=0)
    for shift in range(largest.bit_length()):
        for bit in (0, 1):
            yield [
                *[option for option, number in ends if number >> shift & 1 == bit],
                *[option for option, number in others if number >> shift & 1 != bit],
            ]
