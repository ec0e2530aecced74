"""Exact cover in plain Python, without Unidoku's adapter.

Of what was tried (links and sets of options, integers as sets, items found by a scan or noted),
`best` was the fastest on boards that need a search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from unidoku import Board, Layout
from unidoku.backends.toolkit.cover import cover_of
from unidoku.backends.toolkit.relations import groups_of
from unidoku.core.transforms.lower import lower


def best(layout: Layout) -> Callable[[Board], int]:
    """Dancing links in lists of ints; all that does not depend on the givens is built here."""
    cover = cover_of(layout)
    primary = len(cover.primary)
    sets = (*cover.primary, *cover.secondary, *groups_of(lower(layout)))
    items_of: list[list[int]] = [[] for _ in range(cover.size)]
    for item, members in enumerate(sets, 1):
        for option in members:
            items_of[option].append(item)
    top = list(range(len(sets) + 1))
    first_up = top.copy()
    first_down = top.copy()
    first_size = [0] * (primary + 1) + [1 << 32] * (len(sets) - primary)
    mates: list[tuple[int, ...]] = [()] * len(top)
    others: list[tuple[int, ...]] = [()] * len(top)
    nodes_of: list[tuple[int, ...]] = []
    for items in items_of:
        # A tuple: all lists then share these ints, and more of them fit into the cache.
        nodes = tuple(range(len(top), len(top) + len(items)))
        nodes_of.append(nodes)
        for node, item in zip(nodes, items, strict=True):
            above = first_up[item]
            first_up.append(above)
            first_down.append(item)
            first_down[above] = first_up[item] = node
            first_size[item] += 1
            top.append(item)
            mates.append(tuple(mate for mate in nodes if mate != node))
            others.append(tuple(other for other in items if other != item))
    first_left = [primary, *range(primary), *range(primary + 1, len(sets) + 1)]
    first_right = [*range(1, primary + 1), 0, *range(primary + 1, len(sets) + 1)]
    single = [item for item in range(1, primary + 1) if first_size[item] < 2]
    n = layout.n
    everything = (1 << n) - 1

    def count(board: Board) -> int:
        left, right = first_left.copy(), first_right.copy()
        up, down, size = first_up.copy(), first_down.copy(), first_size.copy()
        small = single.copy()

        def take(items: Iterable[int], small: list[int]) -> None:
            for item in items:
                before = left[item]
                after = right[item]
                right[before] = after
                left[after] = before
                node = down[item]
                while node != item:
                    for mate in mates[node]:
                        above = up[mate]
                        below = down[mate]
                        down[above] = below
                        up[below] = above
                        other = top[mate]
                        size[other] = options = size[other] - 1
                        if options < 2:
                            small.append(other)
                    node = down[node]

        def give_back(items: tuple[int, ...]) -> None:
            for item in reversed(items):
                node = up[item]
                while node != item:
                    for mate in mates[node]:
                        down[up[mate]] = up[down[mate]] = mate
                        size[top[mate]] += 1
                    node = up[node]
                right[left[item]] = left[right[item]] = item

        givens = []
        for cell, mask in enumerate(board.candidates):
            if mask == everything:
                continue
            if mask and not mask & (mask - 1):
                givens.append(items_of[cell * n + mask.bit_length() - 1])
                continue
            for value in range(n):
                if not mask >> value & 1:
                    for node in nodes_of[cell * n + value]:
                        down[up[node]], up[down[node]] = down[node], up[node]
                        size[top[node]] -= 1
                        if size[top[node]] < 2:
                            small.append(top[node])
        taken: set[int] = set()
        for items in givens:
            if not taken.isdisjoint(items):
                return 0
            taken.update(items)
            take(items, small)

        found = looked_at = 0
        tried: list[int] = []
        noted: list[list[int]] = []
        while True:
            item = 0
            if right[0]:
                for item in small[looked_at:]:
                    if not size[item] and right[left[item]] == item:
                        break
                else:
                    while small:
                        item = small.pop()
                        if right[left[item]] == item:
                            break
                    else:
                        item = other = right[0]
                        while other and size[item] > 2:
                            if size[other] < size[item]:
                                item = other
                            other = right[other]
            else:
                found += 1
                if found == 2:
                    return 2
            looked_at = len(small)
            take((item,), small)
            node = down[item]
            tried.append(node)
            noted.append(small)
            while top[node] == node:
                give_back((node,))
                tried.pop()
                noted.pop()
                if not tried:
                    return found
                node = tried[-1]
                give_back(others[node])
                tried[-1] = node = down[node]
                looked_at = 0
            small = noted[-1].copy()
            take(others[node], small)

    return count


def naive(board: Board) -> int:
    """The sets and dictionaries of the tutorials, built for the board, searched recursively."""
    cover = cover_of(board.layout)
    sets = (*cover.primary, *cover.secondary, *groups_of(lower(board.layout)))
    columns = {item: set(members) for item, members in enumerate(sets)}
    rows: dict[int, list[int]] = {row: [] for row in range(cover.size)}
    for item, members in enumerate(sets):
        for row in members:
            rows[row].append(item)

    def select(row: int) -> list[set[int]]:
        removed = []
        for item in rows[row]:
            for other in columns[item]:
                for its in rows[other]:
                    if its != item:
                        columns[its].remove(other)
            removed.append(columns.pop(item))
        return removed

    def deselect(row: int, removed: list[set[int]]) -> None:
        for item in reversed(rows[row]):
            columns[item] = removed.pop()
            for other in columns[item]:
                for its in rows[other]:
                    if its != item:
                        columns[its].add(other)

    def solve(row_of_cell: list[int]) -> Iterator[list[int]]:
        left = [item for item in columns if item < len(cover.primary)]
        if not left:
            yield row_of_cell.copy()
            return
        item = min(left, key=lambda item: len(columns[item]))
        for row in list(columns[item]):
            row_of_cell.append(row)
            removed = select(row)
            yield from solve(row_of_cell)
            deselect(row, removed)
            row_of_cell.pop()

    chosen = []
    n = board.layout.n
    for cell, (given, mask) in enumerate(zip(board.givens, board.candidates, strict=True)):
        for value in range(n):
            row = cell * n + value
            if not given and not mask >> value & 1:
                for item in rows[row]:
                    columns[item].discard(row)
                rows[row] = []
    for cell, given in enumerate(board.givens):
        if given:
            row = cell * n + given - 1
            if not all(item in columns for item in rows[row]):
                return 0
            select(row)
            chosen.append(row)
    found = 0
    for _ in solve(chosen):
        found += 1
        if found == 2:
            break
    return found
