"""Rules about the values of two cells at a time, for some pairs of cells."""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Self

from unidoku.core.caching import number_cache
from unidoku.core.constraints.primitives import Constraint, Masks, Pair, Relation, tabulated
from unidoku.core.rules.base import Facts, Rule
from unidoku.core.rules.fields import CellRole, fields_of_cells, other_fields


def equal_pairs(values: Sequence[int], cells: Iterable[int]) -> Iterator[Pair]:
    """Yield each two filled cells that hold the same value."""
    for a, b in combinations(cells, 2):
        if values[a] and values[a] == values[b]:
            yield a, b


@dataclass(frozen=True)
class RelatedCells(Rule):
    """A rule that relates the values of pairs of cells; `holds` defines it."""

    @abstractmethod
    def related_pairs(self) -> Iterable[Pair]:
        """Return the pairs of cells that the rule relates."""

    @abstractmethod
    def holds(self, a: int, b: int) -> bool:
        """Return whether two values satisfy the rule."""

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the pairs whose values violate the rule."""
        shift = first_value - 1
        for a, b in self.related_pairs():
            if values[a] and values[b] and not self.holds(values[a] + shift, values[b] + shift):
                yield a, b

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield a relation of all pairs."""
        return _relations(type(self), (self,), facts)

    @classmethod
    def constraints_of(cls, rules: Sequence[Self], facts: Facts) -> Iterator[Constraint]:
        """Yield a relation of all pairs of the rules that relate values alike."""
        return _relations(cls, rules, facts)


def _relations(
    kind: type[RelatedCells], rules: Iterable[RelatedCells], facts: Facts
) -> Iterator[Constraint]:
    """Yield the relations of rules of a kind, one for all that relate values alike."""
    names = other_fields(kind)
    alike: defaultdict[tuple[Any, ...], list[Pair]] = defaultdict(list)
    for rule in rules:
        alike[tuple([getattr(rule, name) for name in names])] += rule.related_pairs()
    for arguments, pairs in alike.items():
        if pairs:
            table = _table(kind, arguments, facts.n, facts.first_value)
            yield Relation(table, tuple(dict.fromkeys(pairs)))


@number_cache(maxsize=1024)
def _table(kind: type[RelatedCells], arguments: tuple[Any, ...], n: int, first_value: int) -> Masks:
    """Return the table of a rule of some kind, which does not depend on its cells."""
    roles = fields_of_cells(kind).items()
    cells = {name: ((0, 1),) if role is CellRole.PAIRS else (0, 1) for name, role in roles}
    others = dict(zip(other_fields(kind), arguments, strict=True))
    return tabulated(n, kind(**cells, **others).holds, first_value)
