"""From a layout to callable machine code, through a cache on disk.

Compiling a layout takes seconds; what comes of it is an object file which depends on the plan, the
shape of the vectors, the processor, LLVM and this package's own code: see
`unidoku.backends.native.code`.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from llvmlite import binding

from unidoku.backends.native import code
from unidoku.backends.native.lanes.kernel import FUNCTIONS, kernel_module
from unidoku.backends.native.lanes.plan import Plan, plan_of
from unidoku.backends.native.lanes.vector import Shape
from unidoku.backends.native.program import Program
from unidoku.core.layout import Layout


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """A layout's compiled functions.

    Args:
        plan: what they do.
        shape: shape of their vectors.
        addresses: addresses of the functions by name, as in `FUNCTIONS`.
        library: what keeps their code in memory.
        idle: workspaces for batches that no search is using.
        desks: the same for single boards.
    """

    plan: Plan
    shape: Shape
    addresses: dict[str, int]
    library: object
    idle: list[Any] = field(default_factory=list)
    desks: list[Any] = field(default_factory=list)


ADVANCE = {
    bits: Program(f"{__package__}.engine", "advance", ("int64", f"uint{bits}"), whole=False)
    for bits in (16, 32, 64)
}
"""The search around the rounds of kernels, by the width of a lane: of the address of its registers,
and a 1 as wide as a lane."""

MOST_KERNELS = 64
"""How many are kept in memory; the one made first goes first."""

LEVEL = 1
"""How far LLVM optimises. More takes twice as long on straight-line code and does not make it
faster; 0 compiles in a tenth of the time."""

_lock = threading.Lock()
_kernels: dict[tuple[Layout, int | None, bool], Kernel] = {}


def kernel(layout: Layout, lanes: int | None = None, *, bands: bool = True) -> Kernel:
    """Return the kernel of a layout: from memory, from the cache on disk, or compiled.

    If not told how many, as many lanes as fill this machine's vectors.
    """
    key = layout, lanes, bands
    found = _kernels.get(key)
    if found is not None:
        return found
    with _lock:
        if key not in _kernels:
            while len(_kernels) >= MOST_KERNELS:
                del _kernels[next(iter(_kernels))]
            _kernels[key] = _made(layout, lanes, bands)
        return _kernels[key]


def is_ready(layout: Layout, lanes: int | None = None, *, bands: bool = True) -> bool:
    """Tell whether the kernel of a layout is in memory, so that it costs nothing to use it."""
    return (layout, lanes, bands) in _kernels


def _made(layout: Layout, lanes: int | None, bands: bool) -> Kernel:
    plan = plan_of(layout, bands=bands)
    shape = shape_of(code.host(), layout.n, lanes)
    path = code.path_of(f"{fingerprint()} {shape} {plan}")
    made = code.read(path)
    if made is None:
        made = _compiled(plan, shape)
        code.write(path, made)
    library = code.load(made)
    addresses = {name: library.get_function_address(name) for name in FUNCTIONS}
    return Kernel(plan, shape, addresses, library)


def fingerprint() -> str:
    """Return a digest of what machine code depends on besides layout and processor."""
    return code.fingerprint(Path(__file__).parent)


def _compiled(plan: Plan, shape: Shape) -> bytes:
    """Return the object code of a plan."""
    module = binding.parse_assembly(str(kernel_module(plan, shape)))
    module.verify()
    made: bytes = code.target_machine(LEVEL).emit_object(module)
    return made


def shape_of(machine: code.Host, n: int, lanes: int | None = None) -> Shape:
    """Return how vectors are divided for n values; filled, if not told how many lanes."""
    bits = lane_bits(n)
    count = lanes or machine.vector_bits // bits
    return Shape(count, bits, machine.ternary and count * bits in (128, 256, 512))


def lane_bits(n: int) -> int:
    """Return the width of a lane that holds a set of n values.

    >>> lane_bits(9), lane_bits(25), lane_bits(64)
    (16, 32, 64)
    """
    return next(bits for bits in (16, 32, 64) if n <= bits)
