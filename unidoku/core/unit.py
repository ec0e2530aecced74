"""Units: sets of cells whose values differ, and their names in the language in force."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Protocol

from unidoku.core.cells import NamedCells
from unidoku.core.names import row_letter, unit_name
from unidoku.support.arguments import named_fields, whole_numbers
from unidoku.support.language import ENGLISH, Message, language

LABELLED = frozenset({"row", "column", "box", "region", "window", "zone", "cage", "disjoint group"})
"""The words of names that a letter or a number follows."""


class CellsWithUnits(NamedCells, Protocol):
    """What names of units depend on, of their layout."""

    @property
    def n(self) -> int:
        """The number of values."""

    @property
    def drawn(self) -> int:
        """The number of cells that are drawn; those that follow are hidden."""

    @property
    def lettered(self) -> Sequence[str]:
        """The names of cells as in ``A1``, whatever the notation in force."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A set of cells whose values must all differ.

    Args:
        cells: the cells, ascending.
        kind: ``row``, ``column``, ``box``, ``region``, ``diagonal``, ``window``, …
        name: name in messages, such as ``row C``; by default the kind.

    Raises:
        InputError: the cells are not numbers, or kind or name is not a text.
    """

    cells: tuple[int, ...]
    kind: str = "unit"
    name: str = field(default="", compare=False)

    @named_fields
    def __post_init__(self) -> None:
        """Refuse what is not cells and texts."""
        object.__setattr__(self, "cells", whole_numbers(self.cells))
        if not (isinstance(self.kind, str) and isinstance(self.name, str)):
            raise TypeError

    def __str__(self) -> str:
        """Return the name, in the notation in force."""
        return unit_name(self.name) or self.kind

    def named(self, layout: CellsWithUnits) -> Unit:
        """Return the unit with a name: its own, or that of its row or column, or its ends.

        >>> from unidoku import layout
        >>> four = layout("classic", 4)
        >>> str(Unit((0, 4, 8, 12)).named(four)), str(Unit((0, 1, 4, 5), "region").named(four))
        ('column 1', 'region A1-B2')
        """
        if self.name or not self.cells or self.cells[-1] >= layout.drawn:
            return self
        positions = [layout.positions[cell] for cell in self.cells]
        rows, columns = ({position[axis] for position in positions} for axis in (0, 1))
        if len(self.cells) == layout.n and 1 in (len(rows), len(columns)):
            row = f"row {row_letter(min(rows), layout.rows)}"
            name = row if len(rows) == 1 else f"column {min(columns) + 1}"
        else:
            names = layout.lettered
            first, last = names[self.cells[0]], names[self.cells[-1]]
            name = f"{self.kind} {first}-{last}"
        return replace(self, name=name)

    @property
    def words(self) -> Message:
        """The name for people, such as ``row C`` or ``box 2 of grid 1``, in any language."""
        return unit_in_words(str(self))

    def __iter__(self) -> Iterator[int]:
        """Yield the cells."""
        return iter(self.cells)


def maximal(
    units: Sequence[Unit], n: int, masks: Mapping[tuple[int, ...], int]
) -> tuple[Unit, ...]:
    """Return the units that no other unit contains.

    Args:
        units: the units of a layout.
        n: its number of values; a unit of as many cells is in no other one.
        masks: the cells of each unit as a set of cells.
    """
    on: defaultdict[int, list[int]] = defaultdict(list)
    near: defaultdict[int, int] = defaultdict(int)
    for unit in units:
        if len(unit.cells) > 2:  # there may be hundreds of pairs, which contain no other unit
            members = masks[unit.cells]
            for cell in unit.cells:
                on[cell].append(members)
                near[cell] |= members

    def is_maximal(cells: tuple[int, ...]) -> bool:
        if len(cells) < 3:
            return len(cells) == 2 and not near[cells[0]] >> cells[1] & 1
        members = masks[cells]
        return not any(members != other and members & ~other == 0 for other in on[cells[0]])

    return tuple([unit for unit in units if len(unit.cells) == n > 1 or is_maximal(unit.cells)])


class _UnitName(Message):
    """The name of a unit, which needs no message in English."""

    __slots__ = ("name",)

    name: str

    def __format__(self, form: str) -> str:
        return self.name if language() == ENGLISH else super().__format__(form)

    def __str__(self) -> str:
        return format(self, "")


@lru_cache(maxsize=1 << 12)
def unit_in_words(name: str) -> Message:
    """Return the name of a unit for people, such as ``box 2 of grid 1``, in any language."""
    text, _, grid = name.partition(" of grid ")
    kind, _, label = text.rpartition(" ")
    if kind not in LABELLED:
        unit = Message(text)
    else:
        unit = Message("{kind} {label}", kind=Message(kind), label=label)
    if grid:
        unit = Message("{unit} of grid {grid}", unit=unit, grid=grid)
    named = _UnitName(unit.english, **unit.fields)
    named.name = name
    return named
