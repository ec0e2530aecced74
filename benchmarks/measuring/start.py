"""Begin from nothing: import, make a layout's kernel, search twice; print the seconds of each.

A script of its own that imports nothing beforehand. Usage: python start.py VARIANT SIZE
"""

from __future__ import annotations

import sys
import time
from itertools import pairwise


def main(variant: str, n: int) -> None:
    """Print the seconds of the four steps."""
    marks = [time.perf_counter()]
    import unidoku  # the first step is to import
    from unidoku.backends.native.lanes import search
    from unidoku.backends.native.lanes.compile import kernel

    marks.append(time.perf_counter())
    board = unidoku.Board.empty(unidoku.layout(variant, n))
    compiled = kernel(board.layout)
    marks.append(time.perf_counter())
    for _ in range(2):
        # One node: an empty board of many values may take long.
        request = unidoku.Request(node_limit=1)
        search.search_board(compiled, board, request, time.perf_counter())
        marks.append(time.perf_counter())
    print(*(after - before for before, after in pairwise(marks)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
