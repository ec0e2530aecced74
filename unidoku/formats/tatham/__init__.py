"""Ids of Simon Tatham's games: Solo, Keen, Towers, Unequal, Unruly and Pattern.

An id is the text that a game shows as its "specific" or "game id": parameters, a colon and a
description. It does not name the game; a link to the page of the game does, ``…/solo.html#3x3:…``.
The readers accept what the programs accept; they follow the source code, because the manual does
not describe ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias
from urllib.parse import unquote

from unidoku.core.board import Board
from unidoku.core.rules import KenKen, NonogramLine, Product, Skyscraper
from unidoku.errors import FormatError, InputError
from unidoku.formats.families import Rest
from unidoku.formats.losses import Report, Written, one_a_line
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.tatham.games import KEEN, PATTERN, SOLO, TOWERS, UNEQUAL, UNRULY
from unidoku.formats.tatham.ids import Game
from unidoku.support.text import listed

__all__ = ["read", "write"]

_GAMES = (SOLO, PATTERN, UNRULY, KEEN, TOWERS, UNEQUAL)
"""The games; later ones restrict the form of an id more."""

_LINK = re.compile(r"https?://\S*?/([a-z]+)\.html#(\S+)")

_KNOWN = listed([game.name for game in _GAMES], "or")


def read(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the puzzle in an id, or in a link with an id.

    >>> [puzzle.board.text("line") for puzzle in read("2x2:1f1_3f2")]
    ['1......13......2']

    Raises:
        FormatError: it is not an id of one of these games, or several games accept it.
    """
    line = text.strip()
    games: Sequence[Game] = _GAMES
    if link := _LINK.fullmatch(line):
        games = [game for game in _GAMES if game.name == link[1]]
        if not games:
            raise FormatError(f"expected a link to {_KNOWN}, got one to {link[1]}")
        line = unquote(link[2])
    parameters, colon, description = line.partition(":")
    if not colon:
        if re.fullmatch(r"[0-9a-z]+#\d+", line):
            raise FormatError("expected a game id with a colon, got a random seed")
        raise FormatError(f"expected a game id such as 2x2:1f1_3f2, got {line[:40]!r}")
    looks = [game for game in games if game.fits(parameters, description)]
    yield _only([*_attempts(looks or games, parameters, description)], looks, line)


Attempt: TypeAlias = tuple[Game, Report, Board | InputError]
"""A game, what it reports about an id, and the board that it makes of it, or why it makes none."""


def _attempts(games: Sequence[Game], parameters: str, description: str) -> Iterator[Attempt]:
    for game in games:
        report = Report()
        try:
            yield game, report, game.board(parameters, description, report)
        except InputError as error:
            yield game, report, error


def _only(attempts: list[Attempt], looks: Sequence[Game], text: str) -> Puzzle:
    """Return the only puzzle that the games make of an id."""
    valid = [(game, report, board) for game, report, board in attempts if isinstance(board, Board)]
    if len(valid) > 1:
        names = listed([game.name for game, _, _ in valid])
        raise FormatError(
            f"expected an id of one game, got one of {names}: write it as a link, "
            f"https://x/{valid[0][0].name}.html#{text[:40]}"
        )
    if valid:
        _, report, board = valid[0]
        return Puzzle(board, "", 1, losses=report.losses)
    if len(attempts) == 1 or looks:
        error = attempts[-1][-1]
        raise FormatError(getattr(error, "message", str(error)))
    raise FormatError(f"expected a game id of {_KNOWN}, got {text[:40]!r}")


def _write(puzzle: Puzzle) -> Written:
    rest = Rest(puzzle)
    text = _game_of(rest).write(rest)
    return Written(text, rest.losses())


def _game_of(rest: Rest) -> Game:
    """Return the game of a board, according to its units and rules."""
    layout, kinds = rest.layout, {type(rule) for rule in rest.layout.rules}
    if layout.n == 2 and not layout.units:
        return PATTERN if NonogramLine in kinds else UNRULY
    if layout.regions:
        return SOLO
    if kinds & {KenKen, Product}:
        return KEEN
    return TOWERS if Skyscraper in kinds else UNEQUAL


write = one_a_line(_write)
