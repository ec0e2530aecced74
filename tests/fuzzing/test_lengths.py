"""Random rules have any length, and a fault that shows only at some lengths is found."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache

import pytest

from tests.helpers.hunting import any_finding, hunted
from tests.helpers.volume import volume
from tests.helpers.wrong.lengths import BANDS, Misjudges
from unidoku import Board, Request, Stop, load
from unidoku.backends.solving.solver import Solver
from unidoku.core.constraints.primitives import Region
from unidoku.core.rules import Killer, Rule
from unidoku.core.rules.base import KINDS
from unidoku.errors import LayoutError
from unidoku.fuzzing.boards import Trial, trial
from unidoku.testing.layouts import LAYOUT_KINDS
from unidoku.testing.rules import RULE_KINDS, random_rule

OF_DIFFERENT = {
    *("killer", "rellik", "lunchbox", "equality-cage", "renban", "flatmates", "nabner", "thermo")
}
"""Kinds of rules whose cells differ, so that there are as many as values at most."""


@cache
def ruled() -> list[Trial]:
    return [trial(1, number) for number in range(1, 2 * 1700, 2)]


@cache
def small_first() -> list[Trial]:
    """Return the same trials in the order of their cells: a fault is sooner seen on few."""
    return sorted(ruled(), key=lambda item: sum(len(board.layout) for board in item.boards))


def band_of(rule: Rule) -> str:
    return next(name for name, sizes in BANDS.items() if max(2, len(rule.cells)) in sizes)


def test_half_of_the_boards_have_rules_of_which_many_are_middle_and_long() -> None:
    share = sum(bool(trial(1, number).boards[-1].layout.rules) for number in range(100)) / 100
    assert share > 0.45
    bands = Counter(band_of(rule) for board in ruled() for rule in board.boards[-1].layout.rules)
    assert min(bands.values()) > 0.15 * bands.total()


def test_every_kind_of_rule_comes_in_every_length_that_it_can_have() -> None:
    lengths: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for item in ruled():
        for rule in item.boards[-1].layout.rules:
            lengths[rule.kind][band_of(rule)] += 1
    assert set(lengths) == set(KINDS)
    for kind, bands in lengths.items():
        assert bands["short"] > 5, kind
        assert bands["middle"] > (-1 if kind == "nabner" else 1), kind
        assert bands["long"] > (-1 if kind in OF_DIFFERENT else 1), kind


def test_large_boards_have_rules_too_and_sudoku_cages_of_six_to_nine_cells() -> None:
    sizes = Counter(board.boards[-1].layout.n for board in ruled() if board.boards[-1].layout.rules)
    assert min(sizes[n] for n in (7, 8, 9, 10, 12, 16)) > 5
    cages = Counter(
        len(rule.cage)
        for board in ruled()
        for rule in board.boards[-1].layout.rules
        if isinstance(rule, Killer)
    )
    assert min(cages[size] for size in range(2, 9)) > 5, cages
    assert sum(cages[size] for size in range(9, 17)) > 5, cages


def test_a_fair_share_of_boards_with_long_rules_has_a_solution_and_nearly_all_are_decided() -> None:
    native = load("native", engine="python")
    stops: Counter[str] = Counter()
    for item in ruled()[:120]:
        board = item.boards[-1]
        if not any(len(rule.cells) > 5 for rule in board.layout.rules):
            continue
        attempt = native.attempt(board, Request(solutions=2, node_limit=300))
        if attempt.result is None:
            stops["refused"] += bool(attempt.refused)
        elif attempt.result.count:
            stops["solutions"] += 1
        else:
            stops["none" if attempt.result.stop is Stop.EXHAUSTED else "undecided"] += 1
    assert stops["solutions"] > 0.35 * stops.total()
    assert stops["undecided"] + stops["refused"] < 0.05 * stops.total()


@pytest.mark.parametrize("kind", RULE_KINDS)
def test_a_known_grid_keeps_long_rules_of_every_kind(kind: str) -> None:
    rng = random.Random(kind)
    result = LAYOUT_KINDS["classic"](rng, 9)
    assert result.grid is not None
    wanted = 9 if kind in OF_DIFFERENT else 20
    drawn = [random_rule(rng, result.layout, result.grid, kind, length=wanted) for _ in range(20)]
    rules = [rule for rule in drawn if rule is not None]
    assert len(rules) > 15
    for rule in rules:
        assert not list(rule.broken(result.grid))
    most = 4 if kind == "nabner" else 5  # of nine values, five are not consecutive
    assert sum(len(rule.cells) > most for rule in rules) >= 5


def shown(wrong: Solver, backend: Misjudges, item: Trial) -> bool:
    """Return whether a wrong backend's answer to a board of a trial is seen to be wrong."""
    request = Request(solutions=item.solutions or 50, node_limit=3000)
    for board in item.boards:
        if not is_misread(backend, board):
            continue
        attempt = wrong.attempt(board, request)
        if attempt.wrong:
            return True
        other = load("norvig").attempt(board, request).result
        results = (attempt.result, other)
        if all(result is not None and result.stop is not Stop.NODES for result in results):
            counts = {result.count for result in results if result is not None}
            if len(counts) > 1:
                return True
    return False


def is_found(constraint: str, band: str, trials: Iterable[Trial]) -> bool:
    """Return whether a backend that misjudges constraints of one length is seen to be wrong."""
    wrong = load("tests.helpers.wrong.lengths:Misjudges", constraint=constraint, band=band)
    backend = Misjudges(constraint, band)
    return any(shown(wrong, backend, item) for item in trials)


def is_misread(backend: Misjudges, board: Board) -> bool:
    try:
        return backend.misread(board) is not board
    except LayoutError:  # a rule that no solver can be given
        return False


FOUND_SOON = [
    *[(constraint, band) for constraint in ("relations", "sums", "automata") for band in BANDS],
    *[("same values", band) for band in BANDS],
    ("sets of values", "short"),
    ("sets of values", "middle"),
    ("tables", "short"),
]
"""Constraints, and the lengths that they have on many boards."""


@pytest.mark.parametrize(("constraint", "band"), FOUND_SOON)
def test_a_backend_that_misjudges_a_constraint_of_one_length_is_found(
    constraint: str, band: str
) -> None:
    assert is_found(constraint, band, small_first())


@pytest.mark.parametrize("band", BANDS)
def test_a_backend_that_misjudges_connected_cells_is_found_on_boards_with_such_rules(
    band: str,
) -> None:
    trials = (trial(1, number, rules=("connected",)) for number in range(50))
    assert is_found(Region.name, band, trials)


@pytest.mark.volume
@pytest.mark.soak
@pytest.mark.parametrize("band", BANDS)
@pytest.mark.parametrize("constraint", ["sets of values", "alternatives"])
def test_rare_constraints_of_every_length_are_found_in_more_boards(
    constraint: str, band: str
) -> None:
    trials = (trial(seed, number) for seed in range(1, volume(2)) for number in range(1, 4000, 2))
    assert is_found(constraint, band, trials)


def test_a_cage_of_six_cells_whose_last_value_may_repeat_is_found_and_shrunk() -> None:
    label = "tests.helpers.wrong.lengths:RepeatsInLongCages"
    (finding,) = hunted(["norvig", label], 400, until=any_finding, rules=("killer",))
    (board,) = finding.boards
    (cage,) = board.layout.rules
    assert isinstance(cage, Killer)
    assert cage.cage == (0, 1, 2, 3, 4, 5)
    assert (len(board.layout), board.layout.units) == (6, ())
