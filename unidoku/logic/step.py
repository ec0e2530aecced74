"""One step of a solution by logic: its reason, its consequence, and both in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias, final

from unidoku.core.layout import Layout, Unit
from unidoku.core.rules.base import Rule
from unidoku.logic.facts import consequences
from unidoku.support.language import message, series

Candidate: TypeAlias = tuple[int, int]
"""A cell and a value that it may hold."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a chain between two candidates.

    If it is strong, at least one of the two is true; otherwise at most one is.
    """

    start: Candidate
    end: Candidate
    strong: bool


@dataclass(frozen=True, slots=True)
class Basis:
    """A rule that a step uses, or a part of it: its statement and its cells, and the whole rule."""

    words: str
    cells: tuple[int, ...]
    rule: Rule | None = field(default=None, repr=False, compare=False)


@final  # so that type checkers know that a step is true
@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Placements or eliminations, and the reason for them.

    A technique fills in everything except its own name and rating, which `Technique.steps` adds.

    Args:
        layout: the layout of the board.
        reason: the reason, in words that continue the technique's name: ``3,7 in A4, A6``, or
            ``, 9 cannot be first where 2 are visible``.
        placements: (cell, value) pairs that are placed; what they remove from their peers is not
            listed.
        eliminations: (cell, value) pairs that are removed; all of them are candidates before.
        units: the units that the reason uses, such as the base units of a fish.
        covers: the units along which candidates are removed if they differ, such as the covers of
            a fish.
        pattern: the candidates that the reason uses.
        fins: the candidates in the bases of a finned fish that no cover holds.
        links: the links of a chain in order, from candidate to candidate.
        rules: the rules, other than units, that the reason uses.
        technique: name of the technique.
        parts: number of parts of a short reason; 0 for other techniques.
        rating: difficulty on the scale of Sudoku Explainer 1.2.1, 0 until it is known.
    """

    layout: Layout = field(repr=False)
    reason: str
    placements: tuple[Candidate, ...] = ()
    eliminations: tuple[Candidate, ...] = ()
    units: tuple[Unit, ...] = ()
    covers: tuple[Unit, ...] = ()
    pattern: tuple[Candidate, ...] = ()
    fins: tuple[Candidate, ...] = ()
    links: tuple[Link, ...] = ()
    rules: tuple[Basis, ...] = ()
    technique: str = ""
    parts: int = 0
    rating: float = 0.0

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells of pattern and fins, ascending."""
        return tuple(sorted({cell for cell, _ in (*self.pattern, *self.fins)}))

    @property
    def consequence(self) -> str:
        """The placements and eliminations in words: ``A2 is 5; 3 and 7 leave A1, A9``."""
        return series(consequences(self.layout, self.placements, self.eliminations))

    @property
    def sentence(self) -> str:
        """The step in one sentence: ``naked pair 3,7 in A4, A6: 3 and 7 leave A1, A9``."""
        technique, reason, consequence = message(self.technique), self.reason, self.consequence
        if not reason or not technique:
            return message(
                "{reason}: {consequence}", reason=technique or reason, consequence=consequence
            )
        text = "{technique} {reason}: {consequence}"
        if reason.startswith(", "):
            reason = reason[2:]
            text = "{technique}, {reason}: {consequence}"
        return message(text, technique=technique, reason=reason, consequence=consequence)

    def __str__(self) -> str:
        """Return the sentence."""
        return self.sentence

    def __repr__(self) -> str:
        """Return the class and the sentence of the step."""
        return f"<Step: {self.sentence}>"
