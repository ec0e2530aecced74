"""A run: puzzles of a variant or layout, until there are enough or the time is over."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import inf

from unidoku.backends.solver import Solver, load
from unidoku.core.layout import Layout
from unidoku.core.variants import Variant
from unidoku.errors import InputError, TimeLimitError
from unidoku.generation.chance import check_seed
from unidoku.generation.judge import Judge
from unidoku.generation.run import Maker, Puzzles, deadline_of
from unidoku.generation.supply import FILLER, jigsaws, only, quickest
from unidoku.generation.tally import Tally
from unidoku.generation.walker import Walker
from unidoku.generation.wish import Wish

__all__ = ["Generation"]

_TRIES = 64
"""Attempts that a layout with random regions gets for each puzzle that it is to give."""

_APART = 1 << 32
"""Attempts between the first ones of two layouts."""


@dataclass(frozen=True, kw_only=True)
class Generation:
    """A run that makes puzzles; iterate over it, once.

    Args:
        variant: a variant's name or a layout; ``jigsaw`` without a map gets random regions.
        n: values are 1 to n; of a layout its own.
        wish: what the puzzles shall be like.
        wanted: puzzles; None for no end.
        seed: of all that is random; the same arguments give the same puzzles.
        time_limit: seconds for all of them; None or infinity is none.
        backend: label of an exact backend, which decides about uniqueness; the quickest way of
            ``native`` if not given.
        second: label of another, which confirms it; None for no second opinion.
        per_layout: puzzles that share random regions.
        walk: whether givens are exchanged until there are as few as wished, or until the time
            is over.
        threads: how many the backend may use.

    Raises:
        InputError: a wish that cannot be, or a variant that does not exist.
        UnknownBackendError, BackendNotInstalledError, OptionError: as they say.
    """

    variant: str | Layout = "classic"
    n: int = 9
    wish: Wish = field(default_factory=Wish)
    wanted: int | None = 1
    seed: int = 0
    time_limit: float | None = None
    backend: str | None = None
    second: str | None = None
    per_layout: int = 1
    walk: bool = False
    threads: int = 1
    tally: Tally = field(init=False, default_factory=Tally)

    def __post_init__(self) -> None:
        """Refuse what cannot be, before anything is made."""
        check_seed(self.seed)
        if (self.wanted is not None and self.wanted < 1) or self.per_layout < 1:
            raise InputError("expected one puzzle or more, of a run and of a layout")
        if self.walk and (self.wish.symmetry != "none" or self.wish.difficulty is not None):
            raise InputError("walk: exchanges keep neither symmetry nor difficulty; drop them")
        endless = self.wanted != 1 or deadline_of(self.time_limit) is None
        if self.walk and self.wish.clues is None and endless:
            raise InputError(
                "walk: expected a number of clues, or one puzzle and a time limit: it has no end"
            )
        self.tally.wanted = self.wanted
        self.wish.goals(self.layout)

    @property
    def layout(self) -> Layout:
        """The layout; of a jigsaw without a map, one of the many."""
        if isinstance(self.variant, Layout):
            return self.variant
        variant = Variant.parse(self.variant)
        if not variant.needs_regions:
            return variant.layout(self.n)
        rows = " ".join(str(cell // self.n) for cell in range(self.n**2))
        return variant.with_regions(rows).layout(self.n)

    @property
    def has_maps(self) -> bool:
        """Whether each layout has regions of its own."""
        return not isinstance(self.variant, Layout) and Variant.parse(self.variant).needs_regions

    def __iter__(self) -> Iterator[Puzzles]:
        """Yield puzzles until there are enough or the time is over; `tally` says which.

        Raises:
            InputError: the layout cannot be filled.
            WrongAnswerError: two backends disagree.
        """
        begun = time.perf_counter()
        try:
            for puzzles in self._puzzles(deadline_of(self.time_limit)):
                self.tally.seconds = time.perf_counter() - begun
                yield puzzles
        except TimeLimitError:
            self.tally.in_time = False
        finally:
            self.tally.seconds = time.perf_counter() - begun

    def _puzzles(self, deadline: float | None) -> Iterator[Puzzles]:
        second = None if self.second is None else load(self.second)
        for number, judge in enumerate(self._judges(deadline)):
            if judge is None:
                self.tally.refused["maps that are not filled soon"] += 1
                continue
            maker = Maker(
                judge=judge,
                filler=self._filler(judge),
                wish=self.wish,
                tally=self.tally,
                seed=self.seed,
                second=second,
            )
            share = self.tally.missing
            attempts = None
            if self.has_maps:
                share = self.per_layout if share is None else min(self.per_layout, share)
                attempts = _TRIES * share
            if self.walk:
                yield from Walker(maker).puzzles(number * _APART, share)
            else:
                yield from maker.puzzles(number * _APART, share, attempts)
            if self.tally.missing == 0:
                return

    def _judges(self, deadline: float | None) -> Iterator[Judge | None]:
        """Yield a judge of each layout, None for one that cannot be filled."""

        def judge_of(layout: Layout) -> Judge:
            return Judge(self._solver(layout), layout, deadline, self.threads)

        if self.has_maps:
            variant = Variant.parse(str(self.variant))
            return jigsaws(judge_of, variant, self.n, self.seed, self.backend)
        return iter([only(judge_of, self.layout)])

    def _filler(self, judge: Judge) -> Judge:
        """Return who fills grids of the layout of a judge."""
        if self.has_maps and self.backend is None:
            return replace(judge, solver=load(FILLER))
        return judge

    def _solver(self, layout: Layout) -> Solver:
        if self.backend is not None:
            return load(self.backend)
        return quickest(layout, self._expected)

    @property
    def _expected(self) -> float:
        """About how many puzzles a layout has to give, those that are refused among them."""
        share = self.per_layout if self.has_maps else self.wanted
        if share is None or self.walk:
            return inf
        picky = self.wish.difficulty is not None or (
            self.wish.minimal and (self.wish.symmetry != "none" or self.wish.clues is not None)
        )
        return share * 10 if picky else share
