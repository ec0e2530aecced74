"""The request for boards for experiments: their layout, their empty cells, their solutions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from unidoku.core.layout import Layout
from unidoku.errors import InputError, nearest
from unidoku.generation.request import known_layout
from unidoku.support.schema import shown
from unidoku.support.text import plural

Amount: TypeAlias = int | float
"""An int is a number of cells, a float a share of all cells."""

INSTANCE_FAMILIES: Mapping[str, str] = MappingProxyType({"quasigroup": "holes", "qcp": "filled"})
"""The families of Latin squares, and what each is requested by: cells emptied or filled."""

_SIZE, _FAMILY_SIZE = 9, 20
"""The number of values unless one is requested, of a variant's boards and of a family's."""

_MOST_SOLUTIONS = 10_000
"""The most solutions that can be requested; every search of a board looks for one more."""

_EXPONENT = 1.55
"""The hardest Latin squares have about as many holes as this power of the order, times a constant.

Source: Achlioptas, Gomes, Kautz, Selman, Generating satisfiable problem instances, AAAI 2000.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceRequest:
    """Properties that boards must have.

    Args:
        family: one of `INSTANCE_FAMILIES`, or empty for boards of a variant.
        variant: name of the variant.
        n: number of values; None for 9, or 20 if there is a family.
        holes: the numbers or shares of cells to empty in full grids; for each there are boards.
        filled: the numbers or shares of cells to fill at random, without a solution in mind.
        balanced: whether every row and every column must have as many empty cells.
        solutions: the number of solutions; None for any number.
    """

    family: str = ""
    variant: str = "classic"
    n: int | None = None
    holes: tuple[Amount, ...] = ()
    filled: tuple[Amount, ...] = ()
    balanced: bool = False
    solutions: int | None = None

    def check(self) -> None:
        """Raise `InputError` if no board meets the request."""
        if self.family:
            self._check_family()
        if self.holes and self.filled:
            raise InputError("holes, filled: expected one of them, got both")
        if self.balanced and not self.holes:
            raise InputError(
                "balanced: expected a number of holes, got none; name it, such as --holes 42% or, "
                "in Python, holes=(0.42,)"
            )
        if not self.holes and not self.filled and self.solutions is None:
            raise InputError(
                "expected a number of holes, of filled cells, or of solutions, got none"
            )
        if self.solutions is not None and not 0 <= self.solutions <= _MOST_SOLUTIONS:
            raise InputError(
                f"solutions: expected a number from 0 to {_MOST_SOLUTIONS}, got {self.solutions}"
            )
        self.empty_counts()

    def _check_family(self) -> None:
        family = self.family
        if family not in INSTANCE_FAMILIES:
            known = nearest(family, INSTANCE_FAMILIES)
            raise InputError(f"family: expected a known one, got {family!r}; {known}")
        if self.variant != "classic":
            raise InputError(f"{family}: it has its own layout; leave the variant out")
        asked_by = INSTANCE_FAMILIES[family]
        others = {"holes": self.filled, "filled": self.holes}[asked_by]
        if others or not getattr(self, asked_by):
            raise InputError(
                f"{family}: expected {asked_by}, the number or share of cells that are "
                f"{'emptied' if asked_by == 'holes' else 'filled'}, such as --{asked_by} 42% or, "
                f"in Python, {asked_by}=(0.42,)"
            )

    @property
    def size(self) -> int:
        """The number of values."""
        return self.n or (_FAMILY_SIZE if self.family else _SIZE)

    @property
    def layout(self) -> Layout:
        """The layout of all boards.

        Raises:
            InputError: the variant does not exist, or has no known regions.
        """
        return known_layout("latin" if self.family else self.variant, self.size)

    def empty_counts(self) -> tuple[int | None, ...]:
        """Return the numbers of empty cells for which there are boards; None for any number.

        Raises:
            InputError: a number or share does not fit the board.
        """
        cells = len(self.layout)
        if self.filled:
            return tuple(cells - _cells("filled", amount, cells) for amount in self.filled)
        if not self.holes:
            return (None,)
        if not self.balanced:
            return tuple(_cells("holes", amount, cells) for amount in self.holes)
        if cells != self.size**2:
            raise InputError(
                f"balanced: expected a square of {self.size**2} cells, got {plural(cells, 'cell')}"
            )
        return tuple(self._balanced_count(amount) for amount in self.holes)

    def _balanced_count(self, amount: Amount) -> int:
        """Return a number of holes that is a multiple of n, for a share the nearest one."""
        size = self.size
        count = _cells("holes", amount, size**2)
        if isinstance(amount, int) and count % size:
            raise InputError(
                f"balanced: expected a multiple of {size} holes, as many in each row, got {count}"
            )
        return round(count / size) * size

    def name(self, empty: int | None) -> str:
        """Return the recipe of boards with a number of empty cells, in a few words."""
        parts = [f"{self.family or self.variant} {self.size}"]
        if empty is not None:
            filled = len(self.layout) - empty
            parts.append(f"{filled} filled" if self.filled else plural(empty, "hole"))
        if self.balanced:
            parts.append("balanced")
        if self.solutions is not None:
            parts.append(plural(self.solutions, "solution"))
        return ", ".join(parts)

    def numbers(self, empty: int) -> dict[str, float]:
        """Return the numbers that describe a board with some empty cells.

        >>> InstanceRequest(n=4, holes=(8,)).numbers(8)["holes_share"]
        0.5
        """
        share = empty / len(self.layout)
        return {
            "size": self.size,
            "holes": empty,
            "holes_share": round(share, 6),
            "filled_share": round(1 - share, 6),
            "holes_scaled": round(empty / self.size**_EXPONENT, 6),
        }


def _cells(name: str, amount: Amount, cells: int) -> int:
    """Return the number of cells that an amount means."""
    most = cells if isinstance(amount, int) else 1
    if not 0 <= amount <= most:
        raise InputError(
            f"{name}: expected a number of cells from 0 to {cells}, or a share from 0.0 to 1.0, "
            f"got {shown(amount)}"
        )
    return amount if isinstance(amount, int) else round(amount * cells)
