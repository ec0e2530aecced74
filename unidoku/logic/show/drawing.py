"""A state and a step as SVG: placed values, candidates, and the changes of the step.

A picture consists of independent parts, so that a page can keep common parts and exchange the parts
of one step.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from unidoku.core.bits import values_of
from unidoku.core.layout import Layout
from unidoku.draw.board import LABELS, layout_label, lines, names_at_sides, shaded
from unidoku.draw.outside import surroundings
from unidoku.draw.paint import DARK_STYLE, STEPS, Theme
from unidoku.draw.rules import over as rules_over
from unidoku.draw.rules import under as rules_under
from unidoku.draw.strokes import CELL, MARGIN, corner, number, text
from unidoku.logic import Candidate, State, Step
from unidoku.logic.geometry import cells_of
from unidoku.logic.show import shapes
from unidoku.logic.show.drawn import (
    apart,
    described_cells,
    drawn_layout,
    drawn_step,
    known_regions,
)
from unidoku.logic.show.shapes import VALUE_SIZE, area, candidate_size
from unidoku.support.language import message


def svg(state: State, step: Step | None = None, *, theme: Theme = "auto") -> str:
    """Return a state as one SVG element, which browsers and all other renderers draw.

    Placed values are large, givens bold, candidates small, each in its place. The units of the
    step are tinted, with a solid line around the base and a dashed one around the cover, and so
    are the cells of its rules. The candidates of its pattern are on discs, fins on diamonds;
    eliminated candidates are struck out, placed ones ringed. Strong links are solid lines, weak
    links dashed.

    Args:
        state: state with placed values and candidates.
        step: step to show on the state.
        theme: as in `unidoku.draw.svg`.

    Raises:
        InputError: the theme is unknown.
    """
    style = DARK_STYLE if theme == "auto" else ""
    return STEPS.painted(picture(state, step, style), theme)


def picture(state: State, step: Step | None = None, style: str = "") -> str:
    """Return the SVG element of a state with this style, not painted yet."""
    layout = drawn_layout(state.layout)
    label = board_label(layout)
    given, grid = state.board.givens, state.grid
    placed = [(cell, grid[cell]) for cell in cells_of(state.placed) if not given[cell]]
    parts = [
        style,
        _paper(layout),
        ground(layout),
        under(step) if step else "",
        regions(state),
        net(layout),
        borders(state),
        values(layout, "given", enumerate(given)),
        values(layout, "found", placed),
        marks(state),
        over(step) if step else "",
    ]
    return frame(layout, f"{label}; {step.sentence}" if step else label, parts)


def board_label(layout: Layout) -> str:
    """Return what a picture of a board is called."""
    return message("board, {layout}", layout=layout_label(layout))


def frame(layout: Layout, label: str, parts: Iterable[str]) -> str:
    """Return an SVG element that holds the parts, and the names of rows and columns."""
    room = surroundings(layout).room()
    left, top = -room.left - LABELS, -room.top - LABELS
    width = layout.columns * CELL + 2 * MARGIN + room.right - left
    height = layout.rows * CELL + 2 * MARGIN + room.bottom - top
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{STEPS.name}" role="img" '
            f'aria-label="{escape(label)}" viewBox="{left} {top} {width} {height}" '
            f'width="{width}" height="{height}">',
            *filter(None, parts),
            names_at_sides(layout, room.left, room.top),
            "</svg>",
        ]
    )


def _paper(layout: Layout) -> str:
    room = surroundings(layout).room()
    left, top = -room.left - LABELS, -room.top - LABELS
    return f'<rect class="paper" x="{left}" y="{top}" width="100%" height="100%"/>'


def ground(layout: Layout) -> str:
    """Return the background of the cells as SVG, with those of extra units shaded."""
    shade = shaded(layout)
    cells = f'<path class="ground" d="{area(layout, layout.cells)}"/>'
    return cells + (f'<path class="shade" d="{area(layout, shade)}"/>' if shade else "")


def net(layout: Layout) -> str:
    """Return the lines between cells, with the rules of the layout under and over them."""
    around = surroundings(layout)
    return "".join(
        [
            *around.under(layout),
            *rules_under(layout),
            lines(layout),
            *rules_over(layout, without=around.drawn),
            *around.over(layout),
        ]
    )


def _clues(step: Step) -> list[str]:
    """Return frames around the clues outside the grid of the step's rules."""
    around = surroundings(step.layout)
    boxes = [around.around(step.layout, basis.rule) for basis in step.rules if basis.rule]
    return [
        f'<rect class="rule-line" x="{number(x)}" y="{number(y)}" width="{number(width)}" '
        f'height="{number(height)}" rx="3"/>'
        for x, y, width, height in dict.fromkeys(filter(None, boxes))
    ]


_TINTS = (
    *("twin-green", "twin-blue", "twin-yellow", "twin-pink", "twin-grey"),
    *("index-green", "index-red", "index-blue", "indexing"),
)
"""The looks of the regions to be found, by their numbers."""


def regions(state: State) -> str:
    """Return the cells whose region is known, tinted and numbered, among regions to be found."""
    layout, region_of = state.layout, known_regions(state)
    parts = []
    for region in sorted({*region_of.values()}):
        cells = [cell for cell in region_of if region_of[cell] == region]
        tint = _TINTS[(region - 1) % len(_TINTS)]
        parts.append(f'<path class="{tint}" d="{area(layout, cells)}"/>')
        for cell in cells:
            x, y = corner(layout, cell)
            inset, size = (5.5, 7) if state.placed >> cell & 1 else (4, 6)  # beside candidates
            parts.append(text(x + CELL - inset, y + CELL - inset, size, region, "label"))
    return "".join(parts)


def borders(state: State) -> str:
    """Return the borders that are known of regions to be found."""
    layout = state.layout
    paths = []
    for cell, other in apart(state):
        x, y = corner(layout, other)
        is_beside = layout.positions[cell][0] == layout.positions[other][0]
        paths.append(f"M{x} {y}{'v' if is_beside else 'h'}{CELL}")
    return f'<path class="thick" d="{"".join(paths)}"/>' if paths else ""


def values(layout: Layout, kind: str, cells: Iterable[Candidate]) -> str:
    """Return large values, ``given`` or ``found``; 0 stands for none."""
    texts = []
    for cell, value in cells:
        if value and cell < layout.drawn:
            x, y = corner(layout, cell)
            texts.append(text(x + CELL / 2, y + CELL / 2, VALUE_SIZE, layout.shown[value]))
    return f'<g class="{kind}" font-size="{VALUE_SIZE}">{"".join(texts)}</g>'


def marks(state: State) -> str:
    """Return the candidates of cells that are not placed, by cell and value."""
    layout = state.layout
    size = candidate_size(layout)
    texts = []
    for cell in cells_of(state.empty & (1 << layout.drawn) - 1):
        for value in values_of(state.candidates[cell]):
            x, y, _ = shapes.place(layout, (cell, value))
            texts.append(text(x, y, size, layout.shown[value]))
    return f'<g class="mark" font-size="{size:g}">{"".join(texts)}</g>'


def under(step: Step) -> str:
    """Return the parts of a step that lie under lines and values: tinted units and rules."""
    step = drawn_step(step)
    layout = step.layout
    base = {cell for unit in step.units for cell in unit.cells}
    cover = {cell for unit in step.covers for cell in unit.cells}
    parts = []
    ruled = {cell for rule in step.rules for cell in rule.cells} - base - cover
    for kind, cells in (("base", base), ("cover", cover - base), ("ruled", ruled)):
        if cells:
            parts.append(f'<path class="{kind}" d="{area(layout, cells)}"/>')
    return "".join(parts)


def over(step: Step) -> str:
    """Return the parts of a step that lie over everything else: outlines, candidates and links.

    A cell of which the step says in which region it is, or is not, has a frame.
    """
    in_region = described_cells(step.layout, step.placements)
    not_in_region = described_cells(step.layout, step.eliminations)
    step = drawn_step(step)
    layout = step.layout
    parts = [shapes.outline(layout, unit.cells, "cover-line", 2.4) for unit in step.covers]
    parts += [shapes.outline(layout, unit.cells, "base-line", 1.2) for unit in step.units]
    parts += [shapes.outline(layout, rule.cells, "rule-line", 3.6) for rule in step.rules]
    parts += _clues(step)
    linked = [end for link in step.links for end in (link.start, link.end)]
    resting = dict.fromkeys((*step.pattern, *linked))
    for candidate in resting:
        if candidate not in step.fins and candidate not in step.placements:
            parts.append(shapes.disc(layout, candidate))
    parts += [shapes.diamond(layout, candidate) for candidate in dict.fromkeys(step.fins)]
    for candidate in sorted(set(step.eliminations)):
        marked = candidate in resting or candidate in step.fins
        parts.append(shapes.struck(layout, candidate, marked=marked))
    parts += [shapes.ringed(layout, candidate) for candidate in step.placements]
    parts += [shapes.framed(layout, cell) for cell in in_region]
    parts += [shapes.outline(layout, [cell], "strike", 5.5) for cell in not_in_region]
    for link in dict.fromkeys(step.links):
        parts.append(shapes.link(layout, link.start, link.end, strong=link.strong))
    return "".join(parts)
