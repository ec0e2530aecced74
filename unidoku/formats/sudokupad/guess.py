"""Guesses the meaning of SudokuPad's pictures by shape, by colour, and by the rules in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from unidoku.core import rules
from unidoku.core.constraints.primitives import Pair
from unidoku.formats import meanings
from unidoku.formats.draft import Draft, whole_number
from unidoku.formats.drawn import Picture, number

Pictures: TypeAlias = Mapping[str, Sequence[Picture]]

Point: TypeAlias = tuple[float, float]
"""A row and a column, with fractions; the centre of the first cell is 0.5 and 0.5."""

Placed: TypeAlias = tuple[Point, Picture]
"""An overlay or an underlay, and its centre."""

Cells: TypeAlias = tuple[int, ...]

_WORDS: Mapping[str, tuple[str, Callable[[Draft, Cells], Iterable[rules.Rule]]]]
_WORDS = {
    "german whisper": ("whisper", lambda draft, cells: [rules.Whispers(cells, 5)]),
    "dutch whisper": ("whisper", lambda draft, cells: [rules.Whispers(cells, 4)]),
    "whisper": ("whisper", lambda draft, cells: [rules.Whispers(cells, 5)]),
    "renban": ("renban", lambda draft, cells: [rules.Renban(cells)]),
    "palindrome": ("palindrome", lambda draft, cells: [rules.Palindrome(cells)]),
    "nabner": ("nabner", lambda draft, cells: meanings.nabner(cells)),
    "between line": ("between", lambda draft, cells: [rules.Between(cells)]),
    "region sum": (
        "region sum line",
        lambda draft, cells: meanings.region_sum(draft.segments(cells)),
    ),
}
"""Words in rules, and the name and the rules of the lines that they mean."""

Clue: TypeAlias = Callable[[Cells, int], rules.Rule]
"""Makes the rule of a number outside the grid, and of the line that it looks along."""

_CLUES: Mapping[str, tuple[str, Clue]] = {
    r"sandwich|between (the )?1 and (the )?\d": ("sandwich", rules.Sandwich),
    r"x-?\s?sum": ("X-sum", rules.XSum),
    r"hidden skyscraper": ("hidden skyscraper", rules.HiddenSkyscraper),
    r"(?<!hidden )skyscraper": ("skyscraper", rules.Skyscraper),
    r"numbered room": ("numbered room", rules.NumberedRoom),
}
"""What the rules in words say about numbers outside the grid, its name, and their rule."""

_SMALL, _LARGE = 0.5, 0.95
"""Upper bounds on the widths of dots and of circles."""

_CIRCLE = 0.3
"""The width of the smallest circle of a quadruple."""

_NEAR = 0.35
"""How far the digits of a quadruple are from its middle, and a clue from that of its cell."""

_MOST_DIGITS = 4

_MOST_STEPS = 1000
"""The most cells between the grid and a picture."""

_LETTERS = {"X": 10, "V": 5}
_SIGNS = {"<": False, ">": True, "^": False, "∧": False, "v": True, "∨": True}
"""Whether the cell on the left or above is the greater one."""


def guess_rules(draft: Draft, pictures: Pictures, words: str) -> dict[str, list[Picture]]:
    """Add the rules that pictures probably mean, report them, and return the other pictures.

    Args:
        draft: the draft of the puzzle.
        pictures: lines, arrows, overlays and underlays.
        words: the rules in words, in lower case.
    """
    shapes = [
        (centre, shape)
        for key in ("underlays", "overlays")
        for shape in pictures[key]
        if (centre := _point(shape.get("center"))) is not None
    ]
    used: list[Picture] = []
    for centre, shape in shapes:
        used += _guess_quadruple(draft, centre, shape, shapes)
    clues = [clue for pattern, clue in _CLUES.items() if re.search(pattern, words)]
    for centre, shape in shapes:
        used += _guess_diagonal(draft, centre, shape, pictures["arrows"])
        if len(clues) == 1 and shape not in used:
            used += _guess_outside(draft, centre, shape, *clues[0])
    used += [shape for centre, shape in shapes if _guess_mark(draft, centre, shape)]
    for arrow in pictures["arrows"]:
        used += _guess_arrow(draft, arrow, shapes)
    for line in pictures["lines"]:
        used += _guess_line(draft, line, shapes, words)
    ids = {id(picture) for picture in used}
    return {
        key: [entry for entry in entries if id(entry) not in ids]
        for key, entries in pictures.items()
    }


def _point(entry: object) -> Point | None:
    """Return a row and a column, with fractions; None if it is not a place near a grid."""
    if not isinstance(entry, list) or len(entry) != 2:
        return None
    if not all(isinstance(part, int | float) and abs(part) < _MOST_STEPS for part in entry):
        return None
    return float(entry[0]), float(entry[1])


def _points(line: Picture) -> list[Point | None]:
    """Return the points of a line or an arrow; None for what is not a place."""
    entries = line.get("wayPoints")
    return [*map(_point, entries)] if isinstance(entries, list) else []


def _apart(a: Point, b: Point) -> float:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def _cell(draft: Draft, point: Point) -> int | None:
    """Return the cell whose centre is near a place."""
    row, column = int(point[0] // 1), int(point[1] // 1)
    near = _apart(point, (row + 0.5, column + 0.5)) < 0.3
    return row * draft.columns + column if near and draft.inside(row, column) else None


def _path(draft: Draft, points: Iterable[Point | None]) -> Cells:
    """Return the cells on a line through some points, in order."""
    cells: list[int] = []
    for start, end in pairwise(filter(None, points)):
        steps = round(_apart(start, end))
        for step in range(steps + 1):
            share = step / max(steps, 1)
            row, column = (a + (b - a) * share for a, b in zip(start, end, strict=True))
            cell = _cell(draft, (row, column))
            if cell is not None and cells[-1:] != [cell]:
                cells.append(cell)
    return tuple(cells)


def _width(shape: Picture) -> float:
    return number(shape.get("width"))


def _colour(colour: object) -> tuple[int, int, int] | None:
    match = re.fullmatch(r"#?([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})(?:..)?", str(colour))
    return (int(match[1], 16), int(match[2], 16), int(match[3], 16)) if match else None


def _is_grey(name: object) -> bool:
    colour = _colour(name)
    return colour is not None and max(colour) - min(colour) < 24 and 80 < colour[0] < 240


def _guess_mark(draft: Draft, centre: Point, shape: Picture) -> bool:
    """Guess a dot, a letter or a sign between two cells."""
    pair = _pair(draft, centre)
    if pair is None:
        return False
    text = str(shape.get("text") or "").strip()
    colour = _colour(shape.get("backgroundColor"))
    is_dot = not text and shape.get("rounded") and 0 < _width(shape) < _SMALL
    rule: rules.PairRule
    if (total := _LETTERS.get(text.upper() if text != "v" else "")) is not None:
        meaning = f"the letter {text.upper()} between two cells: they sum to {total}"
        rule = rules.PairSum((pair,), total)
    elif text in _SIGNS:
        meaning = "a sign between two cells: one is greater"
        rule = rules.Greater((pair if _SIGNS[text] else pair[::-1],))
    elif is_dot and colour and min(colour) > 230:
        meaning = "a white dot between two cells: they differ by 1"
        rule = rules.DiffersBy((pair,), 1)
    elif is_dot and colour and max(colour) < 40:
        meaning = "a black dot between two cells: one is twice the other"
        rule = rules.Ratio((pair,), 2)
    else:
        return False
    draft.report.guess(meaning)
    draft.add(rule)
    return True


def _pair(draft: Draft, point: Point) -> Pair | None:
    """Return the two cells between which a place is."""
    row, column = point
    if abs(row - round(row)) < 0.1 and abs(column % 1 - 0.5) < 0.1:
        cells = [(round(row) - 1, int(column)), (round(row), int(column))]
    elif abs(column - round(column)) < 0.1 and abs(row % 1 - 0.5) < 0.1:
        cells = [(int(row), round(column) - 1), (int(row), round(column))]
    else:
        return None
    if not all(draft.inside(*cell) for cell in cells):
        return None
    first, second = (row * draft.columns + column for row, column in cells)
    return first, second


def _circles(shapes: Sequence[Placed]) -> Iterator[Placed]:
    """Yield the discs of the size of a circle, with their centres."""
    for centre, disc in shapes:
        if disc.get("rounded") and _SMALL <= _width(disc) <= _LARGE:
            yield centre, disc


def _guess_arrow(draft: Draft, arrow: Picture, shapes: Sequence[Placed]) -> Iterator[Picture]:
    """Guess an arrow that begins in a circle or at its edge; yield the pictures used."""
    start, *others = _points(arrow) or [None]
    for centre, disc in _circles(shapes) if start else ():
        if start and _apart(centre, start) <= _width(disc) / 2:
            cells = _path(draft, [centre, *others])
            if len(cells) > 1:
                draft.report.guess(
                    "an arrow from a circle: the cells along it sum to that in the circle"
                )
                draft.add(*meanings.arrow(cells[:1], cells[1:], draft))
                yield from (arrow, disc)
            return


def _guess_line(
    draft: Draft, line: Picture, shapes: Sequence[Placed], words: str
) -> Iterator[Picture]:
    """Guess a thermometer, or the only kind of line in the words; yield the pictures used."""
    cells = _path(draft, _points(line))
    if len(cells) < 2:
        return
    circle_in = {_cell(draft, centre): disc for centre, disc in [*_circles(shapes)][::-1]}
    ends = [circle_in.get(cell) for cell in (cells[0], cells[-1])]
    bulbs = [disc if disc and _is_grey(disc.get("backgroundColor")) else None for disc in ends]
    if _is_grey(line.get("color")) and any(bulbs):
        draft.report.guess("a grey line from a grey disc: a thermometer")
        draft.add(rules.Thermo(cells if bulbs[0] else cells[::-1]))
        yield line
        yield from (disc for disc in bulbs if disc)
        return
    lines = [line_of_word for word, line_of_word in _WORDS.items() if word in words]
    if len({name for name, _ in lines}) != 1 or "thermo" in words:
        return
    name, meaning = lines[0]
    draft.report.guess(f"a line: the rules in words name one kind, {name}")
    draft.add(*meaning(draft, cells))
    yield line


def _guess_quadruple(
    draft: Draft, centre: Point, circle: Picture, shapes: Sequence[Placed]
) -> Iterator[Picture]:
    """Guess digits in or on a circle between four cells; yield the pictures used."""
    corner = round(centre[0]), round(centre[1])
    inside = 0 < corner[0] < draft.rows and 0 < corner[1] < draft.columns
    is_circle = circle.get("rounded") and _width(circle) >= _CIRCLE
    if not (inside and is_circle and _apart(centre, corner) < 0.1):
        return
    parts = [circle] if _digits(circle) else []
    parts += [
        shape
        for point, shape in shapes
        if shape is not circle and _apart(point, corner) < _NEAR and _digits(shape)
    ]
    digits = [int(digit) for shape in parts for digit in _digits(shape)]
    if not 1 <= len(digits) <= _MOST_DIGITS or not {*digits} <= {*draft.values}:
        return
    draft.report.guess("digits in a circle between four cells: these cells hold them")
    cells = draft.square(corner[0] - 1, corner[1] - 1, 2, 2)
    draft.add(rules.Contains(cells, tuple(sorted(digits))))
    yield from parts if circle in parts else [*parts, circle]


def _digits(shape: Picture) -> str:
    """Return the text of a picture if it has nothing but digits."""
    text = "".join(str(shape.get("text") or "").split())
    return text if text.isascii() and text.isdecimal() else ""


def _number_beside(draft: Draft, point: Point, text: Picture) -> tuple[int, int, int] | None:
    """Return a number right outside the grid, with its row and column; None if it is not one."""
    row, column = int(point[0] // 1), int(point[1] // 1)
    if not (-1 <= row <= draft.rows and -1 <= column <= draft.columns) or draft.inside(row, column):
        return None
    is_near = _apart(point, (row + 0.5, column + 0.5)) < _NEAR
    clue = whole_number(_digits(text)) if is_near else None
    return None if clue is None else (clue, row, column)


def _guess_diagonal(
    draft: Draft, point: Point, text: Picture, arrows: Sequence[Picture]
) -> Iterator[Picture]:
    """Guess a number with a short slanting arrow: a little killer; yield the pictures used."""
    clue = _number_beside(draft, point, text)
    if clue is None:
        return
    total, row, column = clue
    for arrow in arrows:
        ends = _points(arrow)
        if len(ends) != 2 or ends[0] is None or ends[1] is None or _apart(ends[0], point) >= 0.8:
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
    draft: Draft, point: Point, text: Picture, name: str, meaning: Clue
) -> Iterator[Picture]:
    """Take a number outside for the only kind of clue in the words; yield the picture if so."""
    clue = _number_beside(draft, point, text)
    line = draft.seen_from(*clue[1:]) if clue else ()
    if clue and line:
        draft.report.guess(f"a number outside the grid: the rules in words name one kind, {name}")
        draft.add(meaning(line, clue[0]))
        yield text
