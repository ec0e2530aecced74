"""A rule made of rules: at least one of several groups of rules holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import ClassVar, Self, TypeAlias

from unidoku.core.cells import NamedCells
from unidoku.core.constraints.primitives import Or
from unidoku.core.names import HiddenCell
from unidoku.core.rules.base import Facts, Rule
from unidoku.errors import LayoutError
from unidoku.support.language import listing, message, series

Branches: TypeAlias = tuple[tuple[Rule, ...], ...]
"""Groups of rules; the rules of a group hold together."""


@dataclass(frozen=True)
class AnyOf(Rule):
    """At least one branch holds, which means that all its rules hold.

    Args:
        branches: branches, each a list of rules or a single rule.
    """

    kind: ClassVar[str] = "any-of"
    branches: Branches

    def __post_init__(self) -> None:
        """Accept a single rule as a branch, and refuse an empty list of branches."""
        branches = [
            (rules,) if isinstance(rules, Rule) else tuple(rules) for rules in self.branches
        ]
        object.__setattr__(self, "branches", tuple(branches))
        for number, branch in enumerate(branches, start=1):
            if not branch or not all(isinstance(rule, Rule) for rule in branch):
                raise LayoutError(f"{self.kind}: branch {number}: expected rules, got {branch!r}")
        if not branches:
            raise LayoutError(f"{self.kind}: branches: expected at least one, got none")

    @property
    def rules(self) -> Iterator[Rule]:
        """The rules of all branches."""
        return chain.from_iterable(self.branches)

    def located(self, layout: NamedCells) -> Self:
        """Return the rule with cells in place of names in all its rules."""
        return self.with_each(lambda rule: rule.located(layout))

    def bind(self, facts: Facts) -> Self:
        """Return the rule with all its rules in the form that a layout stores."""
        return self.with_each(lambda rule: rule.bind(facts))

    def with_each(self, change: Callable[[Rule], Rule]) -> Self:
        """Return the rule with each of its rules changed."""
        return self._with(map(change, branch) for branch in self.branches)

    def _with(self, branches: Iterable[Iterable[Rule]]) -> Self:
        return replace(self, branches=tuple(map(tuple, branches)))

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the cells of all violations if there is one in each branch."""
        arguments = () if first_value == 1 else (first_value,)
        wrong = [
            [*chain.from_iterable(r.broken(values, *arguments) for r in b)] for b in self.branches
        ]
        if all(wrong):
            yield tuple(dict.fromkeys(chain.from_iterable(chain.from_iterable(wrong))))

    def constraints(self, facts: Facts) -> Iterator[Or]:
        """Yield the constraints of each branch."""
        yield Or(
            tuple(
                tuple(constraint for r in branch for constraint in r.constraints(facts))
                for branch in self.branches
            )
        )

    def auxiliary_domains(self, facts: Facts) -> tuple[int, ...]:
        """Return the hidden cells of all rules; in a branch that need not hold they are free."""
        return tuple(mask for rule in self.rules for mask in rule.auxiliary_domains(facts))

    @property
    def needs_auxiliary(self) -> bool:
        """Whether one of its rules has constraints only with these cells."""
        return any(rule.needs_auxiliary for rule in self.rules)

    def with_auxiliary(self, facts: Facts, cells: tuple[int, ...]) -> Rule:
        """Return the rule with hidden cells assigned to its rules."""
        remaining = iter(cells)

        def given(rule: Rule) -> Rule:
            auxiliary = tuple(islice(remaining, len(rule.auxiliary_domains(facts))))
            return rule.with_auxiliary(facts, auxiliary) if auxiliary else rule

        return self.with_each(given)

    def hidden_cells(self, facts: Facts, names: Sequence[str]) -> Mapping[int, HiddenCell]:
        """Return what the hidden cells of all rules hold."""
        cells: dict[int, HiddenCell] = {}
        for rule in self.rules:
            cells |= rule.hidden_cells(facts, names)
        return cells

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        texts = [listing(rule.words(names) for rule in branch) for branch in self.branches]
        joined = series([texts[0], *(f"{message('or')} {text}" for text in texts[1:])])
        return message("either {rules}", rules=joined) if len(texts) > 1 else joined

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells that its rules contain, each once."""
        return tuple(dict.fromkeys(cell for rule in self.rules for cell in rule.cells))

    def moved(self, cells: Sequence[int]) -> Self:
        """Return the same rule with cell ``c`` renumbered to ``cells[c]``."""
        return self.with_each(lambda rule: rule.moved(cells))

    def restricted_to(self, cells: Mapping[int, int]) -> Self | None:
        """Return the rule restricted to these cells; None if nothing is left of a branch."""
        branches = [[rule.restricted_to(cells) for rule in branch] for branch in self.branches]
        remaining = [[rule for rule in branch if rule is not None] for branch in branches]
        return self._with(remaining) if all(remaining) else None

    @property
    def size(self) -> int:
        """A measure of the rule: the number of rules plus their sizes."""
        return sum(1 + rule.size for rule in self.rules)

    def smaller(self) -> Iterator[Self]:
        """Yield rules with fewer branches, and rules with a weaker branch."""
        yield from super().smaller()
        for index, branch in enumerate(self.branches):
            before, after = self.branches[:index], self.branches[index + 1 :]
            for place, rule in enumerate(branch):
                first, last = branch[:place], branch[place + 1 :]
                if len(branch) > 1:
                    yield self._with((*before, (*first, *last), *after))
                for weaker in rule.smaller():
                    yield self._with((*before, (*first, weaker, *last), *after))
