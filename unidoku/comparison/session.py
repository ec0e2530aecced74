"""Sessions: comparisons that are run, kept in a journal, and read from journals."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby, takewhile, zip_longest
from operator import attrgetter
from pathlib import Path
from typing import TypeAlias, Unpack

from unidoku.backends.options import split_labels, split_name
from unidoku.backends.solving.solver import BackendLike, Solver
from unidoku.comparison.cases import Case, PuzzleSource
from unidoku.comparison.comparison import Comparison
from unidoku.comparison.config import (
    ComparisonPlan,
    PlanSettings,
    differing_settings,
    read_plan,
    solvers_of,
)
from unidoku.comparison.environment import (
    crowded,
    disturbances,
    environment,
    environment_changes,
    moment,
    usable_cores,
)
from unidoku.comparison.journal import Journal, merged
from unidoku.comparison.lines import Entry, Header
from unidoku.comparison.order import Run, schedule
from unidoku.comparison.record import Record
from unidoku.comparison.run import Runner, open_runner
from unidoku.comparison.run.chunks import PoolSettings
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, NamedBoard, as_board, file_names_told
from unidoku.core.layout import Layout
from unidoku.errors import InputError, OutputError, nearest
from unidoku.files.examples import comparison_file
from unidoku.files.puzzles import puzzles_of
from unidoku.files.source import Sources
from unidoku.formats import Puzzle, read_puzzles
from unidoku.support.arguments import named_arguments, plain_number
from unidoku.support.deadline import Deadline
from unidoku.support.text import listed

Puzzles: TypeAlias = Path | str | Board | NamedBoard | Iterable[BoardLike]
"""A file, a text of several boards, or boards one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Where and with which resources runs are measured and kept; see `compare`.

    After the deadline no further board is started; the rest can be resumed.
    """

    engine: str | None = None
    scheduler: str | None = None
    journal: Path | None = None
    resume: bool = False
    force: bool = False
    deadline: Deadline = Deadline()  # noqa: RUF009 - a deadline without end never changes


@named_arguments
def compare(
    boards: Puzzles | None = None,
    backends: str | Mapping[str, BackendLike] | Iterable[BackendLike] | None = None,
    *,
    variant: str | Layout | None = None,
    engine: str | None = None,
    scheduler: str | None = None,
    output: Path | str | None = None,
    resume: bool = False,
    force: bool = False,
    watch: Callable[[Comparison, Record], object] | None = None,
    **settings: Unpack[PlanSettings],
) -> Comparison:
    """Compare backends on boards: check every answer, prove agreement, measure the times.

    Each run is measured in a worker process, which is killed at its limits.

    >>> import unidoku
    >>> comparison = unidoku.compare(["1... ..2. .3.. ...4"], ["native", "norvig"], engine="inline")
    >>> comparison, comparison.verdict().disagreements
    (<Comparison: 2 backends, 1 cases, 6 of 6 runs>, ())

    ``print(found)`` prints the table, ``found.to_html("page.html")`` writes a page that shows every
    run.

    Args:
        boards: a file as `pathlib.Path`, a text of several boards, or an iterable of boards, texts,
            rows of values and puzzles, or one board or puzzle; by default the examples of
            ``unidoku compare``.
        backends: labels, solvers, functions, classes and objects with the method ``search``, also
            as a mapping from short names; or one text with labels joined by commas, such as
            ``cp=cp-sat,native``; by default those of ``unidoku compare``. What has no label that
            other processes can import, such as a function of a notebook, is measured in this
            process, with all others.
        variant: layout of texts and files: the name of a variant, or a layout; by default
            ``classic``.
        engine: ``pool`` (processes) or ``inline`` (this process, without limits); by default the
            one that suits the system.
        scheduler: address of a Dask scheduler, or ``local:N``.
        output: file that keeps every run; ``unidoku report`` reads it.
        resume: whether to continue the file of ``output``.
        force: whether to replace the file of ``output`` if it exists and is not continued.
        watch: function that is called after each run with the comparison so far and the run.
        settings: fields of `ComparisonPlan`, such as ``repeats``, ``time_limit``,
            ``memory_limit`` and ``workers``; by default as for ``unidoku compare``.

    Raises:
        InputError: there are no boards or no backends, a setting is unknown, or a file cannot be
            used.
        OutputError: the file of ``output`` exists, cannot be written, or another process writes it.
        UnknownBackendError, BackendNotInstalledError, OptionError: a backend cannot be used.
        BackendError: no worker can be started.
    """
    default = read_plan(comparison_file())
    names: Sequence[str] = ()
    chosen: Iterable[BackendLike] = default.backends
    if isinstance(backends, Mapping):
        names, chosen = list(backends), backends.values()
    elif backends is not None:
        chosen = split_labels(backends) if isinstance(backends, str) else list(backends)
        names = [split_name(each)[0] if isinstance(each, str) else "" for each in chosen]
    solvers = solvers_of(chosen, self_test=settings.get("self_test", default.self_test))
    if engine is None and scheduler is None and (local := _only_here(solvers)):
        warnings.warn(
            f"{listed(local)}: no other process can import this, so that all runs are measured in "
            "this process, without limits of time and memory; put it into a module to change that",
            stacklevel=3,
        )
        engine = "inline"
    for name in settings:
        if name not in PlanSettings.__annotations__:
            meant = nearest(name, PlanSettings.__annotations__)
            raise InputError(f"unknown keyword {name!r}; {meant}")
    named = zip_longest(names[: len(solvers)], solvers, fillvalue="")
    labels = tuple(f"{name}={label}" if name else label for name, label in named)
    given = {name: plain_number(value) for name, value in settings.items()}
    plan = default.changed(backends=labels, **given)
    if boards is not None:
        plan = plan.changed(puzzles=(_source(boards, variant),), folder=Path())
    options = RunOptions(
        engine=engine,
        scheduler=scheduler,
        journal=None if output is None else Path(output),
        resume=resume,
        force=force,
    )
    return carry_out(plan, options, watch or (lambda *_: None), solvers=solvers)


def _only_here(solvers: Mapping[str, Solver]) -> list[str]:
    """Return the labels of backends that only this process has."""
    targets = {label: solver.spec.target for label, solver in solvers.items()}
    return [label for label, target in targets.items() if target.partition(":")[0] in HERE]


HERE = ("", "__main__")
"""The modules in the targets of backends that no other process can import."""


def _source(boards: Puzzles, variant: str | Layout | None) -> PuzzleSource:
    if isinstance(boards, Path):
        if not isinstance(variant, Layout):
            return PuzzleSource(files=(str(boards),), variant=variant or "classic")
        return PuzzleSource(boards=tuple(puzzles_of(Sources.of([boards], variant))))
    if isinstance(boards, str):
        with file_names_told(boards):
            return PuzzleSource(boards=tuple(read_puzzles(boards, variant or "classic")))
    if isinstance(boards, Board | NamedBoard):
        boards = [boards]
    read = [
        item if isinstance(item, Puzzle) else Puzzle(as_board(item, variant), "", line)
        for line, item in enumerate(boards, start=1)
    ]
    return PuzzleSource(boards=tuple(read))


def carry_out(
    plan: ComparisonPlan,
    options: RunOptions,
    watch: Callable[[Comparison, Record], object] = lambda *_: None,
    *,
    solvers: Mapping[str, Solver] | None = None,
    check: Callable[[Comparison], object] = lambda _: None,
    waiting: Callable[[Comparison, Run, bool, float], object] = lambda *_: None,
) -> Comparison:
    """Run a comparison; solvers that exist already can be given by label.

    ``check`` is called with the comparison before its first run, and may raise; ``waiting`` with
    the comparison so far, and as by `open_runner`.

    If Ctrl-C ends it early, the result is ``interrupted`` and contains all runs up to then, as the
    journal does.

    Raises:
        InputError: there are no cases, or the journal to resume has another plan.
        OutputError: the journal cannot be written, or another process writes it.
        FormatError: the file to resume is not a journal.
        BackendError: no worker can be started.
    """
    solvers = plan.solvers() if solvers is None else solvers
    cases = plan.cases()
    labels = list(solvers)
    header = Header(
        plan=plan.plan_table(labels, cases),
        environment=environment(
            solvers, plan.request, cores_a_worker=_cores(plan, options), workers=plan.workers
        ),
    )
    for text in crowded(header.environment):
        warnings.warn(text, UserWarning, stacklevel=3)
    comparison = Comparison(header)
    for case in cases:
        comparison.add_case(case)
    check(comparison)
    done: set[int] = set()
    with contextlib.ExitStack() as stack:
        journal = None
        if options.journal is not None:
            journal = stack.enter_context(
                Journal(options.journal, header, resume=options.resume, force=options.force)
            )
            _take_up(journal, header, comparison, done)
        runs = schedule(cases, labels, plan.repeats, plan.seed, plan.symmetries, plan.measure)
        comparison.total = len(cases) * (plan.symmetries + 1) * plan.repeats * len(labels)
        comparison.before = comparison.done
        runner = stack.enter_context(
            open_runner(
                solvers,
                plan.measuring,
                kind=options.engine,
                workers=plan.workers,
                cores=plan.cores,
                scheduler=options.scheduler,
                waiting=partial(waiting, comparison),
            )
        )
        try:
            remaining = (run for run in runs if not done or int(run.key, 16) not in done)
            for record in _records(runner, _until(options.deadline, remaining)):
                if journal is not None:
                    journal.add(comparison.case(record.case), record)
                comparison.add(record)
                watch(comparison, record)
        except KeyboardInterrupt as interrupt:
            comparison.interrupted = interrupt.with_traceback(None)
        finally:
            after = moment()
            comparison.disturbances = tuple(disturbances(header.environment["moment"], after))
            if journal is not None:
                with contextlib.suppress(OutputError):  # only the runs matter
                    journal.end(after)
    return comparison


def _cores(plan: ComparisonPlan, options: RunOptions) -> int:
    """Return the number of cores that the threads of a run can share."""
    if options.engine == "inline":
        return len(usable_cores())
    if options.scheduler is not None:
        return plan.cores
    settings = PoolSettings(workers=plan.workers, cores=plan.cores)
    return len(settings.cores_of(0)) or len(usable_cores())


def _until(deadline: Deadline, runs: Iterable[Run]) -> Iterator[Run]:
    """Yield runs until a deadline; the runs of one board stay together."""
    boards = (tuple(block) for _, block in groupby(runs, attrgetter("together")))
    return chain.from_iterable(takewhile(lambda _: not deadline.passed, boards))


def _records(runner: Runner, runs: Iterable[Run]) -> Iterator[Record]:
    """Yield the records of runs; each round uses new processes.

    The memory layout of a process can change its speed by some percent for as long as it lives
    (Mytkowicz et al., ASPLOS 2009).
    """
    for _, of_round in groupby(runs, attrgetter("round")):
        yield from runner.run(of_round)
        runner.refresh()


def read_comparison(paths: Sequence[Path]) -> Comparison:
    """Read journals as one comparison.

    Raises:
        InputError, FormatError: as `unidoku.comparison.journal.merged`.
    """
    return comparison_of(*merged(paths))


def comparison_of(header: Header, entries: Iterable[Entry]) -> Comparison:
    """Return the comparison of cases and records, each case before its records."""
    comparison = Comparison(header)
    for entry in entries:
        if isinstance(entry, Case):
            comparison.add_case(entry)
        else:
            comparison.add(entry)
    comparison.total = comparison.before = comparison.done
    return comparison


def _take_up(journal: Journal, header: Header, comparison: Comparison, done: set[int]) -> None:
    """Add the runs of a resumed journal to the comparison."""
    old = journal.header.plan
    for name, was, now in differing_settings(old, header.plan, {**header.plan, **old}):
        if name != "names":
            differ = f"with {name}={was}, this run asks for {name}={now}"
            if name == "cases_digest":
                differ = "on other boards"
            raise InputError(
                f"cannot resume {journal.path}: it was recorded {differ}; use another --output"
            )
    if changes := environment_changes(journal.header.environment, header.environment):
        warnings.warn(
            f"{journal.path} was begun in another environment: {listed(changes)}; "
            "times of both stand side by side",
            stacklevel=4,
        )
    ids = {case.id for case in comparison.results.cases}
    for entry in journal.before():
        if isinstance(entry, Case):
            if entry.id not in ids:
                raise InputError(
                    f"cannot resume {journal.path}: it has a different board, {entry.name}"
                )
            continue
        key = int(entry.key, 16)
        if key not in done:
            done.add(key)
            comparison.add(entry)
