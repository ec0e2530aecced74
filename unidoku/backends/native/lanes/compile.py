"""From a layout to callable machine code, through a cache on disk.

Compiling a layout takes seconds; what comes of it is an object file which depends on the plan, the
shape of the vectors, the processor, LLVM and this package's own code. The name of its file in the
cache is a digest of all of these, so that what is stale is never found.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
from llvmlite import binding

from unidoku.backends.native.lanes.kernel import FUNCTIONS, kernel_module
from unidoku.backends.native.lanes.plan import Plan, plan_of
from unidoku.backends.native.lanes.vector import Shape
from unidoku.core.layout import Layout
from unidoku.errors import OutputError
from unidoku.places import cache_folder
from unidoku.writing import make_folder, new_file


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


MOST_KERNELS = 64
"""How many are kept in memory; the one made first goes first."""

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
    machine = host()
    shape = machine.shape(layout.n, lanes)
    path = _cache_path(f"{fingerprint()} {machine} {shape} {plan}")
    code = _read(path)
    if code is None:
        code = _compiled(plan, shape, machine)
        _write(path, code)
    library = _loaded(code, machine)
    addresses = {name: library.get_function_address(name) for name in FUNCTIONS}
    return Kernel(plan, shape, addresses, library)


@cache
def fingerprint() -> str:
    """Return a digest of what machine code depends on besides layout and processor."""
    digest = hashlib.sha256(f"{llvmlite.__version__} {binding.llvm_version_info}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _compiled(plan: Plan, shape: Shape, machine: Host) -> bytes:
    """Return the object code of a plan."""
    target = _target_machine(machine)
    module = binding.parse_assembly(str(kernel_module(plan, shape)))
    module.verify()
    code: bytes = target.emit_object(module)
    return code


def _target_machine(machine: Host) -> binding.TargetMachine:
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    # More than level 1 takes twice as long on straight-line code and does not make it faster.
    return target.create_target_machine(
        cpu=machine.cpu, features=machine.features, opt=1, reloc="default", codemodel="jitdefault"
    )


def _loaded(code: bytes, machine: Host) -> binding.ExecutionEngine:
    """Return object code, ready to be called."""
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _target_machine(machine))
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


def _cache_path(description: str) -> Path | None:
    folder = cache_folder()
    name = hashlib.sha256(description.encode()).hexdigest()[:32]
    return None if folder is None else folder / f"{name}.o"


def _read(path: Path | None) -> bytes | None:
    """Return what the file holds if it is whole: its digest stands before the code."""
    if path is None:
        return None
    try:
        held = path.read_bytes()
    except OSError:
        return None
    digest, code = held[:32], held[32:]
    return code if hashlib.sha256(code).digest() == digest else None


def _write(path: Path | None, code: bytes) -> None:
    """Write the file, or do without."""
    if path is None:
        return
    with contextlib.suppress(OutputError):
        make_folder(path.parent)
        with new_file(path, force=True) as file:
            file.write(hashlib.sha256(code).digest() + code)


@dataclass(frozen=True, slots=True)
class Host:
    """A processor, in LLVM's words.

    Args:
        cpu: name of the processor.
        features: its features, each with a sign, joined by commas.
        vector_bits: width of the widest vectors that it works on as a whole.
        ternary: whether it has ternary logic on vectors of 128 to 512 bits.
    """

    cpu: str
    features: str
    vector_bits: int
    ternary: bool

    def shape(self, n: int, lanes: int | None = None) -> Shape:
        """Return how its vectors are divided for n values; filled, if not told how many lanes."""
        bits = lane_bits(n)
        count = lanes or self.vector_bits // bits
        return Shape(count, bits, self.ternary and count * bits in (128, 256, 512))


@cache
def host() -> Host:
    """Return the processor that this process runs on."""
    features = binding.get_host_cpu_features()
    if features.get("avx512bw"):
        width = 512
    elif features.get("avx2"):
        width = 256
    else:
        width = 128
    return Host(
        cpu=binding.get_host_cpu_name(),
        features=features.flatten(),
        vector_bits=width,
        ternary=bool(features.get("avx512vl")),
    )


def lane_bits(n: int) -> int:
    """Return the width of a lane that holds a set of n values.

    >>> lane_bits(9), lane_bits(25), lane_bits(64)
    (16, 32, 64)
    """
    return next(bits for bits in (16, 32, 64) if n <= bits)
