"""From a layout to the numbers that the compiled search reads.

What the units say is made once for all layouts that have them; the rules are added to that.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any, TypeAlias

from unidoku.backends.lower import lower
from unidoku.backends.native.lanes.plan import MAX_BAND, Band, Cells, plan_of
from unidoku.backends.native.single.kinds import CELLS_AT_ONCE, Propagator
from unidoku.backends.native.single.rows import Constraints, Numbers, Row, numbers_of
from unidoku.core.bits import bits_of, set_of
from unidoku.core.layout import Layout
from unidoku.core.shapes import Automaton, Or, Sets, Shape
from unidoku.core.simplify import as_shapes, simplify

FAILURE_WEIGHT = 10
"""What a constraint adds to the weight of its cells; a peer adds 1."""

MOST_CROSSINGS = 2_000
"""Crossings of units that are looked at; on large boards there are many more, which say little."""

WORK_OF_BANDS = MAX_BAND * (MAX_BAND + 2)
"""Numbers that a band needs to work with: the segments, and of each line and each box one more."""

_MIDDLE = (Propagator.SETS, Propagator.SUM, Propagator.REQUIRED, Propagator.TIMES)
_LAST = (
    Propagator.SAME,
    Propagator.COUNTED,
    Propagator.TABLE,
    Propagator.AUTOMATON,
    Propagator.REPEATING,
    Propagator.OR,
)


Line: TypeAlias = tuple[Cells, int]


@dataclass(frozen=True, slots=True, eq=False)
class UnitRows:
    """What the units of a layout say.

    Args:
        data: rows of units, of bands and of crossings.
        rows: where they begin; units come first, then bands.
        count: how many units.
        bands: how many bands.
        on_units: for each cell, the set of units that have it.
        on_crossings: the same of bands and crossings.
        peers: of each cell, as sets.
        sets: the units as sets of cells.
    """

    data: Numbers
    rows: list[int]
    count: int
    bands: int
    on_units: list[int]
    on_crossings: list[int]
    peers: list[int]
    sets: list[int]

    @property
    def crossings(self) -> int:
        """How many bands and crossings there are."""
        return len(self.rows) - self.count


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """A layout as the search reads it.

    Args:
        cells: how many.
        values: how many.
        words: numbers that a set of constraints takes.
        units: the first unit and the one after the last, among the constraints.
        arrays: those of the layout, in the order of their registers.
        work: numbers that the propagators of one constraint need to work with.
        more_work: the same of alternatives.
        candidates: what rules leave of each cell; empty for all.
        restarts: whether a search begins anew after many failures.
        idle: memory that no search is using.
    """

    cells: int
    values: int
    words: int
    units: tuple[int, int]
    arrays: tuple[Numbers, ...]
    work: int
    more_work: int
    candidates: tuple[int, ...]
    restarts: bool
    idle: list[Any] = field(default_factory=list)


@lru_cache(maxsize=64)
def tables_of(layout: Layout) -> Tables:
    """Return a layout as the search reads it."""
    lowered = lower(layout)
    units = rows_of_units(layout.base)
    made = Constraints(layout.n, units.data, units.sets)
    guarded = _guarded(layout)
    for shape in (*lowered.relations, *lowered.beyond_pairs):
        made.shape(guarded.get(_line(shape), shape))
    for one, other in _crossings_of_rules(layout, lowered.sets):
        made.add(Propagator.SAME, (*one, *other), (len(one),))
    before = made.of_kind[Propagator.RELATION]
    middle = [row for kind in _MIDDLE for row in made.of_kind[kind]]
    last = [row for kind in _LAST for row in made.of_kind[kind]]
    kinds = [Propagator.RELATION] * len(before) + [Propagator.UNIT] * units.count
    kinds += [kind for kind in _MIDDLE for _ in made.of_kind[kind]]
    kinds += [Propagator.BAND] * units.bands
    kinds += [Propagator.SAME] * (units.crossings - units.bands)
    kinds += [kind for kind in _LAST for _ in made.of_kind[kind]]
    rows = [at for at, _ in before] + units.rows[: units.count] + [at for at, _ in middle]
    rows += units.rows[units.count :] + [at for at, _ in last]
    words = -(-len(rows) // 64) or 1
    watch = _watch(units, before, middle, last)
    peers = _peers(units, [sets.cells for sets in lowered.sets])
    blocks = -(-len(layout) // CELLS_AT_ONCE)
    seen = b"".join([own.to_bytes(4 * blocks, "little") for own in peers])
    start = [
        max(FAILURE_WEIGHT * constraints.bit_count() + own.bit_count(), 1)
        for constraints, own in zip(watch, peers, strict=True)
    ]
    everything = (1 << len(rows)) - 1
    return Tables(
        cells=len(layout),
        values=layout.n,
        words=words,
        units=(len(before), len(before) + units.count),
        arrays=(
            array("q", kinds),
            array("q", rows),
            made.data,
            numbers_of(watch, words),
            array("q", seen + bytes(-len(seen) % 8)),
            array("q", start),
            numbers_of([everything], words),
        ),
        work=max(made.work, WORK_OF_BANDS if units.bands else 0),
        more_work=made.more_work + words,
        candidates=lowered.candidates,
        restarts=not layout.rules,
    )


def _crossings_of_rules(
    layout: Layout, sets: Iterable[Sets]
) -> Iterator[tuple[list[int], list[int]]]:
    """Yield what is not shared by cells that hold all values by rules, and other such or units."""
    full = [set_of(unit.cells) for unit in layout.full_units]
    for cells in [set_of(one.cells) for one in sets if len(one.cells) == layout.n]:
        for other in full:
            if 1 < (cells & other).bit_count() < layout.n:
                yield bits_of(cells & ~other), bits_of(other & ~cells)
        full.append(cells)


def _guarded(layout: Layout) -> dict[Line, Or]:
    """Return lines that are tried as alternatives instead, with these."""
    found: dict[Line, Or] = {}
    for rule in layout.rules:
        if (other := rule.guarded(layout)) is not None:
            inside = [simplify(layout, branch) for branch in other.branches]
            branches = [as_shapes(one, layout.n) for one in inside if 0 not in one.candidates]
            (line,) = map(_line, rule.shapes(layout))
            if len(branches) > 1:
                found[line] = Or(tuple(branches))
    return found


def _line(shape: Shape) -> Line:
    """Return what tells lines apart: their cells, and their machine, of which each is once."""
    return (shape.cells, id(shape.machine)) if isinstance(shape, Automaton) else ((), 0)


def _watch(
    units: UnitRows,
    before: list[Row],
    middle: list[Row],
    last: list[Row],
) -> list[int]:
    """Return for each cell the set of constraints that it wakes, in the order of the queue."""
    constraint = len(before)
    watch = [own << constraint for own in units.on_units]
    constraint += units.count + len(middle)
    for cell, own in enumerate(units.on_crossings):
        watch[cell] |= own << constraint
    constraint += units.crossings
    for first, group in (
        (0, before),
        (len(before) + units.count, middle),
        (constraint, last),
    ):
        for number, (_, cells) in enumerate(group, start=first):
            own = 1 << number
            for cell in cells:
                watch[cell] |= own
    return watch


def _peers(units: UnitRows, more: list[tuple[int, ...]]) -> list[int]:
    """Return the peers of each cell, with those of cells that differ by rules."""
    peers = units.peers
    for cells in more:
        held = set_of(cells)
        if any(held & ~peers[cell] & ~(1 << cell) for cell in cells):
            peers = peers.copy() if peers is units.peers else peers
            for cell in cells:
                peers[cell] |= held & ~(1 << cell)
    return peers


@lru_cache(maxsize=64)
def rows_of_units(layout: Layout) -> UnitRows:
    """Return what the units of a layout say.

    Units of more than two cells are rows; so are bands. Of two other full units that share several
    cells, the cells of the one that are not in the other hold the same values as those the other
    way round.
    """
    data, rows = array("q"), []
    units = [unit.cells for unit in layout.maximal_units if len(unit.cells) > 2]
    on_units = [0] * len(layout)
    for number, cells in enumerate(units):
        rows.append(len(data))
        data.extend((len(cells), *cells))
        for cell in cells:
            on_units[cell] |= 1 << number
    bands = plan_of(layout).bands
    crossings = _crossings(layout, bands)
    on_crossings = [0] * len(layout)
    for number, (cells, numbers) in enumerate([*map(_band, bands), *map(_rest, crossings)]):
        rows.append(len(data))
        data.extend((len(cells), *cells, *numbers))
        for cell in cells:
            on_crossings[cell] |= 1 << number
    peers = [set_of(own) for own in layout.peers]
    sets = [set_of(unit.cells) for unit in layout.maximal_units]
    return UnitRows(data, rows, len(units), len(bands), on_units, on_crossings, peers, sets)


def _band(band: Band) -> tuple[Cells, Cells]:
    """Return the cells of a band, segment by segment, and its sizes."""
    cells = tuple(chain.from_iterable(chain.from_iterable(band.segments)))
    return cells, (band.size, len(cells) // band.size**2)


def _rest(crossing: tuple[Cells, Cells]) -> tuple[Cells, Cells]:
    """Return the cells of two parts, and how many the first has."""
    one, other = crossing
    return (*one, *other), (len(one),)


def _crossings(layout: Layout, bands: Iterable[Band]) -> list[tuple[Cells, Cells]]:
    """Return what two full units that share several cells do not share, one and the other.

    Not of the units of one band.
    """
    in_bands = [set(map(set_of, band.units)) for band in bands]
    sets = [set_of(unit.cells) for unit in layout.full_units]
    found: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, one in enumerate(sets):
        for other in sets[:number]:
            shared = (one & other).bit_count()
            if shared > 1 and not any(one in held and other in held for held in in_bands):
                found[shared].append((one & ~other, other & ~one))
    largest = [pair for shared in sorted(found, reverse=True) for pair in found[shared]]
    return [(tuple(bits_of(one)), tuple(bits_of(other))) for one, other in largest[:MOST_CROSSINGS]]
