"""The programs that are known by name, one row for each, installed or not."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from unidoku.backends.programs.spec import FAMILY, ProgramSpec


class _Program(NamedTuple):
    """What is known about a program, whatever language it reads."""

    summary: str
    homepage: str
    licence: str = "MIT"
    install: str = ""  # by default Debian's package of its name
    version: str = "--version"  # the arguments with which it prints its version; empty for none


_PROGRAMS = {
    "cadical": _Program("CaDiCaL", "https://github.com/arminbiere/cadical"),
    "kissat": _Program("Kissat", "https://github.com/arminbiere/kissat"),
    "minisat": _Program("MiniSat", "https://github.com/niklasso/minisat", version=""),
    "picosat": _Program("PicoSAT", "https://fmv.jku.at/picosat/"),
    "cryptominisat5": _Program(
        "CryptoMiniSat",
        "https://github.com/msoos/cryptominisat",
        install="apt install cryptominisat",
    ),
    "clasp": _Program("clasp", "https://potassco.org/clasp/"),
    "clingo": _Program("clingo", "https://potassco.org/clingo/", install="apt install gringo"),
    "cvc5": _Program("cvc5", "https://cvc5.github.io", "BSD-3-Clause"),
    "z3": _Program("Z3", "https://github.com/Z3Prover/z3"),
    "boolector": _Program("Boolector", "https://boolector.github.io"),
    "glpsol": _Program(
        "GLPK", "https://www.gnu.org/software/glpk/", "GPL-3.0-or-later", "apt install glpk-utils"
    ),
    "cbc": _Program(
        "Cbc", "https://github.com/coin-or/Cbc", "EPL-2.0", "apt install coinor-cbc", "-quit"
    ),
    "lp_solve": _Program(
        "lp_solve",
        "https://lpsolve.sourceforge.net",
        "LGPL-2.1-or-later",
        "apt install lp-solve",
        "-S7 -parse",
    ),
    "toulbar2": _Program("toulbar2", "https://toulbar2.github.io/toulbar2/"),
    "fzn-gecode": _Program(
        "Gecode, on FlatZinc that MiniZinc compiles",
        "https://www.gecode.org",
        install="apt install flatzinc minizinc",
        version="-help",
    ),
    "minizinc": _Program(
        "MiniZinc, which compiles and runs Gecode", "https://www.minizinc.org", "MPL-2.0"
    ),
    "swipl": _Program(
        "SWI-Prolog's library clpfd",
        "https://www.swi-prolog.org",
        "BSD-2-Clause",
        "apt install swi-prolog-nox",
    ),
    "gprolog": _Program("GNU Prolog", "https://github.com/didoudiaz/gprolog", "LGPL-3.0-or-later"),
    "java": _Program(
        "ACE, a constraint solver in Java that PyCSP3 brings",
        "https://github.com/xcsp3team/ace",
        install="apt install default-jre-headless; pip install pycsp3",
        version="",
    ),
    "package:cosoco_bin/cosoco": _Program(
        "cosoco, a constraint solver",
        "https://github.com/xcsp3team/cosoco",
        install="pip install cosoco",
    ),
}
"""The programs by the first word of their commands."""

_CLASP = "clasp --stats --seed={seed} -t {threads} {file}"
_ACE = (
    "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -jar package:pycsp3/solvers/ace/*.jar "
    "{file} -s={solutions} -seed={seed} -xe -npc"
)

_COMMANDS = {
    "cadical": ("dimacs", "cadical --seed={seed} {file}"),
    "kissat": ("dimacs", "kissat --seed={seed} {file}"),
    "minisat": ("dimacs", "minisat {file} {answer}"),
    "picosat": ("dimacs", "picosat -v -s {seed} {file}"),
    "cryptominisat": ("dimacs", "cryptominisat5 --random {seed} --threads {threads} {file}"),
    "clasp": ("dimacs", _CLASP),
    "clasp-opb": ("opb", _CLASP),
    "clingo-asp": ("asp", "clingo --stats --seed={seed} -t {threads} {file}"),
    "cvc5": ("smtlib", "cvc5 --produce-models --seed={seed} {file}"),
    "cvc5-bv": ("smtlib-bv", "cvc5 --dump-models --seed={seed} {file}"),
    "z3-smtlib": ("smtlib", "z3 -smt2 {file}"),
    "boolector": ("smtlib-bv", "boolector --smt2 -m {file}"),
    "glpk": ("lp", "glpsol --seed {seed} --lp {file} -o {answer}"),
    "glpk-mps": ("mps", "glpsol --seed {seed} --freemps {file} -o {answer}"),
    "cbc": ("lp", "cbc {file} solve solution {answer}"),
    "cbc-mps": ("mps", "cbc {file} solve solution {answer}"),
    "lp_solve": ("mps", "lp_solve -fmps {file} -S4"),
    "toulbar2": ("cfn", "toulbar2 -seed={seed} {file} -s=3"),
    "gecode": ("flatzinc", "fzn-gecode -s -r {seed} -p {threads} {file}"),
    "minizinc-gecode": (
        "minizinc",
        "minizinc --solver gecode -s -r {seed} -p {threads} {file}",
    ),
    "swi-prolog": ("prolog", "swipl {file} {solutions}"),
    "gprolog": ("gnu-prolog", "gprolog --consult-file {file} -- {solutions}"),
    "ace": ("xcsp3", _ACE),
    "cosoco": ("xcsp3", "package:cosoco_bin/cosoco {file} -model=1 -nbsols={solutions}"),
}
"""The language and the command of each backend."""


def _row(name: str, language: str, command: str) -> ProgramSpec:
    """Return the row of a backend."""
    word = command.partition(" ")[0]
    program = _PROGRAMS[word]
    return ProgramSpec.of(
        name,
        language,
        command,
        version=program.version and f"{word} {program.version}",
        summary=program.summary,
        install=program.install or f"apt install {word}",
        homepage=program.homepage,
        licence=program.licence,
    )


@cache
def known_programs() -> Mapping[str, ProgramSpec]:
    """Return the rows by name, the family last."""
    rows = {name: _row(name, *command) for name, command in _COMMANDS.items()}
    return MappingProxyType({**rows, FAMILY.name: FAMILY})
