"""What text from elsewhere may choose: solvers that come with Unidoku, and no file or command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unidoku.backends import BUILT_IN, find
from unidoku.backends.options import parse_label
from unidoku.backends.reach import reaches
from unidoku.errors import OptionError, UnknownBackendError, nearest


def refuse_beyond_catalogue(label: str, options: Mapping[str, Any] | None = None) -> None:
    """Raise if a label, or an option, reaches beyond the solvers that come with Unidoku.

    Installed distributions and programs are not among them. Nothing is imported for the answer but
    the rows of these solvers.

    >>> refuse_beyond_catalogue("cp-sat[num_workers=1]")

    Raises:
        UnknownBackendError: the backend is another one.
        OptionError: an option names a file, or a backend that is another one.
    """
    name, given = parse_label(label)
    chosen = given | dict(options or {})
    if name not in BUILT_IN:
        raise UnknownBackendError(
            f"untrusted: expected a backend that comes with Unidoku, got {name!r}; "
            f"{nearest(name, BUILT_IN)}"
        )
    row = find(name)
    for option in row.nests:
        if isinstance(nested := chosen.get(option), str):
            refuse_beyond_catalogue(nested)
    for reached in reaches(name, chosen):
        raise OptionError(f"untrusted: expected no option with a file or a command, got {reached}")
