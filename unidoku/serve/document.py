"""The puzzle that is edited: the text of its file, what it says, and what a player wrote on it.

A `State` is a value: an edit makes a new one, so that undoing is to take an older one, and a search
works on the state that it was asked about whatever happens meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from unidoku.core.bits import bit
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.rules.base import Rule
from unidoku.errors import FormatError, InputError
from unidoku.formats import Puzzle
from unidoku.formats.toml.edit import with_key
from unidoku.formats.toml.file import VERSION, write_toml
from unidoku.formats.toml.shorthand import expand
from unidoku.formats.toml.table import PUZZLE, puzzle_from_table, with_definitions
from unidoku.support.toml import parse_toml

MOST_CELLS = 1024
"""The most cells of a board that is edited: 32 by 32."""

MOST_RULES = 2_000
"""The most elements in its list of rules."""

LONGEST = 1 << 18
"""The most characters of its file."""

_VERSION = "version"
_SEVERAL = "puzzles"
_HOLE = "#"


@dataclass(frozen=True, slots=True)
class Content:
    """A puzzle file and its meaning.

    Args:
        text: the file.
        table: its keys and values.
        puzzle: the puzzle, without the keys that are not known.
        parts: the rules that each element of its list of rules stands for.
        unknown: its keys that are not known: they are kept, and have no meaning.
    """

    text: str
    table: Mapping[str, Any]
    puzzle: Puzzle
    parts: tuple[tuple[Rule, ...], ...]
    unknown: tuple[str, ...]

    @property
    def layout(self) -> Layout:
        """The layout of the puzzle."""
        return self.puzzle.board.layout


@lru_cache(maxsize=16)
def content_of(text: str) -> Content:
    """Return what a puzzle file says.

    Raises:
        FormatError: it is not a puzzle file with one puzzle, or larger than a page can edit.
    """
    if len(text) > LONGEST:
        raise FormatError(f"expected a file of up to {LONGEST:,} characters, got {len(text):,}")
    try:
        table = parse_toml(text)
    except ValueError as error:
        raise FormatError(f"expected a puzzle file in TOML: {error}") from error
    if table.get(_VERSION) != VERSION or table[_VERSION] is True:
        raise FormatError(f"expected a puzzle file with the line `version = {VERSION}`, got none")
    if _SEVERAL in table:
        raise FormatError("expected a file of one puzzle, got `puzzles`; put each into its own")
    known = {key: value for key, value in table.items() if key in PUZZLE}
    unknown = tuple(key for key in table if key not in known and key != _VERSION)
    if isinstance(rules := known.get("rules"), list) and len(rules) > MOST_RULES:
        raise FormatError(f"expected up to {MOST_RULES:,} rules, got {len(rules):,}")
    puzzle = puzzle_from_table(known, 1)
    layout = puzzle.board.layout
    if len(layout) > MOST_CELLS:
        raise FormatError(f"expected a board of up to {MOST_CELLS:,} cells, got {len(layout):,}")
    sizes = [sum(1 for _ in expand(layout, rule)) for rule in with_definitions(known)]
    expanded = iter(layout.rules[len(layout.rules) - sum(sizes) :])
    parts = tuple(tuple(next(expanded) for _ in range(size)) for size in sizes)
    return Content(text, table, puzzle, parts, unknown)


@dataclass(frozen=True, slots=True)
class Marks:
    """What a player wrote on the board; each but the pen a tuple with a number for each cell.

    Args:
        entries: the values, 0 for none.
        corner: sets of values at the sides of a cell.
        centre: sets of values in its middle.
        colours: sets of colours.
        pen: lines that were drawn, each the row and column of its ends; see
            `unidoku.serve.edits.lines_of`.
    """

    entries: tuple[int, ...]
    corner: tuple[int, ...]
    centre: tuple[int, ...]
    colours: tuple[int, ...]
    pen: tuple[tuple[int, int, int, int], ...] = ()

    @classmethod
    def none(cls, cells: int) -> Marks:
        """Return the marks of a board on which nothing is written."""
        return cls(*((0,) * cells,) * 4)


LAYERS = ("entries", "corner", "centre", "colours")
"""The layers of what a player writes."""


@dataclass(frozen=True, slots=True)
class State:
    """A puzzle file, what a player wrote, and rules that are switched off or hidden.

    Args:
        text: the file, which is valid.
        marks: what a player wrote.
        ignored: indices of rules in the file that are switched off.
        hidden: indices of rules in the file that are not drawn.
    """

    text: str
    marks: Marks
    ignored: frozenset[int] = frozenset()
    hidden: frozenset[int] = frozenset()

    @classmethod
    def of(cls, text: str) -> State:
        """Return the state of a puzzle file on which nothing is written.

        Raises:
            FormatError: as `content_of`.
        """
        return cls(text, Marks.none(len(content_of(text).layout)))

    @property
    def content(self) -> Content:
        """What the file says."""
        return content_of(self.text)

    @property
    def puzzle(self) -> Board:
        """The puzzle, without the rules that are switched off and without entries."""
        return _puzzle(self.text, self.ignored)

    @property
    def board(self) -> Board:
        """The puzzle with the entries as givens; this is what questions are about."""
        return _with_entries(self.text, self.ignored, self.marks.entries)

    @property
    def digest(self) -> str:
        """The digest of the board."""
        return _digest(self.text, self.ignored, self.marks.entries)

    def with_text(self, text: str) -> State:
        """Return a state with another file; what a player wrote stays where it still fits.

        Raises:
            FormatError: as `content_of`.
        """
        old, new = self.content, content_of(text)
        marks = self.marks
        if old.layout.positions != new.layout.positions or old.layout.n != new.layout.n:
            marks = Marks.none(len(new.layout))
        else:
            pairs = zip(new.puzzle.board.givens, marks.entries, strict=True)
            marks = replace(marks, entries=tuple(0 if given else e for given, e in pairs))
        ignored, hidden = self.ignored, self.hidden
        if old.table.get("rules") != new.table.get("rules"):
            ignored, hidden = _followed(old, new, ignored), _followed(old, new, hidden)
        return State(text, marks, ignored, hidden)


@dataclass(frozen=True, slots=True)
class Version:
    """A state that was kept under a name."""

    name: str
    state: State


def _followed(old: Content, new: Content, indices: frozenset[int]) -> frozenset[int]:
    """Return where rules of an old file are in a new one, as far as they are there."""
    before, after = old.table.get("rules", []), new.table.get("rules", [])
    same = len(before) == len(after)  # one was changed in its place
    return frozenset(
        position
        for position, rule in enumerate(after)
        if any(before[index] == rule or (same and index == position) for index in indices)
    )


@lru_cache(maxsize=16)
def _puzzle(text: str, ignored: frozenset[int]) -> Board:
    content = content_of(text)
    return on_layout(content, content.puzzle.board, ignored)


def on_layout(content: Content, board: Board, left_out: frozenset[int]) -> Board:
    """Return a board on the layout without some elements of the list of rules."""
    if not left_out:
        return board
    layout = board.layout
    first = len(layout.rules) - sum(map(len, content.parts))
    rules = [*layout.rules[:first]]
    for index, part in enumerate(content.parts):
        rules += () if index in left_out else part
    return Board(replace(layout, rules=tuple(rules)), board.candidates)


@lru_cache(maxsize=16)
def _with_entries(text: str, ignored: frozenset[int], entries: tuple[int, ...]) -> Board:
    board = _puzzle(text, ignored)
    if not any(entries):
        return board
    masks = tuple(
        bit(value) if value else mask for mask, value in zip(board.candidates, entries, strict=True)
    )
    return Board(board.layout, masks)


@lru_cache(maxsize=64)
def _digest(text: str, ignored: frozenset[int], entries: tuple[int, ...]) -> str:
    return _with_entries(text, ignored, entries).digest


def text_of(puzzle: Puzzle) -> str:
    """Return the puzzle file of a puzzle.

    Raises:
        InputError: it has a rule of a user's own class.
    """
    return f"{write_toml([puzzle])}\n"


def new_text(size: int, variant: str) -> str:
    """Return the file of an empty puzzle."""
    return with_key(with_key(f"version = {VERSION}\n", "variant", variant), "size", size)


def with_givens(content: Content, values: Mapping[int, int]) -> str:
    """Return a puzzle file with other givens in some cells, 0 for none.

    Candidates that the file states for these cells are removed.

    Raises:
        InputError: the file has no place for them.
    """
    board = content.puzzle.board
    layout = board.layout
    givens = [*board.givens]
    stated = {*content.table.get("candidates", {})}
    for cell, value in values.items():
        givens[cell] = value
        if {layout.names[cell]} & stated:
            candidates = dict(content.table["candidates"])
            del candidates[layout.names[cell]]
            content = content_of(with_key(content.text, "candidates", candidates or None))
    rows = "\n".join(_rows(layout, givens, has_holes=_HOLE in str(content.table.get("givens"))))
    text = content.text
    if "size" not in content.table:
        text = with_key(text, "size", layout.n)
    text = with_key(text, "givens", rows)
    written = content_of(text).puzzle.board
    for cell, value in values.items():
        if written.givens[cell] != value:
            names = layout.names[cell]
            raise InputError(f"{names}: the file states its candidates in a form that stays")
    return text


def _rows(layout: Layout, values: list[int], *, has_holes: bool) -> Iterator[str]:
    """Yield the rows of a grid of values."""
    separator = "" if max(map(len, layout.shown)) == 1 else " "
    for row in range(layout.rows):
        words = []
        for column in range(layout.columns):
            cell = layout.cell_at.get((row, column))
            if cell is not None:
                words.append(layout.shown[values[cell]])
            elif has_holes:
                words.append(_HOLE)
        if words:
            yield separator.join(words)
