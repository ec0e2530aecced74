"""The machine that was measured, and lines of progress."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import llvmlite

import unidoku
from unidoku.backends.native.compiler.processor import host
from unidoku.backends.native.lanes.shape import shape_of
from unidoku.comparison import Comparison
from unidoku.comparison.environment import _cpu_model
from unidoku.comparison.record import Record
from unidoku.support.deadline import Deadline

BEGUN = time.perf_counter()


def machine() -> str:
    """Return the processor, the versions and the lanes in a sentence."""
    target = host()
    filled = [shape_of(target, n) for n in (9, 25)]
    shapes = ", ".join(f"{shape.lanes} of {shape.bits} bits" for shape in filled)
    return (
        f"{processor()} (LLVM calls it {target.cpu}), {platform.system()} {platform.machine()}; "
        f"Python {platform.python_version()}, "
        f"llvmlite {llvmlite.__version__}, "
        f"unidoku {unidoku.__version__}; vectors of {target.vector_bits} bits, which are lanes "
        f"for 9 and for 25 values: {shapes}."
    )


def processor() -> str:
    """Return the processor's name and the number of its cores."""
    return f"{_cpu_model()} ({os.cpu_count()} cores)"


def solver_versions(backends: Iterable[str]) -> str:
    """Return the solvers beneath backends, each once, with their versions."""
    specs = (unidoku.catalogue()[name] for name in backends)
    return ", ".join(dict.fromkeys(spec.version or spec.name for spec in specs))


class Progress:
    """Prints from time to time how far a comparison is.

    Args:
        name: name of the comparison.
    """

    def __init__(self, name: str) -> None:
        """Begin to wait."""
        self._name, self._next = name, Deadline(_PACE)

    def __call__(self, comparison: Comparison, _: Record) -> None:
        """Print the number of its runs if the last line was printed long ago."""
        if self._next.passed:
            self._next = Deadline(_PACE)
            say(f"{self._name}: {comparison.done:,} of {comparison.total:,} runs")


_PACE = 15.0
"""Seconds between two lines of progress."""


def say(text: str) -> None:
    """Print progress to standard error, with the seconds since the start."""
    program = Path(sys.argv[0]).stem
    seconds = time.perf_counter() - BEGUN
    print(f"{program}: {seconds:7.1f} s  {text}", file=sys.stderr, flush=True)
