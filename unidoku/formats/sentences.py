"""The rules of a puzzle in the sentences that setters use, one for each kind.

What the sentence of a kind is, `unidoku.formats.kind_sentences` says.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from unidoku.core.bits import all_values, is_single
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.rules import Rule
from unidoku.errors import InputError
from unidoku.formats.grid_parts import GridParts, grid_parts
from unidoku.formats.kind_sentences import GLOBAL, SENTENCES, in_words
from unidoku.formats.looks import Looks, of_kind
from unidoku.support.language import listing, message


def rules_text(board: Board, pictured: Collection[Rule] | None = None) -> str:
    """Return the rules of a board as setters write them, a sentence on each line.

    >>> print(rules_text(Board.parse("1... ..2. .3.. ...4", "x")))
    Normal 4×4 sudoku rules apply.
    Digits do not repeat along the marked diagonals.

    Args:
        board: the board.
        pictured: the rules that a drawing shows; by default those that `Looks` has a picture for.
    """
    return "\n".join(sentences(board, Looks(board.layout), pictured))


def sentences(board: Board, looks: Looks, pictured: Collection[Rule] | None = None) -> list[str]:
    """Return the sentences, each once."""
    layout = looks.layout
    pictured_rules = looks.pictured if pictured is None else looks.pictured & frozenset(pictured)
    lines = [*_of_units(layout)]
    for kind, group in of_kind(layout).items():
        drawn = [rule for rule in group if rule in pictured_rules]
        others = [rule for rule in group if rule not in pictured_rules]
        lines += of_pictured(looks, drawn)
        if others:
            lines += GLOBAL.get(kind, in_words)(looks, others)
    if layout.s_cells is not None and any(
        value and len(layout.shown[value]) == 1 for value in board.givens
    ):
        lines.append(message("A given digit is the only one in its cell."))
    full = all_values(layout.n)
    if any(mask != full and not is_single(mask) for mask in board.candidates):
        lines.append(message("A cell with small digits holds one of them."))
    return [*dict.fromkeys(map(_capital, lines))]


def of_pictured(looks: Looks, drawn: Sequence[Rule]) -> list[str]:
    """Return the sentences of rules of one kind that have a picture."""
    return [*SENTENCES[type(drawn[0])](looks, drawn)] if drawn else []


def words_only(layout: Layout, pictured: Collection[Rule]) -> Iterator[str]:
    """Yield the losses of a drawing: kinds of rules that only its words tell, with their number.

    Rules about the whole grid need no picture.
    """
    lacking = Counter(
        rule.kind for rule in layout.rules if rule not in pictured and type(rule) not in GLOBAL
    )
    for kind, count in lacking.items():
        yield f"{kind} ({count}): in words, without a picture"
    if layout.hidden:
        yield "cells that are not drawn: words name them #1, #2, …"


def _capital(line: str) -> str:
    """Return a sentence that begins with a capital, unless it begins with the name of a cell."""
    return line if re.match(r"r\d", line) else line[:1].upper() + line[1:]


def _of_units(layout: Layout) -> Iterator[str]:
    """Yield what rows, columns, regions and other units mean."""
    try:
        parts = grid_parts(layout, "a drawing")
    except InputError:  # it has holes
        parts = None
    if parts is None or parts.lacking:
        low, high = layout.shown[1], layout.shown[-1]
        kinds = dict.fromkeys(message(unit.kind) for unit in layout.units)
        text = "Cells hold the values {low} to {high}."
        if kinds:
            text = "Cells hold the values {low} to {high}; values do not repeat in a {units}."
        yield message(text, low=low, high=high, units=listing(kinds))
        return
    if layout.s_cells is None:  # that rule has its own sentence
        yield _grid(layout, parts)
    if parts.falling and parts.rising:
        yield message("Digits do not repeat along the marked diagonals.")
    elif parts.falling or parts.rising:
        yield message("Digits do not repeat along the marked diagonal.")
    if parts.antiknight:
        yield message("Cells a knight's move apart do not hold the same digit.")
    if parts.antiking:
        yield message("Cells a king's move apart do not hold the same digit.")
    if parts.disjoint:
        yield message("Cells at the same place in their boxes do not hold the same digit.")
    units = [unit for unit in parts.units if unit[-1] < len(layout)]
    if any(len(unit) > 1 for unit in units):
        yield message("Digits do not repeat in a shaded region.")


def _grid(layout: Layout, parts: GridParts) -> str:
    frame, n = parts.frame, layout.size
    looks = {"low": layout.shown[1], "high": layout.shown[-1]}
    size = f"{layout.rows}×{layout.columns}"
    usual = {*map(frozenset, frame.boxes_of(n))}
    regions = {*map(frozenset, parts.regions)}
    if regions and regions == usual and layout.rows == layout.columns:
        if n == 9:
            return message("Normal sudoku rules apply.")
        return message("Normal {size} sudoku rules apply.", size=size)
    if len(regions) * n == len(layout):
        return message(_IRREGULAR if n == 9 else _IRREGULAR_OF_SIZE, size=size, **looks)
    if layout.rows == layout.columns == n:
        return message(_OUTLINED if regions else _LATIN, **looks)
    return message(_PARTLY_OUTLINED if regions else _PARTLY, **looks)


_IRREGULAR = (
    "Normal irregular sudoku rules apply: place the digits {low} to {high} once in each row, "
    "column and region."
)
_IRREGULAR_OF_SIZE = (
    "Normal {size} irregular sudoku rules apply: place the digits {low} to {high} once in each "
    "row, column and region."
)
_LATIN = "Place the digits {low} to {high} once in each row and column."
_OUTLINED = (
    "Place the digits {low} to {high} once in each row and column, and without repeats in each "
    "outlined region."
)
_PARTLY = "Place the digits {low} to {high} in each row and column, without repeats."
_PARTLY_OUTLINED = (
    "Place the digits {low} to {high} in each row and column, without repeats, and without repeats "
    "in each outlined region."
)
