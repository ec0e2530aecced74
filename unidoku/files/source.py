"""Where boards come from: files, folders of them, standard input, or the text of a board."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from unidoku.core.layout import Layout
from unidoku.core.variants import Variant
from unidoku.errors import InputError, reason
from unidoku.formats import Puzzle, read_blocks, read_puzzles
from unidoku.formats.catalogue import FORMATS, find_format, recognised
from unidoku.formats.short_links import is_link, short_link
from unidoku.formats.stream import open_stream
from unidoku.support.schema import shown
from unidoku.support.text import listed, plural

LARGE = 1 << 16
"""Bytes above which a file of boards is read in parts."""

TEXT = "text"
"""The format of boards as plain text, which has no mark."""

TABLES = (".csv", ".tsv")
"""The endings of tables' names."""

ENDINGS = (".txt", ".sdk", ".sdm", ".ss", ".sudoku", *TABLES, ".npy")
"""The endings of the files that are taken from a folder; ``.gz`` may follow."""

PUZZLE_FILES = tuple(
    dict.fromkeys(
        ending
        for form in FORMATS.values()
        for ending in form.endings
        if form.reader and ending not in ENDINGS
    )
)
"""Endings of files that are taken only if they hold puzzles of a format."""

_LONGEST_NAME = 200
"""The longest text that messages quote as a whole: a link may have thousands of characters."""


@dataclass(frozen=True, slots=True)
class Source:
    """Boards from one place: a file, ``-`` for standard input, the text of a board, or a link.

    Variant, size and symbols are those of `unidoku.Board.parse`. ``column`` is the name or the
    number, from 1, of a table's column of boards, needed where several hold boards. ``form`` is the
    name of a format, needed where the text does not show it; ``guess`` allows readers of pictures
    to guess rules.
    """

    puzzle: str
    variant: str | Layout = "classic"
    size: int | None = None
    symbols: str | None = None
    column: str | None = None
    form: str | None = None
    guess: bool = False

    @property
    def name(self) -> str:
        """The name of the source in messages."""
        if self.puzzle == "-":
            return "standard input"
        return self.puzzle if len(self.puzzle) <= _LONGEST_NAME else shown(self.puzzle)

    @property
    def is_file(self) -> bool:
        """Whether the source is a file, or anything else that has a path."""
        return os.path.exists(self.puzzle)  # noqa: PTH110 - Path.exists raises on a long text

    @property
    def is_stream(self) -> bool:
        """Whether it is a file or standard input, not the text of a board."""
        return self.puzzle == "-" or self.is_file

    @property
    def path(self) -> Path | None:
        """The file; None for standard input."""
        return None if self.puzzle == "-" else Path(self.puzzle)

    @property
    def has_maps(self) -> bool:
        """Whether each board in the text has a map of regions."""
        return isinstance(self.variant, str) and Variant.parse(self.variant).needs_regions

    @property
    def is_table(self) -> bool:
        """Whether it is a table: its name has the ending of one, or a column is named."""
        suffix = Path(self.puzzle.removesuffix(".gz")).suffix if self.is_file else ""
        return suffix in TABLES or (self.is_stream and self.column is not None)

    @property
    def is_plain_file(self) -> bool:
        """Whether it is a file that can be read again, unlike a pipe or standard input."""
        return self.is_file and os.path.isfile(self.puzzle)  # noqa: PTH113 - Path raises on a long text

    def read(self, blocks: Iterable[bytes]) -> Iterator[Puzzle]:
        """Yield the boards of a text of this source, given in blocks of whole lines."""
        return read_blocks(blocks, self.name, self.variant, size=self.size, symbols=self.symbols)

    def boards(self) -> list[Puzzle]:
        """Return the boards of a source that is itself the text of boards.

        Raises:
            FormatError: part of it is not a board.
            InputError: it looks like the name of a file.
        """
        if self.column is not None:
            raise InputError(f"--column: expected a table, got the text {self.puzzle!r}")
        if is_link(self.puzzle):
            raise InputError(short_link(self.puzzle))
        if re.fullmatch(r".*[/\\].*|.*\.[A-Za-z]\w*", self.puzzle):
            raise InputError(
                f"expected a file or the text of a board, got {self.puzzle!r}: no such file"
            )
        return read_puzzles(self.puzzle, self.variant, size=self.size, symbols=self.symbols)


@dataclass(frozen=True, slots=True)
class Sources:
    """Boards of one source or of several, in order.

    Args:
        sources: the sources.
        skipped: files in folders that were left out because of their endings.
    """

    sources: tuple[Source, ...]
    skipped: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        names: Iterable[str | os.PathLike[str]],
        variant: str | Layout = "classic",
        size: int | None = None,
        symbols: str | None = None,
        column: str | None = None,
        form: str | None = None,
        *,
        guess: bool = False,
    ) -> Sources:
        """Return the sources for files, folders, texts of boards, or ``-`` for standard input.

        Raises:
            InputError: a folder holds no file of boards, or there is no such format.
        """
        if form is not None:
            find_format(form)
        paths: list[str] = []
        skipped: list[str] = []
        for name in [os.fspath(name) for name in names]:
            if os.path.isdir(name):  # noqa: PTH112 - Path.is_dir raises on a long text
                files, others = files_in(Path(name))
                paths += map(str, files)
                skipped += map(str, others)
            else:
                paths.append(name)
        sources = (Source(name, variant, size, symbols, column, form, guess) for name in paths)
        return cls(tuple(sources), tuple(skipped))

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks for the user, such as which files were skipped."""
        if not self.skipped:
            return ()
        endings = listed([*self.skipped[:3], *(["others"] if len(self.skipped) > 3 else [])])
        return (f"{plural(len(self.skipped), 'file')} skipped for the ending: {endings}",)


def files_in(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the files of a folder that hold boards, and the other files, each sorted by name.

    Endings decide which files hold boards. Hidden files and subfolders are in neither list.

    Raises:
        InputError: the folder holds no file of boards, or cannot be read.
    """
    try:
        files = sorted(path for path in folder.iterdir() if path.is_file())
    except OSError as error:
        raise InputError(f"{folder} cannot be read: {reason(error)}") from error
    visible = [path for path in files if not path.name.startswith(".")]
    readable = [path for path in visible if _holds_boards(path)]
    if not readable:
        raise InputError(
            f"expected files of boards in {str(folder)!r}, got none that ends in "
            f"{listed(ENDINGS, 'or')}, and no puzzle file"
        )
    return readable, [path for path in visible if path not in set(readable)]


def _holds_boards(path: Path) -> bool:
    """Return whether a file holds boards, by its ending; for puzzle files, by its beginning."""
    name = path.name.lower().removesuffix(".gz")
    return name.endswith(ENDINGS) or (name.endswith(PUZZLE_FILES) and is_puzzle_file(path))


def is_puzzle_file(path: Path) -> bool:
    """Return whether a file holds puzzles of a format, and not some other TOML or JSON.

    Raises:
        InputError: it cannot be read.
    """
    with open_stream(path) as stream:
        return bool(recognised(next(stream.blocks(), b"")))
