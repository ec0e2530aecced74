"""Makes puzzles with rules: adds rules to a full grid, then removes givens and rules.

- `draft`: an unfinished puzzle, and the oracle that looks for a second solution.
- `places`: connected groups of cells, paths, lines of sight.
- `kinds`: adds rules of a kind to a full grid.
- `families`: whole families of puzzles, such as KenKen, which have their own layouts.
- `repair`: changes to a draft that has a second solution.
- `run`: makes puzzles until there are enough or the time limit is reached.
"""

from __future__ import annotations

from unidoku.generation.ruled.families import FAMILIES
from unidoku.generation.ruled.kinds import PLACEABLE_KINDS
from unidoku.generation.ruled.run import RuledGeneration

__all__ = ["FAMILIES", "PLACEABLE_KINDS", "RuledGeneration"]
