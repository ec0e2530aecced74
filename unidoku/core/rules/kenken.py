"""The cages of KenKen: a number and the operation that makes it from the values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from unidoku.core.caching import number_cache
from unidoku.core.rules.base import Cells, Facts, Rule
from unidoku.core.rules.cages import Product, SumOfCells
from unidoku.core.shapes import Masks, Relation, Shape, tabulated
from unidoku.errors import LayoutError
from unidoku.kinds import shown

__all__ = ["KenKen"]

_OF_TWO = ("-", "/")


@dataclass(frozen=True)
class KenKen(Rule):
    """The values of a cage give a number by `+`, `-`, `*` or `/` in any order; they may repeat.

    Args:
        cage: the cells; two of them for `-` and `/`.
        total: the number.
        by: the operation.
    """

    kind: ClassVar[str] = "kenken"
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
            less, more = sorted(values[cell] + first_value - 1 for cell in self.cage)
            if (more - less if self.by == "-" else _ratio(less, more)) != self.total:
                yield self.cells

    def shapes(self, facts: Facts) -> Iterator[Shape]:
        """Yield a table of two values, a sum, or an automaton of the product."""
        if self.by not in _OF_TWO:
            yield from self._of_many.shapes(facts)
            return
        table = _of_two(facts.n, self.total, self.by, facts.first_value)
        yield Relation(table, ((self.cage[0], self.cage[1]),))

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        return f"the cage {' '.join(names[cell] for cell in self.cage)} makes {self.total}{self.by}"


@number_cache(maxsize=256)
def _of_two(n: int, total: int, by: str, first_value: int) -> Masks:
    """Return which two values make a number."""

    def fits(v: int, w: int) -> bool:
        less, more = sorted((v, w))
        return more == less + total if by == "-" else less != 0 and more == less * total

    return tabulated(n, fits, first_value)


def _ratio(less: int, more: int) -> int | None:
    """Return the ratio of two numbers; None if it is not a whole number."""
    return more // less if less and more % less == 0 else None
