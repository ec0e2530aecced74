"""One board at a time in plain Python: what `native` uses where compiling would not pay.

Standard library only, no warm-up. `tree` has the search and `guess` its choices, the same for
every layout; `classic` and `general` have what follows from where one value may still go.
"""

from __future__ import annotations

from functools import lru_cache

from unidoku.backends.base import Request, Result
from unidoku.backends.native.python import classic, general, tree
from unidoku.backends.toolkit.budget import Budget
from unidoku.core.board import Board
from unidoku.core.layout import Layout


def search(
    board: Board,
    request: Request,
    budget: Budget | None = None,
    failures: int | None = None,
) -> Result:
    """Search depth first for solutions, within the request's limits on them, nodes and time.

    Threads are accepted and not used; there is nothing random, so a seed changes nothing. A budget
    that is given counts the nodes; any exception other than `LimitReached` ends the search. After
    so many ``failures`` in a row without a solution it gives up.
    """
    return tree.search(board, request, _engine, budget or Budget(request), failures)


@lru_cache(maxsize=16)
def _engine(layout: Layout) -> tree.Engine:
    return classic.engine(layout) if classic.fits(layout) else general.engine(layout)
