"""Solvers in shared libraries, called from compiled code so that a call costs nanoseconds.

A library has one C function, whose signature is that of tdoku's solvers
(https://github.com/t-dillon/tdoku, ``TdokuSolverDpllTriadSimd``)::

    size_t solve(const char *board, size_t limit, uint32_t configuration,
                 char *solution, size_t *guesses);

``board`` is 81 characters, ``.`` for an empty cell, and zeros after them. It returns the number of
solutions found, up to ``limit``; it may write one of them into ``solution``, and how often it
guessed into ``guesses``. ``configuration`` is 0.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from measuring.boards import Cells
from measuring.contestant import Contestant, Result, Search
from unidoku import Layout, Request
from unidoku.backends.native.compiler import object_cache
from unidoku.backends.native.compiler.intrinsics import numbers_at
from unidoku.backends.native.compiler.object_code import of_function
from unidoku.backends.native.driver import as_number
from unidoku.backends.native.lanes.arrays import invoke

ROOM = 128
"""Bytes between two boards: more than a board, as vectors may be loaded beyond its end."""


def library(text: str) -> Contestant:
    """Return the solver that ``NAME=PATH`` or ``NAME=PATH:FUNCTION`` names.

    Raises:
        ValueError: the text has no name or path, or there is no such library or function.
    """
    name, _, rest = text.partition("=")
    path, _, function = rest.rpartition(":")
    if not path or not function.isidentifier():
        path, function = rest, "solve"
    if not name or not path:
        raise ValueError(f"expected NAME=PATH or NAME=PATH:FUNCTION, got {text!r}")
    try:
        solve = getattr(ctypes.CDLL(str(Path(path).resolve())), function)
    except (OSError, AttributeError) as error:
        raise ValueError(f"library {name}: {error}") from error
    address = ctypes.cast(solve, ctypes.c_void_p).value
    assert address is not None, "a function has one"
    search_all = _loop(address)

    def prepare(layout: Layout, cells: Cells) -> Search:
        boards = np.zeros((len(cells), ROOM), np.uint8)
        boards[:, : len(layout)] = np.where(cells == 0, ord("."), cells + ord("0"))

        def search(request: Request) -> Result:
            counts = np.zeros(len(cells), np.int64)
            limit = as_number(request.solutions)
            guesses = search_all(boards, limit, counts, np.zeros(2 * ROOM, np.uint8))
            return Result(counts=counts, answered=np.ones(len(cells), np.bool_), nodes=guesses)

        return search

    return Contestant(name=name, prepare=prepare)


_RESULT, _SOLVE, _SIZE, _LIMIT, _BOARDS, _COUNTS, _SOLUTION, _GUESSES = range(8)
"""Numbers that `_search_all` reads and writes: its result, its arguments, guesses of a board."""


def _loop(solve: int) -> Callable[[Cells, int, NDArray[np.int64], Cells], int]:
    """Return a compiled loop around the C function at an address."""
    code = of_function(_search_all, "search_all", object_cache.target_machine(2))
    engine = object_cache.load(code)
    kind = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_int64] * 3)
    call = kind(engine.get_function_address("search_all"))

    def search_all(boards: Cells, limit: int, counts: NDArray[np.int64], solution: Cells) -> int:
        arrays = [array.ctypes.data for array in (boards, counts, solution)]
        numbers = np.array([0, solve, len(boards), limit, *arrays, 0], np.int64)
        at = numbers.ctypes.data
        call(at, at, at)
        assert engine, "it keeps the code in memory"
        return int(numbers[_RESULT])

    return search_all


def _search_all(at):  # type: ignore[no-untyped-def] # the translator infers the types
    """Search all boards one after the other; return the number of guesses."""
    numbers = numbers_at(at)
    counts = numbers_at(numbers[_COUNTS])
    guesses = 0
    for board in range(numbers[_SIZE]):
        numbers[_GUESSES] = 0
        counts[board] = invoke(
            numbers[_SOLVE],
            numbers[_BOARDS] + board * ROOM,
            numbers[_LIMIT],
            0,
            numbers[_SOLUTION],
            at + 8 * _GUESSES,
        )
        guesses += numbers[_GUESSES]
    return guesses
