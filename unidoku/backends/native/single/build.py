"""Translate a layout into the numbers that the compiled search reads.

The rows of units are made once for all layouts with these units; the rules are added to them.
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
from unidoku.backends.native.single import registers as reg
from unidoku.backends.native.single.compiling import SEARCH, places_of
from unidoku.backends.native.single.divided import add_divisions
from unidoku.backends.native.single.kinds import CELLS_AT_ONCE, READY, WORDS_AT_ONCE, Propagator
from unidoku.backends.native.single.memory import Numbers, address, in_lines, zeros
from unidoku.backends.native.single.rows import Constraints
from unidoku.core.bits import all_values, bits_of, set_of
from unidoku.core.layout import Layout
from unidoku.core.shapes import Automaton, Or, Sets, Shape
from unidoku.core.simplify import simple_branches

MOST_CROSSINGS = 2_000
"""Largest number of crossings of units used; large boards have many more, which exclude little."""

MOST_TO_SETTLE = 2_000
"""Propagations, a long one counts as several, in which to find all that follows from the rules."""

WORK_OF_BANDS = MAX_BAND * (MAX_BAND + 2)
"""Size of a band's working memory: one number for each segment, line and box."""

_FIRST = (Propagator.EXCLUSION, Propagator.RELATION)
_MIDDLE = (
    Propagator.SETS,
    Propagator.SUM,
    Propagator.REQUIRED,
    Propagator.TIMES,
    Propagator.HITS,
)
_LAST = (
    Propagator.SAME,
    Propagator.ACROSS,
    Propagator.APART,
    Propagator.COUNTED,
    Propagator.TABLE,
    Propagator.AUTOMATON,
    Propagator.REPEATING,
    Propagator.RUN,
    Propagator.ALIKE,
    Propagator.REGION,
    Propagator.DIVISION,
    Propagator.OR,
)


Line: TypeAlias = tuple[Cells, int]


@dataclass(frozen=True, slots=True, eq=False)
class UnitRows:
    """The rows of a layout's units.

    Args:
        data: rows of units, of bands and of crossings.
        rows: where the rows begin; units come first, then bands.
        count: number of units.
        bands: number of bands.
        seen: the peers of each cell, as sets, 32 bits at a time.
        sets: the units as sets of cells.
        full: full units.
        has_smaller: whether there are smaller ones, by which cells see across full units.
    """

    data: Numbers
    rows: list[int]
    count: int
    bands: int
    seen: Numbers
    sets: list[int]
    full: list[Cells]
    has_smaller: bool


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """A layout in the form that the search reads.

    Args:
        cells: number of cells.
        arrays: arrays of the layout, in the order of their registers.
        registers: the registers that describe the layout.
        work: sizes of the working memory of the propagators of one constraint, and of alternatives.
        restarts: whether a search restarts after many failures.
        labels: the cells with the numbers of interchangeable regions.
        idle: memories that no search is using.
    """

    cells: int
    arrays: tuple[Numbers | memoryview[int], ...]
    registers: Numbers
    work: int
    restarts: bool
    labels: range
    idle: list[Any] = field(default_factory=list)


@lru_cache(maxsize=64)
def tables_of(layout: Layout, *, in_order: bool = False) -> Tables:
    """Return a layout in the form that the search reads, optionally with regions in order."""
    return _made(layout, in_order) if layout.rules else tables_of_units(layout.base)


@lru_cache(maxsize=64)
def tables_of_units(layout: Layout) -> Tables:
    """Return the same for units alone, shared by all layouts with these units and no rules."""
    return _made(layout, in_order=False)


def _made(layout: Layout, in_order: bool) -> Tables:
    lowered = lower(layout)
    units = rows_of_units(layout.base)
    made = Constraints(layout.n, units.data, units.sets)
    guarded = _guarded(layout)
    for shape in add_divisions(made, layout, lowered, in_order=in_order):
        made.shape(guarded.get(_line(shape), shape) if guarded else shape)
    for one, other in _crossings_of_rules(layout, lowered.sets):
        made.add(Propagator.SAME, (*one, *other), (len(one),))
    if units.has_smaller or made.pairs:
        cages = [one.cells for one in lowered.sets if len(one.cells) == layout.n]
        for across in (*units.full, *cages):
            made.add(Propagator.ACROSS, across)
    kinds, rows = array("q"), array("q")
    for kind, places in (
        *[(kind, made.of_kind[kind]) for kind in _FIRST],
        (Propagator.UNIT, [*units.rows[: units.count], *made.of_kind[Propagator.UNIT]]),
        *[(kind, sorted(made.of_kind[kind], key=made.data.__getitem__)) for kind in _MIDDLE],
        (Propagator.BAND, units.rows[units.count : units.count + units.bands]),
        (Propagator.SAME, units.rows[units.count + units.bands :]),
        *[(kind, made.of_kind[kind]) for kind in _LAST],
    ):
        kinds.extend(array("q", (kind,)) * len(places))
        rows.extend(places)
    exclusions, relations = (len(made.of_kind[kind]) for kind in _FIRST)
    first, cells = exclusions + relations, len(layout)
    begin = first + units.count
    end = begin + len(made.of_kind[Propagator.UNIT])
    words = -(-len(rows) // 64) or 1
    words += -words % WORDS_AT_ONCE if words > 1 else 0
    pairs_at = len(made.data)
    made.data.extend(made.pairs)
    data = in_lines(len(made.data))
    data[: len(made.data)] = memoryview(made.data)
    watch, seen, start = zeros(2 * words * cells), units.seen[:], zeros(cells)
    arrays: list[Numbers | memoryview[int]] = [kinds, rows, data, watch, seen, start]
    left = array("q", lowered.candidates or (all_values(layout.n),) * cells)
    work = max(made.work, WORK_OF_BANDS if units.bands else 0, cells)
    registers = zeros(reg.REGISTERS)
    registers[reg.CELLS : reg.KINDS_AT] = array(
        "q", (cells, layout.n, words, exclusions, first, begin, end)
    )
    for place, table in enumerate(arrays, start=reg.KINDS_AT):
        registers[place] = address(table)
    registers[reg.LEFT_AT] = address(left)
    registers[reg.CONSTRAINTS], registers[reg.SPARE] = len(rows), work
    registers[reg.PAIRS], registers[reg.PAIRS_AT] = len(made.pairs) // 2, pairs_at
    registers[reg.LEVEL], registers[reg.UNTIL] = READY, MOST_TO_SETTLE
    registers[reg.LABELS] = made.labels
    work += made.more_work + words
    registers[reg.TOLD] = work
    work += made.told
    room = room_of(registers, work)
    SEARCH.loaded().call(*places_of(registers))
    del room
    return Tables(
        cells=cells,
        arrays=(*arrays, left),
        registers=registers,
        work=work,
        restarts=not layout.rules,
        labels=_labels(made),
    )


def _labels(made: Constraints) -> range:
    """Return the cells with the numbers of interchangeable regions."""
    if not (row := made.labels):
        return range(0)
    first, size = made.data[row + 1], made.data[row + 1 + made.data[row]]
    return range(first, first + size)


def room_of(registers: Numbers, work: int) -> memoryview[int]:
    """Return memory for a search, and note in its registers where each array of it is."""
    cells = registers[reg.CELLS]
    sizes = (  # in the order of the registers
        -(-cells // CELLS_AT_ONCE) * CELLS_AT_ONCE,
        cells + 1,
        registers[reg.WORDS] + 1,
        cells + 2,
        work + 1,
    )
    numbers = in_lines(sum(sizes))
    at = address(numbers)
    for place, size in enumerate(sizes, start=reg.CANDIDATES_AT):
        registers[place] = at
        at += 8 * size
    return numbers


def _crossings_of_rules(
    layout: Layout, sets: Iterable[Sets]
) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the differences of cells that hold all values by rules and other such cells."""
    full = [set_of(unit.cells) for unit in layout.full_units]
    for cells in [set_of(one.cells) for one in sets if len(one.cells) == layout.n]:
        for other in full:
            if 1 < (cells & other).bit_count() < layout.n:
                yield bits_of(cells & ~other), bits_of(other & ~cells)
        full.append(cells)


def _guarded(layout: Layout) -> dict[Line, Or]:
    """Return the lines that are replaced by alternatives, with the alternatives."""
    found: dict[Line, Or] = {}
    for rule in layout.rules:
        if (other := rule.guarded(layout)) is not None:
            branches = [*simple_branches(layout, other.branches)]
            (line,) = map(_line, rule.shapes(layout))
            if len(branches) > 1:
                found[line] = Or(tuple(branches))
    return found


def _line(shape: Shape) -> Line:
    """Return the key of a line: its cells and its machine, which is a shared object."""
    return (shape.cells, id(shape.machine)) if isinstance(shape, Automaton) else ((), 0)


@lru_cache(maxsize=64)
def rows_of_units(layout: Layout) -> UnitRows:
    """Return the rows of a layout's units.

    Units of more than two cells and bands are rows. If two other full units share several cells,
    the cells in only the first hold the same values as the cells in only the second.
    """
    data, rows = array("q"), []
    units = [unit.cells for unit in layout.maximal_units if len(unit.cells) > 2]
    for cells in units:
        rows.append(len(data))
        data.extend((len(cells), *cells))
    bands = plan_of(layout).bands
    crossings = _crossings(layout, bands)
    for cells, numbers in [*map(_band, bands), *map(_rest, crossings)]:
        rows.append(len(data))
        data.extend((len(cells), *cells, *numbers))
    blocks = -(-len(layout) // CELLS_AT_ONCE)
    peers = b"".join([set_of(own).to_bytes(4 * blocks, "little") for own in layout.peers])
    seen = array("q", peers + bytes(8 + -len(peers) % 8))  # three blocks are read at once
    sets = [set_of(unit.cells) for unit in layout.maximal_units]
    full = [unit.cells for unit in layout.full_units]
    has_smaller = any(len(unit.cells) < layout.n for unit in layout.maximal_units)
    return UnitRows(data, rows, len(units), len(bands), seen, sets, full, has_smaller)


def _band(band: Band) -> tuple[Cells, Cells]:
    """Return the cells of a band, segment by segment, and its sizes."""
    cells = tuple(chain.from_iterable(chain.from_iterable(band.segments)))
    return cells, (band.size, len(cells) // band.size**2)


def _rest(crossing: tuple[Cells, Cells]) -> tuple[Cells, Cells]:
    """Return the cells of two parts, and the number of cells in the first."""
    one, other = crossing
    return (*one, *other), (len(one),)


def _crossings(layout: Layout, bands: Iterable[Band]) -> list[tuple[Cells, Cells]]:
    """Return the differences, both ways, of each two full units that share several cells.

    Pairs of units of the same band are left out.
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
