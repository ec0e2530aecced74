"""Cosmetics of Penpa+: its lines, symbols, coloured cells and texts that are no rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from unidoku.formats.cosmetics import MOST, Cosmetic, Place, merged
from unidoku.formats.draft import Draft, one_line, whole_number
from unidoku.formats.drawn import colour_of, drawn

_LINES: Mapping[int, tuple[str, float]] = {
    2: ("#000000", 0.08),
    3: ("#008000", 0.08),
    4: ("#000000", 0.05),
    5: ("#999999", 0.08),
    6: ("#999999", 0.3),
    8: ("#ff0000", 0.08),
    9: ("#2080ff", 0.08),
    21: ("#000000", 0.13),
    80: ("#000000", 0.03),
}
"""The colour and the width of a style of lines."""

_FILLS: Mapping[int, tuple[str, str]] = {
    1: ("#ffffff", "#000000"),
    2: ("#000000", ""),
    3: ("#cccccc", ""),
    5: ("#cccccc", "#000000"),
    6: ("#ffffff", "#999999"),
    7: ("#ffffff", ""),
    8: ("", "#000000"),
}
"""The filling and the border of a style of symbols."""

_SURFACES: Mapping[int, str] = {
    1: "#757575",
    2: "#b3ffb3",
    3: "#cccccc",
    4: "#000000",
    5: "#ffa3a3",
    6: "#c0e0ff",
    7: "#ffffa3",
    8: "#d0d0d0",
}
"""The colour of a style of filled cells."""

_SIZES = {"L": 0.86, "M": 0.7, "S": 0.44, "SS": 0.26}
"""The width of a symbol, by the letters after its name."""

_SYMBOL = re.compile(r"(circle|square|diamond)_(L|M|SS|S)")

PlaceOf = Callable[[object], "Place | None"]
"""Returns the place of a point; None for anything else."""


def cosmetics_of(
    draft: Draft, drawing: Mapping[str, Any], colours: Mapping[str, Any], place_of: PlaceOf
) -> list[Cosmetic]:
    """Return the lines, symbols and coloured cells of a drawing; what is lost is reported."""
    pictures: list[Cosmetic] = []
    for key, read in (("surface", _surfaces), ("line", _lines), ("symbol", _symbols)):
        entries, part_colours = (part.get(key) for part in (drawing, colours))
        if not isinstance(entries, dict) or not entries:
            continue
        looks = part_colours if isinstance(part_colours, dict) else {}
        parts = [*read(entries, looks, place_of)]
        fitting = [part for part in parts if part is not None][: max(MOST - len(pictures), 0)]
        pictures += fitting
        if len(fitting) < len(parts):
            draft.report.drop(f"pictures: {len(parts) - len(fitting)} of {key}")
    return merged(pictures)


def _lines(
    entries: Mapping[str, Any], colours: Mapping[str, Any], place_of: PlaceOf
) -> Iterator[Cosmetic | None]:
    """Yield lines; parts that follow each other are one."""
    path: list[Place] = []
    look: tuple[str, float] = ("", 0)
    for key, style in entries.items():
        ends = [place_of(end) for end in str(key).split(",")]
        usual = _LINES.get(whole_number(style) or 0)
        if len(ends) != 2 or None in ends or usual is None:
            yield None
            continue
        start, end = (end for end in ends if end is not None)
        new_look = (colour_of(colours.get(key)) or usual[0], usual[1])
        if path and new_look == look and path[-1] in (start, end):
            path.append(end if path[-1] == start else start)
        elif len(path) == 2 and new_look == look and path[0] in (start, end):
            path = [path[1], path[0], end if path[0] == start else start]
        else:
            if path:
                yield drawn(shape="line", at=tuple(path), colour=look[0], size=look[1])
            path, look = [start, end], new_look
    if path:
        yield drawn(shape="line", at=tuple(path), colour=look[0], size=look[1])


def _symbols(
    entries: Mapping[str, Any], colours: Mapping[str, Any], place_of: PlaceOf
) -> Iterator[Cosmetic | None]:
    for point, entry in entries.items():
        style, name, *_ = [*entry, "", ""] if isinstance(entry, list) else ["", ""]
        form, position = _SYMBOL.fullmatch(str(name)), place_of(point)
        look = _FILLS.get(whole_number(style) or 0) if isinstance(style, int | str) else None
        if form is None or position is None or look is None:
            yield None
            continue
        is_round = form[1] == "circle"
        size = _SIZES[form[2]]
        yield drawn(
            shape="circle" if is_round else "square",
            at=(position,),
            colour=colour_of(colours.get(point)) or look[0],
            border=look[1],
            size=round(size / 2**0.5, 2) if form[1] == "diamond" else size,
            angle=45 if form[1] == "diamond" else 0,
            over=True,
        )


def _surfaces(
    entries: Mapping[str, Any], colours: Mapping[str, Any], place_of: PlaceOf
) -> Iterator[Cosmetic | None]:
    for point, style in entries.items():
        position = place_of(point)
        number = whole_number(style) if isinstance(style, int | str) else None
        colour = colour_of(colours.get(point)) or _SURFACES.get(number or 0, "")
        yield drawn(shape="cells", at=(position,), colour=colour) if position and colour else None


def texts_at(position: Place | None, entry: object) -> list[Cosmetic]:
    """Return a text of Penpa+, in its circle if it has one, with its arrow if that slants."""
    text, colour, style, *_ = [*entry, "", "", ""] if isinstance(entry, list) else ["", "", ""]
    words, style = one_line(str(text)), str(style)
    arrow = _SLANTING.get(words[-2:]) if style == _ARROW else None
    if style == _ARROW:
        words = _DIRECTION.sub("", words)
    if style == _TAPA:
        words = " ".join(words)
    if position is None or not words:
        return []
    width, fill = _CIRCLES.get(style, 0), _ROUND.get(colour) if isinstance(colour, int) else None
    if width and fill:
        looks = {"colour": fill[0], "border": fill[1], "text_colour": fill[2]}
        pictures = [
            drawn(shape="circle", at=(position,), text=words, size=width, over=True, **looks)
        ]
    else:
        size = 0.3 if style in _SMALL else 0.6
        pictures = [drawn(shape="text", at=(position,), text=words, size=size, over=True)]
    if arrow:
        row, column = position
        path = tuple((row + far * arrow[0], column + far * arrow[1]) for far in (0.3, 0.48))
        pictures.append(drawn(shape="arrow", at=path, colour="#000000", size=0.03))
    return [cosmetic for cosmetic in pictures if cosmetic is not None]


_ARROW, _DIRECTION = "2", re.compile(r"_\d$")
"""The style of a number with an arrow, and the arrow's direction after it."""

_SLANTING = {"_4": (-1, -1), "_5": (-1, 1), "_6": (1, -1), "_7": (1, 1)}
"""The steps, in rows and columns, of directions that slant."""

_TAPA = "4"
"""The style of a text whose signs stand around its middle."""

_SMALL = ("4", "5", "6")
"""Styles of texts that do not fill a cell."""

_CIRCLES = {"1": 0.84, "2": 0.84, "4": 0.88, "5": 0.34, "6": 0.5, "10": 0.72}
"""The widths of the circles around texts, by their styles."""

_ROUND = {6: ("#ffffff", "#000000", "#000000"), 7: ("#000000", "", "#ffffff")}
"""The filling, the border and the ink of texts in circles, by their colours."""
