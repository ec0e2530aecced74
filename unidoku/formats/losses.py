"""What does not survive when a puzzle is read from a format or written in one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

__all__ = ["Losses", "Report", "Written"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """What a reader or a writer could not take over, each in a few words; true if there is any.

    Args:
        dropped: what is left out.
        approximated: what says less, or looks other, than it did.
        guessed: what was not said and was taken from pictures or words.
        reading: which of several meanings was taken of what is there; by this nothing is lost.
    """

    dropped: tuple[str, ...] = ()
    approximated: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Return whether something is lost, or not known for certain."""
        return bool(self.dropped or self.approximated or self.guessed)

    def __add__(self, other: Losses) -> Losses:
        """Return the losses of both."""
        both = {name: held + getattr(other, name) for name, held in self.record().items()}
        return Losses(**both)

    def record(self) -> dict[str, tuple[str, ...]]:
        """Return all of it by its kind."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def told(self) -> Iterator[str]:
        """Yield each in a line.

        >>> list(Losses(dropped=("title",), reading=("a cage sum of 0 is none",)).told())
        ['dropped: title', 'reading: a cage sum of 0 is none']
        """
        for name, held in self.record().items():
            yield from (f"{name}: {what}" for what in held)


class Report:
    """Losses that are collected one by one; what is said twice counts once."""

    def __init__(self) -> None:
        """Begin with none."""
        self._held: dict[str, dict[str, None]] = {field.name: {} for field in fields(Losses)}

    def _note(self, kind: str, what: str) -> None:
        # What is reported may quote a stranger, and is told on terminals.
        told = "".join(symbol if symbol.isprintable() else " " for symbol in what)
        self._held[kind][told] = None

    def drop(self, what: str) -> None:
        """Note what is left out."""
        self._note("dropped", what)

    def approximate(self, what: str) -> None:
        """Note what says less, or looks other, than it did."""
        self._note("approximated", what)

    def guess(self, what: str) -> None:
        """Note what was not said."""
        self._note("guessed", what)

    def read_as(self, what: str) -> None:
        """Note which of several meanings was taken."""
        self._note("reading", what)

    @property
    def losses(self) -> Losses:
        """All that is noted so far."""
        return Losses(**{name: tuple(held) for name, held in self._held.items()})


@dataclass(frozen=True, slots=True)
class Written:
    """Puzzles as a text of some format.

    Args:
        text: the text, without an end of line after the last one.
        losses: what of the puzzles is not in it.
    """

    text: str
    losses: Losses = Losses()

    def __str__(self) -> str:
        """Return the text."""
        return self.text
