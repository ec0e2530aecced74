"""Results: the figures of all runs as columns, small enough for millions of them."""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterable, Mapping
from copy import copy
from itertools import repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from unidoku.backends.base import Stop
from unidoku.comparison.cases import Case
from unidoku.comparison.record import COLUMNS, Measure, Outcome, Record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OUTCOMES = tuple(Outcome)
"""The meanings of the codes in the column ``outcome``, which are indices into this."""

STOPS = tuple(Stop)
"""The meanings of the codes in the column ``stop``; -1 means none."""

MEASURES = tuple(Measure)
"""The meanings of the codes in the column ``measure``; -1 means none."""

MOST_EVIDENCE = 10_000
"""The most runs whose evidence is kept in memory; a journal contains all of it."""

COUNTERS = ("nodes", "failures", "guesses", "propagations", "restarts")
"""Statistics of backends that are kept for each run, if its backend reports them."""

_ANSWERED = {OUTCOMES.index(outcome) for outcome in (Outcome.SOLVED, Outcome.LATE)}

_IN_ARRAYS = tuple(column for column in COLUMNS if column.array)

_figures = attrgetter(*(column.path for column in _IN_ARRAYS))


class Results:
    """The figures of runs, added one by one; they take 100 bytes for each run.

    Attributes:
        cases: the cases in the order in which they were added; the column ``case`` has indices into
            this.
        backends: the labels; the column ``backend`` has indices into this.
        plan: the plan, as in a journal's header.
        environment: the machine and the versions, as in a journal's header.
        machines: names of the machines with runs; the column ``machine`` has indices into this.
        evidence: reasons for wrong, failed or unsupported runs, by the index of the run.
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
        self.machines: list[str] = []
        self.evidence: dict[int, tuple[str, ...]] = {}
        self._case_index: dict[str, int] = {}
        self._backend_index = {label: k for k, label in enumerate(self.backends)}
        self._machine_index: dict[str, int] = {}
        self._machine = array("i")
        self._host = str(self.environment.get("host", ""))
        self._counters: dict[str, array[float]] = {}
        self._columns = {column.name: array(column.array) for column in _IN_ARRAYS}

    @property
    def time_limit(self) -> float | None:
        """Seconds for each run, from the plan; None if the plan has no limit."""
        return self.plan.get("time_limit")

    def __len__(self) -> int:
        """Return the number of runs."""
        return len(self._columns["case"])

    def add_case(self, case: Case) -> int:
        """Add a case unless it was added before; return its index."""
        index = self._case_index.setdefault(case.id, len(self.cases))
        if index == len(self.cases):
            self.cases.append(case)
        return index

    def case(self, case: str) -> Case:
        """Return the case with this id, which must have been added."""
        return self.cases[self._case_index[case]]

    def add(self, record: Record) -> None:
        """Add a run; its case must have been added."""
        label = record.backend
        if label not in self._backend_index:
            self._backend_index[label] = len(self.backends)
            self.backends.append(label)
        if record.evidence and len(self.evidence) < MOST_EVIDENCE:
            self.evidence[len(self)] = record.evidence
        codes = {"case": self._case_index[record.case], "backend": self._backend_index[label]}
        codes["warm_up"] = self._case_index.get(record.warm_up or "", -1)
        for (name, column), value in zip(self._columns.items(), _figures(record), strict=True):
            column.append(codes[name] if name in codes else _number(value))
        self._machine.append(self._machine_code(record.machine or self._host))
        for name in COUNTERS:
            if (value := record.statistics.get(name)) is not None:
                counts = self._counters.setdefault(name, array("d"))
                _pad(counts, len(self) - 1)
                counts.append(value)

    def _machine_code(self, machine: str) -> int:
        code = self._machine_index.setdefault(machine, len(self.machines))
        if code == len(self.machines):
            self.machines.append(machine)
        return code

    def with_refuted(self, refuted: Collection[tuple[str, str]]) -> Results:
        """Return results in which some answers have the outcome `Outcome.REFUTED`.

        The others are shared with these results, to which nothing may be added.

        Args:
            refuted: labels of backends, each with the id of a case.
        """
        changed = copy(self)
        pairs = {(self._backend_index[label], self._case_index[case]) for label, case in refuted}
        columns, outcomes = self._columns, array("b", self._columns["outcome"])
        runs = zip(columns["backend"], columns["case"], outcomes, strict=True)
        for row, (backend, case, outcome) in enumerate(runs):
            if outcome in _ANSWERED and (backend, case) in pairs:
                outcomes[row] = OUTCOMES.index(Outcome.REFUTED)
        changed._columns = columns | {"outcome": outcomes}
        return changed

    def column(self, name: str) -> NDArray[np.int64]:
        """Return a column that has an array, as a numpy array with one entry for each run.

        ``outcome`` has codes of `OUTCOMES`, ``stop`` codes of `STOPS`, ``measure`` codes of
        `MEASURES`, ``warm_up`` indices of cases; -1 means none, also in ``load_ns`` and
        ``first_ns``. ``disturbed`` is 1 if the run was disturbed. ``machine`` has indices into
        ``machines``.
        """
        import numpy as np  # takes 65 ms, which a list of commands should not

        column = self._machine if name == "machine" else self._columns[name]
        return np.array(column, dtype=column.typecode)

    def counter(self, name: str) -> NDArray[np.float64]:
        """Return a statistic of `COUNTERS` for each run, nan where its backend reports none."""
        import numpy as np

        counts = self._counters.get(name, array("d"))
        _pad(counts, len(self))
        return np.array(counts, dtype=np.float64)


def _pad(counts: array[float], length: int) -> None:
    counts.extend(repeat(math.nan, length - len(counts)))


_CODES = {
    value: code for values in (OUTCOMES, STOPS, MEASURES) for code, value in enumerate(values)
}


def _number(value: Any) -> int:
    """Return the value of a field as a number in a column."""
    if type(value) is int:
        return value
    if value is None:
        return -1
    return bool(value) if isinstance(value, tuple) else _CODES[value]
