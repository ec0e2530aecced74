"""What an installed wheel answers with its machine code alone; run by `make test-wheel`.

Usage: python wheel.py EXAMPLES, in an environment without llvmlite and with a folder that it may
not write to as home.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import unidoku
from unidoku.backends.native import library

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
JIGSAW = "jigsaw:aaabacbbccbdcddd"


def main(examples: Path) -> None:
    """Search a board, a jigsaw, a killer and a batch; fail if something else than code does."""
    assert find_spec("llvmlite") is None, "the default install has no compiler"
    assert library.level() is not None, "the wheel has code for this processor"
    native = unidoku.load("native")
    assert native.solve(HARD, solutions=2).unique
    assert "numpy" not in sys.modules, "one board needs no arrays"
    assert unidoku.count("." * 16, variant=JIGSAW, backend="native").count > 0
    (killer,) = unidoku.read(examples / "rules" / "killer.toml")
    assert native.solve(killer.board, solutions=2).unique
    batch = native.solve_many([HARD] * 2500, solutions=2)
    assert batch.counts.tolist() == [1] * 2500
    assert "lanes" in batch.statistics
    sys.stdout.write(f"the wheel searches with machine code for {library.level()}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
