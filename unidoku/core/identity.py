"""What is made of an object once, as long as it is the same object: where to hash it takes long."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

__all__ = ["of_identity"]

MOST = 1024
"""Objects of which something is kept."""

One = TypeVar("One")
More = ParamSpec("More")
Made = TypeVar("Made")


def of_identity(
    make: Callable[Concatenate[One, More], Made],
) -> Callable[Concatenate[One, More], Made]:
    """Return the function that remembers what it made of an object, and whatever else it is told.

    Of equal objects it makes it for each, unlike a function with `functools.lru_cache`.
    """
    kept: dict[tuple[object, ...], tuple[One, Made]] = {}

    def made_of(one: One, /, *more: More.args, **named: More.kwargs) -> Made:
        key = (id(one), *more)
        held = kept.get(key)
        if held is None or held[0] is not one:
            if len(kept) >= MOST:
                kept.clear()
            held = kept[key] = (one, make(one, *more, **named))  # kept, so that no other has its id
        return held[1]

    return made_of
