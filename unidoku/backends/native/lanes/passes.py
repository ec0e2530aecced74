"""One round of propagation, emitted as straight-line vector code.

There are no branches: every pass runs in all lanes, whatever their boards look like. A pass over a
band replaces all passes over its units; the other passes cover what bands do not.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from unidoku.backends.native.compiler.vector import LaneMask, Vector
from unidoku.backends.native.lanes.bands import Band, Cells
from unidoku.backends.native.lanes.emitter import Emitter, or_and, or_less, or_xor
from unidoku.backends.native.lanes.plan import Family, Plan

Sets: TypeAlias = dict[tuple[int, int], Vector]
"""A set of values for each segment of a band, by the numbers of its box and its line."""


class Round:
    """Emits the passes of a round and keeps track of what they find."""

    def __init__(self, emit: Emitter, plan: Plan, state: Any) -> None:
        self.emit = emit
        self.plan = plan
        self.state = state
        self.possible = emit.everything  # values that have a place in each unit that needs one
        self.changed = emit.zero
        self.open = emit.zero  # candidates of cells that have several, without the lowest
        self.least = emit.constant(-1)  # 0 if a cell has no candidates
        self._last_band = {cell: band for band in plan.bands for cell in band.cells}
        self._accounted: set[int] = set()

    def emitted(self) -> tuple[LaneMask, LaneMask, LaneMask]:
        """Emit the round; return the lanes that are dead, open and changed.

        A lane is changed if several values were removed from cells. If only one was, another round
        seldom achieves as much as a guess: measured, a tenth fewer rounds and up to a tenth more
        nodes.
        """
        plan, emit = self.plan, self.emit
        for bands in plan.rows_of_bands:
            self._bands(bands)
        if plan.families:
            self._families(plan.families)
        for cells in plan.full:
            self._unit(cells, is_full=True)
        for cells in plan.differing:
            self._unit(cells, is_full=False)
        self._peers()
        self._partners()
        self._account_for_rest()
        dead = self.possible.differs(emit.everything) | self.least.equals(emit.zero)
        changed = emit.single(self.changed).differs(self.changed)
        return dead, self.open.differs(emit.zero), changed

    def _account_for_rest(self) -> None:
        """Emit the update by the cells that no band accounted for; full units take them at once."""
        emit = self.emit
        left = set(range(self.plan.cells)) - self._accounted
        for unit, is_full in self.plan.all_units:
            if is_full and left.issuperset(unit):
                left.difference_update(unit)
                self._account([self._load(cell) for cell in unit], is_full=True)
        for cell in sorted(left):
            emit.rest()
            self._account([self._load(cell)])

    def _load(self, cell: int) -> Vector:
        return self.emit.load(self.state, cell)

    def _store(self, cell: int, x: Vector) -> None:
        self.emit.store(self.state, cell, x)

    def _account(self, candidates: list[Vector], *, is_full: bool = False) -> None:
        """Emit the update of ``least`` and ``open`` by the candidates of cells after the round.

        ``open`` is not 0 afterwards if a cell has several candidates, ``least`` is 0 if a cell has
        none. In a full unit one addition answers for all cells: if each value has a place and no
        cell is empty, the cells are solved if and only if their sets add up to all values.

        Args:
            candidates: the candidates of the cells, each a vector over the lanes.
            is_full: whether the cells are a full unit.
        """
        emit = self.emit
        for x in candidates:
            self.least = x.below(self.least).choose(x, self.least)
        if is_full and emit.can_sum(len(candidates)):
            total = emit.sum(candidates)
            self.open = emit.ternary(or_xor, self.open, total, emit.everything)
            return
        for x in candidates:
            self.open = emit.ternary(or_and, self.open, x, x + emit.minus_one)

    def _note_change(self, before: Vector, after: Vector) -> None:
        self.changed = self.emit.ternary(or_xor, self.changed, before, after)

    def _bands(self, bands: tuple[Band, ...]) -> None:
        """Emit the first of some bands, in a loop that then moves to the other bands.

        Written out, their code would not fit into the processor's instruction cache.
        """
        emit, first = self.emit, bands[0]
        step = min(bands[1].cells) - min(first.cells) if len(bands) > 1 else 0
        state = self.state
        carried = [self.possible, self.changed, self.open, self.least]
        with emit.repeated(len(bands), carried) as (number, values):
            self.state = emit.moved(state, number, step)
            self.possible, self.changed, self.open, self.least = values
            self._finish_band(first, self._begin_band(first))
            values[:] = self.possible, self.changed, self.open, self.least
        self.state = state
        if self._accounted.issuperset(first.cells):
            self._accounted.update(*(band.cells for band in bands))

    def _begin_band(self, band: Band) -> Sets:
        """Emit naked singles; return the values that each segment may hold."""
        emit, size = self.emit, range(band.size)
        emit.rest()
        union, single = {}, {}
        for box in size:
            for line in size:
                union[box, line], single[box, line] = self._singles(band.segments[box][line])
        for box in size:
            for line in size:
                others = [single[other, line] for other in size if other != box]
                others += [single[box, other] for other in size if other != line]
                union[box, line] = emit.without(union[box, line], others)
        return union

    def _finish_band(self, band: Band, union: Sets) -> None:
        """Emit the deductions from the pairings of lines with boxes."""
        emit, size = self.emit, range(band.size)
        left = self._paired(band, union)
        self.possible &= emit.union(left[0, line] for line in size)
        for box in size:
            candidates: list[Vector] = []
            for line in size:
                elsewhere = [left[other, line] for other in size if other != box]
                candidates += self._placed(
                    band, band.segments[box][line], left[box, line], elsewhere
                )
            cells = band.box(box)
            if not self.plan.goes_on and all(self._last_band[cell] is band for cell in cells):
                self._account(candidates, is_full=True)
                self._accounted.update(cells)

    def _singles(self, segment: Cells) -> tuple[Vector, Vector]:
        """Emit: remove a single from the other cells of its segment.

        Returns:
            The values of the segment before the removal, and its singles.
        """
        emit = self.emit
        candidates = [self._load(cell) for cell in segment]
        singles = [emit.single(cell_candidates) for cell_candidates in candidates]
        for cell, cell_candidates, single in zip(segment, candidates, singles, strict=True):
            self._store(
                cell,
                emit.without(cell_candidates, [other for other in singles if other is not single]),
            )
        return emit.union(candidates), emit.union(singles)

    def _placed(
        self, band: Band, segment: Cells, values: Vector, elsewhere: list[Vector]
    ) -> list[Vector]:
        """Emit: a segment's cells keep its values; one with only one place in its line stays there.

        ``values`` are the values that some pairing puts there, ``elsewhere`` the values of the
        line's other segments. Returns what the cells hold now.
        """
        emit = self.emit
        cell_candidates = [self._load(cell) for cell in segment]
        _, twice = emit.seen(cell_candidates)
        hidden = emit.without(values, [twice, *elsewhere])
        candidates = []
        for cell, before in zip(segment, cell_candidates, strict=True):
            after = before & (before & hidden).differs(emit.zero).choose(hidden, values)
            self._store(cell, after)
            candidates.append(after)
            if self._last_band[cell] is band:
                self._note_change(before, after)
        return candidates

    def _paired(self, band: Band, union: Sets) -> Sets:
        """Return for each segment the values with a pairing that puts them there."""
        emit, size = self.emit, range(band.size)
        possible = {
            pairing: emit.intersection([union[box, line] for box, line in enumerate(pairing)])
            for pairing in band.pairings
        }
        left = {
            (box, line): emit.union(
                values for pairing, values in possible.items() if pairing[box] == line
            )
            for box in size
            for line in size
        }
        # A segment of k cells with k values left owns them: they leave its line and its box.
        length = emit.constant(len(band.segments[0][0]))
        owned = {
            segment: values.population().equals(length).choose(values, emit.zero)
            for segment, values in left.items()
        }
        by_line = [emit.union(owned[box, line] for box in size) for line in size]
        by_box = [emit.union(owned[box, line] for line in size) for box in size]
        return {
            (box, line): emit.without(values, [by_line[line], by_box[box]]) | owned[box, line]
            for (box, line), values in left.items()
        }

    def _families(self, families: tuple[Family, ...]) -> None:
        """Emit: remove a value confined to one segment of a unit from the segment's other unit."""
        emit = self.emit
        segments = dict.fromkeys(segment for family in families for segment in family.segments)
        union = {segment: emit.union(self._load(cell) for cell in segment) for segment in segments}
        confined: dict[Cells, Vector] = {}
        for family in families:
            emit.rest()
            parts = [union[segment] for segment in family.segments]
            parts += [self._load(cell) for cell in family.singles]
            _, twice = emit.seen(parts)
            for segment in family.segments:
                confined[segment] = emit.ternary(
                    or_less,
                    confined.get(segment, emit.zero),
                    union[segment],
                    twice,
                )
        removed = dict.fromkeys(segments, emit.zero)
        for family in families:
            emit.rest()
            values = emit.union(confined[segment] for segment in family.segments)
            for segment in family.segments:
                removed[segment] = emit.ternary(
                    or_less, removed[segment], values, confined[segment]
                )
            for cell in family.singles:
                self._store(cell, self._load(cell) & ~values)
        by_cell: dict[int, list[Vector]] = {}
        for segment in segments:
            for cell in segment:
                by_cell.setdefault(cell, []).append(removed[segment])
        for cell, values_removed in by_cell.items():
            emit.rest()
            self._store(cell, emit.without(self._load(cell), values_removed))

    def _unit(self, cells: Cells, *, is_full: bool) -> None:
        """Emit naked singles and, in a full unit, values with one place and values with none."""
        emit = self.emit
        emit.rest()
        candidates = [self._load(cell) for cell in cells]
        cell_singles = [emit.single(cell_candidates) for cell_candidates in candidates]
        singles, clash = emit.seen(cell_singles)
        self.possible &= ~clash
        hidden = None
        if is_full:
            once, twice = emit.seen(candidates)
            self.possible &= once
            hidden = once & ~twice
        for cell, before, single in zip(cells, candidates, cell_singles, strict=True):
            after = emit.ternary(lambda a, b, c: (a & ~b) | c, before, singles, single)
            if hidden is not None:
                after &= (after & hidden).differs(emit.zero).choose(hidden, emit.everything)
            self._note_change(before, after)
            self._store(cell, after)

    def _peers(self) -> None:
        """Emit: remove a single from its peers in small units."""
        for cell, others in enumerate(self.plan.peers):
            if others:
                self.emit.rest()
                singles = [self.emit.single(self._load(other)) for other in others]
                self._remove(cell, singles)

    def _partners(self) -> None:
        """Emit: remove from cells related to a single the values that its value forbids."""
        emit = self.emit
        for cell, partners in enumerate(self.plan.partners):
            for shifts, others in partners:
                emit.rest()
                singles = emit.union(emit.single(self._load(other)) for other in others)
                self._remove(cell, emit.shifted(singles, shifts))

    def _remove(self, cell: int, removed: list[Vector]) -> None:
        before = self._load(cell)
        after = self.emit.without(before, removed)
        self._note_change(before, after)
        self._store(cell, after)
