"""Puzzle files: boards with names and comments, and text with millions of boards on its lines.

The text of a single board is read by `unidoku.core.text`; whole files that are searched in parts
are read by `unidoku.files`. Every module that reads or writes boards may import this package.
"""

from unidoku.formats.puzzles import Puzzle, read_blocks, read_puzzles

__all__ = ["Puzzle", "read_blocks", "read_puzzles"]
