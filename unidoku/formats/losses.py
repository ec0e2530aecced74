"""Losses: what does not survive when a puzzle is read from a format or written in one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

from unidoku.errors import InputError
from unidoku.support.language import message, named

_P = TypeVar("_P")
"""A puzzle."""

_RULES = "rules"
"""What entries with kinds of rules begin with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """The losses of a reader or a writer, each in a few words; true if there are any.

    Args:
        dropped: parts that are left out.
        approximated: parts that express less, or look different.
        guessed: meanings that were not stated, but taken from pictures or words.
        reading: meanings that were chosen among several; these are not losses.
    """

    dropped: tuple[str, ...] = ()
    approximated: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Return whether something is lost or uncertain."""
        return bool(self.dropped or self.approximated or self.guessed)

    def __add__(self, other: Losses) -> Losses:
        """Return the losses of both."""
        both = {name: entries + getattr(other, name) for name, entries in self.record().items()}
        return Losses(**both)

    def record(self) -> dict[str, tuple[str, ...]]:
        """Return all entries by kind."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def lines(self) -> Iterator[str]:
        """Yield each entry as a line, what is most often lost in the language in force.

        >>> list(Losses(dropped=("title",), reading=("a cage sum of 0 is none",)).lines())
        ['dropped: title', 'reading: a cage sum of 0 is none']
        """
        for kind, entries in self.record().items():
            for entry in entries:
                yield message("{fact}: {reason}", fact=message(kind), reason=_in_words(entry))


def _in_words(entry: str) -> str:
    """Return an entry in the language in force: a frequent one, or one of kinds of rules."""
    title, _, kinds = entry.partition(": ")
    if title == _RULES:
        names = ", ".join(map(named, kinds.split(", ")))
        return message("{fact}: {reason}", fact=message("rules"), reason=names)
    return message(entry)


class Report:
    """Collects losses one by one; repeated entries count once."""

    def __init__(self) -> None:
        """Start without losses."""
        self._entries: dict[str, dict[str, None]] = {field.name: {} for field in fields(Losses)}

    def _note(self, kind: str, entry: str) -> None:
        # Entries may quote foreign text, and are printed on terminals.
        line = "".join(symbol if symbol.isprintable() else " " for symbol in entry)
        self._entries[kind][line] = None

    def drop(self, entry: str) -> None:
        """Record a part that is left out."""
        self._note("dropped", entry)

    def approximate(self, entry: str) -> None:
        """Record a part that expresses less, or looks different."""
        self._note("approximated", entry)

    def guess(self, entry: str) -> None:
        """Record a meaning that was not stated."""
        self._note("guessed", entry)

    def read_as(self, entry: str) -> None:
        """Record which of several meanings was chosen."""
        self._note("reading", entry)

    @property
    def losses(self) -> Losses:
        """All losses recorded so far."""
        return Losses(**{name: tuple(entries) for name, entries in self._entries.items()})


@dataclass(frozen=True, slots=True)
class Written:
    """Puzzles as text in some format.

    Args:
        text: the text, without an end of line after the last one.
        losses: the parts of the puzzles that the text does not contain.
    """

    text: str
    losses: Losses = Losses()

    def __str__(self) -> str:
        """Return the text."""
        return self.text


def one_a_line(write: Callable[[_P], Written]) -> Callable[[Sequence[_P]], Written]:
    """Return the writer of a format that has one puzzle on each line."""

    def write_all(puzzles: Sequence[_P]) -> Written:
        lines = [write(puzzle) for puzzle in puzzles]
        losses = sum((line.losses for line in lines), Losses())
        return Written("\n".join(text.text for text in lines), losses)

    return write_all


def only_puzzle(puzzles: Sequence[_P], form: str, advice: str = "") -> _P:
    """Return the puzzle for a format that has one in each text.

    Raises:
        InputError: there are several.
    """
    if len(puzzles) > 1:
        raise InputError(f"{form} holds one puzzle, got {len(puzzles)}{advice}")
    return puzzles[0]
