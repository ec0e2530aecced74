# %% [markdown]
# # Norvig's essay, step by step, on any layout
#
# Peter Norvig solves Sudoku with [two ideas](https://norvig.com/sudoku.html): constraint propagation and search. This notebook takes
# them one at a time, on a 6×6 board with both diagonals. Nothing in it depends on the layout: give another board and the name of its layout
# in the next cell, and run all cells again.

# %%
import unidoku
from unidoku import Board

puzzle = Board.parse("..6...5.........3..2...6.........4..", "x")
puzzle

# %% [markdown]
# ## Units and peers
#
# A **unit** is a set of cells that hold each value once: here the rows, the columns, the boxes and the two diagonals. The **peers** of
# a cell are the other cells of its units. They cannot hold the same value.

# %%
layout = puzzle.layout
print(len(layout.cells), "cells,", len(layout.units), "units")
print("units of A1:", [unit.name for unit in layout.units if layout.cell("A1") in unit.cells])
print("peers of A1:", [layout.names[peer] for peer in sorted(layout.peers[layout.cell("A1")])])

# %% [markdown]
# ## Constraint propagation
#
# Each cell begins with all values. A given leaves one, and then two rules are applied until nothing changes:
#
# 1. When a cell has only one value left, its peers lose that value.
# 2. When a unit has only one place left for a value, the value goes there.
#
# Norvig's function `assign` does both. Here, `propagate` does, and returns `None` if some cell has no value left.

# %%
for cell in ("B1", "B2", "A6"):
    print(cell, "before:", puzzle.values(cell), "after:", unidoku.propagate(puzzle).values(cell))

# %%
unidoku.propagate(puzzle)

# %% [markdown]
# Easy boards are solved by that alone. This one is not: several cells still have more than one value.
#
# ## Search
#
# Pick a cell with the fewest values, try each of them, and propagate after each. If that leads to a contradiction, try the next value.
# This is all of Norvig's solver:


# %%
def search(board, depth=0):
    board = unidoku.propagate(board)
    if board is None:
        return None
    open_cells = [cell for cell in board.layout.cells if len(board.values(cell)) > 1]
    if not open_cells:
        return board
    cell = min(open_cells, key=lambda cell: len(board.values(cell)))
    for value in board.values(cell):
        print("  " * depth + f"try {board.layout.names[cell]} = {value}")
        solution = search(board.assign(cell, value), depth + 1)
        if solution:
            return solution
    return None


solution = search(puzzle)
solution

# %% [markdown]
# ## Is it right, and is it the only one?
#
# Norvig stops at the first solution. A puzzle should have exactly one, so ask for two. Every solver of Unidoku is checked by code
# that it does not share, and so is ours:

# %%
grid = tuple(solution.givens)
print("a solution:", unidoku.is_solution(puzzle, grid))
print(unidoku.solve(puzzle, backend="norvig", solutions=2))

# %% [markdown]
# ## How much is searched?
#
# The backend `norvig` is this algorithm with a stack in place of recursion. It counts the nodes of its search tree. The number depends
# on the layout far more than on the size.

# %%
for name in ("classic", "x", "latin"):
    empty = Board.empty(unidoku.layout(name, 4))
    result = unidoku.solve(empty, backend="norvig", solutions=None, keep=0)
    print(f"{name:8} {result.count:4} grids, {result.statistics['nodes']:.0f} nodes")
