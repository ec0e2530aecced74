"""The search in plain Python, one board at a time, which `native` uses when compiling does not pay.

It needs only the standard library and no warm-up. `tree` has the search and `guess` its choices,
the same for every layout; `classic` and `general` have the deductions about a single value.
"""

from __future__ import annotations

from unidoku.backends.base import Request, Result
from unidoku.backends.native.python import classic, general, tree
from unidoku.backends.toolkit.budget import Budget
from unidoku.core.board import Board
from unidoku.core.caching import layout_cache
from unidoku.core.layout import Layout


def search(
    board: Board,
    request: Request,
    budget: Budget | None = None,
    failures: int | None = None,
) -> Result:
    """Search depth first for solutions, within the request's limits on them, nodes and time.

    Threads are accepted and not used; nothing is random, so a seed changes nothing. A given budget
    counts the nodes; any exception of it other than `LimitReached` ends the search. The search
    gives up after ``failures`` failures in a row without a solution.
    """
    return tree.search(board, request, _engine, budget or Budget(request), failures)


@layout_cache(maxsize=16)
def _engine(layout: Layout) -> tree.Engine:
    return classic.engine(layout) if classic.fits(layout) else general.engine(layout)
