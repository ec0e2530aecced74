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
boards on which they do not. `read` and `write` have files of puzzles. `load` makes a `Solver`;
`catalogue` lists the backends.

Names are imported when they are first used. What is imported here delays every command, and until
it is there Ctrl-C ends one with a traceback: so not even `typing` is.
"""

from __future__ import annotations

from unidoku.core import display
from unidoku.support.moved import find_moved_modules, warn_of_former_name
from unidoku.version import __version__ as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unidoku.analysis.check import Check as Check
    from unidoku.analysis.check import check as check
    from unidoku.analysis.estimate import CountEstimate as CountEstimate
    from unidoku.analysis.estimate import estimate_count as estimate_count
    from unidoku.analysis.mistakes import Mistake as Mistake
    from unidoku.analysis.rate import rate as rate
    from unidoku.analysis.survey import Survey as Survey
    from unidoku.analysis.survey import survey as survey
    from unidoku.analysis.trace import Trace as Trace
    from unidoku.analysis.trace import trace as trace
    from unidoku.analysis.walk import NoStep as NoStep
    from unidoku.analysis.walk import explain as explain
    from unidoku.analysis.walk import hint as hint
    from unidoku.analysis.why import Why as Why
    from unidoku.analysis.why import why as why
    from unidoku.api import backbone as backbone
    from unidoku.api import configured as configured
    from unidoku.api import count as count
    from unidoku.api import solve as solve
    from unidoku.api import solve_many as solve_many
    from unidoku.api import true_candidates as true_candidates
    from unidoku.backends import BackendSpec as BackendSpec
    from unidoku.backends import catalogue as catalogue
    from unidoku.backends.base import Backend as Backend
    from unidoku.backends.base import Capabilities as Capabilities
    from unidoku.backends.base import Request as Request
    from unidoku.backends.base import Result as Result
    from unidoku.backends.base import Status as Status
    from unidoku.backends.base import Stop as Stop
    from unidoku.backends.batch import BatchResult as BatchResult
    from unidoku.backends.languages import export as export
    from unidoku.backends.languages import read_answer as read_answer
    from unidoku.backends.solving.solver import Solver as Solver
    from unidoku.backends.solving.solver import load as load
    from unidoku.comparison import Comparison as Comparison
    from unidoku.comparison import compare as compare
    from unidoku.core.board import Board as Board
    from unidoku.core.board import Problem as Problem
    from unidoku.core.constraints.primitives import Automaton as Automaton
    from unidoku.core.constraints.primitives import Or as Or
    from unidoku.core.constraints.primitives import Region as Region
    from unidoku.core.constraints.primitives import Relation as Relation
    from unidoku.core.constraints.primitives import SameValues as SameValues
    from unidoku.core.constraints.primitives import Sets as Sets
    from unidoku.core.constraints.primitives import Sum as Sum
    from unidoku.core.constraints.primitives import Table as Table
    from unidoku.core.layout import Grid as Grid
    from unidoku.core.layout import Layout as Layout
    from unidoku.core.layout import Unit as Unit
    from unidoku.core.propagation.propagate import propagate as propagate
    from unidoku.core.rules import *  # noqa: F403 - re-exported: all that it has
    from unidoku.core.variants import layout as layout
    from unidoku.core.variants import overlap as overlap
    from unidoku.core.verify.boards import is_solution as is_solution
    from unidoku.core.verify.boards import verify as verify
    from unidoku.draw import svg as svg
    from unidoku.errors import BackendError as BackendError
    from unidoku.errors import BackendNotInstalledError as BackendNotInstalledError
    from unidoku.errors import Cancelled as Cancelled
    from unidoku.errors import FormatError as FormatError
    from unidoku.errors import InputError as InputError
    from unidoku.errors import LayoutError as LayoutError
    from unidoku.errors import MemoryLimitError as MemoryLimitError
    from unidoku.errors import NotInstalledError as NotInstalledError
    from unidoku.errors import OptionError as OptionError
    from unidoku.errors import OutputError as OutputError
    from unidoku.errors import SettingsError as SettingsError
    from unidoku.errors import TimeLimitError as TimeLimitError
    from unidoku.errors import UnidokuError as UnidokuError
    from unidoku.errors import UnknownBackendError as UnknownBackendError
    from unidoku.errors import UnsupportedError as UnsupportedError
    from unidoku.errors import WrongAnswerError as WrongAnswerError
    from unidoku.files.puzzles import read as read
    from unidoku.files.ruled import write as write
    from unidoku.files.solve import Totals as Totals
    from unidoku.files.solve import count_file as count_file
    from unidoku.files.solve import solve_file as solve_file
    from unidoku.formats import Puzzle as Puzzle
    from unidoku.formats import read_puzzles as read_puzzles
    from unidoku.fuzzing import FuzzReport as FuzzReport
    from unidoku.fuzzing import fuzz as fuzz
    from unidoku.generation import generate as generate
    from unidoku.logic import Walkthrough as Walkthrough
    from unidoku.serve.widget import edit as edit
    from unidoku.support.cancel import Cancel as Cancel
    from unidoku.support.cancel import in_thread as in_thread

_HOMES = {
    "unidoku.api": "backbone configured count solve solve_many true_candidates",
    "unidoku.backends": "BackendSpec catalogue",
    "unidoku.backends.base": "Backend Capabilities Request Result Status Stop",
    "unidoku.backends.batch": "BatchResult",
    "unidoku.backends.solving.solver": "Solver load",
    "unidoku.support.cancel": "Cancel in_thread",
    "unidoku.analysis.check": "Check check",
    "unidoku.analysis.trace": "Trace trace",
    "unidoku.comparison": "Comparison compare",
    "unidoku.core.board": "Board Problem",
    "unidoku.files.puzzles": "read",
    "unidoku.files.ruled": "write",
    "unidoku.files.solve": "Totals count_file solve_file",
    "unidoku.formats": "Puzzle read_puzzles",
    "unidoku.core.layout": "Grid Layout Unit",
    "unidoku.core.propagation.propagate": "propagate",
    "unidoku.draw": "svg",
    "unidoku.core.rules": "AmbiguousArrow AnyOf Arrow Battlefield Between ChaosConstruction Clone "
    "Connected Contains "
    "CountDistinct CountingCircles DiffersBy DifferWhere DoubleArrow Doubler "
    "Entropic EqualityCage Even Flatmates FullRank Greater HiddenSkyscraper "
    "Hits Holds Index Indexed KenKen Killer Line LinesDiffer Lockout "
    "Lunchbox Maximum Minimum Modular Nabner NonConsecutive NonogramLine "
    "NoThreeEqual NumberedRoom Odd PairRule Pairs PairSum Palindrome Parity "
    "Product ProductLine Ratio RegionCount RegionRun RegionSum Rellik "
    "Renban Rule SameMultiset SameSum Sandwich Schroedinger Skyscraper SlowThermo "
    "SumLine SumOfCells Taxicab Thermo WeightedSum Whispers XSum Zipper",
    "unidoku.core.constraints.primitives": "Automaton Or Region Relation Table SameValues Sets Sum",
    "unidoku.core.variants": "layout overlap",
    "unidoku.core.verify.boards": "is_solution verify",
    "unidoku.errors": "BackendError BackendNotInstalledError Cancelled FormatError InputError "
    "LayoutError MemoryLimitError NotInstalledError OptionError OutputError SettingsError "
    "TimeLimitError UnidokuError UnknownBackendError UnsupportedError WrongAnswerError",
    "unidoku.fuzzing": "FuzzReport fuzz",
    "unidoku.generation": "generate",
    "unidoku.backends.languages": "export read_answer",
    "unidoku.logic": "Walkthrough",
    "unidoku.serve.widget": "edit",
    "unidoku.analysis.estimate": "CountEstimate estimate_count",
    "unidoku.analysis.rate": "rate",
    "unidoku.analysis.survey": "Survey survey",
    "unidoku.analysis.mistakes": "Mistake",
    "unidoku.analysis.walk": "NoStep explain hint",
    "unidoku.analysis.why": "Why why",
}
"""Where each public name is: what a type checker reads above, for the interpreter."""

_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


if not TYPE_CHECKING:  # type checkers would take any name for an attribute
    __all__ = list(_HOME)
    __all__.append("__version__")

    def __getattr__(name: str) -> object:
        """Import a public name, or a module such as `unidoku.errors`, when it is first used."""
        from importlib import import_module
        from importlib.util import find_spec

        if name in _HOME:
            value = globals()[name] = getattr(import_module(_HOME[name]), name)
            return value
        if name == "Rows":
            warn_of_former_name("unidoku.Rows", "unidoku.Table")
            return __getattr__("Table")
        if not name.startswith("_") and find_spec(f"unidoku.{name}") is not None:
            return import_module(f"unidoku.{name}")
        raise AttributeError(f"module 'unidoku' has no attribute {name!r}")


def _board_svg(board: Board, grid: Grid | None = None) -> str:
    from unidoku.draw import svg

    return svg(board, grid)


def _walkthrough_html(steps: Walkthrough) -> str:
    from unidoku.logic.show import fragment

    return fragment(steps)


find_moved_modules()
display.board_svg = _board_svg
display.walkthrough_html = _walkthrough_html


def __dir__() -> list[str]:
    """List what is public, imported or not."""
    return sorted({*globals(), *_HOME})
