"""The compiler: from what a round does on a layout (`Plan`) to the functions that do it.

A kernel is ten functions of 64-bit numbers, most of them addresses:

- ``round(state, flags)``: one round of propagation in all lanes. Writes three lane masks: dead (a
  contradiction was found), open (some cell has several candidates), changed.
- ``check(state) -> mask``: the lanes which, all cells having one candidate, hold a solution.
- ``choose(state, choice) -> mask`` and ``choose_cell(state, choice)``: what to branch on in each
  lane (see `branch`); the mask is of lanes for which only a cell is left.
- ``start``, ``save``, ``restore``, ``save_without``, ``exclude``, ``read``: of one lane, see below.

The state is one vector a cell; bit v - 1 of a lane says whether the cell may hold the value v.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from llvmlite import ir

from unidoku.backends.native.lanes import branch
from unidoku.backends.native.lanes.passes import Round
from unidoku.backends.native.lanes.plan import Plan
from unidoku.backends.native.lanes.vector import I8, I64, Emitter, Shape, function_of, or_and


def _round(emit: Emitter, plan: Plan, state: Any, flags: Any) -> None:
    masks = Round(emit, plan, emit.pointer(state, emit.kind)).emitted()
    pointer = emit.pointer(flags, I64)
    for place, mask in enumerate(masks):
        emit.builder.store(mask.number(), emit.at(pointer, place))


def _check(emit: Emitter, plan: Plan, state: Any) -> Any:
    """Emit: every full unit holds all values, and no other unit holds one twice."""
    pointer = emit.pointer(state, emit.kind)
    held = [emit.load(pointer, cell) for cell in range(plan.cells)]
    right = emit.everything
    wrong = emit.zero
    for cells, is_full in plan.all_units:
        emit.rest()
        if is_full:
            right &= emit.union(held[cell] for cell in cells)
            continue
        seen = held[cells[0]]
        for cell in cells[1:]:
            wrong = emit.ternary(or_and, wrong, seen, held[cell])
            seen = seen | held[cell]
    for cell, partners in enumerate(plan.partners):
        for shifts, others in partners:
            for apart in emit.shifted(emit.union(held[other] for other in others), shifts):
                wrong = emit.ternary(or_and, wrong, apart, held[cell])
    return (right & ~wrong).equals(emit.everything).number()


def slot_size(plan: Plan, bits: int) -> int:
    """Return how many lane elements a saved state takes: whole 64-bit words."""
    packed = 64 // bits
    return -(-plan.cells // packed) * packed


def _lane(emit: Emitter, state: Any, lane: Any) -> Any:
    """Return the pointer to the lane's element of the first cell."""
    return emit.builder.gep(emit.pointer(state, emit.element), [lane])


def start(emit: Emitter, plan: Plan, state: Any, lane: Any, board: Any) -> None:
    """Emit: value v becomes the set of v alone, 0 the set of all values.

    Many cells are converted at once, to a saved state, which is then restored.
    """
    builder = emit.builder
    group = min(32, plan.cells)
    bytes_, sets = ir.VectorType(I8, group), ir.VectorType(emit.element, group)
    slot = builder.alloca(emit.element, slot_size(plan, emit.shape.bits))
    slot.align = 8
    values = emit.pointer(board, I8)

    def constant(number: int) -> Any:
        return ir.Constant(sets, [number & ((1 << emit.shape.bits) - 1)] * group)

    # The last group overlaps the one before, so that nothing is read beyond the board.
    for first in [*range(0, plan.cells - group, group), plan.cells - group]:
        source = builder.bitcast(emit.at(values, first), bytes_.as_pointer())
        value = builder.zext(builder.load(source, align=1), sets)
        alone = builder.shl(constant(1), builder.sub(value, constant(1)))
        empty = builder.icmp_unsigned("==", value, constant(0))
        into = builder.bitcast(emit.at(slot, first), sets.as_pointer())
        converted = builder.select(empty, constant((1 << plan.n) - 1), alone)
        builder.store(converted, into, align=emit.shape.bits // 8)
    restore(emit, plan, state, lane, builder.ptrtoint(slot, I64))


def save(emit: Emitter, plan: Plan, state: Any, lane: Any, slot: Any) -> None:
    """Emit: gather the lane's elements into 64-bit words, and store these."""
    words = emit.pointer(slot, I64)
    for number, word in enumerate(_words(emit, plan, _lane(emit, state, lane))):
        emit.builder.store(word, emit.at(words, number))


def save_without(
    emit: Emitter, plan: Plan, state: Any, lane: Any, slot: Any, excluded: Any, value: Any
) -> None:
    """Emit the same, less a value in some cells.

    ``excluded`` is the address of a saved state with all bits in these cells, and none elsewhere.
    """
    builder, bits = emit.builder, emit.shape.bits
    words, masks = emit.pointer(slot, I64), emit.pointer(excluded, I64)
    repeated = sum(1 << place for place in range(0, 64, bits))
    value = builder.mul(value, ir.Constant(I64, repeated))
    for number, word in enumerate(_words(emit, plan, _lane(emit, state, lane))):
        gone = builder.and_(builder.load(emit.at(masks, number)), value)
        builder.store(builder.and_(word, builder.not_(gone)), emit.at(words, number))


def _words(emit: Emitter, plan: Plan, column: Any) -> Iterator[Any]:
    """Yield the words of a saved state, from a lane's column."""
    builder, bits = emit.builder, emit.shape.bits
    packed = 64 // bits
    for first in range(0, plan.cells, packed):
        word = None
        for place, cell in enumerate(range(first, min(first + packed, plan.cells))):
            x = builder.load(emit.at(column, cell * emit.shape.lanes))
            if bits < 64:
                x = builder.zext(x, I64)
            if place:
                x = builder.shl(x, ir.Constant(I64, bits * place))
            word = x if word is None else builder.or_(word, x)
        yield word


def restore(emit: Emitter, plan: Plan, state: Any, lane: Any, slot: Any) -> None:
    """Emit: the reverse of `save`."""
    builder, bits = emit.builder, emit.shape.bits
    column, words = _lane(emit, state, lane), emit.pointer(slot, I64)
    packed = 64 // bits
    for first in range(0, plan.cells, packed):
        word = builder.load(emit.at(words, first // packed))
        for place, cell in enumerate(range(first, min(first + packed, plan.cells))):
            x = builder.lshr(word, ir.Constant(I64, bits * place)) if place else word
            if bits < 64:
                x = builder.trunc(x, emit.element)
            builder.store(x, emit.at(column, cell * emit.shape.lanes))


def read(emit: Emitter, plan: Plan, state: Any, lane: Any, grid: Any) -> None:
    """Emit: the place of each cell's one bit, from 1 on."""
    builder, element = emit.builder, emit.element
    column, values = _lane(emit, state, lane), emit.pointer(grid, I8)
    known = ir.Constant(ir.IntType(1), 1)
    for cell in range(plan.cells):
        x = builder.load(emit.at(column, cell * emit.shape.lanes))
        value = builder.add(builder.cttz(x, known), ir.Constant(element, 1))
        builder.store(builder.trunc(value, I8), emit.at(values, cell))


def exclude(emit: Emitter, plan: Plan, state: Any, lane: Any, cells: Any, value: Any) -> None:
    """Emit: a value leaves cells of a lane, as many as `Plan.most_excluded`; repeats are allowed.

    ``cells`` is the address of 64-bit numbers: where the cells' rows begin, in elements.
    """
    builder = emit.builder
    column, rows = _lane(emit, state, lane), emit.pointer(cells, I64)
    if emit.shape.bits < 64:
        value = builder.trunc(value, emit.element)
    others = builder.not_(value)
    for place in range(plan.most_excluded):
        element = builder.gep(column, [builder.load(emit.at(rows, place))])
        builder.store(builder.and_(builder.load(element), others), element)


FUNCTIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    "round": (2, _round),
    "check": (1, _check),
    "choose": (2, branch.choose),
    "choose_cell": (2, branch.choose_cell),
    "start": (3, start),
    "save": (3, save),
    "restore": (3, restore),
    "read": (3, read),
    "exclude": (4, exclude),
    "save_without": (5, save_without),
}
"""The functions of a kernel: how many arguments, and what emits the body."""


def kernel_module(plan: Plan, shape: Shape) -> ir.Module:
    """Emit the module with the functions of a layout's kernel."""
    module = ir.Module(name="lanes")
    for name, (arguments, body) in FUNCTIONS.items():
        function = function_of(module, name, arguments, shape)
        builder = ir.IRBuilder(function.append_basic_block())
        result = body(Emitter(builder, shape, plan.n), plan, *function.args)
        builder.ret(ir.Constant(I64, 0) if result is None else result)
    return module
