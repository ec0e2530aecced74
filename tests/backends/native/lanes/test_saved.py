"""Saved states: lanes turned into them, and back."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from unidoku import Layout
from unidoku.backends.native.compiler import object_cache
from unidoku.backends.native.compiler.processor import host
from unidoku.backends.native.lanes.compile import object_code
from unidoku.backends.native.lanes.kernel import BODIES
from unidoku.backends.native.lanes.plan import plan_of
from unidoku.backends.native.lanes.shape import FUNCTIONS, shape_of, slot_size
from unidoku.backends.native.lanes.workspace import address, aligned

CELLS = 37


def test_a_kernel_has_the_functions_that_the_search_calls() -> None:
    assert tuple(BODIES) == FUNCTIONS


def _functions(n: int, lanes: int) -> tuple[Any, Any, dict[str, Any]]:
    plan = plan_of(Layout.from_units(n, [[0, 1]], shape=(1, CELLS)))
    shape = shape_of(host(), n, lanes)
    library = object_cache.load(object_code(plan, shape))
    functions: dict[str, Any] = {
        name: ctypes.CFUNCTYPE(ctypes.c_uint64, *[ctypes.c_uint64] * arguments)(
            library.get_function_address(name)
        )
        for name, (arguments, _) in BODIES.items()
    }
    return library, (plan, shape), functions


@pytest.mark.parametrize("n", [9, 25, 40])
@pytest.mark.parametrize("lanes", [8, 16, 32])
def test_lanes_are_saved_and_fetched_cell_by_cell(n: int, lanes: int) -> None:
    library, (plan, shape), functions = _functions(n, lanes)
    kind = np.dtype(f"u{shape.bits // 8}")
    slot = slot_size(plan, shape)
    contained, slots = aligned(CELLS * lanes, kind), aligned(lanes * slot, kind)
    known = np.random.default_rng(n).integers(1, 1 << n, (CELLS, lanes)).astype(kind)
    state, saved = contained.reshape(CELLS, lanes), slots.reshape(lanes, slot)
    state[:] = known
    functions["unload"](address(contained), address(slots))
    assert (saved[:, :CELLS] == known.T).all()
    state[:] = 0
    fetched = np.arange(lanes) % 3 == 1
    functions["load"](
        address(contained), address(slots), int(sum(1 << k for k in range(1, lanes, 3)))
    )
    assert (state == np.where(fetched, known, 0)).all()
    assert library


@pytest.mark.parametrize("n", [9, 25, 40])
def test_a_saved_state_is_begun_answered_copied_and_read(n: int) -> None:
    library, (plan, shape), functions = _functions(n, 8)
    kind = np.dtype(f"u{shape.bits // 8}")
    slot = slot_size(plan, shape)
    first, second, mask = (aligned(slot, kind) for _ in range(3))
    board = np.random.default_rng(n).integers(0, n + 1, CELLS).astype(np.uint8)
    functions["start"](address(board), address(first))
    begun = [1 << (value - 1) if value else (1 << n) - 1 for value in board.tolist()]
    assert first[:CELLS].tolist() == begun
    functions["copy"](address(first), address(second))
    assert second[:CELLS].tolist() == begun
    mask[3:7] = np.iinfo(kind).max
    functions["answer"](address(first), address(second), address(mask), 1 << (n - 1))
    left = [x & ~(1 << (n - 1)) if 3 <= cell < 7 else x for cell, x in enumerate(begun)]
    assert second[:CELLS].tolist() == left
    full = (board % n + 1).astype(np.uint8)
    functions["start"](address(full), address(first))
    grid = np.zeros(CELLS, np.uint8)
    functions["read"](address(first), address(grid))
    assert grid.tolist() == full.tolist()
    assert library
