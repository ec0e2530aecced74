"""highspy without Unidoku: as fast as it goes, and as it is taught."""

from __future__ import annotations

import math
from collections.abc import Callable

import highspy
import numpy as np

from unidoku import Board, Layout
from unidoku.backends.toolkit.cover import cover_of
from unidoku.backends.toolkit.relations import groups_of
from unidoku.core.bits import values_of
from unidoku.core.transforms.lower import lower

WITHIN = (
    "mip_heuristic_run_rins",
    "mip_heuristic_run_rens",
    "mip_heuristic_run_root_reduced_cost",
    "mip_allow_restart",
)


def best(layout: Layout) -> Callable[[Board], int]:
    """Pass the program once as arrays; a board is bounds; a cut asks for the second solution."""
    cover = cover_of(layout)
    groups = (*cover.primary, *cover.secondary, *groups_of(lower(layout)))
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = cover.size, len(groups)
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = np.zeros((3, cover.size))
    lp.row_lower_ = (np.arange(len(groups)) < len(cover.primary)).astype(np.float64)
    lp.row_upper_ = np.ones(len(groups))
    lp.integrality_ = [highspy.HighsVarType.kInteger] * cover.size
    matrix = lp.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kRowwise
    matrix.num_col_, matrix.num_row_ = cover.size, len(groups)
    matrix.start_ = np.cumsum([0, *map(len, groups)], dtype=np.int32)
    matrix.index_ = np.concatenate(groups).astype(np.int32)
    matrix.value_ = np.ones(len(matrix.index_))
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    for name in WITHIN:
        highs.setOptionValue(name, False)
    highs.passModel(lp)
    columns = np.arange(cover.size, dtype=np.int32)
    zeros = np.zeros(cover.size)
    last = np.array([len(groups)], dtype=np.int32)
    n = layout.n
    upper_of = {1 << value: np.eye(n)[value] for value in range(n)} | {(1 << n) - 1: np.ones(n)}

    def upper(mask: int) -> object:
        if mask not in upper_of:
            upper_of[mask] = np.array([float(mask >> value & 1) for value in range(n)])
        return upper_of[mask]

    def count(board: Board) -> int:
        bounds = np.concatenate([upper(mask) for mask in board.candidates])
        highs.changeColsBounds(cover.size, columns, zeros, bounds)
        highs.run()
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return 0
        true = np.flatnonzero(np.array(highs.getSolution().col_value) > 0.5).astype(np.int32)
        highs.addRow(-math.inf, len(true) - 1, len(true), true, np.ones(len(true)))
        highs.run()
        found = 2 if highs.getModelStatus() == highspy.HighsModelStatus.kOptimal else 1
        highs.deleteRows(1, last)
        return found

    return count


def naive(board: Board) -> int:
    """Write the program with highspy's expressions, a row at a time, and solve it twice."""
    layout = board.layout
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    x = [[highs.addBinary() for _ in range(layout.n)] for _ in layout.cells]
    for cell, mask in enumerate(board.candidates):
        highs.addConstr(sum(x[cell]) == 1)
        highs.addConstr(sum(x[cell][value - 1] for value in values_of(mask)) == 1)
    for unit in layout.units:
        for value in range(layout.n):
            total = sum(x[cell][value] for cell in unit.cells)
            highs.addConstr(total == 1 if len(unit.cells) == layout.n else total <= 1)
    for group in groups_of(lower(layout)):
        highs.addConstr(sum(x[one // layout.n][one % layout.n] for one in group) <= 1)
    found = 0
    while found < 2:
        highs.run()
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            break
        found += 1
        values = highs.getSolution().col_value
        true = [variable for row in x for variable in row if values[variable.index] > 0.5]
        highs.addConstr(sum(true) <= len(true) - 1)
    return found
