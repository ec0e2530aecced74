"""Saved states: one lane's candidates side by side, and how they enter and leave lanes.

In the lanes, the candidates of a cell are next to those of the same cell on other boards, and each
cell has its own line of memory. Writing one lane alone, line by line, takes as long as writing all
of them. So all lanes are transposed at once, like a matrix; operations on one state then take a few
vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, TypeAlias

from llvmlite import ir

from unidoku.backends.native.compiler.vector import I32, Value, Vector
from unidoku.backends.native.lanes.emitter import Emitter
from unidoku.backends.native.lanes.plan import Plan
from unidoku.backends.native.lanes.shape import vectors_of

_I8 = ir.IntType(8)

CHUNK = 128
"""Width in bits within which processors shuffle fastest."""

Rows: TypeAlias = list[Value]


def unload(emit: Emitter, plan: Plan, state: Any, slots: Any) -> None:
    """Emit: save the states of all lanes, one after the other."""
    rows, saved = emit.pointer(state, emit.kind), emit.pointer(slots, emit.kind)
    vectors, lanes = vectors_of(plan, emit.shape), emit.shape.lanes
    nothing = ir.Constant(emit.kind, ir.Undefined)
    for number in range(vectors):
        emit.rest()
        cells = range(number * lanes, (number + 1) * lanes)
        candidates = [
            emit.load(rows, cell).value if cell < plan.cells else nothing for cell in cells
        ]
        for lane, x in enumerate(_turned(emit, candidates)):
            emit.store(saved, lane * vectors + number, Vector(emit.builder, x))


def load(emit: Emitter, plan: Plan, state: Any, slots: Any, lanes: Any) -> None:
    """Emit: load the saved states of some lanes, a mask, from where `unload` wrote them."""
    rows, saved = emit.pointer(state, emit.kind), emit.pointer(slots, emit.kind)
    vectors, width, chosen = vectors_of(plan, emit.shape), emit.shape.lanes, emit.lanes(lanes)
    for number in range(vectors):
        emit.rest()
        states = [emit.load(saved, lane * vectors + number).value for lane in range(width)]
        left = range(number * width, plan.cells)
        for cell, x in zip(left, _turned(emit, states), strict=False):
            emit.store(rows, cell, chosen.choose(Vector(emit.builder, x), emit.load(rows, cell)))


def _turned(emit: Emitter, rows: Rows) -> Rows:
    """Transpose as many vectors as there are lanes: first within chunks, then whole chunks."""
    lanes = len(rows)
    chunk = min(lanes, CHUNK // emit.shape.bits)
    chunks = range(0, lanes, chunk)
    parts = [range(half, half + chunk // 2) for half in (0, chunk // 2)]
    halves = [_mask(_indices(chunks, part, lanes)) for part in parts]
    within = []
    for first in chunks:
        vectors = rows[first : first + chunk]
        for _ in range(chunk.bit_length() - 1):
            vectors = list(chain(*_zipped(emit, vectors, halves)))
        within.append(vectors)
    every = [_pairs(chunks[side::2], lanes) for side in (0, 1)]
    sides = [_mask([at + k for at in starts for k in range(chunk)]) for starts in every]
    whole = []
    for vectors in map(list, zip(*within, strict=True)):
        for _ in range(len(chunks).bit_length() - 1):
            pairs = list(zip(vectors[::2], vectors[1::2], strict=True))
            vectors = [emit.builder.shuffle_vector(a, b, side) for side in sides for a, b in pairs]
        whole.append(vectors)
    return list(chain(*zip(*whole, strict=True)))


def _indices(chunks: range, part: range, lanes: int) -> list[int]:
    """Return the lanes that a shuffle takes from two vectors: a part of each chunk, in turn."""
    return [at + k for chunk in chunks for k in part for at in (chunk, lanes + chunk)]


def _pairs(chunks: range, lanes: int) -> list[int]:
    """Return the starts of some chunks of two vectors, the first vector's first."""
    return [*chunks, *(lanes + chunk for chunk in chunks)]


def _zipped(emit: Emitter, rows: Rows, halves: list[Value]) -> Iterator[Rows]:
    middle = len(rows) // 2
    for a, b in zip(rows[:middle], rows[middle:], strict=True):
        yield [emit.builder.shuffle_vector(a, b, half) for half in halves]


def _mask(places: list[int]) -> Value:
    """Return the constant that says how to shuffle; writing it out takes long, but only once."""
    return ir.Constant(ir.VectorType(I32, len(places)), places)


def start(emit: Emitter, plan: Plan, board: Any, slot: Any) -> None:
    """Emit: save a board: value v becomes the set of v alone, 0 the set of all values."""
    builder, bits = emit.builder, emit.shape.bits
    values, saved = emit.pointer(board, _I8), emit.pointer(slot, emit.element)

    def converted(first: int, kind: ir.VectorType) -> None:
        source = builder.bitcast(
            emit.at(values, first), ir.VectorType(_I8, kind.count).as_pointer()
        )
        value = Vector(builder, builder.zext(builder.load(source, align=1), kind))
        alone = value.constant(1) << value - value.constant(1)
        every = value.constant((1 << plan.n) - 1)
        candidates = value.equals(value.constant(0)).choose(every, alone)
        into = builder.bitcast(emit.at(saved, first), kind.as_pointer())
        builder.store(candidates.value, into, align=bits // 8)

    _in_groups(emit, plan, converted)


def read(emit: Emitter, plan: Plan, slot: Any, grid: Any) -> None:
    """Emit: the place, counted from 1, of each cell's one bit in a saved state."""
    builder, bits = emit.builder, emit.shape.bits
    saved, values = emit.pointer(slot, emit.element), emit.pointer(grid, _I8)

    def converted(first: int, kind: ir.VectorType) -> None:
        source = builder.bitcast(emit.at(saved, first), kind.as_pointer())
        candidates = Vector(builder, builder.load(source, align=bits // 8))
        value = (candidates - candidates.constant(1)).population() + candidates.constant(1)
        bytes_ = ir.VectorType(_I8, kind.count)
        into = builder.bitcast(emit.at(values, first), bytes_.as_pointer())
        builder.store(builder.trunc(value.value, bytes_), into, align=1)

    _in_groups(emit, plan, converted)


def _in_groups(emit: Emitter, plan: Plan, converted: Callable[[int, ir.VectorType], None]) -> None:
    """Emit an operation on all cells, in vectors of up to 32 cells.

    The last group of cells overlaps the one before, so that nothing is read or written beyond the
    board.

    Args:
        emit: emits the operation.
        plan: the plan, for the number of cells.
        converted: emits the operation on a group: called with its first cell, and the type of a
            vector with an element for each cell of it.
    """
    group = min(32, plan.cells)
    for first in [*range(0, plan.cells - group, group), plan.cells - group]:
        converted(first, ir.VectorType(emit.element, group))


def copy(emit: Emitter, plan: Plan, slot: Any, into: Any) -> None:
    """Emit: copy a saved state."""
    source, target = emit.pointer(slot, emit.kind), emit.pointer(into, emit.kind)
    for number in range(vectors_of(plan, emit.shape)):
        emit.store(target, number, emit.load(source, number))


def answer(emit: Emitter, plan: Plan, slot: Any, into: Any, excluded: Any, value: Any) -> None:
    """Emit: copy a saved state without a value in some cells; source and target may be the same.

    ``excluded`` is the address of a saved state with all bits in these cells, and none elsewhere.
    """
    source, target = emit.pointer(slot, emit.kind), emit.pointer(into, emit.kind)
    cells = emit.pointer(excluded, emit.kind)
    wide = emit.shape.bits == 64
    gone = emit.spread(value if wide else emit.builder.trunc(value, emit.element))
    for number in range(vectors_of(plan, emit.shape)):
        left = emit.ternary(
            lambda a, b, c: a & ~(b & c), emit.load(source, number), emit.load(cells, number), gone
        )
        emit.store(target, number, left)
