"""Messages: JSON objects whose fields are checked before anything is done with them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from unidoku.draw.paint import PALETTES
from unidoku.errors import FormatError, nearest
from unidoku.support.notation import NOTATIONS
from unidoku.support.schema import (
    LINE,
    PLAIN,
    PLAIN_TABLE,
    TEXT,
    YES_NO,
    Kind,
    above,
    among,
    listed_of,
    misfit,
    several,
    shown,
    whole,
)

LARGEST = 1 << 20
"""The most bytes of a message."""

_CELL = whole(0, bits=10)
_CELLS = listed_of(_CELL)


def _lists(elements: str, holds: Callable[[object], bool]) -> Kind:
    """Return the kind of lists all of whose elements are such, by their name."""
    return listed_of(Kind("", holds, elements))


_ENTRIES = _lists("pairs of a cell and a value", several(_CELL, 2))
_CENTRE = _lists(
    "lists of a cell and its values", lambda cells: _CELLS.holds(cells) and cells != []
)
_LINES = _lists(
    "lists of four numbers, the row and column of both ends", several(whole(0, bits=12), 4)
)
_TRIGGERS = _lists("pairs of lists of cells", several(_CELLS, 2))
_SHAPE = Kind(
    "a table of lists of cells",
    lambda value: isinstance(value, dict) and all(map(_CELLS.holds, value.values())),
)
_SECONDS = above(0, 600)
_SIZE = Kind("4, 6 or 9", lambda value: type(value) is int and value in (4, 6, 9))


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a command, and those that it cannot do without."""

    kinds: Mapping[str, Kind]
    required: tuple[str, ...] = ()


def _all(**kinds: Kind) -> Fields:
    return Fields(kinds, tuple(kinds))


COMMANDS: Mapping[str, Fields] = {
    "open": _all(),
    "digits": _all(cells=_CELLS, value=_CELL, layer=among(("given", "entry"))),
    "mark": _all(cells=_CELLS, value=_CELL, layer=among(("corner", "centre", "colours"))),
    "pen": _all(lines=_LINES),
    "clear": Fields({"cells": _CELLS, "given": YES_NO}, ("cells",)),
    "fill": Fields({"entries": _ENTRIES, "centre": _CENTRE}),
    "rule-add": _all(rule=PLAIN_TABLE),
    "rule-set": _all(rule=PLAIN_TABLE, index=_CELL),
    "rule-remove": _all(index=_CELL),
    "rule-shape": Fields({"index": _CELL, "shape": _SHAPE, "copy": YES_NO}, ("index", "shape")),
    "rule-move": _all(index=_CELL, to=_CELL),
    "rule-switch": Fields({"index": _CELL, "ignored": YES_NO, "hidden": YES_NO}, ("index",)),
    "define": Fields({"name": LINE, "rule": PLAIN_TABLE}, ("name",)),
    "cosmetic-add": _all(cosmetic=PLAIN_TABLE),
    "cosmetic-set": _all(cosmetic=PLAIN_TABLE, index=_CELL),
    "cosmetic-remove": _all(index=_CELL),
    "cosmetic-move": _all(index=_CELL, to=_CELL),
    "title": Fields({"name": LINE, "author": LINE, "rules_text": TEXT}),
    "regions": _all(map=_CELLS),
    "fog": Fields({"lights": _CELLS, "triggers": _TRIGGERS, "gone": YES_NO}),
    "new": Fields({"size": whole(1, bits=5), "variant": LINE}, ("size",)),
    "text": _all(text=TEXT),
    "undo": _all(),
    "redo": _all(),
    "save": _all(name=LINE),
    "report": _all(key=LINE),
    "resolve": _all(keep=among(("page", "disk"))),
    "paste": Fields({"text": TEXT, "guess": YES_NO, "number": whole(0)}, ("text",)),
    "lamp": Fields({"time_limit": _SECONDS}),
    "count": Fields({"time_limit": _SECONDS}),
    "candidates": Fields(
        {"form": among(("true", "logical")), "most": whole(1, bits=7), "time_limit": _SECONDS}
    ),
    "conflict": Fields({"time_limit": _SECONDS}),
    "needed": Fields({"time_limit": _SECONDS}),
    "totals": Fields({"index": _CELL, "field": LINE, "time_limit": _SECONDS}, ("index",)),
    "relation": _all(text=TEXT),
    "legend": _all(),
    "techniques": _all(),
    "hint": Fields({"without": listed_of(LINE), "time_limit": _SECONDS}),
    "wrong": Fields({"time_limit": _SECONDS}),
    "path": Fields({"without": listed_of(LINE), "time_limit": _SECONDS}),
    "step": Fields({"number": whole(0), "without": listed_of(LINE)}, ("number",)),
    "openings": Fields(
        {"number": whole(0), "without": listed_of(LINE), "time_limit": _SECONDS}, ("number",)
    ),
    "why": Fields({"cell": _CELL, "value": _CELL, "time_limit": _SECONDS}, ("cell", "value")),
    "links": Fields({"time_limit": _SECONDS}),
    "picture": _all(format=LINE),
    "sentences": _all(),
    "version-keep": _all(name=LINE),
    "version-remove": _all(index=_CELL),
    "version-take": _all(index=_CELL),
    "versions": Fields({"time_limit": _SECONDS}),
    "notation": _all(names=among(NOTATIONS)),
    "view": Fields({"palette": among(PALETTES), "numbers": YES_NO, "coordinates": YES_NO}),
    "make": Fields(
        {
            "size": _SIZE,
            "level": among(("easy", "medium", "hard", "any")),
            "symmetry": LINE,
            "count": whole(1, bits=6),
        },
        ("size",),
    ),
    "print": Fields(
        {
            "texts": listed_of(TEXT),
            "heading": LINE,
            "per_page": whole(1, bits=4),
            "name_line": YES_NO,
            "rules": YES_NO,
            "level": YES_NO,
            "answers": YES_NO,
            "symbols": LINE,
            "instead": LINE,
        }
    ),
    "kinds": _all(),
    "backends": _all(),
    "compare": Fields(
        {
            "backends": listed_of(LINE),
            "boards": among(("this", "text", "generated")),
            "text": TEXT,
            "count": whole(1, bits=7),
            "repeats": whole(1, bits=4),
            "solutions": whole(1, bits=10),
            "seconds": _SECONDS,
            "memory": whole(0, bits=16),
            "save": LINE,
        },
        ("backends", "boards"),
    ),
    "cancel": _all(kind=LINE),
}
"""The commands and their fields."""


@dataclass(frozen=True, slots=True)
class Request:
    """A message that may be obeyed.

    Args:
        nonce: the number that its answers repeat.
        command: what is asked for.
        fields: its other fields.
    """

    nonce: int
    command: str
    fields: Mapping[str, Any]


class MessageError(FormatError):
    """A message that is not a request; its nonce if it has one."""

    nonce: int | None = None

    @classmethod
    def about(cls, nonce: int, message: str) -> MessageError:
        """Return the error of a message with this nonce."""
        error = cls(message)
        error.nonce = nonce
        return error


def read_message(text: str) -> Request:
    """Return the request of a message.

    Raises:
        MessageError: it is not JSON, or not a request.
    """
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MessageError(f"expected a message in JSON: {str(error)[:200]}") from None
    if type(table) is not dict:
        raise MessageError(f"expected a message, an object in JSON, got {shown(table)}")
    nonce = table.pop("nonce", None)
    if not whole(0).holds(nonce):
        raise MessageError(f"nonce: expected {whole(0)}, got {shown(nonce)}")
    if not PLAIN.holds(table):
        raise MessageError.about(nonce, f"expected plain and shallow values, got {shown(table)}")
    command = table.pop("command", None)
    fields = COMMANDS.get(command) if type(command) is str else None
    if fields is None:
        hint = nearest(str(command), COMMANDS)
        raise MessageError.about(nonce, f"command: unknown, {shown(command)}; {hint}")
    if wrong := misfit(table, fields.kinds, fields.required):
        raise MessageError.about(nonce, f"{command}: {wrong}")
    return Request(nonce, command, table)


def written(answer: Mapping[str, Any]) -> str:
    """Return an answer or an event as a message."""
    return json.dumps(answer, separators=(",", ":"), allow_nan=False)
