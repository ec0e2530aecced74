"""Draws curves as SVG: panels side by side, with a line for each series, in light and dark."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from unidoku.draw.paint import Palette, Theme

__all__ = ["Panel", "curves"]

_WIDTH, _HEIGHT = 290, 250
_LEFT, _RIGHT, _TOP, _BOTTOM = 54, 8, 60, 44
_CHARACTER = 7

_COLOURS = (
    ("#1f5fbf", "#86b6ff"),
    ("#c4541a", "#ff9d5c"),
    ("#1b7a48", "#56c98d"),
    ("#8a3fb0", "#cf9df0"),
    ("#a8840a", "#e5c04a"),
    ("#b3261e", "#ff8f85"),
)
"""Colours of the series, light and dark."""

_LINES = {f"series{place}": "stroke" for place in range(len(_COLOURS))}
_PALETTE = Palette(
    name="curves",
    colours={
        "ink": ("#1c1e22", "#e9eaec"),
        "soft": ("#5c626d", "#a0a7b2"),
        "line": ("#e2dfd9", "#31363e"),
    }
    | {f"series{place}": pair for place, pair in enumerate(_COLOURS)},
    looks={"ink": "fill:{ink}", "soft": "fill:{soft}", "line": "stroke:{line}"}
    | {name: f"stroke:{{{name}}};fill:none;stroke-width:2" for name in _LINES},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A system of axes with curves.

    Args:
        title: what the vertical axis shows.
        axis: what the horizontal axis shows.
        series: the points of each curve, (x, y), from left to right, by its name; y is finite.
        is_log: whether the vertical axis is logarithmic; 0 then stands below 1.
        in_percent: whether both axes are shares, labelled in percent.
    """

    title: str
    axis: str
    series: Mapping[str, Sequence[tuple[float, float]]]
    is_log: bool = False
    in_percent: bool = False


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where the values of a panel are drawn.

    Args:
        panel: the panel.
        left: position of its left edge.
    """

    panel: Panel
    left: float

    @property
    def span(self) -> tuple[float, float]:
        """The values at the ends of the horizontal axis."""
        values = [x for points in self.panel.series.values() for x, _ in points] or [0.0]
        return min(values), max(values)

    def x(self, value: float) -> float:
        low, high = self.span
        share = (value - low) / ((high - low) or 1)
        return self.left + _LEFT + share * (_WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        share = self._height(value) / self._height(self.top)
        return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)

    @property
    def top(self) -> float:
        """The value at the upper end of the axis."""
        most = max((y for points in self.panel.series.values() for _, y in points), default=1)
        return float(10 ** math.ceil(math.log10(max(most, 10)))) if self.panel.is_log else 1.0

    def _height(self, value: float) -> float:
        return math.log10(1 + value) if self.panel.is_log else value


def curves(panels: Sequence[Panel], *, label: str, theme: Theme = "auto") -> str:
    """Return panels side by side as SVG.

    Args:
        panels: the panels; a series has the same colour in each.
        label: description for readers who do not see the picture.
        theme: the theme, ``auto`` for the one of the reader's system.
    """
    names = sorted({name for panel in panels for name in panel.series}, key=_by_number)
    looks = {name: f"series{place % len(_COLOURS)}" for place, name in enumerate(names)}
    width = _WIDTH * len(panels)
    dark = _PALETTE.dark_style if theme == "auto" else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{_PALETTE.name}" '
        f'viewBox="0 0 {width} {_HEIGHT}" width="{width}" height="{_HEIGHT}" role="img" '
        f'aria-label="{escape(label)}">',
        f"<style>text{{font:12px Helvetica,Arial,sans-serif}}{dark}</style>",
        *_legend(looks),
    ]
    for place, panel in enumerate(panels):
        frame = _Frame(panel, place * _WIDTH)
        parts += [*_axes(frame), *_lines(frame, looks)]
    return _PALETTE.painted("\n".join([*parts, "</svg>\n"]), theme)


def _by_number(name: str) -> tuple[int, str]:
    return int("".join(filter(str.isdigit, name)) or 0), name


def _legend(looks: Mapping[str, str]) -> Iterator[str]:
    left = float(_LEFT)
    for name, look in looks.items():
        yield f'<path class="{look}" d="M{left:.0f} 16h18"/>'
        yield _text(left + 24, 20, name, "ink")
        left += 44 + _CHARACTER * len(name)


def _axes(frame: _Frame) -> Iterator[str]:
    panel, bottom = frame.panel, _HEIGHT - _BOTTOM
    yield _text(frame.left + _LEFT, _TOP - 14, panel.title, "ink")
    yield _text(
        frame.left + (_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 8, panel.axis, "soft", "middle"
    )
    right = frame.left + _WIDTH - _RIGHT
    for value, words in _heights(frame):
        y = frame.y(value)
        yield f'<path class="line" d="M{frame.left + _LEFT:.1f} {y:.1f}H{right:.1f}"/>'
        yield _text(frame.left + _LEFT - 6, y + 4, words, "soft", "end")
    for value in _ticks(*frame.span):
        words = f"{100 * value:.0f}%" if panel.in_percent else f"{value:.1f}"
        yield _text(frame.x(value), bottom + 18, words, "soft", "middle")


def _ticks(low: float, high: float) -> list[float]:
    """Return the round values between two ends, at most nine."""
    step = next(step for step in _STEPS if high - low < 8.5 * step)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


_STEPS = (0.05, 0.1, 0.2, 0.5, *(10.0**power for power in range(10)))
"""Distances of round values."""


def _heights(frame: _Frame) -> list[tuple[float, str]]:
    """Return the values of the vertical axis that have a line, and their words."""
    if not frame.panel.is_log:
        return [(quarter / 4, f"{25 * quarter}%") for quarter in range(5)]
    powers = range(1, round(math.log10(frame.top)) + 1)
    return [(0, "0"), *((10**power, f"{10**power:,}") for power in powers)]


def _lines(frame: _Frame, looks: Mapping[str, str]) -> Iterator[str]:
    for name, points in frame.panel.series.items():
        if not points:
            continue
        path = "L".join(f"{frame.x(x):.1f} {frame.y(y):.1f}" for x, y in points)
        yield f'<path class="{looks[name]}" d="M{path}"><title>{escape(name)}</title></path>'


def _text(x: float, y: float, text: str, look: str, anchor: str = "start") -> str:
    place = f'class="{look}" x="{x:.1f}" y="{y:.1f}"'
    if anchor != "start":
        place += f' text-anchor="{anchor}"'
    return f"<text {place}>{escape(text)}</text>"
