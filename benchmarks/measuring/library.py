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
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from measuring.boards import Cells
from measuring.contestant import Contestant, Found, Search
from unidoku import Layout, Request

ROOM = 128
"""Bytes between two boards: more than a board, as vectors may be loaded beyond its end."""

UNLIMITED = 2**62


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
    # Addresses are passed as numbers, which go where pointers go.
    solve.argtypes = [ctypes.c_size_t] * 2 + [ctypes.c_uint32] + [ctypes.c_size_t] * 2
    solve.restype = ctypes.c_size_t
    search_all = _loop(solve)

    def prepare(layout: Layout, cells: Cells) -> Search:
        boards = np.zeros((len(cells), ROOM), np.uint8)
        boards[:, : len(layout)] = np.where(cells == 0, ord("."), cells + ord("0"))

        def search(request: Request) -> Found:
            counts = np.zeros(len(cells), np.int64)
            limit = UNLIMITED if request.solutions is None else request.solutions
            guesses = search_all(boards, limit, counts, np.zeros(2 * ROOM, np.uint8))
            return Found(counts=counts, answered=np.ones(len(cells), np.bool_), nodes=guesses)

        return search

    return Contestant(name=name, prepare=prepare)


def _loop(solve: Any) -> Callable[[Cells, int, NDArray[np.int64], Cells], int]:
    """Return a compiled loop around a C function, already compiled."""

    def search_all(boards: Any, limit: int, counts: Any, solution: Any) -> int:
        guesses = np.zeros(1, np.uint64)
        total = 0
        for board in range(len(boards)):
            guesses[0] = 0
            counts[board] = solve(
                boards[board].ctypes.data, limit, 0, solution.ctypes.data, guesses.ctypes.data
            )
            total += int(guesses[0])
        return total

    compiled: Callable[[Cells, int, NDArray[np.int64], Cells], int] = njit(search_all)
    compiled(np.zeros((0, ROOM), np.uint8), 1, np.zeros(0, np.int64), np.zeros(1, np.uint8))
    return compiled
