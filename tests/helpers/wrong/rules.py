"""Backends that take rules of one kind for others: labels ``tests.helpers.wrong.rules:…``."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

from tests.helpers.wrong.mutants import SERVES
from unidoku import Board, Capabilities, Request, Result
from unidoku.backends.adapters.norvig import Norvig
from unidoku.core.rules import Killer, Line, Pairs, Rule, SumOfCells


@dataclass(frozen=True, slots=True)
class Misreads:
    """Solves the board of other rules."""

    capabilities: ClassVar[Capabilities] = SERVES

    @abstractmethod
    def misread(self, rule: Rule) -> Rule | None:
        """Return the rule that a rule is taken for, None if it is forgotten."""

    def search(self, board: Board, request: Request) -> Result:
        read = [self.misread(rule) for rule in board.layout.rules]
        rules = tuple(rule for rule in read if rule is not None)
        return Norvig().search(Board(replace(board.layout, rules=rules), board.candidates), request)


@dataclass(frozen=True, slots=True)
class Forgets(Misreads):
    """Knows no rules of a kind."""

    kind: str = "killer"

    def misread(self, rule: Rule) -> Rule | None:
        return None if rule.kind == self.kind else rule


@dataclass(frozen=True, slots=True)
class SumsSets(Misreads):
    """Counts a cell of a sum once, however often it is there."""

    def misread(self, rule: Rule) -> Rule:
        if isinstance(rule, SumOfCells):
            return replace(rule, summed=tuple(dict.fromkeys(rule.summed)))
        return rule


@dataclass(frozen=True, slots=True)
class LosesAState(Misreads):
    """Does not see that a line may end in the last of several states."""

    def misread(self, rule: Rule) -> Rule:
        if isinstance(rule, Line) and isinstance(rule.accept, tuple) and rule.accept:
            return replace(rule, accept=rule.accept[:-1])
        return rule


@dataclass(frozen=True, slots=True)
class LosesARow(Misreads):
    """Does not see the last value that may stand beside the first."""

    def misread(self, rule: Rule) -> Rule:
        if isinstance(rule, Pairs) and isinstance(rule.related, tuple):
            first, *others = rule.related
            return replace(
                rule, related=(first & (1 << max(first.bit_length() - 1, 0)) - 1, *others)
            )
        return rule


@dataclass(frozen=True, slots=True)
class LosesACell(Misreads):
    """Sees no more than three cells of a cage."""

    def misread(self, rule: Rule) -> Rule:
        return replace(rule, cage=rule.cage[:3]) if isinstance(rule, Killer) else rule
