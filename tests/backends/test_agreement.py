"""The backends against each other, and against counts known from elsewhere."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import unidoku
from unidoku import Board, Status, layout
from unidoku.errors import UnsupportedError
from unidoku.testing import brute_force
from unidoku.testing.strategies import boards, unit_systems

ROOT = Path(__file__).parent.parent.parent
DATA = Path(os.environ.get("UNIDOKU_DATA", ROOT.parent / "shared" / "data"))
BACKENDS = ["norvig", "python-constraint", "cp-sat"]


@settings(max_examples=200)
@given(boards(unit_systems()))
def test_all_backends_count_alike_on_random_unit_systems(board: Board) -> None:
    results = [unidoku.solve(board, backend=name, solutions=50) for name in BACKENDS]
    assert len({(result.count, result.stop) for result in results}) == 1
    if results[0].status in (Status.ALL_SOLUTIONS, Status.UNSATISFIABLE):
        assert len({frozenset(result.solutions) for result in results}) == 1


@given(boards(unit_systems().filter(lambda layout: layout.n ** len(layout) < 5000)))
def test_norvig_finds_what_brute_force_finds(board: Board) -> None:
    found = unidoku.solve(board, backend="norvig", solutions=None).solutions
    assert sorted(found) == sorted(brute_force(board))


@given(boards(unit_systems()))
def test_the_encodings_of_python_constraint_count_alike(board: Board) -> None:
    labels = [f"python-constraint[encoding={e}]" for e in ("domains", "constraints", "reduced")]
    results = [unidoku.solve(board, backend=label, solutions=20) for label in labels]
    assert len({(result.count, result.stop) for result in results}) == 1


@given(boards(unit_systems()))
def test_adding_a_unit_never_adds_a_solution(board: Board) -> None:
    cells = range(min(board.layout.n, len(board.layout)))
    more = unidoku.Layout.from_units(
        board.layout.n, [*board.layout.units, list(cells)], positions=board.layout.positions
    )
    tighter = unidoku.count(Board(more, board.candidates), limit=200, backend="norvig").count
    assert tighter <= unidoku.count(board, limit=200, backend="norvig").count


@given(boards(unit_systems()))
def test_deleting_a_given_never_removes_a_solution(board: Board) -> None:
    given = next((cell for cell, value in enumerate(board.givens) if value), 0)
    freed = list(board.candidates)
    freed[given] = Board.empty(board.layout).candidates[given]
    looser = unidoku.count(Board(board.layout, tuple(freed)), limit=200, backend="norvig").count
    assert looser >= unidoku.count(board, limit=200, backend="norvig").count


@pytest.mark.parametrize("name", ["norvig", "cp-sat"])
@pytest.mark.parametrize(
    ("variant", "n", "known"),
    [
        ("latin", 5, 161280),  # OEIS A002860
        ("latin+x", 6, 92160),  # OEIS A274806
        ("anti-knight", 6, 11520),
        ("anti-knight+anti-king+non-consecutive", 9, 72),
    ],
)
def test_full_grids_are_as_many_as_known(name: str, variant: str, n: int, known: int) -> None:
    result = unidoku.count(Board.empty(layout(variant, n)), backend=name)
    assert (result.count, result.status) == (known, Status.ALL_SOLUTIONS)


VARIANTS = {
    "X (both diagonals)": "x",
    "X + windoku": "x+windoku",
    "anti-knight": "anti-knight",
    "anti-knight + anti-king + orthogonal non-consecutive": "anti-knight+anti-king+non-consecutive",
}
OUT_OF_REACH = {
    "norvig_hard1": "148,357,268 solutions: hours for each of these backends",
    "norvig_impossible": "only cp-sat refutes it within a minute",
    "jigsaw_layout_impossible_1": "only cp-sat refutes it within a minute",
    "jigsaw_layout_impossible_2": "only cp-sat refutes it within a minute",
    "jigsaw_layout_impossible_3": "only cp-sat refutes it within a minute",
}


def _known_boards() -> list[Any]:
    path = DATA / "boards.json"
    if not path.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"{path} is not there"))]
    known = json.loads(path.read_text())["boards"]
    return [pytest.param(row, id=row["name"]) for row in known]


@pytest.mark.parametrize("row", _known_boards())
def test_known_boards_have_their_known_count_by_two_backends(row: dict[str, Any]) -> None:
    if row["variant"] == "jigsaw":
        variant = f"jigsaw:{row['regions']}"
    elif row["variant"] == "classic":
        variant = f"classic:{row['box_rows']}x{row['box_cols']}"
    else:
        variant = VARIANTS[row["variant"]]
    board = Board.parse(row["givens"], variant)
    if row["name"] == "norvig_hard1":
        result = unidoku.solve(board, backend="cp-sat", solutions=1000, keep=0)
        assert result.count == 1000
        return
    names = ["cp-sat"] if row["name"] in OUT_OF_REACH else ["cp-sat", "norvig"]
    for name in names:
        result = unidoku.solve(board, backend=name, solutions=None)
        assert result.count == row["solutions"], name
        assert result.status in (Status.ALL_SOLUTIONS, Status.UNSATISFIABLE), name
        if row["solution"] and row["solution"][0].isdigit():
            assert board.fill(result.solutions[0]).text("line") == row["solution"]


def test_a_rule_that_a_backend_does_not_know_is_refused() -> None:
    from tests.fakes import fake, honest
    from unidoku.backends import BackendSpec
    from unidoku.backends.base import Capabilities
    from unidoku.backends.solver import Solver

    spec = BackendSpec(name="plain", target="", summary="", capabilities=Capabilities())
    solver = Solver(spec, fake("plain", honest).backend)
    with pytest.raises(UnsupportedError, match="plain does not know the rule 'non-consecutive'"):
        solver.solve(Board.empty(layout("non-consecutive", 4)))
