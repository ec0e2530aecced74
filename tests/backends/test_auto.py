"""The backend `auto`: who answers, after how much work, and that nothing is told twice or lost."""

from __future__ import annotations

import json
import random
import time
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given

import unidoku
from tests.backends.native.boards import in_a_process
from tests.helpers.boards import EASY
from tests.helpers.comparing import records_of
from tests.helpers.volume import thorough
from unidoku import Board, Layout, Request, Result, Solver, Stop, layout, solve_many
from unidoku.backends import auto
from unidoku.backends.adapters.norvig import Norvig
from unidoku.backends.adapters.sat.adapter import _LIVE
from unidoku.backends.base import Capabilities
from unidoku.backends.turns import PausingBackend
from unidoku.core.rules import CountingCircles, FullRank, Killer
from unidoku.errors import OptionError, UnidokuError, UnsupportedError
from unidoku.support import logs
from unidoku.testing.boards import random_board
from unidoku.testing.layouts import RandomLayout
from unidoku.testing.rules import with_rules
from unidoku.testing.strategies import boards, ruled_layouts

HARD = "1.......5.9.2...4...3...7...8.9.6.......5.......84..9...5...3...6...4.2.7.......1"
MANY = "6....894.9....61...7..4....2..61..........2...89..2.......6...5.......3.8....16.."
TWO = Board.empty(layout("windoku", 4))
"""A board of 168 solutions and some failures between them."""

LARGE_CAGES = (11, 14, 24, 28)
"""Seeds of boards that `native` decides far earlier than `sat`, see `large_cages`."""

MAP = "000111112011112222000034222555034244555334444565334777566338777666388777666888888"

IMPOSSIBLE = Board.empty(layout(f"jigsaw:{MAP}", 9))
"""A jigsaw that no grid fits; by search alone `native` would take hours to find that out."""

LAW = "unidoku.backends.native.single.boards.no_grid_fits"
"""What shows `native` so without a search; nothing does for a few other jigsaws."""


class Fake(Norvig):
    """Answers as Norvig's solver does, and remembers what it was asked."""

    capabilities: ClassVar = replace(
        unidoku.catalogue()["norvig"].capabilities,
        honours=frozenset({"time_limit", "threads", "seed"}),
    )
    asked: ClassVar[list[tuple[Layout, Request]]] = []

    def search(self, board: Board, request: Request) -> Result:
        self.asked.append((board.layout, request))
        return super().search(board, request)


class Refusing(Fake):
    def search(self, board: Board, request: Request) -> Result:
        raise UnsupportedError("refusing is what it does")


class Broken(Fake):
    def __init__(self) -> None:
        raise ImportError("no library")


class Slow(Fake):
    """Finds a solution, and no more until the time is over."""

    def search(self, board: Board, request: Request) -> Result:
        result = super().search(board, replace(request, solutions=1, time_limit=None))
        time.sleep(request.time_limit or 0)
        return replace(result, stop=Stop.TIME)


HERE = __name__
FAKE = f"{HERE}:Fake"


def followed(budget: int = 1, then: str = FAKE) -> Solver:
    """`auto` with a backend that follows after some work, by default one that cannot pause."""
    Fake.asked.clear()
    return unidoku.load("auto", budget=budget, then=then)


@pytest.fixture
def _others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other backends asked in turn: one that cannot be loaded, one that refuses, one that can."""
    monkeypatch.setattr(auto, "OTHERS", (f"{HERE}:Broken", f"{HERE}:Refusing", FAKE))
    monkeypatch.setattr(auto, "_unloadable", set())
    logs.tell_once.cache_clear()
    Fake.asked.clear()


def test_what_is_easy_is_answered_by_native() -> None:
    result = unidoku.load("auto").solve(EASY, solutions=2)
    assert (result.unique, result.answered_by) == (True, "native")
    assert "turns" not in result.statistics


def test_a_backend_that_cannot_pause_searches_to_its_end_once_it_begins() -> None:
    result = followed(100).solve(HARD, solutions=2)
    assert (result.unique, result.answered_by) == (True, FAKE)
    assert result.statistics["turns"] == 1
    assert result.statistics["native_work"] >= 100
    assert result.statistics["init_time"] > 0
    assert result.record()["answered_by"] == FAKE


def in_turns(label: str, board: Board, turn: int) -> tuple[list[int], Result]:
    """The work of each turn of a search for two solutions, and its result."""
    solver = unidoku.load(label)
    search: PausingBackend = solver.backend  # type: ignore[assignment]  # they can pause
    turns = search.search_in_turns(solver.board_for(board), Request(solutions=2), turn)
    work = []
    while True:
        try:
            work.append(next(turns))
        except StopIteration as end:
            return work, end.value


def large_cages(seed: int, size: int) -> Board:
    """An empty board of cages of up to so many cells; all sums but two are those of a grid."""
    chance = random.Random(seed)
    base = layout("classic", 9)
    grid = unidoku.solve("".join(map(str, chance.sample(range(1, 10), 9))) + "." * 72).solutions[0]
    free, sums = {*base.cells}, []
    for start in chance.sample(base.cells, 81):
        cage = [start] if start in free else []
        while cage and len(cage) < size:
            near = {peer for cell in cage for peer in (cell - 9, cell - 1, cell + 1, cell + 9)}
            values = {grid[cell] for cell in cage}
            fits = [c for c in sorted(near & free - {*cage}) if grid[c] not in values]
            if not fits:
                break
            cage.append(chance.choice(fits))
        free -= {*cage}
        if len(cage) > 1:
            sums.append((tuple(cage), sum(grid[cell] for cell in cage)))
    raised, lowered = chance.sample(
        [at for at, (cage, _) in enumerate(sums) if 2 < len(cage) < 8], 2
    )
    change = {raised: 1, lowered: -1}
    rules = [Killer(cage, total + change.get(at, 0)) for at, (cage, total) in enumerate(sums)]
    return Board.empty(replace(base, rules=tuple(rules)))


@pytest.mark.parametrize("seed", [LARGE_CAGES[0], *thorough(*LARGE_CAGES[1:])])
def test_what_native_decides_after_the_budget_is_decided_with_twice_the_work(seed: int) -> None:
    board, turn = large_cages(seed, 5), 5_000
    native, alone = in_turns("native", board, turn)
    others, _ = in_turns("sat", board, turn)
    assert sum(others) > 2 * sum(native) > 4 * turn, "native is far better and needs many turns"
    _LIVE.clear()
    result = unidoku.load("auto", budget=turn).solve(board, solutions=2)
    assert (result.count, result.stop, result.answered_by) == (alone.count, alone.stop, "native")
    figures = result.statistics
    assert (figures["nodes"], figures["native_work"]) == (alone.statistics["nodes"], sum(native))
    assert 0 < figures["then_work"] <= sum(native) + 2 * max(others)


def test_what_native_never_decides_is_decided_with_twice_the_work_of_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LAW, lambda _: False)
    _LIVE.clear()
    others, _ = in_turns("sat", IMPOSSIBLE, 20_000)
    _LIVE.clear()
    result = unidoku.load("auto", budget=20_000).solve(IMPOSSIBLE, solutions=2)
    assert (result.count, result.stop, result.answered_by) == (0, Stop.EXHAUSTED, "sat")
    assert result.statistics["then_work"] == sum(others)
    assert result.statistics["native_work"] <= sum(others) + 2 * 20_000


RULED = [
    random_board(chance, RandomLayout(with_rules(chance, layout("classic", n), None), None))
    for chance in map(random.Random, range(240))
    for n in (chance.choice((4, 4, 6)),)
]


@pytest.mark.parametrize("part", range(4))
def test_in_the_shortest_turns_all_answers_are_those_of_native(part: int) -> None:
    turns = 0
    for board in RULED[part::4]:
        known = unidoku.load("native").solve(board, solutions=60)
        result = unidoku.load("auto[budget=1]").solve(board, solutions=60)
        assert (result.count, result.stop) == (known.count, known.stop), board
        assert len({*result.solutions}) == result.count
        if result.stop is Stop.EXHAUSTED:
            assert result.solutions == known.solutions
        turns += int(result.statistics.get("turns", 0))
    assert turns > 100


WHO_ANSWERED = """
import threading, unidoku
from unittest.mock import patch
from tests.backends.test_auto import IMPOSSIBLE, LARGE_CAGES, LAW, large_cages
patch(LAW, lambda _: False).start()
stop = threading.Event()
def work():
    while not stop.is_set(): sum(range(1000))
busy = [threading.Thread(target=work) for _ in range({threads})]
for thread in busy: thread.start()
for board in [IMPOSSIBLE, *[large_cages(seed, 5) for seed in LARGE_CAGES[:2]]]:
    result = unidoku.load("auto", budget=3000).solve(board, solutions=2)
    figures = {{name: figure for name, figure in result.statistics.items() if "time" not in name}}
    print(result.answered_by, result.solutions, figures)
stop.set()
"""


def test_turns_and_nodes_are_the_same_in_every_run_also_on_a_busy_machine() -> None:
    quiet, busy = (in_a_process(WHO_ANSWERED.format(threads=threads)) for threads in (0, 3))
    assert quiet == busy
    assert [line.split()[0] for line in quiet.splitlines()] == ["sat", "native", "native"]


def test_while_native_finds_solutions_quickly_it_goes_on_alone() -> None:
    board = Board.empty(layout("classic", 6))
    result = unidoku.load("auto[budget=10000]").solve(board, solutions=20_000, keep=0)
    assert (result.count, result.answered_by) == (20_000, "native")
    assert "turns" not in result.statistics


def test_what_native_decides_in_the_meantime_leaves_the_model_to_the_next_board() -> None:
    _LIVE.clear()
    board, solver = large_cages(LARGE_CAGES[0], 5), unidoku.load("auto[budget=2000]")
    first, second = (solver.solve(board, solutions=2) for _ in range(2))
    assert first.answered_by == second.answered_by == "native"
    others, _ = in_turns("sat", board, 2000)
    _LIVE.clear()
    built, _ = in_turns("sat", board, 2000)
    assert sum(others) < sum(built), "its clauses were there"


@pytest.mark.parametrize("budget", [1, 20, 40])
@pytest.mark.parametrize("solutions", [1, 2, 50, None])
def test_no_solution_is_told_twice_or_lost_if_another_follows(
    budget: int, solutions: int | None
) -> None:
    puzzles = [TWO, Board.parse(HARD), Board.empty(layout("x", 4)), Board.empty(layout("latin", 3))]
    for board in puzzles:
        known = unidoku.solve(board, backend="norvig", solutions=solutions)
        result = followed(budget).solve(board, solutions=solutions)
        assert (result.count, result.stop) == (known.count, known.stop)
        assert len({*result.solutions}) == len(result.solutions) == result.count
        if solutions is None:
            assert {*result.solutions} == {*known.solutions}
        counted = followed(budget).solve(board, solutions=solutions, keep=0)
        assert (counted.count, counted.solutions) == (known.count, ())


@given(board=boards(ruled_layouts()))
def test_on_boards_with_rules_short_turns_change_no_count(board: Board) -> None:
    expected = unidoku.solve(board, backend="norvig", solutions=50)
    result = unidoku.load("auto[budget=1,then=sat]").solve(board, solutions=50)
    assert (result.count, result.stop) == (expected.count, expected.stop)
    if result.stop is Stop.EXHAUSTED:
        assert {*result.solutions} == {*expected.solutions}


def test_of_a_batch_only_what_is_hard_is_searched_by_another_too() -> None:
    texts = [EASY, HARD, EASY, MANY, HARD, "5" * 81, "no board"]
    for solutions in (2, 100):
        results = followed(100).solve_many(texts, solutions=solutions)
        known = solve_many(texts, backend="norvig", solutions=solutions)
        assert results.counts.tolist() == known.counts.tolist()
        assert results.stops.tolist() == known.stops.tolist()
        assert (results.grids[[0, 1, 4]] == known.grids[[0, 1, 4]]).all()
        assert 2 <= results.statistics["then_answered"] == len(Fake.asked) <= 3
    easy = followed(10**6).solve_many(texts, solutions=2)
    assert easy.counts.tolist() == [1, 1, 1, 1, 1, 0, 0]
    assert not Fake.asked
    assert "then_answered" not in easy.statistics


def test_in_each_part_of_a_stream_another_searches_what_is_hard() -> None:
    solver = followed(100)
    parts = [part.counts.tolist() for part in solver.stream([EASY, HARD] * 3, solutions=2, chunk=3)]
    assert parts == [[1, 1, 1], [1, 1, 1]]
    assert len(Fake.asked) == 3


def test_a_node_limit_is_nobodys_but_natives() -> None:
    solver = followed(1)
    result = solver.solve(Board.parse(HARD), solutions=2, node_limit=20)
    assert (result.stop, result.answered_by) == (Stop.NODES, "native")
    assert result.statistics["nodes"] == 20
    batch = solver.solve_many([HARD, HARD], solutions=2, node_limit=1)
    assert batch.counts.tolist() == [0, 0]
    assert not Fake.asked


def test_a_seed_goes_to_a_backend_that_has_one_and_threads_to_one_that_can_use_them() -> None:
    assert followed().solve(EASY, seed=7).answered_by == FAKE
    assert [request.seed for _, request in Fake.asked] == [7]
    assert followed().solve_many([EASY, EASY], seed=7).counts.tolist() == [1, 1]
    assert followed(10**6).solve(EASY, threads=2).answered_by == "native"
    assert followed(100).solve(HARD, threads=2, solutions=2).answered_by == FAKE
    assert [request.threads for _, request in Fake.asked] == [2]
    solver = followed(then="exact-cover")
    for limits, message in ({"seed": 3}, "seed=3"), ({"threads": 2}, "threads=2"):
        with pytest.raises(UnsupportedError, match=f"no installed backend can honour {message} "):
            solver.solve(EASY, **limits)  # type: ignore[arg-type]  # as they are named
    assert solver.solve_many([HARD, EASY], threads=2, solutions=2).counts.tolist() == [1, 1]


def test_native_gets_the_rules_that_it_gets_without_auto() -> None:
    assert unidoku.catalogue()["auto"].terms == unidoku.catalogue()["native"].terms


def test_it_is_never_its_own_successor() -> None:
    itself = f"{auto.__name__}:Auto"
    for then in ("auto", "auto[budget=3]", "native", "native[engine=python]", itself):
        with pytest.raises(OptionError, match="expected another backend"):
            unidoku.load("auto", then=then)


def test_an_option_that_cannot_be_is_refused_when_it_is_loaded() -> None:
    for options in ({"budget": 0}, {"budget": 1.5}, {"then": 3}, {"then": "no-such"}):
        with pytest.raises(UnidokuError):
            unidoku.load("auto", **options)


@pytest.mark.usefixtures("_others")
def test_who_cannot_be_loaded_or_refuses_is_passed_over() -> None:
    solver = unidoku.load("auto")
    with pytest.warns(UserWarning, match=r"^auto searches without .*:Broken: .* no library"):
        result = solver.solve(HARD, solutions=2, seed=1)
    assert (result.unique, result.answered_by) == (True, FAKE)
    assert solver.solve(HARD, solutions=2, seed=1).answered_by == FAKE, "and warns no more"


def test_without_a_backend_that_learns_native_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "_unloadable", {"sat"})
    result = unidoku.load("auto[budget=100]").solve(HARD, solutions=2, time_limit=60)
    assert (result.unique, result.answered_by) == (True, "native")


def test_what_takes_too_long_to_load_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "LOADING", 60.0)
    monkeypatch.setattr(auto, "_in_memory", set())
    result = unidoku.load("auto[budget=1]").solve(HARD, solutions=2, time_limit=50)
    assert (result.unique, result.answered_by) == (True, "native")
    assert result.statistics["then_work"] == 0


def test_at_the_time_limit_nothing_that_was_found_is_lost() -> None:
    solver = followed(1, f"{HERE}:Slow")
    board = Board.parse(MANY)
    result = solver.solve(board, solutions=None, time_limit=0.1)
    assert result.stop is Stop.TIME
    assert result.count == len({*result.solutions}) >= 1
    begun = time.perf_counter()
    assert solver.solve(HARD, solutions=2, time_limit=0.2).count == 1
    assert time.perf_counter() - begun < 5


@dataclass(frozen=True)
class Recorder:
    """The constraints that a backend gets."""

    capabilities: ClassVar = Capabilities(
        constraints=unidoku.catalogue()["native"].capabilities.constraints,
        honours=frozenset({"time_limit"}),
    )

    def search(self, board: Board, request: Request) -> Result:
        Fake.asked.append((board.layout, request))
        return Norvig().search(board, request)


@pytest.mark.parametrize("deductions", [True, False])
def test_who_takes_over_is_told_what_follows_if_auto_is(deductions: bool) -> None:
    row = tuple(range(9))
    caged = replace(
        layout("classic", 9), rules=(Killer(row[:4], 20), Killer(row[4:8], 17), Killer((9, 10), 9))
    )
    board = Board.empty(caged)
    Fake.asked.clear()
    solver = unidoku.load("auto", budget=1, then=f"{HERE}:Recorder", deductions=deductions)
    assert solver.solve(board, solutions=100).count == 100
    ((message, _),) = Fake.asked
    assert (len(message.constraints) > len(caged.constraints)) is deductions


def test_the_journal_says_who_answered_and_after_what(tmp_path: Path) -> None:
    journal = tmp_path / "runs.jsonl"
    label = f"auto[budget=100,then={FAKE}]"
    records = records_of([HARD], [label, "norvig"], output=journal)
    table = {record.backend: record for record in records}
    assert table[unidoku.load(label).label].answered_by == FAKE
    assert table["norvig"].answered_by == ""
    lines = map(json.loads, journal.read_text().splitlines())
    runs = [line for line in lines if line["type"] == "run"]
    (followed_run,) = (line for line in runs if "answered_by" in line)
    assert followed_run["answered_by"] == FAKE
    assert followed_run["statistics"]["turns"] == 1


def test_parameters_name_the_budget_and_those_that_follow() -> None:
    parameters = unidoku.load("auto[budget=7,then=exact-cover]").parameters()
    assert (parameters["budget"], parameters["then"]) == (7, "exact-cover")
    parameters = unidoku.load("auto").parameters()
    assert (parameters["budget"], parameters["then"]) == (auto.BUDGET, "sat")


@pytest.mark.parametrize("then", ["sat", "norvig"])
def test_ranks_of_lines_have_hidden_cells_only_for_the_backend_that_learns(then: str) -> None:
    rows = [tuple(range(4 * row, 4 * row + 4)) for row in range(4)]
    others = tuple(chain(*rows[1:], *(row[::-1] for row in rows)))
    ranked = FullRank(rows[0], 4, others)
    circles = CountingCircles((1, 6, 11))  # with hidden cells for every backend
    board = Board.empty(replace(layout("latin", 4), rules=(ranked, circles)))
    expected = unidoku.load("cp-sat").solve(board, solutions=None).solutions
    turns = unidoku.load("auto", budget=1, then=then)
    result = turns.solve(board, solutions=None)
    assert result.solutions == expected
    assert result.statistics["turns"] > 0
    assert unidoku.load("auto").solve(board, solutions=None).solutions == expected
    seeded = unidoku.load("auto").solve(board, solutions=None, seed=1)
    assert (seeded.answered_by, seeded.solutions) == ("cp-sat", expected)
    many = turns.solve_many([board, board], solutions=None)
    assert many.counts.tolist() == [len(expected)] * 2
    with pytest.raises(UnsupportedError, match="supports no rules but relations"):
        unidoku.load("native", engine="lanes").solve(board)
