"""Decided cells: their peers lose their values, 32 cells at a time."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# The translator infers the types here; mypy does not.

from __future__ import annotations

from llvmlite import ir

from unidoku.backends.native.compiler.translator import I1, I64, emitted, loop, variable
from unidoku.backends.native.single import registers as reg
from unidoku.backends.native.single.kinds import CELLS_AT_ONCE
from unidoku.backends.native.single.state import (
    decide,
    lowest_bit,
    wake,
    wake_once_decided,
)
from unidoku.backends.native.single.vector import spread, vector_of

_LANES = vector_of(CELLS_AT_ONCE)
_SET = ir.IntType(CELLS_AT_ONCE)


def take_decided(s):
    """Remove the values of newly decided cells from their peers; return a cell that fails, or -1.

    All cells decided so far are handled at once, then those that this decides, and so on.
    """
    r = s.registers
    blocks = (r[reg.CELLS] + CELLS_AT_ONCE - 1) // CELLS_AT_ONCE
    first = 0
    while first < r[reg.DECIDED]:
        end = r[reg.DECIDED]
        for block in range(blocks):
            lost = _take_all(s.candidates, s.seen, s.decided, blocks, block, first, end)
            empty = _lost_one(s, block, lost)
            if empty >= 0:
                return _that_sees(s, first, end, empty)
        for place in range(first, end):
            wake_once_decided(s, s.decided[place])
        first = end
    r[reg.DECIDED] = 0
    return -1


def take(s, block, cells, value):
    """Remove a value from cells, a set in a block; return whether each has another left."""
    return _lost_one(s, block, _take_from(s.candidates, block, cells, value)) < 0


def _lost_one(s, block, lost):
    """Note that cells of a block lost a value; return one that has no other, or -1."""
    while lost:
        cell = CELLS_AT_ONCE * block + lowest_bit(lost)
        lost &= lost - 1
        mask = s.candidates[cell]
        if mask & (mask - 1) == 0:
            if mask == 0:
                return cell
            decide(s, cell)
        wake(s, cell)
    return -1


def _that_sees(s, first, end, cell):
    """Return the decided cell, the last one first, that sees a cell."""
    blocks = (s.registers[reg.CELLS] + CELLS_AT_ONCE - 1) // CELLS_AT_ONCE
    block, number = cell // CELLS_AT_ONCE, cell % CELLS_AT_ONCE
    last = end - 1
    while last > first and not s.seen[s.decided[last] * blocks + block] >> number & 1:
        last -= 1
    return s.decided[last]


def _some(builder, cells, value):
    """Return a value in the lanes of a set of cells, and nothing in the others."""
    lanes = builder.bitcast(cells, vector_of(CELLS_AT_ONCE, I1))
    nothing = ir.Constant(_LANES, [0] * CELLS_AT_ONCE)
    return builder.select(lanes, spread(builder, value, CELLS_AT_ONCE), nothing)


def _removed(builder, candidates, block, values):
    """Emit that the cells of a block lose values; return the set of those that had any."""
    first = builder.mul(block, ir.Constant(I64, CELLS_AT_ONCE))
    place = builder.bitcast(builder.gep(candidates, [first]), _LANES.as_pointer())
    old = builder.load(place, align=8)
    gone = builder.and_(old, values)
    lost = builder.icmp_unsigned("!=", gone, ir.Constant(_LANES, [0] * CELLS_AT_ONCE))
    lost = builder.bitcast(lost, _SET)
    with builder.if_then(builder.icmp_unsigned("!=", lost, ir.Constant(_SET, 0))):
        builder.store(builder.xor(old, gone), place, align=8)
    return builder.zext(lost, I64)


@emitted
def _take_from(builder, candidates, block, cells, value):
    """Take a value from cells of a block, a set of 32; return the set of those that lost it."""
    values = _some(builder, builder.trunc(cells, _SET), value)
    return _removed(builder, candidates, block, values)


@emitted
def _take_all(builder, candidates, seen, decided, blocks, block, first, end):
    """Take the values of decided cells from their peers in a block; return which lost one.

    The decided cells are those of a list from the first place up to the end.
    """
    taken = variable(builder, ir.Constant(_LANES, [0] * CELLS_AT_ONCE))
    with loop(builder, builder.sub(end, first)) as index:
        cell = builder.load(builder.gep(decided, [builder.add(first, index)]))
        value = builder.load(builder.gep(candidates, [cell]))
        at = builder.add(builder.mul(cell, blocks), block)
        peers = builder.load(builder.gep(seen, [at]))
        more = _some(builder, peers, value)
        builder.store(builder.or_(builder.load(taken), more), taken)
    return _removed(builder, candidates, block, builder.load(taken))
