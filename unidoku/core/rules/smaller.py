"""What makes a rule smaller: fields with fewer cells and smaller numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from unidoku.core.rules.fields import CellRole, CheckedFields, fields_of_cells


def changes(rule: CheckedFields) -> Iterator[dict[str, Any]]:
    """Yield for each weaker rule the fields that differ, with their values."""
    roles = fields_of_cells(type(rule))
    numbers: list[dict[str, Any]] = [
        {field.name: fewer}
        for field in fields(rule)
        for fewer in _fewer(getattr(rule, field.name), field.default is None)
    ]
    for field in fields(rule):
        content = getattr(rule, field.name)
        for shorter in _less(content, roles.get(field.name)) if isinstance(content, tuple) else ():
            yield {field.name: shorter}
            if len(shorter) == len(content) - 1:
                yield from ({field.name: shorter, **number} for number in numbers)
    alike = {name: getattr(rule, name) for name in _of_one_length(rule)}
    for index in range(min(map(len, alike.values()), default=0)):
        yield {name: content[:index] + content[index + 1 :] for name, content in alike.items()}
    yield from numbers


def amount(content: object) -> int:
    """Return the amount in a field: the number of items, or the size of a number."""
    if isinstance(content, tuple):
        return len(content)
    return abs(content) if isinstance(content, int) else 0


def _of_one_length(rule: CheckedFields) -> list[str]:
    """Return the fields that are as long as the field of cells: lines, or cells and weights."""
    sizes = {len(getattr(rule, name)) for name in list(fields_of_cells(type(rule)))[:1]}
    contents = {field.name: getattr(rule, field.name) for field in fields(rule)}
    alike = [n for n, cells in contents.items() if isinstance(cells, tuple) and len(cells) in sizes]
    return alike if len(alike) > 1 else []


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
