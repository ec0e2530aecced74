"""Keeps what is found for a layout: equal layouts share it if they name their units alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial, wraps
from typing import Concatenate, ParamSpec, TypeAlias, TypeVar

from unidoku.core.caching import layout_cache
from unidoku.core.layout import Layout

P = ParamSpec("P")
T = TypeVar("T")
OfLayout: TypeAlias = Callable[Concatenate[Layout, P], T]


_LAYOUTS = 64
"""How many layouts results are kept of: a process that meets new ones keeps no more."""


def by_layout(maxsize: int = 1) -> Callable[[OfLayout[P, T]], OfLayout[P, T]]:
    """Decorate a function of a layout, and of what can be hashed, to keep its results.

    So many are kept for each of the last 64 layouts.

    Layouts are equal whatever their units are called, but steps tell the names of units.
    """

    def decorate(find: OfLayout[P, T]) -> OfLayout[P, T]:
        @layout_cache(maxsize=_LAYOUTS)
        def of_layout(layout: Layout, _: tuple[str, ...]) -> Callable[..., T]:
            return lru_cache(maxsize=maxsize)(partial(find, layout))

        @wraps(find)
        def cached(layout: Layout, /, *positional: P.args, **named: P.kwargs) -> T:
            return of_layout(layout, layout.unit_names)(*positional, **named)

        return cached

    return decorate
