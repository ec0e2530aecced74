"""Rules about equal values that are a number of steps apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar

from unidoku.core.caching import number_cache
from unidoku.core.constraints.primitives import Constraint, Masks, Pair, Relation, tabulated
from unidoku.core.rules.base import Facts, Rule, cell_names
from unidoku.core.rules.fields import Cells, Values
from unidoku.errors import LayoutError
from unidoku.support.language import listing, message


@dataclass(frozen=True)
class Taxicab(Rule):
    """No two cells that are a number of steps apart, along rows and columns, both hold it.

    Args:
        held: the cells in reading order, each once; by default all cells of the grid.
        columns: number of cells in a row; by default that of the layout.
        steps: the number of steps between two cells that do not hold the same value; by default
            each value has its own number.
        values: the values that it is about; by default all.
    """

    kind: ClassVar[str] = "taxicab"
    each_once: ClassVar[bool] = True
    lowest: ClassVar[Mapping[str, int]] = {"steps": 1}
    held: Cells = ()
    columns: int = 0
    steps: int | None = None
    values: Values = ()

    def __post_init__(self) -> None:
        """Refuse rows without cells."""
        super().__post_init__()
        if self.columns < bool(self.held):
            raise LayoutError(f"{self.kind}: columns: expected at least 1, got {self.columns}")

    def bind(self, facts: Facts) -> Taxicab:
        """Return the rule with all cells of its layout, if it names none.

        Raises:
            LayoutError: the grid has holes.
        """
        if self.held:
            return self
        columns = 1 + max(column for _, column in facts.positions)
        if any(divmod(cell, columns) != place for cell, place in enumerate(facts.positions)):
            raise LayoutError(f"{self.kind}: held: expected a grid without holes, or its cells")
        return replace(self, held=tuple(range(len(facts.positions))), columns=columns)

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield two cells with a number that are as many steps apart."""
        cells: dict[int, list[tuple[int, int, int]]] = {}
        for index, cell in enumerate(self.held):
            cells.setdefault(values[cell], []).append((cell, *divmod(index, self.columns)))
        for value in cells.keys() - {0}:
            number = value + first_value - 1
            for (a, row, column), (b, below, right) in combinations(cells[value], 2):
                if self._forbids(number, abs(row - below) + abs(column - right)):
                    yield a, b

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield a relation of the cells that are a number of steps apart, for each number."""
        far: dict[int, list[Pair]] = {}
        places = [(cell, *divmod(index, self.columns)) for index, cell in enumerate(self.held)]
        for (a, row, column), (b, below, right) in combinations(places, 2):
            far.setdefault(abs(row - below) + abs(column - right), []).append((a, b))
        numbers = range(facts.first_value, facts.first_value + facts.n)
        for steps, pairs in far.items():
            if unequal := tuple([number for number in numbers if self._forbids(number, steps)]):
                yield Relation(_not_both(facts.n, facts.first_value, unequal), tuple(pairs))

    def _forbids(self, number: int, steps: int) -> bool:
        """Return whether two cells so many steps apart may not both hold a number."""
        far = number if self.steps is None else self.steps
        return steps == far and (number in self.values or not self.values)

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        cells = cell_names(self.held, names)
        values = listing(map(str, self.values), "or")
        if self.steps is None and not values:
            text = "no two of {cells} both hold the number of steps between them"
        elif self.steps is None:
            text = "no two of {cells} both hold the number of steps between them, {values}"
        elif not values:
            text = "no two of {cells}, {steps} steps apart, hold the same value"
        else:
            text = "no two of {cells}, {steps} steps apart, both hold {values}"
        return message(text, cells=cells, values=values, steps=self.steps)


@number_cache(maxsize=256)
def _not_both(n: int, first_value: int, numbers: tuple[int, ...]) -> Masks:
    return tabulated(n, lambda a, b: a != b or a not in numbers, first_value)
