from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import unidoku
from tests.backends.native.boards import LANES
from tests.backends.native.shaped import shaped
from unidoku import Board, Layout, layout
from unidoku.backends.native.choice import lanes_lack
from unidoku.core.constraints.primitives import Or, Sum
from unidoku.core.rules import Killer, NonConsecutive, Rule, SumOfCells, Thermo
from unidoku.errors import UnsupportedError

CROSS = (tuple(range(0, 81, 9)), tuple(range(0, 81, 10)))
EITHER = shaped(Or(tuple((Sum(cells, (1,) * 9, 12, 30),) for cells in CROSS)))


def ruled(*rules: Rule, variant: str = "classic") -> Layout:
    """A layout with these rules besides its own."""
    small = layout(variant)
    return replace(small, rules=(*small.rules, *rules))


def test_relations_of_all_neighbours_are_compiled_with_the_units() -> None:
    everywhere = layout("non-consecutive")
    assert lanes_lack(everywhere) is None
    for n, known in ((4, 0), (6, 48)):
        empty = Board.empty(layout("non-consecutive", n))
        assert LANES.solve(empty, solutions=None, keep=0).count == known
    first = LANES.solve(Board.empty(everywhere), solutions=3)
    assert first.count == 3
    solver = unidoku.load("norvig")
    for grid in first.solutions:
        givens = [value if cell % 2 else 0 for cell, value in enumerate(grid)]
        board = Board.from_values(everywhere, givens)
        result = LANES.solve(board, solutions=50)
        theirs = solver.solve(board, solutions=50)
        assert set(result.solutions) == set(theirs.solutions)
        assert grid in result.solutions


@pytest.mark.parametrize(
    "rules",
    [
        (Thermo((0, 9, 18)),),
        (Killer((0, 1, 2), 7),),
        (NonConsecutive(((0, 1),)), Thermo((0, 9, 18))),
        (SumOfCells((0, 40), 18),),
        (EITHER,),
    ],
)
def test_other_rules_are_refused_and_native_searches_without_the_lanes(
    rules: tuple[Rule, ...],
) -> None:
    assert lanes_lack(ruled(NonConsecutive(((0, 1),))))
    for chosen in (ruled(*rules), ruled(*rules, variant="non-consecutive")):
        assert "the layout has others" in (lanes_lack(chosen) or "")
        with pytest.raises(UnsupportedError, match="supports no rules but relations"):
            LANES.solve(Board.empty(chosen))
    boards = np.zeros((2500, 81), np.uint8)
    batch = unidoku.load("native").solve_many(boards[:3], layout=ruled(*rules), node_limit=1)
    assert "lanes" not in batch.statistics
    assert batch.statistics["nodes"] == 3
