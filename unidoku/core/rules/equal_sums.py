"""Rules about parts of a line that have the same sum, one of which may be a single cell."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, combinations, pairwise
from typing import ClassVar, Self

from unidoku.core.constraints.primitives import Constraint, Or, Sum
from unidoku.core.rules.base import Facts, Rule, cell_names, numbers_in
from unidoku.core.rules.fields import CellsInOrder
from unidoku.errors import LayoutError
from unidoku.support.language import listing, message


@dataclass(frozen=True)
class _EqualSums(Rule):
    """Groups of the cells of a line have one sum, whatever it is."""

    line: CellsInOrder

    @abstractmethod
    def groups(self) -> Sequence[tuple[int, ...]]:
        """Return the groups of cells; a cell may be in one of them twice."""

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield each group that is filled and has another sum than the first filled one."""
        filled = [group for group in self.groups() if all(values[cell] for cell in group)]
        sums = [sum(values[cell] + first_value - 1 for cell in group) for group in filled]
        for group, total in zip(filled, sums, strict=True):
            if total != sums[0]:
                yield tuple(dict.fromkeys((*filled[0], *group)))

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield that the difference of any two sums is 0."""
        for group, other in combinations(self.groups(), 2):
            terms = [*((cell, 1) for cell in group), *((cell, -1) for cell in other)]
            yield Sum.of(terms, 0, 0, facts.first_value)


@dataclass(frozen=True)
class RegionSum(_EqualSums):
    """Borders of regions divide a line into parts that have the same sum.

    Args:
        line: the cells in order.
        parts: the number of cells of each part; by default the line is divided wherever it leaves
            a box or a region of the layout.
    """

    kind: ClassVar[str] = "region-sum"
    parts: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse parts that are not those of the line."""
        super().__post_init__()
        if self.parts is not None and (
            min(self.parts, default=0) < 1 or sum(self.parts) != len(self.line)
        ):
            raise LayoutError(
                f"{self.kind}: parts: expected numbers of cells that add up to {len(self.line)}, "
                f"got {[*self.parts]}"
            )

    def bind(self, facts: Facts) -> RegionSum:
        """Return the rule with the parts into which the layout's regions divide it.

        Raises:
            LayoutError: the line does not leave a region.
        """
        if self.parts is not None:
            return self
        region_of = {cell: region.cells for region in facts.regions for cell in region.cells}
        parts = [*map(len, cut_at_regions(self.line, region_of))]
        if len(parts) == 1:
            raise LayoutError(f"{self.kind}: line: expected a line through two regions or more")
        return replace(self, parts=tuple(parts))

    def groups(self) -> list[tuple[int, ...]]:
        """Return the parts of the line."""
        ends = accumulate(self.parts or (), initial=0)
        return [self.line[start:end] for start, end in pairwise(ends)]

    def smaller(self) -> Iterator[Self]:
        """Yield the rule without one of its parts, then without one cell of a part."""
        groups = self.groups()
        for index, group in enumerate(groups):
            fewer = [(), *(group[:at] + group[at + 1 :] for at in range(len(group)))]
            for changed in dict.fromkeys(fewer):
                remaining = [*groups[:index], changed, *groups[index + 1 :]]
                parts = tuple(len(part) for part in remaining if part)
                if parts:
                    yield replace(self, line=tuple(chain(*remaining)), parts=parts)

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        parts = listing(cell_names(group, names) for group in self.groups())
        return message("{cells} have the same sum", cells=parts)


def cut_at_regions(line: Sequence[int], region_of: Mapping[int, object]) -> list[list[int]]:
    """Cut a line where it leaves a region; cells without a region count as one region."""
    parts: list[list[int]] = []
    for index, cell in enumerate(line):
        if index and region_of.get(cell) == region_of.get(line[index - 1]):
            parts[-1].append(cell)
        else:
            parts.append([cell])
    return parts


@dataclass(frozen=True)
class Zipper(_EqualSums):
    """Cells at the same distance from the centre of a line have one sum: the centre, if a cell.

    Args:
        line: the cells in order.
    """

    kind: ClassVar[str] = "zipper"
    sentence: ClassVar[str] = (
        "cells at the same distance from the centre of {cells} have the same sum"
    )

    def groups(self) -> list[tuple[int, ...]]:
        """Return the centre, if it is a cell, and the pairs around it."""
        line, half = self.line, len(self.line) // 2
        centre = [line[half : half + 1]] if len(line) % 2 else []
        return [*centre, *[(line[index], line[-1 - index]) for index in range(half)]]


@dataclass(frozen=True)
class DoubleArrow(_EqualSums):
    """The two ends of a line have the same sum as the cells between them.

    Args:
        line: the cells in order.
    """

    kind: ClassVar[str] = "double-arrow"
    fewest: ClassVar[int] = 2

    def groups(self) -> list[tuple[int, ...]]:
        """Return the ends, and the cells between them."""
        return [(self.line[0], self.line[-1]), self.line[1:-1]]

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        ends = cell_names((self.line[0], self.line[-1]), names)
        others = cell_names(self.line[1:-1], names) or message("no cells")
        return message("{cells} sum to the same as {others}", cells=ends, others=others)


@dataclass(frozen=True)
class AmbiguousArrow(Rule):
    """One cell of a line, whichever it is, holds the sum of all the others.

    Args:
        line: the cells in order.
        ends: whether only the first or the last cell may hold the sum.
    """

    kind: ClassVar[str] = "ambiguous-arrow"
    fewest: ClassVar[int] = 2
    line: CellsInOrder
    ends: bool = False

    @property
    def ways(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The cells that may hold the sum, each with the others."""
        last = len(self.line) - 1
        for index in (0, last) if self.ends else range(last + 1):
            yield self.line[index], (*self.line[:index], *self.line[index + 1 :])

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield all cells if they are filled, and none that may holds the sum of the others."""
        if numbers := numbers_in(self.line, values, first_value):
            candidates = (numbers[0], numbers[-1]) if self.ends else numbers
            if all(sum(numbers) != 2 * value for value in candidates):
                yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield that one of several sums is 0."""
        sums = dict.fromkeys(
            Sum.of([(cell, -1), *((other, 1) for other in others)], 0, 0, facts.first_value)
            for cell, others in self.ways
        )
        yield Or(tuple((way,) for way in sums))

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        text = "one of {cells} is the sum of the others"
        if self.ends:
            text = "the first or the last of {cells} is the sum of the others"
        return message(text, cells=cell_names(self.line, names))
