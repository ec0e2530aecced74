"""Rules about single cells that have a mark: odd, even, minimum, maximum."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from unidoku.core.bits import bit
from unidoku.core.cells import adjacent
from unidoku.core.constraints.primitives import Constraint, Pair, Sets
from unidoku.core.rules.base import Facts, Rule, cell_names
from unidoku.core.rules.fields import Cells, PairsInOrder
from unidoku.core.rules.related import RelatedCells
from unidoku.support.language import Message, message


@dataclass(frozen=True)
class EachCell(Rule):
    """Each of some cells holds one of some values; `allows` defines them."""

    held: Cells

    @abstractmethod
    def allows(self, value: int) -> bool:
        """Return whether a cell may hold a value."""

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield each cell that holds another value."""
        for cell in dict.fromkeys(self.held):
            if values[cell] and not self.allows(values[cell] + first_value - 1):
                yield (cell,)

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield the values of each cell."""
        shift = facts.first_value - 1
        masks = [bit(value) for value in range(1, facts.n + 1) if self.allows(value + shift)]
        for cell in dict.fromkeys(self.held):
            yield Sets((cell,), tuple(masks))


@dataclass(frozen=True)
class _OfOneParity(EachCell):
    """Cells hold values of one parity."""

    remainder: ClassVar[int]

    def allows(self, value: int) -> bool:
        """Return whether a value has the parity."""
        return value % 2 == self.remainder

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        text = "{cells} is {kind}" if len(self.held) == 1 else "{cells} are {kind}"
        return message(text, cells=cell_names(self.held, names), kind=Message(self.kind))


@dataclass(frozen=True)
class Odd(_OfOneParity):
    """Each of some cells holds an odd value.

    Args:
        held: the cells.
    """

    kind: ClassVar[str] = "odd"
    remainder: ClassVar[int] = 1


@dataclass(frozen=True)
class Even(_OfOneParity):
    """Each of some cells holds an even value.

    Args:
        held: the cells.
    """

    kind: ClassVar[str] = "even"
    remainder: ClassVar[int] = 0


@dataclass(frozen=True)
class _Extreme(RelatedCells):
    """Cells hold less, or more, than the cells beside them."""

    sign: ClassVar[int]
    held: Cells
    compared: PairsInOrder = ()

    def bind(self, facts: Facts) -> Self:
        """Return the rule with the pairs of neighbours that it compares."""
        if self.compared:
            return self
        near = adjacent(facts)
        pairs = [
            (cell, other)
            for cell in dict.fromkeys(self.held)
            for other in (near[cell] if cell < len(near) else ())
            if other not in self.held
        ]
        return replace(self, compared=tuple(pairs))

    def related_pairs(self) -> Iterable[Pair]:
        """Return the pairs of a cell and one beside it."""
        return self.compared

    def holds(self, a: int, b: int) -> bool:
        """Return whether the values are in order."""
        return self.sign * (a - b) > 0

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        cells = cell_names(self.held, names)
        if len(set(self.held)) == 1:
            text = (
                "{cells} holds more than the cells beside"
                if self.sign > 0
                else "{cells} holds less than the cells beside"
            )
        elif self.sign > 0:
            text = "{cells} hold more than the cells beside"
        else:
            text = "{cells} hold less than the cells beside"
        return message(text, cells=cells)


@dataclass(frozen=True)
class Minimum(_Extreme):
    """Each of some cells holds less than the cells beside it that are not among them.

    Args:
        held: the cells.
        compared: pairs of one of the cells and another that holds more; by default each with the
            cells that share a side with it, except for those in ``held``.
    """

    kind: ClassVar[str] = "minimum"
    sign: ClassVar[int] = -1


@dataclass(frozen=True)
class Maximum(_Extreme):
    """Each of some cells holds more than the cells beside it that are not among them.

    Args:
        held: the cells.
        compared: pairs of one of the cells and another that holds less; by default each with the
            cells that share a side with it, except for those in ``held``.
    """

    kind: ClassVar[str] = "maximum"
    sign: ClassVar[int] = 1
