"""Families with their own formats: layouts made from their clues, and help for writers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TypeAlias, TypeVar

from unidoku.core.board import Board
from unidoku.core.layout import Layout, Position
from unidoku.core.rules import (
    Killer,
    Line,
    LinesDiffer,
    NonogramLine,
    NoThreeEqual,
    Rule,
    SumOfCells,
)
from unidoku.errors import InputError
from unidoku.formats.frame import Frame
from unidoku.formats.losses import Losses, Report
from unidoku.formats.puzzles import Puzzle

MOST_SIDE = 250
"""The most rows and columns that readers of families accept: more than any puzzle has."""

Clues: TypeAlias = Sequence[Sequence[int]]
"""The blocks of each line of a nonogram."""

ColouredClues: TypeAlias = Sequence[Sequence[tuple[int, int]]]
"""The blocks of each line, each a length and the value of its colour."""

Run: TypeAlias = tuple[tuple[int, ...], int | None]
"""The cells of a run of Kakuro, and their total, None if they only differ."""

_R = TypeVar("_R", bound=Rule)


def _of_two(rows: int, columns: int) -> Layout:
    """Return cells without units, each of which holds 0 or 1."""
    return Layout.from_units(2, (), shape=(rows, columns), first_value=0)


def nonogram(rows: Clues, columns: Clues) -> Layout:
    """Return the layout of a nonogram: 1 is a filled cell, 0 a blank one."""
    clues = zip(Frame(len(rows), len(columns)).lines(), (*rows, *columns), strict=True)
    layout = _of_two(len(rows), len(columns))
    rules = [NonogramLine(line, tuple(blocks)) for line, blocks in clues]
    return replace(layout, rules=(*rules,), name="nonogram")


def coloured_nonogram(rows: ColouredClues, columns: ColouredClues, colours: int) -> Layout:
    """Return the layout of a nonogram of colours: 0 is a blank cell, 1 and above are colours.

    Blocks of one colour have a blank between them; those of different colours may touch.
    """
    clues = zip(Frame(len(rows), len(columns)).lines(), (*rows, *columns), strict=True)
    layout = Layout.from_units(colours + 1, (), shape=(len(rows), len(columns)), first_value=0)
    rules = [_coloured_line(line, tuple(blocks)) for line, blocks in clues]
    return replace(layout, rules=(*rules,), name="nonogram of colours")


def _coloured_line(line: tuple[int, ...], blocks: Sequence[tuple[int, int]]) -> Line:
    """Return the rule of a line: its state is the complete blocks and the length of the next."""

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        done, length = state
        if length:
            wanted, colour = blocks[done]
            if value == colour:
                return (done, length + 1) if length < wanted else None
            if length < wanted:
                return None
            done += 1
        if not value:
            return (done, 0)
        return (done, 1) if done < len(blocks) and blocks[done][1] == value else None

    def accept(state: tuple[int, int]) -> bool:
        done, length = state
        return done + (length > 0) == len(blocks) and (not length or length == blocks[done][0])

    name = " ".join([f"{length} of {colour}" for length, colour in blocks]) or "blank"
    return Line(line, (0, 0), step, accept, name)


def nonogram_clues(rest: Rest, form: str) -> tuple[Clues, Clues]:
    """Take the clues of a nonogram from the rest of a puzzle.

    Raises:
        InputError: the puzzle is of another family.
    """
    layout = rest.layout
    filled = layout.first_value + 1
    clues: dict[tuple[int, ...], tuple[int, ...]] = {}
    if layout.n == 2 and not layout.units and _is_full(layout):
        for rule in rest.take(NonogramLine, lambda rule: rule.filled == filled):
            clues[rule.line] = rule.blocks
            clues[rule.line[::-1]] = rule.blocks[::-1]
    whole = Frame(layout.rows, layout.columns).lines()
    if not all(line in clues for line in whole):
        raise InputError(f"{form} holds nonograms, with a clue for each row and each column")
    ordered = [clues[line] for line in whole]
    return ordered[: layout.rows], ordered[layout.rows :]


def takuzu(rows: int, columns: int, *, distinct: bool) -> Layout:
    """Return the layout of Takuzu: as many 0 as 1 in each line, no three equal ones in a row.

    Args:
        rows: number of rows, even.
        columns: number of columns, even.
        distinct: whether all rows differ, and all columns.
    """
    whole = Frame(rows, columns).lines()
    rules: list[Rule] = [SumOfCells(line, len(line) // 2) for line in whole]
    rules += [NoThreeEqual(line) for line in whole]
    if distinct:
        for part in (whole[:rows], whole[rows:]):
            rules += [LinesDiffer(first, other) for first, other in combinations(part, 2)]
    return replace(_of_two(rows, columns), rules=(*rules,), name="takuzu")


def take_takuzu(rest: Rest, form: str) -> bool:
    """Take the rules of Takuzu from the rest of a puzzle; return whether lines differ.

    Raises:
        InputError: the puzzle is of another family.
    """
    layout = rest.layout
    expected = f"{form} holds Takuzu: values 0 and 1, even sides, as many of each in each line"
    if (layout.n, layout.first_value, layout.units) != (2, 0, ()) or not _is_full(layout):
        raise InputError(expected)
    if layout.rows % 2 or layout.columns % 2:
        raise InputError(expected)
    for distinct in (True, False):
        wanted = takuzu(layout.rows, layout.columns, distinct=distinct).rules
        if {*wanted} <= {*rest.rules}:
            rest.rules = [rule for rule in rest.rules if rule not in wanted]
            return distinct
    raise InputError(expected)


def kakuro(positions: Iterable[Position], runs: Iterable[Run]) -> Layout:
    """Return the layout of Kakuro with values 1 to 9; runs list cells in reading order."""
    layout = Layout.from_units(9, (), positions=positions)
    rules = [Killer(cells, total) for cells, total in runs]
    return replace(layout, rules=(*rules,), name="kakuro")


def _is_full(layout: Layout) -> bool:
    return len(layout) == layout.rows * layout.columns and not layout.hidden


class Rest:
    """The parts of a puzzle that a writer has not written yet."""

    def __init__(self, puzzle: Puzzle) -> None:
        """Start with the whole puzzle."""
        self.puzzle = puzzle
        self.layout = puzzle.board.layout
        self.rules: list[Rule] = [*self.layout.rules]
        self.report = Report()

    def take(self, kind: type[_R], fits: Callable[[_R], bool] = lambda rule: True) -> list[_R]:
        """Remove and return the rules of a kind that fit; the caller writes them."""
        fitting = [rule for rule in self.rules if isinstance(rule, kind) and fits(rule)]
        self.rules = [rule for rule in self.rules if rule not in fitting]
        return fitting

    def givens(self) -> tuple[int, ...]:
        """Return the givens, 0 in all other cells, whose candidates are reported as lost."""
        board = self.puzzle.board
        if Board.from_values(board.layout, board.givens) != board:
            self.report.drop("candidates of cells that are not given")
        return board.givens

    def losses(self, *written: str) -> Losses:
        """Return the losses when writing is complete; ``written`` names written fields."""
        for kind in sorted({rule.kind for rule in self.rules}):
            self.report.drop(f"rules: {kind}")
        for key in ("name", "author", "solution"):
            if getattr(self.puzzle, key) and key not in written:
                self.report.drop(key)
        return self.report.losses
