"""The caches of the core: results for a layout, and tables of values, which have no cells in them.

Caches of one kind are emptied together. A comparison empties those of layouts before it measures
what a puzzle with a layout of its own costs. What has no cells in it, such as the machine of a
rule's numbers, stays. The machine of a product may take 40 MB and most take 1 KB: so caches of
numbers are bounded by their weight too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import _lru_cache_wrapper, lru_cache, partial, wraps
from itertools import islice
from sys import getsizeof
from typing import Concatenate, Generic, ParamSpec, Protocol, TypeVar


class _Layout(Protocol):
    """What `by_layout` needs of a layout."""

    @property
    def unit_names(self) -> tuple[str, ...]: ...

    def __hash__(self) -> int: ...


L = TypeVar("L", bound=_Layout)
P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

MAX_LAYOUTS = 64
"""How many layouts the results of `by_layout` are stored for."""

MAX_OBJECTS = 1024
"""How many objects the results of `identity_cache` are stored for."""

MAX_WEIGHT = 1 << 26
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


def by_layout(
    maxsize: int = 1,
) -> Callable[[Callable[Concatenate[L, P], R]], Callable[Concatenate[L, P], R]]:
    """Return a decorator for a function of a layout, and of more that can be hashed.

    It stores that many results for each of the last 64 layouts. Layouts are equal whatever the
    names of their units, but the results may contain these: so they are stored for both.
    """

    def decorated(function: Callable[Concatenate[L, P], R]) -> Callable[Concatenate[L, P], R]:
        @layout_cache(maxsize=MAX_LAYOUTS)
        def of_layout(layout: L, _: tuple[str, ...]) -> Callable[..., R]:
            return lru_cache(maxsize=maxsize)(partial(function, layout))

        @wraps(function)
        def cached(layout: L, /, *arguments: P.args, **named: P.kwargs) -> R:
            return of_layout(layout, layout.unit_names)(*arguments, **named)

        return cached

    return decorated


def number_cache(maxsize: int) -> Callable[[Callable[..., R]], _lru_cache_wrapper[R]]:
    """Return a decorator as `functools.lru_cache`, for results of any weight that name no cells.

    All of these caches are emptied when the results of all together weigh more than `MAX_WEIGHT`.
    """

    def decorated(function: Callable[..., R]) -> _lru_cache_wrapper[R]:
        @wraps(function)
        def weighed(*arguments: object, **named: object) -> R:
            result = function(*arguments, **named)
            weigh(result)
            return result

        cached = lru_cache(maxsize=maxsize)(weighed)
        on_forgetting_numbers(cached.cache_clear)
        return cached

    return decorated


class identity_cache(Generic[T, P, R]):  # noqa: N801 - a decorator, as `functools.partial`
    """A function whose results are cached by the identity of its first argument.

    It is for objects that take long to hash. Equal objects have separate results.
    """

    def __init__(self, function: Callable[Concatenate[T, P], R]) -> None:
        self._function = function
        self._results: dict[tuple[object, ...], tuple[T, R]] = {}
        on_forgetting_numbers(self._results.clear)

    def __call__(self, first: T, /, *arguments: P.args, **named: P.kwargs) -> R:
        """Return the result for an object."""
        key = (id(first), *arguments, *named.items())
        entry = self._results.get(key)
        if entry is None or entry[0] is not first:
            if len(self._results) >= MAX_OBJECTS:
                self._results.clear()
            # The object is stored too, so that no other has its identity.
            entry = first, self._function(first, *arguments, **named)
            weigh(entry[1])
            self._results[key] = entry
        return entry[1]


def weigh(result: object) -> None:
    """Count what was made for a cache of numbers; empty all of these if that is too much."""
    global _weight  # noqa: PLW0603 - of all caches of this process
    _weight += _weight_of(result)
    if _weight > MAX_WEIGHT:
        forget_numbers()


def _weight_of(result: object) -> int:
    """Return the bytes of numbers, and of collections of them; a machine is weighed when made.

    Large collections are estimated from some of their parts: to look at all takes longer than to
    make them.
    """
    parts = result if isinstance(result, tuple | list | set | frozenset) else ()
    if len(parts) < 2 * _SAMPLE:
        weight = getsizeof if {*map(type, parts)} == {int} else _weight_of
        return getsizeof(result) + sum(map(weight, parts))
    sample = [*islice(parts, 0, None, len(parts) // _SAMPLE)]
    return getsizeof(result) + sum(map(_weight_of, sample)) * len(parts) // len(sample)


_SAMPLE = 64
"""Number of parts from which a large collection is estimated, or up to twice as many."""


def on_forgetting(clear: Callable[[], object]) -> None:
    """Register a function that empties a cache of what is made of layouts."""
    _clear.append(clear)


def on_forgetting_numbers(clear: Callable[[], object]) -> None:
    """Register a function that empties a cache of what is made of numbers."""
    _clear_numbers.append(clear)


def forget_layouts() -> None:
    """Empty all caches of what is made of layouts, in this process; takes microseconds.

    Layouts that exist keep the tables that they have computed; a `unidoku.core.layout.copied`
    layout has none.
    """
    for clear in _clear:
        clear()


def forget_numbers() -> None:
    """Empty all caches of what is made of numbers, in this process."""
    global _weight  # noqa: PLW0603 - as above
    _weight = 0
    for clear in _clear_numbers:
        clear()
