"""User code that type checkers must accept, and lines that they must refuse.

It is checked, not run: ``mypy --strict`` fails if a line without a comment has an error, or a line
with a ``type: ignore`` has none.
"""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

import numpy as np

import unidoku
import unidoku.logic
from unidoku import Board, Check, Comparison, Result, Solver

TEXT = "1... ..2. .3.. ...4"
BOARD: Board = Board.parse(TEXT)
SOLVER: Solver = unidoku.load("cp-sat", num_workers=1)


def boards() -> None:
    """Values of cells, arrays, names."""
    assert_type(BOARD["A1"], int)
    assert_type(BOARD[0, 1], int)
    assert_type(BOARD.to_dict()["A1"], tuple[int, ...])
    assert_type(BOARD.to_numpy().tolist(), object)  # type: ignore[assert-type]  # it is a list
    BOARD[0, 1, 2]  # type: ignore[index]  # no board has three sides
    for _ in BOARD:  # type: ignore[misc]  # a board is one thing
        pass


def solving() -> None:
    """Texts, rows, arrays and boards; labels and solvers; limits."""
    assert_type(unidoku.solve(TEXT), Result)
    assert_type(unidoku.solve(BOARD, backend=SOLVER, solutions=2, time_limit=1.5), Result)
    unidoku.solve([[1, 0], [None, 2]], variant="latin", backend="norvig", node_limit=None)
    unidoku.solve([0] * 16)
    unidoku.solve(np.zeros((9, 9), np.int64), threads=2, seed=1)
    unidoku.solve(np.zeros((9, 9)))
    unidoku.solve(unidoku.read("killer.toml")[0], solutions=2)
    assert_type(unidoku.verify(TEXT, [1] * 16), list[str])
    assert_type(unidoku.propagate(TEXT), Board | None)
    assert_type(unidoku.svg(TEXT), str)
    assert_type(unidoku.count(TEXT, limit=5).count, int)
    assert_type(unidoku.true_candidates(TEXT, time_limit=1), Board)
    assert_type(unidoku.backbone(TEXT), tuple[int, ...])
    assert_type(unidoku.check(TEXT), Check)
    assert_type(unidoku.solve(TEXT).board, Board | None)
    assert_type(SOLVER.solve(TEXT, solutions=2).unique, bool | None)

    unidoku.solve(TEXT, backend="cp-sat", num_workers=2)  # an option of the backend
    unidoku.check(TEXT, backend="cp-sat", num_workers=2)
    unidoku.solve(TEXT, backend="cp-sat", num_workers=2, keep="1")  # type: ignore[arg-type]
    unidoku.count(TEXT, limit="2")  # type: ignore[arg-type]  # a number
    SOLVER.solve(TEXT, solution=2)  # type: ignore[call-arg]  # solutions
    unidoku.solve(TEXT, solutions="2")  # type: ignore[arg-type]  # a number
    unidoku.solve(TEXT, backend=7)  # type: ignore[arg-type]  # a label or a solver
    unidoku.solve(TEXT, TEXT)  # type: ignore[call-arg]  # one board
    unidoku.solve(3.5)  # type: ignore[arg-type]  # no board
    unidoku.check(TEXT, time_limit="2")  # type: ignore[arg-type]  # seconds
    SOLVER.solve(TEXT, tim_limit=2)  # type: ignore[call-arg]  # time_limit
    unidoku.nonsense()  # type: ignore[attr-defined]  # no such call


def many() -> None:
    """Boards by the thousand."""
    result = unidoku.solve_many([TEXT, b"1...", BOARD, [0] * 16], layout="classic", solutions=2)
    assert_type(result.texts(), list[str])
    unidoku.solve_many(np.array([TEXT, TEXT]), backend=SOLVER)
    unidoku.solve_many(np.zeros((2, 81), np.uint8))
    for part in SOLVER.stream(open_lines(), chunk=100, keep=0):
        assert_type(len(part), int)
    unidoku.solve_many([TEXT], keep="0")  # type: ignore[arg-type]  # a number


def files() -> None:
    """Files of any length."""
    totals = unidoku.solve_file(Path("boards.txt"), "solutions.csv", backend=SOLVER, solutions=2)
    assert_type(totals, unidoku.Totals)
    unidoku.count_file("boards.txt", "counts.txt", solution=2)  # type: ignore[call-arg]  # solutions


def open_lines() -> list[str]:
    """Return some texts."""
    return [TEXT]


def comparing() -> None:
    """Solvers side by side."""
    assert_type(unidoku.compare(), Comparison)
    comparison = unidoku.compare(
        [TEXT, BOARD], ["native", SOLVER], repeats=2, time_limit=1, workers=2
    )
    comparison.to_html("page.html")
    comparison.to_html(Path("page.html"))
    unidoku.compare(Path("boards.txt"), "native,cp-sat", output="runs.jsonl", resume=True)
    assert_type(unidoku.fuzz(["native", SOLVER], boards=10), unidoku.FuzzReport)
    unidoku.compare([TEXT], repeat=2)  # type: ignore[call-arg]  # repeats
    unidoku.compare([TEXT], repeats="2")  # type: ignore[arg-type]  # a number


def puzzle_files() -> None:
    """Puzzles with rules, in and out."""
    assert_type(unidoku.read("killer.toml"), list[unidoku.Puzzle])
    unidoku.write(BOARD, Path("board.toml"))
    unidoku.write([BOARD, *unidoku.read("boards.txt", size=9)], "boards.json", force=True)
    unidoku.write(TEXT, "board.toml")
    unidoku.write("ex.txt", [BOARD])  # type: ignore[arg-type]  # the file comes last


def reasoning() -> None:
    """Logic, ratings, new puzzles."""
    step = unidoku.hint(TEXT)
    assert_type(step.sentence if step else step.words, str)
    assert_type(unidoku.hint(TEXT, entries={"A2": 2}), unidoku.logic.Step | unidoku.NoStep)
    assert_type(unidoku.explain(BOARD, techniques="..swordfish").rating, float)
    assert_type(unidoku.rate(TEXT).level, str)
    assert_type(unidoku.rate(TEXT, scale="explainer").pearl, float)
    assert_type(
        unidoku.trace(TEXT, backend="norvig", solutions=2).root.filled, tuple[tuple[int, int], ...]
    )
    assert_type(next(unidoku.generate("x", n=4, count=1)), Board)
    unidoku.explain(TEXT, technique="all")  # type: ignore[call-arg]  # techniques


def failing() -> None:
    """Errors at the top."""
    try:
        unidoku.solve(TEXT)
    except (unidoku.InputError, unidoku.TimeLimitError, unidoku.BackendError) as error:
        assert_type(error, unidoku.InputError | unidoku.TimeLimitError | unidoku.BackendError)
