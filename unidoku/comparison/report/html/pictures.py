"""Pictures as SVG: the icon of the verdict, legends, and the CDF for readers without scripts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

import numpy as np
from numpy.typing import NDArray

from unidoku.comparison.statistics import Times, cdf
from unidoku.support.text import seconds

_WIDTH, _HEIGHT = 960, 430
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 944, 22, 386

_COLOURS = 6
_DASHES = ("", "7 4", "2 3")
_MOST_STEPS = 400
"""The most steps of one curve; more would be finer than a pixel."""

_ICONS = {
    "good": '<circle cx="12" cy="12" r="10"/><path d="M7.5 12.4l3 3 6-6.6"/>',
    "bad": '<path d="M8 2h8l6 6v8l-6 6H8l-6-6V8z"/><path d="M12 6.5v6.6M12 16.6v.2"/>',
    "open": '<circle cx="12" cy="12" r="10" stroke-dasharray="3.2 2.03"/>'
    '<path d="M9.4 9.6a2.7 2.7 0 1 1 3.7 2.5c-.8.3-1.1.9-1.1 1.7M12 16.9v.1"/>',
}


def icon(kind: str) -> str:
    """Return the icon of a tone as SVG; each tone has its own shape and colour."""
    return (
        '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" '
        'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">'
        f"{_ICONS[kind]}</svg>"
    )


def swatch(index: int) -> str:
    """Return the legend of a backend: a short line in its colour and dash."""
    return (
        f'<svg class="swatch" viewBox="0 0 26 12" aria-hidden="true"><path d="M1 6H25" '
        f'fill="none" stroke-width="3" {_stroke(index)}/></svg>'
    )


def _stroke(index: int) -> str:
    dash = _DASHES[index // _COLOURS % len(_DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'stroke="var(--b{index % _COLOURS})"{dashed}'


def cdf_svg(times: Times) -> str:
    """Return an SVG of the share of cases that each backend solved within a time."""
    curves = [cdf(times, label) for label in times.backends]
    ends = [float(end) for solved, _ in curves if len(solved) for end in (solved[0], solved[-1])]
    if not ends:
        return '<p class="quiet">Nothing was solved.</p>'
    low = 10.0 ** math.floor(math.log10(max(min(ends), 1e-9)))
    high = 10.0 ** math.ceil(math.log10(max(*ends, low * 10)))
    body = [*_axes(low, high, times.time_limit)]
    for index, (solved, part) in enumerate(curves):
        if len(solved):
            path = _path(solved, part, low, high)
            body.append(f'<path d="{path}" fill="none" stroke-width="2" {_stroke(index)}/>')
    keys = "".join(
        f"<span>{swatch(k)}{escape(label)}</span>" for k, label in enumerate(times.backends)
    )
    return (
        f'<svg class="static-plot" role="img" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'aria-label="Part of the cases that each backend solved within a time">'
        f'{"".join(body)}</svg><figcaption class="legend">{keys}</figcaption>'
    )


def _across(value: float, low: float, high: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * math.log(value / low) / math.log(high / low)


def _up(part: float) -> float:
    return _BOTTOM - (_BOTTOM - _TOP) * part


def _axes(low: float, high: float, time_limit: float | None) -> Iterator[str]:
    line = '<path d="M{} {}L{} {}" stroke="var(--line)"/>'
    text = '<text x="{:.0f}" y="{:.0f}" text-anchor="{}">{}</text>'
    for part in (0, 0.25, 0.5, 0.75, 1):
        yield line.format(_LEFT, _up(part), _RIGHT, _up(part))
        yield text.format(_LEFT - 8, _up(part) + 4, "end", f"{100 * part:g} %")
    for power in range(round(math.log10(low)), round(math.log10(high)) + 1):
        x = _across(10.0**power, low, high)
        yield line.format(round(x, 1), _TOP, round(x, 1), _BOTTOM)
        yield text.format(x, _BOTTOM + 18, "middle", seconds(10.0**power))
    if time_limit is not None and low < time_limit <= high:
        x = _across(time_limit, low, high)
        yield (f'<path d="M{x:.1f} {_TOP}V{_BOTTOM}" stroke="var(--soft)" stroke-dasharray="4 4"/>')
        yield text.format(x, _TOP - 8, "middle", f"time limit {seconds(time_limit)}")


def _path(solved: NDArray[np.float64], part: NDArray[np.float64], low: float, high: float) -> str:
    step = max(1, len(solved) // _MOST_STEPS)
    chosen = [*range(0, len(solved) - 1, step), len(solved) - 1]
    x = _across(max(float(solved[0]), low), low, high)
    pieces = [f"M{x:.1f} {_up(0):.1f}"]
    for k in chosen:
        x = _across(max(float(solved[k]), low), low, high)
        pieces.append(f"H{x:.1f}V{_up(float(part[k])):.1f}")
    return "".join(pieces) + f"H{_RIGHT}"
