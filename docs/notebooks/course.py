# %% [markdown]
# # All different, three times
#
# A lesson for a course: the same puzzle with all-different as pairs of cells, as a global constraint and as clauses, and the same search with
# a static and a dynamic order of guesses. What counts is the number of nodes, which is the same on every machine.

# %%
from itertools import combinations

from pysat.solvers import Solver

import unidoku
from unidoku import Board
from unidoku.analysis.consistency import consistent

puzzle = Board.parse(
    "3........5.29.8......2..87...3..9....8.....41.4.3......3..6.52...5.....76....7.1."
)
puzzle

# %% [markdown]
# ## As pairs
#
# `A1 ≠ A2`, `A1 ≠ A3`, …: a pair removes something only when one of its cells is decided. Then the other cell loses that value. This is
# **forward checking**.


# %%
def describe(board):
    decided = sum(len(board.values(cell)) == 1 for cell in board.layout.cells)
    candidates = sum(len(board.values(cell)) for cell in board.layout.cells)
    return f"{decided} cells decided, {candidates} candidates left"


pairs = consistent(puzzle, "forward checking")
print("given:", describe(puzzle))
print("pairs:", describe(pairs))
pairs

# %% [markdown]
# ## As a global constraint
#
# One constraint for each row, column and box: its nine cells differ. A solver can then remove **every** value that no assignment of
# different values has, by a matching (Régin 1994). Three cells that share three candidates take them from the six others, although no cell
# is decided. Many solvers do less, for speed: look at the bounds of each cell, or at values with one cell left, as Norvig does.

# %%
for level in ("forward checking", "bounds", "singles", "domains"):
    print(f"{level:16}", describe(consistent(puzzle, level)))

# %% [markdown]
# Domains decide this puzzle: no guess is needed. `unidoku rate boards.txt --levels` shows for how many boards that holds.
#
# ## As clauses
#
# A variable says that a cell has a value. "At least one value in each cell" is a clause, "not both" is a clause of two for each pair. What
# a SAT solver does without a guess is unit propagation, and that is forward checking, no more:


# %%
def variable(cell, value):
    return 9 * cell + value


layout, values = puzzle.layout, range(1, 10)
clauses = [[variable(cell, value) for value in values] for cell in layout.cells]
for cell in layout.cells:
    clauses += [[-variable(cell, v), -variable(cell, w)] for v, w in combinations(values, 2)]
for unit in layout.units:
    for a, b in combinations(unit.cells, 2):
        clauses += [[-variable(a, value), -variable(b, value)] for value in values]
givens = [variable(cell, value) for cell, value in enumerate(puzzle.givens) if value]


def decided_by_unit_propagation(clauses):
    with Solver("g4", bootstrap_with=clauses) as solver:
        _, literals = solver.propagate(assumptions=givens)
    return sum(literal > 0 for literal in literals)


print(len(clauses), "clauses:", decided_by_unit_propagation(clauses), "cells decided")

# %% [markdown]
# One more clause for each unit and value, "some cell has it", follows from the others. It excludes no solution, but unit propagation
# now sees values with one cell left. Redundant constraints cost memory and save search:

# %%
everywhere = [
    [variable(cell, value) for cell in unit.cells] for unit in layout.units for value in values
]
print(
    len(clauses + everywhere),
    "clauses:",
    decided_by_unit_propagation(clauses + everywhere),
    "cells decided",
)

# %% [markdown]
# A SAT solver makes up for weak propagation by learning: each conflict becomes a clause that prevents it elsewhere.

# %%
for name, model in (("without", clauses), ("with", clauses + everywhere)):
    with Solver("g4", bootstrap_with=model) as solver:
        solver.solve(assumptions=givens)
        figures = solver.accum_stats()
    print(
        f"{name:8} redundant clauses: {figures['conflicts']} conflicts, {figures['decisions']} decisions"
    )

# %% [markdown]
# ## Static against dynamic order
#
# Now a search, with the propagation and the order of guesses as arguments. The static order takes the cells as they are read; the dynamic
# one takes a cell with the fewest candidates, which fails soonest.


# %%
def in_reading_order(board, cells):
    return cells[0]


def fewest_candidates(board, cells):
    return min(cells, key=lambda cell: len(board.values(cell)))


def search(board, level, choose):
    """Return the solution, and the number of nodes."""
    board, nodes = consistent(board, level), 1
    if board is None:
        return None, nodes
    cells = [cell for cell in board.layout.cells if len(board.values(cell)) > 1]
    if not cells:
        return board, nodes
    cell = choose(board, cells)
    for value in board.values(cell):
        solution, count = search(board.assign(cell, value), level, choose)
        nodes += count
        if solution:
            return solution, nodes
    return None, nodes


print(f"{'':16} {'static':>7} {'dynamic':>8}")
for level in ("forward checking", "singles", "domains"):
    nodes = [search(puzzle, level, choose)[1] for choose in (in_reading_order, fewest_candidates)]
    print(f"{level:16} {nodes[0]:7,} {nodes[1]:8,}")

# %% [markdown]
# Propagation saves more than order here, and more of it needs less luck. But a node with more propagation takes longer: which of both is
# faster is a question for `unidoku compare --show search`, which shows nodes and the time of a node side by side.
#
# ## The same in finished solvers
#
# Knuth's exact cover has the same choice as an option, and `unidoku.trace` shows any search as a tree:

# %%
for heuristic in ("first", "mrv"):
    result = unidoku.load("exact-cover", heuristic=heuristic).solve(puzzle)
    print(f"{heuristic:6} {result.statistics['nodes']:6,} nodes")

# %%
tree = unidoku.trace(puzzle, backend="norvig")
print("\n".join(line[:100] for line in tree.text().splitlines()[:12]))

# %%
solution, _ = search(puzzle, "domains", fewest_candidates)
assert unidoku.is_solution(puzzle, tuple(solution.givens))
solution
