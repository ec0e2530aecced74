"""Makes puzzles with rules: rules are laid on a hidden grid, then givens and rules are taken away.

- `draft`: a puzzle on the way, and the oracle that looks for a second solution.
- `places`: connected groups of cells, paths, lines of sight.
- `kinds`: lays rules of a kind on a full grid.
- `families`: whole kinds of puzzles, such as KenKen, with layouts of their own.
- `mend`: changes to a draft that has a second solution.
- `run`: makes puzzles until there are enough or the time is over.
"""

from __future__ import annotations

from unidoku.generation.ruled.families import FAMILIES
from unidoku.generation.ruled.kinds import KINDS_TO_LAY
from unidoku.generation.ruled.run import RuledGeneration

__all__ = ["FAMILIES", "KINDS_TO_LAY", "RuledGeneration"]
