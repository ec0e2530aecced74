"""The backends against each other, and against counts known from elsewhere."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import unidoku
from tests.conftest import COMPLETE, SLOW, backend_labels, rounds
from tests.core.test_constraints import CONSTRAINTS, PLAIN, N, allowed, inside
from tests.helpers.volume import SOAK, volume
from unidoku import (
    Automaton,
    Board,
    Layout,
    Or,
    Region,
    Relation,
    Request,
    SameValues,
    Sets,
    Status,
    Stop,
    layout,
)
from unidoku.backends import find
from unidoku.backends.options import parse_label
from unidoku.backends.solving.policy import refusals
from unidoku.core.constraints.automaton import machine_of
from unidoku.core.constraints.primitives import Constraint
from unidoku.core.rules.fields import Cells
from unidoku.errors import UnsupportedError
from unidoku.testing import brute_force
from unidoku.testing.strategies import boards, ruled_layouts, unit_systems
from unidoku.testing.truth import ConstraintRule

ROOT = Path(__file__).parents[2]
LONGEST = 20.0
"""Seconds for a random board: those that guess without learning may take hours for a rare one."""

DATA = Path(os.environ.get("UNIDOKU_DATA", ROOT.parent / "shared" / "data"))


@pytest.mark.volume
def test_every_backend_counts_like_norvig_on_random_unit_systems(backend_name: str) -> None:
    @settings(max_examples=rounds(backend_name, 21))
    @given(boards(unit_systems()))
    def counts_alike(board: Board) -> None:
        _counts_like("norvig", backend_name, board)

    counts_alike()


@pytest.mark.volume
def test_every_backend_counts_like_native_on_boards_with_rules_or_refuses_a_constraint(
    backend_name: str,
) -> None:
    solver = unidoku.load(backend_name)

    @settings(max_examples=rounds(backend_name, 21))
    @given(boards(ruled_layouts()))
    def counts_alike(board: Board) -> None:
        if refusals(solver.spec.capabilities, board.layout, Request()):
            with pytest.raises(UnsupportedError, match="does not support"):
                solver.solve(board)
        else:
            _counts_like("native", backend_name, board)

    counts_alike()


def _counts_like(reference: str, backend_name: str, board: Board) -> None:
    # Slow backends begin again for each solution, and can take seconds for the last of fifty.
    wanted = min(50, volume(12)) if backend_name in SLOW else 50
    expected = unidoku.solve(board, backend=reference, solutions=wanted)
    result = unidoku.solve(board, backend=backend_name, solutions=wanted, time_limit=LONGEST)
    assume(result.stop is not Stop.TIME)  # hypothesis fails the test if that is true of many boards
    assert (result.count, result.stop) == (expected.count, expected.stop)
    if result.stop is Stop.EXHAUSTED:
        assert result.solutions == expected.solutions


def _of_file(name: str, *values: Any) -> Any:
    """Return a parameter that needs a file of the collections, which the project does not hold."""
    gone = pytest.mark.skipif(not (DATA / name).exists(), reason=f"not there: {DATA / name}")
    return pytest.param(*values, marks=gone)


@pytest.mark.thorough
@pytest.mark.volume
@pytest.mark.parametrize("name", [_of_file(f, f) for f in ("mixed_counts.txt", "unsolvable.txt")])
def test_every_backend_finds_none_one_or_two_solutions_of_five_hundred_puzzles(
    backend_name: str, name: str
) -> None:
    lines = [line.split()[0] for line in (DATA / name).read_text().splitlines()]
    assert len(lines) == 500
    lines = lines[:: max(1, 500 // volume(50))]
    reference = "norvig" if backend_name == "native" else "native"
    expected = unidoku.load(reference).solve_many(lines, solutions=2)
    results = unidoku.load(backend_name).solve_many(lines, solutions=2)
    assert results.counts.tolist() == expected.counts.tolist()
    assert results.stops.tolist() == expected.stops.tolist()
    assert set(results.counts.tolist()) == ({0, 1, 2} if name == "mixed_counts.txt" else {0})


@given(boards(unit_systems().filter(lambda layout: layout.n ** len(layout) < 5000)))
def test_norvig_finds_what_brute_force_finds(board: Board) -> None:
    solutions = unidoku.solve(board, backend="norvig", solutions=None).solutions
    assert sorted(solutions) == sorted(brute_force(board))


RULED = ("norvig", "native", "sat", "cp-sat", "cp-sat[encoding=integer]", "clingo")
"""Backends that are asked in ``make test``; in ``make soak`` all are."""


@given(boards(ruled_layouts().filter(lambda layout: layout.n ** len(layout) < 5000)))
def test_boards_with_rules_have_the_solutions_that_brute_force_finds(board: Board) -> None:
    expected = sorted(brute_force(board))
    for label in dict.fromkeys((*RULED, *(backend_labels().values() if SOAK else ()))):
        solver = unidoku.load(label)
        if not refusals(solver.spec.capabilities, board.layout, Request()):
            assert sorted(solver.solve(board, solutions=None).solutions) == expected, label


ENCODINGS = {
    "cp-sat": [f"encoding={name}" for name in ("boolean", "integer", "naive")],
    "exact-cover": ["heuristic=mrv", "heuristic=first"],
    "native": [f"engine={name}" for name in ("single", "python", "lanes")],
    "python-constraint": [f"encoding={name}" for name in ("domains", "constraints", "reduced")],
    "sat": [f"encoding={name}" for name in ("pairwise", "seqcounter", "bitwise", "ladder")],
}
"""The forms of one search."""


@pytest.mark.parametrize("backend", ENCODINGS)
@settings(max_examples=volume(15))
@given(board=boards(unit_systems()))
def test_the_encodings_of_a_backend_find_the_same_solutions(backend: str, board: Board) -> None:
    labels = [f"{backend}[{options}]" for options in ENCODINGS[backend]]
    results = [unidoku.solve(board, backend=label, solutions=50) for label in labels]
    assert len({(result.count, result.stop) for result in results}) == 1
    if results[0].stop is Stop.EXHAUSTED:
        assert len({frozenset(result.solutions) for result in results}) == 1


@given(boards(unit_systems()))
def test_adding_a_unit_never_adds_a_solution(board: Board) -> None:
    cells = range(min(board.layout.n, len(board.layout)))
    enlarged = unidoku.Layout.from_units(
        board.layout.n, [*board.layout.units, list(cells)], positions=board.layout.positions
    )
    tighter = unidoku.count(Board(enlarged, board.candidates), limit=200, backend="norvig").count
    assert tighter <= unidoku.count(board, limit=200, backend="norvig").count


@given(boards(unit_systems()))
def test_deleting_a_given_never_removes_a_solution(board: Board) -> None:
    given = next((cell for cell, value in enumerate(board.givens) if value), 0)
    freed = list(board.candidates)
    freed[given] = Board.empty(board.layout).candidates[given]
    looser = unidoku.count(Board(board.layout, tuple(freed)), limit=200, backend="norvig").count
    assert looser >= unidoku.count(board, limit=200, backend="norvig").count


@pytest.mark.parametrize(
    ("name", "variant", "n", "known"),
    [
        ("native", "latin", 5, 161280),  # OEIS A002860
        ("native", "latin+x", 6, 92160),  # OEIS A274806
        ("native[engine=lanes]", "latin+x", 6, 92160),
        *((name, "anti-knight", 6, 11520) for name in ("native", "norvig", "cp-sat")),
        *(
            (name, "anti-knight+anti-king+non-consecutive", 9, 72)
            for name in ("native", "native[engine=lanes]", "cp-sat")
        ),
        pytest.param(  # which takes 20 seconds
            "norvig", "anti-knight+anti-king+non-consecutive", 9, 72, marks=pytest.mark.soak
        ),
    ],
)
def test_full_grids_are_as_many_as_known(name: str, variant: str, n: int, known: int) -> None:
    board, images = Board.empty(layout(variant, n)), 1
    if not name.startswith("native") and variant == "anti-knight":
        # Renaming the values turns each grid with its first row in order into n! grids.
        board = Board.from_values(board.layout, [*range(1, n + 1), *[0] * (n * n - n)])
        images = math.factorial(n)
    result = unidoku.count(board, backend=name)
    assert (result.count * images, result.status) == (known, Status.ALL_SOLUTIONS)


VARIANTS = {
    "X (both diagonals)": "x",
    "X + windoku": "x+windoku",
    "anti-knight": "anti-knight",
    "anti-knight + anti-king + orthogonal non-consecutive": "anti-knight+anti-king+non-consecutive",
}
JIGSAWS = {f"jigsaw_layout_impossible_{number}" for number in (1, 2, 3)}
"""Empty boards of layouts without a solution: hard for solvers that do not learn."""

OUT_OF_REACH: dict[str, set[str]] = {
    "native": {"jigsaw_layout_impossible_2"},
    "choco": {"jigsaw_layout_impossible_2"},
    "exact-cover": JIGSAWS,
    "minizinc": JIGSAWS,
    COMPLETE["logic"]: {"norvig_hard1", "norvig_impossible", *JIGSAWS},
    "norvig": {"norvig_hard1", "norvig_impossible", *JIGSAWS},
    "python-constraint": {
        "norvig_impossible",
        "platinum_blonde",
        "fata_morgana",
        "x_18",
        "xwindoku_13_mbm",
        "jigsaw_18",
        "miracle",
        "antiknight_17",
        "g12",
        "g16",
        *JIGSAWS,
    },
}
"""Boards that take a backend more than some seconds."""


def _known_boards() -> Iterator[Any]:
    """Yield each board with every eighth backend; in ``make soak`` with all of them."""
    path = DATA / "boards.json"
    if not path.exists():
        yield _of_file("boards.json", None, "")
        return
    step = max(1, 8 // volume(1))
    for number, row in enumerate(json.loads(path.read_text())["boards"]):
        for index, (name, label) in enumerate(backend_labels().items()):
            if (number + index) % step == 0:
                yield pytest.param(row, label, id=f"{name}-{row['name']}")


@pytest.mark.thorough
@pytest.mark.volume
@pytest.mark.parametrize(("row", "backend_name"), list(_known_boards()))
def test_known_boards_have_their_known_count(row: dict[str, Any], backend_name: str) -> None:
    if row["variant"] == "jigsaw":
        variant = f"jigsaw:{row['regions']}"
    elif row["variant"] == "classic":
        variant = f"classic:{row['box_rows']}x{row['box_cols']}"
    else:
        variant = VARIANTS[row["variant"]]
    board = Board.parse(row["givens"], variant)
    if row["name"] in OUT_OF_REACH.get(backend_name, ()):
        result = unidoku.solve(board, backend=backend_name, solutions=2, time_limit=0.2)
        assert result.stop is Stop.TIME, "if it is within reach by now, let it be decided"
        assert result.count <= row["solutions"]
        return
    if row["name"] == "norvig_hard1":  # 148,357,268 solutions
        result = unidoku.solve(board, backend=backend_name, solutions=50, keep=0)
        assert result.count == 50
        return
    result = unidoku.solve(board, backend=backend_name, solutions=None)
    assert result.count == row["solutions"]
    assert result.status in (Status.ALL_SOLUTIONS, Status.UNSATISFIABLE)
    if row["solution"] and row["solution"][0].isdigit():
        assert board.fill(result.solutions[0]).text("line") == row["solution"]


def test_a_rule_that_a_backend_does_not_know_is_refused() -> None:
    from tests.helpers.wrong.answers import fake, honest
    from unidoku.backends import BackendSpec
    from unidoku.backends.base import Capabilities
    from unidoku.backends.solving.solver import Solver

    spec = BackendSpec(name="plain", target="", summary="", capabilities=Capabilities())
    solver = Solver(spec, fake("plain", honest).backend)
    lacking = "plain does not support relations, needed by 'non-consecutive'"
    with pytest.raises(UnsupportedError, match=lacking):
        solver.solve(Board.empty(layout("non-consecutive", 4)))


WHERE: Cells = (0, 1, 2, 3)


BRANCHES = st.lists(
    st.lists(CONSTRAINTS, min_size=1, max_size=2).map(tuple), min_size=2, max_size=3
)
SAME = st.permutations(range(4)).map(lambda c: SameValues((c[0], c[1]), (c[2], c[3])))
TWICE = Automaton((0, 1, 1), machine_of(N, {0}, {0}, [(0, 1, 0)]))
"""A line that passes a cell twice, which loses its values for two reasons."""

OVERLAPPING = Or(((Sets((0,), (1,)),), (Sets((1,), (1, 2)),), (Sets((2, 3), (3, 12)),)))
"""Branches of which a grid may keep one, two or three."""


IMPOSSIBLE = Or(((Relation((0,) * N, ((1, 2),)),), (TWICE,)))
"""A branch that no values keep, and one that some do."""

SERVING = [
    label
    for label in backend_labels().values()
    if not (spec := find(parse_label(label)[0])).missing
    if {Or, SameValues} <= spec.capabilities.constraints
]


@settings(max_examples=volume(12))
@given(st.builds(Or, BRANCHES.map(tuple)) | SAME, PLAIN, st.booleans())
@pytest.mark.parametrize("backend_name", SERVING)
@example(OVERLAPPING, SameValues((0, 1), (2, 3)), True)
@example(IMPOSSIBLE, TWICE, False)
@example(SameValues((0, 1), (2, 3)), TWICE, False)
def test_every_backend_finds_each_grid_once_however_many_branches_it_keeps(
    backend_name: str, either: Constraint, besides: Constraint, unit: bool
) -> None:
    solver = unidoku.load(backend_name)
    parts = {type(part) for constraint in (either, besides) for part in inside(constraint)}
    assume(Region not in parts - solver.spec.capabilities.constraints)
    rule = ConstraintRule(WHERE, (either, besides))
    row = Layout.from_units(N, [[0, 1]] if unit else [], shape=(1, 4), rules=[rule])
    solutions = solver.search(Board.empty(row), Request(solutions=None)).solutions
    right = {g for g in allowed([either, besides]) if g[0] != g[1] or not unit}
    assert len(solutions) == len(set(solutions))
    assert set(solutions) == right
