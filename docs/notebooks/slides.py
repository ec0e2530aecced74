# %% [markdown]
# # Three solvers on one board, and a plot for slides
#
# You have a board, and want to know which solver is fastest on it, and to show that to others. This notebook measures a backtracking
# search (`norvig`), a SAT solver (`sat`) and Unidoku's own compiled search (`native`), and draws the result.

# %%
import matplotlib.pyplot as plt
import unidoku

board = unidoku.Board.parse(
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
)
board

# %% [markdown]
# ## Solve it
#
# All three find the same grid, and prove that it is the only one. `solutions=2` asks for that proof.

# %%
backends = ["norvig", "sat", "native"]
for backend in backends:
    print(f"{backend:8}", unidoku.solve(board, backend=backend, solutions=2))

# %% tags=["varies"]
unidoku.solve(board)

# %% [markdown]
# ## Measure
#
# One measurement says little: the next one is different. `compare` repeats each search in random order, and checks on the way that the
# solvers agree. `engine="inline"` measures in this process, which is quick to start; without it each run has a process of its own, whose
# limits are enforced.

# %%
comparison = unidoku.compare(
    [board], backends, repeats=5, sample_ms=2, solutions=2, engine="inline"
)
print(comparison.verdict().disagreements or "no disagreement")

# %% tags=["varies"]
runs = comparison.to_pandas()
runs["milliseconds"] = runs["wall_ns"] / 1e6
runs.groupby("backend")["milliseconds"].describe()[["min", "50%", "max"]].round(3)

# %% [markdown]
# ## Draw
#
# The axis is logarithmic, since the solvers differ by a factor of hundreds. Each point is a run, so that the audience sees how much they
# scatter, and the tall mark is the median. Bars would lie: on a logarithmic axis there is no zero for them to begin at.

# %% tags=["varies"]
figure, axes = plt.subplots(figsize=(7, 2.4))
medians = runs.groupby("backend")["milliseconds"].median().sort_values()
axes.plot(medians, medians.index, "|", color="#c1121f", markersize=26, markeredgewidth=3)
axes.plot(runs["milliseconds"], runs["backend"], "o", color="#1d3557", markersize=5, alpha=0.6)
axes.set_xscale("log")
axes.set_ylim(-0.6, len(medians) - 0.4)
axes.grid(axis="x", color="#dddddd")
axes.set_xlabel("milliseconds for a proof that the solution is unique (log scale)")
axes.spines[["top", "right"]].set_visible(False)
figure.tight_layout()
figure.savefig("three-solvers.svg")
figure

# %% [markdown]
# `figure.savefig("three-solvers.pdf")` writes it for LaTeX, and `.png` for other slides. For the board itself,
# `unidoku draw` writes SVG, PNG and PDF.
