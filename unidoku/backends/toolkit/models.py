"""A store of models that are built once for a layout and lent to one search at a time.

Models remember what a search learnt. A comparison therefore gives each of its backends models of
its own (`owned_by`), and drops them where a search must not profit from an earlier one (`drop`).
"""

from __future__ import annotations

import atexit
import threading
from collections import defaultdict
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any, Generic, TypeAlias, TypeVar

from unidoku.core.layout import Layout
from unidoku.support.setting import in_context

M = TypeVar("M")

Key: TypeAlias = tuple[str, Layout, Hashable]
"""The owner, the layout, and options of the adapter."""

MOST = 16
"""The largest number of idle models of an owner: an empty Z3 model takes 18 MB."""

MOST_CANDIDATES = 1 << 18
"""The largest number of candidates (cells times values) of all idle models of an owner."""

_owner = ContextVar("owner", default="")
"""The owner of the models that are lent in this context."""


def owned_by(owner: str) -> AbstractContextManager[None]:
    """Give an owner's models, and no others, to the searches in the body."""
    return in_context(_owner, owner)


def drop(owner: str) -> None:
    """Drop the idle models of an owner in all stores of this process."""
    for store in _stores:
        store.drop(owner)


class Models(Generic[M]):
    """A bounded store of models that searches change while they use them.

    A model belongs to one search at a time: two at once on the same layout get two models. A model
    whose search ends by an exception is dropped, because its state is unknown; a search that is
    closed in a pause (`GeneratorExit`) gives it back. Equal layouts share models; the least
    recently used is dropped first. The store is thread-safe, and lives as long as the process.
    """

    def __init__(self, worn: Callable[[M], bool] | None = None) -> None:
        """Start without models.

        Args:
            worn: function that returns whether a model is dropped when it is returned.
        """
        self._worn = worn
        self._lock = threading.Lock()
        self._shelves: defaultdict[str, _Shelf[M]] = defaultdict(_Shelf)
        _stores.append(self)
        # A native solver that outlives its library's module reports an error when it is freed.
        atexit.register(self.clear)

    def lend(self, layout: Layout, options: Hashable, build: Callable[[], M]) -> Lease[M]:
        """Lend a model for a layout and options, or build one, for the body of a ``with``."""
        return Lease(self, (_owner.get(), layout, options), build)

    def clear(self) -> None:
        """Drop all idle models."""
        with self._lock:
            self._shelves.clear()

    def drop(self, owner: str) -> None:
        """Drop the idle models of an owner."""
        with self._lock:
            dropped = self._shelves.pop(owner, None)
        del dropped  # freed outside the lock, because freeing a solver may be slow

    def take(self, key: Key) -> M | None:
        """Return an idle model, which is no longer idle; None if there is none."""
        with self._lock:
            shelf = self._shelves.get(key[0])
            return None if shelf is None else shelf.take(key)

    def put(self, key: Key, model: M) -> None:
        """Take a model back, unless it is worn."""
        if self._worn is not None and self._worn(model):
            return
        with self._lock:
            dropped = self._shelves[key[0]].put(key, model)
        del dropped  # outside the lock, as above


class _Shelf(Generic[M]):
    """The idle models of an owner, the most recently used last."""

    __slots__ = ("candidates", "idle")

    def __init__(self) -> None:
        self.idle: list[tuple[Key, M]] = []
        self.candidates = 0

    def take(self, key: Key) -> M | None:
        idle = self.idle
        for at in range(len(idle) - 1, -1, -1):
            if idle[at][0] == key:
                self.candidates -= _weight(key)
                return idle.pop(at)[1]
        return None

    def put(self, key: Key, model: M) -> list[tuple[Key, M]]:
        """Keep a model; return those that are too many."""
        dropped = []
        self.idle.append((key, model))
        self.candidates += _weight(key)
        while len(self.idle) > MOST or self.candidates > MOST_CANDIDATES:
            dropped.append(self.idle.pop(0))
            self.candidates -= _weight(dropped[-1][0])
        return dropped


_stores: list[Models[Any]] = []


class Lease(Generic[M]):
    """A lent model as a context manager; a class, because it costs half as much as a generator."""

    __slots__ = ("_build", "_key", "_model", "_store")

    def __init__(self, store: Models[M], key: Key, build: Callable[[], M]) -> None:
        self._store = store
        self._key = key
        self._build = build

    def __enter__(self) -> M:
        model = self._store.take(self._key)
        self._model = self._build() if model is None else model
        return self._model

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None or kind is GeneratorExit:
            self._store.put(self._key, self._model)


def _weight(key: Key) -> int:
    layout = key[1]
    return len(layout) * layout.n
