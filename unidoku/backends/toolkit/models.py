"""A store of models that are built once for a layout and lent to one search at a time."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeAlias, TypeVar

from unidoku.core.layout import Layout

__all__ = ["Loan", "Models"]

M = TypeVar("M")

Key: TypeAlias = tuple[Layout, Hashable]

MOST = 16
"""The largest number of idle models of an adapter: an empty Z3 model takes 18 MB."""

MOST_CANDIDATES = 1 << 18
"""The largest number of candidates (cells times values) of all idle models together."""


class Models(Generic[M]):
    """A bounded store of models that searches change while they use them.

    A model belongs to one search at a time: two at once on the same layout get two models. A model
    whose search ends by an exception is dropped, because its state is unknown. Equal layouts share
    models; the least recently used is dropped first. The store is thread-safe.
    """

    def __init__(self, worn: Callable[[M], bool] | None = None) -> None:
        """Start without models. Models that are ``worn`` when they are returned are dropped."""
        self._worn = worn
        self._lock = threading.Lock()
        self._idle: list[tuple[Key, M]] = []  # the most recently used last
        self._candidates = 0
        # A native solver that outlives its library's module reports an error when it is freed.
        atexit.register(self.clear)

    def lend(self, layout: Layout, options: Hashable, build: Callable[[], M]) -> Loan[M]:
        """Lend a model for a layout and options, or build one, for the body of a ``with``."""
        return Loan(self, (layout, options), build)

    def clear(self) -> None:
        """Drop all idle models."""
        with self._lock:
            self._idle.clear()
            self._candidates = 0

    def take(self, key: Key) -> M | None:
        """Return an idle model, which is no longer idle; None if there is none."""
        with self._lock:
            idle = self._idle
            for at in range(len(idle) - 1, -1, -1):
                if idle[at][0] == key:
                    self._candidates -= _weight(key)
                    return idle.pop(at)[1]
        return None

    def put(self, key: Key, model: M) -> None:
        """Take a model back, unless it is worn."""
        if self._worn is not None and self._worn(model):
            return
        dropped = []  # freed outside the lock, because freeing a solver may be slow
        with self._lock:
            self._idle.append((key, model))
            self._candidates += _weight(key)
            while len(self._idle) > MOST or self._candidates > MOST_CANDIDATES:
                dropped.append(self._idle.pop(0))
                self._candidates -= _weight(dropped[-1][0])


class Loan(Generic[M]):
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
        if kind is None:
            self._store.put(self._key, self._model)


def _weight(key: Key) -> int:
    layout = key[0]
    return len(layout) * layout.n
