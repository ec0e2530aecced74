"""The engine that measures in the caller's own process: to debug, to profile, and for fakes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from unidoku.backends.solver import Solver
from unidoku.comparison.plan import Run
from unidoku.comparison.record import Record
from unidoku.comparison.run.bench import Bench, Measuring

__all__ = ["Inline"]


class Inline:
    """Runs in this process, one after the other; a backend that hangs or crashes takes it along."""

    def __init__(self, solvers: Mapping[str, Solver], measuring: Measuring) -> None:
        """Take the solvers, by the labels that runs name."""
        self._solvers = solvers
        self._measuring = measuring
        self.refresh()

    def run(self, runs: Iterable[Run]) -> Iterator[Record]:
        """Yield the record of each run, in order."""
        return map(self._bench.run, runs)

    def refresh(self) -> None:
        """Forget which layouts were measured; what the backends keep themselves stays."""
        self._bench = Bench(self._solvers, self._measuring, "inline")

    def close(self) -> None:
        """Do nothing: there is nothing to end."""
