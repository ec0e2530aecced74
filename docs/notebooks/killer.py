# %% [markdown]
# # Setting a killer that is unique
#
# A killer puzzle has cages in place of givens: the cells of a cage differ, and sum to its number. You set one by choosing a grid and cutting it
# into cages. Whether it has exactly one solution is the hard question, and the one that a computer answers.

# %%
from dataclasses import replace
from pathlib import Path

import unidoku
from unidoku import Board, Killer

# %% [markdown]
# ## A grid and its cages
#
# The grid is of 4×4 cells, so that each picture fits on a slide. The letters say which cage a cell belongs to; the sums follow from the
# grid.

# %%
base = unidoku.layout("classic", 4)
grid = unidoku.solve("1... ..4. .2.. ...3").solutions[0]


def killer(cages):
    """Return the board whose cages are the letters of a text; a dot is in no cage."""
    letters = cages.split()
    cells = {letter: [] for letter in "".join(letters) if letter != "."}
    for cell, letter in enumerate("".join(letters)):
        if letter != ".":
            cells[letter].append(cell)
    rules = tuple(Killer(cage, sum(grid[cell] for cell in cage)) for cage in cells.values())
    return Board.empty(replace(base, rules=rules))


Board.from_values(base, grid)

# %%
draft = killer("aabb ccdd eeff gghh")
draft

# %% [markdown]
# ## Is it unique?

# %%
print(unidoku.check(draft))
print(unidoku.count(draft).count, "solutions")

# %% [markdown]
# It is not. `backbone` gives what all solutions share. The empty cells are where the cages say too little.

# %%
Board.from_values(base, unidoku.backbone(draft))

# %% [markdown]
# ## Mend it
#
# Horizontal pairs can be exchanged within their cages, so cages that cross rows say more. Try a few cuts, and count.

# %%
cuts = {
    "two rows joined": "aabb aabb eeff gghh",
    "columns on the right": "aacd aacd eeff gghf",
    "mixed": "aabd cabd cefd ceff",
}
for name, cages in cuts.items():
    print(f"{name:22}", unidoku.count(killer(cages), limit=1000).count)

# %% [markdown]
# Better, and still not unique. Cutting by hand is guesswork; `generate` cuts a random grid again and again until one solution is left.

# %%
[proper] = unidoku.generate(rules=["killer"], n=4, count=1, seed=3)
proper

# %% [markdown]
# `survey` proves that the solution is unique, and says which cages can go, and how the number of solutions falls cage by cage.

# %%
print(unidoku.survey(proper))

# %% [markdown]
# ## How would a person solve it?
#
# A puzzle without guessing is solved by named techniques. This is the hardest that is needed, and how often each is used.

# %%
path = unidoku.explain(proper)
print(path.outcome.value, "in", len(path.steps), "steps; hardest:", path.hardest.technique)
for step in path.steps[:4]:
    print("-", step)

# %% tags=["varies"]
unidoku.solve(proper)

# %% [markdown]
# ## Hand it out
#
# A puzzle file keeps board and rules; `unidoku convert killer.toml --to f-puzzles` makes a link for solvers in a browser, and
# `unidoku draw killer.toml -o killer.pdf` prints it.

# %%
unidoku.write(proper, "killer.toml")
print(Path("killer.toml").read_text())
