"""Caches of what is made of layouts or of numbers, all of which can be emptied together.

A comparison empties those of layouts before it measures what a puzzle with a layout of its own
costs. What has no cells in it, such as the machine of a rule's numbers, stays. The machine of a
product may take 40 MB and most take 1 KB: so caches of numbers are bounded by their weight too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import _lru_cache_wrapper, lru_cache, wraps
from sys import getsizeof
from typing import TypeVar

R = TypeVar("R")

MOST_WEIGHT = 1 << 26
"""Bytes of what is made for the caches of numbers from one time that they are emptied to the next.

A process that meets new layouts for days keeps no more than that. Layouts that exist keep what is
theirs, so that emptying these caches costs one layout some milliseconds.
"""

_clear: list[Callable[[], object]] = []
_clear_numbers: list[Callable[[], object]] = []
_weight = 0


def layout_cache(maxsize: int) -> Callable[[Callable[..., R]], _lru_cache_wrapper[R]]:
    """Return a decorator as `functools.lru_cache`, whose cache `forget_layouts` empties."""

    def decorated(function: Callable[..., R]) -> _lru_cache_wrapper[R]:
        cached = lru_cache(maxsize=maxsize)(function)
        on_forgetting(cached.cache_clear)
        return cached

    return decorated


def number_cache(maxsize: int) -> Callable[[Callable[..., R]], _lru_cache_wrapper[R]]:
    """Return a decorator as `functools.lru_cache`, for results of any weight without cells in them.

    All of these caches are emptied when the results of all together weigh more than `MOST_WEIGHT`.
    """

    def decorated(function: Callable[..., R]) -> _lru_cache_wrapper[R]:
        @wraps(function)
        def weighed(*arguments: object, **named: object) -> R:
            made = function(*arguments, **named)
            weigh(made)
            return made

        cached = lru_cache(maxsize=maxsize)(weighed)
        on_forgetting_numbers(cached.cache_clear)
        return cached

    return decorated


def weigh(made: object) -> None:
    """Count what was made for a cache of numbers; empty all of these if that is too much."""
    global _weight  # noqa: PLW0603 - of all caches of this process
    _weight += _weight_of(made)
    if _weight > MOST_WEIGHT:
        forget_numbers()


def _weight_of(made: object) -> int:
    """Return the bytes of numbers, and of collections of them; a machine is weighed when made."""
    parts = made if isinstance(made, tuple | list | set | frozenset) else ()
    return getsizeof(made) + sum(map(_weight_of, parts))


def on_forgetting(clear: Callable[[], object]) -> None:
    """Register a function that empties a cache of what is made of layouts."""
    _clear.append(clear)


def on_forgetting_numbers(clear: Callable[[], object]) -> None:
    """Register a function that empties a cache of what is made of numbers."""
    _clear_numbers.append(clear)


def forget_layouts() -> None:
    """Empty all caches of what is made of layouts, in this process; takes microseconds.

    Layouts that exist keep the tables that they have computed: `unidoku.core.copied.unshared`
    returns a board on a layout without any.
    """
    for clear in _clear:
        clear()


def forget_numbers() -> None:
    """Empty all caches of what is made of numbers, in this process."""
    global _weight  # noqa: PLW0603 - as above
    _weight = 0
    for clear in _clear_numbers:
        clear()
