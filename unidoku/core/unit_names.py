"""Names of units for people, in the language in force."""

from __future__ import annotations

from functools import lru_cache

from unidoku.support.language import ENGLISH, Message, language

LABELLED = frozenset({"row", "column", "box", "region", "window", "zone", "cage", "disjoint group"})
"""The words of names that a letter or a number follows."""


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
