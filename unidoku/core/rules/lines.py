"""Rules of the cells along a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import ClassVar

from unidoku.core.bits import mask_of
from unidoku.core.rules.base import Cells, CellsInLine, Facts, Rule
from unidoku.core.shapes import Relation, Sets, Shape, tabulated
from unidoku.errors import LayoutError

__all__ = ["Palindrome", "Renban", "Thermo", "Whispers"]


@dataclass(frozen=True)
class Thermo(Rule):
    """Along a thermometer the values rise from the bulb.

    Args:
        line: the cells, the bulb first.
        slow: whether a value may be that of the cell before.
    """

    kind: ClassVar[str] = "thermo"
    line: CellsInLine
    slow: bool = False

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield filled cells of which the later one is not larger."""
        filled = [cell for cell in self.line if values[cell]]
        for a, b in pairwise(filled):
            if values[a] > values[b] or (values[a] == values[b] and not self.slow):
                yield a, b

    def shapes(self, facts: Facts) -> Iterator[Shape]:
        """Yield a relation of neighbours on the line."""
        slow = self.slow
        table = tabulated(facts.n, lambda a, b: a < b or (slow and a == b))
        yield Relation(table, tuple(pairwise(self.line)))

    def words(self, names: Sequence[str]) -> str:
        """Say which way the values rise."""
        way = "do not fall" if self.slow else "rise"
        return f"the values {way} along {' '.join(names[cell] for cell in self.line)}"


@dataclass(frozen=True)
class Whispers(Rule):
    """Along a line neighbours differ by a number at least (German whispers: by 5).

    Args:
        line: the cells in order.
        least: the least difference.
    """

    kind: ClassVar[str] = "whisper"
    line: CellsInLine
    least: int = 5

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield neighbours whose values are too near."""
        for a, b in pairwise(self.line):
            if values[a] and values[b] and abs(values[a] - values[b]) < self.least:
                yield a, b

    def shapes(self, facts: Facts) -> Iterator[Shape]:
        """Yield a relation of neighbours on the line."""
        far = tabulated(facts.n, lambda a, b: abs(a - b) >= self.least)
        yield Relation(far, tuple(pairwise(self.line)))

    def words(self, names: Sequence[str]) -> str:
        """Say how far apart neighbours are."""
        line = " ".join(names[cell] for cell in self.line)
        return f"neighbours along {line} differ by {self.least} at least"


@dataclass(frozen=True)
class Palindrome(Rule):
    """A line reads the same from both ends.

    Args:
        line: the line.
    """

    kind: ClassVar[str] = "palindrome"
    line: Cells

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield two cells as far from either end that hold different values."""
        line = self.line
        for place in range(len(line) // 2):
            a, b = line[place], line[-1 - place]
            if values[a] and values[b] and values[a] != values[b]:
                yield a, b

    def shapes(self, facts: Facts) -> Iterator[Shape]:
        """Yield a relation of cells as far from either end."""
        line = self.line
        pairs = zip(line, reversed(line[(len(line) + 1) // 2 :]), strict=False)
        both = tuple((a, b) for a, b in pairs if a != b)
        yield Relation(tabulated(facts.n, lambda a, b: a == b), both)

    def words(self, names: Sequence[str]) -> str:
        """Say it."""
        line = " ".join(names[cell] for cell in self.line)
        return f"{line} reads the same from both ends"


@dataclass(frozen=True)
class Renban(Rule):
    """The cells hold different consecutive values, in any order.

    Args:
        line: the cells, each once.
    """

    kind: ClassVar[str] = "renban"
    line: Cells

    def __post_init__(self) -> None:
        """Refuse a cell that is there twice: it cannot differ from itself."""
        super().__post_init__()
        if len(set(self.line)) < len(self.line):
            raise LayoutError(f"renban: line: expected each cell once, got {list(self.line)}")

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield two filled cells whose values are the same or too far apart."""
        filled = [cell for cell in self.line if values[cell]]
        for a, b in combinations(filled, 2):
            if values[a] == values[b] or abs(values[a] - values[b]) >= len(self.line):
                yield a, b

    def shapes(self, facts: Facts) -> Iterator[Shape]:
        """Yield the runs of values."""
        size = len(self.line)
        runs = [mask_of(range(v, v + size)) for v in range(1, facts.n - size + 2)]
        yield Sets(self.line, tuple(runs))

    def words(self, names: Sequence[str]) -> str:
        """Say it."""
        line = " ".join(names[cell] for cell in self.line)
        return f"{line} hold consecutive values in any order"
