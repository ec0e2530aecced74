"""Reductions: smaller versions of boards, each a step towards the smallest.

They work on several boards at once, because the boards of a sequence belong together: a part that
is removed from a layout is removed from all boards that share it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Literal, TypeAlias

from unidoku.core.bits import all_values, bit, values_of
from unidoku.core.board import Board
from unidoku.core.layout import Layout, Position, Unit
from unidoku.core.rules import Rule
from unidoku.errors import InputError

Boards: TypeAlias = tuple[Board, ...]
"""Boards that are searched one after the other; the last one shows the symptom."""

Measure = tuple[int, ...]
"""The size of boards; smaller tuples are smaller boards."""

Given = tuple[int, int]
"""The index of a board in the sequence, and a cell that does not have all candidates."""


def measure(boards: Boards) -> Measure:
    """Return the size of boards, as a tuple.

    It contains the number of boards, then the size n, the givens and marked cells, the cells, the
    units, the number of rules and their size, first values other than 1, the area that contains the
    cells (wide rather than tall), the candidates of marked cells, the sum of the givens, and the
    cells of rules that do not ascend.
    """
    layouts = [board.layout for board in boards]
    return (
        len(boards),
        max(layout.n for layout in layouts),
        len(givens_of(boards)),
        sum(len(layout) + len(layout.hidden) for layout in layouts),
        sum(len(layout.units) for layout in layouts),
        sum(len(layout.rules) for layout in layouts),
        sum(rule.size for layout in layouts for rule in layout.rules),
        sum(layout.first_value != 1 for layout in layouts),
        sum(layout.rows * layout.columns + (layout.columns < layout.rows) for layout in layouts),
        sum(size for board in boards for size in _marks(board)),
        sum(map(sum, (board.givens for board in boards))),
        sum(a > b for each in layouts for rule in each.rules for a, b in pairwise(rule.cells)),
    )


def steps(boards: Boards) -> Iterator[Boards]:
    """Yield the boards with one part removed; if no step makes them smaller, they are 1-minimal.

    The parts are boards of the sequence, givens, units, rules and parts of rules, cells, values,
    gaps between the cells, first values, pencil marks that a given can replace, and givens other
    than 1.
    """
    for index in range(len(boards) - 1):
        yield boards[:index] + boards[index + 1 :]
    givens = givens_of(boards)
    for given in givens:
        yield with_givens(boards, [other for other in givens if other != given])
    for layout in dict.fromkeys(board.layout for board in boards):
        units = {*range(len(layout.units))}
        for unit in sorted(units):
            yield with_parts(boards, layout, "units", units - {unit})
        yield from smaller_rules(boards, layout)
    for step in _layout_steps(boards):
        try:
            yield step()
        except InputError:  # no cell is left, or a unit is too large for its values
            continue
    for index, board in enumerate(boards):
        for cell, mask in enumerate(board.candidates):
            if mask.bit_count() > 1 and mask != all_values(board.layout.n):
                for value in values_of(mask):
                    yield _changed(boards, index, cell, bit(value))
            elif board.givens[cell] > 1:
                yield _changed(boards, index, cell, bit(1))


def _layout_steps(boards: Boards) -> Iterator[Callable[[], Boards]]:
    """Yield functions that remove cells or values, or move the cells together."""
    for group in _groups(boards):
        layout = boards[group[0]].layout
        for cell in range(len(layout) + len(layout.hidden)):
            yield partial(without_cells, boards, group, {cell})
    for value in range(max(board.layout.n for board in boards), 0, -1):
        yield partial(without_value, boards, value)
    yield partial(without_gaps, boards)
    yield partial(_in_one_row, boards)
    yield partial(_from_1, boards)
    for rule in boards[-1].layout.rules:
        yield partial(_ascending, boards, rule)


def givens_of(boards: Boards) -> list[Given]:
    """Return the cells that do not have all candidates."""
    return [
        (index, cell)
        for index, board in enumerate(boards)
        for cell, mask in enumerate(board.candidates)
        if mask != all_values(board.layout.n)
    ]


def with_givens(boards: Boards, givens: Collection[Given]) -> Boards:
    """Return the boards with these givens and marks, and all candidates elsewhere."""
    chosen = frozenset(givens)
    return tuple(
        Board(
            board.layout,
            tuple(
                mask if (index, cell) in chosen else all_values(board.layout.n)
                for cell, mask in enumerate(board.candidates)
            ),
        )
        for index, board in enumerate(boards)
    )


def with_parts(
    boards: Boards, layout: Layout, part: Literal["units", "rules"], indices: Collection[int]
) -> Boards:
    """Return the boards with some units or rules only on one of their layouts, by their indices."""
    parts = getattr(layout, part)
    fewer = [parts[index] for index in sorted(indices)]
    return _on(boards, layout, _layout(layout, **{part: fewer}))


def smaller_rules(boards: Boards, layout: Layout) -> Iterator[Boards]:
    """Yield the boards with a rule of one of their layouts removed, or made smaller."""
    for index, rule in enumerate(layout.rules):
        before, after = layout.rules[:index], layout.rules[index + 1 :]
        yield _on(boards, layout, _layout(layout, rules=(*before, *after)))
        for smaller in rule.smaller():
            try:
                other = _layout(layout, rules=(*before, smaller, *after))
            except InputError:  # the rule does not fit the layout's values
                continue
            yield _on(boards, layout, other)


def without_cells(boards: Boards, group: Collection[int], gone: Collection[int]) -> Boards:
    """Return the boards with cells removed from the boards of a group, given by their indices.

    Raises:
        LayoutError: no cell is left.
    """
    return tuple(
        _without_cells(board, gone) if index in group else board
        for index, board in enumerate(boards)
    )


def without_value(boards: Boards, value: int) -> Boards:
    """Return the boards with one value less.

    Cells that hold it are removed too; so is the last cell without a given of a unit that would be
    too large.

    Raises:
        LayoutError: no value or no cell is left.
    """
    gone: set[int] = set()
    for board in boards:
        gone |= {cell for cell, mask in enumerate(board.candidates) if mask == bit(value)}
    for board in boards:
        layout = board.layout
        for unit in layout.units:
            remaining = [cell for cell in unit.cells if cell not in gone]
            if len(remaining) == layout.n:
                everything = all_values(layout.n)
                masks = (*board.candidates, *layout.hidden)
                full = [cell for cell in remaining if masks[cell] == everything]
                gone.add((full or remaining)[-1])
    low = bit(value) - 1
    fewer = []
    for board in boards:
        smaller = _without_cells(board, gone) if gone else board
        masks, hidden = (
            tuple([mask & low | mask >> 1 & ~low for mask in cells])
            for cells in (smaller.candidates, smaller.layout.hidden)
        )
        fewer.append(Board(_layout(smaller.layout, n=board.layout.n - 1, hidden=hidden), masks))
    return tuple(fewer)


def without_gaps(boards: Boards) -> Boards:
    """Return the boards without the empty rows and columns between their cells."""
    return tuple(_placed(board, _together(board.layout.positions)) for board in boards)


def _in_one_row(boards: Boards) -> Boards:
    return tuple(_placed(board, [(0, cell) for cell in board.layout.cells]) for board in boards)


def _from_1(boards: Boards) -> Boards:
    return tuple(Board(_layout(b.layout, first_value=1), b.candidates) for b in boards)


def _ascending(boards: Boards, rule: Rule) -> Boards:
    """Return boards of one layout with renumbered cells: those of a rule ascend, and come first."""
    layout = boards[-1].layout
    if any(board.layout != layout for board in boards):
        return boards
    visible = [cell for cell in rule.cells if cell < len(layout)]
    order = list(dict.fromkeys((*visible, *range(len(layout) + len(layout.hidden)))))
    number = [order.index(cell) for cell in range(len(order))]
    units = [Unit(tuple(sorted(number[c] for c in u.cells)), u.kind, u.name) for u in layout.units]
    other = _layout(layout, units=units, rules=[inner.moved(number) for inner in layout.rules])
    return tuple(
        Board(other, tuple(board.candidates[c] for c in order[: len(layout)])) for board in boards
    )


def _placed(board: Board, positions: Sequence[Position]) -> Board:
    return Board(_layout(board.layout, positions=positions), board.candidates)


def _together(positions: Sequence[Position]) -> list[Position]:
    rows, columns = (sorted(set(lines)) for lines in zip(*positions, strict=True))
    return [(rows.index(row), columns.index(column)) for row, column in positions]


def _groups(boards: Boards) -> list[tuple[int, ...]]:
    """Return the indices of boards that lose cells together: all, if they have as many cells."""
    if len({len(board.layout) for board in boards}) == 1:
        return [tuple(range(len(boards)))]
    groups: dict[Layout, list[int]] = {}
    for index, board in enumerate(boards):
        groups.setdefault(board.layout, []).append(index)
    return [tuple(places) for places in groups.values()]


def _without_cells(board: Board, gone: Collection[int]) -> Board:
    layout = board.layout
    visible = [cell for cell in layout.cells if cell not in gone]
    hidden = {c: m for c, m in enumerate(layout.hidden, len(layout)) if c not in gone}
    number = {cell: index for index, cell in enumerate((*visible, *hidden))}
    units = []
    for unit in layout.units:
        unit_cells = tuple(number[cell] for cell in unit.cells if cell in number)
        if unit_cells:
            units.append(Unit(unit_cells, unit.kind, unit.name))
    rules = [left for rule in layout.rules if (left := rule.restricted_to(number)) is not None]
    positions = [layout.positions[cell] for cell in visible]
    masks = tuple(board.candidates[cell] for cell in visible)
    fewer = _layout(
        layout, units=units, positions=positions, rules=rules, hidden=tuple(hidden.values())
    )
    return Board(fewer, masks)


def _layout(layout: Layout, **changed: Any) -> Layout:
    """Return the layout with some parts changed, named as in `Layout.from_units`."""
    names = ("n", "units", "positions", "rules", "first_value", "hidden")
    return Layout.from_units(**{name: getattr(layout, name) for name in names} | changed)


def _on(boards: Boards, layout: Layout, other: Layout) -> Boards:
    return tuple(
        Board(other, board.candidates) if board.layout == layout else board for board in boards
    )


def _changed(boards: Boards, index: int, cell: int, mask: int) -> Boards:
    board = boards[index]
    masks = (*board.candidates[:cell], mask, *board.candidates[cell + 1 :])
    return (*boards[:index], Board(board.layout, masks), *boards[index + 1 :])


def _marks(board: Board) -> Iterator[int]:
    """Yield the number of candidates of each cell that has several, but not all."""
    sizes = (mask.bit_count() for mask in board.candidates)
    return (size for size in sizes if 1 < size < board.layout.n)
