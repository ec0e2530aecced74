"""Copies of a layout with some other parts, which are known to be right: none is checked again."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

from unidoku.core.layout import Layout

__all__ = ["copied"]

L = TypeVar("L", bound=Layout)


def copied(plain: Layout, kind: type[L], **parts: Any) -> L:
    """Return a copy of a layout, of some class of layouts, with other parts; it has no caches."""
    one = object.__new__(kind)
    one.__dict__.update({name: getattr(plain, name) for name in _FIELDS}, **parts)
    return one


_FIELDS = tuple([field.name for field in fields(Layout)])
