"""What a technique of the scale finds: its number, and what follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from unidoku.core.bits import bits_of
from unidoku.logic.explainer.grid import Grid


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One step on the scale.

    Args:
        technique: the name of the technique.
        rating: its number; chains add to it with their length.
        eliminations: the candidates that are removed, as a set of values by cell.
        placement: the cell and the value that are placed; None if there is none.
        absent: the cells and the values, as sets, whose absence from each other is the reason;
            only for techniques that dynamic chains use.
    """

    technique: str
    rating: float
    eliminations: Mapping[int, int] = field(default_factory=dict)
    placement: tuple[int, int] | None = None
    absent: tuple[int, int] = (0, 0)


Findings = Iterator[Finding]


def apply(finding: Finding, grid: Grid) -> None:
    """Carry out a step on a grid."""
    for cell, values in finding.eliminations.items():
        for value in bits_of(values & grid.candidates[cell]):
            grid.remove(cell, value + 1)
    if finding.placement:
        grid.place(*finding.placement)
