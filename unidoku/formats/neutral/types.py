"""Types for the readers of rules of the neutral form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from unidoku.core.layout import Unit
from unidoku.core.rules import Rule


class Domain(NamedTuple):
    """Cells, and the values that each may hold."""

    cells: Sequence[int]
    values: Iterable[int]


class Frame(NamedTuple):
    """The information on which the meaning of a rule may depend.

    Attributes:
        low: the smallest value.
        high: the largest value.
        rows: number of rows of the grid.
        columns: number of columns of the grid.
    """

    low: int
    high: int
    rows: int
    columns: int


class UnknownRuleError(Exception):
    """A rule without a counterpart in this version; the message names it."""


Fact: TypeAlias = Mapping[str, Any]
Meaning: TypeAlias = Iterator[Rule | Unit | Domain]
Reading: TypeAlias = Callable[[Fact, Frame], Meaning]


def one_rule(make: Callable[[Fact], Rule]) -> Reading:
    """Return the reader of a kind that becomes one rule."""

    def read(fact: Fact, frame: Frame) -> Meaning:
        yield make(fact)

    return read
