"""What to compare: a TOML file, checked key by key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unidoku.backends.base import Request
from unidoku.backends.solver import Solver, load
from unidoku.compare.cases import Case, PuzzleSource, read_cases
from unidoku.config import read_toml
from unidoku.errors import InputError, SettingsError, UnidokuError, nearest

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
        if self.repeats < 1:
            raise SettingsError(f"repeats: expected at least 1, got {self.repeats}")
        _ = self.request

    @property
    def request(self) -> Request:
        """What each run asks."""
        return Request(solutions=self.solutions, time_limit=self.time_limit)

    def solvers(self) -> dict[str, Solver]:
        """Return the solvers by label; the labels are as the solvers write them."""
        solvers: dict[str, Solver] = {}
        for label in self.backends:
            solver = load(label)
            if solver.label in solvers:
                raise SettingsError(f"backends: {solver.label!r} is there twice")
            solvers[solver.label] = solver
        return solvers

    def cases(self) -> tuple[Case, ...]:
        """Read the cases."""
        return read_cases(self.puzzles, self.folder)

    def changed(self, **changes: Any) -> Comparison:
        """Return the comparison with the changes that are not None."""
        return replace(self, **{key: value for key, value in changes.items() if value is not None})


def read_comparison(path: Path) -> Comparison:
    """Read a comparison from a TOML file; relative file names in it are relative to its folder.

    Raises:
        SettingsError: a key is unknown or missing, or a value is of the wrong type.
    """
    table = read_toml(path)
    puzzles = table.pop("puzzles", None)
    try:
        _check_keys(
            table,
            {"backends": list, "repeats": int, "solutions": int, "seed": int},
            floats=("time_limit",),
        )
        if not isinstance(puzzles, list) or not puzzles:
            raise SettingsError("puzzles: expected one [[puzzles]] table or more")
        sources = tuple(_source(part) for part in puzzles)
        for label in table.get("backends", []):
            if not isinstance(label, str):
                raise SettingsError(f"backends: expected texts, got {label!r}")
        table["backends"] = tuple(table.get("backends", ()))
        return Comparison(**table, puzzles=sources, folder=path.parent)
    except (InputError, UnidokuError) as error:
        raise SettingsError(f"{path}: {error}") from error


def _source(table: object) -> PuzzleSource:
    if not isinstance(table, dict):
        raise SettingsError(f"puzzles: expected a table, got {table!r}")
    types = {"examples": list, "files": list, "variant": str, "size": int, "solutions": int}
    _check_keys(table, types, prefix="puzzles.")
    lists = {key: tuple(value) for key, value in table.items() if isinstance(value, list)}
    return PuzzleSource(**(table | lists))


def _check_keys(
    table: Mapping[str, Any],
    types: Mapping[str, type],
    *,
    floats: tuple[str, ...] = (),
    prefix: str = "",
) -> None:
    known = [*types, *floats]
    for key, value in table.items():
        if key not in known:
            raise SettingsError(f"unknown key {prefix + key!r}; {nearest(key, known)}")
        expected = (int, float) if key in floats else types[key]
        if not isinstance(value, expected) or isinstance(value, bool):
            name = "number" if key in floats else types[key].__name__
            raise SettingsError(f"{prefix}{key}: expected a {name}, got {value!r}")
