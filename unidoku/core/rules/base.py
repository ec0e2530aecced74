"""The base class of rules, whose methods are derived from the fields of the dataclasses.

A field of cells is annotated with `Cells`, `CellsInLine` or `PairsOfCells`. From these follow the
cells of a rule, the rule moved to other cells, and its restriction to some cells; smaller rules
follow from all fields.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from functools import lru_cache, wraps
from itertools import chain
from numbers import Integral
from operator import is_
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Protocol, Self, TypeAlias, cast, get_type_hints

from unidoku.core.cells import NamedCells, cells_from, pairs_from
from unidoku.core.constraints.primitives import Constraint, Or, Pair
from unidoku.core.names import HiddenCell, brief
from unidoku.core.rules.failures import with_named_failures, with_readable_constraints
from unidoku.errors import FormatError, InputError, LayoutError
from unidoku.support.arguments import fits, named_fields
from unidoku.support.language import message
from unidoku.support.moved import warn_of_former_name
from unidoku.support.schema import shown
from unidoku.support.text import listed, plural


class CellRole(Enum):
    """How a rule refers to the cells in one of its fields."""

    GROUP = "of all at once"
    LINE = "of each part of a line"
    PAIRS = "of each pair"


Cells: TypeAlias = Annotated[tuple[int, ...], CellRole.GROUP]
"""Cells that a rule restricts together: without one of them the rule has no meaning."""

CellsInLine: TypeAlias = Annotated[tuple[int, ...], CellRole.LINE]
"""At least two cells in order: the rule also holds for each part of the line."""

PairsOfCells: TypeAlias = Annotated[tuple[Pair, ...], CellRole.PAIRS]
"""Pairs of cells, each of which the rule restricts separately."""

Values: TypeAlias = tuple[int, ...]
"""Values whose order says nothing: a set of them is taken too."""

Classes: TypeAlias = tuple[Values, ...]
"""The values of each class, in any order."""


class Group(Protocol):
    """Cells whose values differ."""

    @property
    def kind(self) -> str:
        """What it is, such as a ``row``."""

    @property
    def cells(self) -> Cells:
        """The cells."""


class Facts(Protocol):
    """The facts about its layout that a rule may use."""

    @property
    def n(self) -> int:
        """The number of values, which are 1 to n."""

    @property
    def first_value(self) -> int:
        """The number displayed for the value 1; rules refer to displayed values."""

    @property
    def positions(self) -> Sequence[tuple[int, int]]:
        """The row and the column of each cell, from 0; hidden cells have none."""

    @property
    def cell_at(self) -> Mapping[tuple[int, int], int]:
        """The cell at each position."""

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
class Rule(ABC):
    """A condition other than a unit; each kind is a frozen dataclass of plain values.

    It must be hashable and picklable, and its repr, which is part of a board's digest, must be the
    same in every process.

    Raises:
        LayoutError: a field of cells contains something else.
    """

    kind: ClassVar[str]
    """The name of the kind in files and messages."""

    fewest: ClassVar[int] = 1
    """The smallest number of cells in a field of cells."""

    each_once: ClassVar[bool] = False
    """Whether a cell may occur only once in a field: a cell cannot differ from itself."""

    single: ClassVar[frozenset[str]] = frozenset()
    """The fields of cells that contain a single cell."""

    same_size: ClassVar[bool] = False
    """Whether all fields of cells have as many cells."""

    lowest: ClassVar[Mapping[str, int]] = MappingProxyType({})
    """The smallest numbers that some fields may have."""

    checked_here: ClassVar[frozenset[str]] = frozenset()
    """The fields without cells that ``__post_init__`` of the class converts and checks itself."""

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
        if lists and lists[0] and _are_cells(lists[0]):
            contents = {"first": names[lists[0][0]], "last": names[lists[0][-1]]} | contents
        return message(self.sentence, **contents)

    @named_fields
    def __post_init__(self) -> None:
        """Convert lists to tuples, and refuse what fields must not have.

        Fields with names of cells are looked at once the layout is known, in `located`.
        """
        self._check_others()
        self._check_cells()
        if self.same_size and not self._has_names:
            sizes = [len(getattr(self, name)) for name in fields_of_cells(type(self))]
            if len(set(sizes)) > 1:
                fault = f"expected the same number of cells in both, got {listed(sizes)}"
                raise LayoutError(f"{self.kind}: {fault}")
        for name, lowest in self.lowest.items():
            if (number := getattr(self, name)) is not None and number < lowest:
                raise LayoutError(f"{self.kind}: {name}: expected at least {lowest}, got {number}")

    def _check_others(self) -> None:
        """Refuse fields without cells whose contents are not of their types."""
        for name, (annotation, hint) in other_fields(type(self)).items():
            given = getattr(self, name)
            if (type(given) is hint and hint is not list) or name in self.checked_here:
                continue
            content = _frozen(given)
            if content is not given:
                object.__setattr__(self, name, content)
            if fits(content, hint) or fits(given, hint):
                continue
            contents = annotation.removesuffix(" | None")
            content = _plain(given, sets=contents in ("Values", "Classes"))
            object.__setattr__(self, name, content)
            if not fits(content, hint):
                fault = f"expected {_IN_WORDS.get(contents, annotation)}, got {shown(given)}"
                raise LayoutError(f"{self.kind}: {name}: {fault}")

    def _check_cells(self) -> None:
        """Refuse fields of cells with other contents."""
        for name, role in fields_of_cells(type(self)).items():
            if _is_named(content := getattr(self, name)):
                object.__setattr__(self, name, _frozen(content))
                vars(self).setdefault("_named", {})[name] = _frozen(content)
                continue
            may_be_empty = name in _given_by_layout(type(self))
            cells = _as_cells(content, role)
            fault = "" if may_be_empty and not cells else _fault(role, cells, self.fewest)
            if fault and (plain := _plain(content)) is not content:
                cells = _as_cells(plain, role)
                fault = _fault(role, cells, self.fewest)
            if role is CellRole.LINE and isinstance(content, set | frozenset):
                fault = "cells in the order of the line"
            object.__setattr__(self, name, cells)
            if not fault and self.each_once and len(set(cells)) < len(cells):
                fault = "each cell once"
            if not fault and name in self.single and len(cells) != 1:
                fault = "one cell"
            if fault:
                raise LayoutError(f"{self.kind}: {name}: expected {fault}, got {shown(content)}")

    def __init_subclass__(cls, **keywords: object) -> None:
        """Register a kind of this package, and have wrong fields of any kind named.

        What the methods of other packages raise becomes an InputError that names the kind.

        Raises:
            InputError: the class is of another package, and its kind is taken.
        """
        super().__init_subclass__(**keywords)
        if "__post_init__" in vars(cls):
            check = _once_located(cls.__post_init__)
            cls.__post_init__ = named_fields(check)  # type: ignore[method-assign]  # the same method
        for former, present in _FORMER_METHODS.items():
            if former in vars(cls) and present not in vars(cls):
                warn_of_former_name(f"{cls.__name__}.{former}", f".{present}")
                setattr(cls, present, vars(cls)[former])
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
            if _is_named(content):
                read = pairs_from if role is CellRole.PAIRS else cells_from
                try:
                    changed[name] = read(layout, _listed(content))
                except FormatError as error:
                    raise LayoutError(f"{self.kind}: {name}: {error}") from error
        return replace(self, **changed)

    @property
    def _has_names(self) -> bool:
        """Whether some fields have names, so that the rule waits for a layout."""
        return "_named" in vars(self)

    @property
    def _names(self) -> Mapping[str, object]:
        """The fields that have names."""
        return cast("Mapping[str, object]", vars(self).get("_named", {}))

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
            left: list[Any]
            match role:
                case CellRole.PAIRS:
                    left = [(cells[a], cells[b]) for a, b in content if a in cells and b in cells]
                    enough = len(left) > 0
                case CellRole.LINE:
                    left = _longest(content, cells)
                    enough = len(left) > 1
                case CellRole.GROUP:
                    left = [cells[cell] for cell in content if cell in cells]
                    enough = len(left) == len(content)
            if not enough or (self.each_once and len(set(left)) < len(left)):
                return None
            changed[name] = tuple(left)
        if all(getattr(self, name) == content for name, content in changed.items()):
            return self
        return replace(self, **changed)

    def words_about(self, cells: Sequence[int], names: Sequence[str]) -> str:
        """Return the rule in words, limited to its part about some cells if it has one."""
        return (self.restricted_to({cell: cell for cell in cells}) or self).words(names)

    @property
    def size(self) -> int:
        """A measure of the rule, smaller for every rule that `smaller` yields."""
        return sum(_amount(getattr(self, field.name)) for field in fields(self))

    def smaller(self) -> Iterator[Self]:
        """Yield weaker rules of the same kind, for a search for the smallest rule.

        First come rules that are much weaker; then, for each cell, pair of cells or step, the rule
        without it; numbers stay or move towards 0.
        """
        for changed in self._changes():
            try:
                yield replace(self, **changed)
            except LayoutError:  # the kind needs the part that was left out
                continue

    def _changes(self) -> Iterator[dict[str, Any]]:
        """Yield for each weaker rule the fields that differ, with their values."""
        roles = fields_of_cells(type(self))
        numbers: list[dict[str, Any]] = [
            {field.name: fewer}
            for field in fields(self)
            for fewer in _fewer(getattr(self, field.name), field.default is None)
        ]
        for field in fields(self):
            content = getattr(self, field.name)
            for left in _less(content, roles.get(field.name)) if isinstance(content, tuple) else ():
                yield {field.name: left}
                if len(left) == len(content) - 1:
                    yield from ({field.name: left, **number} for number in numbers)
        alike = {name: getattr(self, name) for name in self._of_one_length()}
        for index in range(min(map(len, alike.values()), default=0)):
            yield {name: content[:index] + content[index + 1 :] for name, content in alike.items()}
        yield from numbers

    def _of_one_length(self) -> list[str]:
        """Return the fields that are as long as the field of cells: lines, or cells and weights."""
        sizes = {len(getattr(self, name)) for name in list(fields_of_cells(type(self)))[:1]}
        contents = {field.name: getattr(self, field.name) for field in fields(self)}
        alike = [n for n, own in contents.items() if isinstance(own, tuple) and len(own) in sizes]
        return alike if len(alike) > 1 else []


def _once_located(check: Callable[[Any], None]) -> Callable[[Any], None]:
    """Decorate ``__post_init__``: what it refuses counts once a layout has located all names."""

    @wraps(check)
    def checked(rule: Rule) -> None:
        try:
            check(rule)
        except Exception:
            if not rule._has_names:
                raise
        if rule._has_names:  # what a check made of the names does not count either
            vars(rule).update(rule._names)

    return checked


def _is_named(content: object) -> bool:
    """Return whether a field of cells has names: a text, or a list that begins with one."""
    if isinstance(content, list | tuple):
        return bool(content) and _is_named(content[0])
    return isinstance(content, str)


def _frozen(content: Any) -> Any:
    """Return lists and ranges as tuples, numbers of numpy as those of Python, others as they are.

    Named tuples and members of an IntEnum stay what they are.
    """
    if not isinstance(content, list | range) and type(content) is not tuple:
        is_foreign = isinstance(content, Integral) and not isinstance(content, int)
        return int(content) if is_foreign else content
    if {int}.issuperset(map(type, content)):  # as nearly all are
        return tuple(content)
    parts = tuple(map(_frozen, content))
    return content if isinstance(content, tuple) and all(map(is_, parts, content)) else parts


def _plain(content: Any, *, sets: bool = False) -> Any:
    """Return arrays, lists and perhaps sets as tuples, and numbers of numpy as those of Python."""
    if hasattr(content, "tolist"):
        content = content.tolist()
    if sets and isinstance(content, set | frozenset):
        return tuple(sorted(_plain(part, sets=True) for part in content))
    if isinstance(content, list | range) or type(content) is tuple:
        return tuple([_plain(part, sets=sets) for part in content])
    return content


_IN_WORDS: Mapping[str, str] = {
    "Values": "values, such as (1, 2)",
    "Classes": "the values of each class, such as ((1, 2), (3, 4))",
    "Weights": "weights, such as (1, -1)",
    "Blocks": "lengths, such as (3, 1)",
}
"""What fields contain whose annotations are names of this package."""


def _as_cells(content: Any, role: CellRole) -> tuple[Any, ...]:
    """Return what a field of cells has, perhaps something else than cells, as a tuple."""
    try:
        return tuple(map(tuple, content)) if role is CellRole.PAIRS else tuple(content)
    except TypeError:
        return (content,)


def _listed(content: Any) -> Any:
    """Return tuples as lists, as readers of names take them."""
    return [*map(_listed, content)] if isinstance(content, tuple) else content


@lru_cache(maxsize=256)
def fields_of_cells(kind: type[Rule]) -> Mapping[str, CellRole]:
    """Return the fields of a kind of rule that contain cells, and how it refers to them."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        field.name: role
        for field in fields(kind)
        for role in getattr(hints[field.name], "__metadata__", ())
        if isinstance(role, CellRole)
    }


@lru_cache(maxsize=256)
def other_fields(kind: type[Rule]) -> Mapping[str, tuple[str, object]]:
    """Return the annotations and types of the fields of a kind of rule that contain no cells."""
    hints, of_cells = get_type_hints(kind), fields_of_cells(kind)
    return {
        field.name: (str(field.type), hints[field.name])
        for field in fields(kind)
        if field.name not in of_cells
    }


@lru_cache(maxsize=256)
def _given_by_layout(kind: type[Rule]) -> frozenset[str]:
    """Return the fields of cells that a layout fills in if they are empty."""
    return frozenset(field.name for field in fields(kind) if field.default == ())


UNNAMED = "a rule without a name"
"""How a rule is told whose name in the puzzle is empty."""


def all_differ(cells: Sequence[int], facts: Facts) -> bool:
    """Return whether no two of some cells can hold the same value, because of units."""
    own = {*cells}
    if len(own) < len(cells):
        return False
    if cells and True in [unit.issuperset(own) for unit in facts.unit_sets_of[cells[0]]]:
        return True
    return all(own - facts.peers[cell] == {cell} for cell in cells)


def cell_names(cells: Iterable[int], names: Sequence[str]) -> str:
    """Return the names of cells, separated by blanks; straight runs by their ends."""
    return brief([names[cell] for cell in cells])


def _fault(role: CellRole, content: tuple[Any, ...], fewest: int) -> str:
    """Return what a field of cells was expected to contain, empty if it is valid."""
    if role is CellRole.PAIRS:
        fits = all(
            type(pair) is tuple and len(pair) == 2 and pair[0] != pair[1] and _are_cells(pair)
            for pair in content
        )
        return "" if fits else "pairs of two different cells"
    if not _are_cells(content):
        return "cells, as numbers from 0"
    fewest = 2 if role is CellRole.LINE else fewest
    return f"at least {plural(fewest, 'cell')}" if len(content) < fewest else ""


def _are_cells(content: tuple[Any, ...]) -> bool:
    return {*map(type, content)} <= {int} and min(content, default=0) >= 0


def _longest(line: Sequence[int], cells: Mapping[int, int]) -> list[int]:
    """Return the longest part of a line whose cells all remain, renumbered."""
    best: list[int] = []
    part: list[int] = []
    for cell in line:
        part = [*part, cells[cell]] if cell in cells else []
        best = max(best, part, key=len)
    return best


def _less(content: tuple[Any, ...], role: CellRole | None) -> Iterator[tuple[Any, ...]]:
    """Yield parts of a field's content: halves first, finally all except one item."""
    gone = len(content)
    least = 2 if role is CellRole.LINE else 1 if role else 0
    while gone > 1:
        gone = (gone + 1) // 2
        if len(content) - gone >= least:
            starts = range(0, len(content), gone)
            for start in (0, len(content) - gone) if role is CellRole.LINE else starts:
                yield content[:start] + content[start + gone :]
    if len(content) == 1 and not least:
        yield ()


def _amount(content: object) -> int:
    """Return the amount in a field: the number of items, or the size of a number."""
    if isinstance(content, tuple):
        return len(content)
    return abs(content) if isinstance(content, int) else 0


def _fewer(content: object, may_be_none: bool) -> Iterator[int | None]:
    """Yield smaller numbers, much smaller ones first, or None; for True, False."""
    match content:
        case True:
            yield False
        case int():
            if may_be_none and content:
                yield None
            sign = 1 if content > 0 else -1
            size = abs(content)
            for fewer in dict.fromkeys((size // 2, *range(max(size - 3, 0), size))):
                if fewer < size:
                    yield sign * fewer
