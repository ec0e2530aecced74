"""Boards as plain tables of texts, numbers and lists, as JSON and TOML can store them.

Any board, with any units and rules, is read back equal; named variants are written by name. Values
are those of boards, 1 to n, not the displayed numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unidoku.core.board import Board
from unidoku.core.layout import MAX_SIDE, MAX_VALUES, Grid, Layout, Unit
from unidoku.core.rules.catalogue import rule_from_table, table_of_rule
from unidoku.core.text.symbols import alphabets
from unidoku.core.variants import layout as named_layout
from unidoku.core.variants import variant_of
from unidoku.errors import FormatError, InputError, LayoutError
from unidoku.support.schema import TABLE, TEXT, WHOLE, Kind, listed_of, misfit, several, whole


def table_of_board(board: Board) -> dict[str, Any]:
    """Return the board as a table, from which `board_from_table` makes an equal one.

    >>> table_of_board(Board.parse("1... ..2. .3.. ...4"))
    {'variant': 'classic', 'n': 4, 'givens': '1.....2..3.....4'}
    """
    table = table_of_layout(board.layout)
    if Board.from_values(board.layout, board.givens) == board:
        table["givens"] = text_of_grid(board.givens, board.layout.n)
    else:
        table["candidates"] = list(board.candidates)
    return table


def board_from_table(table: Mapping[str, Any]) -> Board:
    """Return the board of a table.

    Raises:
        FormatError: the table is not one that `table_of_board` writes; the message states what is
            missing or wrong.
    """
    _check(table, _BOARD, ("n",))
    layout = _layout({name: value for name, value in table.items() if name in _LAYOUT})
    try:
        if "givens" in table:
            return Board.from_values(layout, grid_from_text(table["givens"], layout.n))
        return Board(layout, tuple(table["candidates"]))
    except KeyError:
        raise FormatError("expected the givens or candidates of a board, got neither") from None
    except InputError as error:
        raise FormatError(f"expected the givens or candidates of a board: {error}") from error


def table_of_layout(layout: Layout) -> dict[str, Any]:
    """Return the layout as a table: with its variant's name if it has one, otherwise its units."""
    if variant_of(layout):
        return {"variant": layout.name, "n": layout.size}
    table: dict[str, Any] = {"name": layout.name, "n": layout.n}
    if layout.first_value != 1:
        table["first_value"] = layout.first_value
    if layout.hidden:
        table["hidden"] = list(layout.hidden)
    if layout.areas:
        table["areas"] = [list(area) for area in layout.areas]
    shape = (layout.rows, layout.columns)
    if len(layout) == shape[0] * shape[1]:
        table["shape"] = list(shape)
    else:
        table["positions"] = [list(position) for position in layout.positions]
    table["units"] = [[unit.kind, unit.name, *unit.cells] for unit in layout.units]
    if layout.rules:
        table["rules"] = [table_of_rule(rule) for rule in layout.rules]
    return table


def _layout(table: Mapping[str, Any]) -> Layout:
    try:
        if "variant" in table:
            return named_layout(table["variant"], table["n"])
        _check(table, _LAYOUT, ("name", "units"))
        places = table.get("positions")
        return Layout.from_units(
            table["n"],
            [Unit(tuple(cells), kind, name) for kind, name, *cells in table["units"]],
            shape=tuple(table["shape"]) if "shape" in table else None,
            positions=None if places is None else [(row, column) for row, column in places],
            rules=[rule_from_table(rule) for rule in table.get("rules", ())],
            name=table["name"],
            first_value=table.get("first_value", 1),
            hidden=table.get("hidden", ()),
            areas=table.get("areas", ()),
        )
    except LayoutError as error:
        raise FormatError(f"expected the n, units and cells of a layout: {error}") from error


def _check(table: Mapping[str, Any], kinds: Mapping[str, Kind], required: tuple[str, ...]) -> None:
    if wrong := misfit(table, kinds, required):
        raise FormatError(wrong)


def _is_shape(value: object) -> bool:
    return _PAIR.holds(value) and all(1 <= side <= MAX_SIDE for side in value)  # type: ignore[attr-defined]  # it is a list


def _is_unit(value: object) -> bool:
    if type(value) is not list or len(value) < 2:
        return False
    kind, name, *cells = value
    return TEXT.holds(kind) and TEXT.holds(name) and _NUMBERS.holds(cells)


_NUMBERS = listed_of(WHOLE)
_PAIR = Kind(
    "a pair of whole numbers",
    several(WHOLE, 2),
    "pairs of whole numbers",
)
_CELLS = listed_of(whole(0))

_LAYOUT: Mapping[str, Kind] = {
    "variant": TEXT,
    "name": TEXT,
    "n": whole(1, bits=8),
    "first_value": whole(0, bits=10),
    "hidden": listed_of(whole(0, bits=MAX_VALUES)),
    "areas": listed_of(Kind("a list of cells", _CELLS.holds, "lists of cells")),
    "shape": Kind(f"two whole numbers from 1 to {MAX_SIDE}", _is_shape),
    "positions": listed_of(_PAIR),
    "units": listed_of(Kind("a unit", _is_unit, "lists of a kind, a name and cells")),
    "rules": listed_of(TABLE),
}
"""The fields of a layout's table, and the kinds of their values."""

_BOARD: Mapping[str, Kind] = {
    **_LAYOUT,
    "givens": TEXT,
    "candidates": listed_of(whole(0, bits=MAX_VALUES)),
}
"""The fields of a board's table, and the kinds of their values."""


def text_of_grid(grid: Grid, n: int) -> str:
    """Return values as a text, 0 as a dot: one symbol for each cell up to 35 values, then numbers.

    >>> text_of_grid((1, 0, 11), 12)
    '1.B'
    """
    if known := alphabets(n):
        symbols = "." + known[0]
        return "".join(map(symbols.__getitem__, grid))
    return " ".join(str(value) if value else "." for value in grid)


def grid_from_text(text: str, n: int) -> Grid:
    """Return the values of a text that `text_of_grid` wrote.

    Raises:
        FormatError: the text is not of that form.
    """
    try:
        if known := alphabets(n):
            return tuple(map(("." + known[0]).index, text))
        return tuple(0 if word == "." else int(word) for word in text.split())
    except ValueError as error:
        raise FormatError(f"expected values of 1 to {n} or dots, got {text!r}") from error
