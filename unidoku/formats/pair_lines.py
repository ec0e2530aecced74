"""Recognises lines that are stored as tables of pairs: nabner, modular and entropic lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from unidoku.core.constraints.primitives import tabulated
from unidoku.core.rules import Pairs


class PairLine(NamedTuple):
    """A line whose nearby cells are related.

    Attributes:
        kind: ``nabner``, ``modular`` or ``entropic``.
        cells: the cells in order.
        apart: the modulus, or the number of classes.
    """

    kind: str
    cells: tuple[int, ...]
    apart: int


def classes_of(n: int) -> list[list[int]]:
    """Return the low, middle and high values of n, as entropic lines define them.

    >>> classes_of(4)
    [[1], [2, 3], [4]]
    """
    small, large = n // 3, (n + 2) // 3
    sizes = (small, large, small) if n % 3 == 1 else (large, small, large)
    ends = [sum(sizes[:k]) for k in range(4)]
    return [[*range(ends[k] + 1, ends[k + 1] + 1)] for k in range(3)]


def line_of_pairs(rule: Pairs, n: int, first_value: int = 1) -> PairLine | None:
    """Return the line that a rule of pairs expresses; None if it expresses something else."""
    cells = tuple(dict.fromkeys(cell for pair in rule.pairs for cell in pair))
    class_of = {value: k for k, values in enumerate(classes_of(n)) for value in values}

    def says(apart: int, related: Callable[[int, int], bool]) -> bool:
        pairs = tuple((a, b) for k, a in enumerate(cells) for b in cells[k + 1 : k + apart])
        return pairs == rule.pairs and rule.related == tabulated(n, related, first_value)

    if says(len(cells), lambda a, b: abs(a - b) > 1):
        return PairLine("nabner", cells, len(cells))
    for apart in range(2, min(n, len(cells)) + 1):
        if says(apart, lambda a, b, apart=apart: (a - b) % apart != 0):  # type: ignore[misc]  # mypy takes the default for an argument
            return PairLine("modular", cells, apart)
    if first_value == 1 and says(3, lambda a, b: class_of[a] != class_of[b]):
        return PairLine("entropic", cells, 3)
    return None
