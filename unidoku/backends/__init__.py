"""The catalogue of backends: one row each. Reading it imports no solver.

Other distributions add rows: an entry point in the group ``unidoku.backends`` that names a
`BackendSpec`. A row that cannot be loaded is a warning which names its distribution.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from unidoku.backends.built_in import BUILT_IN
from unidoku.backends.spec import BackendSpec
from unidoku.errors import UnknownBackendError, nearest

__all__ = ["BUILT_IN", "BackendSpec", "catalogue", "find"]

ENTRY_POINTS = "unidoku.backends"


@cache
def catalogue() -> Mapping[str, BackendSpec]:
    """Return all rows by name: those built in, then those of installed distributions."""
    from importlib import metadata  # as above

    rows = {spec.name: spec for spec in BUILT_IN}
    for entry in metadata.entry_points(group=ENTRY_POINTS):
        source = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "unknown"
        try:
            spec = entry.load()
        except Exception as error:  # noqa: BLE001 - whatever a plugin raises must not stop us
            _warn(f"backend {entry.name!r} of {source} cannot be loaded: {error!r}")
            continue
        if not isinstance(spec, BackendSpec):
            _warn(f"backend {entry.name!r} of {source}: expected a BackendSpec, got {spec!r}")
        elif spec.name in rows:
            _warn(f"backend {spec.name!r} of {source} is ignored: the name is taken")
        else:
            rows[spec.name] = spec
    return MappingProxyType(rows)


def _warn(message: str) -> None:
    warnings.warn(message, UserWarning, stacklevel=3)


def find(name: str) -> BackendSpec:
    """Return the row of that name.

    Raises:
        UnknownBackendError: there is none.
    """
    for spec in BUILT_IN:
        if spec.name == name:
            return spec
    rows = catalogue()
    if name not in rows:
        raise UnknownBackendError(f"expected a backend, got {name!r}; {nearest(name, rows)}")
    return rows[name]
