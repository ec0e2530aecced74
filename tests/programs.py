"""Programs that pip does not bring: tests that need one are skipped where it is not installed."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable

import pytest

__all__ = ["PACKAGES", "VARIABLE", "closing_line", "named_in", "needs", "require"]

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
}
"""The programs, and Debian's packages that have them."""

VARIABLE = "UNIDOKU_TEST_PROGRAMS"
"""The environment variable that is ``required`` where a test without its program fails."""

_REASON = "not installed: "


def needs(*programs: str) -> pytest.MarkDecorator:
    """Mark what needs programs."""
    assert set(programs) <= PACKAGES.keys()
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
    """Say how many tests were skipped for want of which programs, and what to type.

    Args:
        reasons: of all skipped tests, and how many have each.
    """
    skipped = {
        reason.removeprefix(_REASON): number
        for reason, number in reasons.items()
        if reason.startswith(_REASON)
    }
    if not skipped:
        return ""
    missing = [program for program in PACKAGES if program in " ".join(skipped).split()]
    number = sum(skipped.values())
    listed = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
    return (
        f"{number} {'test was' if number == 1 else 'tests were'} skipped: {listed} "
        f"{'is' if len(missing) == 1 else 'are'} not installed; to run them: "
        f"apt install {' '.join(PACKAGES[program] for program in missing)}"
    )
