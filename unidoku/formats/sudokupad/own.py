"""The puzzle itself in a link to SudokuPad, under a key of ours that SudokuPad does not look at.

Pictures and words are for people; with this text a program reads the rules of a link of ours again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from unidoku.errors import FormatError
from unidoku.formats.draft import json_object
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.toml.table import puzzle_from_table
from unidoku.formats.toml.text import table_of_puzzle

OWN = "unidoku"
"""The key of the text."""

_QUOTE, _CODE = '"', "%22"
"""SudokuPad's short form of JSON has no escapes for quotes inside texts."""


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
