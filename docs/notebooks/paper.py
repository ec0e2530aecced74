# %% [markdown]
# # A comparison for a paper, from TOML to LaTeX
#
# A comparison in a paper must be one that others can repeat. Here everything that matters is in one small file, every run is kept in a
# journal, and the table comes from that journal. The same from the shell is `unidoku compare paper.toml --output runs.jsonl --latex`.

# %%
from pathlib import Path

import unidoku
from unidoku.comparison import read_plan
from unidoku.comparison.session import RunOptions, carry_out
from unidoku.support.table import to_latex

# %% [markdown]
# ## The boards
#
# Six puzzles of 6×6 cells, from a seed, so that everybody has the same. This is the first.

# %%
puzzles = list(unidoku.generate(n=6, count=6, minimal=True, seed=2024))
unidoku.write(puzzles, "boards.toml")
puzzles[0]

# %% [markdown]
# ## The plan
#
# Each backend is a label with its options. `repeats` are the measurements of each search, and `solutions = 2` asks for a proof that
# the solution is unique. The seed decides about the order of the runs, which is random: in a fixed order, a slow phase of the machine would
# count against one solver.

# %%
plan = """
backends = ["norvig", "exact-cover", "exact-cover[heuristic=first]"]
repeats = 3
sample_ms = 1
solutions = 2
time_limit = 5
seed = 1

[[puzzles]]
files = ["boards.toml"]
"""
written = Path("paper.toml").write_text(plan)
print(plan)

# %% [markdown]
# ## Measure
#
# Each run is written to the journal as soon as it ends. After Ctrl-C the comparison is continued with `resume=True`. `engine="inline"`
# measures in this process; leave it out for numbers that you publish.

# %%
where = RunOptions(engine="inline", journal=Path("runs.jsonl"))
comparison = carry_out(read_plan(Path("paper.toml")), where)
print(comparison.done, "runs;", comparison.verdict().shared, "boards decided by several backends")
print("disagreements:", comparison.verdict().disagreements or "none")

# %% [markdown]
# ## The table
#
# `tables()` returns what `unidoku report runs.jsonl` prints. The ratio is the geometric mean over the boards, with a 95 %
# confidence interval: where the interval includes 1, the difference may be chance.

# %% tags=["varies"]
table = comparison.tables()[0]
print(to_latex(table))

# %% [markdown]
# ## What to hand in
#
# `paper.toml`, `boards.toml` and `runs.jsonl`: with them a reader repeats the comparison, or draws other conclusions from the same runs.
# The journal names the machine and the version of each solver.

# %%
for path in ("paper.toml", "boards.toml", "runs.jsonl"):
    print(path, Path(path).exists())
