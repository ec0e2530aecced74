"""What this machine's processor offers: its name, its features, the width of its vectors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from llvmlite import binding

from unidoku.backends.native.lanes.vector import Shape

__all__ = ["Host", "host", "lane_bits"]


@dataclass(frozen=True, slots=True)
class Host:
    """A processor, in LLVM's words.

    Args:
        cpu: its name.
        features: what it has, each with a sign, joined by commas.
        vector_bits: the widest vectors that it works on as a whole.
        ternary: whether it has ternary logic on vectors of 128 to 512 bits.
    """

    cpu: str
    features: str
    vector_bits: int
    ternary: bool

    def shape(self, n: int, lanes: int | None = None) -> Shape:
        """Return how its vectors are divided for boards of n values.

        Args:
            n: values.
            lanes: how many; as many as fill a vector if not given.
        """
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
