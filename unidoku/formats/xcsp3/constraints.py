"""What each constraint of XCSP3 says, in units and rules.

The format is described by Boussemart, Lecoutre, Audemard and Piette, "XCSP3: an integrated format
for benchmarking combinatorial constrained problems" (arXiv:1611.03398), and the subset of
competitions in "XCSP3-core" (arXiv:2009.00514).
"""

from __future__ import annotations

from collections.abc import Mapping

from unidoku.errors import FormatError, LayoutError
from unidoku.formats.xcsp3 import comparisons, tables, totals
from unidoku.formats.xcsp3.elements import Element
from unidoku.formats.xcsp3.rules import Rules
from unidoku.formats.xcsp3.scope import Reader, Scope
from unidoku.formats.xcsp3.templates import each_constraint
from unidoku.formats.xcsp3.variables import Variables

_MOST_CONSTRAINTS = 200_000

_READERS: Mapping[str, Reader] = {**comparisons.READERS, **totals.READERS, **tables.READERS}


class Constraints:
    """Adds the constraints of an instance to rules."""

    def __init__(self, variables: Variables, rules: Rules) -> None:
        """Start with variables and rules, which are added to."""
        self._scope = Scope(variables, rules)
        self._count = 0

    def add(self, element: Element) -> None:
        """Add a constraint, or those of a block, a group or a slide.

        Raises:
            FormatError: it is not supported, or not valid; the message states the line.
        """
        for part in each_constraint(element, self._scope.variables.names_in):
            self._add_single(part)

    def _add_single(self, element: Element) -> None:
        reader = _READERS.get(element.tag)
        if reader is None:
            known = " ".join(sorted(_READERS))
            raise element.error(
                f"constraint <{element.tag[:40]}> is not supported; those supported: {known}"
            )
        self._count += 1
        if self._count > _MOST_CONSTRAINTS:
            raise element.error(f"expected at most {_MOST_CONSTRAINTS:,} constraints, got more")
        try:
            self._scope.rules.add(reader(self._scope, element))
        except FormatError as error:
            if error.line:
                raise
            raise element.error(f"<{element.tag}>: {error.message}") from error
        except LayoutError as error:
            raise element.error(f"<{element.tag}>: {error}") from error
