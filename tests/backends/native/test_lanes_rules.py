from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings

import unidoku
from tests.backends.native.shaped import Shaped, holds, shaped_layouts
from tests.volume import volume
from unidoku import Layout
from unidoku.backends.native.choice import lanes_lack

LANES = unidoku.load("native[engine=lanes]")


@settings(max_examples=volume(60))
@given(chosen=shaped_layouts())
def test_of_full_grids_the_lanes_take_those_that_keep_all_rules(chosen: Layout) -> None:
    if lanes_lack(chosen):
        return
    shapes = [rule.shape for rule in chosen.rules if isinstance(rule, Shaped)]
    grids = list(itertools.product(range(1, chosen.n + 1), repeat=len(chosen)))
    result = LANES.solve_many(np.array(grids, np.uint8), layout=chosen)
    kept = [
        all(holds(shape, grid) for shape in shapes)
        and all(len({grid[cell] for cell in unit.cells}) == len(unit.cells) for unit in chosen.units)
        for grid in grids
    ]
    assert result.counts.tolist() == kept
