"""A session: a comparison carried out, kept in a journal, and judged as it goes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from unidoku.backends.solver import Solver
from unidoku.comparison.cases import Case
from unidoku.comparison.config import Comparison
from unidoku.comparison.environment import disturbances, environment, moment
from unidoku.comparison.journal import Header, Journal, merged, read_header, read_journal
from unidoku.comparison.plan import Run, plan
from unidoku.comparison.record import Record
from unidoku.comparison.results import Results
from unidoku.comparison.run import Runner, open_runner
from unidoku.comparison.verdict import Judge, Verdict
from unidoku.errors import InputError

__all__ = ["Session", "Where", "carry_out", "read_session"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Where and with what runs are measured, and kept.

    Args:
        engine: ``pool``, ``spawn`` or ``inline`` (see `open_runner`).
        scheduler: address of a Dask scheduler, or ``local:N``.
        journal: the file that keeps the runs; none if not given.
        resume: go on with that file.
    """

    engine: str | None = None
    scheduler: str | None = None
    journal: Path | None = None
    resume: bool = False


class Session:
    """What a comparison has found so far.

    Attributes:
        results: the figures of its runs.
        total: runs that the plan has.
        before: of them, those that a resumed journal held already.
        disturbances: of the machine while it ran, in words.
    """

    def __init__(self, header: Header) -> None:
        """Begin with no runs."""
        plan_table = header.plan
        self.results = Results(plan_table.get("backends", ()), plan_table, header.environment)
        self.total = 0
        self.before = 0
        self.disturbances: tuple[str, ...] = ()
        self._judge = Judge()

    def add_case(self, case: Case) -> None:
        """Open a case."""
        self.results.add_case(case)
        self._judge.add_case(case)

    def add(self, record: Record) -> None:
        """Take a run into the figures and the verdict."""
        self.results.add(record)
        self._judge.add(record)

    @property
    def done(self) -> int:
        """Runs so far."""
        return len(self.results)

    def verdict(self) -> Verdict:
        """Return the verdict on the runs so far."""
        return self._judge.verdict()


def carry_out(
    comparison: Comparison,
    solvers: Mapping[str, Solver],
    cases: tuple[Case, ...],
    where: Where,
    watch: Callable[[Session, Record], object] = lambda *_: None,
) -> tuple[Session, bool]:
    """Carry out a comparison.

    Args:
        comparison: what to compare.
        solvers: of the comparison, by label.
        cases: of the comparison.
        where: with what runner, and into which journal.
        watch: called after each run.

    Returns:
        What it found, and whether Ctrl-C ended it early. All that had been found by then is in
        the session and in the journal.

    Raises:
        InputError: the journal cannot be begun, gone on with, or written.
        FormatError: the file to go on with is no journal.
        BackendError: no worker can be started.
    """
    labels = list(solvers)
    header = Header(
        plan=comparison.plan_table(labels, cases),
        environment=environment(
            solvers, workers=comparison.workers, cores_a_worker=comparison.cores
        ),
    )
    session = Session(header)
    for case in cases:
        session.add_case(case)
    done: set[int] = set()
    with contextlib.ExitStack() as stack:
        journal = None
        if where.journal is not None:
            journal = stack.enter_context(_journal(where, header, session, done))
        runs = plan(cases, labels, comparison.repeats, comparison.seed, comparison.symmetries)
        session.total = len(cases) * (comparison.symmetries + 1) * comparison.repeats * len(labels)
        session.before = session.done
        runner = stack.enter_context(
            open_runner(
                solvers,
                comparison.measuring,
                kind=where.engine,
                workers=comparison.workers,
                cores=comparison.cores,
                scheduler=where.scheduler,
            )
        )
        try:
            left = (run for run in runs if not done or int(run.key, 16) not in done)
            for record in _records(runner, left):
                if journal is not None:
                    journal.add(session.results.case(record.case), record)
                session.add(record)
                watch(session, record)
        except KeyboardInterrupt:
            return session, True
        finally:
            after = moment()
            session.disturbances = tuple(disturbances(header.environment["moment"], after))
            if journal is not None:
                with contextlib.suppress(InputError):  # the runs are what matters
                    journal.end(after)
    return session, False


def _records(runner: Runner, runs: Iterable[Run]) -> Iterator[Record]:
    """Yield the records of runs, each round by processes of its own.

    How a process happens to lie in memory can be worth some percent for as long as it lives
    (Mytkowicz et al., ASPLOS 2009).
    """
    for _, of_round in groupby(runs, attrgetter("round")):
        yield from runner.run(of_round)
        runner.refresh()


def read_session(paths: list[Path]) -> Session:
    """Read what journals hold, as of one comparison.

    Raises:
        InputError, FormatError: as `unidoku.comparison.journal.merged`.
    """
    header, entries = merged(paths)
    session = Session(header)
    for entry in entries:
        if isinstance(entry, Case):
            session.add_case(entry)
        else:
            session.add(entry)
    session.total = session.before = session.done
    return session


def _journal(where: Where, header: Header, session: Session, done: set[int]) -> Journal:
    """Begin the journal, or read the one to go on with into the session."""
    path = where.journal
    assert path is not None
    if not where.resume or not path.exists():
        return Journal(path, header)
    old = read_header(path).plan
    for name in dict(header.plan) | dict(old):
        if old.get(name) != header.plan.get(name):
            raise InputError(
                f"{path} cannot be gone on with: it was run with {name} = {old.get(name)!r}, "
                f"asked for is {header.plan.get(name)!r}; name a new file, or ask for the same"
            )
    written = set()
    for entry in read_journal(path):
        if isinstance(entry, Case):
            written.add(entry.id)
        else:
            done.add(int(entry.key, 16))
            session.add(entry)
    return Journal.resumed(path, written)
