"""Programs that pip does not bring: tests that need one are skipped where it is not installed."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGES = {
    "minizinc": "minizinc",
    "chromium": "chromium",
    "gcc": "gcc",
    "cadical": "cadical",
    "minisat": "minisat",
    "picosat": "picosat",
    "cryptominisat5": "cryptominisat",
    "clasp": "clasp",
    "gringo": "gringo",
    "cvc5": "cvc5",
    "boolector": "boolector",
    "glpsol": "glpk-utils",
    "cbc": "coinor-cbc",
    "lp_solve": "lp-solve",
    "toulbar2": "toulbar2",
    "fzn-gecode": "flatzinc",
    "java": "default-jre-headless",
    "swipl": "swi-prolog-nox",
    "gprolog": "gprolog",
    "nodejs": "nodejs",
    "tsc": "node-typescript",
}
"""The programs, and Debian's packages that have them."""

BROUGHT = {"clingo": "gringo", "kissat": "kissat", "z3": "z3"}
"""Programs that come with others or with packages of pip, and packages of Debian that have them."""

VARIABLE = "UNIDOKU_TEST_PROGRAMS"
"""The environment variable that is ``required`` where a test without its program fails."""

_REASON = "not installed: "


def find_programs_of_pip() -> None:
    """Add to the PATH the folders in which packages of pip have programs, after all others."""
    brought = find_spec("sage_wheels")  # of passagemath-kissat
    folders = [*(brought.submodule_search_locations or ())] if brought else []
    of_python = [Path(sys.executable).parent, *(Path(folder, "bin") for folder in folders)]
    os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", ""), *map(str, of_python)])


def needs(*programs: str) -> pytest.MarkDecorator:
    """Mark what needs programs."""
    assert set(programs) <= PACKAGES.keys() | BROUGHT.keys()
    return pytest.mark.needs(*programs)


def named_in(text: str) -> list[str]:
    """Return the programs that a text names."""
    return [program for program in PACKAGES if re.search(rf"\b{program}\b", text)]


def require(programs: Iterable[str]) -> None:
    """Skip the test, or have it fail, if a program is not installed."""
    if missing := [program for program in programs if shutil.which(program) is None]:
        reason = _REASON + " ".join(missing)
        if os.environ.get(VARIABLE) == "required":
            pytest.fail(f"{VARIABLE}=required, {reason}", pytrace=False)
        pytest.skip(reason)


def closing_line(reasons: Counter[str]) -> str:
    """Return how many tests were skipped because programs are missing, and what to type.

    Args:
        reasons: why tests were skipped, with the number of tests.
    """
    skipped = {
        reason.removeprefix(_REASON): number
        for reason, number in reasons.items()
        if reason.startswith(_REASON)
    }
    if not skipped:
        return ""
    packages = PACKAGES | BROUGHT
    missing = [program for program in packages if program in " ".join(skipped).split()]
    number = sum(skipped.values())
    listed = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
    return (
        f"{number} {'test was' if number == 1 else 'tests were'} skipped: {listed} "
        f"{'is' if len(missing) == 1 else 'are'} not installed; to run them: "
        f"apt install {' '.join(packages[program] for program in missing)}"
    )
