"""The programs that are known by name, one row for each, installed or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from unidoku.backends.programs.spec import FAMILY, ProgramSpec


@cache
def known_programs() -> Mapping[str, ProgramSpec]:
    """Return the rows by name, the family last."""
    return MappingProxyType({row.name: row for row in (*_rows(), FAMILY)})


def _rows() -> Iterator[ProgramSpec]:
    yield ProgramSpec.of(
        "cadical",
        "dimacs",
        "cadical --seed={seed} {file}",
        version="cadical --version",
        summary="CaDiCaL",
        install="apt install cadical",
        homepage="https://github.com/arminbiere/cadical",
        licence="MIT",
    )
    yield ProgramSpec.of(
        "kissat",
        "dimacs",
        "kissat --seed={seed} {file}",
        version="kissat --version",
        summary="Kissat",
        install="apt install kissat",
        homepage="https://github.com/arminbiere/kissat",
        licence="MIT",
    )
    yield ProgramSpec.of(
        "minisat",
        "dimacs",
        "minisat {file} {answer}",
        summary="MiniSat",
        install="apt install minisat",
        homepage="https://github.com/niklasso/minisat",
        licence="MIT",
    )
    yield ProgramSpec.of(
        "picosat",
        "dimacs",
        "picosat -v -s {seed} {file}",
        version="picosat --version",
        summary="PicoSAT",
        install="apt install picosat",
        homepage="https://fmv.jku.at/picosat/",
        licence="MIT",
    )
    yield ProgramSpec.of(
        "cryptominisat",
        "dimacs",
        "cryptominisat5 --random {seed} --threads {threads} {file}",
        version="cryptominisat5 --version",
        summary="CryptoMiniSat",
        install="apt install cryptominisat",
        homepage="https://github.com/msoos/cryptominisat",
        licence="MIT",
    )
    for name, language in (("clasp", "dimacs"), ("clasp-opb", "opb")):
        yield ProgramSpec.of(
            name,
            language,
            "clasp --stats --seed={seed} -t {threads} {file}",
            version="clasp --version",
            summary="clasp",
            install="apt install clasp",
            homepage="https://potassco.org/clasp/",
            licence="MIT",
        )
    yield ProgramSpec.of(
        "clingo-asp",
        "asp",
        "clingo --stats --seed={seed} -t {threads} {file}",
        version="clingo --version",
        summary="clingo",
        install="apt install gringo",
        homepage="https://potassco.org/clingo/",
        licence="MIT",
    )
    for name, language, option in (
        ("cvc5", "smtlib", "--produce-models"),
        ("cvc5-bv", "smtlib-bv", "--dump-models"),
    ):
        yield ProgramSpec.of(
            name,
            language,
            f"cvc5 {option} --seed={{seed}} {{file}}",
            version="cvc5 --version",
            summary="cvc5",
            install="apt install cvc5",
            homepage="https://cvc5.github.io",
            licence="BSD-3-Clause",
        )
    yield ProgramSpec.of(
        "z3-smtlib",
        "smtlib",
        "z3 -smt2 {file}",
        version="z3 --version",
        summary="Z3",
        install="apt install z3",
        homepage="https://github.com/Z3Prover/z3",
        licence="MIT",
    )
    yield ProgramSpec.of(
        "boolector",
        "smtlib-bv",
        "boolector --smt2 -m {file}",
        version="boolector --version",
        summary="Boolector",
        install="apt install boolector",
        homepage="https://boolector.github.io",
        licence="MIT",
    )
    for name, language, option in (("glpk", "lp", "--lp"), ("glpk-mps", "mps", "--freemps")):
        yield ProgramSpec.of(
            name,
            language,
            f"glpsol --seed {{seed}} {option} {{file}} -o {{answer}}",
            version="glpsol --version",
            summary="GLPK",
            install="apt install glpk-utils",
            homepage="https://www.gnu.org/software/glpk/",
            licence="GPL-3.0-or-later",
        )
    for name, language in (("cbc", "lp"), ("cbc-mps", "mps")):
        yield ProgramSpec.of(
            name,
            language,
            "cbc {file} solve solution {answer}",
            version="cbc -quit",
            summary="Cbc",
            install="apt install coinor-cbc",
            homepage="https://github.com/coin-or/Cbc",
            licence="EPL-2.0",
        )
    yield ProgramSpec.of(
        "lp_solve",
        "mps",
        "lp_solve -fmps {file} -S4",
        version="lp_solve -S7 -parse",
        summary="lp_solve",
        install="apt install lp-solve",
        homepage="https://lpsolve.sourceforge.net",
        licence="LGPL-2.1-or-later",
    )
    yield ProgramSpec.of(
        "toulbar2",
        "cfn",
        "toulbar2 -seed={seed} {file} -s=3",
        version="toulbar2 --version",
        summary="toulbar2",
        install="apt install toulbar2",
        homepage="https://toulbar2.github.io/toulbar2/",
        licence="MIT",
    )
    yield ProgramSpec.of(
        "gecode",
        "flatzinc",
        "fzn-gecode -s -r {seed} -p {threads} {file}",
        version="fzn-gecode -help",
        summary="Gecode, on FlatZinc that MiniZinc compiles",
        install="apt install flatzinc minizinc",
        homepage="https://www.gecode.org",
        licence="MIT",
    )
    yield ProgramSpec.of(
        "minizinc-gecode",
        "minizinc",
        "minizinc --solver gecode -s -r {seed} -p {threads} {file}",
        version="minizinc --version",
        summary="MiniZinc, which compiles and runs Gecode",
        install="apt install minizinc",
        homepage="https://www.minizinc.org",
        licence="MPL-2.0",
    )
    yield ProgramSpec.of(
        "swi-prolog",
        "prolog",
        "swipl {file} {solutions}",
        version="swipl --version",
        summary="SWI-Prolog's library clpfd",
        install="apt install swi-prolog-nox",
        homepage="https://www.swi-prolog.org",
        licence="BSD-2-Clause",
    )
    yield ProgramSpec.of(
        "gprolog",
        "gnu-prolog",
        "gprolog --consult-file {file} -- {solutions}",
        version="gprolog --version",
        summary="GNU Prolog",
        install="apt install gprolog",
        homepage="https://github.com/didoudiaz/gprolog",
        licence="LGPL-3.0-or-later",
    )
    yield ProgramSpec.of(
        "ace",
        "xcsp3",
        "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -jar package:pycsp3/solvers/ace/*.jar "
        "{file} -s={solutions} -seed={seed} -xe -npc",
        summary="ACE, a constraint solver in Java that PyCSP3 brings",
        install="apt install default-jre-headless; pip install pycsp3",
        homepage="https://github.com/xcsp3team/ace",
        licence="MIT",
    )
    yield ProgramSpec.of(
        "cosoco",
        "xcsp3",
        "package:cosoco_bin/cosoco {file} -model=1 -nbsols={solutions}",
        version="package:cosoco_bin/cosoco --version",
        summary="cosoco, a constraint solver",
        install="pip install cosoco",
        homepage="https://github.com/xcsp3team/cosoco",
        licence="MIT",
    )
