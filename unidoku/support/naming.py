"""What labels may name besides the catalogue: programs that files declare, modules of a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unidoku.support.setting import in_context


@dataclass(frozen=True, slots=True)
class Names:
    """The names in force.

    Args:
        programs: returns the rows of programs by name. It is given the name that is looked up,
            empty for all, so that it can say why it does not have it.
        folder: folder whose modules labels may name; None for the working folder.
    """

    programs: Callable[[str], Mapping[str, Any]] = lambda _: {}
    folder: Path | None = None


_in_force: ContextVar[Names] = ContextVar("names", default=Names())  # noqa: B039 - it is immutable


def in_force() -> Names:
    """Return the names in force: by default no programs, and the modules of the working folder."""
    return _in_force.get()


def naming(
    programs: Callable[[str], Mapping[str, Any]] | None = None, folder: Path | None = None
) -> AbstractContextManager[None]:
    """Have labels name programs, and modules of a folder, while the block runs.

    Args:
        programs: as for `Names`; None for those in force.
        folder: as for `Names`.
    """
    names = replace(_in_force.get(), folder=folder)
    names = names if programs is None else replace(names, programs=programs)
    return in_context(_in_force, names)
