"""Two strong links of one value, joined by a weak one: skyscraper, kite, turbot fish.

If two cells see each other, they do not both hold the value. So one of their partners in the
two strong links holds it, and cells that see both partners lose it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Literal, TypeAlias

from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout, Unit
from unidoku.logic.geometry import geometry, is_area
from unidoku.logic.links import ConjugatePair, chain_step, conjugate_pairs
from unidoku.logic.state import State
from unidoku.logic.step import Step

_ACROSS = {"row": "column", "column": "row"}
"""The kind of line that crosses each kind of line."""

_Shape: TypeAlias = Literal["skyscraper", "kite", "other"]


@dataclass(frozen=True, slots=True)
class _Turbot:
    """A chain: its cells in order, the other cells that see both ends, and its shape."""

    cells: tuple[int, int, int, int]
    gone: int
    units: tuple[Unit, ...]
    shape: _Shape


def skyscraper(state: State) -> Iterator[Step]:
    """Find two rows joined along a column, or two columns joined along a row."""
    return _find(state, "skyscraper")


def two_string_kite(state: State) -> Iterator[Step]:
    """Find a row and a column joined in a full area, such as a box."""
    return _find(state, "kite")


def turbot_fish(state: State) -> Iterator[Step]:
    """Find two strong links joined by a weak one that make neither a skyscraper nor a kite."""
    return _find(state, "other")


def _find(state: State, shape: _Shape) -> Iterator[Step]:
    for value, places in enumerate(state.places):
        for turbot in _turbots(state.layout, places):
            if turbot.shape == shape:
                nodes = [(value, 1 << cell) for cell in turbot.cells]
                gone = state.among(value, turbot.gone)
                yield chain_step(state, nodes, gone, units=turbot.units)


@by_layout(1 << 8)
def _turbots(layout: Layout, places: int) -> tuple[_Turbot, ...]:
    """Return all turbot fish of a value that eliminate candidates."""
    sees = geometry(layout).sees
    turbots = []
    for first, second in combinations(conjugate_pairs(layout, places), 2):
        if len({first.first, first.second, second.first, second.second}) < 4:
            continue
        for far, joint in first.ends:
            for near, end in second.ends:
                gone = places & sees[far] & sees[end] & ~(1 << joint | 1 << near)
                if gone and sees[joint] >> near & 1:
                    units, shape = _shape(layout, first, second, (joint, near))
                    turbots.append(_Turbot((far, joint, near, end), gone, units, shape))
    return tuple(turbots)


def _shape(
    layout: Layout, first: ConjugatePair, second: ConjugatePair, joint: tuple[int, int]
) -> tuple[tuple[Unit, ...], _Shape]:
    """Return the units of the two strong links, and the simplest shape that they make."""
    joining = [unit for unit in layout.units_of[joint[0]] if joint[1] in unit.cells]
    kinds = {unit.kind for unit in joining}
    for a, b in product(first.units, second.units):
        if a.kind == b.kind and _ACROSS.get(a.kind) in kinds:
            return (a, b), "skyscraper"
    if any(is_area(unit) and len(unit.cells) == layout.n for unit in joining):
        for a, b in product(first.units, second.units):
            if _ACROSS.get(a.kind) == b.kind:
                return (a, b), "kite"
    return (first.units[0], second.units[0]), "other"
