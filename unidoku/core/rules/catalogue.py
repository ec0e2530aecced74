"""Rules as plain tables of texts, numbers and lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from functools import lru_cache
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from unidoku.core.rules.base import KINDS, OF_VARIANTS, Rule
from unidoku.core.rules.disjunction import Branches
from unidoku.core.rules.pairs import NonConsecutive
from unidoku.core.rules.valued import as_stated
from unidoku.errors import FormatError, InputError, nearest
from unidoku.support.schema import (
    PLAIN_TABLE,
    TEXT,
    YES_NO,
    Kind,
    listed_of,
    misfit,
    or_null,
    shown,
    whole,
)

MOST_BITS = 200
"""The largest number of bits in a set of values: more than there may be values."""

OF_NEIGHBOURS: Mapping[str, type[NonConsecutive]] = {kind.kind: kind for kind in (NonConsecutive,)}
"""The kinds that are also variants: as a variant they apply to all adjacent cells."""


def table_of_rule(rule: Rule) -> dict[str, Any]:
    """Return a rule as a table, from which `rule_from_table` makes an equal one.

    >>> table_of_rule(NonConsecutive(((0, 1),)))
    {'kind': 'non-consecutive', 'pairs': [[0, 1]]}

    Raises:
        InputError: the rule's class is not in the catalogue, so it could not be read back.
    """
    rule = as_stated(rule)
    if _class_of(rule.kind) is not type(rule):
        raise InputError(f"the rule {rule.kind!r} has no written form")
    contents = {field.name: _listed(getattr(rule, field.name)) for field in fields(rule)}
    return {"kind": rule.kind, **contents}


def _class_of(kind: str) -> type[Rule] | None:
    """Return the class of a kind, also of rules that only a variant has; None without one."""
    return KINDS.get(kind) or OF_VARIANTS.get(kind)


def rule_from_table(table: Mapping[str, Any]) -> Rule:
    """Return the rule of a table.

    Raises:
        FormatError: the kind is unknown, or its fields are not valid.
        LayoutError: a field does not hold cells.
    """
    name = table.get("kind")
    if not isinstance(name, str) or (cls := _class_of(name)) is None:
        known = nearest(str(name), KINDS)
        raise FormatError(
            f"expected a kind of rule, got {shown(name)} in {shown(dict(table))}; {known}"
        )
    kinds = _fields(cls)
    contents = {key: value for key, value in table.items() if key != "kind"}
    needed = [field.name for field in fields(cls) if field.default is MISSING]
    if wrong := misfit(contents, kinds, needed):
        raise FormatError(f"the rule {name!r}: {wrong}")
    return cls(**{key: _tupled(value) for key, value in contents.items()})


@lru_cache(maxsize=64)
def _fields(kind: type[Rule]) -> Mapping[str, Kind]:
    """Return the fields of a kind of rule, and what each may contain in a file."""
    hints = get_type_hints(kind)
    return {field.name: _kind_of(hints[field.name]) for field in fields(kind)}


@lru_cache(maxsize=64)
def fields_of_rules(kind: type[Rule]) -> frozenset[str]:
    """Return the names of the fields of a kind of rule that contain rules or lists of rules."""
    hints = get_type_hints(kind)
    return frozenset(field.name for field in fields(kind) if hints[field.name] == Branches)


def _kind_of(hint: Any) -> Kind:
    """Return what a field of a type may contain in a file; for a union, by its last such type.

    Of a field that may be absent, messages leave out null, which TOML does not have.
    """
    if get_origin(hint) is tuple:
        part = _kind_of(get_args(hint)[0])
        return replace(listed_of(part), plural=f"lists of {part.plural}")
    if hint in _PLAIN:
        return _PLAIN[hint]
    *_, last = [option for option in get_args(hint) if option is not NoneType]
    kind = _kind_of(last)
    return replace(kind, holds=or_null(kind).holds) if NoneType in get_args(hint) else kind


RULE = PLAIN_TABLE
"""A rule inside a rule; the depth is bounded, as in all plain tables."""

_PLAIN: Mapping[Any, Kind] = {
    bool: YES_NO,
    int: whole(bits=MOST_BITS),
    str: TEXT,
    Rule: RULE,
}
"""The types that are written unchanged; a set of values is an int of up to that many bits."""


def _listed(value: Any) -> Any:
    if isinstance(value, Rule):
        return table_of_rule(value)
    return list(map(_listed, value)) if isinstance(value, tuple) else value


def _tupled(value: Any) -> Any:
    if isinstance(value, dict):
        return rule_from_table(value)
    return tuple(map(_tupled, value)) if isinstance(value, list) else value
