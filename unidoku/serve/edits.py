"""Edits: each takes a state and a message whose fields are checked, and returns the next state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeAlias

from unidoku.core.bits import bit, mask_of
from unidoku.errors import InputError
from unidoku.formats.cosmetics import Fog
from unidoku.formats.toml.cosmetics import table_of_fog
from unidoku.formats.toml.edit import with_key, with_rule, without_rule
from unidoku.serve.document import LAYERS, State, content_of, new_text, with_givens

Message: TypeAlias = Mapping[str, Any]

_SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What stands for a region in the map of a file."""

COLOURS = 9
"""The number of colours for cells."""


def _cells(state: State, message: Message) -> tuple[int, ...]:
    """Return the cells of a message.

    Raises:
        InputError: one is not on the board.
    """
    cells = tuple(dict.fromkeys(message["cells"]))
    count = len(state.content.layout)
    if wrong := [cell for cell in cells if cell >= count]:
        raise InputError(f"cells: expected numbers from 0 to {count - 1}, got {wrong[0]}")
    return cells


def _value(state: State, value: int, most: int | None = None) -> int:
    most = state.content.layout.n if most is None else most
    if not 0 <= value <= most:
        raise InputError(f"value: expected 1 to {most}, or 0 for none, got {value}")
    return value


def _index(state: State, message: Message) -> int:
    """Return the index of a rule in the file.

    Raises:
        InputError: there is no such rule.
    """
    index: int = message["index"]
    if index >= len(state.content.parts):
        raise InputError(f"index: expected one of {len(state.content.parts)} rules, got {index}")
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
    return replace(state, marks=replace(state.marks, **{layer: _changed(masks, changes)}))


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
            changed = {layer: _changed(getattr(marks, layer), empty) for layer in layers}
            return replace(state, marks=replace(marks, **changed))
    return state


def fill(state: State, message: Message) -> State:
    """Write values and marks of several cells at once, such as what a step leaves."""
    layout, givens = state.content.layout, state.content.puzzle.board.givens
    entries: dict[int, int] = {}
    centre: dict[int, int] = {}
    for cell, value in message.get("entries", ()):
        if not 0 <= cell < len(layout):
            raise InputError(f"entries: expected cells up to {len(layout) - 1}, got {cell}")
        if not givens[cell]:
            entries[cell] = _value(state, value)
    for cell, *values in message.get("centre", ()):
        if not 0 <= cell < len(layout):
            raise InputError(f"centre: expected cells up to {len(layout) - 1}, got {cell}")
        centre[cell] = mask_of(_value(state, value) for value in values if value)
    marks = state.marks
    return replace(
        state,
        marks=replace(
            marks,
            entries=_changed(marks.entries, entries),
            centre=_changed(marks.centre, centre),
        ),
    )


def rule_add(state: State, message: Message) -> State:
    """Add a rule to the file."""
    return state.with_text(with_rule(state.text, message["rule"]))


def rule_set(state: State, message: Message) -> State:
    """Put a rule in the place of another."""
    return state.with_text(with_rule(state.text, message["rule"], _index(state, message)))


def rule_remove(state: State, message: Message) -> State:
    """Remove a rule from the file."""
    index = _index(state, message)
    return replace(
        state,
        text=content_of(without_rule(state.text, index)).text,
        ignored=_without(state.ignored, index),
        hidden=_without(state.hidden, index),
    )


def _without(indices: Iterable[int], removed: int) -> frozenset[int]:
    return frozenset(index - (index > removed) for index in indices if index != removed)


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
    shown = [_SYMBOLS[number - 1] for number in numbers]
    rows = "\n".join("".join(shown[at : at + layout.n]) for at in range(0, len(shown), layout.n))
    text = with_key(state.text, "variant", "+".join(("jigsaw", *parts[1:])))
    for key, value in (("size", layout.n), ("regions", rows)):
        text = with_key(text, key, value)
    return state.with_text(text)


def fog(state: State, message: Message) -> State:
    """Give the puzzle other fog, or none if it is ``gone``."""
    layout = state.content.layout
    triggers = message.get("triggers", ())
    for cell in (*message.get("lights", ()), *(c for pair in triggers for p in pair for c in p)):
        if cell >= len(layout):
            raise InputError(f"fog: expected cells up to {len(layout) - 1}, got {cell}")
    changed = Fog(
        lights=tuple(message.get("lights", ())),
        triggers=tuple((tuple(when), tuple(lights)) for when, lights in triggers),
    )
    table = None if message.get("gone") else table_of_fog(layout, changed)
    return state.with_text(with_key(state.text, "fog", table))


def new(state: State, message: Message) -> State:
    """Begin an empty puzzle; the one before can be had back by undo."""
    return State.of(new_text(message["size"], message.get("variant", "classic")))


def text(state: State, message: Message) -> State:
    """Replace the text of the file."""
    return state.with_text(message["text"])


EDITS: Mapping[str, Callable[[State, Message], State]] = MappingProxyType(
    {
        "digits": digits,
        "mark": mark,
        "clear": clear,
        "fill": fill,
        "rule-add": rule_add,
        "rule-set": rule_set,
        "rule-remove": rule_remove,
        "rule-switch": rule_switch,
        "title": title,
        "regions": regions,
        "fog": fog,
        "new": new,
        "text": text,
    }
)
"""What changes the state, by the name of the command."""
