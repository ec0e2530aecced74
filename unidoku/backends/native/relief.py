"""The rule for when the compiled search of single boards takes over from Python.

Loading the compiled search takes some 0.1 s; compiling it, once on a machine, takes several
seconds. So Python begins. Once the searches of this process have taken `SINGLE_PATIENCE` in all,
the compiled search is loaded; if it is not in the cache, another process compiles it while Python
continues.
"""

from __future__ import annotations

import time
from types import ModuleType

from unidoku.backends.base import Request
from unidoku.backends.native.choice import SINGLE_PATIENCE
from unidoku.backends.native.engines import can_import, import_engine, imported
from unidoku.backends.toolkit.budget import Budget

WORTH_COMPILING = 0.5
"""Seconds of search in Python after which the search is compiled if it is not in the cache."""

LONGEST_LOAD = 0.2
"""Seconds that a search must have left for the compiled search to be loaded."""

SECONDS_BETWEEN_LOOKS = 0.05
"""Seconds between two checks of the cache for code that is being compiled."""


class _State:
    """State of this process: seconds spent in Python, and when to check the cache again."""

    spent = 0.0
    look = 0.0


class Relieved(Exception):  # noqa: N818 - a hand-over, not an error
    """Raised inside a search in Python to leave it; never leaves the adapter."""


class Awaited(Budget):
    """The limits of a search in Python that the compiled one may take over.

    Args:
        request: request with the limits.
        single: whether the compiled search supports the board.
    """

    __slots__ = ("_look",)

    def __init__(self, request: Request, *, single: bool) -> None:
        super().__init__(request)
        patience = max(SINGLE_PATIENCE - _State.spent, 0.0)
        self._look = self.started + patience if single else float("inf")

    def check_time(self) -> None:
        """Raise LimitReached when time is up, Relieved if the compiled search is loaded."""
        super().check_time()
        if (now := time.perf_counter()) >= self._look:
            self._look = now + SECONDS_BETWEEN_LOOKS
            if _is_loaded(_State.spent + self.elapsed, self.left):
                raise Relieved

    def close(self) -> None:
        """Add the time of the search to the total."""
        _State.spent += self.elapsed


def is_due(limit: float | None = None) -> bool:
    """Return whether the compiled search is in memory; load it if it is due.

    Args:
        limit: time limit of the search in seconds, None for no limit.
    """
    if (compiling := _compiling()) is not None and compiling.SEARCH.is_loaded:
        return True
    now = time.perf_counter()
    if _State.spent < SINGLE_PATIENCE or now < _State.look:
        return False
    _State.look = now + SECONDS_BETWEEN_LOOKS
    return _is_loaded(_State.spent, limit)


def is_there(left: float | None = None) -> bool:
    """Return whether the compiled search is in memory; load it if it is in the cache.

    Args:
        left: seconds left to the search, None for no limit.
    """
    return _is_loaded(_State.spent, left)


def load_or_compile() -> None:
    """Have the compiled search in memory; where there is no cache to keep it, do nothing.

    It takes 0.1 s, and some seconds the first time on a machine.

    Raises:
        EngineError: it cannot be loaded, or not be compiled.
    """
    compiling = import_engine("single.compiling", "llvmlite")
    if compiling.SEARCH.path() is not None:
        compiling.SEARCH.loaded()


def _is_loaded(spent: float, left: float | None) -> bool:
    """Return whether the compiled search is in memory; load it, or start compiling it.

    Args:
        spent: seconds of searches in Python so far.
        left: seconds that the search has.
    """
    loaded = _compiling()
    if loaded is not None and loaded.SEARCH.is_loaded:
        return True
    if left is not None and left < LONGEST_LOAD:
        return False
    if not can_import("llvmlite"):
        return False
    from unidoku.backends.native.single import compiling

    if not compiling.SEARCH.load_if_there() and spent >= WORTH_COMPILING:
        compiling.SEARCH.in_background()
    return compiling.SEARCH.is_loaded


def _compiling() -> ModuleType | None:
    return imported("single.compiling")
