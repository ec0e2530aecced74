"""What the search in lanes needs to know of the code of a layout without emitting it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from unidoku.backends.native.compiler.processor import Processor
from unidoku.backends.native.lanes.plan import Plan, lane_bits

FUNCTIONS = (
    "round",
    "check",
    "choose",
    "choose_cell",
    "unload",
    "load",
    "start",
    "read",
    "copy",
    "answer",
)
"""The functions of a kernel, see `unidoku.backends.native.lanes.kernel`."""

CHOICE_ROWS = 4
"""Vectors that a choice of what to branch on takes."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a vector is divided.

    Args:
        lanes: number of lanes, at most 64.
        bits: width of each lane: 16, 32 or 64.
        ternary: whether the processor has ternary logic for vectors of this size.
    """

    lanes: int
    bits: int
    ternary: bool = False

    @property
    def bytes(self) -> int:
        """Size of one vector."""
        return self.lanes * self.bits // 8

    @property
    def alignment(self) -> int:
        """Alignment of the addresses of vectors, in bytes."""
        return min(self.bytes, 64)


def shape_of(processor: Processor, n: int, lanes: int | None = None) -> Shape:
    """Return how vectors are divided for n values; by default lanes fill the vector."""
    bits = lane_bits(n)
    count = lanes or processor.vector_bits // bits
    return Shape(count, bits, processor.ternary and count * bits in (128, 256, 512))


def vectors_of(plan: Plan, shape: Shape) -> int:
    """Return how many vectors a saved state takes."""
    return -(-plan.cells // shape.lanes)


def slot_size(plan: Plan, shape: Shape) -> int:
    """Return how many lane elements a saved state takes: whole vectors."""
    return vectors_of(plan, shape) * shape.lanes


def kernel_name(plan: Plan, shape: Shape) -> str:
    """Return the beginning of the names of a kernel's functions in the library.

    It depends on what the code does and not on the name of a layout.
    """
    return "kernel_" + hashlib.sha256(f"{shape.lanes} {plan}".encode()).hexdigest()[:16]
