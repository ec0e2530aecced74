"""The layout: cells, units and rules, shared by all boards of one shape.

The terms follow Norvig (https://norvig.com/sudoku.html): his squares are the cells, his unitlist is
`Layout.units`, his units of a square are `Layout.units_of`, his peers are `Layout.peers`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import chain
from typing import Any, TypeAlias, TypeVar, cast
from weakref import WeakValueDictionary

from unidoku.core.bits import set_of
from unidoku.core.caching import layout_cache, on_forgetting
from unidoku.core.cells import CellLike, cell_from, cells_from
from unidoku.core.constraints.operations import merged
from unidoku.core.constraints.primitives import Constraint
from unidoku.core.names import (
    FIRST_HIDDEN,
    HiddenCell,
    Position,
    names_by_letter,
    names_by_number,
    names_of_hidden,
    row_name,
)
from unidoku.core.rules.base import Rule
from unidoku.core.rules.schroedinger import Schroedinger, beside_s_cells, rule_of_s_cells
from unidoku.core.rules.valued import counting_values
from unidoku.core.unit import Unit, maximal
from unidoku.errors import LayoutError
from unidoku.support.arguments import named_arguments, named_fields, whole_numbers
from unidoku.support.deadline import check_time_limit
from unidoku.support.language import language, listing, message
from unidoku.support.moved import former_property
from unidoku.support.notation import BY_NUMBER, notation
from unidoku.support.text import listed

__all__ = ["MAX_FIRST", "MAX_VALUES", "Grid", "Layout", "Position", "Unit", "row_name"]

Grid: TypeAlias = tuple[int, ...]
"""A full assignment: the value of each cell, in cell order."""

MAX_VALUES = 144
"""The largest n of a layout: beyond any puzzle, and a guard against a mistyped size."""

MAX_FIRST = 999
"""The largest first value: three digits."""

MAX_SIDE = 1000
"""The largest number of rows and columns of a layout, including holes, which are drawn."""

_RULES_OF_HASH = 2
"""Number of rules, about, that the hash of a layout depends on; rules are hashed one by one."""

T = TypeVar("T")
L = TypeVar("L", bound="Layout")


@dataclass(frozen=True, slots=True)
class _Expanded:
    """The names of all cells of an expanded layout, and what its hidden cells hold."""

    names: tuple[str, ...]
    cells: Mapping[int, HiddenCell]


def _of_base(make: Callable[[Layout], T]) -> cached_property[T]:
    """Make a property that is computed once for all layouts with the same units."""
    name = make.__name__

    def shared(layout: Layout) -> T:
        if layout.base is layout:
            return make(layout)
        table: T = getattr(layout.base, name)
        return table

    shared.__doc__ = make.__doc__
    return cached_property(shared)


@dataclass(frozen=True)
class Layout:
    """Cells, units and rules: immutable, hashable and picklable; its tables are computed once.

    Most layouts come from `unidoku.layout` (named variants) or `Layout.from_units` (your own
    units).

    Args:
        n: the number of values, which are 1 to n.
        units: units with different cells.
        positions: row and column of each cell, in reading order.
        rules: conditions other than units.
        name: name for display; two layouts that differ only in it are equal.
        first_value: number that is displayed and written for the value 1, for example 0 if the
            values are 0 and 1; the others follow. Texts, pictures and rules use displayed numbers;
            boards, grids and arrays hold 1 to n, and 0 for an empty cell.
        hidden: for each further cell, which is not drawn or written, the set of values that it may
            hold. The numbers of these cells follow those of the cells with positions. Units and
            rules may contain them, and solutions that differ only in them count as one.
        areas: groups of cells that pictures highlight; they do not restrict values.

    Raises:
        LayoutError: a unit contains a cell twice, a cell that does not exist, or more cells than
            there are values; two units have the same cells; positions are negative or not in
            reading order.
    """

    n: int
    units: tuple[Unit, ...]
    positions: tuple[Position, ...]
    rules: tuple[Rule, ...] = ()
    name: str = field(default="custom", compare=False)
    first_value: int = 1
    hidden: tuple[int, ...] = ()
    areas: tuple[tuple[int, ...], ...] = field(default=(), compare=False)

    @named_fields
    def __post_init__(self) -> None:
        """Refuse arguments that do not describe a layout."""
        self._normalize()
        if not 1 <= self.n <= MAX_VALUES:
            raise LayoutError(f"expected a size from 1 to {MAX_VALUES}, got {self.n}")
        if not 0 <= self.first_value <= MAX_FIRST:
            raise LayoutError(
                f"expected a first value from 0 to {MAX_FIRST}, got {self.first_value}"
            )
        if not self.positions or list(self.positions) != sorted(set(self.positions)):
            raise LayoutError("expected the positions of the cells in reading order, each once")
        if min(map(min, self.positions)) < 0 or max(map(max, self.positions)) >= MAX_SIDE:
            raise LayoutError(f"expected rows and columns from 0 to {MAX_SIDE - 1}")
        if not all(0 < mask < 1 << self.n for mask in self.hidden):
            raise LayoutError(f"expected sets of values from 1 to {self.n} for hidden cells")
        for unit in self.units:
            self._check_unit(unit)
        for area in self.areas:
            self._check_cells("area", area)
        if len({unit.cells for unit in self.units}) < len(self.units):
            raise LayoutError("expected units with different cells, got two with the same")
        object.__setattr__(self, "rules", tuple([rule.located(self) for rule in self.rules]))
        for rule in self.rules:
            self._check_cells(rule.kind, rule.cells)
        object.__setattr__(self, "rules", counting_values([*self._bound_rules()]))

    def _normalize(self) -> None:
        """Have tuples and numbers of Python in the fields; raise TypeError for anything else."""
        for name in ("units", "positions", "rules", "hidden", "areas"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        pairs = {*map(type, self.positions)}, {*map(type, chain.from_iterable(self.positions))}
        if pairs != ({tuple}, {int}):
            object.__setattr__(self, "positions", tuple(map(whole_numbers, self.positions)))
        object.__setattr__(self, "areas", tuple(map(whole_numbers, self.areas)))
        object.__setattr__(self, "hidden", whole_numbers(self.hidden))
        for name in ("n", "first_value"):
            object.__setattr__(self, name, *whole_numbers([getattr(self, name)]))
        of_their_types = ((Unit, self.units), (Rule, self.rules), (str, [self.name]))
        fits = all(isinstance(item, kind) for kind, items in of_their_types for item in items)
        if not fits or not {*map(len, self.positions)} <= {2}:
            raise TypeError

    def _bound_rules(self) -> Iterator[Rule]:
        """Yield the rules in the form that the layout stores, with hidden cells that they lack."""
        s_cells = rule_of_s_cells(self.rules)
        for rule in beside_s_cells(self.rules, s_cells) if s_cells else self.rules:
            bound = rule.bind(self)
            if domains := bound.hidden_domains(self):
                start = len(self.positions) + len(self.hidden)
                object.__setattr__(self, "hidden", (*self.hidden, *domains))
                bound = bound.with_hidden(tuple(range(start, start + len(domains))))
            yield bound

    def _check_cells(self, name: str, cells: tuple[int, ...]) -> None:
        last = len(self.positions) + len(self.hidden) - 1
        if min(cells, default=0) < 0 or max(cells, default=0) > last:
            raise LayoutError(f"{name}: expected cells 0 to {last}, got {list(cells)}")

    def _check_unit(self, unit: Unit) -> None:
        cells = unit.cells
        self._check_cells(str(unit), cells)
        if list(cells) != sorted(set(cells)):
            raise LayoutError(f"{unit}: expected each cell once, ascending, got {list(cells)}")
        if len(cells) > self.n:
            raise LayoutError(
                f"{unit}: {len(cells)} cells cannot differ with only {self.n} values; "
                "drop cells from the unit or raise n"
            )

    @classmethod
    @named_arguments
    def from_units(
        cls,
        n: int,
        units: Iterable[Unit | str | Iterable[int]],
        *,
        shape: tuple[int, int] | None = None,
        positions: Iterable[Position] | None = None,
        rules: Iterable[Rule] = (),
        name: str = "custom",
        first_value: int = 1,
        hidden: Iterable[int] = (),
        areas: Iterable[Iterable[int]] = (),
    ) -> Layout:
        """Build a layout from your own units.

        >>> layout = Layout.from_units(2, ["A1 A2", "A2 B2", [1, 3]])
        >>> len(layout.units), layout.names[3]
        (2, 'B2')

        Args:
            n: the number of values, which are 1 to n.
            units: units, each as a Unit, as cells (ints), or as a text of cell names; of units with
                the same cells, the first is kept.
            shape: rows and columns of a full rectangle of cells; by default n by n.
            positions: positions of the cells, instead of a shape.
            rules: conditions other than units.
            name: name for display.
            first_value: number that is displayed for the value 1.
            hidden: the set of values of each further cell, which is not drawn.
            areas: groups of cells that pictures highlight.

        Raises:
            LayoutError: as for the constructor, or a cell's name does not exist.
        """
        rows, columns = whole_numbers((n, n) if shape is None else shape)
        if shape is not None and positions is not None:
            raise LayoutError("expected a shape or positions, got both")
        if positions is None:
            if max(rows, columns) > MAX_SIDE:
                raise LayoutError(f"expected at most {MAX_SIDE} rows and columns, got {shape or n}")
            positions = ((row, column) for row in range(rows) for column in range(columns))
        places = cast("Iterable[Position]", map(whole_numbers, positions))
        frame = cls(n, (), tuple(sorted(places)), name=name, hidden=tuple(hidden))
        units_by_cells: dict[tuple[int, ...], Unit] = {}
        for unit in units:
            if isinstance(unit, str):
                unit = Unit(tuple(sorted(frame.cell(word) for word in unit.split())))
            elif not isinstance(unit, Unit):
                unit = Unit(tuple(sorted(unit)))
            units_by_cells.setdefault(unit.cells, unit)
        return replace(
            frame,
            units=tuple(units_by_cells.values()),
            rules=tuple(rules),
            first_value=first_value,
            areas=tuple(map(tuple, areas)),
        )

    def __hash__(self) -> int:
        """Return the hash, which is computed once: layouts are keys of caches."""
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the defining fields; equal layouts unpickle to one object with its tables."""
        first = self.__dict__.get(FIRST_HIDDEN)
        return _unpickle, _fields(self), None if first is None else {FIRST_HIDDEN: first}

    def __repr__(self) -> str:
        """Return the layout's name and sizes."""
        values = "" if self.first_value == 1 else f", values from {self.first_value}"
        sizes = f"n={self.n}{values}, {len(self)} cells, {len(self.units)} units"
        return f"<Layout {self.name}: {sizes}>"

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.positions)

    @cached_property
    def _hash(self) -> int:
        rules = self.rules[:: len(self.rules) // _RULES_OF_HASH + 1]  # hashing all takes long
        last = self.units[-1].cells if self.units else ()
        sizes = len(self.positions), len(self.units), len(self.rules), self.first_value
        return hash((self.n, last, rules, sizes, self.hidden))

    @cached_property
    def base(self) -> Layout:
        """The layout of the units alone, with values from 1; equal ones are one object."""
        if not self.rules and self.first_value == 1:
            return self
        plain = object.__new__(Layout)  # whose parts are checked already
        plain.__dict__.update(
            n=self.n, units=self.units, positions=self.positions, hidden=self.hidden
        )
        return _plain(plain, self.unit_names)

    @cached_property
    def unit_names(self) -> tuple[str, ...]:
        """The names of the units, which layouts that are equal may give differently."""
        return tuple([unit.name for unit in self.units])

    @cached_property
    def conceals(self) -> bool:
        """Whether there are hidden cells; see `unidoku.core.hidden`."""
        return bool(self.hidden) or any(rule.auxiliary_domains(self) for rule in self.rules)

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """The constraints of the rules that need no expanded layout, in canonical form."""
        constraints: list[Constraint] = []
        for constraint in self.posted():
            check_time_limit()
            constraints.append(constraint)
        return merged(constraints)

    def posted(self) -> Iterator[Constraint]:
        """Return the constraints of the rules that need no expanded layout, kind by kind."""
        of_kind: defaultdict[type[Rule], list[Rule]] = defaultdict(list)
        for rule in self.rules:
            if not rule.needs_auxiliary:
                of_kind[type(rule)].append(rule)
        return chain.from_iterable(map(self._posted, of_kind.values()))

    def _posted(self, rules: Sequence[Rule]) -> Iterator[Constraint]:
        """Yield the constraints of rules of one kind, which an error names."""
        try:
            yield from type(rules[0]).constraints_of(rules, self)
        except LayoutError as error:
            raise LayoutError(f"rule {rules[0].kind}: {error}") from error

    shapes = former_property("shapes", "constraints")

    @cached_property
    def s_cells(self) -> Schroedinger | None:
        """The rule of cells that may hold two digits; None if all hold one."""
        return rule_of_s_cells(self.rules)

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The displayed symbols: a dot for an empty cell, then those of the values 1 to n."""
        if self.s_cells is not None:
            return (".", *self.s_cells.symbols)
        return (".", *map(str, range(self.first_value, self.first_value + self.n)))

    @cached_property
    def has_digits_only(self) -> bool:
        """Whether each value is written as one digit."""
        return len(self.shown[1]) == len(self.shown[-1]) == 1

    @cached_property
    def size(self) -> int:
        """The size by which variants are named: n, or one less than the digits with S-cells."""
        return self.n if self.s_cells is None else self.s_cells.digits - 1

    def number(self, value: int) -> int:
        """Return the number that is displayed for one of the values 1 to n."""
        return value + self.first_value - 1

    def broken(self, values: Sequence[int]) -> Iterator[tuple[Rule, tuple[int, ...]]]:
        """Yield each rule that values (0 for an empty cell) violate, and the cells at fault.

        Hidden cells count as empty if their values are not given.
        """
        values = self._with_hidden(values)
        # A rule that does not know first values other than 1 gets no such argument.
        arguments = () if self.first_value == 1 else (self.first_value,)
        for rule in self.rules:
            for cells in rule.broken(values, *arguments):
                yield rule, cells

    def in_words(self, rule: Rule, cells: Iterable[int]) -> str:
        """Return a rule in words, limited to its part about some cells if it has one."""
        return rule.words_about([*cells], self.names_in_words)

    def fault(self, rule: Rule, cells: Sequence[int], values: Sequence[int]) -> str:
        """Return in words the rule that values (0 for an empty cell) violate, and its cells."""
        values = self._with_hidden(values)
        rule_text = self.in_words(rule, cells)
        filled = [
            message("{cell} is {value}", cell=self.names[cell], value=self.shown[values[cell]])
            for cell in cells
            if values[cell]
        ]
        if not filled:
            return message("{rule}, which is impossible", rule=rule_text)
        return message("{rule}, but {values}", rule=rule_text, values=listing(filled))

    def _with_hidden(self, values: Sequence[int]) -> Sequence[int]:
        """Return values followed by those of hidden cells, which are empty if none are given."""
        lacking = len(self) + len(self.hidden) - len(values) if self.hidden else 0
        return (*values, *[0] * lacking) if lacking > 0 else values

    @cached_property
    def cells(self) -> range:
        """All cells except hidden ones."""
        return range(len(self.positions))

    @cached_property
    def rows(self) -> int:
        """Height in cells of the smallest rectangle that contains the layout."""
        return 1 + max(row for row, _ in self.positions)

    @cached_property
    def columns(self) -> int:
        """Width in cells of the smallest rectangle that contains the layout."""
        return 1 + max(column for _, column in self.positions)

    @_of_base
    def cell_at(self) -> dict[Position, int]:
        """The cell at each position."""
        return {position: cell for cell, position in enumerate(self.positions)}

    @_of_base
    def units_of(self) -> tuple[tuple[Unit, ...], ...]:
        """The units of each cell."""
        table: list[list[Unit]] = [[] for _ in range(len(self) + len(self.hidden))]
        for unit in self.units:
            for cell in unit.cells:
                table[cell].append(unit)
        del table[len(self) :]
        return tuple(map(tuple, table))

    @_of_base
    def unit_masks(self) -> dict[tuple[int, ...], int]:
        """The cells of each unit, and these as a set of cells."""
        return {unit.cells: set_of(unit.cells) for unit in self.units}

    @_of_base
    def unit_sets_of(self) -> tuple[tuple[frozenset[int], ...], ...]:
        """The units of each cell, as sets of cells."""
        sets = {id(unit): frozenset(unit.cells) for unit in self.units}
        return tuple([tuple([sets[id(unit)] for unit in units]) for units in self.units_of])

    @_of_base
    def peers(self) -> tuple[frozenset[int], ...]:
        """For each cell, all other cells that share a unit with it, except hidden ones."""
        others = [[cell for unit in units for cell in unit.cells] for units in self.units_of]
        if self.hidden:
            others = [[cell for cell in cells if cell in self.cells] for cells in others]
        return tuple([frozenset(cells) - {cell} for cell, cells in enumerate(others)])

    @_of_base
    def regions(self) -> tuple[Unit, ...]:
        """The boxes or regions."""
        return tuple(unit for unit in self.units if unit.kind in ("box", "region"))

    @_of_base
    def full_units(self) -> tuple[Unit, ...]:
        """The units of n cells, which contain every value, so that they have hidden singles."""
        return tuple(unit for unit in self.units if len(unit.cells) == self.n)

    @_of_base
    def full_units_of(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each cell, the cells of each of its full units."""
        n, on = self.n, self.units_of
        return tuple([tuple([u.cells for u in units if len(u.cells) == n]) for units in on])

    @_of_base
    def maximal_units(self) -> tuple[Unit, ...]:
        """The units that no other unit contains: together they imply all units."""
        if self.n > 1 and len(self.full_units) == len(self.units):
            return self.units
        return maximal(self.units, self.n, self.unit_masks)

    @property
    def names(self) -> tuple[str, ...]:
        """The cells' names: ``A1`` (row, column) on boards of up to 26 rows, otherwise ``r1c1``.

        The names of hidden cells follow: ``#1``, ``#2``, …; in an expanded layout they are what the
        cells hold, such as ``the region of A1``. With `unidoku.support.notation.named_by`, all
        cells have names such as ``r1c1``.
        """
        return self._expanded.names if FIRST_HIDDEN in self.__dict__ else self.identifiers

    @property
    def drawn(self) -> int:
        """Number of cells that are drawn; those of an expanded layout that follow are hidden."""
        first: int = self.__dict__.get(FIRST_HIDDEN, len(self))
        return first

    @property
    def hidden_cells(self) -> Mapping[int, HiddenCell]:
        """What the hidden cells of an expanded layout hold, where rules say it."""
        return self._expanded.cells if FIRST_HIDDEN in self.__dict__ else {}

    @property
    def names_in_words(self) -> tuple[str, ...]:
        """The names of cells for people: for hidden ones what they hold, where rules say it."""
        return self._expanded.names if self.hidden else self.names

    @property
    def _expanded(self) -> _Expanded:
        known: dict[tuple[str, str], _Expanded] = self.__dict__.setdefault("_expanded_names", {})
        key = notation(), language()
        if (expanded := known.get(key)) is None:
            expanded = known[key] = self._name_hidden()
        return expanded

    def _name_hidden(self) -> _Expanded:
        first, count = self.drawn, len(self) + len(self.hidden)
        names = [*self.identifiers[:first], *names_of_hidden(count - first)]
        cells: dict[int, HiddenCell] = {}
        for rule in (*self.rules, *self.rules):  # the second time with the names of the first
            for cell, meaning in rule.hidden_cells(self, names).items():
                if cell >= first:
                    cells[cell], names[cell] = meaning, meaning.name
        return _Expanded(tuple(names), cells)

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The cells' names for programs: hidden cells of an expanded layout are in further rows."""
        return self._numbered if notation() == BY_NUMBER else self.lettered

    @_of_base
    def lettered(self) -> tuple[str, ...]:
        """The cells' names as in `A1`, whatever the notation in force."""
        return names_by_letter(self.positions, self.rows, len(self.hidden))

    @_of_base
    def _numbered(self) -> tuple[str, ...]:
        return names_by_number(self.positions, len(self.hidden))

    @named_arguments
    def with_rules(self, *rules: Rule) -> Layout:
        """Return the layout with additional rules, which its name lists.

        A rule may name its cells as puzzle files do. Type checkers know fields of cells as numbers;
        `cells_of` returns these.

        >>> from unidoku import Thermo, layout
        >>> four = layout("classic", 4).with_rules(Thermo("A1-A3 B3"), Thermo("r4c1 r3c1"))
        >>> four.rules[0], four.rules[1].words(four.names)
        (Thermo(line=(0, 1, 2, 6), slow=False), 'the values rise along D1 C1')

        Raises:
            LayoutError: a rule is about cells that do not exist.
        """
        if not rules:
            return self
        kinds = listed(sorted({rule.kind for rule in rules}))
        return replace(self, rules=(*self.rules, *rules), name=f"{self.name} with {kinds}")

    @named_arguments
    def cells_of(self, names: str) -> tuple[int, ...]:
        """Return the cells that a text names, in their order, as puzzle files do.

        >>> from unidoku import layout
        >>> four = layout("classic", 4)
        >>> four.cells_of("A1-A3 r2c3"), four.cells_of("row 4 right")
        ((0, 1, 2, 6), (15, 14, 13, 12))

        Raises:
            FormatError: it names no cells, or cells that do not exist.
        """
        return cells_from(self, names)

    @named_arguments
    def cell(self, name: CellLike) -> int:
        """Return the cell of that name: ``C2`` or ``r3c2`` in either case, or ``#1`` if hidden.

        >>> from unidoku import layout
        >>> layout("classic", 4).cell("A3"), layout("classic", 4).cell((0, 2))
        (2, 2)

        Args:
            name: name of the cell, its row and column counted from 0, or its number in reading
                order, which is returned.

        Raises:
            LayoutError: there is no such cell.
        """
        return cell_from(self, name)

    @named_arguments
    def name_all(self, cells: Sequence[int]) -> str:
        """Return the cells' names as a phrase: ``C2 and C7``, ``A1, A2 and A3``.

        Raises:
            LayoutError: there are no such cells.
        """
        cells = tuple(cells)
        for cell in cells:
            if not 0 <= cell < len(self.names):
                raise LayoutError(f"expected cells from 0 to {len(self.names) - 1}, got {cell}")
        return listed(self.names[cell] for cell in cells)

    @named_arguments
    def name_values(self, values: Iterable[int]) -> str:
        """Return the symbols of values, separated by commas.

        Raises:
            LayoutError: there are no such values.
        """
        values = tuple(values)
        for value in values:
            if not 0 <= value <= self.n:
                raise LayoutError(f"expected values from 0 to {self.n}, got {value}")
        return ",".join(self.shown[value] for value in values)


def copied(layout: Layout, kind: type[L], **parts: Any) -> L:
    """Return a copy of a layout, of some class of layouts, with other parts, and without tables.

    The parts are not checked again.
    """
    copy = object.__new__(kind)
    known = layout.__dict__
    copy.__dict__.update([(name, known[name]) for name in _FIELDS if name in known], **parts)
    return copy


_FIELDS = tuple([part.name for part in fields(Layout)])


def _fields(layout: Layout) -> tuple[object, ...]:
    values = layout.n, layout.units, layout.positions, layout.rules, layout.name, layout.first_value
    return (*values, layout.hidden, layout.areas) if layout.hidden or layout.areas else values


@layout_cache(maxsize=64)
def _unpickle(*fields: Any) -> Layout:
    return Layout(*fields)


@layout_cache(maxsize=64)
def _plain(layout: Layout, names: tuple[str, ...]) -> Layout:
    """Return one object for equal layouts of units alone whose units have equal names too."""
    key = layout.n, layout.units, layout.positions, layout.hidden, names
    return _IN_USE.setdefault(key, layout)


_IN_USE: WeakValueDictionary[tuple[Any, ...], Layout] = WeakValueDictionary()
"""Layouts of units alone that something refers to: more of them than the cache keeps."""

on_forgetting(_IN_USE.clear)
