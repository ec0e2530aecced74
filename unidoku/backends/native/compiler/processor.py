"""Processors that machine code is made for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from unidoku.backends.native.library import ARM, level


@dataclass(frozen=True, slots=True)
class Processor:
    """A processor, as LLVM describes it.

    Args:
        cpu: name of the processor.
        features: features of the processor, each with a sign, joined by commas.
        vector_bits: width of the widest vectors that the processor handles as a whole.
        ternary: whether the processor has ternary logic on vectors of 128 to 512 bits.
    """

    cpu: str
    features: str
    vector_bits: int
    ternary: bool


# LLVM halves vectors of 512 bits on a plain x86-64-v4, which our code asks for by name.
_WIDE = "-prefer-256-bit"
_ICE_LAKE = "+avx512vbmi,+avx512vbmi2,+avx512bitalg,+avx512vpopcntdq,+gfni"

LEVELS = {
    "v5": Processor("x86-64-v4", f"{_WIDE},{_ICE_LAKE}", 512, ternary=True),
    "v4": Processor("x86-64-v4", _WIDE, 512, ternary=True),
    "v3": Processor("x86-64-v3", "", 256, ternary=False),
    "v2": Processor("x86-64-v2", "", 128, ternary=False),
    ARM: Processor("generic", "+neon", 128, ternary=False),
}
"""The levels of the library: those of x86-64 as its psABI defines them, where v5 is v4 with the
vector instructions of Ice Lake, and 64-bit ARM."""

_targets: list[Processor] = []


def host() -> Processor:
    """Return the processor that code is made for: by default this one, as far as it is known.

    With the library that is its level: what is compiled here must fit the library's functions.
    """
    return _targets[-1] if _targets else _own()


@cache
def _own() -> Processor:
    if (known := level()) is not None:
        return LEVELS[known]
    from llvmlite import binding

    features = binding.get_host_cpu_features()
    if features.get("avx512bw"):
        width = 512
    elif features.get("avx2"):
        width = 256
    else:
        width = 128
    return Processor(
        cpu=binding.get_host_cpu_name(),
        features=features.flatten(),
        vector_bits=width,
        ternary=bool(features.get("avx512vl")),
    )


@contextmanager
def emitting_for(processor: Processor) -> Iterator[None]:
    """Make code for another processor in the block; for one thread at a time."""
    _targets.append(processor)
    try:
        yield
    finally:
        _targets.pop()
