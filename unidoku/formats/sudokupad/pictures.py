"""The pictures of rules in SudokuPad: what its own reader of f-puzzles draws, and lines of today.

The colours are those of the plug-ins of f-puzzles. A rule that `Looks` has no picture for is not
drawn; a new kind of rule with a picture needs a row in `PICTURES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from unidoku.core import rules
from unidoku.core.layout import Layout
from unidoku.core.rules import Rule
from unidoku.formats.grid_parts import GridParts
from unidoku.formats.looks import (
    BROWN,
    CLUES,
    DOUBLERS,
    GOLD,
    GREY,
    INDEX,
    LIME,
    LINES,
    PURPLE,
    SLOW,
    Looks,
    centre_of,
    path_of_pairs,
)

Point: TypeAlias = Sequence[float]
"""A row and a column, with fractions; the centre of the first cell is 0.5 and 0.5."""

_WHITE, _BLACK = "#FFFFFF", "#000000"
_RIM = "#A1A1A1"
_DIAGONAL = "#34BBE6"
_RING = 0.83
"""The size of an arrow's circle."""

_SUMS = "#2B6CB0"
"""The colour of cages whose digits may repeat."""

PARTS = ("lines", "arrows", "overlays", "underlays", "cages")
"""The keys of the pictures."""


class Pictures:
    """Pictures of SudokuPad.

    Attributes:
        parts: the pictures, by the keys of SudokuPad.
    """

    def __init__(self) -> None:
        """Start without pictures."""
        self.parts: dict[str, list[dict[str, Any]]] = {key: [] for key in PARTS}

    def add(self, key: str, **entry: Any) -> None:
        """Add a picture, once."""
        if entry not in self.parts[key]:
            self.parts[key].append(entry)


class Canvas(Pictures):
    """The pictures of the rules of a puzzle."""

    def __init__(self, layout: Layout, looks: Looks) -> None:
        """Start without pictures."""
        super().__init__()
        self.layout = layout
        self.looks = looks

    def places(self, cells: Sequence[int]) -> list[list[int]]:
        """Return the rows and columns of cells."""
        return [[*self.layout.positions[cell]] for cell in cells]

    def centres(self, cells: Sequence[int]) -> list[Point]:
        """Return the centres of cells."""
        return [[row + 0.5, column + 0.5] for row, column in self.places(cells)]

    def line(self, cells: Sequence[int], color: str, thickness: float = 10) -> None:
        """Draw a line through cells."""
        self.add("lines", wayPoints=self.centres(cells), color=color, thickness=thickness)

    def shape(self, key: str, centre: Point, width: float, **looks: Any) -> None:
        """Draw a disc, or a square with other looks, in a place."""
        size = {"width": width, "height": width}
        self.add(key, center=[*centre], **size, **{"rounded": True, **looks})

    def tint(self, cells: Iterable[int], color: str, width: float = 1, **looks: Any) -> None:
        """Fill cells, or squares or discs in them."""
        plain = {"backgroundColor": color, "borderColor": color, "rounded": False}
        for centre in self.centres([*cells]):
            self.shape("underlays", centre, width, **plain | looks)

    def text(self, centre: Point, text: object, size: int = 20, **looks: Any) -> None:
        """Write a text on white ground."""
        ground = {"backgroundColor": _WHITE, "borderColor": _WHITE, "rounded": False}
        self.shape("overlays", centre, 0.25, text=str(text), fontSize=size, **ground | looks)

    def label(self, cell: int, text: object) -> None:
        """Write a small text into the upper left corner of a cell."""
        row, column = self.layout.positions[cell]
        self.text([row + 0.18, column + 0.2], text, 12)

    def cage(self, cells: Sequence[int], *, unique: bool, label: object = "", **looks: Any) -> None:
        """Draw a dashed cage."""
        value = {"value": str(label)} if label != "" else {}
        self.add("cages", cells=self.places(cells), unique=unique, **value, **looks)

    def units(self, parts: GridParts) -> None:
        """Draw the diagonals of the grid, and shade extra regions."""
        rows, columns = self.layout.rows, self.layout.columns
        falling, rising = [[0, 0], [rows, columns]], [[0, columns], [rows, 0]]
        for is_unit, ends in ((parts.falling, falling), (parts.rising, rising)):
            if is_unit:
                self.add("lines", wayPoints=ends, color=_DIAGONAL, thickness=2)
        for cells in parts.units:
            if cells[-1] < len(self.layout) and len(cells) > 1:
                self.cage(cells, unique=True, style="extraregion")


Draw: TypeAlias = Callable[[Canvas, Any], None]
"""Draws a rule of one kind."""


def _slow_thermo(canvas: Canvas, rule: rules.SlowThermo) -> None:
    outer, inner = SLOW
    _tube(canvas, rule.line, outer, 21, 0.85)
    _tube(canvas, rule.line, inner, 8, 0.56)


def _tube(canvas: Canvas, line: Sequence[int], color: str, thickness: int, bulb: float) -> None:
    canvas.line(line, color, thickness)
    (centre,) = canvas.centres(line[:1])
    canvas.shape("underlays", centre, bulb, **_filled(color))


def _filled(color: str) -> dict[str, str]:
    """Return the looks of a shape that is filled as its colour says."""
    return {"backgroundColor": solid(color), "borderColor": solid(color)}


def solid(color: str) -> str:
    """Return a colour that SudokuPad fills as it is: it halves those without an alpha channel."""
    return color if color in OPAQUE or len(color) > len("#rrggbb") else f"{color}FF"


OPAQUE = ("#000000", "#CFCFCF", "#FFFFFF")
"""The colours without an alpha channel that SudokuPad does not halve, in these letters only."""


def _arrow(canvas: Canvas, rule: rules.Arrow) -> None:
    start, second, *others = canvas.centres((*rule.circle[-1:], *rule.shaft))
    edge = _nearer(start, second, 0.4)
    canvas.add("arrows", wayPoints=[edge, second, *others], color=_RIM, thickness=5, headLength=0.3)
    places = canvas.places(rule.circle)
    (top, left), (bottom, right) = (
        [choose(position[axis] for position in places) for axis in (0, 1)] for choose in (min, max)
    )
    looks = {"backgroundColor": _WHITE, "borderColor": _RIM, "borderSize": 5, "rounded": True}
    if top == bottom or left == right:
        centre = [(top + bottom + 1) / 2, (left + right + 1) / 2]
        size = {"width": right - left + _RING, "height": bottom - top + _RING}
        canvas.add("overlays", center=centre, **size, **looks)
    else:  # a pill with a corner
        canvas.line(rule.circle, _RIM, 45)
        canvas.line(rule.circle, _WHITE, 35)


def _nearer(start: Point, other: Point, distance: float) -> Point:
    """Return a place so far from the first towards the other, along each axis."""
    steps = [(b > a) - (b < a) for a, b in zip(start, other, strict=True)]
    share = distance / (1.41 if all(steps) else 1)
    return [round(a + share * step, 2) for a, step in zip(start, steps, strict=True)]


def _whispers(canvas: Canvas, rule: rules.Whispers) -> None:
    colour = canvas.looks.whisper(rule)
    canvas.line(rule.line, colour.code if colour else LIME)
    if colour is None:
        canvas.label(rule.line[0], f"≥{rule.least}")


def _coloured(color: str, thickness: float = 10) -> Draw:
    return lambda canvas, rule: canvas.line(rule.line, color, thickness)


def _sum_line(canvas: Canvas, rule: rules.SumLine) -> None:
    canvas.line((*rule.line, *rule.line[: rule.loop]), GOLD)
    _total(canvas, rule, "total")


def _total(canvas: Canvas, rule: Any, field: str) -> None:
    """Write the number of a line at its start, if lines of its kind have different numbers."""
    if canvas.looks.is_numbered(rule, field):
        canvas.label(rule.line[0], getattr(rule, field))


def _lockout(canvas: Canvas, rule: rules.Lockout) -> None:
    _ended(canvas, rule.line, 0.56, rounded=False, angle=45, borderColor="#6A5ACD")
    _total(canvas, rule, "least")


def _ended(canvas: Canvas, line: Sequence[int], size: float, **looks: Any) -> None:
    """Draw a thin line between the shapes at its ends."""
    points = canvas.centres(line)
    start, end = points[0], points[-1]
    if len(points) > 1:
        start, end = _nearer(start, points[1], 0.4), _nearer(end, points[-2], 0.4)
    canvas.add("lines", wayPoints=[start, *points[1:-1], end], color=_RIM, thickness=3)
    for end in (points[0], points[-1]):
        canvas.shape("overlays", end, size, backgroundColor=_WHITE, **looks, borderSize=2)


def _line(canvas: Canvas, rule: Any) -> None:
    canvas.line(rule.line, LINES[type(rule)].code)


def _modular(canvas: Canvas, rule: rules.Modular) -> None:
    _line(canvas, rule)
    _total(canvas, rule, "modulus")


def _product_line(canvas: Canvas, rule: rules.ProductLine) -> None:
    _line(canvas, rule)
    canvas.label(rule.line[0], f"{rule.total}×")


def _double_arrow(canvas: Canvas, rule: rules.DoubleArrow | rules.AmbiguousArrow) -> None:
    _line(canvas, rule)
    for end in canvas.centres((rule.line[0], rule.line[-1])):
        looks = {"backgroundColor": _WHITE, "borderColor": LINES[type(rule)].code}
        canvas.shape("overlays", end, 0.8, borderSize=4, **looks)


def _own(canvas: Canvas, rule: rules.Line | rules.Pairs) -> None:
    """Draw a line of a setter's own, with a dot where it begins."""
    color = canvas.looks.own_colours[rule].code
    cells = rule.line if isinstance(rule, rules.Line) else path_of_pairs(rule.pairs)
    canvas.line(cells, color, 8)
    start = canvas.centres(cells[:1])[0]
    canvas.shape("underlays", start, 0.3, **_filled(color))


def _lunchbox(canvas: Canvas, rule: rules.Lunchbox) -> None:
    canvas.line(rule.line, BROWN)
    canvas.label(rule.line[0], rule.total)


def _killer(canvas: Canvas, rule: rules.Killer) -> None:
    total = {} if rule.total is None else {"label": rule.total, "sum": rule.total}
    canvas.cage(rule.cage, unique=True, **total)


def _totals(canvas: Canvas, rule: rules.AnyOf) -> None:
    cages = canvas.looks.totals(rule)
    assert cages, "it has a picture"
    canvas.cage(cages[0].cage, unique=True, label="/".join(str(cage.total) for cage in cages))


def _sum(canvas: Canvas, rule: rules.SumOfCells) -> None:
    step = canvas.looks.diagonals.get(rule)
    if step is None:
        looks = {"outlineC": _SUMS, "sum": rule.total}
        canvas.cage(rule.summed, unique=False, label=rule.total, **looks)
        return
    first = canvas.centres(rule.summed[:1])[0]
    row, column = first[0] - step[0], first[1] - step[1]
    ends = [[row + far * step[0], column + far * step[1]] for far in (0.3, 0.48)]
    canvas.add("arrows", wayPoints=ends, color=_BLACK, thickness=2)
    canvas.text((row, column), rule.total, 28)


def _clue(canvas: Canvas, rule: Any) -> None:
    """Write a number outside the grid, where its line begins."""
    (first,) = canvas.centres(rule.line[:1])
    side, _ = canvas.looks.clues[rule]
    step = {"left": (0, 1), "right": (0, -1), "top": (1, 0), "bottom": (-1, 0)}[side]
    outside = [first[0] - step[0], first[1] - step[1]]
    canvas.text(outside, getattr(rule, CLUES[type(rule)]), 28)


def _labelled(text: str, field: str | None, *, unique: bool) -> Draw:
    """Return the drawing of a cage with a text, in which a star stands for its number."""

    def draw(canvas: Canvas, rule: Any) -> None:
        number = "" if field is None else str(getattr(rule, field))
        canvas.cage(rule.cage, unique=unique, label=text.replace("*", number))

    return draw


def _kenken(canvas: Canvas, rule: rules.KenKen) -> None:
    sign = {"*": "×", "/": "÷", "-": "−"}.get(rule.by, rule.by)
    canvas.cage(rule.cage, unique=False, label=f"{rule.total}{sign if len(rule.cage) > 1 else ''}")


def _dots(color: str, field: str, usual: int) -> Draw:
    def draw(canvas: Canvas, rule: Any) -> None:
        number = getattr(rule, field)
        ink = _WHITE if color == _BLACK else _BLACK
        label = {} if number == usual else {"text": str(number), "color": ink, "fontSize": 14}
        for pair in rule.pairs:
            looks = {"backgroundColor": color, "borderColor": _BLACK, **label}
            canvas.shape("overlays", centre_of(canvas.layout, pair), 0.3, **looks)

    return draw


def _letters(canvas: Canvas, rule: rules.PairSum) -> None:
    for pair in rule.pairs:
        text = {10: "X", 5: "V"}.get(rule.total, str(rule.total))
        canvas.text(centre_of(canvas.layout, pair), text, 21)


def _signs(canvas: Canvas, rule: rules.Greater) -> None:
    for greater, less in rule.pairs:
        (row, column), (below, right) = (canvas.layout.positions[cell] for cell in (greater, less))
        sign = (">" if column < right else "<") if row == below else ("∨" if row < below else "∧")
        canvas.text(centre_of(canvas.layout, (greater, less)), sign, 20)


def _quadruple(canvas: Canvas, rule: rules.Contains) -> None:
    values = [*map(str, rule.wanted)]
    half = min(len(values), 2)
    text = "\n".join(" ".join(line) for line in (values[:half], values[half:]) if line)
    looks = {"backgroundColor": _WHITE, "borderColor": _BLACK, "text": text, "fontSize": 14}
    canvas.shape("overlays", centre_of(canvas.layout, rule.held), 0.7, **looks)


def _extremes(canvas: Canvas, rule: rules.Minimum | rules.Maximum) -> None:
    """Draw a grey cell, with an arrow at each side that points to the smaller value."""
    out = isinstance(rule, rules.Maximum)
    canvas.tint(rule.held, GREY.code)
    for cell, other in rule.compared:
        (row, column), (below, right) = canvas.places((cell, other))
        step = (below - row, right - column)
        ways = {(-1, 0): "∧", (1, 0): "∨", (0, -1): "<", (0, 1): ">"}
        sign = ways[step if out else (-step[0], -step[1])]
        position = [row + 0.5 + 0.42 * step[0], column + 0.5 + 0.42 * step[1]]
        looks = {"backgroundColor": GREY.code, "borderColor": GREY.code}
        canvas.text(position, sign, 12, **looks)


def _clone(canvas: Canvas, rule: rules.Clone) -> None:
    canvas.tint(dict.fromkeys((*rule.held, *rule.other)), solid(canvas.looks.shades[rule].code))


def _doubler(canvas: Canvas, rule: rules.Doubler) -> None:
    """Tint the doublers that are known, and write their factor into a corner."""
    canvas.tint(rule.at, solid(DOUBLERS.code))
    for row, column in canvas.places(rule.at):
        canvas.text([row + 0.82, column + 0.8], f"×{rule.factor}", 12, **_filled(DOUBLERS.code))


PICTURES: Mapping[type[Rule], Draw] = {
    rules.Thermo: lambda canvas, rule: _tube(canvas, rule.line, GREY.code, 21, 0.85),
    rules.SlowThermo: _slow_thermo,
    rules.Arrow: _arrow,
    rules.Whispers: _whispers,
    rules.Renban: _coloured(PURPLE),
    rules.Palindrome: _coloured(GREY.code, 16),
    rules.SumLine: _sum_line,
    rules.Between: lambda canvas, rule: _ended(canvas, rule.line, 0.8, borderColor=_RIM),
    rules.Lockout: _lockout,
    **dict.fromkeys(LINES, _line),
    rules.Modular: _modular,
    rules.ProductLine: _product_line,
    rules.DoubleArrow: _double_arrow,
    rules.AmbiguousArrow: lambda canvas, rule: (_double_arrow if rule.ends else _line)(
        canvas, rule
    ),
    rules.Line: _own,
    rules.Pairs: _own,
    rules.Lunchbox: _lunchbox,
    rules.Killer: _killer,
    rules.AnyOf: _totals,
    rules.SumOfCells: _sum,
    rules.Product: _labelled("*×", "total", unique=False),
    rules.KenKen: _kenken,
    rules.Rellik: _labelled("≠*", "total", unique=True),
    rules.EqualityCage: _labelled("=", None, unique=True),
    rules.DiffersBy: _dots(_WHITE, "by", 1),
    rules.Ratio: _dots(_BLACK, "times", 2),
    rules.PairSum: _letters,
    rules.Greater: _signs,
    rules.Contains: _quadruple,
    rules.Holds: lambda canvas, rule: None,  # the values of a cell are small digits in it
    rules.Odd: lambda canvas, rule: canvas.tint(rule.held, GREY.code, 0.7, rounded=True),
    rules.Even: lambda canvas, rule: canvas.tint(rule.held, GREY.code, 0.7),
    rules.Minimum: _extremes,
    rules.Maximum: _extremes,
    rules.Index: lambda canvas, rule: canvas.tint(rule.held, INDEX[rule.of].code),
    rules.Clone: _clone,
    rules.Doubler: _doubler,
    rules.CountingCircles: lambda canvas, rule: canvas.tint(
        rule.circles, _WHITE, 0.8, borderColor=_BLACK, rounded=True
    ),
    **dict.fromkeys(CLUES, _clue),
}
"""The drawing of each kind."""
