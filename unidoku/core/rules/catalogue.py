"""The kinds of rules, and rules as plain tables of texts, numbers and lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from unidoku.core.rules.base import Rule
from unidoku.core.rules.pairs import NonConsecutive, Pairs
from unidoku.errors import FormatError, InputError, nearest

__all__ = ["KINDS", "OF_NEIGHBOURS", "rule_from_table", "table_of_rule"]

KINDS: Mapping[str, type[Rule]] = MappingProxyType(
    {kind.kind: kind for kind in (NonConsecutive, Pairs)}
)
"""Each kind of rule by its name."""

OF_NEIGHBOURS: Mapping[str, type[NonConsecutive]] = MappingProxyType(
    {kind.kind: kind for kind in (NonConsecutive,)}
)
"""The kinds that are variants by their name: there they hold of all cells side by side."""


def table_of_rule(rule: Rule) -> dict[str, Any]:
    """Return a rule as a table, from which `rule_from_table` makes an equal one.

    >>> table_of_rule(NonConsecutive(((0, 1),)))
    {'kind': 'non-consecutive', 'pairs': [[0, 1]]}

    Raises:
        InputError: it is a rule of your own class, which nobody else could read.
    """
    if KINDS.get(rule.kind) is not type(rule):
        raise InputError(f"the rule {rule.kind!r} has no written form")
    held = {field.name: _listed(getattr(rule, field.name)) for field in fields(rule)}
    return {"kind": rule.kind, **held}


def rule_from_table(table: Mapping[str, Any]) -> Rule:
    """Return the rule of a table.

    Raises:
        FormatError: there is no such kind, or it has other fields.
        LayoutError: a field does not hold cells.
    """
    name = table.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        known = nearest(str(name), KINDS)
        raise FormatError(f"expected a kind of rule, got {name!r} in {dict(table)!r}; {known}")
    held = {key: _tupled(value) for key, value in table.items() if key != "kind"}
    expected = [field.name for field in fields(KINDS[name])]
    if sorted(held) != sorted(expected):
        raise FormatError(f"{name}: expected the fields {expected}, got {list(held)}")
    return KINDS[name](**held)


def _listed(value: Any) -> Any:
    return list(map(_listed, value)) if isinstance(value, tuple) else value


def _tupled(value: Any) -> Any:
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    return tuple(map(_tupled, value)) if is_list else value
