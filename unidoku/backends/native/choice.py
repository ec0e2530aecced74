"""Which of the three engines searches: one rule, and the figures behind it."""

from __future__ import annotations

import sys
from functools import cache, lru_cache
from importlib.util import find_spec
from weakref import WeakKeyDictionary

from unidoku.backends.lower import lower
from unidoku.backends.native.lanes.plan import plan_of
from unidoku.backends.native.lanes.rules import has_program, program_lack
from unidoku.core.layout import Layout
from unidoku.core.shapes import Or
from unidoku.core.shaping import parts_of

MAX_VALUES = 64
"""The most values that the set of a lane can hold."""

MAX_CELLS = 1024
"""The most cells that the lanes' straight-line code is compiled for: more would take minutes."""

MAX_SINGLE_VALUES = 62
"""The most values that the compiled search of single boards supports."""

MAX_SINGLE_CELLS = 4096
"""The most cells that it supports: each of its saved states has them all."""

MOST_VALUES_OF_LANES = 16
"""Boards of more values are searched one at a time by weights: the lanes choose by candidates."""

SINGLE_PATIENCE = 0.1
"""Seconds of searches in Python, all those of this process together, after which the compiled
search takes over: about what it takes to load it."""

PATIENCE = 0.3
"""Seconds of search in Python after which the lanes take over: about what it takes to load a kernel
that is in the cache."""

LONGEST_START = 20.0
"""Seconds that it may take until the lanes search, nothing being in any cache; with less time
than that, Python goes on."""

OF_PYTHON = 10
"""How many failures one in Python counts as, where they are limited: it takes ten to fifty times as
long."""

WORTH_IT = 200_000
"""Cells that Python searches in about a quarter of a second, in which the lanes can be loaded."""

_searched: WeakKeyDictionary[Layout, int] = WeakKeyDictionary()


@cache
def _has_numba() -> bool:
    return find_spec("numba") is not None


def lanes_lack(layout: Layout) -> str | None:
    """Return why the lanes do not support a layout on this machine, None if they can."""
    if layout.n > MAX_VALUES:
        return f"supports up to {MAX_VALUES} values, the board has {layout.n}"
    if len(layout) > MAX_CELLS:
        return f"supports up to {MAX_CELLS} cells, the board has {len(layout)}"
    if reason := program_lack(layout):
        return reason
    return None if _has_numba() else "needs numba, which is not installed"


def single_lack(layout: Layout) -> str | None:
    """Return why the compiled search does not support a layout on this machine, None if it can."""
    if layout.n > MAX_SINGLE_VALUES:
        return f"supports up to {MAX_SINGLE_VALUES} values, the board has {layout.n}"
    if len(layout) > MAX_SINGLE_CELLS:
        return f"supports up to {MAX_SINGLE_CELLS} cells, the board has {len(layout)}"
    lowered = lower(layout)
    if any(isinstance(part, Or) for one in lowered.alternatives for part in parts_of(one)):
        return "does not support alternatives within alternatives"
    return None if _has_numba() else "needs numba, which is not installed"


def of_python(failures: int | None) -> int | None:
    """Return how many failures in Python stand for so many in what is compiled."""
    return None if failures is None else max(1, failures // OF_PYTHON)


@lru_cache(maxsize=64)
def suits_lanes(layout: Layout) -> bool:
    """Return whether lanes that are ready search a single board of a layout better than `single`.

    They do where bands tell them much: not on jigsaws, on boards of many values, nor with rules.
    """
    few = layout.n <= MOST_VALUES_OF_LANES
    return few and not has_program(layout) and bool(plan_of(layout).bands)


def prefers_lanes(
    layout: Layout,
    boards: int,
    time_limit: float | None = None,
    lanes: int | None = None,
    *,
    bands: bool = True,
) -> bool:
    """Return whether to give boards of a layout to the lanes rather than begin in Python.

    The lanes are hundreds of times faster, once they are there. To load them takes a quarter of a
    second, and to compile a layout that is not in the cache several more. So the lanes are used

    - if they have searched the layout in this process before;
    - else once this process has been asked about many boards of the layout, or is told that they
      come (`expect`), `WORTH_IT` cells of them, unless the time limit of one might be over before
      the lanes are there.

    Python begins with all others, and hands over what it has not decided in `PATIENCE` seconds.
    """
    compiled = sys.modules.get("unidoku.backends.native.lanes.compile")
    if compiled is not None and compiled.is_ready(layout, lanes, bands=bands):
        return True
    if lanes_lack(layout):
        return False
    _searched[layout] = _searched.get(layout, 0) + boards * len(layout)
    in_time = boards > 1 or time_limit is None or time_limit >= LONGEST_START
    return in_time and _searched[layout] >= WORTH_IT


def expect(layout: Layout, boards: int) -> None:
    """Count so many boards of a layout as asked about already: they are to come."""
    _searched[layout] = max(_searched.get(layout, 0), boards * len(layout))
