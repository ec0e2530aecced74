"""What the fields of rules contain: cells in one of three roles, or plain values.

A field of cells is annotated with `Cells`, `CellsInLine` or `PairsOfCells`, any other field with
its type.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from enum import Enum
from functools import lru_cache, wraps
from numbers import Integral
from operator import is_
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, TypeAlias, cast, get_type_hints

from unidoku.core.constraints.primitives import Pair
from unidoku.errors import LayoutError
from unidoku.support.arguments import fits, named_fields, plain_number
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


_IN_WORDS: Mapping[str, str] = {
    "Values": "values, such as (1, 2)",
    "Classes": "the values of each class, such as ((1, 2), (3, 4))",
    "Weights": "weights, such as (1, -1)",
    "Blocks": "lengths, such as (3, 1)",
}
"""What fields contain whose annotations are names of this package."""


@lru_cache(maxsize=256)
def fields_of_cells(kind: type[CheckedFields]) -> Mapping[str, CellRole]:
    """Return the fields of a kind of rule that contain cells, and how it refers to them."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        field.name: role
        for field in fields(kind)
        for role in getattr(hints[field.name], "__metadata__", ())
        if isinstance(role, CellRole)
    }


@lru_cache(maxsize=256)
def other_fields(kind: type[CheckedFields]) -> Mapping[str, tuple[str, object]]:
    """Return the annotations and types of the fields of a kind of rule that contain no cells."""
    hints, of_cells = get_type_hints(kind), fields_of_cells(kind)
    return {
        field.name: (str(field.type), hints[field.name])
        for field in fields(kind)
        if field.name not in of_cells
    }


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
        self._check_other_fields()
        self._check_fields_of_cells()
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

    def _check_other_fields(self) -> None:
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

    def _check_fields_of_cells(self) -> None:
        """Refuse fields of cells with other contents."""
        for name, role in fields_of_cells(type(self)).items():
            if is_named(content := getattr(self, name)):
                object.__setattr__(self, name, _frozen(content))
                vars(self).setdefault("_named", {})[name] = _frozen(content)
                continue
            may_be_empty = name in _given_by_layout(type(self))
            cells = _as_cells(content, role)
            fault = "" if may_be_empty and not cells else _fault(role, cells, self.fewest)
            if fault and (plain := _plain(content, sets=True)) is not content:
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

    @property
    def _has_names(self) -> bool:
        """Whether some fields have names, so that the rule waits for a layout."""
        return "_named" in vars(self)

    @property
    def _names(self) -> Mapping[str, object]:
        """The fields that have names."""
        return cast("Mapping[str, object]", vars(self).get("_named", {}))


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
            vars(rule).update(rule._names)

    return checked


def _frozen(content: Any) -> Any:
    """Return lists and ranges as tuples, scalars of numpy as those of Python, others as they are.

    Named tuples and members of an IntEnum stay what they are.
    """
    if not isinstance(content, list | range) and type(content) is not tuple:
        is_foreign = isinstance(content, Integral) and not isinstance(content, int)
        return int(content) if is_foreign else plain_number(content)
    if {int}.issuperset(map(type, content)):  # as nearly all are
        return tuple(content)
    parts = tuple(map(_frozen, content))
    return content if isinstance(content, tuple) and all(map(is_, parts, content)) else parts


def _plain(content: Any, *, sets: bool = False) -> Any:
    """Return arrays, lists and perhaps sets as tuples, and numbers of numpy as those of Python."""
    if hasattr(content, "tolist"):
        content = content.tolist()
    if sets and isinstance(content, set | frozenset):
        return _sorted(_plain(part, sets=True) for part in content)
    if isinstance(content, list | range) or type(content) is tuple:
        return tuple([_plain(part, sets=sets) for part in content])
    return content


def _sorted(content: Iterable[Any]) -> tuple[Any, ...]:
    """Return the items of a set in order, so that equal sets are equal tuples."""
    items = tuple(content)
    with suppress(TypeError):  # they are of several types, which will be refused
        return tuple(sorted(items))
    return items


def _as_cells(content: Any, role: CellRole) -> tuple[Any, ...]:
    """Return what a field of cells has, perhaps something else than cells, as a tuple."""
    try:
        cells = tuple(map(tuple, content)) if role is CellRole.PAIRS else tuple(content)
    except TypeError:
        return (content,)
    return _sorted(cells) if isinstance(content, set | frozenset) else cells


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


@lru_cache(maxsize=256)
def _given_by_layout(kind: type[CheckedFields]) -> frozenset[str]:
    """Return the fields of cells that a layout fills in if they are empty."""
    return frozenset(field.name for field in fields(kind) if field.default == ())
