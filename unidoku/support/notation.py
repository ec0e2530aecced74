"""How cells are named, ``A1`` or ``r1c1``: it is decided once for a process, by `named_by`."""

from __future__ import annotations

import contextlib

from unidoku.support.setting import Setting

BY_LETTER, BY_NUMBER = "A1", "r1c1"

NOTATIONS = (BY_LETTER, BY_NUMBER)
"""How cells are named: rows by letters, as far as there are enough, or by numbers."""

_NOTATION = Setting(BY_LETTER)


def named_by(notation: str) -> contextlib.AbstractContextManager[None]:
    """Name cells, rows and units in a notation; other threads do so too.

    >>> from unidoku.core.names import row_name, unit_name
    >>> from unidoku.core.variants import layout
    >>> with named_by("r1c1"):
    ...     layout("classic").names[0], row_name(2, 3), unit_name("row C")
    ('r1c1', '3', 'row 3')
    >>> with named_by("r1c1"):
    ...     unit_name("region A4-C6")
    'region r1c4-r3c6'
    """
    return _NOTATION.set_to(notation)


def notation() -> str:
    """Return the notation in force, one of `NOTATIONS`."""
    return _NOTATION.value
