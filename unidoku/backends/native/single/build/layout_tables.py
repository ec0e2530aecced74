"""Translate a layout into the numbers that the compiled search reads.

The rows of units are shared by all layouts with these units; the rows of rules are added to them.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from struct import pack
from typing import Any, NamedTuple, TypeAlias

from unidoku.backends.native.compiler.intrinsics import (
    CELLS_AT_ONCE,
    NARROW,
    NO_CELL,
    NUMBERS_OF_UNITS,
    UNITS_AT_ONCE,
    WORDS_AT_ONCE,
)
from unidoku.backends.native.lanes.bands import (
    MAX_BAND,
    BandSets,
    Cells,
    band_sets,
    crossings,
)
from unidoku.backends.native.single.build.combined_sums import combined_sums
from unidoku.backends.native.single.build.memory import (
    LINE,
    Numbers,
    address,
    behind_cells,
    in_lines,
    in_whole_lines,
    zeros,
)
from unidoku.backends.native.single.build.partition_rows import add_divisions
from unidoku.backends.native.single.build.rows import Constraints
from unidoku.backends.native.single.build.rows_of_rules import add_rules
from unidoku.backends.native.single.function import Function, arguments_of
from unidoku.backends.native.single.search.kinds import READY, Propagator
from unidoku.backends.native.single.search.registers import Register
from unidoku.core.bits import bits_of, set_of
from unidoku.core.caching import layout_cache, number_cache
from unidoku.core.constraints.operations import moved
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Or,
    Region,
    Relation,
    SameValues,
    Sets,
    Sum,
    Table,
)
from unidoku.core.layout import Layout
from unidoku.core.rules import Rule
from unidoku.core.transforms.innies_outies import unit_sets
from unidoku.core.transforms.simplify import Simplified, simple_branches, simplified

MOST_CROSSINGS = 2_000
"""Largest number of crossings of units used; large boards have many more, which exclude little."""

MOST_AT_ROOT = 2_000
"""Propagations, a long one counts as several, in which to find all that follows from the rules."""

WORK_OF_BANDS = MAX_BAND * (MAX_BAND + 2)
"""Size of a band's working memory: one number for each segment, line and box."""

_EXCLUSION, _RELATION, _UNIT, _BAND = (
    Propagator.EXCLUSION,
    Propagator.RELATION,
    Propagator.UNIT,
    Propagator.BAND,
)

_OTHER_REGISTERS = zeros(len(Register) - Register.CANDIDATES_AT)
"""The registers behind those of a layout, for a call that prepares its arrays."""

_OTHER_REGISTERS[Register.LEVEL - Register.CANDIDATES_AT] = READY
_OTHER_REGISTERS[Register.UNTIL - Register.CANDIDATES_AT] = MOST_AT_ROOT

_BY_SIZE = frozenset(
    {
        Propagator.SETS,
        Propagator.SUM,
        Propagator.REQUIRED,
        Propagator.TIMES,
        Propagator.HITS,
    }
)
"""The kinds of which small constraints come first."""

_OF_UNITS = (Propagator.UNIT, Propagator.BAND, Propagator.SAME)
"""The kinds of constraints of units."""

_KIND = {kind: array("q", (kind,)) for kind in Propagator}
"""Each kind as an array, which is repeated in less time than a list becomes an array."""

_CELLS, _WORDS, _STATE, _CANDIDATES_AT, _STACK_AT, _COUNT = map(
    int,
    (
        *(Register.CELLS, Register.WORDS, Register.STATE, Register.CANDIDATES_AT),
        *(Register.STACK_AT, Register.COUNT),
    ),
)
"""Numbers, because to find a member of an enum takes as long as to read a register."""

_IN_ORDER = (Relation, Sets, Sum, Automaton, Table, SameValues, Region, Or)
"""The classes of constraints in the order in which their rows are added: those of cells that differ
before those that look for these."""


Line: TypeAlias = tuple[Cells, int]


@dataclass(frozen=True, slots=True, eq=False)
class UnitRows:
    """The units of a layout as numbers for the search, a row of numbers for each.

    Args:
        data: the rows of units, of bands and of crossings, one after the other.
        rows: the indices in ``data`` where the rows of each kind begin, as in `prepare`.
        seen: the peers of each cell as a set of cells, in blocks of 32 bits.
        sets: the units as sets of cells.
        full: the cells of each unit that contains every value.
        has_smaller: whether a unit has fewer cells than there are values. By such units a cell may
            see both places that a value has in a full unit, and loses the value.
    """

    data: Numbers
    rows: dict[Propagator, list[int]]
    seen: Numbers
    sets: list[int]
    full: list[Cells]
    has_smaller: bool


class Tables(NamedTuple):
    """A layout in the form that the search reads.

    A named tuple: every build makes one, and a frozen dataclass takes three times as long.

    Args:
        cells: number of cells.
        arrays: arrays of the layout, in the order of their registers.
        registers: the registers that describe the layout.
        work: sizes of the working memory of the propagators of one constraint, and of alternatives.
        is_irregular: whether the layout has no rules and no bands, such as a jigsaw.
        labels: the cells with the numbers of interchangeable regions.
        rooms: the memory that prepared the arrays and that the registers name, for the first
            search.
        idle: memories that no search is using.
        function: the search in one of its forms.
    """

    cells: int
    arrays: tuple[Numbers | memoryview[int], ...]
    registers: Numbers
    work: int
    is_irregular: bool
    labels: range
    rooms: list[memoryview[int]]
    idle: list[Any]
    function: Function


@layout_cache(maxsize=64)
def tables_of(layout: Layout, function: Function, *, in_order: bool = False) -> Tables:
    """Return a layout in the form that the search reads, optionally with regions in order."""
    if layout.rules:
        return _tables(layout, function, in_order=in_order)
    return tables_of_units(layout.base, function)


@layout_cache(maxsize=64)
def tables_of_units(layout: Layout, function: Function) -> Tables:
    """Return the same for units alone, shared by all layouts with these units and no rules."""
    return _tables(layout, function, in_order=False)


def _tables(layout: Layout, function: Function, *, in_order: bool) -> Tables:
    """Build the arrays of a layout, and let the search prepare them."""
    assert not layout.hidden, f"expected hidden cells below the grid: {layout!r}"
    simple = simplified(layout)
    units = rows_of_units(layout.base)
    constraints = _constraints_of(layout, simple, units, in_order=in_order)
    pairs, cells = constraints.pairs, len(layout)
    numbers, rows_at = constraints.data()
    pairs_at = len(numbers) // 8
    on_units = len(constraints.of_kind[_UNIT])
    units_at, size = _room_for_vectors(pairs_at + len(pairs), on_units, layout.n, cells)
    data, data_at = in_lines(size)
    data[:pairs_at] = memoryview(numbers).cast("q")
    if pairs:
        data[pairs_at : pairs_at + len(pairs)] = array("q", pack(f"{len(pairs)}q", *pairs))
    kinds, rows, exclusions, first = _in_order_of_queue(constraints)
    begin, end = first + len(units.rows[_UNIT]), first + on_units
    words = -(-len(rows) // 64) or 1
    words += -words % WORDS_AT_ONCE if words > 1 else 0
    watch, seen, start = zeros(2 * words * cells), units.seen[:], zeros(cells)
    of_rows = array("q", pack(f"{len(rows)}q", *rows))
    left = array("q", pack(f"{cells}q", *simple.candidates))
    work = max(constraints.work, WORK_OF_BANDS if units.rows[_BAND] else 0, cells)
    more_work = work + constraints.more_work + words
    labels = 0 if constraints.labels is None else rows_at + constraints.labels
    registers = array(
        "q",
        (
            *(0, 0, cells, layout.n, words, exclusions, first, begin, end),
            *(address(kinds), address(of_rows), data_at),
            *(address(watch), address(seen), address(start), address(left)),
            *(len(rows), len(pairs) // 2, pairs_at, work),
            *(0, units_at, labels, more_work),
            behind_cells(cells) + constraints.notes if constraints.notes else cells,
            bool(layout.rules),
        ),
    )
    registers += _OTHER_REGISTERS
    registers[_COUNT] = rows_at  # of a call that prepares the arrays
    work = more_work + constraints.memo
    room = room_of(registers, work)
    function.call(*arguments_of(registers))
    return Tables(
        cells,
        (kinds, of_rows, data, watch, seen, start, left),
        registers,
        work,
        not (layout.rules or units.rows[_BAND]),
        _labels(labels, data),
        [room],
        [],
        function,
    )


def _in_order_of_queue(constraints: Constraints) -> tuple[Numbers, list[int], int, int]:
    """Put constraints into the order of the queue.

    Returns:
        The kind of each; where the row of each begins; how many only a decided cell wakes, which
        come first; and how many these and the other relations are.
    """
    kinds, rows = array("q"), list[int]()
    exclusions = relations = 0
    for kind in sorted(constraints.of_kind):
        places = constraints.of_kind[kind]
        if kind in _BY_SIZE and len(places) > 1:
            constraints.put_in_order(places)
        kinds += _KIND[kind] * len(places)
        rows += places
        if kind <= _RELATION:
            relations = len(rows)
            if kind <= _EXCLUSION:  # peers by value are some of them
                exclusions = relations
    return kinds, rows, exclusions, relations


def _constraints_of(
    layout: Layout, simple: Simplified, units: UnitRows, *, in_order: bool
) -> Constraints:
    """Return the constraints of a layout as rows, those of its units and of what follows too."""
    by_class = simple.of_kind
    constraints = Constraints(layout, units.data, units.rows, units.sets)
    others = [*chain.from_iterable([by_class[each] for each in _IN_ORDER if each in by_class])]
    if Region in by_class:
        others = add_divisions(constraints, layout, simple, others, in_order=in_order)
    others = add_rules(constraints, layout, others)
    if Automaton in by_class and (guarded := _guarded(layout)):
        others = [guarded.get(_line(constraint), constraint) for constraint in others]
    constraints.extend(others)
    constraints.extend(combined_sums(layout) if Sum in by_class else ())
    constraints.add_value_peers()
    whole = [cage.cells for cage in by_class.get(Sets, ()) if len(cage.cells) == layout.n]
    for only_first, only_second in _crossings_of_rules(layout, whole) if whole else ():
        constraints.add(Propagator.SAME, (*only_first, *only_second), (len(only_first),))
    if units.has_smaller or constraints.pairs:
        for across in (*units.full, *whole):
            constraints.add(Propagator.ACROSS, across)
    return constraints


def _labels(row: int, data: memoryview[int]) -> range:
    """Return the cells with the numbers of interchangeable regions, whose row is there if any."""
    if row == 0:
        return range(0)
    first, size = data[row + 1], data[row + 1 + data[row]]
    return range(first, first + size)


def _room_for_vectors(size: int, units: int, n: int, cells: int) -> tuple[int, int]:
    """Return where in the data the cells of units have room in vectors, and where that ends.

    The place is 0 for boards that are too large.
    """
    if n > NARROW or cells > NO_CELL:
        return 0, size
    at = size + -size % LINE
    return at, at - (-units // UNITS_AT_ONCE) * (n + 1) * NUMBERS_OF_UNITS


def room_of(registers: Numbers, work: int) -> memoryview[int]:
    """Return memory for a search, and note in its registers where each array of it is."""
    cells, words = registers[_CELLS], registers[_WORDS]
    weights = max(behind_cells(cells), registers[_STATE])
    queue = weights + cells + 1
    decided = queue + words + 1
    used = decided + cells + 2
    numbers, at = in_lines(used + work + 1)
    registers[_CANDIDATES_AT:_STACK_AT] = array(
        "q", (at, at + 8 * weights, at + 8 * queue, at + 8 * decided, at + 8 * used)
    )
    return numbers


def _crossings_of_rules(
    layout: Layout, whole: Sequence[Cells]
) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the cells that sets with all values do not share, where one of the two is by rules."""
    full = [*unit_sets(layout.base)]
    for cells in map(set_of, whole):
        for other in full:
            if 1 < (cells & other).bit_count() < layout.n:
                yield bits_of(cells & ~other), bits_of(other & ~cells)
        full.append(cells)


def _guarded(layout: Layout) -> dict[Line, Or]:
    """Return the lines that are replaced by alternatives, with the alternatives."""
    alternatives: dict[Line, Or] = {}
    kinds: set[type[Rule]] = {*map(type, layout.rules)}
    tried = {kind for kind in kinds if kind.as_alternatives is not Rule.as_alternatives}
    for rule in layout.rules if tried else ():
        if type(rule) in tried:
            cells = rule.cells
            units = layout.unit_sets_of[cells[0]] if cells else ()
            if any(unit.issuperset(cells) for unit in units):
                index_of: Any = {cell: index for index, cell in enumerate(cells)}
                in_unit = _branches_in_a_unit(layout.n, layout.first_value, rule.moved(index_of))
                branches = [tuple([moved(part, cells) for part in branch]) for branch in in_unit]
            else:
                branches = _branches(layout, rule)
            if len(branches) > 1:
                (line,) = map(_line, rule.constraints(layout))
                alternatives[line] = Or(tuple(branches))
    return alternatives


@number_cache(maxsize=512)
def _branches_in_a_unit(n: int, first_value: int, rule: Rule) -> list[tuple[Constraint, ...]]:
    """Return the branches of a rule about the first cells of a board that are one unit."""
    size = len(rule.cells)
    layout = Layout.from_units(n, [range(size)], shape=(1, size), first_value=first_value)
    return _branches(layout, rule)


def _branches(layout: Layout, rule: Rule) -> list[tuple[Constraint, ...]]:
    """Return the alternatives of a rule, simplified; none if it has none."""
    other = rule.as_alternatives(layout)
    return [] if other is None else [*simple_branches(layout, other.branches)]


def _line(constraint: Constraint) -> Line:
    """Return the key of a line: its cells and its machine, which is a shared object."""
    return (
        (constraint.cells, id(constraint.machine)) if isinstance(constraint, Automaton) else ((), 0)
    )


@layout_cache(maxsize=64)
def rows_of_units(layout: Layout) -> UnitRows:
    """Return the rows of a layout's units.

    Units of more than two cells and bands are rows. If two other full units share several cells,
    the cells in only the first hold the same values as the cells in only the second.
    """
    full = tuple([unit.cells for unit in layout.full_units])
    maximal = [unit.cells for unit in layout.maximal_units]
    data: list[int] = []
    rows: dict[Propagator, list[int]] = {kind: [] for kind in _OF_UNITS}
    for cells in maximal:
        if len(cells) > 2:
            rows[Propagator.UNIT].append(~len(data))
            data += (len(cells), *cells)
    for kind, numbers_of_rows in rows_of_full_units(full, unit_sets(layout)).items():
        for numbers in numbers_of_rows:
            rows[kind].append(~len(data))
            data += numbers
    blocks = -(-len(layout) // CELLS_AT_ONCE)
    sets = unit_sets(layout, full=False)
    near = [0] * len(layout)
    for cells, mask in zip(maximal, sets, strict=True):
        for cell in cells:
            near[cell] |= mask
    peers = b"".join(
        [(mask & ~(1 << cell)).to_bytes(4 * blocks, "little") for cell, mask in enumerate(near)]
    )
    seen = array("q", peers + bytes(8 + -len(peers) % 8))  # three blocks are read at once
    has_smaller = len(full) < len(maximal)
    return UnitRows(in_whole_lines(data), rows, seen, [*sets], [*full], has_smaller)


@layout_cache(maxsize=64)
def rows_of_full_units(
    units: tuple[Cells, ...], sets: tuple[int, ...]
) -> dict[Propagator, list[list[int]]]:
    """Return the rows of bands and of crossings among full units, given as sets of cells too.

    Many layouts have the same full units and differ in other units, or in cells outside the grid.
    """
    crossing_units = crossings(sets)
    bands = band_sets(units, crossing_units)
    return {
        Propagator.BAND: [*map(_band, bands)],
        Propagator.SAME: _crossings(units, crossing_units, bands),
    }


def _band(band: BandSets) -> list[int]:
    """Return the row of a band: its cells, segment by segment, and its sizes."""
    boxes, lines = band
    cells = [cell for box in boxes for line in lines for cell in bits_of(box & line)]
    return [len(cells), *cells, len(boxes), len(cells) // len(boxes) ** 2]


def _crossings(
    units: Sequence[Cells],
    crossing_units: Mapping[int, Sequence[int]],
    bands: Iterable[BandSets],
) -> list[list[int]]:
    """Return the rows of what each two full units that share several cells do not share.

    A row has both parts, and the number of cells in the first. Pairs of units of the same band are
    left out.
    """
    cells_of = dict(zip(crossing_units, map(frozenset, units), strict=True))
    in_bands: defaultdict[int, set[int]] = defaultdict(set)  # for each unit, those of its bands
    for boxes, lines in bands:
        together = {*boxes, *lines}
        for unit in together:
            in_bands[unit] |= together
    by_shared: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    earlier: set[int] = set()
    for unit, near in crossing_units.items():
        banded = in_bands[unit]
        for other in () if banded.issuperset(near) else near:
            if other in earlier and other not in banded:
                shared = (unit & other).bit_count()
                by_shared[shared].append((unit, other))
        earlier.add(unit)
    largest = [pair for shared in sorted(by_shared, reverse=True) for pair in by_shared[shared]]
    rows = []
    for unit, other in largest[:MOST_CROSSINGS]:
        unit_cells, other_cells = cells_of[unit], cells_of[other]
        first, second = sorted(unit_cells - other_cells), sorted(other_cells - unit_cells)
        rows.append([len(first) + len(second), *first, *second, len(first)])
    return rows
