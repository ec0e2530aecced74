"""Guesses the meaning of digits between four cells, and of numbers outside the grid."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from unidoku.core import rules
from unidoku.formats.draft import Draft, whole_number

Picture: TypeAlias = Mapping[str, Any]
Point: TypeAlias = tuple[float, float]

_CIRCLE = 0.3
"""The width of the smallest circle of a quadruple."""

_NEAR = 0.35
"""How far the digits of a quadruple are from its middle, and a clue from that of its cell."""

_MOST_DIGITS = 4

_CLUES: Mapping[str, tuple[str, Callable[[tuple[int, ...], int], rules.Rule]]]
_CLUES = {
    r"sandwich|between (the )?1 and (the )?\d": ("sandwich", rules.Sandwich),
    r"x-?\s?sum": ("X-sum", rules.XSum),
    r"hidden skyscraper": ("hidden skyscraper", rules.HiddenSkyscraper),
    r"(?<!hidden )skyscraper": ("skyscraper", rules.Skyscraper),
    r"numbered room": ("numbered room", rules.NumberedRoom),
}
"""What the rules in words say about numbers outside the grid, its name, and their rule."""


def place_of(point: object) -> Point | None:
    """Return a row and a column, with fractions; None if it is not a place near a grid."""
    if not isinstance(point, list) or len(point) != 2:
        return None
    if not all(isinstance(at, int | float) and abs(at) < _MOST_STEPS for at in point):
        return None
    return float(point[0]), float(point[1])


_MOST_STEPS = 1000


def guess_clues(
    draft: Draft, pictures: Mapping[str, Sequence[Picture]], words: str
) -> list[Picture]:
    """Add quadruples and clues outside, report them, and return the pictures used.

    Args:
        draft: the draft of the puzzle.
        pictures: lines, arrows, overlays and underlays.
        words: the rules in words, in lower case.
    """
    shapes = [picture for key in ("underlays", "overlays") for picture in pictures[key]]
    placed = [(at, each) for each in shapes if (at := place_of(each.get("center"))) is not None]
    used: list[Picture] = []
    for at, circle in placed:
        used += _guess_quadruple(draft, at, circle, placed)
    named = [meant for pattern, meant in _CLUES.items() if re.search(pattern, words)]
    for at, text in placed:
        used += _guess_diagonal(draft, at, text, pictures["arrows"])
        if len(named) == 1 and text not in used:
            used += _guess_outside(draft, at, text, *named[0])
    return used


def _guess_quadruple(
    draft: Draft, at: Point, circle: Picture, placed: Sequence[tuple[Point, Picture]]
) -> Iterator[Picture]:
    """Guess digits in or on a circle between four cells; yield the pictures used."""
    corner = round(at[0]), round(at[1])
    inside = 0 < corner[0] < draft.rows and 0 < corner[1] < draft.columns
    width = circle.get("width")
    is_circle = circle.get("rounded") and isinstance(width, int | float) and width >= _CIRCLE
    if not (inside and is_circle and _apart(at, corner) < 0.1):
        return
    parts = [circle] if _digits(circle) else []
    parts += [
        each for there, each in placed if each is not circle and _apart(there, corner) < _NEAR
    ]
    parts = [each for each in parts if each is circle or _digits(each)]
    digits = [int(digit) for each in parts for digit in _digits(each)]
    if not 1 <= len(digits) <= _MOST_DIGITS or not {*digits} <= {*draft.values}:
        return
    draft.report.guess("digits in a circle between four cells: these cells hold them")
    cells = draft.square(corner[0] - 1, corner[1] - 1, 2, 2)
    draft.add(rules.Contains(cells, tuple(sorted(digits))))
    yield from parts if circle in parts else [*parts, circle]


def _digits(picture: Picture) -> str:
    """Return the text of a picture if it has nothing but digits."""
    text = "".join(str(picture.get("text") or "").split())
    return text if text.isascii() and text.isdecimal() else ""


def _apart(a: Point, b: Point) -> float:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def _number_beside(draft: Draft, at: Point, text: Picture) -> tuple[int, int, int] | None:
    """Return a number right outside the grid, with its row and column; None if it is not one."""
    row, column = int(at[0] // 1), int(at[1] // 1)
    if not (-1 <= row <= draft.rows and -1 <= column <= draft.columns) or draft.inside(row, column):
        return None
    number = whole_number(_digits(text)) if _apart(at, (row + 0.5, column + 0.5)) < _NEAR else None
    return None if number is None else (number, row, column)


def _guess_diagonal(
    draft: Draft, at: Point, text: Picture, arrows: Sequence[Picture]
) -> Iterator[Picture]:
    """Guess a number with a short slanting arrow: a little killer; yield the pictures used."""
    clue = _number_beside(draft, at, text)
    if clue is None:
        return
    total, row, column = clue
    for arrow in arrows:
        points = arrow.get("wayPoints")
        ends = [place_of(point) for point in points] if isinstance(points, list) else []
        if len(ends) != 2 or ends[0] is None or ends[1] is None or _apart(ends[0], at) >= 0.8:
            continue
        down, right = ((b > a) - (b < a) for a, b in zip(*ends, strict=True))
        cells = draft.run(row + down, column + right, down, right) if down and right else ()
        if cells:
            draft.report.guess(
                "a number with a slanting arrow: the cells on its diagonal sum to it"
            )
            draft.add(rules.SumOfCells(cells, total))
            yield from (text, arrow)
            return


def _guess_outside(
    draft: Draft,
    at: Point,
    text: Picture,
    name: str,
    meaning: Callable[[tuple[int, ...], int], rules.Rule],
) -> Iterator[Picture]:
    """Take a number outside for the only kind of clue in the words; yield the picture if so."""
    clue = _number_beside(draft, at, text)
    if clue is None:
        return
    number, row, column = clue
    down, right = (row < 0) - (row == draft.rows), (column < 0) - (column == draft.columns)
    if down and right:
        return
    draft.report.guess(f"a number outside the grid: the rules in words name one kind, {name}")
    draft.add(meaning(draft.run(row + down, column + right, down, right), number))
    yield text
