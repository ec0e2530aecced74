"""The rule that chooses between the engines: one board is for `single`, many are for the lanes.

It depends on the boards alone and never on the clock, so that the same grids come first.
"""

from __future__ import annotations

from math import prod
from weakref import WeakKeyDictionary

from unidoku.backends.native.engines import lacks
from unidoku.backends.native.lanes.plan import rules_lack
from unidoku.backends.sum_range import larger_sums
from unidoku.core.caching import layout_cache, on_forgetting
from unidoku.core.constraints.primitives import Or
from unidoku.core.layout import Layout
from unidoku.core.transforms.simplify import WithImplied, simplified
from unidoku.support.extras import advice, command

MAX_VALUES = 64
"""The largest number of values that a lane's set can hold."""

MAX_CELLS = 1024
"""The lanes' straight-line code is compiled for up to this many cells: more would take minutes."""

MAX_SINGLE_VALUES = 62
"""The largest number of values that the search of single boards supports."""

MAX_SINGLE_CELLS = 4096
"""The largest number of cells that `single` supports: each of its saved states has them all."""

MAX_SINGLE_SUM = 1 << 60
"""The largest number that a sum may reach in `single`, which has 64 bits: it adds up as much twice,
for the distance to a bound, and multiplies weights by 8 if there are fewer values."""

MOST_BRANCHES = 10_000
"""The largest number of branches of alternatives that `single` supports. Alternatives within a
branch make several branches of it."""

WORTH_IT = 200_000
"""Number of cells that `single` searches in about the time in which the lanes are compiled."""

_searched: WeakKeyDictionary[Layout, int] = WeakKeyDictionary()
on_forgetting(_searched.clear)


def lanes_lack(layout: Layout) -> str | None:
    """Return why the lanes do not support a layout on this machine, None if they can."""
    larger = _larger(layout, MAX_VALUES, MAX_CELLS)
    return larger or rules_lack(layout) or lacks("numpy") or _code_lack(layout)


def _larger(layout: Layout, values: int, cells: int) -> str | None:
    """Return that a layout has more values or cells than an engine supports, None if not."""
    if layout.n > values:
        return f"supports up to {values} values, the board has {layout.n}"
    if len(layout) > cells:
        return f"supports up to {cells} cells, the board has {len(layout)}"
    return None


@layout_cache(maxsize=256)
def _is_in_library(layout: Layout) -> bool:
    from unidoku.backends.native.lanes.compile import is_in_library

    return is_in_library(layout)


def _code_lack(layout: Layout) -> str | None:
    """Return why there is no machine code for the lanes of a layout, None if there can be."""
    if (lack := lacks("llvmlite")) is None or _is_in_library(layout):
        return None
    return f"{lack}; {advice(command('jit'))}" if lack.endswith("not installed") else lack


def single_lack(layout: Layout) -> str | None:
    """Return why the search of single boards does not support a layout, None if it can."""
    larger = _larger(layout, MAX_SINGLE_VALUES, MAX_SINGLE_CELLS)
    return larger or (_lack_for_rules(layout) if layout.rules else None)


@layout_cache(maxsize=64)
def _lack_for_rules(layout: Layout) -> str | None:
    stated = layout.plain if isinstance(layout, WithImplied) else layout  # what follows is smaller
    if larger := larger_sums(MAX_SINGLE_SUM, stated):
        return larger
    alternatives = simplified(stated).of_kind.get(Or)
    branches = max(map(_branches, alternatives)) if alternatives else 0
    if branches > MOST_BRANCHES:
        return f"supports alternatives of up to {MOST_BRANCHES:,} branches, these have {branches:,}"
    return None


def _branches(constraint: Or) -> int:
    """Return the number of branches once no branch has alternatives of its own."""
    return sum(
        prod(_branches(part) for part in branch if isinstance(part, Or))
        for branch in constraint.branches
    )


def prefers_lanes(layout: Layout, boards: int) -> bool:
    """Return whether the lanes search a batch, which both engines support.

    The lanes are several times as fast once they are loaded. Loading them takes a quarter of a
    second, and compiling a layout that is not in the cache some seconds more. So they are used if
    batches of this layout have had, or are expected to have (`expect`), at least `WORTH_IT` cells
    in this process.
    """
    _searched[layout] = _searched.get(layout, 0) + boards * len(layout)
    return _searched[layout] >= WORTH_IT


def expect(layout: Layout, boards: int) -> None:
    """Count boards of a layout that are expected as if they had been searched already."""
    _searched[layout] = max(_searched.get(layout, 0), boards * len(layout))
