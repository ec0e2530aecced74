"""Compile a layout to callable machine code, with a cache on disk.

Compiling a layout takes seconds. The resulting object file depends on the plan, the shape of the
vectors, the processor, LLVM and this package's own code: see
`unidoku.backends.native.compiler.object_cache`.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from llvmlite import binding

from unidoku.backends.native.compiler import object_cache
from unidoku.backends.native.compiler.compiled_function import Program
from unidoku.backends.native.compiler.object_code import of_module
from unidoku.backends.native.lanes.kernel import FUNCTIONS, kernel_module
from unidoku.backends.native.lanes.plan import Plan, lane_bits, plan_of
from unidoku.backends.native.lanes.vector import Shape
from unidoku.core.layout import Layout
from unidoku.parallel.killable import in_process
from unidoku.support.cancel import in_force


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """A layout's compiled functions.

    Args:
        plan: what the functions do.
        shape: shape of the vectors.
        addresses: addresses of the functions by name, as in `FUNCTIONS`.
        library: object that keeps the functions' code in memory.
        idle: workspaces for batches that no search is using.
        desks: desks for single boards that no search is using.
    """

    plan: Plan
    shape: Shape
    addresses: dict[str, int]
    library: object
    idle: list[Any] = field(default_factory=list)
    desks: list[Any] = field(default_factory=list)


ADVANCE = {bits: Program(f"{__package__}.engine", f"advance_{bits}") for bits in (16, 32, 64)}
"""The search around the rounds of kernels, by the width of a lane; its argument is the address of
the registers."""

MOST_KERNELS = 64
"""How many kernels are kept in memory; the oldest is dropped first."""

LEVEL = 1
"""How far LLVM optimises. More takes twice as long on straight-line code and does not make it
faster; 0 compiles in a tenth of the time."""

_lock = threading.Lock()
_kernels: dict[tuple[Layout, int | None, bool], Kernel] = {}


def kernel(layout: Layout, lanes: int | None = None, *, bands: bool = True) -> Kernel:
    """Return the kernel of a layout: from memory, from the cache on disk, or compiled.

    By default it has as many lanes as fill this machine's vectors.
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
    """Return whether the kernel of a layout is in memory, so that using it costs nothing."""
    return (layout, lanes, bands) in _kernels


def _made(layout: Layout, lanes: int | None, bands: bool) -> Kernel:
    shape = shape_of(object_cache.host(), layout.n, lanes)
    plan = plan_of(layout, bands=bands)
    library = _loaded(f"{shape} {plan}", plan, shape)
    addresses = {name: library.get_function_address(name) for name in FUNCTIONS}
    return Kernel(plan, shape, addresses, library)


def _loaded(description: str, plan: Plan, shape: Shape) -> binding.ExecutionEngine:
    """Return the code with that description: from the cache on disk, or compiled.

    A call that can be cancelled has a process compile it, as LLVM does not stop.
    """
    path = object_cache.path_of(f"{fingerprint()} {description}")
    compiled = partial(_compiled, plan, shape)
    return object_cache.load(
        object_cache.kept(path, partial(in_process, compiled) if in_force() else compiled)
    )


def fingerprint() -> str:
    """Return a digest of what machine code depends on, apart from layout and processor."""
    return object_cache.fingerprint(Path(__file__).parent)


def _compiled(plan: Plan, shape: Shape) -> bytes:
    """Return the object code of the kernel of a plan."""
    return of_module(kernel_module(plan, shape), object_cache.target_machine(LEVEL))


def shape_of(machine: object_cache.Host, n: int, lanes: int | None = None) -> Shape:
    """Return how vectors are divided for n values; by default lanes fill the vector."""
    bits = lane_bits(n)
    count = lanes or machine.vector_bits // bits
    return Shape(count, bits, machine.ternary and count * bits in (128, 256, 512))
