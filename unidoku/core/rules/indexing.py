"""Cells that hold the place of a number in their row, column or box."""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import ClassVar, Self, TypeAlias

from unidoku.core.bits import all_values, bit
from unidoku.core.caching import number_cache
from unidoku.core.constraints.primitives import Constraint, Masks, Relation, Sets, interned
from unidoku.core.rules.base import Facts, Rule, all_differ, cell_names
from unidoku.core.rules.fields import Cells, CellsInOrder
from unidoku.errors import LayoutError
from unidoku.support.language import Message, message

KINDS_OF_INDEX = ("row", "column", "box")
"""What a cell may be an index of."""


_Named: TypeAlias = tuple[int, tuple[int, ...], int]
"""A cell that holds a place, the line on which it is, and the number at the place."""


@dataclass(frozen=True)
class NamesPlaces(Rule):
    """A rule of cells that hold the places of numbers on lines; `each` has them."""

    @property
    @abstractmethod
    def each(self) -> Iterable[_Named]:
        """Each cell with its line and its number."""

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield a cell that names no place, and one with the cell at its place if that is wrong."""
        shift = first_value - 1
        for cell, line, number in self.each:
            place = values[cell] + shift
            if not values[cell]:
                continue
            if not 1 <= place <= len(line):
                yield (cell,)
            elif values[line[place - 1]] and values[line[place - 1]] + shift != number:
                yield tuple(dict.fromkeys((cell, line[place - 1])))

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield the places that a cell may name, and relations to the cells at each place."""
        return _constraints_of(self.each, facts)

    @classmethod
    def constraints_of(cls, rules: Sequence[Self], facts: Facts) -> Iterator[Constraint]:
        """Yield the same for some rules."""
        return _constraints_of(chain.from_iterable([rule.each for rule in rules]), facts)


@dataclass(frozen=True)
class Index(NamesPlaces):
    """A cell holds the place on a line where its own number is, as in column 1 of a 159 puzzle.

    A row index in row 4 that holds a 7 says that row 7 of its column holds a 4; a column index in
    column 4 that holds a 7, that column 7 of its row holds a 4; a box index in the fourth cell of
    its box that holds a 7, that the seventh cell of the box holds a 4.

    Args:
        held: the cells that hold places.
        of: `row`, `column` or `box`; empty for lines and numbers of your own.
        lines: for each cell the cells of its line in order, one line after the other; by default
            those of its column, row or box.
        numbers: for each cell the number that is at the place on its line; by default that of its
            row, its column, or its place in the box.
    """

    kind: ClassVar[str] = "index"
    held: Cells
    of: str = ""
    lines: CellsInOrder = ()
    numbers: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Refuse lines that are not as many as the cells."""
        super().__post_init__()
        if self.of not in ("", *KINDS_OF_INDEX):
            raise LayoutError(
                f"{self.kind}: of: expected 'row', 'column' or 'box', got {self.of!r}"
            )
        if not (self.lines or self.numbers or self.of):
            raise LayoutError(f"{self.kind}: of: expected 'row', 'column' or 'box', got nothing")
        count = len(self.held)
        fits = len(self.numbers) == count and self.lines and len(self.lines) % count == 0
        if (self.lines or self.numbers) and not fits:
            raise LayoutError(
                f"{self.kind}: expected a line and a number for each of {count} cells, got "
                f"{len(self.lines)} cells of lines and {len(self.numbers)} numbers"
            )

    @property
    def each(self) -> Iterator[_Named]:
        """Each cell with its line and its number."""
        length = len(self.lines) // len(self.held)
        for index, (cell, number) in enumerate(zip(self.held, self.numbers, strict=True)):
            yield cell, self.lines[index * length : (index + 1) * length], number

    def bind(self, facts: Facts) -> Self:
        """Return the rule with lines and numbers, and with the word for them.

        Raises:
            LayoutError: a cell has no such line.
        """
        if not self.lines:
            return self._of(self.of, facts)
        for of in KINDS_OF_INDEX:
            if all(line_of(of, cell, facts) == (line, v) for cell, line, v in self.each):
                return replace(self, of=of)
        return replace(self, of="")

    def _of(self, of: str, facts: Facts) -> Self:
        numbered = [line_of(of, cell, facts) for cell in self.held]
        if len({len(line) for line, _ in numbered}) > 1 or not numbered[0][0]:
            raise LayoutError(f"{self.kind}: held: expected cells whose {of} has one size")
        lines = tuple(cell for line, _ in numbered for cell in line)
        return replace(self, of=of, lines=lines, numbers=tuple(number for _, number in numbered))

    def smaller(self) -> Iterator[Self]:
        """Yield the rule without one of its cells, and with shorter lines."""
        parts = [*self.each]
        without = [parts[:index] + parts[index + 1 :] for index in range(len(parts))]
        shorter = [(cell, line[:-1], number) for cell, line, number in parts]
        for fewer in (*without, shorter):
            flat = tuple(cell for _, line, _ in fewer for cell in line)
            if flat:
                held, numbers = tuple(part[0] for part in fewer), tuple(part[2] for part in fewer)
                yield replace(self, held=held, lines=flat, numbers=numbers)

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        if self.of:
            text = "{cells} names the place of its {unit}'s number"
            if len(self.held) > 1:
                text = "{cells} each name the place of their {unit}'s number"
            return message(text, cells=cell_names(self.held, names), unit=Message(self.of))
        texts = [
            message(
                "{first} is the place of {value} along {cells}",
                first=names[cell],
                value=number,
                cells=cell_names(line, names),
            )
            for cell, line, number in self.each
        ]
        return ", ".join(texts)


def _constraints_of(named: Iterable[_Named], facts: Facts) -> Iterator[Constraint]:
    """Yield the places that cells may name, and a relation for each place of all lines alike."""
    first, n = facts.first_value, facts.n
    differ: dict[Cells, bool] = {}
    alike: defaultdict[tuple[int, int, bool], list[Cells]] = defaultdict(list)
    for cell, line, number in named:
        places = places_on(len(line), facts)
        if len(places) < n or cell in line:
            possible = [p for p in places if line[p - 1] != cell or p == number]
            if len(possible) < n:
                yield Sets((cell,), tuple([bit(place - first + 1) for place in possible]))
        if line not in differ:
            differ[line] = all_differ(line, facts)
        alike[number, len(line), differ[line]].append((cell, *line))
    for (number, length, line_differs), cells_of_each in alike.items():
        places = places_on(length, facts)
        ends = places.start - first, len(places)
        tables = tables_of_places(n, *ends, number - first, differ=line_differs)
        cells, *others = zip(*cells_of_each, strict=True)
        for table, placed in zip(tables, others[places.start - 1 :], strict=False):
            pairs = [pair for pair in zip(cells, placed, strict=True) if pair[0] != pair[1]]
            if pairs:
                yield Relation(table, tuple(pairs))


def places_on(length: int, facts: Facts) -> range:
    """Return the places on a line of that many cells that are among the values."""
    first = facts.first_value
    return range(max(first, 1), min(first + facts.n, length + 1))


@number_cache(maxsize=512)
def tables_of_places(n: int, first: int, places: int, number: int, *, differ: bool) -> list[Masks]:
    """Return for each place on a line the table of a cell that names it, and of the cell there.

    Args:
        n: number of values.
        first: the first place, from 0 on, as are the values of the cell that names it.
        places: how many places there are.
        number: what is at the place, from 0 on; if there is no such value, no cell names a place.
        differ: whether the cells of the line differ, so that no other place has the number.

    >>> tables_of_places(3, 1, 1, 0, differ=True)
    [(6, 1, 6)]
    """
    mask = 1 << number if 0 <= number < n else 0
    elsewhere = all_values(n) & ~mask if differ else all_values(n)
    return [
        interned(tuple([mask if index == place else elsewhere for index in range(n)]))
        for place in range(first, first + places)
    ]


def line_of(of: str, cell: int, facts: Facts) -> tuple[tuple[int, ...], int]:
    """Return the line of an index, and the number that is looked for; no cells if it has none."""
    if cell >= len(facts.positions):
        return (), 0
    if of == "box":
        region = next((region.cells for region in facts.regions if cell in region.cells), ())
        return region, region.index(cell) + 1 if region else 0
    axis = 0 if of == "row" else 1
    position = facts.positions[cell]
    line = [
        (place[axis], other)
        for other, place in enumerate(facts.positions)
        if place[1 - axis] == position[1 - axis]
    ]
    return tuple(other for _, other in sorted(line)), position[axis] + 1
