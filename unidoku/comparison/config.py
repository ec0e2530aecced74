"""The plan of a comparison: a TOML file, checked key by key."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypedDict, get_args

from unidoku.backends import BUILT_IN
from unidoku.backends.base import Backend, Request
from unidoku.backends.options import parse_label, split_name
from unidoku.backends.programs.declared import programs_of
from unidoku.backends.reach import starts_of
from unidoku.backends.solving.solver import BackendLike, Solver, load, solver_of_row
from unidoku.backends.spec import BackendSpec
from unidoku.comparison.cases import Case, PuzzleSource, read_cases
from unidoku.comparison.order import MeasureChoice
from unidoku.comparison.run.measure import SAMPLE_NS, MeasurementSettings
from unidoku.errors import InputError, SettingsError
from unidoku.files.examples import examples_folder, is_example
from unidoku.support.memory_limit import KEEPS_MEMORY_LIMITS
from unidoku.support.naming import naming
from unidoku.support.schema import (
    TABLE,
    TEXT,
    WHOLE,
    YES_NO,
    Kind,
    above,
    among,
    least,
    listed_of,
    table_of,
    whole,
)
from unidoku.support.toml import check_table, read_toml
from unidoku.support.trust import Launch, require


class PlanSettings(TypedDict, total=False):
    """The fields of a `ComparisonPlan` that have defaults, as keywords."""

    repeats: int
    time_limit: float
    cpu_limit: float
    memory_limit: int
    solutions: int
    seed: int
    symmetries: int
    relabel: bool
    sample_ms: float
    measure: MeasureChoice
    self_test: bool
    workers: int
    cores: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonPlan:
    """The plan of a comparison: its boards, its backends, and how they are measured.

    Args:
        backends: labels, with or without a short name (``mine=function:students.anna:solve``); a
            backend may occur several times, with different options.
        puzzles: sources of the cases.
        repeats: runs of each case by each backend.
        time_limit: time limit of each search, in seconds.
        cpu_limit: limit of the processor time of each search, in seconds, with all processes that
            it starts; 0 for no limit.
        memory_limit: mebibytes that a run may use in addition to what its worker had before; 0 for
            no limit. The default is 2048, or 0 on systems without such limits.
        solutions: solutions to find in each run; 2 proves whether a board is proper.
        seed: seed of the order of the runs, the symmetric images and the relabellings.
        symmetries: number of random symmetric copies of each board to run too.
        relabel: whether each search gets another form of the board: with its values renamed at
            random, or moved by a symmetry.
        sample_ms: milliseconds for which a fast search is repeated.
        measure: ``first``: times include what the layout costs, such as the model; ``warm``: they
            do not, where a layout has other boards; ``auto``: they do if only one board of the
            comparison has the layout.
        self_test: whether to run the first backend twice, which shows the smallest difference that
            the measurement can detect.
        workers: processes that measure at the same time.
        cores: processor cores for each worker.
        folder: folder to which file names are relative.
        programs: tables of programs whose labels may be used, as in the settings.
        source: file of the labels and programs, which the user must trust
        (`unidoku.support.trust`); None
            if the caller names them.
        modules: folder that modules which labels name are imported from; None for the working
            folder.
    """

    backends: tuple[str, ...]
    puzzles: tuple[PuzzleSource, ...]
    repeats: int = 3
    time_limit: float = 10.0
    cpu_limit: float = 0.0
    memory_limit: int = 2048 if KEEPS_MEMORY_LIMITS else 0
    solutions: int = 2
    seed: int = 1
    symmetries: int = 0
    relabel: bool = True
    sample_ms: float = SAMPLE_NS / 1e6
    measure: MeasureChoice = "auto"
    self_test: bool = False
    workers: int = 1
    cores: int = 1
    folder: Path = Path()
    programs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    source: Path | None = None
    modules: Path | None = None

    def __post_init__(self) -> None:
        """Raise for values that are not valid."""
        if not self.backends:
            raise SettingsError("backends: expected at least one, got none")
        if not self.puzzles:
            raise SettingsError("puzzles: expected one [[puzzles]] table or more, got none")
        for name, kind in _SETTINGS.items():
            if not kind.holds(value := getattr(self, name)):
                raise SettingsError(f"{name}: expected {kind}, got {value!r}")
        _ = self.request

    @property
    def request(self) -> Request:
        """The request of each run."""
        return Request(solutions=self.solutions, time_limit=self.time_limit)

    @property
    def measured(self) -> dict[str, Any]:
        """The settings that must be equal so that runs of two comparisons can be compared."""
        return {name: getattr(self, name) for name in MEASURED}

    @property
    def measuring(self) -> MeasurementSettings:
        """How runs are measured."""
        return measuring_of(self.measured)

    @property
    def starts(self) -> tuple[Launch, ...]:
        """What the file that it was read from would start or import.

        Raises:
            UnknownBackendError, OptionError: as `starts_of`.
        """
        if self.source is None:
            return ()
        labels = (split_name(backend)[1] for backend in self.backends)
        commands = starts_of(map(parse_label, labels), self.programs)
        is_typed = self.modules is None  # the labels are, the programs that they name are not
        return tuple(start for start in commands if start.declared or not is_typed)

    def solvers(self) -> dict[str, Solver]:
        """Return the solvers by label, as the solvers themselves write the labels.

        The settings of the working folder are not used: only the file decides.

        Raises:
            SettingsError: what the file would start is not trusted.
            SettingsError, UnknownBackendError, BackendNotInstalledError, OptionError: as
                `solvers_of`.
        """
        if self.source is not None:
            require(str(self.source), self.source.parent, self.starts)
        rows = programs_of(self.programs, "programs", str(self.folder.absolute()))
        with naming(folder=self.modules):
            return solvers_of(self.backends, self_test=self.self_test, programs=rows)

    def plan_table(self, labels: Sequence[str], cases: Sequence[Case]) -> dict[str, Any]:
        """Return the plan for the header of a journal; equal plans have the same runs."""
        ids = "\n".join(case.id for case in cases)
        table: dict[str, Any] = {
            "backends": list(labels),
            "cases": len(cases),
            "cases_digest": hashlib.sha256(ids.encode()).hexdigest()[:16],
            "repeats": self.repeats,
        }
        table |= self.measured
        if names := names_of(self.backends, labels):
            if self.self_test and labels[0] in names:
                names[_twin_of(labels[0])] = _twin_of(names[labels[0]])
            table["names"] = names
        if self.programs:
            table["programs"] = {name: dict(row) for name, row in self.programs.items()}
        if self.self_test:
            table["twin"] = [labels[0], _twin_of(labels[0])]
        return table

    def cases(self) -> tuple[Case, ...]:
        """Read the cases.

        Raises:
            InputError, FormatError: as `read_cases`.
        """
        return read_cases(self.puzzles, self.folder)

    def changed(self, **changes: Any) -> ComparisonPlan:
        """Return the comparison with the changes that are not None.

        Modules of labels that are given here are those of the working folder.
        """
        given = {key: value for key, value in changes.items() if value is not None}
        if "backends" in given:
            given |= {"modules": None}
        return replace(self, **given)


MEASURED = (
    *("solutions", "time_limit", "memory_limit", "seed", "symmetries", "relabel", "sample_ms"),
    *("measure", "cpu_limit"),
)
"""The settings that must be equal so that runs of two journals can be compared."""

ADDED: Mapping[str, Any] = {"measure": None, "cpu_limit": 0.0}
"""Settings of `MEASURED` that older journals do not have, with the value that stands for that."""


def differing_settings(
    first: Mapping[str, Any], second: Mapping[str, Any], names: Iterable[str] = MEASURED
) -> Iterator[tuple[str, Any, Any]]:
    """Yield the settings that differ between the plans of two journals, with both values."""
    for name in names:
        values = first.get(name, ADDED.get(name)), second.get(name, ADDED.get(name))
        if values[0] != values[1]:
            yield name, *values


_SETTINGS: Mapping[str, Kind] = {
    "repeats": whole(1, bits=31),
    "time_limit": above(0, 1e9),
    "cpu_limit": least(0, 1e9),
    "memory_limit": whole(0, bits=31),
    "solutions": whole(1),
    "seed": whole(),
    "symmetries": whole(0, bits=31),
    "relabel": YES_NO,
    "sample_ms": least(0, 1e6),
    "measure": among(get_args(MeasureChoice)),
    "self_test": YES_NO,
    "workers": whole(1, bits=31),
    "cores": whole(1, bits=31),
}
"""The possible values of `PlanSettings`."""

PLAN: Mapping[str, Kind] = {
    "backends": listed_of(TEXT),
    **{name: _SETTINGS[name] for name in ("repeats", *MEASURED)},
    "cases": whole(1),
    "cases_digest": TEXT,
    "twin": listed_of(TEXT),
    "names": table_of(TEXT),
    "programs": TABLE,
}
"""The possible values of the fields of `ComparisonPlan.plan_table`."""

PLAN_REQUIRED = ("backends", "repeats", *(name for name in MEASURED if name not in ADDED))
"""Fields of a plan that every journal has, merged ones included."""


def measuring_of(plan: Mapping[str, Any]) -> MeasurementSettings:
    """Return how the runs of a journal's plan were measured."""
    return MeasurementSettings(
        request=Request(solutions=plan["solutions"], time_limit=plan["time_limit"]),
        sample_ns=round(plan["sample_ms"] * 1e6),
        cpu_limit=plan.get("cpu_limit") or None,
        memory_limit=plan["memory_limit"] << 20 or None,
        seed=plan["seed"],
        relabel=plan["relabel"],
    )


def solvers_of(
    backends: Iterable[BackendLike],
    *,
    self_test: bool = False,
    programs: Mapping[str, BackendSpec] | None = None,
) -> dict[str, Solver]:
    """Return solvers by their labels.

    Args:
        backends: labels, with or without short names, or other backends.
        self_test: whether the first one is listed twice.
        programs: entries that labels may name in addition to those of the catalogue.

    Raises:
        SettingsError: a label is listed twice.
        UnknownBackendError, BackendNotInstalledError, OptionError: a backend cannot be used.
    """
    solvers: dict[str, Solver] = {}
    for backend in backends:
        solver = backend if isinstance(backend, Solver) else _loaded(backend, programs or {})
        if solver.label in solvers:
            raise SettingsError(f"backends: {solver.label!r} is listed twice")
        solvers[solver.label] = solver
    if self_test and solvers:
        first = next(iter(solvers))
        solvers[_twin_of(first)] = solvers[first]
    return solvers


def names_of(backends: Iterable[str], labels: Sequence[str]) -> dict[str, str]:
    """Return the short names of backends, by the labels of their solvers.

    Raises:
        SettingsError: a name is given twice, or is another backend's label.
    """
    names: dict[str, str] = {}
    for backend, label in zip(backends, labels, strict=False):  # a twin comes last
        name = split_name(backend)[0]
        if name and (name in names.values() or (name in labels and name != label)):
            raise SettingsError(f"backends: two of them are named {name!r}")
        if name:
            names[label] = name
    return names


def solver_of(label: str, plan: Mapping[str, Any], journal: Path) -> Solver:
    """Return the solver for a label in a journal; the label may be that of a twin.

    Modules, and files in commands, are those of the journal's folder.

    Args:
        label: the label.
        plan: the plan in the journal's header, which includes the programs.
        journal: the journal.

    Raises:
        SettingsError: what the label would start is not trusted in the journal's folder.
        UnknownBackendError, BackendNotInstalledError, OptionError: as `load`.
    """
    folder, name = journal.absolute().parent, label.removesuffix(_TWIN)
    require(str(journal), folder, starts_in_journal({**plan, "backends": [name]}))
    rows = programs_of(plan.get("programs", {}), "programs", str(folder))
    with naming(folder=folder):
        return _loaded(name, rows)


def starts_in_journal(plan: Mapping[str, Any]) -> tuple[Launch, ...]:
    """Return what the labels in a journal's plan would start or import.

    Raises:
        UnknownBackendError, OptionError: as `starts_of`.
    """
    labels = (label.removesuffix(_TWIN) for label in plan["backends"])
    return starts_of(map(parse_label, labels), plan.get("programs", {}))


def _loaded(
    backend: str | Backend | Callable[..., object], programs: Mapping[str, BackendSpec]
) -> Solver:
    if not isinstance(backend, str):
        return load(backend)
    label = split_name(backend)[1]
    name, options = parse_label(label)
    return solver_of_row(programs[name], options) if name in programs else load(label)


_TWIN = " (again)"


def _twin_of(label: str) -> str:
    """Return the name of a backend that is listed a second time."""
    return label + _TWIN


def read_plan(path: Path) -> ComparisonPlan:
    """Read a plan from a TOML file; file names and modules in it are those of its folder.

    What it would start must be trusted, unless it is an example that comes with the package: then
    the modules are those of the package.

    Raises:
        SettingsError: a key is unknown or missing, or a value is of the wrong type.
    """
    kinds = {
        "backends": listed_of(TEXT),
        "puzzles": listed_of(TABLE),
        "programs": TABLE,
        **_SETTINGS,
    }
    table = check_table(read_toml(path), kinds, str(path))
    example = is_example(path)
    table |= {
        "source": None if example else path,
        "modules": examples_folder() if example else path.parent,
    }
    puzzles = tuple(_source(part, f"{path}: puzzles") for part in table.pop("puzzles", ()))
    backends = tuple(table.pop("backends", ()))
    programs_of(table.get("programs", {}), str(path), str(path.parent), used=BUILT_IN)
    try:
        return ComparisonPlan(**table, backends=backends, puzzles=puzzles, folder=path.parent)
    except InputError as error:
        raise SettingsError(f"{path}: {error}") from error


def _source(table: object, where: str) -> PuzzleSource:
    texts = listed_of(TEXT)
    kinds = {"examples": texts, "files": texts, "variant": TEXT, "size": WHOLE, "solutions": WHOLE}
    checked = check_table(table, kinds, where)
    lists = {key: tuple(value) for key, value in checked.items() if isinstance(value, list)}
    return PuzzleSource(**(checked | lists))
