"""Draws a study: a row for each family, a dot at the time of each backend, the best one named."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape

from studying.figures import Standing, standings
from studying.read import Family, Published
from unidoku.draw.paint import DARK_STYLE, Palette, Theme
from unidoku.support.text import listed, plural, seconds

_WIDTH = 860
_LEFT, _RIGHT = 196, 676
_TOP, _ROW = 66, 27

_COLOURS = (
    ("#1f5fbf", "#86b6ff"),
    ("#c4541a", "#ff9d5c"),
    ("#1b7a48", "#56c98d"),
    ("#8a3fb0", "#cf9df0"),
    ("#a8840a", "#e5c04a"),
    ("#b3261e", "#ff8f85"),
)
"""Colours of the backends that are the fastest somewhere, light and dark."""

_CLASSES = {"ink": "fill", "soft": "fill", "line": "stroke", "dot": "fill"} | {
    f"named{index}": "fill" for index in range(len(_COLOURS))
}

_PALETTE = Palette(
    name="study",
    colours={
        "ink": ("#1c1e22", "#e9eaec"),
        "soft": ("#5c626d", "#a0a7b2"),
        "line": ("#e2dfd9", "#31363e"),
        "dot": ("#b9bcc2", "#5a616b"),
    }
    | {f"named{index}": pair for index, pair in enumerate(_COLOURS)},
    looks={name: f"{attribute}:{{{name}}}" for name, attribute in _CLASSES.items()},
)


def caption(study: Published) -> str:
    """Return the caption of the picture, with figures from its data."""
    results = study.first.results
    best = Counter(_ranked(family)[0].backend for family in study.families)
    most = [f"{label} for {count}" for label, count in best.most_common(3)]
    spread = max(_spread(family) for family in study.families)
    ellipsis = ", …" if len(best) > 3 else ""
    are = "is" if len(best) == 1 else "are"
    return (
        f"{plural(len(results.backends), 'backend')} on {plural(len(results.cases), 'board')}, at "
        f"most {seconds(results.time_limit or 0)} each: a dot is the time of a backend on a family "
        "of puzzles, as geometric mean, in which an unsolved board counts as twice the limit. "
        f"{plural(len(best), 'backend')} {are} the fastest somewhere "
        f"({listed(most)}{ellipsis}); within a family, the slowest takes up to {spread:,.0f} times "
        "as long as the fastest."
    )


def picture(study: Published, theme: Theme) -> str:
    """Return the picture as SVG in a theme."""
    best = Counter(_ranked(family)[0].backend for family in study.families)
    named = {
        label: f"named{index}" for index, (label, _) in enumerate(best.most_common(len(_COLOURS)))
    }
    height = _TOP + _ROW * len(study.families) + 34
    ends = _ends(study)
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{_PALETTE.name}" '
        f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" role="img" '
        f'aria-label="{escape(caption(study))}">',
        "<style>text{font:13px Helvetica,Arial,sans-serif}</style>",
        DARK_STYLE if theme == "auto" else "",
        *_axis(ends, height),
        *_legend(named),
    ]
    for index, family in enumerate(study.families):
        drawn += _row(family, _TOP + _ROW * index + _ROW / 2, ends, named)
    return _PALETTE.painted("\n".join([*drawn, "</svg>\n"]), theme)


@cache
def _ranked(family: Family) -> list[Standing]:
    """Return the backends of the first stage, the fastest first."""
    return sorted(
        standings(family.first), key=lambda standing: (standing.typical.value, standing.backend)
    )


def _spread(family: Family) -> float:
    ranked = _ranked(family)
    return ranked[-1].typical.value / ranked[0].typical.value


def _ends(study: Published) -> tuple[float, float]:
    values = [
        standing.typical.value for family in study.families for standing in standings(family.first)
    ]
    low = 10.0 ** math.floor(math.log10(max(min(values), 1e-9)))
    return low, 2 * max(study.first.results.time_limit or 0.0, max(values) / 2)


def _across(value: float, ends: tuple[float, float]) -> float:
    low, high = ends
    return _LEFT + (_RIGHT - _LEFT) * math.log(max(value, low) / low) / math.log(high / low)


def _axis(ends: tuple[float, float], height: int) -> Iterator[str]:
    low, high = ends
    bottom = height - 30
    for power in range(round(math.log10(low)), math.floor(math.log10(high)) + 1):
        x = _across(10.0**power, ends)
        yield f'<path class="line" d="M{x:.1f} {_TOP - 4}V{bottom}"/>'
        yield _text(x, bottom + 18, seconds(10.0**power), "soft", "middle")
    yield _text(_WIDTH - 12, _TOP - 12, "the fastest, and its time", "soft", "end")
    yield _text(12, bottom + 18, "time, logarithmic", "soft")


def _legend(named: Mapping[str, str]) -> Iterator[str]:
    yield _text(12, 22, "fastest somewhere:", "soft")
    x = 136.0
    for label, look in named.items():
        yield f'<circle class="{look}" cx="{x:.0f}" cy="17.5" r="5"/>'
        yield _text(x + 10, 22, label, "ink")
        x += 26 + 7.2 * len(label)
    yield f'<circle class="dot" cx="{x:.0f}" cy="17.5" r="4"/>'
    yield _text(x + 10, 22, "others", "soft")


def _row(
    family: Family, y: float, ends: tuple[float, float], named: Mapping[str, str]
) -> Iterator[str]:
    ranked = _ranked(family)
    first = ranked[0]
    yield _text(12, y + 4, family.title, "ink")
    yield f'<path class="line" d="M{_LEFT} {y:.1f}H{_RIGHT}"/>'
    for standing in reversed(ranked):
        x = _across(standing.typical.value, ends)
        solved = f"{standing.solved} of {standing.cases} solved"
        words = f"{standing.backend}: {seconds(standing.typical.value)}, {solved}"
        yield (
            f'<circle class="{named.get(standing.backend, "dot")}" cx="{x:.1f}" cy="{y:.1f}" '
            f'r="{5.5 if standing is first else 4}"><title>{escape(words)}</title></circle>'
        )
    words = f"{first.backend}, {seconds(first.typical.value)}"
    yield _text(_WIDTH - 12, y + 4, words, named.get(first.backend, "ink"), "end")


def _text(x: float, y: float, text: str, look: str, anchor: str = "start") -> str:
    attributes = f'class="{look}" x="{x:.1f}" y="{y:.1f}"'
    if anchor != "start":
        attributes += f' text-anchor="{anchor}"'
    return f"<text {attributes}>{escape(text)}</text>"
