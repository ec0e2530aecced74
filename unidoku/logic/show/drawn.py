"""The part of a state and a step that is drawn: hidden cells have no place in a picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from unidoku.core.bits import all_values, value_of
from unidoku.core.caching import layout_cache
from unidoku.core.layout import Layout, copied
from unidoku.logic import Candidate, State, Step


@layout_cache(maxsize=16)
def drawn_layout(layout: Layout) -> Layout:
    """Return an expanded layout with its hidden cells hidden again, or a layout without any."""
    count = len(layout) - layout.drawn
    if not count:
        return layout
    hidden = (all_values(layout.n),) * count
    return copied(layout, Layout, positions=layout.positions[: layout.drawn], hidden=hidden)


def drawn_step(step: Step) -> Step:
    """Return a step with what is about drawn cells; rules about regions have the cells of these."""
    layout = step.layout
    if layout.drawn == len(layout):
        return step

    def among(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
        return tuple(candidate for candidate in candidates if candidate[0] < layout.drawn)

    return replace(
        step,
        layout=drawn_layout(layout),
        placements=among(step.placements),
        eliminations=among(step.eliminations),
        pattern=among(step.pattern),
        fins=among(step.fins),
        links=tuple(link for link in step.links if max(link.start, link.end)[0] < layout.drawn),
        units=tuple(unit for unit in step.units if unit.cells[-1] < layout.drawn),
        covers=tuple(unit for unit in step.covers if unit.cells[-1] < layout.drawn),
        rules=tuple(
            replace(rule, cells=tuple(sorted(_drawn_cells(layout, rule.cells))))
            for rule in step.rules
        ),
    )


def described_cells(layout: Layout, candidates: Iterable[Candidate]) -> list[int]:
    """Return the drawn cells of which hidden ones say something, such as their region."""
    hidden = layout.hidden_cells
    described = (hidden[cell].cell for cell, _ in candidates if cell in hidden)
    return sorted({cell for cell in described if cell is not None})


def known_regions(state: State) -> dict[int, int]:
    """Return the number of the region of each cell where it is known, among regions to be found."""
    possible = _possible_regions(state)
    return {cell: number for cell, mask in possible.items() if (number := value_of(mask))}


def _possible_regions(state: State) -> dict[int, int]:
    """Return the set of regions that each cell may be in, among regions to be found."""
    return {
        meaning.cell: state.candidates[cell]
        for cell, meaning in state.layout.hidden_cells.items()
        if meaning.cell is not None
    }


def apart(state: State) -> Iterator[tuple[int, int]]:
    """Yield pairs of neighbours that are in different regions, among regions to be found."""
    layout = state.layout
    region = _possible_regions(state)
    for cell in region:
        row, column = layout.positions[cell]
        for near in ((row, column + 1), (row + 1, column)):
            other = layout.cell_at.get(near)
            if other in region and not region[cell] & region[other]:
                yield cell, other


def _drawn_cells(layout: Layout, cells: Iterable[int]) -> Iterator[int]:
    for cell in cells:
        meaning = layout.hidden_cells.get(cell)
        if cell < layout.drawn:
            yield cell
        elif meaning is not None and meaning.cell is not None:
            yield meaning.cell
