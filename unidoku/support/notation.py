"""How cells are named, ``A1`` or ``r1c1``: it is decided once for a process, by `named_by`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

BY_LETTER, BY_NUMBER = "A1", "r1c1"

NOTATIONS = (BY_LETTER, BY_NUMBER)
"""How cells are named: rows by letters, as far as there are enough, or by numbers."""

_in_force = [BY_LETTER]
"""The notation in force is the last one."""


@contextlib.contextmanager
def named_by(notation: str) -> Iterator[None]:
    """Name cells, rows and units in a notation; other threads do so too.

    >>> from unidoku.core.names import names_of, row_name, unit_name
    >>> with named_by("r1c1"):
    ...     names_of([(0, 0)], rows=3, hidden=0), row_name(2, 3), unit_name("row C")
    (('r1c1',), '3', 'row 3')
    >>> with named_by("r1c1"):
    ...     unit_name("region A4-C6")
    'region r1c4-r3c6'
    """
    _in_force.append(notation)
    try:
        yield
    finally:
        _in_force.pop()


def notation() -> str:
    """Return the notation in force, one of `NOTATIONS`."""
    return _in_force[-1]
