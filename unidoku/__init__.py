r"""Unidoku: one board, every solver.

>>> import unidoku
>>> result = unidoku.solve("1... ..2. .3.. ...4", solutions=2)
>>> print(result, result.text(), sep="\n")
exactly 1 solution
1 2 | 4 3
3 4 | 2 1
----+----
4 3 | 1 2
2 1 | 3 4

One call each: `solve`, `count`, `check`, `true_candidates`, `backbone`, `solve_many` and
`solve_file` ask a solver; `explain`, `hint` and `rate` reason as a person does; `generate` makes
puzzles; `compare` measures solvers side by side and proves that they agree; `fuzz` looks for
boards on which they do not. `load` makes a `Solver`; `catalogue` lists the backends.

Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from unidoku.core import display
from unidoku.version import __version__

if TYPE_CHECKING:
    from unidoku.api import (
        backbone,
        configured,
        count,
        solve,
        solve_many,
        true_candidates,
    )
    from unidoku.backends import BackendSpec, catalogue
    from unidoku.backends.base import Backend, Capabilities, Request, Result, Status, Stop
    from unidoku.backends.batch import BatchResult
    from unidoku.backends.solver import Solver, load
    from unidoku.checking import Check, check
    from unidoku.comparison import Comparison, compare
    from unidoku.core.board import Board, Problem
    from unidoku.core.layout import Grid, Layout, Unit
    from unidoku.core.propagate import propagate
    from unidoku.core.rules import NonConsecutive, Rule
    from unidoku.core.variants import layout, overlap
    from unidoku.core.verify import is_solution, verify
    from unidoku.draw import svg
    from unidoku.errors import (
        BackendError,
        BackendNotInstalledError,
        FormatError,
        InputError,
        LayoutError,
        OptionError,
        SettingsError,
        TimeLimitError,
        UnidokuError,
        UnknownBackendError,
        UnsupportedError,
        WrongAnswerError,
    )
    from unidoku.files.solve import Totals, count_file, solve_file
    from unidoku.formats import Puzzle, read_puzzles
    from unidoku.fuzzing import FuzzReport, fuzz
    from unidoku.generation import generate
    from unidoku.logic import Walkthrough, explain, hint
    from unidoku.rating import rate

__all__ = [
    "Backend",
    "BackendError",
    "BackendNotInstalledError",
    "BackendSpec",
    "BatchResult",
    "Board",
    "Capabilities",
    "Check",
    "Comparison",
    "FormatError",
    "FuzzReport",
    "Grid",
    "InputError",
    "Layout",
    "LayoutError",
    "NonConsecutive",
    "OptionError",
    "Problem",
    "Puzzle",
    "Request",
    "Result",
    "Rule",
    "SettingsError",
    "Solver",
    "Status",
    "Stop",
    "TimeLimitError",
    "Totals",
    "UnidokuError",
    "Unit",
    "UnknownBackendError",
    "UnsupportedError",
    "Walkthrough",
    "WrongAnswerError",
    "__version__",
    "backbone",
    "catalogue",
    "check",
    "compare",
    "configured",
    "count",
    "count_file",
    "explain",
    "fuzz",
    "generate",
    "hint",
    "is_solution",
    "layout",
    "load",
    "overlap",
    "propagate",
    "rate",
    "read_puzzles",
    "solve",
    "solve_file",
    "solve_many",
    "svg",
    "true_candidates",
    "verify",
]

_HOMES = {
    "unidoku.api": "backbone configured count solve solve_many true_candidates",
    "unidoku.backends": "BackendSpec catalogue",
    "unidoku.backends.base": "Backend Capabilities Request Result Status Stop",
    "unidoku.backends.batch": "BatchResult",
    "unidoku.backends.solver": "Solver load",
    "unidoku.checking": "Check check",
    "unidoku.comparison": "Comparison compare",
    "unidoku.core.board": "Board Problem",
    "unidoku.files.solve": "Totals count_file solve_file",
    "unidoku.formats": "Puzzle read_puzzles",
    "unidoku.core.layout": "Grid Layout Unit",
    "unidoku.core.propagate": "propagate",
    "unidoku.draw": "svg",
    "unidoku.core.rules": "NonConsecutive Rule",
    "unidoku.core.variants": "layout overlap",
    "unidoku.core.verify": "is_solution verify",
    "unidoku.errors": "BackendError BackendNotInstalledError FormatError InputError LayoutError "
    "OptionError SettingsError TimeLimitError UnidokuError UnknownBackendError UnsupportedError "
    "WrongAnswerError",
    "unidoku.fuzzing": "FuzzReport fuzz",
    "unidoku.generation": "generate",
    "unidoku.logic": "Walkthrough explain hint",
    "unidoku.rating": "rate",
}
"""Where each public name is: what a type checker reads above, for the interpreter."""

_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


if not TYPE_CHECKING:  # with it, type checkers would take any name for an attribute

    def __getattr__(name: str) -> object:
        """Import a public name, or a module such as `unidoku.errors`, when it is first used."""
        if name in _HOME:
            value = globals()[name] = getattr(import_module(_HOME[name]), name)
            return value
        if not name.startswith("_") and find_spec(f"unidoku.{name}") is not None:
            return import_module(f"unidoku.{name}")
        raise AttributeError(f"module 'unidoku' has no attribute {name!r}")


def _board_svg(board: Board) -> str:
    from unidoku.draw import svg

    return svg(board)


def _walkthrough_html(walkthrough: Walkthrough) -> str:
    from unidoku.logic.show import fragment

    return fragment(walkthrough)


display.board_svg, display.walkthrough_html = _board_svg, _walkthrough_html


def __dir__() -> list[str]:
    """List what is public, imported or not."""
    return sorted({*globals(), *__all__})
