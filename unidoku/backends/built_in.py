"""The rows of the backends that come with Unidoku, in the order in which they are listed."""

from __future__ import annotations

from unidoku.backends.base import Capabilities
from unidoku.backends.spec import BackendSpec

__all__ = ["BUILT_IN"]

_NON_CONSECUTIVE = frozenset({"non-consecutive"})

BUILT_IN: tuple[BackendSpec, ...] = (
    BackendSpec(
        name="native",
        target="unidoku.backends.native:Native",
        summary="Unidoku's own: compiled from the units, many boards at once",
        paradigm="bit-parallel search",
        capabilities=Capabilities(
            rules=_NON_CONSECUTIVE,
            honours=frozenset({"time_limit", "node_limit", "threads"}),
        ),
        distributions=("unidoku",),
        licence="MIT",
    ),
    BackendSpec(
        name="norvig",
        target="unidoku.backends.adapters.norvig:Norvig",
        summary="propagation and depth-first search, after Norvig's essay",
        paradigm="propagation and search",
        capabilities=Capabilities(
            rules=_NON_CONSECUTIVE,
            honours=frozenset({"time_limit", "node_limit"}),
        ),
        distributions=("unidoku",),
        homepage="https://norvig.com/sudoku.html",
        licence="MIT",
    ),
    BackendSpec(
        name="logic",
        target="unidoku.backends.adapters.logic:logic",
        summary="the techniques of people, alone or with search",
        paradigm="human techniques",
        capabilities=Capabilities(
            rules=_NON_CONSECUTIVE,
            honours=frozenset({"time_limit", "node_limit"}),
            complete=False,  # unless it may search
        ),
        distributions=("unidoku",),
        homepage="https://hodoku.sourceforge.net/en/techniques.php",
        licence="MIT",
    ),
    BackendSpec(
        name="python-constraint",
        target="unidoku.backends.adapters.python_constraint:PythonConstraint",
        summary="CSP solver in Python: backtracking with forward checking",
        paradigm="constraint programming",
        capabilities=Capabilities(
            rules=_NON_CONSECUTIVE,
            honours=frozenset({"time_limit", "node_limit"}),
        ),
        requires=("constraint",),
        distributions=("python-constraint2", "python-constraint"),
        install="pip install 'unidoku[python-constraint]'",
        homepage="https://github.com/python-constraint/python-constraint",
        licence="BSD-2-Clause",
    ),
    BackendSpec(
        name="cp-sat",
        target="unidoku.backends.adapters.cp_sat:CpSat",
        summary="OR-Tools CP-SAT",
        paradigm="lazy clause generation",
        capabilities=Capabilities(
            rules=_NON_CONSECUTIVE,
            honours=frozenset({"time_limit", "threads", "seed"}),
        ),
        requires=("ortools",),
        distributions=("ortools",),
        install="pip install 'unidoku[cp-sat]'",
        homepage="https://developers.google.com/optimization/cp/cp_solver",
        licence="Apache-2.0",
    ),
    BackendSpec(
        name="sat",
        target="unidoku.backends.adapters.sat:Sat",
        summary="PySAT: CaDiCaL, Glucose, MiniSat and others, kept live",
        paradigm="SAT",
        capabilities=Capabilities(
            rules=_NON_CONSECUTIVE,
            honours=frozenset({"time_limit"}),
        ),
        requires=("pysat",),
        distributions=("python-sat",),
        install="pip install python-sat",
        homepage="https://pysathq.github.io",
        licence="MIT",
    ),
    BackendSpec(
        name="exact-cover",
        target="unidoku.backends.adapters.exact_cover:ExactCover",
        summary="Knuth's Algorithm X with dancing links",
        paradigm="exact cover",
        capabilities=Capabilities(
            rules=_NON_CONSECUTIVE,
            honours=frozenset({"time_limit", "node_limit"}),
            max_values=64,  # 3 s and 300 MB for the links; they grow with the cube
        ),
        distributions=("unidoku",),
        homepage="https://www-cs-faculty.stanford.edu/~knuth/taocp.html",
        licence="MIT",
    ),
    BackendSpec(
        name="choco",
        target="unidoku.backends.adapters.choco:Choco",
        summary="Choco, by its native library: arc consistency and search",
        paradigm="constraint programming",
        capabilities=Capabilities(
            rules=_NON_CONSECUTIVE,
            honours=frozenset({"time_limit", "node_limit"}),
        ),
        requires=("pychoco",),
        distributions=("pychoco",),
        install="pip install 'unidoku[choco]'",
        homepage="https://github.com/chocoteam/pychoco",
        licence="BSD-3-Clause",
        forkable=False,  # its Java part has threads from the import on; copies without them crash
    ),
    BackendSpec(
        name="clingo",
        target="unidoku.backends.adapters.clingo:Clingo",
        summary="Potassco's clingo, grounded once a layout, boards as assumptions",
        paradigm="answer-set programming",
        capabilities=Capabilities(
            rules=_NON_CONSECUTIVE,
            honours=frozenset({"time_limit", "threads", "seed"}),
            max_values=81,  # written in 3 s; 100 values take 6
        ),
        requires=("clingo",),
        distributions=("clingo",),
        install="pip install 'unidoku[clingo]'",
        homepage="https://potassco.org/clingo/",
        licence="MIT",
    ),
    BackendSpec(
        name="z3",
        target="unidoku.backends.adapters.z3:Z3",
        summary="Microsoft's Z3, on Booleans in a live solver",
        paradigm="SMT",
        capabilities=Capabilities(
            rules=_NON_CONSECUTIVE,
            honours=frozenset({"time_limit", "seed"}),
            max_values=64,  # asserted in 4 s; 81 values take 10
        ),
        requires=("z3",),
        distributions=("z3-solver",),
        install="pip install 'unidoku[z3]'",
        homepage="https://github.com/Z3Prover/z3",
        licence="MIT",
    ),
    BackendSpec(
        name="pumpkin",
        target="unidoku.backends.adapters.pumpkin:Pumpkin",
        summary="Pumpkin, a clause-learning constraint solver in Rust",
        paradigm="lazy clause generation",
        capabilities=Capabilities(
            rules=_NON_CONSECUTIVE,
            honours=frozenset({"time_limit"}),
            max_values=64,  # an empty board takes five seconds to be modelled, of 81 values ten
        ),
        requires=("pumpkin_solver",),
        distributions=("pumpkin-solver",),
        install="pip install 'unidoku[pumpkin]'",
        homepage="https://github.com/ConSol-Lab/Pumpkin",
        licence="MIT OR Apache-2.0",
    ),
    BackendSpec(
        name="highs",
        target="unidoku.backends.adapters.highs:Highs",
        summary="HiGHS: a 0-1 program, solved by branch and cut",
        paradigm="MIP",
        capabilities=Capabilities(
            rules=_NON_CONSECUTIVE,
            honours=frozenset({"time_limit", "seed"}),
        ),
        requires=("highspy",),
        distributions=("highspy",),
        install="pip install 'unidoku[highs]'",
        homepage="https://highs.dev",
        licence="MIT",
    ),
    BackendSpec(
        name="minizinc",
        target="unidoku.backends.adapters.minizinc:MiniZinc",
        summary="MiniZinc: a model for any FlatZinc solver that it finds",
        paradigm="modelling language",
        capabilities=Capabilities(
            rules=_NON_CONSECUTIVE,
            honours=frozenset({"time_limit", "threads"}),
        ),
        programs=("minizinc",),
        install="apt install minizinc, or the bundle from its homepage",
        homepage="https://www.minizinc.org",
        licence="MPL-2.0",
    ),
    BackendSpec(
        name="cpmpy",
        target="unidoku.backends.adapters.cpmpy:CPMpy",
        summary="CPMpy: a bridge to the solvers that it knows",
        paradigm="modelling library",
        capabilities=Capabilities(
            rules=_NON_CONSECUTIVE,
            honours=frozenset({"time_limit"}),
        ),
        requires=("cpmpy",),
        distributions=("cpmpy",),
        install="pip install 'unidoku[cpmpy]'",
        homepage="https://github.com/CPMpy/cpmpy",
        licence="Apache-2.0",
    ),
)
