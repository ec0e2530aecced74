"""The machine code of a layout: in the library, or compiled with a cache on disk.

Compiling a layout takes a second or more. The resulting object file depends on the plan, the shape
of the vectors, the processor, LLVM and this package's own code: see
`unidoku.backends.native.compiler.object_cache`.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from unidoku.backends.native import library
from unidoku.backends.native.compiler import object_cache
from unidoku.backends.native.compiler.compiled_function import Program
from unidoku.backends.native.compiler.processor import host
from unidoku.backends.native.engines import require
from unidoku.backends.native.lanes.plan import Plan, plan_of
from unidoku.backends.native.lanes.shape import FUNCTIONS, Shape, kernel_name, shape_of
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
        idle: workspaces that no search is using.
    """

    plan: Plan
    shape: Shape
    addresses: dict[str, int]
    library: object
    idle: list[Any] = field(default_factory=list)


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
    known = _kernels.get(key)
    if known is not None:
        return known
    with _lock:
        if key not in _kernels:
            while len(_kernels) >= MOST_KERNELS:
                del _kernels[next(iter(_kernels))]
            _kernels[key] = _new_kernel(layout, lanes, bands)
        return _kernels[key]


def _new_kernel(layout: Layout, lanes: int | None, bands: bool) -> Kernel:
    shape = shape_of(host(), layout.n, lanes)
    plan = plan_of(layout, bands=bands)
    if addresses := _in_library(plan, shape):
        return Kernel(plan, shape, addresses, library.library())
    engine = _compiled(plan, shape)
    addresses = {name: engine.get_function_address(name) for name in FUNCTIONS}
    return Kernel(plan, shape, addresses, engine)


def is_in_library(layout: Layout) -> bool:
    """Return whether the library has the kernel of a layout, so that nothing is compiled."""
    if library.level() is None:
        return False
    return bool(_in_library(plan_of(layout), shape_of(host(), layout.n)))


def _in_library(plan: Plan, shape: Shape) -> dict[str, int]:
    """Return the addresses of a kernel's functions in the library; none if it has not got them."""
    prefix = kernel_name(plan, shape)
    addresses = {name: library.address_of(f"{prefix}_{name}") for name in FUNCTIONS}
    return {name: address for name, address in addresses.items() if address is not None}


def _compiled(plan: Plan, shape: Shape) -> Any:
    """Return the code of a kernel in memory: from the cache on disk, or compiled.

    A call that can be cancelled has a process compile it, as LLVM does not stop.

    Raises:
        EngineError: llvmlite cannot be imported.
    """
    require("llvmlite")
    path = object_cache.path_of(f"{fingerprint()} {shape} {plan}")
    code = partial(object_code, plan, shape)
    return object_cache.load(
        object_cache.load_or_make(path, partial(in_process, code) if in_force() else code)
    )


def fingerprint() -> str:
    """Return a digest of what machine code depends on, apart from layout and processor."""
    return object_cache.fingerprint(Path(__file__).parent)


def object_code(plan: Plan, shape: Shape) -> bytes:
    """Return the object code of the kernel of a plan."""
    from unidoku.backends.native.compiler.object_code import of_module
    from unidoku.backends.native.lanes.kernel import kernel_module

    return of_module(kernel_module(plan, shape), object_cache.target_machine(LEVEL))
