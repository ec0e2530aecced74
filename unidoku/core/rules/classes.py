"""Rules about lines on which nearby cells hold values of different classes."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from unidoku.core.constraints.primitives import Pair
from unidoku.core.rules.base import Facts, cell_names
from unidoku.core.rules.fields import CellsInLine, Classes
from unidoku.core.rules.related import RelatedCells
from unidoku.errors import LayoutError
from unidoku.support.language import listing, message


def thirds(first_value: int, n: int) -> Classes:
    """Return the low, middle and high values of a board; the middle third differs if they must.

    >>> thirds(1, 9), thirds(1, 4)
    (((1, 2, 3), (4, 5, 6), (7, 8, 9)), ((1,), (2, 3), (4,)))
    """
    small, large = n // 3, (n + 2) // 3
    sizes = (small, large, small) if n % 3 == 1 else (large, small, large)
    ends = [first_value + sum(sizes[:k]) for k in range(4)]
    return tuple([tuple(range(ends[k], ends[k + 1])) for k in range(3) if sizes[k]])


def check_classes(kind: str, classes: Classes) -> None:
    """Raise `LayoutError`, with the kind of the rule, if a value is in two classes."""
    values = [value for members in classes for value in set(members)]
    if len(set(values)) < len(values):
        raise LayoutError(f"{kind}: classes: expected each value once, got {values}")


@dataclass(frozen=True)
class _NearbyCells(RelatedCells):
    """A rule about each two cells that are near each other on a line; `holds` defines it."""

    line: CellsInLine

    @property
    @abstractmethod
    def reach(self) -> int:
        """The largest number of steps between two cells that the rule relates."""

    def related_pairs(self) -> Iterator[Pair]:
        """Yield the pairs of nearby cells; a cell is not related to itself."""
        line = self.line
        for index, cell in enumerate(line):
            for other in line[index + 1 : index + 1 + self.reach]:
                if other != cell:
                    yield cell, other


@dataclass(frozen=True)
class Parity(_NearbyCells):
    """Along a line odd and even values alternate.

    Args:
        line: the cells in order.
    """

    kind: ClassVar[str] = "parity"
    sentence: ClassVar[str] = "odd and even values alternate along {cells}"
    reach: ClassVar[int] = 1

    def holds(self, a: int, b: int) -> bool:
        """Return whether one value is odd and the other even."""
        return (a - b) % 2 == 1


@dataclass(frozen=True)
class Modular(_NearbyCells):
    """Neighbours on a line, as many as the modulus, have different remainders.

    Args:
        line: the cells in order.
        modulus: the number that values are divided by, and the number of cells in a row whose
            remainders differ.
    """

    kind: ClassVar[str] = "modular"
    sentence: ClassVar[str] = "any {modulus} cells in a row of {cells} differ modulo {modulus}"
    lowest: ClassVar[Mapping[str, int]] = {"modulus": 2}
    modulus: int = 3

    @property
    def reach(self) -> int:
        """The largest number of steps between two cells that the rule relates."""
        return self.modulus - 1

    def holds(self, a: int, b: int) -> bool:
        """Return whether the remainders differ."""
        return (a - b) % self.modulus != 0


@dataclass(frozen=True)
class Entropic(_NearbyCells):
    """Neighbours on a line, as many as there are classes, hold values of different classes.

    Args:
        line: the cells in order.
        classes: the values of each class; by default the low, the middle and the high third of the
            layout's values. A value is in at most one class; one without a class has its own.
    """

    kind: ClassVar[str] = "entropic"
    classes: Classes | None = None

    def __post_init__(self) -> None:
        """Refuse classes that share a value."""
        super().__post_init__()
        check_classes(self.kind, self.classes or ())

    def bind(self, facts: Facts) -> Entropic:
        """Return the rule with the thirds of its layout's values, if it has no classes."""
        if self.classes is not None:
            return self
        return replace(self, classes=thirds(facts.first_value, facts.n))

    @property
    def reach(self) -> int:
        """The largest number of steps between two cells that the rule relates."""
        return max(len(self.classes or ()) - 1, 0)

    def holds(self, a: int, b: int) -> bool:
        """Return whether the values are of different classes; a value of none has its own."""
        return a != b and not any(a in members and b in members for members in self.classes or ())

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        return message(
            "any {count} cells in a row of {cells} are of {groups}",
            count=self.reach + 1,
            cells=cell_names(self.line, names),
            groups=listing("/".join(map(str, members)) for members in self.classes or ()),
        )


@dataclass(frozen=True)
class Nabner(_NearbyCells):
    """No two cells hold equal or consecutive values.

    Args:
        line: the cells, each once.
    """

    kind: ClassVar[str] = "nabner"
    sentence: ClassVar[str] = "{cells} hold no equal or consecutive values"
    reach: ClassVar[int] = sys.maxsize
    each_once: ClassVar[bool] = True

    def holds(self, a: int, b: int) -> bool:
        """Return whether the values are neither equal nor consecutive."""
        return abs(a - b) > 1
