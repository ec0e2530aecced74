"""Copies of a layout whose parts are known to be right, so that none is checked again."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

from unidoku.core.board import Board
from unidoku.core.layout import Layout

L = TypeVar("L", bound=Layout)


def copied(plain: Layout, kind: type[L], **parts: Any) -> L:
    """Return a copy of a layout, of some class of layouts, with other parts; it has no caches."""
    one = object.__new__(kind)
    one.__dict__.update({name: getattr(plain, name) for name in _FIELDS}, **parts)
    return one


def unshared(board: Board) -> Board:
    """Return an equal board on a copy of its layout, which has none of the tables computed so far.

    Parts of rules that do not depend on a layout are shared.
    """
    return Board.of(copied(board.layout, Layout), board.candidates)


_FIELDS = tuple([field.name for field in fields(Layout)])
