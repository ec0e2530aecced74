"""Knuth's Algorithm X with dancing links, written so that it can be compared with the original.

Donald E. Knuth, "Dancing Links" (2000), https://arxiv.org/abs/cs/0011047, and The Art of Computer
Programming 4B (2022), section 7.2.2.1. The terms and the names of the steps, X1 to X8, are Knuth's:
options are chosen to cover items, exactly once if primary, at most once if secondary. On a board
the options are candidates, and the items the sets of `unidoku.backends.toolkit.cover`.

`Links` is independent of boards. It departs from the book where that was measured to be faster in
Python: an option is a tuple of nodes, not a walk from node to node; items are recorded when they
drop below two options, not searched for at each choice; and a search works on copies of the lists
that change, so that neither givens nor an interrupted search has to be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal, TypeAlias

from unidoku.backends.base import Capabilities, Request, Result, Stop
from unidoku.backends.options import checked
from unidoku.backends.spec import BackendSpec
from unidoku.backends.toolkit.budget import Budget, LimitReached, SolutionCollector, collect
from unidoku.backends.toolkit.cover import cover_of, grid_of, held_candidates
from unidoku.backends.toolkit.items import Items
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.backends.toolkit.models import Models
from unidoku.backends.toolkit.relations import groups_of
from unidoku.backends.visit import Guess, Visit, reported
from unidoku.core.board import Board
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS, Or, Region
from unidoku.core.layout import Grid, Layout
from unidoku.core.transforms.lower import lower, narrowed

SPEC = BackendSpec(
    name="exact-cover",
    target="unidoku.backends.adapters.exact_cover:ExactCover",
    summary="Knuth's Algorithm X with dancing links",
    paradigm="exact cover",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS - {Region, Or},
        honours=frozenset({"time_limit", "node_limit"}),
        max_values=64,  # 3 s and 300 MB for the links; they grow with the cube
    ),
    distributions=("unidoku",),
    homepage="https://www-cs-faculty.stanford.edu/~knuth/taocp.html",
    licence="MIT",
)

_Pause: TypeAlias = Callable[[], object]
_Fewest: TypeAlias = Callable[[list[int], int], int]
_Cover: TypeAlias = Callable[[Iterable[int], list[int]], None]
_Uncover: TypeAlias = Callable[[Sequence[int]], None]

_NODES_BETWEEN_PAUSES = 32

_ENOUGH = 1 << 32
"""Added to the sizes of secondary items, which may be left without options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactCover:
    """Algorithm X, with links that are built once for each layout.

    Statistics: ``nodes`` (options tried), ``failures`` (items found without an option),
    ``init_time`` and ``solve_time`` (seconds).

    Args:
        heuristic: the item to cover next. ``mrv``: an item with the fewest options, as Knuth
            advises. ``first``: the first item that is left: on boards, the empty cells in reading
            order. It shows what the advice is worth; hard boards can take very long.
    """

    heuristic: Literal["mrv", "first"] = "mrv"

    def __post_init__(self) -> None:
        checked("exact-cover", self)

    def search(self, board: Board, request: Request) -> Result:
        """Remove the excluded candidates, choose the givens, and search the rest."""
        budget, collector = Budget(request), SolutionCollector(request)
        board = narrowed(board)
        layout = board.layout
        try:
            links, chosen, consistent = _links(board, budget)
        except LimitReached as limit:
            return collector.result(limit.stop, {"init_time": budget.elapsed, "nodes": 0})
        init_time = budget.elapsed
        first = self.heuristic == "first"
        covers = links.covers(request.node_limit, first=first) if consistent else ()
        grids = (_grid(layout, chosen + cover) if collector.keeps_next else () for cover in covers)
        stop = collect(grids, collector)
        counters = {"nodes": links.nodes, "failures": links.failures}
        return collector.result(stop, budget.times(init_time) | counters)

    def trace(self, board: Board, request: Request) -> Iterator[Visit]:
        """Yield the options that the same search tries, in its order."""
        budget, board = Budget(request), narrowed(board)
        layout, visits = board.layout, list[Visit]()
        yield Visit(depth=0, candidates=board.candidates)
        links, chosen, consistent = _links(board, budget)
        if not consistent:
            return

        def tried(options: list[int]) -> None:
            cell, value = divmod(options[-1], layout.n)
            is_candidate = cell < len(layout)
            visits.append(
                Visit(
                    depth=len(options),
                    guess=Guess(cell=cell, value=value + 1) if is_candidate else "option of a rule",
                    candidates=links.candidates(layout, chosen + options),
                )
            )

        first = self.heuristic == "first"
        yield from reported(links.covers(request.node_limit, first=first, on_try=tried), visits)


def _grid(layout: Layout, options: list[int]) -> Grid:
    """Return the grid of the candidates among the options of a cover."""
    if layout.rules:
        size = len(layout) * layout.n
        options = [option for option in options if option < size]
    return grid_of(layout, options)


def _links(board: Board, budget: Budget) -> tuple[Links, list[int], bool]:
    """Return links for a board, the options of its givens, and whether these fit together."""
    layout = board.layout

    def build() -> Links:
        cover = cover_of(layout, budget)
        groups = ModelSize().counted(groups_of(lower(layout)))
        items = Items(lower(layout))
        primary = (*cover.primary, *items)
        return Links(items.options, primary, (*cover.secondary, *groups))

    chosen, excluded = held_candidates(board)
    with _LINKS.lend(layout, None, build) as lent:
        links = lent.copy(budget.check_time)
    links.exclude(excluded)
    return links, chosen, links.choose(chosen)


def _no_pause() -> None:
    """Do nothing."""


class Links:
    """The items and options of an exact cover problem, in doubly linked lists.

    A node is an int. Node 0 is the root of the ring of primary items not yet covered, ``left``
    and ``right``. Nodes 1, 2, … are the items. Each heads the ring, ``up`` and ``down``, of the
    nodes of its options; there is a node for each item of each option.

    Attributes:
        size: for each item, the number of options in its ring (LEN in the book); for secondary
            items, which need no option, increased by `_ENOUGH`.
        top: the item of each node.
        mates: the other nodes of each node's option, in cyclic order.
        others: the items of these other nodes.
        option: the option of each node.
        nodes_of: the nodes of each option.
        items_of: the items of each option.
        small: items that may have fewer than two options.
        nodes: number of options tried, which are the nodes of the search tree.
        failures: number of items found without an option.
    """

    def __init__(
        self,
        options: int,
        primary: Sequence[Iterable[int]],
        secondary: Sequence[Iterable[int]] = (),
    ) -> None:
        """Link items to options.

        Args:
            options: number of options, numbered from 0. An option without a primary item is never
                chosen.
            primary: for each primary item, its options.
            secondary: for each secondary item, its options.

        Raises:
            LimitReached: the time limit of the search has passed.
            UnsupportedError: there are too many, see `unidoku.backends.toolkit.model_size`.
        """
        self.pause: _Pause = _no_pause
        items = len(primary) + len(secondary)
        self.items_of: list[list[int]] = [[] for _ in range(options)]
        model_size = ModelSize()
        for item, members in enumerate((*primary, *secondary), 1):
            for option in model_size.each(members):
                self.items_of[option].append(item)
        self.top = list(range(items + 1))
        self.up = list(range(items + 1))
        self.down = list(range(items + 1))
        self.size = [0] * (len(primary) + 1) + [_ENOUGH] * len(secondary)
        self.option = [-1] * (items + 1)
        self.mates: list[tuple[int, ...]] = [()] * (items + 1)
        self.others: list[tuple[int, ...]] = [()] * (items + 1)
        self.nodes_of: list[tuple[int, ...]] = []
        for option in range(options):
            self._link(option, model_size)
        last = len(primary)
        self.left: list[int] = [last, *range(last), *range(last + 1, items + 1)]
        self.right: list[int] = [*range(1, last + 1), 0, *range(last + 1, items + 1)]
        self.small = [item for item in range(1, last + 1) if self.size[item] < 2]
        self.nodes = 0
        self.failures = 0

    def _link(self, option: int, model_size: ModelSize) -> None:
        """Append a node for each item of an option."""
        items = self.items_of[option]
        nodes = tuple(range(len(self.top), len(self.top) + len(items)))
        self.nodes_of.append(nodes)
        for position, (node, item) in enumerate(zip(nodes, items, strict=True), 1):
            model_size.add(2 * len(items))  # the other nodes and their items
            above = self.up[item]
            self.up.append(above)
            self.down.append(item)
            self.down[above] = self.up[item] = node
            self.size[item] += 1
            self.top.append(item)
            self.option.append(option)
            self.mates.append((*nodes[position:], *nodes[: position - 1]))
            self.others.append((*items[position:], *items[: position - 1]))

    def copy(self, pause: _Pause = _no_pause) -> Links:
        """Return a copy to search, so that these links stay for the next search of the layout.

        Args:
            pause: called often during the search; it may raise to stop it.
        """
        links = object.__new__(Links)
        links.__dict__.update(self.__dict__)
        links.pause = pause
        links.left = self.left.copy()
        links.right = self.right.copy()
        links.up = self.up.copy()
        links.down = self.down.copy()
        links.size = self.size.copy()
        links.small = self.small.copy()
        return links

    def exclude(self, options: Iterable[int]) -> None:
        """Remove options permanently, before any option is chosen."""
        up, down, size, top = self.up, self.down, self.size, self.top
        for option in options:
            self.pause()
            for node in self.nodes_of[option]:
                item = top[node]
                down[up[node]] = down[node]
                up[down[node]] = up[node]
                size[item] -= 1
                if size[item] < 2:
                    self.small.append(item)

    def choose(self, options: Iterable[int]) -> bool:
        """Choose options permanently; return False as soon as two cover the same item."""
        _, cover, _ = self._operations()
        covered: set[int] = set()
        for option in options:
            self.pause()
            items = self.items_of[option]
            if not covered.isdisjoint(items):
                return False
            covered.update(items)
            cover(items, self.small)
        return True

    def covers(
        self,
        node_limit: int | None = None,
        *,
        first: bool = False,
        on_try: Callable[[list[int]], object] | None = None,
    ) -> Iterator[list[int]]:
        """Yield the options of each exact cover; after the last one all lists are restored.

        Args:
            node_limit: number of options to try.
            first: cover the first item that is left, not one with the fewest options.
            on_try: called with the options of each node, when what they cover is gone.

        Raises:
            LimitReached: more than ``node_limit`` options would have to be tried.
        """
        fewest, cover, uncover = self._operations()
        right, down, size = self.right, self.down, self.size
        top, others, option = self.top, self.others, self.option
        # X1: initialize. For each level: the node of the option tried, and the items recorded by
        # then.
        chosen: list[int] = []
        noted: list[list[int]] = []
        small = self.small.copy()
        looked_at = 0
        limit = -1 if node_limit is None else node_limit
        for tried in count():
            self.nodes = tried
            # X2: enter a level.
            if right[0]:
                # X3: choose an item.
                item = right[0] if first else fewest(small, looked_at)
                if not size[item]:
                    self.failures += 1
            else:
                yield [option[node] for node in chosen]
                item = 0  # the root, which has no options: this level is left at once
            # X4: cover it.
            looked_at = len(small)
            cover((item,), small)
            node = down[item]
            chosen.append(node)
            noted.append(small)
            while top[node] == node:
                # X7: backtrack, because the item has no more options.
                uncover((node,))
                chosen.pop()
                noted.pop()
                # X8: leave the level.
                if not chosen:
                    return
                # X6: try again, a level higher.
                node = chosen[-1]
                uncover(others[node])
                chosen[-1] = node = down[node]
                looked_at = 0
            # X5: try an option.
            if not tried % _NODES_BETWEEN_PAUSES:
                self.pause()
            if tried == limit:
                raise LimitReached(Stop.NODES)
            small = noted[-1].copy()
            cover(others[node], small)
            if on_try is not None:
                on_try([option[node] for node in chosen])

    def candidates(self, layout: Layout, chosen: Iterable[int]) -> tuple[int, ...]:
        """Return the candidates of the chosen options and of those that can still be chosen."""
        size, masks = len(layout) * layout.n, [0] * len(layout)
        options = set(chosen)
        item = self.right[0]
        while item:
            node = self.down[item]
            while node != item:
                options.add(self.option[node])
                node = self.down[node]
            item = self.right[item]
        for option in options:
            if option < size:
                cell, value = divmod(option, layout.n)
                masks[cell] |= 1 << value
        return tuple(masks)

    def _operations(self) -> tuple[_Fewest, _Cover, _Uncover]:
        """Return three functions that share the lists as variables: faster than as attributes.

        ``fewest`` returns an item with the fewest options. ``small`` has all items with less than
        two options, and some that are covered by now; those checked at the last choice have
        options, because the search has continued.

        ``cover`` removes items from the ring, and their options from other items' lists; it records
        items left with less than two options in ``small``. ``uncover`` undoes it in reverse order:
        a removed node still has the links to its neighbours.
        """
        left, right, up, down = self.left, self.right, self.up, self.down
        size, top, mates = self.size, self.top, self.mates

        def fewest(small: list[int], looked_at: int) -> int:
            for item in small[looked_at:]:
                if not size[item] and right[left[item]] == item:
                    return item
            while small:
                item = small.pop()
                if right[left[item]] == item:
                    return item
            best = item = right[0]
            while item and size[best] > 2:
                if size[item] < size[best]:
                    best = item
                item = right[item]
            return best

        def cover(items: Iterable[int], small: list[int]) -> None:
            for item in items:
                before = left[item]
                after = right[item]
                right[before] = after
                left[after] = before
                node = down[item]
                while node != item:
                    for mate in mates[node]:  # the book's hide(node)
                        above = up[mate]
                        below = down[mate]
                        down[above] = below
                        up[below] = above
                        other = top[mate]
                        size[other] = options = size[other] - 1
                        if options < 2:
                            small.append(other)
                    node = down[node]

        def uncover(items: Sequence[int]) -> None:
            for item in reversed(items):
                node = up[item]
                while node != item:
                    for mate in mates[node]:  # unhide(node), in any order: the lists are different
                        down[up[mate]] = up[down[mate]] = mate
                        size[top[mate]] += 1
                    node = up[node]
                right[left[item]] = left[right[item]] = item

        return fewest, cover, uncover


_LINKS: Models[Links] = Models()
