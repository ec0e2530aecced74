"""What the fields of rules contain: cells in one of three roles, or plain values.

A field of cells is annotated with `Cells`, `CellsInOrder`, `CellsInLine`, `PairsOfCells` or
`PairsInOrder`, any other field with its type.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from enum import Enum
from functools import lru_cache, wraps
from inspect import formatannotation
from numbers import Integral
from operator import is_
from types import MappingProxyType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    NamedTuple,
    TypeAlias,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from unidoku.core.constraints.primitives import Pair
from unidoku.errors import LayoutError
from unidoku.support.arguments import fits, named_fields
from unidoku.support.schema import FEW_DIGITS, is_too_long, shown
from unidoku.support.text import listed, plural


class CellRole(Enum):
    """How a rule refers to the cells in one of its fields."""

    GROUP = "of all at once"
    LINE = "of each part of a line"
    PAIRS = "of each pair"


class Contents(NamedTuple):
    """What a field contains, as a part of its annotation.

    Args:
        words: what messages say was expected.
        takes_sets: whether a set is taken, in ascending order.
    """

    words: str
    takes_sets: bool = False


Cells: TypeAlias = Annotated[tuple[int, ...], CellRole.GROUP]
"""Cells that a rule restricts together: without one of them the rule has no meaning."""

CellsInOrder: TypeAlias = Annotated[tuple[int, ...], CellRole.GROUP, Contents("cells in order")]
"""Cells that a rule restricts together, and whose order matters: a set of them is refused."""

CellsInLine: TypeAlias = Annotated[
    tuple[int, ...], CellRole.LINE, Contents("cells in the order of the line")
]
"""At least two cells in order: the rule also holds for each part of the line."""

PairsOfCells: TypeAlias = Annotated[tuple[Pair, ...], CellRole.PAIRS]
"""Pairs of cells, each of which the rule restricts separately."""

PairsInOrder: TypeAlias = Annotated[
    tuple[Pair, ...], CellRole.PAIRS, Contents("pairs of cells in order")
]
"""The same, if it matters which cell of a pair is the first."""

Values: TypeAlias = Annotated[tuple[int, ...], Contents("values, such as (1, 2)", takes_sets=True)]
"""Values whose order says nothing: a set of them is taken too."""

Classes: TypeAlias = Annotated[
    tuple[Values, ...],
    Contents("the values of each class, such as ((1, 2), (3, 4))", takes_sets=True),
]
"""The values of each class, in any order."""


class _Field(NamedTuple):
    """A field of a kind of rule: its name, its type, and how a rule refers to its cells, if any."""

    name: str
    hint: object
    contents: Contents
    role: CellRole | None
    may_be_empty: bool


@lru_cache(maxsize=256)
def _fields_of(kind: type[CheckedFields]) -> tuple[_Field, ...]:
    """Return the fields of a kind of rule."""
    hints, annotated = get_type_hints(kind), get_type_hints(kind, include_extras=True)
    parts = []
    for field in fields(kind):
        known = {type(part): part for part in _metadata(annotated[field.name])}
        role: CellRole | None = known.get(CellRole)
        words = field.type if isinstance(field.type, str) else formatannotation(field.type)
        contents = known.get(Contents, Contents(words, takes_sets=role is not None))
        parts.append(_Field(field.name, hints[field.name], contents, role, field.default == ()))
    return tuple(parts)


def _metadata(hint: object) -> tuple[Any, ...]:
    """Return what annotates a type, or one that may be absent."""
    options = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    annotated = (option for option in options if get_origin(option) is Annotated)
    return next((cast(Any, option).__metadata__ for option in annotated), ())


@lru_cache(maxsize=256)
def fields_of_cells(kind: type[CheckedFields]) -> Mapping[str, CellRole]:
    """Return the fields of a kind of rule that contain cells, and how it refers to them."""
    return {field.name: field.role for field in _fields_of(kind) if field.role}


@lru_cache(maxsize=256)
def other_fields(kind: type[CheckedFields]) -> tuple[str, ...]:
    """Return the fields of a kind of rule that contain no cells."""
    return tuple(field.name for field in _fields_of(kind) if field.role is None)


@lru_cache(maxsize=256)
def types_of_fields(kind: type[CheckedFields]) -> Mapping[str, object]:
    """Return the types of the fields of a kind of rule, however its module writes them."""
    return {field.name: field.hint for field in _fields_of(kind)}


def is_named(content: object) -> bool:
    """Return whether a field of cells has names: a text, or a list that begins with one."""
    if isinstance(content, list | tuple):
        return bool(content) and is_named(content[0])
    return isinstance(content, str)


def are_cells(content: tuple[Any, ...]) -> bool:
    """Return whether all items are numbers of cells."""
    return {*map(type, content)} <= {int} and min(content, default=0) >= 0


@dataclass(frozen=True)
class CheckedFields(ABC):
    """The fields of a rule, which are converted and checked when it is made.

    Raises:
        LayoutError: a field contains something else than its type says.
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

    @named_fields
    def __post_init__(self) -> None:
        """Convert lists to tuples, and refuse what fields must not have.

        Fields with names of cells are looked at once the layout is known, in `located`.
        """
        parts = _fields_of(type(self))
        for field in parts:
            if field.role is None and field.name not in self.checked_here:
                self._check_plain(field)
        for field in parts:
            if field.role is not None:
                self._check_cells(field, field.role)
        if self.same_size and not self._has_names:
            sizes = [len(getattr(self, name)) for name in fields_of_cells(type(self))]
            if len(set(sizes)) > 1:
                fault = f"expected the same number of cells in both, got {listed(sizes)}"
                raise LayoutError(f"{self.kind}: {fault}")
        for name, lowest in self.lowest.items():
            if (number := getattr(self, name)) is not None and number < lowest:
                raise LayoutError(f"{self.kind}: {name}: expected at least {lowest}, got {number}")

    def __init_subclass__(cls, **keywords: object) -> None:
        """Have checks of a class wait for a layout too, and name the fields that they refuse."""
        super().__init_subclass__(**keywords)
        if "__post_init__" in vars(cls):
            check = _once_located(cls.__post_init__)
            cls.__post_init__ = named_fields(check)  # type: ignore[method-assign]  # the same method

    def _check_plain(self, field: _Field) -> None:
        """Convert a field without cells; refuse contents that are not of its type."""
        content = given = getattr(self, field.name)
        if type(given) is not field.hint or field.hint is list:
            content = _plain(given, sets=field.contents.takes_sets)
            object.__setattr__(self, field.name, content)
            if not fits(content, field.hint) and not fits(given, field.hint):
                raise self._refused(field.name, field.contents.words, given)
        if is_too_long(content):
            raise self._refused(field.name, FEW_DIGITS, given)

    def _check_cells(self, field: _Field, role: CellRole) -> None:
        """Convert a field of cells; refuse other contents."""
        if is_named(content := getattr(self, field.name)):
            object.__setattr__(self, field.name, _plain(content))
            vars(self).setdefault("_named", {})[field.name] = _plain(content)
            return
        cells = content if type(content) is tuple else _as_cells(content, role)
        fault = "" if field.may_be_empty and not cells else _fault(role, cells, self.fewest)
        if fault and cells is content:  # there may be lists in it, or numbers of numpy
            cells = _as_cells(content, role)
            fault = _fault(role, cells, self.fewest)
        if cells is not content:
            object.__setattr__(self, field.name, cells)
        if cells is not content and not field.contents.takes_sets and _is_unordered(content):
            fault = field.contents.words
        if not fault and self.each_once and len(set(cells)) < len(cells):
            fault = "each cell once"
        if not fault and field.name in self.single and len(cells) != 1:
            fault = "one cell"
        if fault:
            raise self._refused(field.name, fault, content)

    def _refused(self, name: str, expected: str, got: object) -> LayoutError:
        return LayoutError(f"{self.kind}: {name}: expected {expected}, got {shown(got)}")

    @property
    def _has_names(self) -> bool:
        """Whether some fields have names, so that the rule waits for a layout."""
        return "_named" in vars(self)


def _once_located(check: Callable[[Any], None]) -> Callable[[Any], None]:
    """Decorate ``__post_init__``: what it refuses counts once a layout has located all names."""

    @wraps(check)
    def checked(rule: CheckedFields) -> None:
        try:
            check(rule)
        except Exception:
            if not rule._has_names:
                raise
        if rule._has_names:  # what a check made of the names does not count either
            vars(rule).update(vars(rule)["_named"])

    return checked


def _plain(content: Any, *, sets: bool = False) -> Any:
    """Return lists, ranges, arrays and perhaps sets as tuples, and numbers as those of Python.

    Other things stay as they are, also named tuples and members of an IntEnum.
    """
    if type(content) is not tuple:
        if hasattr(content, "tolist") and not isinstance(content, type):
            return _plain(content.tolist(), sets=sets)
        if sets and isinstance(content, set | frozenset):
            return _sorted(_plain(part, sets=True) for part in content)
        if not isinstance(content, list | range):
            is_foreign = isinstance(content, Integral) and not isinstance(content, int)
            return int(content) if is_foreign else content
    if {int}.issuperset(map(type, content)):  # as nearly all are
        return tuple(content)
    parts = tuple([_plain(part, sets=sets) for part in content])
    return content if isinstance(content, tuple) and all(map(is_, parts, content)) else parts


def _sorted(content: Iterable[Any]) -> tuple[Any, ...]:
    """Return the items of a set in order, so that equal sets are equal tuples."""
    items = tuple(content)
    with suppress(TypeError):  # they are of several types, which will be refused
        return tuple(sorted(items))
    return items


def _as_cells(content: Any, role: CellRole) -> tuple[Any, ...]:
    """Return what a field of cells has, perhaps something else than cells, as a tuple."""
    plain = _plain(content, sets=True)
    try:
        cells = tuple(map(tuple, plain)) if role is CellRole.PAIRS else tuple(plain)
    except TypeError:
        return (plain,)
    return tuple(map(_plain, cells))


def _is_unordered(content: object) -> bool:
    """Return whether several cells, or the two of a pair, come as a set."""
    lists = (content, *content) if isinstance(content, Collection) else ()
    sets = [cells for cells in lists if isinstance(cells, set | frozenset) and len(cells) > 1]
    return any(not isinstance(cell, Collection) for cells in sets for cell in cells)


def _fault(role: CellRole, content: tuple[Any, ...], fewest: int) -> str:
    """Return what a field of cells was expected to contain, empty if it is valid."""
    if role is CellRole.PAIRS:
        fits = all(
            type(pair) is tuple and len(pair) == 2 and pair[0] != pair[1] and are_cells(pair)
            for pair in content
        )
        return "" if fits else "pairs of two different cells"
    if not are_cells(content):
        return "cells, as numbers from 0"
    fewest = 2 if role is CellRole.LINE else fewest
    return f"at least {plural(fewest, 'cell')}" if len(content) < fewest else ""
