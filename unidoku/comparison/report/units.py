"""Numbers for a reader: few digits, and the unit."""

from __future__ import annotations

import math

__all__ = ["NOTHING", "format_percent", "format_ratio", "format_seconds"]

NOTHING = "-"
"""Stands for a figure that there is not."""


def format_seconds(seconds: float) -> str:
    """Return a duration with three digits and its unit.

    >>> format_seconds(0.0001234), format_seconds(2.5)
    ('123 µs', '2.5 s')
    """
    if math.isnan(seconds):
        return NOTHING
    if seconds >= 999.5:
        return f"{seconds:.0f} s"
    if seconds >= 0.9995:
        return f"{seconds:.3g} s"
    if seconds >= 0.9995e-3:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds * 1e6:.3g} µs"


def format_ratio(ratio: float) -> str:
    """Return a ratio with two decimals, or three digits where those are more.

    >>> format_ratio(1.934), format_ratio(0.01234), format_ratio(1234.5), format_ratio(math.inf)
    ('1.93', '0.0123', '1234', '∞')
    """
    if math.isnan(ratio):
        return NOTHING
    if math.isinf(ratio):
        return "∞"
    if ratio == 0:
        return "0"
    if ratio >= 99.995:
        return f"{ratio:.0f}"
    return f"{ratio:.2f}" if ratio >= 0.0995 else f"{ratio:.3g}"


def format_percent(percent: float) -> str:
    """Return a percentage with two digits.

    >>> format_percent(0.0), format_percent(1.234), format_percent(123.4)
    ('0 %', '1.2 %', '123 %')
    """
    if math.isnan(percent):
        return NOTHING
    if math.isinf(percent):
        return "∞ %"
    return f"{percent:.0f} %" if percent >= 9.95 else f"{percent:.2g} %"
