"""How often each candidate occurs in the solutions of a board."""

from __future__ import annotations

from collections import Counter

import pytest

import unidoku
from unidoku.analysis.candidate_counts import CandidateCounts, candidate_counts
from unidoku.errors import Cancelled, InputError
from unidoku.support.cancel import Cancel

FOUR = "12.. .... .... 21.."
KILLER = "examples/rules/killer.toml"


def brute(board: unidoku.Board, most: int) -> tuple[tuple[int, ...], ...]:
    counts = Counter(
        pair for grid in unidoku.solve(board, solutions=None).solutions for pair in enumerate(grid)
    )
    values = range(1, board.layout.n + 1)
    return tuple(
        tuple(min(counts[cell, value], most) for value in values) for cell in board.layout.cells
    )


@pytest.mark.parametrize("most", [1, 3, 10, 100])
@pytest.mark.parametrize("text", [FOUR, "." * 16, "11" + "." * 14, "1... ..2. .3.. ...4"])
@pytest.mark.parametrize("backend", ["native", "norvig"])
def test_the_counts_are_those_of_all_solutions(text: str, most: int, backend: str) -> None:
    board = unidoku.Board.parse(text)
    result = candidate_counts(board, most=most, backend=backend)
    assert result.is_final
    assert result.counts == brute(board, most)


def test_a_board_with_rules_has_them_too() -> None:
    (puzzle,) = unidoku.read(KILLER)
    assert candidate_counts(puzzle.board).counts == brute(puzzle.board, 10)


def test_what_is_not_decided_in_time_is_open() -> None:
    result = candidate_counts(unidoku.Board.empty(unidoku.layout("classic", 9)), time_limit=1e-6)
    assert not result.is_final
    assert all(mask for mask in result.open)


def test_the_counts_so_far_are_below_those_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unidoku.analysis.candidate_counts._PAUSE", 0)
    parts: list[CandidateCounts] = []
    board = unidoku.Board.empty(unidoku.layout("classic", 9))
    whole = candidate_counts(board, watch=parts.append)
    assert parts
    assert any(part.open != whole.open for part in parts)
    for part in parts:
        for now, end in zip(part.counts, whole.counts, strict=True):
            assert all(a <= b for a, b in zip(now, end, strict=True))


def test_it_is_cancelled() -> None:
    token = Cancel()
    token.cancel()
    with pytest.raises(Cancelled):
        candidate_counts(FOUR, cancel=token)


def test_a_number_below_1_is_refused() -> None:
    with pytest.raises(InputError, match="most: expected 1 or more, got 0"):
        candidate_counts(FOUR, most=0)
