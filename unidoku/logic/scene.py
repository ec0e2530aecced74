"""A scene: a few cells with all shapes and units that restrict them together.

It computes which values are in some arrangement of the cells. Results are cached by the candidates
of the cells, so that a rule that a step did not touch costs one look-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

from unidoku.core.bits import set_of, values_of
from unidoku.core.constraints.pruners import pruner
from unidoku.core.constraints.shapes import Shape
from unidoku.core.constraints.shaping import moved
from unidoku.core.layout import Layout
from unidoku.logic.geometry import cells_of, geometry

Left: TypeAlias = tuple[int, ...] | None
"""The remaining candidates of a scene's cells, one set for each cell; None if there are none."""

ImpliedLink: TypeAlias = tuple[tuple[int, int], tuple[int, int], bool]
"""Two candidates, each a number of a cell and a value, and whether the link is strong."""

_MOST_NODES = 1500
"""The largest number of nodes of the searches for one result; candidates not refuted by then
stay."""

_MOST_REMEMBERED = 1 << 10
"""The largest number of results that a scene caches; a full cache is emptied."""


class Scene:
    """Cells of a layout, numbered in ascending order, and the shapes that apply to them.

    ``mask`` is the set of the cells.

    Args:
        layout: layout of the cells.
        cells: all cells of the shapes, and perhaps more.
        shapes: shapes, each of some of these cells.
    """

    def __init__(self, layout: Layout, cells: Iterable[int], shapes: Iterable[Shape]) -> None:
        self.cells = tuple(sorted(cells))
        place = {cell: number for number, cell in enumerate(self.cells)}
        numbers = [place.get(cell, 0) for cell in range(max(self.cells) + 1)]
        self._pruners = [pruner(moved(shape, numbers), layout.n) for shape in shapes]
        self.mask = here = set_of(self.cells)
        sees = geometry(layout).sees
        self._beside = [
            tuple([place[other] for other in cells_of(sees[cell] & here)]) for cell in self.cells
        ]
        one = len(self.cells) == 1
        self._held = itemgetter(*self.cells, *self.cells[:1] if one else ())
        self._among: dict[tuple[tuple[int, ...], int, int], Left] = {}
        self._links: dict[tuple[int, ...], tuple[ImpliedLink, ...]] = {}
        self._simple: dict[tuple[int, ...], Left] = {}
        self._thorough: dict[tuple[int, ...], Left] = {}

    def held(self, candidates: Sequence[int]) -> tuple[int, ...]:
        """Return the candidates of the cells, from those of all cells of the layout."""
        found: tuple[int, ...] = self._held(candidates)
        return found[: len(self.cells)]

    def simple(self, held: tuple[int, ...]) -> Left:
        """Return the candidates that single shapes leave, applied until nothing changes."""
        if held not in self._simple:
            _forget(self._simple)
            self._simple[held] = self._pruned(held, by_units=False)
        return self._simple[held]

    def thorough(self, held: tuple[int, ...]) -> Left:
        """Return the values that are in some arrangement that satisfies shapes and units."""
        if held not in self._thorough:
            _forget(self._thorough)
            self._thorough[held] = _Search(self).supported(held)
        return self._thorough[held]

    def among(self, held: tuple[int, ...], value: int, cells: int) -> Left:
        """Return the candidates that the shapes leave if one of a set of cells holds a value."""
        asked = held, value, cells
        if asked not in self._among:
            _forget(self._among)
            self._among[asked] = self._with_one(held, value, cells)
        return self._among[asked]

    def _with_one(self, held: tuple[int, ...], value: int, cells: int) -> Left:
        every = [0] * len(held)
        for number, mask in enumerate(held):
            if mask >> value - 1 & 1 and cells >> self.cells[number] & 1:
                one = (*held[:number], 1 << value - 1, *held[number + 1 :])
                for other, kept in enumerate(self._pruned(one, by_units=True) or ()):
                    every[other] |= kept
        return tuple(every) if all(every) else None

    def links(self, held: tuple[int, ...]) -> tuple[ImpliedLink, ...]:
        """Return the direct consequences of each candidate if it is true, and if it is false."""
        if held not in self._links:
            _forget(self._links)
            self._links[held] = tuple(self._implied(held))
        return self._links[held]

    def _implied(self, held: tuple[int, ...]) -> Iterator[ImpliedLink]:
        for number, mask in enumerate(held):
            if not mask & (mask - 1):
                continue
            for value in values_of(mask):
                single = 1 << value - 1
                after = self._pruned((*held[:number], single, *held[number + 1 :]), by_units=True)
                for other, left in enumerate(after or ()):
                    if other != number:
                        for gone in values_of(held[other] & ~left):
                            yield (number, value), (other, gone), False
                rest = (*held[:number], mask ^ single, *held[number + 1 :])
                for other, left in enumerate(self._pruned(rest, by_units=True) or ()):
                    if left != held[other] and not left & (left - 1):
                        yield (number, value), (other, left.bit_length()), True

    def arrangements(self, held: tuple[int, ...], most: int) -> list[tuple[int, ...]]:
        """Return the arrangements, a value for each cell; empty if more than ``most``."""
        found: list[tuple[int, ...]] = []
        search = _Search(self)
        for one in search.all(held):
            found.append(tuple(mask.bit_length() for mask in one))
            if len(found) > most:
                return []
        return [] if search.gave_up else found

    def _pruned(self, held: Sequence[int], *, by_units: bool) -> Left:
        """Return the candidates left by shapes and by single values of cells that differ."""
        left = list(held)
        before: list[int] = []
        while left != before:
            before = left.copy()
            if by_units and not self._without_singles(left):
                return None
            for prune in self._pruners:
                removals = prune(left)
                if removals is None:
                    return None
                for cell, gone in removals:
                    left[cell] &= ~gone
        return None if 0 in left else tuple(left)

    def _without_singles(self, left: list[int]) -> bool:
        """Remove single values from cells that must differ; return whether all have candidates."""
        todo = [number for number, mask in enumerate(left) if not mask & (mask - 1)]
        for number in todo:
            single = left[number]
            for other in self._beside[number]:
                if left[other] & single:
                    left[other] ^= single
                    rest = left[other]
                    if not rest:
                        return False
                    if not rest & (rest - 1):
                        todo.append(other)
        return True


class _Search:
    """A search for arrangements, depth first, with a bound on its nodes."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.nodes = 0

    @property
    def gave_up(self) -> bool:
        return self.nodes > _MOST_NODES

    def supported(self, held: tuple[int, ...]) -> Left:
        """Return the values that are in an arrangement, and those that may be."""
        left = self.scene._pruned(held, by_units=True)
        if left is None:
            return None
        seen = [mask if not mask & (mask - 1) else 0 for mask in left]
        kept = list(left)
        for number, mask in enumerate(left):
            for value in values_of(mask):
                if self.gave_up or seen[number] >> value - 1 & 1:
                    continue
                one = (*kept[:number], 1 << value - 1, *kept[number + 1 :])
                found = next(self.all(one), None)
                if found is not None:
                    seen = [a | b for a, b in zip(seen, found, strict=True)]
                elif not self.gave_up:
                    kept[number] &= ~(1 << value - 1)
        return None if 0 in kept else tuple(kept)

    def all(self, held: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Yield the arrangements as sets of one value, until the nodes are spent."""
        self.nodes += 1
        left = None if self.gave_up else self.scene._pruned(held, by_units=True)
        if left is None:
            return
        open_cells = [number for number, mask in enumerate(left) if mask & (mask - 1)]
        if not open_cells:
            yield left
            return
        number = min(open_cells, key=lambda one: left[one].bit_count())
        for value in values_of(left[number]):
            yield from self.all((*left[:number], 1 << value - 1, *left[number + 1 :]))


def _forget(known: dict[Any, Any]) -> None:
    if len(known) >= _MOST_REMEMBERED:
        known.clear()
