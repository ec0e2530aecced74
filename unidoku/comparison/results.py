"""Results: the figures of all runs as columns, small enough for millions of them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from unidoku.backends.base import Stop
from unidoku.comparison.cases import Case
from unidoku.comparison.record import COLUMNS, Outcome, Record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["MOST_EVIDENCE", "OUTCOMES", "STOPS", "Results"]

OUTCOMES = tuple(Outcome)
"""What the codes in the column ``outcome`` stand for: they are indices into this."""

STOPS = tuple(Stop)
"""Meanings of the codes in the column ``stop``; -1 stands for none."""

MOST_EVIDENCE = 10_000
"""Runs whose evidence is kept in memory; a journal has it all."""

_KEPT = tuple(column for column in COLUMNS if column.array)

_figures = attrgetter(*(column.path for column in _KEPT))


class Results:
    """The figures of runs, added one by one; 100 bytes a run.

    Attributes:
        cases: in the order they were first seen; the column ``case`` has indices into this.
        backends: labels; the column ``backend`` has indices into this.
        plan: what was asked, as in a journal's header.
        environment: the machine and the versions, as in a journal's header.
        evidence: by a run's place in the columns, what is wrong, failed or unsupported in it.
    """

    def __init__(
        self,
        backends: Iterable[str] = (),
        plan: Mapping[str, Any] | None = None,
        environment: Mapping[str, Any] | None = None,
    ) -> None:
        """Start without runs."""
        self.cases: list[Case] = []
        self.backends: list[str] = list(backends)
        self.plan = plan or {}
        self.environment = environment or {}
        self.evidence: dict[int, tuple[str, ...]] = {}
        self._case_index: dict[str, int] = {}
        self._backend_index = {label: k for k, label in enumerate(self.backends)}
        self._columns = {column.name: array(column.array) for column in _KEPT}

    @property
    def time_limit(self) -> float | None:
        """Seconds a run, from the plan; None if it does not say."""
        return self.plan.get("time_limit")

    def __len__(self) -> int:
        """Return the number of runs."""
        return len(self._columns["case"])

    def add_case(self, case: Case) -> int:
        """Add a case, unless it is there; return its index."""
        index = self._case_index.setdefault(case.id, len(self.cases))
        if index == len(self.cases):
            self.cases.append(case)
        return index

    def case(self, case: str) -> Case:
        """Return the case of that id, which must be there."""
        return self.cases[self._case_index[case]]

    def add(self, record: Record) -> None:
        """Add a run; its case must be there."""
        label = record.backend
        if label not in self._backend_index:
            self._backend_index[label] = len(self.backends)
            self.backends.append(label)
        if record.evidence and len(self.evidence) < MOST_EVIDENCE:
            self.evidence[len(self)] = record.evidence
        codes = {"case": self._case_index[record.case], "backend": self._backend_index[label]}
        for (name, column), value in zip(self._columns.items(), _figures(record), strict=True):
            column.append(codes[name] if name in codes else _number(value))

    def column(self, name: str) -> NDArray[np.int64]:
        """Return a column that has an array, one entry a run, as a numpy array of its own type.

        ``outcome`` has codes of `OUTCOMES`, ``stop`` codes of `STOPS`; -1 is none, also in
        ``load_ns`` and ``first_ns``. ``disturbed`` is 1 if anything was.
        """
        import numpy as np  # 65 ms, which listing the commands need not spend

        column = self._columns[name]
        return np.array(column, dtype=column.typecode)


_CODES = {value: code for values in (OUTCOMES, STOPS) for code, value in enumerate(values)}


def _number(value: Any) -> int:
    """Return the value of a field as a number in a column."""
    if type(value) is int:
        return value
    if value is None:
        return -1
    return bool(value) if isinstance(value, tuple) else _CODES[value]
