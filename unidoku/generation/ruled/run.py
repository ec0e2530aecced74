"""A run: makes puzzles with rules until there are enough or the time limit is reached."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from unidoku.core.layout import Grid, Layout
from unidoku.core.rules import KenKen, Killer, Rule
from unidoku.errors import InputError, nearest
from unidoku.formats import Puzzle
from unidoku.generation.attempts import Attempt, AttemptRun, RefusedError, confirm
from unidoku.generation.grids import full_grid
from unidoku.generation.maker import compared_difficulty
from unidoku.generation.oracle import Oracle
from unidoku.generation.request import PuzzleRequest, known_layout, orbits
from unidoku.generation.ruled.draft import (
    DraftOracle,
    PuzzleDraft,
    UndecidedError,
    reduced,
    superfluous,
)
from unidoku.generation.ruled.families import FAMILIES, PuzzleFamily, place_rules
from unidoku.generation.ruled.kinds import DOUBLER, PLACEABLE_KINDS
from unidoku.generation.ruled.repair import Repair, repaired, repartition_cages, with_few_singles
from unidoku.support.deadline import Deadline

_NODES = 20_000
"""Nodes after which a question is left undecided."""


@dataclass(frozen=True, kw_only=True)
class RuledGeneration(AttemptRun[Puzzle]):
    """A run that makes puzzles with rules; iterate over it once.

    Args:
        family: one of `FAMILIES`, or empty for rules on a board of a variant.
        rules: kinds of rules to add to grids of the variant, from `PLACEABLE_KINDS`.
        variant: the layout to which rules are added.
        n: the size; None for the default of the family, or 9.
        request: the clues, symmetry, minimality (of givens and rules) and difficulty.
        count: number of puzzles, None for no limit.

    The other arguments are those of `AttemptRun`.

    Attributes:
        progress: counts of puzzles and refusals so far.

    Raises:
        InputError: the request cannot be met, or there is no such family, kind or variant.
    """

    family: str = ""
    rules: tuple[str, ...] = ()
    variant: str = "classic"
    n: int | None = None
    request: PuzzleRequest = field(default_factory=PuzzleRequest)
    count: int | None = 1

    def __post_init__(self) -> None:
        """Raise for arguments that cannot be met, before anything is made."""
        if self.count is not None and self.count < 1:
            raise InputError(f"count: expected one puzzle or more, got {self.count}")
        for argument, names, known in (
            ("family", (self.family,) if self.family else (), FAMILIES),
            ("rules", self.rules, PLACEABLE_KINDS),
        ):
            for name in names:
                if name not in known:
                    hint = nearest(name, known)
                    raise InputError(f"{argument}: expected a known one, got {name!r}; {hint}")
        self.progress.wanted = self.count
        if self.request.rating is not None:
            raise InputError("rating: it is for classic boards without rules; leave it out")
        if not self.family:
            self.request.clue_targets(self._base)
            return
        family = FAMILIES[self.family]
        if self._size not in family.sizes:
            least, most = family.sizes[0], family.sizes[-1]
            by = f", in steps of {family.sizes.step}" if family.sizes.step > 1 else ""
            raise InputError(
                f"{self.family}: expected a size from {least} to {most}{by}, got {self._size}"
            )
        if self.variant != "classic":
            raise InputError(f"{self.family}: it has its own layout; leave the variant out")
        if self.rules:
            raise InputError(f"{self.family}: it has its own rules; leave the rules out")
        has_givens = self.request.clues not in (None, (0, 0)) or self.request.symmetry != "none"
        if has_givens and not family.has_givens:
            raise InputError(
                f"{self.family}: its puzzles have no givens; leave clues and symmetry out"
            )

    @property
    def _size(self) -> int:
        if self.n is not None:
            return self.n
        return FAMILIES[self.family].size if self.family else 9

    @property
    def _base(self) -> Layout:
        return known_layout(self.variant, self._size)

    def _puzzles(self, deadline: Deadline) -> Iterator[Puzzle]:
        attempt = _PuzzleAttempt(replace(self, executor=None), deadline.limit)
        kinds = self.family or ", ".join(self.rules)
        for puzzle in islice(self._accepted(attempt, deadline), self.count):
            yield replace(puzzle, name=f"{kinds} {self.progress.made}")

    def attempt(self, number: int, oracle: DraftOracle) -> Puzzle:
        """Make a puzzle without a name.

        Raises:
            RefusedError: it does not meet the request.
        """
        return self._puzzle(self._attempt(number, oracle))

    def _attempt(self, number: int, oracle: DraftOracle) -> PuzzleDraft:
        """Make a puzzle that meets the request.

        Raises:
            RefusedError: it does not meet the request.
        """
        rng = random.Random(f"{self.seed}:{number}")
        try:
            draft = self._drafted(rng, oracle)
        except UndecidedError:
            raise RefusedError("undecided") from None
        if draft is None:
            raise RefusedError("not unique")
        groups = [*orbits(draft.base, self.request.symmetry)] if draft.given else []
        fewest = self._fewest(draft, rng)
        draft = reduced(draft, oracle, rng, groups, fewest, is_removable=self._is_removable)
        if self.request.clues is not None:
            least, most = self.request.clues
            if not least <= len(draft.given) <= most:
                raise RefusedError(f"not {self.request.clues_text}")
        if self.request.minimal and (spare := superfluous(draft, oracle)) is not False:
            raise RefusedError("undecided" if spare is None else "not minimal")
        if (name := self.request.difficulty) is not None:
            difficulty = compared_difficulty(draft.board(), name, time_limit=oracle.deadline.limit)
            if difficulty is not None:
                raise RefusedError(f"{difficulty} than {name}")
        return draft

    def _drafted(self, rng: random.Random, oracle: DraftOracle) -> PuzzleDraft | None:
        """Return a draft with one solution; None if this attempt failed."""

        def fill(base: Layout) -> Grid:
            return full_grid(Oracle(oracle.solver, base, oracle.deadline), rng)

        if self.family:
            family: PuzzleFamily = FAMILIES[self.family]
            draft = family.draft(rng, self._size, fill)
            if draft is None or family.repair is None:
                return draft
            return self._repaired(draft, family.repair, oracle, rng)
        base = self._base
        draft = place_rules(rng, base, fill(base), self.rules)
        if DOUBLER in self.rules and draft.base is base:
            return None  # the grid has no such cells
        if self._without_givens:
            return self._repaired(replace(draft, given=frozenset()), repartition_cages, oracle, rng)
        return draft

    def _repaired(
        self, draft: PuzzleDraft, repair: Repair, oracle: DraftOracle, rng: random.Random
    ) -> PuzzleDraft | None:
        unique = repaired(draft, repair, oracle, rng)
        if unique is None or repair is not repartition_cages:
            return unique
        return with_few_singles(unique, oracle, rng)

    def _is_removable(self, rule: Rule) -> bool:
        """Return whether a rule may be removed if uniqueness does not need it; cages must stay."""
        if self.request.minimal:
            return True
        return FAMILIES[self.family].removes_rules if self.family else not isinstance(rule, Killer)

    @property
    def _without_givens(self) -> bool:
        """Whether to make a puzzle without givens, by repartitioning cages until it is unique."""
        clues = (0, 0) if self.request.clues is None else self.request.clues
        return "killer" in self.rules and DOUBLER not in self.rules and clues == (0, 0)

    def _fewest(self, draft: PuzzleDraft, rng: random.Random) -> int:
        """Return the number of givens at which removal stops."""
        if self.request.clues is None or self.request.minimal:
            return 0
        return rng.choice(self.request.clue_targets(draft.base))

    def _puzzle(self, draft: PuzzleDraft) -> Puzzle:
        """Return a puzzle without areas that no rule uses."""
        rule_cells = {rule.cells for rule in draft.rules}
        areas = tuple(area for area in draft.base.areas if area in rule_cells)
        # Cages in reading order; clues keep the order of their sides.
        cages = [rule for rule in draft.rules if isinstance(rule, Killer | KenKen)]
        rest = [rule for rule in draft.rules if rule not in cages]
        rules = (*sorted(cages, key=lambda rule: rule.cage), *rest)
        board = replace(draft, base=replace(draft.base, areas=areas), rules=rules).board()
        return Puzzle(board, "", 1, solution=draft.grid, solutions=1)


@dataclass(frozen=True)
class _PuzzleAttempt(Attempt):
    """Makes puzzles that have exactly one solution."""

    run: RuledGeneration

    def _puzzle(self, number: int, deadline: Deadline) -> Puzzle:
        puzzle = self.run.attempt(number, DraftOracle(self._solver, deadline, _NODES))
        confirm(puzzle.board, 1, self._solver, self._second, deadline, puzzle.solution)
        return puzzle
