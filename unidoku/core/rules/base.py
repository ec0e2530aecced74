"""The base class of rules, whose methods are derived from the fields of the dataclasses.

From the fields of cells follow the cells of a rule, the rule moved to other cells, and its
restriction to some cells; smaller rules follow from all fields.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, Self

from unidoku.core.cells import NamedCells, PlacedCells, cells_from, pairs_from
from unidoku.core.constraints.primitives import Constraint, Or
from unidoku.core.names import HiddenCell, brief
from unidoku.core.rules.failures import with_named_failures, with_readable_constraints
from unidoku.core.rules.fields import (
    CellRole,
    Cells,
    CheckedFields,
    are_cells,
    fields_of_cells,
    is_named,
)
from unidoku.core.rules.smaller import amount, changes
from unidoku.errors import FormatError, InputError, LayoutError
from unidoku.support.language import message
from unidoku.support.moved import warn_of_former_name


class Group(Protocol):
    """Cells whose values differ."""

    @property
    def kind(self) -> str:
        """What it is, such as a ``row``."""

    @property
    def cells(self) -> Cells:
        """The cells."""


class Facts(PlacedCells, Protocol):
    """The facts about its layout that a rule may use."""

    @property
    def n(self) -> int:
        """The number of values, which are 1 to n."""

    @property
    def first_value(self) -> int:
        """The number displayed for the value 1; rules refer to displayed values."""

    @property
    def units(self) -> Sequence[Group]:
        """The units."""

    @property
    def regions(self) -> Sequence[Group]:
        """The boxes or regions."""

    @property
    def full_units(self) -> Sequence[Group]:
        """The units that contain every value."""

    @property
    def unit_sets_of(self) -> Sequence[Sequence[frozenset[int]]]:
        """The units of each cell, as sets of cells."""

    @property
    def peers(self) -> Sequence[frozenset[int]]:
        """For each cell, all other cells that share a unit with it."""


_kinds: dict[str, type[Rule]] = {}

KINDS: Mapping[str, type[Rule]] = MappingProxyType(_kinds)
"""Each kind of rule of this package by name: a class is one by being defined."""


_of_variants: dict[str, type[Rule]] = {}

OF_VARIANTS: Mapping[str, type[Rule]] = MappingProxyType(_of_variants)
"""The rules that a variant has and that cannot be added to other layouts, by their kinds."""


_FORMER_METHODS = {
    "shapes": "constraints",
    "bound": "bind",
    "own": "auxiliary_domains",
    "needs_own": "needs_auxiliary",
    "owning": "with_auxiliary",
    "guarded": "as_alternatives",
}
"""Former names of methods that rules of users may define, and the present ones."""


@dataclass(frozen=True)
class Rule(CheckedFields):
    """A condition other than a unit; each kind is a frozen dataclass of plain values.

    It must be hashable and picklable, and its repr, which is part of a board's digest, must be the
    same in every process.

    Raises:
        LayoutError: a field of cells contains something else.
    """

    optional: ClassVar[frozenset[str]] = frozenset()
    """The fields of cells that may stay empty in a layout, and then mean no cells."""

    sentence: ClassVar[str] = ""
    """The rule in words: ``{cells}`` and ``{others}`` are its fields of cells, ``{first}`` and
    ``{last}`` the ends of the first one, numbers have the names of their fields. A rule of more
    words defines `words`."""

    of_variant: ClassVar[bool] = False
    """Whether it belongs to the layouts of a variant, and cannot be added to others."""

    @abstractmethod
    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the cells of each violation among the cells filled in ``values`` (0 is empty).

        This implements the definition directly, in terms of displayed values: the value v is
        displayed as ``v + first_value - 1``. The answers of all solvers are checked with it.
        """

    @abstractmethod
    def constraints(self, facts: Facts) -> Iterable[Constraint]:
        """Yield the constraints by which solvers know the rule."""

    def words(self, names: Sequence[str]) -> str:
        """Return the rule as a sentence, with the names of the cells."""
        if not self.sentence:
            raise InputError(f"rule {self.kind!r}: expected a sentence, or a method words()")
        contents = {field.name: getattr(self, field.name) for field in fields(self)}
        lists = [contents[name] for name in fields_of_cells(type(self))]
        of_cells = [cell_names(cells, names) for cells in lists]
        contents |= dict(zip(("cells", "others"), of_cells, strict=False))
        if lists and lists[0] and are_cells(lists[0]):
            contents = {"first": names[lists[0][0]], "last": names[lists[0][-1]]} | contents
        return message(self.sentence, **contents)

    def __init_subclass__(cls, **keywords: object) -> None:
        """Register a kind of this package; methods of any may have their former names.

        What the methods of other packages raise becomes an InputError that names the kind.

        Raises:
            InputError: the class is of another package, and its kind is taken.
        """
        super().__init_subclass__(**keywords)
        for former, present in _FORMER_METHODS.items():
            if former in vars(cls) and present not in vars(cls):
                warn_of_former_name(f"{cls.__name__}.{former}", f".{present}")
                setattr(cls, present, vars(cls)[former])
        if "constraints" in vars(cls) and "constraints_of" not in vars(cls):
            cls.constraints_of = Rule.__dict__["constraints_of"]  # type: ignore[method-assign]  # not that of another kind
        kind = vars(cls).get("kind")
        is_ours = cls.__module__.startswith(f"{__package__}.")
        if not is_ours:
            for name in vars(cls).keys() & {"broken", "constraints", "words"}:
                setattr(cls, name, with_named_failures(vars(cls)[name]))
            if "constraints" in vars(cls):
                cls.constraints = with_readable_constraints(cls.constraints)  # type: ignore[method-assign]  # the same method
        if kind is not None and is_ours:
            (_of_variants if cls.of_variant else _kinds)[kind] = cls
        elif kind in _kinds:
            raise InputError(
                f"class {cls.__name__}: expected a kind that no rule of Unidoku has, got "
                f"{kind!r}; choose another name"
            )

    def located(self, layout: NamedCells) -> Self:
        """Return the rule with cells in place of the names that it was made with.

        Raises:
            LayoutError: there are no such cells.
        """
        if not self._has_names:
            return self
        changed: dict[str, object] = {}
        for name, role in fields_of_cells(type(self)).items():
            content = getattr(self, name)
            if is_named(content):
                read = pairs_from if role is CellRole.PAIRS else cells_from
                try:
                    changed[name] = read(layout, _listed(content))
                except FormatError as error:
                    raise LayoutError(f"{self.kind}: {name}: {error}") from error
        return replace(self, **changed)

    def bind(self, facts: Facts) -> Rule:
        """Return the rule in the form that a layout stores, which may depend on its values."""
        return self

    def hidden_domains(self, facts: Facts) -> tuple[int, ...]:
        """Return the sets of values of hidden cells that it lacks, which a layout gets for it."""
        return ()

    def with_hidden(self, cells: tuple[int, ...]) -> Rule:
        """Return the rule with the hidden cells that it lacked."""
        raise self._missing("with_hidden", "hidden_domains")

    def auxiliary_domains(self, facts: Facts) -> tuple[int, ...]:
        """Return the sets of values of hidden cells that its constraints need; few rules need any.

        The values of these cells must follow from the rule's visible cells.
        """
        return ()

    def hidden_cells(self, facts: Facts, names: Sequence[str]) -> Mapping[int, HiddenCell]:
        """Return what its hidden cells hold, in words, with the names of cells.

        Args:
            facts: the layout.
            names: the names of its cells.
        """
        return {}

    def as_alternatives(self, facts: Facts) -> Or | None:
        """Return its constraints as alternatives by the value of one cell; None if impossible.

        This is for searches that try alternatives faster than they process a line.
        """
        return None

    @classmethod
    def constraints_of(cls, rules: Sequence[Self], facts: Facts) -> Iterable[Constraint]:
        """Return the constraints of some rules of this kind.

        Kinds of which a puzzle has many rules that share tables find these once for all of them.
        """
        return chain.from_iterable([rule.constraints(facts) for rule in rules])

    @property
    def needs_auxiliary(self) -> bool:
        """Whether it has constraints only together with hidden cells."""
        return False

    def with_auxiliary(self, facts: Facts, cells: tuple[int, ...]) -> Rule:
        """Return the rule with the hidden cells that it needs."""
        raise self._missing("with_auxiliary", "auxiliary_domains")

    def _missing(self, method: str, domains: str) -> InputError:
        """Return the error for a class that says which hidden cells it gets, and not how."""
        fault = f"expected a method {method}(), as {domains}() returns sets of values"
        return InputError(f"rule {self.kind!r}: {fault}")

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells that the rule contains, each once.

        Raises:
            LayoutError: they are names, and no layout is known.
        """
        if self._has_names:
            raise LayoutError(
                f"{self.kind}: expected a layout for the names of cells: layout.with_rules(rule)"
            )
        cells: dict[int, None] = {}
        for name, role in fields_of_cells(type(self)).items():
            content = getattr(self, name)
            members = chain.from_iterable(content) if role is CellRole.PAIRS else content
            cells.update(dict.fromkeys(members))
        return tuple(cells)

    def moved(self, cells: Sequence[int]) -> Self:
        """Return the same rule with cell ``c`` renumbered to ``cells[c]``."""
        changed: dict[str, tuple[Any, ...]] = {}
        for name, role in fields_of_cells(type(self)).items():
            content = getattr(self, name)
            if role is CellRole.PAIRS:
                changed[name] = tuple([(cells[a], cells[b]) for a, b in content])
            else:
                changed[name] = tuple([cells[cell] for cell in content])
        return replace(self, **changed)

    def restricted_to(self, cells: Mapping[int, int]) -> Self | None:
        """Return the rule restricted to these cells, renumbered; None if nothing is left.

        Also None if two cells that must differ are mapped to the same cell.
        """
        changed: dict[str, tuple[Any, ...]] = {}
        for name, role in fields_of_cells(type(self)).items():
            content = getattr(self, name)
            part: list[Any]
            match role:
                case CellRole.PAIRS:
                    part = [(cells[a], cells[b]) for a, b in content if a in cells and b in cells]
                    enough = len(part) > 0
                case CellRole.LINE:
                    part = _longest(content, cells)
                    enough = len(part) > 1
                case CellRole.GROUP:
                    part = [cells[cell] for cell in content if cell in cells]
                    enough = len(part) == len(content)
            if not enough or (self.each_once and len(set(part)) < len(part)):
                return None
            changed[name] = tuple(part)
        if all(getattr(self, name) == content for name, content in changed.items()):
            return self
        return replace(self, **changed)

    def in_pairs(self) -> Iterator[Self]:
        """Yield the rule for each of its pairs of cells; itself if it also has other cells."""
        match [*fields_of_cells(type(self)).items()]:
            case [(name, CellRole.PAIRS)]:
                for pair in getattr(self, name):
                    yield replace(self, **{name: (pair,)})
            case _:
                yield self

    def words_about(self, cells: Sequence[int], names: Sequence[str]) -> str:
        """Return the rule in words, limited to its part about some cells if it has one."""
        return (self.restricted_to({cell: cell for cell in cells}) or self).words(names)

    @property
    def size(self) -> int:
        """A measure of the rule, smaller for every rule that `smaller` yields."""
        return sum(amount(getattr(self, field.name)) for field in fields(self))

    def smaller(self) -> Iterator[Self]:
        """Yield weaker rules of the same kind, for a search for the smallest rule.

        First come rules that are much weaker; then, for each cell, pair of cells or step, the rule
        without it; numbers stay or move towards 0.
        """
        for changed in changes(self):
            try:
                yield replace(self, **changed)
            except LayoutError:  # the kind needs the part that was left out
                continue


@dataclass(frozen=True)
class RuleInside(Rule):
    """A rule as its layout counts or reads it; it has the kind of the rule that it contains.

    Args:
        rule: the rule as the puzzle states it.
    """

    rule: Rule

    def __post_init__(self) -> None:
        """Take the kind of the rule."""
        object.__setattr__(self, "kind", self.rule.kind)
        super().__post_init__()

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells of the rule."""
        return self.rule.cells

    def moved(self, cells: Sequence[int]) -> Self:
        """Return the same rule with cell ``c`` renumbered to ``cells[c]``."""
        return replace(super().moved(cells), rule=self.rule.moved(cells))

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        return self.rule.words(names)

    @property
    def size(self) -> int:
        """A measure of the rule, that of its rule."""
        return 1 + self.rule.size


UNNAMED = "a rule without a name"
"""How a rule is told whose name in the puzzle is empty."""


def _listed(content: Any) -> Any:
    """Return tuples as lists, as readers of names take them."""
    return [*map(_listed, content)] if isinstance(content, tuple) else content


def all_differ(cells: Sequence[int], facts: Facts) -> bool:
    """Return whether no two of some cells can hold the same value, because of units."""
    different = {*cells}
    if len(different) < len(cells):
        return False
    if cells and True in [unit.issuperset(different) for unit in facts.unit_sets_of[cells[0]]]:
        return True
    return all(different - facts.peers[cell] == {cell} for cell in cells)


def numbers_in(cells: Iterable[int], values: Sequence[int], first_value: int) -> list[int]:
    """Return the displayed numbers of cells; none if one of the cells is empty."""
    contained = [values[cell] for cell in cells]
    return [] if 0 in contained else [value + first_value - 1 for value in contained]


def cell_names(cells: Iterable[int], names: Sequence[str]) -> str:
    """Return the names of cells, separated by blanks; straight runs by their ends."""
    return brief([names[cell] for cell in cells])


def _longest(line: Sequence[int], cells: Mapping[int, int]) -> list[int]:
    """Return the longest part of a line whose cells all remain, renumbered."""
    best: list[int] = []
    part: list[int] = []
    for cell in line:
        part = [*part, cells[cell]] if cell in cells else []
        best = max(best, part, key=len)
    return best
