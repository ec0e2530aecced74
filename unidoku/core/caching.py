"""Caches of what is made of a layout, which can be emptied together.

A comparison empties them before it measures what a puzzle with a layout of its own costs. What has
no cells in it, such as the machine of a rule's numbers, is in ordinary caches and stays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import _lru_cache_wrapper, lru_cache
from typing import TypeVar

__all__ = ["forget_layouts", "layout_cache", "on_forgetting"]

R = TypeVar("R")

_clear: list[Callable[[], object]] = []


def layout_cache(maxsize: int) -> Callable[[Callable[..., R]], _lru_cache_wrapper[R]]:
    """Return a decorator as `functools.lru_cache`, whose cache `forget_layouts` empties."""

    def decorated(function: Callable[..., R]) -> _lru_cache_wrapper[R]:
        cached = lru_cache(maxsize=maxsize)(function)
        on_forgetting(cached.cache_clear)
        return cached

    return decorated


def on_forgetting(clear: Callable[[], object]) -> None:
    """Register a function that empties a cache of what is made of layouts."""
    _clear.append(clear)


def forget_layouts() -> None:
    """Empty all caches of what is made of layouts, in this process; takes microseconds.

    Layouts that exist keep the tables that they have computed: `unidoku.core.copied.unshared`
    returns a board on a layout without any.
    """
    for clear in _clear:
        clear()
