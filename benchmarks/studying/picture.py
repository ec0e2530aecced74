"""The picture of a study: each family a row, each backend a dot at its time, the best one named."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from types import MappingProxyType

from studying.figures import Standing, standings
from studying.read import Family, Published
from unidoku.text import listed, plural, seconds

__all__ = ["caption", "picture"]

_WIDTH = 860
_LEFT, _RIGHT = 196, 676
_TOP, _ROW = 66, 27
_NAMED = 6

_THEMES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "light": {"ink": "#1c1e22", "soft": "#5c626d", "line": "#e2dfd9", "dot": "#b9bcc2"},
        "dark": {"ink": "#e9eaec", "soft": "#a0a7b2", "line": "#31363e", "dot": "#5a616b"},
    }
)

_COLOURS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "light": ("#1f5fbf", "#c4541a", "#1b7a48", "#8a3fb0", "#a8840a", "#b3261e"),
        "dark": ("#86b6ff", "#ff9d5c", "#56c98d", "#cf9df0", "#e5c04a", "#ff8f85"),
    }
)
"""Of the backends that are best somewhere."""


def caption(study: Published) -> str:
    """Return what the picture shows, in sentences that its data make true."""
    results = study.first.results
    best = Counter(_ranked(family)[0].backend for family in study.families)
    most = [f"{label} for {count}" for label, count in best.most_common(3)]
    spread = max(_spread(family) for family in study.families)
    more = ", …" if len(best) > 3 else ""
    are = "is" if len(best) == 1 else "are"
    return (
        f"{plural(len(results.backends), 'backend')} on {plural(len(results.cases), 'board')}, at "
        f"most {seconds(results.time_limit or 0)} each: a dot is the time of a backend on a family "
        "of puzzles, as geometric mean, a board that it did not solve counting twice the limit. "
        f"{plural(len(best), 'different backend')} {are} the fastest somewhere "
        f"({listed(most)}{more}); within a family, the slowest takes up to {spread:,.0f} times as "
        "long as the fastest."
    )


def picture(study: Published, theme: str) -> str:
    """Return the picture as SVG in a theme, ``light`` or ``dark``."""
    look = _THEMES[theme]
    best = Counter(_ranked(family)[0].backend for family in study.families)
    colours = {
        label: _COLOURS[theme][place] for place, (label, _) in enumerate(best.most_common(_NAMED))
    }
    height = _TOP + _ROW * len(study.families) + 34
    low, high = _ends(study)
    body = [
        *_axis(low, high, height, look),
        *_legend(colours, look),
        *(
            part
            for place, family in enumerate(study.families)
            for part in _row(family, _TOP + _ROW * place + _ROW / 2, (low, high), colours, look)
        ),
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
            f'width="{_WIDTH}" height="{height}" role="img" '
            f'aria-label="{escape(caption(study))}">',
            "<style>text{font:13px Helvetica,Arial,sans-serif}</style>",
            *body,
            "</svg>\n",
        ]
    )


@cache
def _ranked(family: Family) -> list[Standing]:
    """Return the backends of the first stage, the fastest first."""
    return sorted(standings(family.first), key=lambda one: (one.typical.value, one.backend))


def _spread(family: Family) -> float:
    ranked = _ranked(family)
    return ranked[-1].typical.value / ranked[0].typical.value


def _ends(study: Published) -> tuple[float, float]:
    values = [one.typical.value for family in study.families for one in standings(family.first)]
    low = 10.0 ** math.floor(math.log10(max(min(values), 1e-9)))
    return low, 2 * max(study.first.results.time_limit or 0.0, max(values) / 2)


def _across(value: float, ends: tuple[float, float]) -> float:
    low, high = ends
    return _LEFT + (_RIGHT - _LEFT) * math.log(max(value, low) / low) / math.log(high / low)


def _axis(low: float, high: float, height: int, look: Mapping[str, str]) -> Iterator[str]:
    bottom = height - 30
    for power in range(round(math.log10(low)), math.floor(math.log10(high)) + 1):
        x = _across(10.0**power, (low, high))
        yield f'<path d="M{x:.1f} {_TOP - 4}V{bottom}" stroke="{look["line"]}"/>'
        yield _text(x, bottom + 18, seconds(10.0**power), look["soft"], "middle")
    yield _text(_WIDTH - 12, _TOP - 12, "the fastest, and its time", look["soft"], "end")
    yield _text(12, bottom + 18, "time, logarithmic", look["soft"])


def _legend(colours: Mapping[str, str], look: Mapping[str, str]) -> Iterator[str]:
    yield _text(12, 22, "fastest somewhere:", look["soft"])
    x = 136.0
    for label, colour in colours.items():
        yield f'<circle cx="{x:.0f}" cy="17.5" r="5" fill="{colour}"/>'
        yield _text(x + 10, 22, label, look["ink"])
        x += 26 + 7.2 * len(label)
    yield f'<circle cx="{x:.0f}" cy="17.5" r="4" fill="{look["dot"]}"/>'
    yield _text(x + 10, 22, "others", look["soft"])


def _row(
    family: Family,
    y: float,
    ends: tuple[float, float],
    colours: Mapping[str, str],
    look: Mapping[str, str],
) -> Iterator[str]:
    ranked = _ranked(family)
    yield _text(12, y + 4, family.title, look["ink"])
    yield f'<path d="M{_LEFT} {y:.1f}H{_RIGHT}" stroke="{look["line"]}"/>'
    for one in reversed(ranked):
        colour = colours.get(one.backend, look["dot"])
        radius = 5.5 if one is ranked[0] else 4
        x = _across(one.typical.value, ends)
        told = f"{one.backend}: {seconds(one.typical.value)}, {one.solved} of {one.cases} solved"
        yield (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}">'
            f"<title>{escape(told)}</title></circle>"
        )
    first = ranked[0]
    told = f"{first.backend}, {seconds(first.typical.value)}"
    yield _text(_WIDTH - 12, y + 4, told, colours.get(first.backend, look["ink"]), "end")


def _text(x: float, y: float, text: str, colour: str, anchor: str = "start") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" fill="{colour}"'
    if anchor != "start":
        place += f' text-anchor="{anchor}"'
    return f"<text {place}>{escape(text)}</text>"
