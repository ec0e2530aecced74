"""Interactive Sudoku Solver: its constraint strings, links and texts, read and written."""
