"""Guesses the meaning of SudokuPad's pictures by shape, by colour, and by the rules in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from unidoku.core import rules
from unidoku.core.constraints.primitives import Pair
from unidoku.formats import meanings
from unidoku.formats.draft import Draft
from unidoku.formats.sudokupad.guess_clues import guess_clues, place_of

Picture: TypeAlias = Mapping[str, Any]
Pictures: TypeAlias = Mapping[str, Sequence[Picture]]
Place: TypeAlias = tuple[float, float]

_WORDS: Mapping[str, tuple[str, Callable[[Draft, tuple[int, ...]], Iterable[rules.Rule]]]]
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

_SMALL, _LARGE = 0.5, 0.95
"""Upper bounds on the widths of dots and of circles."""

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
    discs = [picture for key in ("underlays", "overlays") for picture in pictures[key]]
    left = {key: [*entries] for key, entries in pictures.items()}
    used = guess_clues(draft, pictures, words)
    used += [disc for disc in discs if _guess_mark(draft, disc)]
    for arrow in pictures["arrows"]:
        used += _guess_arrow(draft, arrow, discs)
    lines = pictures["lines"]
    for line in lines:
        used += _guess_line(draft, line, discs, words)
    ids = {id(guessed) for guessed in used}
    return {
        key: [entry for entry in entries if id(entry) not in ids] for key, entries in left.items()
    }


def _cell(draft: Draft, point: Place | None) -> int | None:
    """Return the cell whose centre is near a place."""
    if point is None:
        return None
    row, column = int(point[0] // 1), int(point[1] // 1)
    near = abs(point[0] - row - 0.5) < 0.3 and abs(point[1] - column - 0.5) < 0.3
    return row * draft.columns + column if near and draft.inside(row, column) else None


def _path(draft: Draft, points: object) -> tuple[int, ...]:
    """Return the cells on a line through some points, in order."""
    places = [place_of(point) for point in points] if isinstance(points, list) else []
    cells: list[int] = []
    for start, other in pairwise(filter(None, places)):
        steps = round(max(abs(other[0] - start[0]), abs(other[1] - start[1])))
        for at in range(steps + 1):
            share = at / max(steps, 1)
            here = (
                start[0] + (other[0] - start[0]) * share,
                start[1] + (other[1] - start[1]) * share,
            )
            cell = _cell(draft, here)
            if cell is not None and cells[-1:] != [cell]:
                cells.append(cell)
    return tuple(cells)


def _width(picture: Picture) -> float:
    width = picture.get("width")
    return float(width) if isinstance(width, int | float) else 0.0


def _colour(colour: object) -> tuple[int, int, int] | None:
    match = re.fullmatch(r"#?([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})(?:..)?", str(colour))
    return (int(match[1], 16), int(match[2], 16), int(match[3], 16)) if match else None


def _is_grey(name: object) -> bool:
    colour = _colour(name)
    return colour is not None and max(colour) - min(colour) < 24 and 80 < colour[0] < 240


def _guess_mark(draft: Draft, picture: Picture) -> bool:
    """Guess a dot, a letter or a sign between two cells."""
    centre = place_of(picture.get("center"))
    if centre is None:
        return False
    pair = _pair(draft, centre)
    if pair is None:
        return False
    text = str(picture.get("text") or "").strip()
    if (total := _LETTERS.get(text.upper() if text != "v" else "")) is not None:
        draft.report.guess(f"the letter {text.upper()} between two cells: they sum to {total}")
        draft.add(rules.PairSum((pair,), total))
        return True
    if text in _SIGNS:
        draft.report.guess("a sign between two cells: one is greater")
        draft.add(rules.Greater((pair if _SIGNS[text] else pair[::-1],)))
        return True
    colour = _colour(picture.get("backgroundColor"))
    if text or not picture.get("rounded") or not 0 < _width(picture) < _SMALL or colour is None:
        return False
    if min(colour) > 230:
        draft.report.guess("a white dot between two cells: they differ by 1")
        draft.add(rules.DiffersBy((pair,), 1))
        return True
    if max(colour) < 40:
        draft.report.guess("a black dot between two cells: one is twice the other")
        draft.add(rules.Ratio((pair,), 2))
        return True
    return False


def _pair(draft: Draft, point: Place) -> Pair | None:
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


def _circles(discs: Sequence[Picture]) -> Iterator[tuple[Picture, Place]]:
    """Yield the discs of the size of a circle, with their centres."""
    for disc in discs:
        centre = place_of(disc.get("center"))
        if centre and disc.get("rounded") and _SMALL <= _width(disc) <= _LARGE:
            yield disc, centre


def _circle_in(draft: Draft, cell: int, discs: Sequence[Picture]) -> Picture | None:
    """Return the circle in a cell, if there is one."""
    circles = (disc for disc, centre in _circles(discs) if _cell(draft, centre) == cell)
    return next(circles, None)


def _circle_near(point: Place, discs: Sequence[Picture]) -> Picture | None:
    """Return the circle that is near a place."""
    for disc, centre in _circles(discs):
        if max(abs(centre[0] - point[0]), abs(centre[1] - point[1])) <= _width(disc) / 2:
            return disc
    return None


def _guess_arrow(draft: Draft, arrow: Picture, discs: Sequence[Picture]) -> Iterator[Picture]:
    """Guess an arrow that begins in a circle; yield the pictures used."""
    points = arrow.get("wayPoints")
    start = place_of(points[0]) if isinstance(points, list) and points else None
    disc = _circle_near(start, discs) if start else None
    if disc is None or not isinstance(points, list):
        return
    # Arrows often begin at the edge of their circle.
    cells = _path(draft, [disc["center"], *points[1:]])
    if len(cells) > 1:
        draft.report.guess("an arrow from a circle: the cells along it sum to that in the circle")
        draft.add(*meanings.arrow(cells[:1], cells[1:], draft))
        yield from (arrow, disc)


def _guess_line(
    draft: Draft, line: Picture, discs: Sequence[Picture], words: str
) -> Iterator[Picture]:
    """Guess a thermometer, or the only kind of line in the words; yield the pictures used."""
    cells = _path(draft, line.get("wayPoints"))
    if len(cells) < 2:
        return
    ends = [_circle_in(draft, cell, discs) for cell in (cells[0], cells[-1])]
    bulbs = [disc if disc and _is_grey(disc.get("backgroundColor")) else None for disc in ends]
    if _is_grey(line.get("color")) and any(bulbs):
        draft.report.guess("a grey line from a grey disc: a thermometer")
        draft.add(rules.Thermo(cells if bulbs[0] else cells[::-1]))
        yield line
        yield from (disc for disc in bulbs if disc)
        return
    named = dict.fromkeys(kind for word, (kind, _) in _WORDS.items() if word in words)
    if len(named) != 1 or "thermo" in words:
        return
    kind, meaning = next(meaning for word, meaning in _WORDS.items() if word in words)
    draft.report.guess(f"a line: the rules in words name one kind, {kind}")
    draft.add(*meaning(draft, cells))
    yield line
