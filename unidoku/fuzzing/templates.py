"""The smallest boards of all, tried before a board is taken to pieces.

Most bugs show on one of them, and then nothing large need be shrunk step by step.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from unidoku.core.bits import all_values, bit
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.variants import Variant, layout
from unidoku.errors import LayoutError
from unidoku.fuzzing.reduce import measure
from unidoku.fuzzing.symptom import Boards

__all__ = ["templates"]

_LARGE = 9
"""The largest n of whole squares; above, only a cell or a unit is tried."""

_SMALL = 6
"""The largest n of squares on which two givens are tried."""


@lru_cache(maxsize=64)
def templates(length: int, like: Layout) -> tuple[Boards, ...]:
    """Return small boards in the order of their measure.

    Args:
        length: boards in a row; of several, those before the last have no solution.
        like: whose size is the largest; if it is a named variant, its smaller sisters are among
            the layouts.
    """
    made = [boards for size in range(1, like.n + 1) for boards in _of_size(length, size)]
    if length == 1:
        made += ((board,) for one in _sisters(like) for board in _boards(one, pairs=True))
    return tuple(sorted(made, key=measure))


def _of_size(length: int, n: int) -> Iterator[Boards]:
    for one in _layouts(n):
        variations = list(_boards(one))
        if length == 1:
            yield from ((board,) for board in variations)
            continue
        for impossible in _impossible(one):
            yield (*[impossible] * (length - 1), variations[0])


def _layouts(n: int) -> Iterator[Layout]:
    yield Layout.from_units(n, [], shape=(1, 1))
    yield Layout.from_units(n, [], shape=(1, 2))
    if n > 1:
        yield Layout.from_units(n, [[0, 1]], shape=(1, 2))
        yield Layout.from_units(n, [range(n)], shape=(1, n))
        yield Layout.from_units(n, [range(n - 1)], shape=(1, n))
    if 1 < n <= _LARGE:
        for variant in ("latin", "classic", "x"):
            try:
                yield layout(variant, n)
            except LayoutError:  # a prime has no boxes
                continue


def _sisters(like: Layout) -> Iterator[Layout]:
    """Yield the smaller layouts of a variant, in boxes of all shapes, with fewer additions."""
    try:
        parts = Variant.parse(like.name).parts
    except LayoutError:
        return
    names = [name for name, _ in parts if name not in ("classic", "jigsaw", "grids")]
    additions = {(), tuple(names), *((name,) for name in names)}
    for n in range(1, min(like.n, _LARGE) + 1):
        bases = [f"classic:{h}x{n // h}" for h in range(1, n + 1) if n % h == 0]
        for chosen in sorted(additions):
            for base in bases if "latin" not in chosen else [""]:
                try:
                    yield layout("+".join(filter(None, [base, *chosen])), n)
                except LayoutError:  # an addition that does not exist in that size
                    continue


def _boards(one: Layout, *, pairs: bool = False) -> Iterator[Board]:
    """Yield boards with no given, with one cell given, marked, or left without candidates.

    With pairs, those of small layouts with one value in the first cell and another as well.
    """
    full = all_values(one.n)
    rest = (full,) * (len(one) - 1)
    masks = dict.fromkeys((full, bit(1), bit(one.n), full & ~bit(1), 0))
    for mask in masks:
        yield Board(one, (mask, *rest))
    for cell in one.cells[1:] if pairs and one.n <= _SMALL else ():
        yield Board(one, (bit(1), *rest[: cell - 1], bit(1), *rest[cell:]))


def _impossible(one: Layout) -> Iterator[Board]:
    full = all_values(one.n)
    yield Board(one, (0, *(full,) * (len(one) - 1)))
    if one.units and len(one.units[0].cells) > 1:
        masks = [full] * len(one)
        for cell in one.units[0].cells[:2]:
            masks[cell] = bit(1)
        yield Board(one, tuple(masks))
