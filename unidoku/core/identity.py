"""A cache by the identity of an object, for objects that take long to hash."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, Generic, ParamSpec, TypeVar

from unidoku.core.caching import on_forgetting_numbers, weigh

MOST = 1024
"""The largest number of objects with a cached result."""

One = TypeVar("One")
More = ParamSpec("More")
Made = TypeVar("Made")


class of_identity(Generic[One, More, Made]):  # noqa: N801 - a decorator, as `functools.partial`
    """A function whose results are cached by the identity of its first argument.

    Equal objects have separate results, unlike with `functools.lru_cache`.
    """

    def __init__(self, make: Callable[Concatenate[One, More], Made]) -> None:
        self._make = make
        self._kept: dict[tuple[object, ...], tuple[One, Made]] = {}
        on_forgetting_numbers(self._kept.clear)

    def __call__(self, one: One, /, *more: More.args, **named: More.kwargs) -> Made:
        """Return the result for an object."""
        key = (id(one), *more, *named.items()) if more or named else (id(one),)
        held = self._kept.get(key)
        if held is None or held[0] is not one:
            if len(self._kept) >= MOST:
                self._kept.clear()
            # The object is kept too, so that no other has its identity.
            held = one, self._make(one, *more, **named)
            weigh(held[1])
            self._kept[key] = held
        return held[1]

    def cache_clear(self) -> None:
        """Drop all results."""
        self._kept.clear()
