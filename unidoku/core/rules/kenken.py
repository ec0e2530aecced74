"""The cages of KenKen: a number and the operation that makes it from the values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from unidoku.core.caching import number_cache
from unidoku.core.constraints.primitives import Constraint, Masks, Relation, tabulated
from unidoku.core.rules.base import Cells, Facts, Rule
from unidoku.core.rules.cages import Product, SumOfCells
from unidoku.errors import LayoutError
from unidoku.support.schema import shown

_OF_TWO = ("-", "/")


@dataclass(frozen=True)
class KenKen(Rule):
    """The values of a cage give a number by `+`, `-`, `*` or `/` in any order; they may repeat.

    Args:
        cage: the cells, each once; two of them for `-` and `/`.
        total: the number; nothing is divided by 0.
        by: the operation.
    """

    kind: ClassVar[str] = "kenken"
    sentence: ClassVar[str] = "the cage {cells} makes {total}{by}"
    cage: Cells
    total: int
    by: str

    each_once: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Refuse an unknown operation or a wrong number of cells."""
        super().__post_init__()
        if self.by not in ("+", "*", *_OF_TWO):
            raise LayoutError(f"kenken: by: expected '+', '-', '*' or '/', got {shown(self.by)}")
        if self.by in _OF_TWO and len(self.cage) != 2:
            raise LayoutError(
                f"kenken: cage: expected two cells with {self.by!r}, got {len(self.cage)}"
            )

    @property
    def _of_many(self) -> SumOfCells | Product:
        return (SumOfCells if self.by == "+" else Product)(self.cage, self.total)

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the cage if its values cannot give the number."""
        if self.by not in _OF_TWO:
            yield from self._of_many.broken(values, first_value)
        elif all(values[cell] for cell in self.cage):
            first, second = (values[cell] + first_value - 1 for cell in self.cage)
            if self.total not in _results(first, second, self.by):
                yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield a table of two values, a sum, or an automaton of the product."""
        if self.by not in _OF_TWO:
            yield from self._of_many.constraints(facts)
            return
        table = _of_two(facts.n, self.total, self.by, facts.first_value)
        yield Relation(table, ((self.cage[0], self.cage[1]),))


@number_cache(maxsize=256)
def _of_two(n: int, total: int, by: str, first_value: int) -> Masks:
    """Return which two values make a number."""

    def gives(v: int, w: int) -> bool:
        return v == w + total if by == "-" else w != 0 and v == w * total

    return tabulated(n, lambda v, w: gives(v, w) or gives(w, v), first_value)


def _results(first: int, second: int, by: str) -> set[int]:
    """Return the whole numbers that two values give in either order."""
    if by == "-":
        return {first - second, second - first}
    return {a // b for a, b in ((first, second), (second, first)) if b and a % b == 0}
