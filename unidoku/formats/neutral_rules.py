"""The kinds of rules of the neutral form, and what each is among ours: one table, `RULES`.

Where a kind has a rule of its own, that rule is meant; the others of two cells are `Pairs` under
their names, and what says that cells differ is a unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from unidoku.core.layout import Unit
from unidoku.core.rules import NonConsecutive, Pairs, Rule
from unidoku.core.shapes import Pair

__all__ = ["RULES", "Domain", "Facts", "Meaning", "UnknownRuleError"]


class Domain(NamedTuple):
    """Cells, and the values that each may hold."""

    cells: Sequence[int]
    values: Iterable[int]


class Facts(NamedTuple):
    """What the meaning of a rule may depend on.

    Attributes:
        n: values are 1 to n.
        rows: of the grid.
        columns: of the grid.
    """

    n: int
    rows: int
    columns: int


class UnknownRuleError(Exception):
    """A rule that has no counterpart here; says which, and what of it."""


Told: TypeAlias = Mapping[str, Any]
Meaning: TypeAlias = Iterator[Rule | Unit | Domain]


def _related(name: str, pairs: Iterable[Pair], related: Callable[[int, int], object]) -> Rule:
    return Pairs(tuple((a, b) for a, b in pairs if a != b), related, name)


def _line(related: Callable[[Told], Callable[[int, int], object]]) -> Callable[..., Meaning]:
    """Return the meaning of a line whose neighbours are related."""

    def meaning(told: Told, facts: Facts) -> Meaning:
        yield _related(told["kind"], pairwise(told["cells"]), related(told))

    return meaning


def _each_two(related: Callable[[Told], Callable[[int, int], object]]) -> Callable[..., Meaning]:
    """Return the meaning of cells of which each two are related."""

    def meaning(told: Told, facts: Facts) -> Meaning:
        yield _related(told["kind"], combinations(told["cells"], 2), related(told))

    return meaning


def _listed(related: Callable[[Told], Callable[[int, int], object]]) -> Callable[..., Meaning]:
    """Return the meaning of pairs of cells that are listed."""

    def meaning(told: Told, facts: Facts) -> Meaning:
        yield _related(told["kind"], map(tuple, told["pairs"]), related(told))

    return meaning
