"""A local problem: a few cells with all constraints and units that restrict them together.

It computes which values are in some arrangement of the cells. Results are cached by the candidates
of the cells, so that a rule that a step did not touch costs one look-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import TypeAlias, TypeVar

from unidoku.core.bits import set_of, values_of
from unidoku.core.constraints.operations import moved
from unidoku.core.constraints.primitives import Constraint
from unidoku.core.constraints.pruners import pruner, prunes_at_once
from unidoku.core.layout import Layout
from unidoku.logic.geometry import cells_of, geometry, union
from unidoku.support.deadline import check_time_limit

K = TypeVar("K")
R = TypeVar("R")

Remaining: TypeAlias = tuple[int, ...] | None
"""The remaining candidates of a problem's cells, one set for each cell; None if there are none."""

ImpliedLink: TypeAlias = tuple[tuple[int, int], tuple[int, int], bool]
"""Two candidates, each a number of a cell and a value, and whether the link is strong."""

_MOST_NODES = 1500
"""The largest number of nodes of the searches for one result; candidates not refuted by then
stay."""

_MOST_REMEMBERED = 1 << 10
"""The largest number of results that a problem caches; a full cache is emptied."""


class LocalProblem:
    """Cells of a layout, numbered in ascending order, and the constraints that apply to them.

    ``mask`` is the set of the cells.

    Args:
        layout: layout of the cells.
        cells: all cells of the constraints, and perhaps more.
        constraints: constraints, each of some of these cells.
    """

    def __init__(
        self, layout: Layout, cells: Iterable[int], constraints: Iterable[Constraint]
    ) -> None:
        self.cells = tuple(sorted(cells))
        index_of = {cell: index for index, cell in enumerate(self.cells)}
        indices = [index_of.get(cell, 0) for cell in range(max(self.cells) + 1)]
        numbered = [moved(constraint, indices) for constraint in constraints]
        self._pruners = [pruner(constraint, layout.n) for constraint in numbered]
        self._is_pruned_at_once = len(numbered) == 1 and prunes_at_once(numbered[0], layout.n)
        self.mask = set_of(self.cells)
        sees = geometry(layout).sees
        self._peers: list[tuple[int, ...]] = []
        for cell in self.cells:
            check_time_limit()
            self._peers.append(
                tuple([index_of[other] for other in cells_of(sees[cell] & self.mask)])
            )
        is_single = len(self.cells) == 1
        self._select = itemgetter(*self.cells, *self.cells[:1] if is_single else ())
        self._pruned_if: dict[tuple[tuple[int, ...], int, int], Remaining] = {}
        self._links: dict[tuple[int, ...], tuple[ImpliedLink, ...]] = {}
        self._needed: dict[tuple[int, ...], int] = {}
        self._pruned: dict[tuple[int, ...], Remaining] = {}
        self._supported: dict[tuple[int, ...], Remaining] = {}

    def candidates_of(self, candidates: Sequence[int]) -> tuple[int, ...]:
        """Return the candidates of the cells, from those of all cells of the layout."""
        selected: tuple[int, ...] = self._select(candidates)
        return selected[: len(self.cells)]

    def pruned(self, candidates: tuple[int, ...]) -> Remaining:
        """Return the candidates that single constraints leave, applied until nothing changes."""
        try:
            return self._pruned[candidates]
        except KeyError:
            return _stored(self._pruned, candidates, self._prune(candidates))

    def supported_values(self, candidates: tuple[int, ...]) -> Remaining:
        """Return the values that are in some arrangement that satisfies constraints and units."""
        try:
            return self._supported[candidates]
        except KeyError:
            return _stored(self._supported, candidates, _Search(self).supported(candidates))

    def needs(self, candidates: tuple[int, ...]) -> int:
        """Return the values that single constraints do not allow all cells to lack, as a set.

        No value that a cell holds already, which could not lack it. Several values are tried at
        once: what all cells can lack together, they can lack alone.
        """
        try:
            return self._needed[candidates]
        except KeyError:
            return _stored(self._needed, candidates, self._needs(candidates))

    def _needs(self, candidates: tuple[int, ...]) -> int:
        every = [1 << value - 1 for value in values_of(union(candidates))]
        needed, todo = 0, [every[: len(every) // 2], every[len(every) // 2 :]]
        while todo:
            values = todo.pop()
            rest = ~sum(values)
            without = tuple([mask & rest for mask in candidates])
            if 0 not in without and self._prune(without) is not None:
                continue
            if len(values) > 1:
                todo += [values[: len(values) // 2], values[len(values) // 2 :]]
            elif 0 not in without:
                needed |= sum(values)
        return needed

    def pruned_if_one_of(self, candidates: tuple[int, ...], value: int, cells: int) -> Remaining:
        """Return the candidates that constraints leave if one of a set of cells holds a value."""
        key = candidates, value, cells
        try:
            return self._pruned_if[key]
        except KeyError:
            return _stored(self._pruned_if, key, self._with_one(candidates, value, cells))

    def _with_one(self, candidates: tuple[int, ...], value: int, cells: int) -> Remaining:
        every, everything = [0] * len(candidates), [*candidates]
        for index, mask in enumerate(candidates):
            if mask >> value - 1 & 1 and cells >> self.cells[index] & 1:
                trial = (*candidates[:index], 1 << value - 1, *candidates[index + 1 :])
                for other, remaining in enumerate(self._prune(trial, by_units=True) or ()):
                    every[other] |= remaining
                if every == everything:
                    return candidates
        return tuple(every) if all(every) else None

    def links(self, candidates: tuple[int, ...]) -> tuple[ImpliedLink, ...]:
        """Return the direct consequences of each candidate if it is true, and if it is false."""
        try:
            return self._links[candidates]
        except KeyError:
            return _stored(self._links, candidates, tuple(self._implied(candidates)))

    def _implied(self, candidates: tuple[int, ...]) -> Iterator[ImpliedLink]:
        for index, mask in enumerate(candidates):
            if not mask & (mask - 1):
                continue
            for value in values_of(mask):
                single = 1 << value - 1
                after = self._prune(
                    (*candidates[:index], single, *candidates[index + 1 :]), by_units=True
                )
                for other, remaining in enumerate(after or ()):
                    if other != index:
                        for gone in values_of(candidates[other] & ~remaining):
                            yield (index, value), (other, gone), False
                rest = (*candidates[:index], mask ^ single, *candidates[index + 1 :])
                for other, remaining in enumerate(self._prune(rest, by_units=True) or ()):
                    if remaining != candidates[other] and not remaining & (remaining - 1):
                        yield (index, value), (other, remaining.bit_length()), True

    def arrangements(self, candidates: tuple[int, ...], most: int) -> list[tuple[int, ...]]:
        """Return the arrangements, a value for each cell; empty if more than ``most``."""
        rows: list[tuple[int, ...]] = []
        search = _Search(self)
        for arrangement in search.all(candidates):
            rows.append(tuple(mask.bit_length() for mask in arrangement))
            if len(rows) > most:
                return []
        return [] if search.gave_up else rows

    def _prune(self, candidates: Sequence[int], *, by_units: bool = False) -> Remaining:
        """Return the candidates left by constraints and by single values of cells that differ."""
        remaining = list(candidates)
        settled: list[int] = []
        while True:
            if by_units and not self._without_singles(remaining):
                return None
            if remaining == settled:
                break
            settled = remaining.copy()
            for prune in self._pruners:
                removals = prune(remaining)
                if removals is None:
                    return None
                for cell, gone in removals:
                    remaining[cell] &= ~gone
            if self._is_pruned_at_once:
                settled = remaining.copy()
        return None if 0 in remaining else tuple(remaining)

    def _without_singles(self, remaining: list[int]) -> bool:
        """Remove single values from cells that must differ; return whether all have candidates."""
        todo = [index for index, mask in enumerate(remaining) if not mask & (mask - 1)]
        for index in todo:
            single = remaining[index]
            for other in self._peers[index]:
                if remaining[other] & single:
                    remaining[other] ^= single
                    rest = remaining[other]
                    if not rest:
                        return False
                    if not rest & (rest - 1):
                        todo.append(other)
        return True


class _Search:
    """A search for arrangements, depth first, with a bound on its nodes."""

    def __init__(self, problem: LocalProblem) -> None:
        self.problem = problem
        self.nodes = 0

    @property
    def gave_up(self) -> bool:
        return self.nodes > _MOST_NODES

    def supported(self, candidates: tuple[int, ...]) -> Remaining:
        """Return the values that are in an arrangement, and those that may be."""
        pruned = self.problem._prune(candidates, by_units=True)
        if pruned is None:
            return None
        supported = [mask if not mask & (mask - 1) else 0 for mask in pruned]
        remaining = list(pruned)
        for index, mask in enumerate(pruned):
            for value in values_of(mask):
                if self.gave_up or supported[index] >> value - 1 & 1:
                    continue
                trial = (*remaining[:index], 1 << value - 1, *remaining[index + 1 :])
                arrangement = next(self.all(trial, at_once=self.problem._is_pruned_at_once), None)
                if arrangement is not None:
                    supported = [a | b for a, b in zip(supported, arrangement, strict=True)]
                elif not self.gave_up:
                    remaining[index] &= ~(1 << value - 1)
        return None if 0 in remaining else tuple(remaining)

    def all(
        self, candidates: tuple[int, ...], *, at_once: bool = False
    ) -> Iterator[tuple[int, ...]]:
        """Yield the arrangements as sets of one value, until the nodes are spent.

        Those of open cells that do not see each other are yielded at once, as sets of all their
        values, if pruning leaves only values that are in some.
        """
        self.nodes += 1
        remaining = None if self.gave_up else self.problem._prune(candidates, by_units=True)
        if remaining is None:
            return
        open_cells = [index for index, mask in enumerate(remaining) if mask & (mask - 1)]
        if at_once:
            open_cells = self._seen_by_others(open_cells)
        if not open_cells:
            yield remaining
            return
        fewest = min(open_cells, key=lambda index: remaining[index].bit_count())
        for value in values_of(remaining[fewest]):
            trial = (*remaining[:fewest], 1 << value - 1, *remaining[fewest + 1 :])
            yield from self.all(trial, at_once=at_once)

    def _seen_by_others(self, cells: Sequence[int]) -> list[int]:
        """Return those of some cells that see another one of them."""
        inside = frozenset(cells)
        return [index for index in cells if not inside.isdisjoint(self.problem._peers[index])]


def _stored(cache: dict[K, R], key: K, result: R) -> R:
    """Store a result and return it: other threads may empty the cache before it is read."""
    if len(cache) >= _MOST_REMEMBERED:
        cache.clear()
    cache[key] = result
    return result
