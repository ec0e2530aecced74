"""Unidoku: one board, every solver.

>>> import unidoku
>>> board = unidoku.Board.parse("1... ..2. .3.. ...4")
>>> print(unidoku.solve(board).solutions[0])
(1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 1, 2, 2, 1, 3, 4)

`Board` and `Layout` are the puzzle; `solve`, `count` and `true_candidates` ask a backend about
it; `load` makes a `Solver` for many boards; `catalogue` lists the backends.
"""

from unidoku.api import backbone, configured, count, solve, true_candidates
from unidoku.backends import BackendSpec, catalogue
from unidoku.backends.base import Backend, Capabilities, Request, Result, Status, Stop
from unidoku.backends.batch import BatchResult
from unidoku.backends.solver import Solver, load
from unidoku.core.board import Board, Problem
from unidoku.core.layout import Grid, Layout, Unit
from unidoku.core.propagate import propagate
from unidoku.core.rules import NonConsecutive, Rule
from unidoku.core.variants import layout, overlap
from unidoku.core.verify import is_solution, verify
from unidoku.draw import svg
from unidoku.errors import UnidokuError
from unidoku.formats import Puzzle, read_puzzles

__all__ = [
    "Backend",
    "BackendSpec",
    "BatchResult",
    "Board",
    "Capabilities",
    "Grid",
    "Layout",
    "NonConsecutive",
    "Problem",
    "Puzzle",
    "Request",
    "Result",
    "Rule",
    "Solver",
    "Status",
    "Stop",
    "UnidokuError",
    "Unit",
    "__version__",
    "backbone",
    "catalogue",
    "configured",
    "count",
    "is_solution",
    "layout",
    "load",
    "overlap",
    "propagate",
    "read_puzzles",
    "solve",
    "svg",
    "true_candidates",
    "verify",
]

__version__ = "0.1.0"

Board._repr_svg_ = svg
