"""The result of a comparison: its figures, its verdict, and the ways to show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unidoku.backends.batch import data_frame
from unidoku.comparison.cases import Case
from unidoku.comparison.environment import BY_BACKEND
from unidoku.comparison.lines import Header
from unidoku.comparison.record import Record
from unidoku.comparison.report.view import ReportView
from unidoku.comparison.results import OUTCOMES, STOPS, Results
from unidoku.comparison.verdict import Judge, Verdict
from unidoku.support.arguments import named_arguments
from unidoku.support.atomic_write import write_text

if TYPE_CHECKING:
    from pandas import DataFrame

    from unidoku.support.table import Table


class Comparison:
    """The findings of a comparison so far.

    Its text is its table, and notebooks show the table.

    A backend with a short name in the plan has that name in all figures and texts; the records
    that are added have its label.

    Attributes:
        names: the short names by label.
        total: number of runs that are planned.
        before: number of runs that were in the resumed journal.
        interrupted: the Ctrl-C that ended it early; None if it ran to its end.
        disturbances: what disturbed the machine while it ran, in words.
    """

    @named_arguments
    def __init__(self, header: Header) -> None:
        """Start without runs."""
        self.names: Mapping[str, str] = header.plan.get("names", {})
        plan = dict(header.plan)
        for key in ("backends", "twin") if self.names else ():
            if key in plan:
                plan[key] = [self.name(label) for label in plan[key]]
        environment = self._renamed(header.environment)
        self._results = Results(plan.get("backends", ()), plan, environment)
        self._judged: Results | None = None
        self.total = 0
        self.before = 0
        self.interrupted: KeyboardInterrupt | None = None
        self.disturbances: tuple[str, ...] = ()
        self._judge = Judge()

    def add_case(self, case: Case) -> None:
        """Add a case."""
        self._results.add_case(case)
        self._judge.add_case(case)

    def add(self, record: Record) -> None:
        """Add a run to the figures and the verdict."""
        if record.backend in self.names:
            record = replace(record, backend=self.names[record.backend])
        self._results.add(record)
        self._judge.add(record)
        self._judged = None

    def name(self, label: str) -> str:
        """Return the short name of a backend, or its label if it has none."""
        return self.names.get(label, label)

    def _renamed(self, environment: Mapping[str, Any]) -> dict[str, Any]:
        """Return an environment whose tables by backend have the short names."""
        renamed = dict(environment)
        for key in BY_BACKEND if self.names else ():
            if isinstance(table := renamed.get(key), Mapping):
                renamed[key] = {self.name(label): value for label, value in table.items()}
        return renamed

    def case(self, case: str) -> Case:
        """Return the case with this id, which must have been added."""
        return self._results.case(case)

    @property
    def results(self) -> Results:
        """Figures of the runs so far; answers that the verdict refutes are not solved.

        Cost: the verdict, if runs were added since the last time.
        """
        if self._judged is None:
            refuted = self.verdict().refuted
            self._judged = self._results.with_refuted(refuted) if refuted else self._results
        return self._judged

    @property
    def done(self) -> int:
        """Number of runs so far."""
        return len(self._results)

    @property
    def title(self) -> str:
        """The plan in one line."""
        plan, results = self._results.plan, self._results
        machines = len(results.machines)
        on_machines = f"machines: {machines}, " if machines > 1 else ""
        return (
            f"cases: {len(results.cases)}, backends: {len(results.backends)}, {on_machines}"
            f"repeats: {plan['repeats']}, solutions asked: {plan['solutions']}, "
            f"limit: {plan['time_limit']:g} s a run{_cpu_limit(plan)}"
        )

    def verdict(self) -> Verdict:
        """Return the verdict on the runs so far."""
        return self._judge.verdict()

    def tables(
        self, *, phases: bool = False, brief: bool = True, view: ReportView | None = None
    ) -> list[Table]:
        """Return the tables of figures; symmetry spread and contradictions only if there are some.

        Args:
            phases: whether to include the table of phases.
            brief: whether to leave out columns that are too wide for a terminal.
            view: what else to show; by default nothing.

        Raises:
            InputError: the results lack what the view names.
        """
        from unidoku.comparison.report.tables import standard_tables  # numpy, not needed to run

        view = view or ReportView()
        return standard_tables(
            self.results,
            self.verdict(),
            title=self.title,
            view=replace(view, phases=phases or view.phases),
            width="terminal" if brief else "wide",
        )

    def to_html(
        self,
        path: Path | str,
        *,
        title: str = "Comparison of backends",
        view: ReportView | None = None,
        force: bool = False,
    ) -> None:
        """Write the report as one HTML file.

        Args:
            path: the file; one that exists is replaced only with ``force``.
            title: title of the page.
            view: what to show besides the usual parts.
            force: whether to replace a file that exists.

        Raises:
            InputError: the name of the file does not end in ``.html`` or ``.htm``, or the results
                lack what the view names.
            OutputError: the file exists or cannot be written.
        """
        from unidoku.comparison.report.html import html  # as above
        from unidoku.support.page import ENDINGS

        page = html(self.results, self.verdict(), title=title, view=view or ReportView())
        write_text(Path(path), page, force=force, endings=ENDINGS)

    def to_pandas(self) -> DataFrame:
        """Return one row for each run; times are integer nanoseconds, -1 where there is none.

        Raises:
            InputError: pandas is not installed; the message states the command that installs it.
        """
        results = self.results
        words = {
            "case": [results.cases[k].name for k in results.column("case").tolist()],
            "backend": [results.backends[k] for k in results.column("backend").tolist()],
            "outcome": [OUTCOMES[code].value for code in results.column("outcome").tolist()],
            "stop": [
                "" if code < 0 else STOPS[code].value for code in results.column("stop").tolist()
            ],
        }
        figures = {name: results.column(name) for name in _FIGURES}
        return data_frame(**words, **figures)

    def __str__(self) -> str:
        """Return the tables as text, followed by problems and the verdict."""
        from rich.console import Console

        from unidoku.comparison.report.words import remarks
        from unidoku.support.table import fitted, to_rich

        console = Console(width=_WIDTH)
        with console.capture() as capture:
            for table in self.tables():
                console.print(to_rich(fitted(table, _WIDTH)), highlight=False)
        lines = [*capture.get().splitlines(), *remarks(self.results, self.verdict())]
        return "\n".join(map(str.rstrip, lines))

    def __repr__(self) -> str:
        """Return the numbers of backends, cases and runs."""
        results = self._results
        counts = f"{len(results.backends)} backends, {len(results.cases)} cases"
        return f"<Comparison: {counts}, {self.done} of {self.total} runs>"

    def _repr_html_(self) -> str:
        """Return the tables and the verdict for notebooks."""
        from unidoku.comparison.report.words import sentence
        from unidoku.support.table import to_html

        tables = "".join(map(to_html, self.tables()))
        return f"{tables}<p>{escape(sentence(self.verdict()))}</p>"


def _cpu_limit(plan: Mapping[str, Any]) -> str:
    """Return the limit of processor time as the end of a title, if there is one."""
    limit = plan.get("cpu_limit")
    return f", {limit:g} s of processor time" if limit else ""


_WIDTH = 132
"""Columns of the tables as text."""

_FIGURES = (
    *("round", "image", "count", "wall_ns", "cpu_ns", "init_ns", "solve_ns", "decode_ns"),
    *("load_ns", "first_ns", "peak_bytes", "loops", "disturbed"),
)
"""Columns of `Results` that are numbers."""
