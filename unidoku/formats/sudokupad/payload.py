"""The text in SudokuPad's links: the short form of JSON, and in it the puzzle itself.

The short form has short keys, and few quotation marks. The puzzle itself is a text under a key of
ours that SudokuPad does not look at: pictures and words are for people; with this text a program
reads the rules of a link of ours again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from unidoku.errors import FormatError
from unidoku.formats.draft import json_object, one_line
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.toml.table import puzzle_from_table
from unidoku.formats.toml.text import table_of_puzzle
from unidoku.support.schema import shown

OWN = "unidoku"
"""The key of the text."""

_QUOTE, _CODE = '"', "%22"
"""SudokuPad's short form of JSON has no escapes for quotes inside texts."""

_KEYS: Mapping[str, str] = {
    "c": "color",
    "ca": "cages",
    "ct": "center",
    "c1": "borderColor",
    "c2": "backgroundColor",
    "ce": "cells",
    "cs": "cellSize",
    "a": "arrows",
    "o": "overlays",
    "u": "underlays",
    "w": "width",
    "h": "height",
    "v": "value",
    "vd": "videos",
    "l": "lines",
    "r": "rounded",
    "re": "regions",
    "fs": "fontSize",
    "th": "thickness",
    "hl": "headLength",
    "wp": "wayPoints",
    "t": "title",
    "te": "text",
    "d": "duration",
    "d2": "d",
}
"""The short keys and their long forms."""

_STRING = re.compile(r'("(?:[^"\\]|\\.)*")', re.DOTALL)

_STEPS = (
    (re.compile(r"([{,\[])([A-Za-z0-9+-]+):"), r'\1"\2":'),
    (re.compile(r"([,\[])(?=[,\]])"), r"\1{}"),
    (re.compile(r":f(?=[,}\]])"), ":false"),
    (re.compile(r":t(?=[,}\]])"), ":true"),
    (re.compile(r":#0(?=[,}\]])"), ':"#000000"'),
    (re.compile(r":#F(?=[,}\]])"), ':"#FFFFFF"'),
    (re.compile(r":([0-9a-fA-F]{6})(?=[,}\]])"), r':"#\1"'),
)
"""Values that were left out between separators, and their replacements."""

_DEEPEST = 30


def packed(puzzle: Puzzle) -> str:
    """Return a puzzle as a text, without what the format has keys for.

    Solutions with two digits in a cell have no key in any format.

    Raises:
        InputError: a rule has no written form.
    """
    solution = puzzle.solution if puzzle.board.layout.s_cells else None
    bare = replace(puzzle, name="", author="", rules_text="", solution=solution, numbers={})
    text = json.dumps(table_of_puzzle(bare), separators=(",", ":"))
    return text.replace("%", "%25").replace(_QUOTE, _CODE)


def unpacked(text: object, shape: tuple[int, int], givens: Mapping[int, int]) -> Puzzle:
    """Return the puzzle of a text: its board, its cosmetics and its fog.

    Args:
        text: the text.
        shape: the rows and columns that the link shows.
        givens: the numbers that the link shows, by cells; those that are no values do not count.

    Raises:
        FormatError: it is not such a text, or its board is not the one that the link shows.
    """
    if not isinstance(text, str):
        raise FormatError("expected a text")
    table = json_object(text.replace(_CODE, _QUOTE).replace("%25", "%"), "Unidoku")
    puzzle = puzzle_from_table(table, 1)
    board, layout = puzzle.board, puzzle.board.layout
    numbers = (0, *map(int, layout.shown[1:]))
    stated = {cell: numbers[value] for cell, value in enumerate(board.givens) if value}
    given = {cell: number for cell, number in givens.items() if number in numbers[1:]}
    if stated != given or (layout.rows, layout.columns) != shape:
        raise FormatError("its cells are not those of the link")
    return puzzle


def unzipped(text: str) -> dict[str, Any]:
    """Return the table in a text that is JSON, or its short form.

    >>> unzipped("{ce:[[,{v:5}]],id:'x'}")
    {'cells': [[{}, {'value': 5}]], 'id': 'x'}

    Raises:
        FormatError: it is neither.
    """
    try:
        content: object = json.loads(text)
    except (ValueError, RecursionError):
        try:
            content = _renamed(json.loads(_quoted(text)))
        except (ValueError, RecursionError) as error:
            if isinstance(error, FormatError):
                raise
            message = f"expected JSON of SudokuPad, or its short form: {one_line(str(error))}"
            raise FormatError(message) from error
    if not isinstance(content, dict):
        raise FormatError(f"expected an object in JSON of SudokuPad, got {shown(content)}")
    return content


def _quoted(text: str) -> str:
    if '"' not in text:
        text = text.replace(r"\'", "\0").replace("'", '"').replace("\0", "'")
    parts = _STRING.split(text)
    for index in range(0, len(parts), 2):
        for pattern, plain in _STEPS:
            # Keys and gaps may be adjacent: the end of one match begins the next.
            parts[index] = pattern.sub(plain, parts[index])
        if index and re.match(r"[,\]]", parts[index]) and not parts[index - 1]:
            parts[index] = "{}" + parts[index]
    return "".join(parts)


def _renamed(value: object, depth: int = 0) -> object:
    """Return nested tables with their long keys."""
    if depth > _DEEPEST:
        raise FormatError(f"expected tables in at most {_DEEPEST} others in SudokuPad, got more")
    if isinstance(value, list):
        return [_renamed(part, depth + 1) for part in value]
    if isinstance(value, dict):
        return {_KEYS.get(key, key): _renamed(part, depth + 1) for key, part in value.items()}
    return value
