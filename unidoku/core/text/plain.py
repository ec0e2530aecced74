"""A fast path for the usual text: one line of digits, with dots or zeros for empty cells.

The general reader returns the same board, but first tries all other interpretations. That takes a
hundred times as long as solving the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter

from unidoku.core.bits import all_values, bit
from unidoku.core.layout import Layout
from unidoku.core.text.reader import Parsed
from unidoku.core.text.symbols import DIGITS_FIRST, has_digits_only
from unidoku.core.variants import Variant, layout


def read_plain(text: str, variant: str | Layout, size: int | None) -> Parsed | None:
    """Return the layout and candidates of a text, None if it is not of the usual kind."""
    shape = _shape(variant, size, len(text))
    if shape is None or ("." in text and "0" in text):
        return None
    n, sets = shape
    try:
        candidates = itemgetter(*text)(sets)  # a third faster than map
    except KeyError:
        return None
    # Layouts are not cached here again: `layout` returns the same object as for the general reader.
    return layout(variant, n) if isinstance(variant, str) else variant, candidates


@lru_cache(maxsize=256)
def _shape(
    variant: str | Layout, size: int | None, length: int
) -> tuple[int, Mapping[str, int]] | None:
    """Return n and the candidates of each symbol, in texts of this length.

    None if there is no such board, or if such a text is ambiguous.
    """
    if round(length ** (1 / 3)) ** 3 == length:
        return None  # it could have n places for each cell, each with its value or empty
    if isinstance(variant, Layout):
        if variant.first_value != 1:
            return None  # 0 may be a value
        n = variant.n if len(variant) == length else None
    else:
        parsed = Variant.parse(variant)
        n = None if parsed.needs_regions else parsed.size(length)
    if n is None or size not in (None, n) or not has_digits_only(n):
        return None
    sets = {symbol: bit(value) for value, symbol in enumerate(DIGITS_FIRST[:n], start=1)}
    return n, sets | dict.fromkeys(".0", all_values(n))
