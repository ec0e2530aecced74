"""The usual text, read quickly: one line of digits, with dots or zeros for empty cells.

The general reader would read it alike, but looks first for all else that a text may be. That
takes a hundred times as long as to solve the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from unidoku.core.bits import all_values, bit
from unidoku.core.board import Board
from unidoku.core.formats.symbols import DIGITS_FIRST, has_digits_only
from unidoku.core.layout import Layout
from unidoku.core.variants import Variant

__all__ = ["read_plain"]


def read_plain(text: str, variant: str | Layout, size: int | None) -> Board | None:
    """Return the board of a text, None if it is not of the usual kind.

    Args:
        text: what may be a board.
        variant: a variant's name, or a layout.
        size: n, if it is known.
    """
    shape = _shape(variant, size, len(text))
    if shape is None or ("." in text and "0" in text):
        return None
    layout, sets = shape if isinstance(variant, str) else (variant, shape[1])
    try:
        candidates = tuple(map(sets.__getitem__, text))
    except KeyError:
        return None
    return Board.of(layout, candidates)


@lru_cache(maxsize=256)
def _shape(
    variant: str | Layout, size: int | None, length: int
) -> tuple[Layout, Mapping[str, int]] | None:
    """Return the layout of texts of this length, and what each symbol stands for.

    None if there is none, or if such a text could be read in another way.
    """
    if round(length ** (1 / 3)) ** 3 == length:
        return None  # it could hold n places a cell, each with its value or empty
    if isinstance(variant, str):
        parsed = Variant.parse(variant)
        n = None if parsed.needs_regions else parsed.size(length)
        if n is None or n != (size or n) or not has_digits_only(n):
            return None
        layout = parsed.layout(n)
    else:
        layout = variant
        if len(layout) != length or size not in (None, layout.n) or not has_digits_only(layout.n):
            return None
    sets = {symbol: bit(value) for value, symbol in enumerate(DIGITS_FIRST[: layout.n], start=1)}
    return layout, sets | dict.fromkeys(".0", all_values(layout.n))
