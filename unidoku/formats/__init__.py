"""Puzzle files: boards with names and comments, and boards a line by the million.

The text of a single board is `unidoku.core.text`; whole files that are searched in parts are
`unidoku.files`. Whatever reads or writes boards may import this package.
"""

from unidoku.formats.puzzles import Puzzle, read_blocks, read_puzzle_file, read_puzzles

__all__ = ["Puzzle", "read_blocks", "read_puzzle_file", "read_puzzles"]
