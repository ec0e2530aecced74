"""What to compare: a TOML file, checked key by key."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unidoku.backends.base import Request
from unidoku.backends.solver import Solver, load
from unidoku.compare.cases import Case, PuzzleSource, read_cases
from unidoku.config import Types, check_table, read_toml
from unidoku.errors import InputError, SettingsError

__all__ = ["Comparison", "read_comparison"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A comparison as it is asked for.

    Args:
        backends: labels; one backend may stand in several, with other options.
        puzzles: where the cases come from.
        repeats: runs of each case by each backend.
        time_limit: seconds a run.
        solutions: asked of each run; 2 tells whether a board is proper.
        seed: of the order of the runs.
        folder: which relative file names are relative to.
    """

    backends: tuple[str, ...]
    puzzles: tuple[PuzzleSource, ...]
    repeats: int = 3
    time_limit: float = 10.0
    solutions: int = 2
    seed: int = 1
    folder: Path = Path()

    def __post_init__(self) -> None:
        """Refuse what cannot be compared."""
        if not self.backends:
            raise SettingsError("backends: expected at least one, got none")
        if not self.puzzles:
            raise SettingsError("puzzles: expected one [[puzzles]] table or more, got none")
        if self.repeats < 1:
            raise SettingsError(f"repeats: expected at least 1, got {self.repeats}")
        _ = self.request

    @property
    def request(self) -> Request:
        """What each run asks."""
        return Request(solutions=self.solutions, time_limit=self.time_limit)

    def solvers(self) -> dict[str, Solver]:
        """Return the solvers by label; the labels are as the solvers write them.

        The settings of the working folder do not count: a comparison is what its file says.

        Raises:
            SettingsError: one label stands twice.
            UnknownBackendError, BackendNotInstalledError, OptionError: as they say.
        """
        solvers: dict[str, Solver] = {}
        for label in self.backends:
            solver = load(label)
            if solver.label in solvers:
                raise SettingsError(f"backends: {solver.label!r} is there twice")
            solvers[solver.label] = solver
        return solvers

    def cases(self) -> tuple[Case, ...]:
        """Read the cases.

        Raises:
            InputError, FormatError: as `read_cases`.
        """
        return read_cases(self.puzzles, self.folder)

    def changed(self, **changes: Any) -> Comparison:
        """Return the comparison with the changes that are not None."""
        return replace(self, **{key: value for key, value in changes.items() if value is not None})


def read_comparison(path: Path) -> Comparison:
    """Read a comparison from a TOML file; relative file names in it are relative to its folder.

    Raises:
        SettingsError: a key is unknown or missing, or a value is of the wrong type.
    """
    types: Types = {
        "backends": (list, str),
        "puzzles": (list, dict),
        "repeats": int,
        "time_limit": float,
        "solutions": int,
        "seed": int,
    }
    table = check_table(read_toml(path), types, str(path))
    puzzles = tuple(_source(part, f"{path}: puzzles") for part in table.pop("puzzles", ()))
    backends = tuple(table.pop("backends", ()))
    try:
        return Comparison(**table, backends=backends, puzzles=puzzles, folder=path.parent)
    except InputError as error:
        raise SettingsError(f"{path}: {error}") from error


def _source(table: object, where: str) -> PuzzleSource:
    types: Types = {
        "examples": (list, str),
        "files": (list, str),
        "variant": str,
        "size": int,
        "solutions": int,
    }
    checked = check_table(table, types, where)
    lists = {key: tuple(value) for key, value in checked.items() if isinstance(value, list)}
    return PuzzleSource(**(checked | lists))
