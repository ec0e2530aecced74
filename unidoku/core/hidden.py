"""Hidden cells: cells of a layout that are not drawn, not written and not part of a grid.

Solvers do not know about them. They search the expanded layout, in which hidden cells are ordinary
cells in separate rows below the grid; `unidoku.backends.solving.projection` distinguishes solutions
by the cells of the grid alone.
"""

from __future__ import annotations

from dataclasses import replace

from unidoku.core.bits import mask_of
from unidoku.core.board import Board
from unidoku.core.caching import layout_cache
from unidoku.core.layout import MAX_SIDE, Layout, copied
from unidoku.core.names import FIRST_HIDDEN
from unidoku.core.rules.base import Rule
from unidoku.core.rules.doubler import MULTIPLIED, PLAIN, Doubler
from unidoku.core.rules.valued import as_stated
from unidoku.errors import LayoutError


def conceals(layout: Layout, whole: frozenset[str] = frozenset()) -> bool:
    """Return whether a layout has hidden cells, besides those of rules of some kinds."""
    return layout.conceals and (not whole or bool(layout.hidden) or _conceals(layout, whole))


@layout_cache(maxsize=64)
def _conceals(layout: Layout, whole: frozenset[str]) -> bool:
    return any(rule.auxiliary_domains(layout) for rule in layout.rules if rule.kind not in whole)


def revealed(layout: Layout) -> Layout:
    """Return the layout whose rules have their hidden cells among the hidden cells of the layout.

    It is for formats that have hidden cells of a layout, and none of rules.
    """
    rules, masks = _supplied(layout, frozenset())
    return copied(layout, Layout, rules=tuple(rules), hidden=tuple(masks))


def _supplied(layout: Layout, whole: frozenset[str]) -> tuple[list[Rule], list[int]]:
    """Return the rules with their hidden cells, and the sets of values of all hidden cells."""
    masks = [*layout.hidden]
    rules: list[Rule] = []
    for rule in layout.rules:
        domains = () if rule.kind in whole else rule.auxiliary_domains(layout)
        start = len(layout) + len(masks)
        rules.append(
            rule.with_auxiliary(layout, tuple(range(start, start + len(domains))))
            if domains
            else rule
        )
        masks += domains
    return rules, masks


@layout_cache(maxsize=64)
def _expanded(layout: Layout, whole: frozenset[str]) -> tuple[Layout, tuple[int, ...]]:
    """Return the expanded layout, and the sets of values of its additional cells."""
    rules, masks = _supplied(layout, whole)
    rows, columns = layout.rows, layout.columns
    below = [(rows + index // columns, index % columns) for index in range(len(masks))]
    if below and below[-1][0] >= MAX_SIDE:
        raise LayoutError(f"expected at most {MAX_SIDE} rows with hidden cells below the grid")
    positions = (*layout.positions, *below)
    extended = copied(layout, Layout, positions=positions, hidden=(), areas=())
    extended.__dict__["rules"] = tuple([rule.bind(extended) for rule in rules])
    extended.__dict__[FIRST_HIDDEN] = len(layout)
    return extended, tuple(masks)


def expanded_layout(layout: Layout, whole: frozenset[str] = frozenset()) -> Layout:
    """Return the layout with its hidden cells below the grid, or itself if it has none.

    Args:
        layout: the layout.
        whole: kinds of rules that get no hidden cells, and so have no constraints.
    """
    return _expanded(layout, whole)[0] if conceals(layout, whole) else layout


def expanded(board: Board, whole: frozenset[str] = frozenset()) -> Board:
    """Return the board with its layout's hidden cells below the grid, or itself if there are none.

    >>> from unidoku import Layout
    >>> row = Layout.from_units(3, [[0, 1, 2]], shape=(1, 2), hidden=[0b110])
    >>> print(expanded(Board.empty(row)).to_dict())
    {'A1': (1, 2, 3), 'A2': (1, 2, 3), '#1': (2, 3)}

    Args:
        board: the board.
        whole: as for `expanded_layout`.
    """
    if not conceals(board.layout, whole):
        return board
    layout, masks = _expanded(board.layout, whole)
    return Board(layout, (*board.candidates, *masks))


@layout_cache(maxsize=64)
def stated(layout: Layout) -> Layout:
    """Return a layout with its rules as its puzzle states them; itself if they are.

    Rules of sums are those about digits, although they count the values of doublers, and the marks
    of doublers are left out with their hidden cells if a layout with the rule has the same ones.
    Drawings and files are made of such a layout; a solver needs the layout itself.
    """
    rules, hidden = [*map(as_stated, layout.rules)], layout.hidden
    for index, rule in enumerate(rules):
        if isinstance(rule, Doubler) and rule.marks:
            start = len(layout) + len(hidden) - len(rule.marks)
            usual = (mask_of((PLAIN, MULTIPLIED)),) * len(rule.marks)
            is_last = rule.marks == tuple(range(start, start + len(usual)))
            if is_last and hidden[-len(usual) :] == usual:
                rules[index], hidden = replace(rule, marks=()), hidden[: -len(usual)]
    if tuple(rules) == layout.rules:
        return layout
    return copied(layout, Layout, rules=tuple(rules), hidden=hidden)
