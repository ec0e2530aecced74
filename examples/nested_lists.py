"""A board as nested lists of ints, 0 for an empty cell: Inkala's of 2012."""

import unidoku

ROWS = [
    [8, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 3, 6, 0, 0, 0, 0, 0],
    [0, 7, 0, 0, 9, 0, 2, 0, 0],
    [0, 5, 0, 0, 0, 7, 0, 0, 0],
    [0, 0, 0, 0, 4, 5, 7, 0, 0],
    [0, 0, 0, 1, 0, 0, 0, 3, 0],
    [0, 0, 1, 0, 0, 0, 0, 6, 8],
    [0, 0, 8, 5, 0, 0, 0, 1, 0],
    [0, 9, 0, 0, 0, 0, 4, 0, 0],
]

board = unidoku.Board.parse(ROWS)
result = unidoku.solve(board, backend="norvig", solutions=2)
print("exactly one solution:", result.unique)
print(board.fill(result.solutions[0]))
