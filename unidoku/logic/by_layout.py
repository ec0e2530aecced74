"""Keeps what is found for a layout: equal layouts share it if they name their units alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar, cast

from unidoku.core.caching import layout_cache
from unidoku.core.layout import Layout

__all__ = ["by_layout"]

P = ParamSpec("P")
T = TypeVar("T")
OfLayout: TypeAlias = Callable[Concatenate[Layout, P], T]


def by_layout(maxsize: int) -> Callable[[OfLayout[P, T]], OfLayout[P, T]]:
    """Decorate a function of a layout, and of what can be hashed, to keep so many results.

    Layouts are equal whatever their units are called, but steps tell the names of units.
    """

    def decorate(find: OfLayout[P, T]) -> OfLayout[P, T]:
        @layout_cache(maxsize=maxsize)
        def kept(layout: Layout, _: tuple[str, ...], *more: object, **named: object) -> T:
            return cast("Callable[..., T]", find)(layout, *more, **named)

        @wraps(find)
        def found(layout: Layout, /, *more: P.args, **named: P.kwargs) -> T:
            return kept(layout, layout.unit_names, *more, **cast("Any", named))

        return found

    return decorate
