"""Emit the object code of a library: the searches, and the lanes of layouts that people use."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

from llvmlite import binding, ir

from building import processor_level
from building.systems import X86_64, System
from unidoku.backends.native.compiler import object_cache
from unidoku.backends.native.compiler.object_code import of_function, of_module
from unidoku.backends.native.compiler.processor import LEVELS, Processor, emitting_for
from unidoku.backends.native.lanes import compile as lanes
from unidoku.backends.native.lanes import engine as lanes_engine
from unidoku.backends.native.lanes.kernel import kernel_module
from unidoku.backends.native.lanes.plan import plan_of
from unidoku.backends.native.lanes.shape import kernel_name, shape_of
from unidoku.backends.native.library import LEVELS as NUMBERS
from unidoku.backends.native.library import fingerprint
from unidoku.backends.native.single.search import engine as single_engine
from unidoku.core.variants import layout

LAYOUTS: tuple[tuple[str, int], ...] = (
    *(("classic", n) for n in (4, 6, 8, 9, 10, 12, 16)),
    *(("x", n) for n in (6, 9)),
    ("windoku", 9),
    ("x+windoku", 9),
    ("disjoint", 9),
    ("anti-knight", 9),
    ("anti-king", 9),
    ("non-consecutive", 9),
    ("samurai", 9),
)
"""Names and sizes of the layouts whose lanes are in the library. Others are compiled by llvmlite,
or searched by `single`: jigsaws, of which each is another layout, and 25x25, which takes 6 s to
compile."""

BASELINE = Processor("x86-64", "", 128, ternary=False)
"""Any x86-64: the code that finds the level runs on all."""


def objects(
    system: System, levels: Sequence[str], layouts: Sequence[tuple[str, int]] = LAYOUTS
) -> Iterator[tuple[str, bytes]]:
    """Yield names and object code of the parts of a system's library."""
    yield "sources", of_module(_sources(), machine_of(system.triple, LEVELS[system.levels[-1]], 1))
    if system.levels == X86_64:
        baseline = machine_of(system.triple, BASELINE, 2)
        yield "level", of_function(processor_level.level, "unidoku_level", baseline)
    for level in levels:
        for name, code in _of_level(system, level, layouts):
            yield f"{level}-{name}", code


def _of_level(
    system: System, level: str, layouts: Sequence[tuple[str, int]]
) -> Iterator[tuple[str, bytes]]:
    processor = LEVELS[level]
    optimizing = machine_of(system.triple, processor, 2)
    straight = machine_of(system.triple, processor, lanes.LEVEL)
    with emitting_for(processor):
        yield "search", of_function(single_engine.search, f"{level}_search", optimizing)
        for bits in lanes.ADVANCE:
            name = f"advance_{bits}"
            function = getattr(lanes_engine, name)
            yield name, of_function(function, f"{level}_{name}", optimizing)
        for variant, n in layouts:
            plan, shape = plan_of(layout(variant, n)), shape_of(processor, n)
            module = kernel_module(plan, shape, f"{level}_{kernel_name(plan, shape)}_")
            yield f"{variant}-{n}", of_module(module, straight)


def _sources() -> ir.Module:
    """Return the module with the digest of the sources, as text."""
    text = bytearray(fingerprint().encode() + b"\0")
    module = ir.Module(name="sources")
    kind = ir.ArrayType(ir.IntType(8), len(text))
    digest = ir.GlobalVariable(module, kind, "unidoku_sources")
    digest.global_constant = True
    digest.initializer = ir.Constant(kind, text)
    return module


def machine_of(triple: str, processor: Processor, optimization: int) -> Any:
    """Return LLVM's compiler for a processor of any system."""
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    binding.initialize_native_asmparser()  # for the instructions of `processor_level`
    return binding.Target.from_triple(triple).create_target_machine(
        cpu=processor.cpu,
        features=processor.features,
        opt=optimization,
        reloc="pic",
        codemodel="default",
    )


def level_here(system: System) -> str | None:
    """Return the level of this machine, which runs the system; None if it is below all levels."""
    if system.levels != X86_64:
        return system.levels[0]
    binding.initialize_native_asmparser()
    code = of_function(processor_level.level, "level", object_cache.target_machine(2))
    engine = object_cache.load(code)
    find = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_int64] * 3)(
        engine.get_function_address("level")
    )
    result = ctypes.c_int64()
    find(ctypes.addressof(result), 0, 0)
    return NUMBERS.get(result.value)
