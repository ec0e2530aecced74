"""Calls in which one allocation of Python fails: a program that says what is wrong afterwards.

    python -m tests.helpers.failing POINTS [CALL ...]

The call raises, or returns what it always does; the same call then gives the right answer, with the
same solver. It needs CPython's `_testcapi`, and is a program because one may end in an abort.
"""

from __future__ import annotations

import _testcapi  # type: ignore[import-not-found]  # of tests of CPython
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import unidoku
from unidoku import Board, Killer, Layout, layout

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
EASY = "1.....2..3.....4"

_SQUARE = layout("classic", 4)
_CAGE = Layout(4, _SQUARE.units, _SQUARE.positions, (Killer((0, 1, 5), 7),), "killer")
KILLERS = Board(_CAGE, Board.parse(EASY).candidates)


def search(label: str, board: str | Board) -> Callable[[], object]:
    """Return a search by one solver, of which what is right is compared."""
    solver = unidoku.load(label)
    return lambda: solver.solve(board, solutions=2).solutions


CALLS: dict[str, Callable[[], Callable[[], object]]] = {
    **{
        f"{label} {name}": lambda label=label, board=board: search(label, board)  # type: ignore[misc]
        for label in ("native", "norvig", "sat", "clingo", "exact-cover")
        for name, board in (("easy", EASY), ("killer", KILLERS))
    },
    "explain": lambda: lambda: str(unidoku.explain(EASY).steps),
    "hint": lambda: lambda: str(unidoku.hint(HARD)),
    "draw": lambda: lambda: unidoku.svg(EASY),
    "export": lambda: lambda: unidoku.export(EASY, "dimacs"),
    "candidates": lambda: lambda: unidoku.true_candidates(EASY),
}
"""Calls of the library, by name; each makes what it needs once.

OR-Tools is not among them: it ends the process where an allocation fails.
"""


def attempt(call: Callable[[], object], number: int) -> tuple[str, Any]:
    """Call while the allocation of this number fails; return how that ended, and the answer."""
    try:
        _testcapi.set_nomemory(number, number + 1)
        try:
            return "answered", call()
        finally:
            _testcapi.remove_mem_hooks()
    except Exception as error:  # noqa: BLE001 - any is a way to fail
        return type(error).__name__, None


def faults(name: str, points: int) -> list[str]:
    """Fail allocations of a call in turn; print the ends, and return what was wrong."""
    call = CALLS[name]()
    right = call()
    wrong, ends = [], Counter[str]()
    for number in range(points):
        how, answer = attempt(call, (number * number) // 8 + number)
        ends[how] += 1
        if how == "answered" and answer != right:
            wrong.append(f"{name} {number}: another answer")
        if call() != right:
            wrong.append(f"{name} {number}: after {how} the answer is another one")
    sys.stdout.write(f"# {name}: {dict(ends)}\n")
    sys.stdout.flush()
    return wrong


def main(points: int, names: Sequence[str]) -> int:
    """Run the program; return 1 if something is wrong."""
    wrong = [text for name in names or CALLS for text in faults(name, points)]
    sys.stdout.write("".join(f"{text}\n" for text in wrong))
    return min(len(wrong), 1)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
