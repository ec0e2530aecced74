"""Boards as text: one line, framed lines, candidate grids, rows of ints, files of many.

Reading never guesses in silence. Each way of reading a text is tried; a text that can be read
in two ways with different results is refused, and so is one that no way reads.
"""

from unidoku.core.formats.collection import (
    Puzzle,
    read_board,
    read_puzzle_file,
    read_puzzles,
)
from unidoku.core.formats.rows import read_rows
from unidoku.core.formats.writing import write_board

__all__ = ["Puzzle", "read_board", "read_puzzle_file", "read_puzzles", "read_rows", "write_board"]
