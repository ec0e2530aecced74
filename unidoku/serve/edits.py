"""Edits: each takes a state and a message whose fields are checked, and returns the next state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from unidoku.core.bits import bit, mask_of
from unidoku.core.cells import text_of_cells, texts_of_pairs
from unidoku.core.layout import Layout
from unidoku.core.rules.relation_text import relation_of
from unidoku.core.text.symbols import DIGITS_FIRST
from unidoku.errors import InputError
from unidoku.formats.cosmetics import Fog
from unidoku.formats.toml.cosmetics import table_of_fog
from unidoku.formats.toml.edit import (
    moved_element,
    with_definition,
    with_element,
    with_key,
    without_element,
)
from unidoku.formats.toml.shorthand import PAIRS
from unidoku.serve.document import LAYERS, State, content_of, new_text, with_givens

Message: TypeAlias = Mapping[str, Any]

COLOURS = 9
"""The number of colours for cells."""


def check_cells(state: State, cells: Iterable[int], field: str = "cells") -> None:
    """Check that all cells of a field are on the board.

    Raises:
        InputError: one is not.
    """
    last = len(state.content.layout) - 1
    for cell in cells:
        if not 0 <= cell <= last:
            raise InputError(f"{field}: expected numbers from 0 to {last}, got {cell}")


def _cells(state: State, message: Message) -> tuple[int, ...]:
    """Return the cells of a message, each once."""
    cells = tuple(dict.fromkeys(message["cells"]))
    check_cells(state, cells)
    return cells


def _value(state: State, value: int, most: int | None = None) -> int:
    most = state.content.layout.n if most is None else most
    if not 0 <= value <= most:
        raise InputError(f"value: expected 1 to {most}, or 0 for none, got {value}")
    return value


_RULES, _PICTURES = "rules", "cosmetics"
"""The lists of a file whose elements are edited."""


def _index(state: State, message: Message, key: str = _RULES, field: str = "index") -> int:
    """Return the index of an element of a list of the file.

    Raises:
        InputError: there is no such element.
    """
    index: int = message[field]
    count = len(state.content.table.get(key, ()))
    if index >= count:
        raise InputError(f"{field}: expected one of {count} {key}, got {index}")
    return index


def _changed(values: tuple[int, ...], changes: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(changes.get(cell, value) for cell, value in enumerate(values))


def digits(state: State, message: Message) -> State:
    """Write a value into cells: as givens into the file, or as what a player enters."""
    cells, value = _cells(state, message), _value(state, message["value"])
    if message["layer"] == "given":
        return state.with_text(with_givens(state.content, dict.fromkeys(cells, value)))
    givens = state.content.puzzle.board.givens
    free = [cell for cell in cells if not givens[cell]]
    entries = _changed(state.marks.entries, dict.fromkeys(free, value))
    return replace(state, marks=replace(state.marks, entries=entries))


def mark(state: State, message: Message) -> State:
    """Add a mark or a colour to cells, or remove it where all of them have it."""
    layer = message["layer"]
    value = _value(state, message["value"], COLOURS if layer == "colours" else None)
    cells = [*_cells(state, message)]
    if layer != "colours":
        filled = [
            given or entry
            for given, entry in zip(
                state.content.puzzle.board.givens, state.marks.entries, strict=True
            )
        ]
        cells = [cell for cell in cells if not filled[cell]]
    if not value or not cells:
        return state
    masks = getattr(state.marks, layer)
    everywhere = all(masks[cell] & bit(value) for cell in cells)
    changes = {
        cell: masks[cell] & ~bit(value) if everywhere else masks[cell] | bit(value)
        for cell in cells
    }
    changed: dict[str, Any] = {layer: _changed(masks, changes)}
    return replace(state, marks=replace(state.marks, **changed))


def clear(state: State, message: Message) -> State:
    """Clear cells as SudokuPad does: their values, or if there are none, their marks, or colours.

    Givens are cleared if ``given`` is true.
    """
    cells = _cells(state, message)
    givens = state.content.puzzle.board.givens
    if message.get("given") and any(givens[cell] for cell in cells):
        return state.with_text(with_givens(state.content, dict.fromkeys(cells, 0)))
    marks = state.marks
    for layers in (LAYERS[:1], LAYERS[1:3], LAYERS[3:]):
        if any(getattr(marks, layer)[cell] for layer in layers for cell in cells):
            empty = dict.fromkeys(cells, 0)
            changed: dict[str, Any] = {
                layer: _changed(getattr(marks, layer), empty) for layer in layers
            }
            return replace(state, marks=replace(marks, **changed))
    return state


def fill(state: State, message: Message) -> State:
    """Write values and marks of several cells at once, such as what a step leaves."""
    for field in ("entries", "centre"):
        check_cells(state, (cell for cell, *_ in message.get(field, ())), field)
    givens = state.content.puzzle.board.givens
    entries = {
        cell: _value(state, value) for cell, value in message.get("entries", ()) if not givens[cell]
    }
    centre = {
        cell: mask_of(_value(state, value) for value in values if value)
        for cell, *values in message.get("centre", ())
    }
    marks = state.marks
    return replace(
        state,
        marks=replace(
            marks,
            entries=_changed(marks.entries, entries),
            centre=_changed(marks.centre, centre),
        ),
    )


def rule_put(state: State, message: Message) -> State:
    """Add a rule to the file, or put it in the place of the one with an index."""
    return _put(state, message, _RULES, message["rule"])


def _put(state: State, message: Message, key: str, element: Mapping[str, Any]) -> State:
    index = _index(state, message, key) if "index" in message else None
    return state.with_text(with_element(state.text, key, element, index))


def rule_remove(state: State, message: Message) -> State:
    """Remove a rule from the file."""
    index = _index(state, message)
    return replace(
        state,
        text=content_of(without_element(state.text, _RULES, index)).text,
        ignored=_without(state.ignored, index),
        hidden=_without(state.hidden, index),
    )


def _without(indices: Iterable[int], removed: int) -> frozenset[int]:
    return frozenset(index - (index > removed) for index in indices if index != removed)


def rule_shape(state: State, message: Message) -> State:
    """Give fields of a rule other cells, or add a copy with these cells.

    Cells of pairs are those of one pair after the other.
    """
    index, layout = _index(state, message), state.content.layout
    table = dict(state.content.table[_RULES][index])
    for key, cells in message["shape"].items():
        if key not in table:
            raise InputError(f"shape: expected fields of {table.get('kind')}, got {key!r}")
        check_cells(state, cells, key)
        pairs = zip(cells[::2], cells[1::2], strict=False)
        table[key] = (
            texts_of_pairs(layout, [*pairs]) if key == PAIRS else text_of_cells(layout, cells)
        )
    replaced = None if message.get("copy") else index
    return state.with_text(with_element(state.text, _RULES, table, replaced))


def rule_move(state: State, message: Message) -> State:
    """Move a rule to another place of the list; what is switched off and hidden stays so."""
    index, to = _index(state, message), _index(state, message, field="to")
    order = [*range(len(state.content.parts))]
    order.insert(to, order.pop(index))
    return replace(
        state,
        text=content_of(moved_element(state.text, _RULES, index, to)).text,
        ignored=frozenset(map(order.index, state.ignored)),
        hidden=frozenset(map(order.index, state.hidden)),
    )


def define(state: State, message: Message) -> State:
    """Define a rule of the puzzle's own under a name, or forget it if there is no ``rule``."""
    name = message["name"].strip()
    if not name:
        raise InputError("name: expected a name for the rule, got none")
    if isinstance(related := message.get("rule", {}).get("related"), str):
        relation_of(related)
    return state.with_text(with_definition(state.text, name, message.get("rule")))


def cosmetic_put(state: State, message: Message) -> State:
    """Add a picture that is no rule, or put it in the place of the one with an index."""
    return _put(state, message, _PICTURES, message["cosmetic"])


def cosmetic_remove(state: State, message: Message) -> State:
    """Remove a picture."""
    index = _index(state, message, _PICTURES)
    return state.with_text(without_element(state.text, _PICTURES, index))


def cosmetic_move(state: State, message: Message) -> State:
    """Move a picture in the list: later ones are drawn over those before."""
    index, to = _index(state, message, _PICTURES), _index(state, message, _PICTURES, "to")
    return state.with_text(moved_element(state.text, _PICTURES, index, to))


def rule_switch(state: State, message: Message) -> State:
    """Switch a rule off or on, or hide or show it; the file stays."""
    index = _index(state, message)
    changed = {
        name: getattr(state, name) | {index} if message[name] else getattr(state, name) - {index}
        for name in ("ignored", "hidden")
        if name in message
    }
    return replace(state, **changed)


def title(state: State, message: Message) -> State:
    """Change the name of the puzzle, its author, or its rules in words."""
    text = state.text
    for key in ("name", "author", "rules_text"):
        if key in message:
            text = with_key(text, key, message[key] or None)
    return state.with_text(text)


def regions(state: State, message: Message) -> State:
    """Give a classic board or a jigsaw other regions: a number from 1 for each cell."""
    layout, table = state.content.layout, state.content.table
    numbers = message["map"]
    parts = str(table.get("variant", "classic")).split("+")
    if not parts[0].startswith(("classic", "jigsaw", "latin")) or layout.hidden:
        raise InputError(f"regions: expected a classic board or a jigsaw, got {table['variant']}")
    if len(numbers) != len(layout) or not all(1 <= number <= layout.n for number in numbers):
        raise InputError(f"map: expected {len(layout)} numbers from 1 to {layout.n}")
    signs = [DIGITS_FIRST[number - 1] for number in numbers]
    rows = "\n".join(
        "".join(signs[start : start + layout.n]) for start in range(0, len(signs), layout.n)
    )
    text = with_key(state.text, "variant", "+".join(("jigsaw", *parts[1:])))
    for key, value in (("size", layout.n), ("regions", rows)):
        text = with_key(text, key, value)
    return state.with_text(text)


def fog(state: State, message: Message) -> State:
    """Give the puzzle other fog, or none if it is ``gone``."""
    lights, triggers = tuple(message.get("lights", ())), message.get("triggers", ())
    check_cells(state, (*lights, *(c for pair in triggers for cells in pair for c in cells)), "fog")
    pairs = tuple((tuple(when), tuple(lit)) for when, lit in triggers)
    changed = Fog(lights=lights, triggers=pairs)
    table = None if message.get("gone") else table_of_fog(state.content.layout, changed)
    return state.with_text(with_key(state.text, "fog", table))


def new(state: State, message: Message) -> State:
    """Begin an empty puzzle; the one before can be had back by undo."""
    return State.of(new_text(message["size"], message.get("variant", "classic")))


def text(state: State, message: Message) -> State:
    """Replace the text of the file."""
    return state.with_text(message["text"])


_STEP = 2
"""Halves of a cell between neighbours, of which the pen draws lines."""


def pen(state: State, message: Message) -> State:
    """Draw lines, or remove them where all of them are there; all lines if none are named.

    Lines are those of the pen of who solves, from cell to cell or along the sides of cells: see
    `lines_of`.
    """
    lines = lines_of(state.content.layout, message["lines"])
    before = {*state.marks.pen}
    after = set() if not lines else before - lines if lines <= before else before | lines
    return replace(state, marks=replace(state.marks, pen=tuple(sorted(after))))


def lines_of(
    layout: Layout, lines: Iterable[Sequence[int]]
) -> frozenset[tuple[int, int, int, int]]:
    """Return lines with their ends in order.

    A line joins neighbours of a lattice, counted in halves of a cell: the middle of the cell in row
    r and column c, both from 0, is at (2r + 2, 2c + 2), and its corners are at odd numbers around
    it.

    Raises:
        InputError: one does not join neighbours of the board.
    """
    middles = {(2 * row + 2, 2 * column + 2) for row, column in layout.positions}
    corners = {(r + down, c + right) for r, c in middles for down in (-1, 1) for right in (-1, 1)}
    edges: set[tuple[int, int, int, int]] = set()
    for line in lines:
        row, column, to_row, to_column = line
        first, second = sorted(((row, column), (to_row, to_column)))
        far = sorted((abs(to_row - row), abs(to_column - column)))
        is_through = {first, second} <= middles and far[1] == _STEP
        is_along = {first, second} <= corners and far == [0, _STEP]
        if not (is_through or is_along):
            raise InputError(
                "lines: expected each to join the middles of two cells that touch, or the ends of "
                f"a side, in halves of a cell, got {[*line]}"
            )
        edges.add((*first, *second))
    return frozenset(edges)


EDITS: Mapping[str, Callable[[State, Message], State]] = {
    "digits": digits,
    "mark": mark,
    "pen": pen,
    "clear": clear,
    "fill": fill,
    "rule-add": rule_put,
    "rule-set": rule_put,
    "rule-remove": rule_remove,
    "rule-shape": rule_shape,
    "rule-move": rule_move,
    "rule-switch": rule_switch,
    "define": define,
    "cosmetic-add": cosmetic_put,
    "cosmetic-set": cosmetic_put,
    "cosmetic-remove": cosmetic_remove,
    "cosmetic-move": cosmetic_move,
    "title": title,
    "regions": regions,
    "fog": fog,
    "new": new,
    "text": text,
}
"""What changes the state, by the name of the command."""
