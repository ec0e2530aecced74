"""The effort that programs report."""

from __future__ import annotations

import pytest

from unidoku.backends.programs.effort import effort_of


@pytest.mark.parametrize(
    ("printed", "effort"),
    [
        ("c conflicts : 12  (3 /sec)\nc   decisions: 9", {"failures": 12, "nodes": 9}),
        ("%%%mzn-stat: nodes=4\n%%%mzn-stat: failures=2", {"nodes": 4, "failures": 2}),
        ("c 15 conflicts\nc 3 restarts", {"failures": 15, "restarts": 3}),
        ("Optimum: 0 in 3 backtracks and 7 nodes", {"failures": 3, "nodes": 7}),
        ("conflicts: 1\nconflicts: 2", {"failures": 2}),
        (f"conflicts: {'9' * 5000}", {}),
        ("\n" * 300_000 + "conflicts: 1", {"failures": 1}),
    ],
)
def test_the_last_figures_that_a_program_prints_are_its_effort(
    printed: str, effort: dict[str, int]
) -> None:
    assert effort_of(printed) == effort
