"""Rules about the sum or the product of cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from math import comb, prod
from operator import eq, ge, le, mul, ne
from typing import Annotated, ClassVar, TypeAlias

from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import Machine, machine_of_steps
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Masks,
    Relation,
    Sets,
    Sum,
    apart,
    digit_sets,
    tabulated,
)
from unidoku.core.rules.base import Facts, Rule, cell_names, numbers_in
from unidoku.core.rules.fields import Cells, CellsInOrder, Contents
from unidoku.core.rules.related import equal_pairs
from unidoku.errors import LayoutError
from unidoku.support.language import message
from unidoku.support.schema import shown

MOST_SETS = 20_000
"""A cage with up to this many sets of values is expressed by these sets."""

_OF_TWO = ("-", "/")
"""The operations of KenKen that take two values."""


def cannot_sum(values: Sequence[int], cells: Sequence[int], total: int, first_value: int) -> bool:
    """Return whether cells cannot sum to a total; an empty cell has at least the first value."""
    cell_values = [values[cell] for cell in cells]
    least = sum((value or 1) + first_value - 1 for value in cell_values)
    return least > total or (0 not in cell_values and least != total)


def within_reach(total: int, cells: Sequence[int], facts: Facts, times: int = 1) -> int:
    """Return a total, or a smaller one that cells cannot reach either: machines stay small.

    Args:
        total: the total.
        cells: the cells that are summed.
        facts: the layout.
        times: how often a cell may count.
    """
    return min(total, len(cells) * times * (facts.n + facts.first_value - 1) + 1)


@dataclass(frozen=True)
class Killer(Rule):
    """The cells of a cage differ, and sum to a total.

    Args:
        cage: the cells; one that is listed twice counts twice in the sum.
        total: the sum; None if the cells only differ.
    """

    kind: ClassVar[str] = "killer"
    cage: Cells
    total: int | None = None

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield cells that hold the same value, and the cage if its sum cannot be right."""
        yield from equal_pairs(values, dict.fromkeys(self.cage))
        if self.total is None:
            return
        if cannot_sum(values, self.cage, self.total, first_value):
            yield tuple(dict.fromkeys(self.cage))

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield the sets of values with the total, or else that the cells differ, and their sum."""
        n, cells = facts.n, tuple(sorted({*self.cage}))
        once = len(cells) == len(self.cage)
        if self.total is not None and once and comb(n, len(cells)) <= MOST_SETS:
            total = self.total - (facts.first_value - 1) * len(cells)
            yield Sets(cells, digit_sets(n, len(cells), total, total))
            return
        yield Relation(apart(n), tuple(combinations(cells, 2)))
        if self.total is not None:
            yield Sum.of_cells(self.cage, self.total, facts.first_value)

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        cells = cell_names(self.cage, names)
        if self.total is None:
            return message("the cage {cells} holds different values", cells=cells)
        return message("the cage {cells} sums to {total}", cells=cells, total=self.total)


@dataclass(frozen=True)
class SumOfCells(Rule):
    """Cells sum to a total, and values may repeat: a little killer, for one.

    Args:
        summed: the cells; one that is listed twice counts twice.
        total: the sum.
    """

    kind: ClassVar[str] = "sum"
    summed: Cells
    total: int

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the cells if their sum cannot be right."""
        if cannot_sum(values, self.summed, self.total, first_value):
            yield tuple(dict.fromkeys(self.summed))

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield the sum."""
        yield Sum.of_cells(self.summed, self.total, facts.first_value)

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        return _sum_in_words(self.summed, names, self.total)


@dataclass(frozen=True)
class Arrow(Rule):
    """The cells along an arrow sum to the number in its circle; values may repeat.

    Args:
        circle: the cell of the circle, or the cells of a number with several digits, first digit
            first: each cell counts ten times as much as the next.
        shaft: the cells along the arrow.
    """

    kind: ClassVar[str] = "arrow"
    circle: CellsInOrder
    shaft: Cells

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield all cells if circle and shaft are filled and their numbers differ."""
        parts = self.circle, self.shaft
        circle, shaft = (numbers_in(part, values, first_value) for part in parts)
        number = reduce(lambda number, digit: 10 * number + digit, circle, 0)
        if circle and shaft and number != sum(shaft):
            yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield that the sum of the shaft minus the circle is 0."""
        circle = [(cell, -(10**exponent)) for exponent, cell in enumerate(reversed(self.circle))]
        yield Sum.of([*circle, *[(cell, 1) for cell in self.shaft]], 0, 0, facts.first_value)

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        shaft, circle = (cell_names(part, names) for part in (self.shaft, self.circle))
        if len(self.circle) > 1:
            circle = message("the number {cells}", cells=circle)
        text = "{cells} equals {total}" if len(self.shaft) == 1 else "{cells} sum to {total}"
        return message(text, cells=shaft, total=circle)


@dataclass(frozen=True)
class Product(Rule):
    """The values of cells multiply to a total, and may repeat: a cage of KenKen.

    Args:
        cage: the cells.
        total: the product.
    """

    kind: ClassVar[str] = "product"
    sentence: ClassVar[str] = "{cells} multiply to {total}"
    cage: Cells
    total: int

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the cells if their product cannot be right."""
        factors = [values[cell] + first_value - 1 for cell in self.cage if values[cell]]
        product, full = prod(factors), len(factors) == len(self.cage)
        if product == 0 or self.total == 0:
            wrong = product != self.total and (full or product == 0)
        else:
            wrong = self.total % product != 0 or (full and product != self.total)
        if wrong:
            yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton whose state is the product so far, a divisor of the total."""
        largest = (facts.first_value + facts.n - 1) ** len(self.cage)
        total = self.total if self.total <= largest else _NO_PRODUCT  # not all its divisors
        yield Automaton(self.cage, _product(facts.n, total, facts.first_value))


@dataclass(frozen=True)
class ProductLine(Rule):
    """The values along a line multiply to a total, and may repeat.

    Args:
        line: the cells in order.
        total: the product.
    """

    kind: ClassVar[str] = "product-line"
    sentence: ClassVar[str] = Product.sentence
    line: CellsInOrder
    total: int

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the cells if their product cannot be right."""
        return Product(self.line, self.total).broken(values, first_value)

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton whose state is the product so far."""
        return Product(self.line, self.total).constraints(facts)


_NO_PRODUCT = -1
"""A total that no values multiply to."""


@number_cache(maxsize=256)
def _product(n: int, total: int, first_value: int) -> Machine:
    def step(state: int, value: int) -> int | None:
        if total == 0:
            return int(bool(state * value))
        product = state * value
        return product if product and total > 0 and total % product == 0 else None

    return machine_of_steps(n, 1, step, lambda state: state == total, first_value)


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
            return
        numbers = numbers_in(self.cage, values, first_value)
        if numbers and self.total not in _results(numbers[0], numbers[1], self.by):
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


@dataclass(frozen=True)
class SameSum(Rule):
    """Two groups of cells have the same sum.

    Args:
        summed: the cells of the first group.
        other: the cells of the second group.
    """

    kind: ClassVar[str] = "same-sum"
    summed: Cells
    other: Cells

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield all cells if they are filled and the sums differ."""
        parts = self.summed, self.other
        summed, other = (numbers_in(part, values, first_value) for part in parts)
        if summed and other and sum(summed) != sum(other):
            yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield that the difference of the sums is 0."""
        terms = [(cell, 1) for cell in self.summed] + [(cell, -1) for cell in self.other]
        yield Sum.of(terms, 0, 0, facts.first_value)

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        summed, other = (cell_names(part, names) for part in (self.summed, self.other))
        if len(self.other) == 1:
            return _sum_in_words(self.summed, names, other)
        is_one = len(self.summed) == 1
        return message(
            "{cells} sums to the same as {others}"
            if is_one
            else "{cells} sum to the same as {others}",
            cells=summed,
            others=other,
        )


Weights: TypeAlias = Annotated[tuple[int, ...], Contents("weights, such as (1, -1)")]
"""How often each cell counts."""

SIGNS: Mapping[str, Callable[[int, int], bool]] = {"=": eq, "!=": ne, "<=": le, ">=": ge}
"""The signs by which a sum is compared with a total."""


@dataclass(frozen=True)
class WeightedSum(Rule):
    """A weighted sum of cells is equal to a total, at most, at least, or different from it.

    Args:
        summed: the cells.
        weights: how often each cell counts, negative if it is subtracted.
        total: the number that the sum is compared with.
        sign: the comparison: `=`, `!=`, `<=` or `>=`.
    """

    kind: ClassVar[str] = "weighted-sum"
    summed: CellsInOrder
    weights: Weights
    total: int
    sign: str = "="

    def __post_init__(self) -> None:
        """Refuse an unknown sign, or weights that are not one for each cell."""
        super().__post_init__()
        if len(self.weights) != len(self.summed):
            got = f"got {len(self.weights)} for {len(self.summed)} cells"
            raise LayoutError(f"{self.kind}: weights: expected one for each cell, {got}")
        if self.sign not in SIGNS:
            raise LayoutError(
                f"{self.kind}: sign: expected one of {' '.join(SIGNS)}, got {self.sign!r}"
            )

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the cells if they are filled and the sum is wrong."""
        numbers = numbers_in(self.summed, values, first_value)
        if numbers and not SIGNS[self.sign](sum(map(mul, self.weights, numbers)), self.total):
            yield self.cells

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield the sum within its bounds; for `!=` an automaton."""
        terms = list(zip(self.summed, self.weights, strict=True))
        ends = [[weight * value for value in _ends(facts)] for weight in self.weights]
        least, most = map(sum, zip(*map(sorted, ends), strict=True)) if ends else (0, 0)
        match self.sign:
            case "=":
                yield Sum.of(terms, self.total, self.total, facts.first_value)
            case "<=":
                yield Sum.of(terms, min(least, self.total), self.total, facts.first_value)
            case ">=":
                yield Sum.of(terms, self.total, max(most, self.total), facts.first_value)
            case _:
                machine = _another_sum(facts.n, self.weights, self.total, facts.first_value)
                yield Automaton(self.summed, machine)

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        terms = zip(self.summed, self.weights, strict=True)
        texts = [
            f"{'-' if weight < 0 else '+'} {'' if abs(weight) == 1 else f'{abs(weight)}·'}"
            f"{names[cell]}"
            for cell, weight in terms
        ]
        sides = " ".join(texts).removeprefix("+ ")
        return f"{sides} {_SIGN_SHOWN.get(self.sign, self.sign)} {self.total}"


_SIGN_SHOWN = {"!=": "≠", "<=": "≤", ">=": "≥"}
"""The signs as people write them, where those are others."""


def _sum_in_words(cells: Sequence[int], names: Sequence[str], total: object) -> str:
    text = "{cells} sums to {total}" if len(cells) == 1 else "{cells} sum to {total}"
    return message(text, cells=cell_names(cells, names), total=total)


def _ends(facts: Facts) -> tuple[int, int]:
    """Return the smallest and the largest displayed value."""
    return facts.first_value, facts.first_value + facts.n - 1


@number_cache(maxsize=64)
def _another_sum(n: int, weights: Weights, total: int, first_value: int) -> Machine:
    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        index, sum_so_far = state
        return (index + 1, sum_so_far + weights[index] * value) if index < len(weights) else None

    def accept(state: tuple[int, int]) -> bool:
        return state[0] == len(weights) and state[1] != total

    return machine_of_steps(n, (0, 0), step, accept, first_value)
