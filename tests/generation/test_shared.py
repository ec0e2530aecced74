"""Puzzles that other processes make: the same as one process makes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import unidoku
from unidoku.errors import InputError, TimeLimitError
from unidoku.generation import Generation, RuledGeneration


@pytest.mark.parametrize(
    "asked",
    [
        {"n": 4, "count": 40, "minimal": True, "cross_check": "norvig"},
        {"variant": "jigsaw", "n": 4, "count": 5, "per_layout": 2},
        {"family": "kenken", "n": 3, "count": 3},
    ],
)
def test_an_executor_makes_the_puzzles_that_one_process_makes(asked: dict[str, Any]) -> None:
    here = list(unidoku.generate(**asked, seed=5))
    with ThreadPoolExecutor(2) as executor:
        there = list(unidoku.generate(**asked, seed=5, executor=executor))
    assert there == here


def test_what_becomes_of_the_attempts_is_counted_wherever_they_were_made() -> None:
    with ThreadPoolExecutor(2) as executor:
        run = Generation(n=4, count=20, seed=1, executor=executor)
        assert sum(map(len, run)) == 20
        ruled = RuledGeneration(family="kenken", n=3, count=2, seed=1, executor=executor)
        assert [puzzle.name for puzzle in ruled] == ["kenken 1", "kenken 2"]
    assert run.progress.made == 20
    assert run.progress.attempts >= 20
    assert ruled.progress.attempts == ruled.progress.made + ruled.progress.refused.total()


def test_a_time_limit_ends_what_an_executor_makes() -> None:
    with ThreadPoolExecutor(1) as executor, pytest.raises(TimeLimitError, match="time limit of"):
        list(unidoku.generate(n=9, clues=17, seed=1, time_limit=0.2, executor=executor))


def test_a_walk_is_not_shared() -> None:
    with ThreadPoolExecutor(1) as executor, pytest.raises(InputError, match="walk: a walk is made"):
        Generation(walk=True, time_limit=1, executor=executor)
