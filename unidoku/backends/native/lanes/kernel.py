"""The compiler from what a round does on a layout (`Plan`) to the functions that do it.

A kernel is ten functions of 64-bit numbers, most of them addresses:

- ``round(state, flags)``: one round of propagation in all lanes. Writes three lane masks: dead (a
  contradiction was found), open (some cell has several candidates), changed.
- ``check(state) -> mask``: the lanes that hold a solution, given that each cell has one candidate.
- ``choose(state, choice) -> mask`` and ``choose_cell(state, choice)``: what to branch on in each
  lane (see `branch`); the mask marks lanes in which only a cell can be branched on.
- ``unload(state, slots)`` and ``load(state, slots, lanes)``: lanes become saved states and back;
  ``start``, ``read``, ``copy`` and ``answer``: operations on saved states (see `saved`).

The state is one vector a cell; bit v - 1 of a lane says whether the cell may hold the value v.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from unidoku.backends.native.compiler.translator.emitted import I64
from unidoku.backends.native.lanes import branch, saved
from unidoku.backends.native.lanes.emitter import Emitter, function_of, or_and
from unidoku.backends.native.lanes.passes import Round
from unidoku.backends.native.lanes.plan import Plan
from unidoku.backends.native.lanes.shape import FUNCTIONS, Shape


def _round(emit: Emitter, plan: Plan, state: Any, flags: Any) -> None:
    masks = Round(emit, plan, emit.pointer(state, emit.kind)).emitted()
    pointer = emit.pointer(flags, I64)
    for index, mask in enumerate(masks):
        emit.builder.store(mask.number(), emit.at(pointer, index))


def _check(emit: Emitter, plan: Plan, state: Any) -> Any:
    """Emit: every full unit holds all values, and no other unit holds one twice."""
    pointer = emit.pointer(state, emit.kind)
    candidates = [emit.load(pointer, cell) for cell in range(plan.cells)]
    right = emit.everything
    wrong = emit.zero
    for cells, is_full in plan.all_units:
        emit.rest()
        if is_full:
            right &= emit.union(candidates[cell] for cell in cells)
            continue
        seen = candidates[cells[0]]
        for cell in cells[1:]:
            wrong = emit.ternary(or_and, wrong, seen, candidates[cell])
            seen = seen | candidates[cell]
    for cell, partners in enumerate(plan.partners):
        for shifts, others in partners:
            for apart in emit.shifted(emit.union(candidates[other] for other in others), shifts):
                wrong = emit.ternary(or_and, wrong, apart, candidates[cell])
    return (right & ~wrong).equals(emit.everything).number()


BODIES: dict[str, tuple[int, Callable[..., Any]]] = {
    "round": (2, _round),
    "check": (1, _check),
    "choose": (2, branch.choose),
    "choose_cell": (2, branch.choose_cell),
    "unload": (2, saved.unload),
    "load": (3, saved.load),
    "start": (2, saved.start),
    "read": (2, saved.read),
    "copy": (2, saved.copy),
    "answer": (4, saved.answer),
}
"""The functions of a kernel, as in `FUNCTIONS`: number of arguments, and what emits the body."""


def kernel_module(plan: Plan, shape: Shape, prefix: str = "") -> ir.Module:
    """Emit the module with the functions of a layout's kernel, whose names begin with a prefix."""
    module = ir.Module(name="lanes")
    for name in FUNCTIONS:
        arguments, body = BODIES[name]
        function = function_of(module, prefix + name, arguments, shape)
        builder = ir.IRBuilder(function.append_basic_block())
        result = body(Emitter(builder, shape, plan.n), plan, *function.args)
        builder.ret(ir.Constant(I64, 0) if result is None else result)
    return module
