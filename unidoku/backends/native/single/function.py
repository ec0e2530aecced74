"""The search as a function, in its two forms: machine code, and the Python that it is written in.

Both do the same: they stop for the same reason with the same counts, nodes and grids.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from ctypes import c_int64
from dataclasses import dataclass
from functools import cache
from typing import Any

from unidoku.backends.native.compiler.compiled_function import Program
from unidoku.backends.native.engines import (
    EngineError,
    broken,
    code_lack,
    compiler,
    is_broken,
    require,
)
from unidoku.backends.native.single.search.registers import Register
from unidoku.support.logs import tell_once

SEARCH = Program("unidoku.backends.native.single.search.engine", "search")
"""The search, whose argument is the address of its registers."""


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """The search, ready to be called.

    Args:
        call: the function, whose arguments are those that `arguments_of` returns.
        first_ticks: number of propagations until the clock is first looked at.
        work: work of a propagation, in the unit of `unidoku.backends.turns`.
        library: keeps machine code in memory.
    """

    call: Callable[[c_int64, c_int64, c_int64], Any]
    first_ticks: int
    work: int = 1
    library: object = None


def arguments_of(registers: array[int]) -> tuple[c_int64, c_int64, c_int64]:
    """Return the arguments of the search: the addresses of its results and of its registers.

    In the types of C: to convert them for each call would take as long as the call does.
    """
    at, _ = registers.buffer_info()
    return c_int64(at + _PAUSE), c_int64(at + _EXCEPTION), c_int64(at)


_PAUSE, _EXCEPTION = 8 * Register.PAUSE, 8 * Register.EXCEPTION
"""Where the first two are: to find members of an enum takes as long as to convert a number."""


def _interpret(result_at: c_int64, _: c_int64, registers_at: c_int64) -> None:
    from unidoku.backends.native.single.search.engine import search

    c_int64.from_address(result_at.value).value = search(registers_at.value)


INTERPRETED = Function(_interpret, 16, work=300)
"""The search as Python. A propagation takes some 30 µs, or one where many states are read 1 ms."""


def compiled(seconds: float | None = None) -> Function | None:
    """Return the search as machine code: from the library or the cache, or compiled first.

    Args:
        seconds: longest time to wait for the code; None for any time.

    Returns:
        The function; None if it is not ready in time. Later calls find it in the cache.

    Raises:
        EngineError: it cannot be loaded, or not be compiled.
    """
    if seconds is not None and not SEARCH.is_loaded:
        require(*compiler())
        if not SEARCH.load_within(seconds):
            return None
    return _compiled()


def if_loaded() -> Function | None:
    """Return the search as machine code if it is loaded, otherwise None."""
    return _compiled() if _compiled.cache_info().currsize else None


@cache
def _compiled() -> Function:
    require(*compiler())
    loaded = SEARCH.loaded()
    return Function(loaded.call, 2048, library=loaded.library)


def best(seconds: float | None = None) -> Function | None:
    """Return the search as machine code if this machine can make it, otherwise as Python.

    Where that is Python, a warning says why, once.

    Args:
        seconds: longest time to wait for the code; None for any time.

    Returns:
        The function; None if it is not ready in time.
    """
    if lack := code_lack():
        if not is_broken("llvmlite"):  # otherwise there was a warning before
            tell_once(__name__, f"native searches as Python, a hundred times slower: it {lack}")
        return INTERPRETED
    try:
        return compiled(seconds)
    except EngineError as error:
        if not is_broken("llvmlite"):
            broken("llvmlite", str(error))
        return INTERPRETED
