"""Cores: each is a contradiction by another backend, and boards with solutions have none."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

import unidoku
from unidoku import Board, Killer, UnsupportedError
from unidoku.analysis import cores
from unidoku.analysis.cores import CoreFinder, SelectedClauses
from unidoku.backends.base import Stop
from unidoku.core.bits import all_values, values_of
from unidoku.core.hidden import expanded
from unidoku.core.rules import CountDistinct
from unidoku.core.variants import layout
from unidoku.logic import State
from unidoku.logic.reasons.parts import Part
from unidoku.testing.boards import random_board
from unidoku.testing.layouts import RandomLayout, random_layout
from unidoku.testing.rules import with_rules

pytest.importorskip("pysat")
pytest.importorskip("clingo")

SOURCES = ("sat", "clingo")


def core(
    board: Board, parts: Sequence[Part] | None = None, *, backend: str = "sat"
) -> tuple[Part, ...] | None:
    """Return parts among all or some of a board, givens too, that contradict each other."""
    board = expanded(board)
    finder = CoreFinder(board.layout, backend)
    finder.take_givens(board)
    every = finder.model.parts.all
    chosen = sum(1 << index for index, part in enumerate(every) if parts is None or part in parts)
    answer = finder.core(chosen)
    return finder.model.parts.chosen(answer) if isinstance(answer, int) else None


def ruled_board(rng: random.Random) -> Board:
    """Return a random board of four values with up to four rules."""
    _, source = random_layout(rng, 4)
    ruled = with_rules(rng, source.layout, source.grid, most=4)
    return random_board(rng, RandomLayout(ruled, source.grid, source.hard))


@pytest.mark.parametrize("seed", range(16))
def test_cores_are_contradictions_by_another_backend_and_solvable_boards_have_none(
    seed: int,
) -> None:
    board = ruled_board(random.Random(seed))
    has_solution = bool(unidoku.solve(board, backend="norvig").count)
    cores = {backend: core(board, backend=backend) for backend in SOURCES}
    assert {backend: parts is None for backend, parts in cores.items()} == dict.fromkeys(
        SOURCES, has_solution
    )
    if not has_solution:
        assert core(board, cores["sat"], backend="clingo")
        assert core(board, cores["clingo"], backend="sat")


@pytest.mark.parametrize("seed", range(8))
def test_clauses_for_candidates_decide_what_all_clauses_do_and_those_of_some_rules_no_more(
    seed: int,
) -> None:
    rng = random.Random(seed)
    state = State.start(ruled_board(rng))
    whole, within, few = (
        CoreFinder(state.layout, "sat", candidates=left, most=most)
        for left, most in (((), None), (state.candidates, None), (state.candidates, 0))
    )
    assert within.model.number <= whole.model.number
    assert within.model.is_whole
    every = (1 << whole.model.parts.first_given) - 1
    for finder in (whole, within, few):
        for cell, mask in enumerate(state.candidates):
            for value in values_of(all_values(state.layout.n) & ~mask):
                finder.live.add([-finder.model.candidate(cell, value)])
    for candidate in state.all_in(state.layout.cells):
        literal = [whole.model.candidate(*candidate)]
        expected = whole.core(every, literal) is None
        assert (within.core(every, literal) is None) is expected
        assert not expected or few.core(every, literal) is None


def test_rules_without_room_are_left_out_those_of_many_open_cells_first() -> None:
    rows = [tuple(range(9 * row, 9 * row + 8)) for row in range(9)]
    cages = [Killer(cells, 45 - value) for value, cells in enumerate(rows, start=1)]
    board = Board.empty(layout("latin", 9).with_rules(*cages, Killer((80, 71), 10)))
    add = list[Sequence[int]]().append
    model = SelectedClauses.of(board.layout, add, most=1)
    assert not model.is_whole
    assert model.variables < SelectedClauses.of(board.layout, add).variables
    assert SelectedClauses.of(board.layout, add, most=10_000).is_whole


def test_a_rule_that_alone_takes_too_many_variables_is_left_out_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cores, "MOST_VARIABLES", 400)
    ruled = layout("latin", 6).with_rules(Killer((0, 1), 3), CountDistinct((2,), tuple(range(25))))
    added: list[Sequence[int]] = []
    model = SelectedClauses.of(ruled, added.append, most=200)
    assert not model.is_whole
    assert model.number == len(added)
    assert max(max(map(abs, clause)) for clause in added) <= model.variables <= 400
    with pytest.raises(UnsupportedError, match="400 variables"):
        SelectedClauses.of(ruled, added.append)


@pytest.mark.parametrize("backend", SOURCES)
def test_a_core_names_what_clashes_and_nothing_else_is_assumed(backend: str) -> None:
    board = Board.parse("12.. .... ..3. ...3")
    parts = core(board, backend=backend)
    assert parts is not None
    assert {part.cells[0] for part in parts if part.kind == "given"} >= {10, 15}
    assert core(board, [part for part in parts if part.kind != "given"], backend=backend) is None


@pytest.mark.parametrize("backend", SOURCES)
def test_a_budget_of_conflicts_leaves_a_hard_question_undecided(backend: str) -> None:
    board = expanded(Board.empty(layout("latin", 12)))
    finder = CoreFinder(board.layout, backend)
    every = (1 << finder.model.parts.first_given) - 1
    corner = [finder.model.candidate(12 * row + row, 1 + row % 2) for row in range(11)]
    assert finder.core(every, corner, conflicts=1) in (None, Stop.NODES)
    clash = [finder.model.candidate(0, 1), finder.model.candidate(1, 1)]
    assert finder.core(0, clash) == 0


def test_other_backends_and_too_many_variables_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.parse("1... ..2. .3.. ...4")
    with pytest.raises(UnsupportedError, match="norvig names no cores; use sat or clingo"):
        core(board, backend="norvig")
    killer = unidoku.Killer((0, 1, 2), 6)
    ruled = Board(replace(board.layout, rules=(killer,)), board.candidates)
    monkeypatch.setattr(cores, "MOST_VARIABLES", 10)
    with pytest.raises(UnsupportedError, match="more than 10 variables"):
        core(ruled)
