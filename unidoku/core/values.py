"""Values that are made by the hundred for each board, and so have to be made fast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def quick_value(kind: type[T]) -> type[T]:
    """Return a class as a slotted, hashable dataclass, which type checkers take for a frozen one.

    A dataclass that is frozen at run time too is made in five times as long: it has to set each
    field with a call of ``object.__setattr__``.
    """
    return dataclass(slots=True, unsafe_hash=True)(kind)
