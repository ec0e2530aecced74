"""The search, which `unidoku.backends.native.compiler` compiles once on a machine."""

from __future__ import annotations

from array import array
from ctypes import c_int64

from unidoku.backends.native.compiler.compiled_function import Program
from unidoku.backends.native.single import registers as reg

SEARCH = Program("unidoku.backends.native.single.engine", "search", ("int64",), plain=True)
"""The search, whose argument is the address of its registers."""


def places_of(registers: array[int]) -> tuple[c_int64, c_int64, c_int64]:
    """Return the arguments of the search: the addresses of its results and of its numbers.

    In the types of C: to convert them for each call would take as long as the call does.
    """
    at, _ = registers.buffer_info()
    return c_int64(at + 8 * reg.PAUSE), c_int64(at + 8 * reg.EXCEPTION), c_int64(at)
