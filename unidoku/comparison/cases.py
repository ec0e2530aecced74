"""Cases: the boards of a comparison, each with an id, its source, and its number of solutions."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path

from unidoku.core.board import Board
from unidoku.errors import InputError
from unidoku.files.examples import find_example
from unidoku.files.puzzles import puzzles_in
from unidoku.files.ruled import Lost, Skipped
from unidoku.files.source import Source, files_in
from unidoku.formats import Puzzle
from unidoku.formats.catalogue import recognised
from unidoku.support.schema import NUMBERS, shown
from unidoku.support.text import plural

MOST = 100_000
"""The most boards of a comparison; each takes some kilobytes of memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A board to be solved by every backend.

    Args:
        board: the board; its digest is the case's id.
        name: its name in the source, or its place there.
        source: the file or example.
        solutions: number of solutions, if it is known.
        numbers: facts about it in numbers, each with its name, such as ``{"holes": 42}``.
    """

    board: Board
    name: str
    source: str
    solutions: int | None = None
    numbers: Mapping[str, float] = field(default_factory=dict, hash=False)

    @property
    def id(self) -> str:
        """The digest of the board."""
        return self.board.digest


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleSource:
    """The source of cases: examples by name, files by name or glob pattern, or boards.

    Args:
        examples: names of built-in examples.
        files: paths, folders and glob patterns.
        boards: boards that have been read already.
        variant: variant of the boards in the files.
        size: number of values, needed only where a file could be read in two sizes.
        solutions: number of solutions of each board, if it is known.
    """

    examples: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    boards: tuple[Puzzle, ...] = ()
    variant: str = "classic"
    size: int | None = None
    solutions: int | None = None

    def __post_init__(self) -> None:
        """Raise for impossible numbers."""
        if self.solutions is not None and self.solutions < 0:
            raise InputError(f"puzzles: solutions: expected 0 or more, got {self.solutions}")


def read_cases(sources: Iterable[PuzzleSource], folder: Path) -> tuple[Case, ...]:
    """Read all cases of the sources; relative file names are relative to a folder.

    A board that appears twice is one case, under its first name. Puzzles in the neutral form with
    unknown rules are left out, and a warning gives their number and the reasons.

    Raises:
        InputError: no file matches, a file cannot be read, or there are no cases.
        FormatError: part of a file is not a board; the message states the place.
    """
    cases: dict[str, Case] = {}
    for source in sources:
        for case in _cases(source, folder):
            cases.setdefault(case.id, case)
            if len(cases) > MOST:
                raise InputError(
                    f"expected at most {plural(MOST, 'board')} to compare on, got more in "
                    f"{case.source}; give fewer of them"
                )
    if not cases:
        raise InputError("expected puzzles to compare on, got none; name examples or files")
    return tuple(cases.values())


def _cases(source: PuzzleSource, folder: Path) -> Iterator[Case]:
    for name in source.examples:
        example = find_example(name)
        for puzzle in example.puzzles():
            yield _case(puzzle, name, example.solutions)
    for name in _sources(source.files, folder):
        file = Source(name, source.variant, source.size)
        skipped, lost, read = Skipped(), Lost(file.name), 0
        for puzzle in lost.noting(puzzles_in(file, skipped)):
            read += 1
            yield _case(puzzle, file.name, source.solutions)
        if skipped.count:
            warnings.warn(f"{name}: {skipped.summary(read)}", UserWarning, stacklevel=2)
        for loss in lost.lines:
            warnings.warn(loss, UserWarning, stacklevel=2)
    for puzzle in source.boards:
        yield _case(puzzle, "boards", source.solutions)


def _case(puzzle: Puzzle, source: str, solutions: int | None) -> Case:
    name = puzzle.name or f"{Path(source).stem}:{puzzle.line}"
    count = puzzle.solutions if solutions is None else solutions
    numbers = dict(puzzle.numbers)
    if not NUMBERS.holds(numbers):
        raise InputError(f"{name}: numbers: expected {NUMBERS}, got {shown(numbers)}")
    return Case(board=puzzle.board, name=name, source=source, solutions=count, numbers=numbers)


def _sources(patterns: Iterable[str], folder: Path) -> Iterator[str]:
    """Yield the names of files, and links or texts of puzzles as they are."""
    for pattern in patterns:
        path = folder / pattern
        if recognised(pattern.encode(errors="replace")):
            yield pattern
        elif path.is_dir():
            yield from map(str, files_in(path)[0])
        elif path.is_file():
            yield str(path)
        else:
            matches = sorted(glob(str(path), recursive=True))  # noqa: PTH207 - Path's refuses absolute ones
            if not matches:
                raise InputError(f"expected puzzle files, but nothing matches {str(path)!r}")
            yield from (match for match in matches if not Path(match).is_dir())
