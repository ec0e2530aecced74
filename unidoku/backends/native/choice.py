"""The rule that chooses among the three engines, and the measurements behind it."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from unidoku.backends.native.engines import imported, lacks
from unidoku.backends.native.lanes.bands import bands_of
from unidoku.backends.native.lanes.plan import rules_lack
from unidoku.backends.sum_range import larger_sums
from unidoku.core.caching import layout_cache, on_forgetting
from unidoku.core.constraints.operations import parts_of
from unidoku.core.constraints.primitives import Or
from unidoku.core.layout import Layout
from unidoku.core.transforms.lower import lower

MAX_VALUES = 64
"""The largest number of values that a lane's set can hold."""

MAX_CELLS = 1024
"""The lanes' straight-line code is compiled for up to this many cells: more would take minutes."""

MAX_SINGLE_VALUES = 62
"""The largest number of values that the compiled search of single boards supports."""

MAX_SINGLE_CELLS = 4096
"""The largest number of cells that `single` supports: each of its saved states has them all."""

MAX_SINGLE_SUM = 1 << 60
"""The largest number that a sum may reach in `single`, which has 64 bits: it adds up as much twice,
for the distance to a bound, and multiplies weights by 8 if there are fewer values."""

MOST_VALUES_OF_LANES = 16
"""Boards of more values go to `single`, which branches by weights; the lanes branch by
candidates."""

SINGLE_PATIENCE = 0.1
"""Seconds of search in Python, summed over this process, after which the compiled search takes
over: about as long as loading it takes."""

PATIENCE = 0.3
"""Seconds of search in Python after which the lanes take over: about as long as loading a kernel
from the cache takes."""

LONGEST_START = 20.0
"""Seconds that pass at most until the lanes can search when nothing is cached; if the time limit is
shorter, Python continues."""

OF_PYTHON = 10
"""How many failures one failure in Python counts as when failures are limited: it takes ten to
fifty times as long."""

WORTH_IT = 200_000
"""Number of cells that Python searches in about a quarter of a second, the time to load the
lanes."""

_searched: WeakKeyDictionary[Layout, int] = WeakKeyDictionary()
on_forgetting(_searched.clear)


def lanes_lack(layout: Layout) -> str | None:
    """Return why the lanes do not support a layout on this machine, None if they can."""
    if layout.n > MAX_VALUES:
        return f"supports up to {MAX_VALUES} values, the board has {layout.n}"
    if len(layout) > MAX_CELLS:
        return f"supports up to {MAX_CELLS} cells, the board has {len(layout)}"
    return rules_lack(layout) or lacks("numba", "llvmlite", "numpy")


def single_lack(layout: Layout) -> str | None:
    """Return why the compiled search does not support a layout on this machine, None if it can."""
    if layout.n > MAX_SINGLE_VALUES:
        return f"supports up to {MAX_SINGLE_VALUES} values, the board has {layout.n}"
    if len(layout) > MAX_SINGLE_CELLS:
        return f"supports up to {MAX_SINGLE_CELLS} cells, the board has {len(layout)}"
    if larger := larger_sums(MAX_SINGLE_SUM, layout):
        return larger
    alternatives = lower(layout).alternatives if layout.rules else ()
    if alternatives and any(isinstance(part, Or) for one in alternatives for part in parts_of(one)):
        return "does not support alternatives within alternatives"
    return lacks("llvmlite")


def of_python(failures: int | None) -> int | None:
    """Return the limit of failures in Python that corresponds to a limit in a compiled engine."""
    return None if failures is None else max(1, failures // OF_PYTHON)


@layout_cache(maxsize=64)
def suits_lanes(layout: Layout) -> bool:
    """Return whether lanes that are loaded search one board of a layout faster than `single`.

    They do where bands allow many deductions: not on jigsaws, on boards of many values, or with
    rules.
    """
    few = layout.n <= MOST_VALUES_OF_LANES
    return few and not rules_lack(layout) and bool(bands_of(layout))


def prefers_lanes(
    layout: Layout,
    boards: int,
    time_limit: float | None = None,
    lanes: int | None = None,
    *,
    bands: bool = True,
) -> bool:
    """Return whether to start with the lanes, rather than with Python, on boards of a layout.

    The lanes are hundreds of times faster once they are loaded. Loading them takes a quarter of a
    second, and compiling a layout that is not in the cache takes several seconds more. So the lanes
    are used

    - if they have searched the layout in this process before;
    - or if this process has searched, or expects (`expect`), boards of the layout with at least
      `WORTH_IT` cells in all, unless the time limit might pass before the lanes are loaded.

    Python begins with all other boards, and hands over those not solved in `PATIENCE` seconds.
    """
    compiled = imported("lanes.compile")
    if compiled is not None and compiled.is_ready(layout, lanes, bands=bands):
        return True
    if lanes_lack(layout):
        return False
    _searched[layout] = _searched.get(layout, 0) + boards * len(layout)
    in_time = boards > 1 or time_limit is None or time_limit >= LONGEST_START
    return in_time and _searched[layout] >= WORTH_IT


def expect(layout: Layout, boards: int) -> None:
    """Count boards of a layout that are expected as if they had been searched already."""
    _searched[layout] = max(_searched.get(layout, 0), boards * len(layout))
