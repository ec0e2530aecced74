"""MiniZinc and Gecode: alldifferent, sums, tables and regular, in a file a board."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from textbook.facts import Accepted, Differ, Equals, Fact, Related, Row, facts
from unidoku import Board


def solve(board: Board) -> tuple[int, float]:
    """Compile the model, and have Gecode find two solutions; building is the compiler's time."""
    with tempfile.TemporaryDirectory() as folder:
        model, flat = Path(folder) / "model.mzn", Path(folder) / "model.fzn"
        model.write_text("\n".join(_model(board)), encoding="utf-8")
        compiler = ["minizinc", "--solver", "gecode", "-c", "--no-output-ozn"]
        subprocess.run([*compiler, "--fzn", str(flat), str(model)], check=True, capture_output=True)
        began = time.perf_counter()
        run = ["fzn-gecode", "-n", "2", str(flat)]
        done = subprocess.run(run, check=True, capture_output=True, text=True)
        return done.stdout.count("-" * 10), time.perf_counter() - began


def _model(board: Board) -> Iterator[str]:
    layout = board.layout
    yield from (f'include "{name}.mzn";' for name in ("alldifferent", "table", "regular"))
    yield f"array[1..{len(layout)}] of var 1..{layout.n}: x;"
    for cell in layout.cells:
        if len(values := board.values(cell)) < layout.n:
            yield f"constraint x[{cell + 1}] in {{{', '.join(map(str, values))}}};"
    for fact in facts(board):
        yield _fact(fact, layout.n)
    yield "solve satisfy;"


def _fact(fact: Fact, n: int) -> str:
    cells = f"[{', '.join(f'x[{cell + 1}]' for cell in fact.cells)}]"
    match fact:
        case Differ():
            return f"constraint alldifferent({cells});"
        case Equals(_, total):
            return f"constraint sum({cells}) = {total};"
        case Related(_, rows) | Row(_, rows):
            lines = " | ".join(", ".join(map(str, row)) for row in rows)
            return f"constraint table({cells}, [| {lines} |]);"
        case Accepted(_, states, accepting, steps):
            after = {(state, value): target + 1 for state, value, target in steps}
            lines = " | ".join(
                ", ".join(str(after.get((state, value), 0)) for value in range(1, n + 1))
                for state in range(states)
            )
            ends = ", ".join(str(state + 1) for state in accepting)
            return f"constraint regular({cells}, {states}, {n}, [| {lines} |], 1, {{{ends}}});"
