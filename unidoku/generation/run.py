"""A run: makes puzzles of a variant or layout until there are enough or the time is over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import inf

from unidoku.backends.solver import Solver, load
from unidoku.core.layout import Layout
from unidoku.core.variants import Variant
from unidoku.deadline import Deadline
from unidoku.errors import InputError, TimeLimitError
from unidoku.generation.maker import Maker
from unidoku.generation.oracle import FILLER, Oracle, fillable, jigsaws, quickest
from unidoku.generation.puzzles import Puzzles
from unidoku.generation.request import GenerationProgress, PuzzleRequest
from unidoku.generation.walk import Walker

__all__ = ["Generation"]

_SEEDS = 1 << 64
"""The number of seeds."""

_TRIES = 64
"""Attempts on random regions for each puzzle that they are to give."""

_APART = 1 << 32
"""Distance between the numbers of the first attempts of two layouts."""


@dataclass(frozen=True, kw_only=True)
class Generation:
    """A run that makes puzzles; iterate over it once.

    The arguments are those of `unidoku.generation.generate`, with four of them in `request`.

    Attributes:
        progress: counts of puzzles and refusals so far.

    Raises:
        InputError: the request cannot be met, or the variant does not exist.
        UnknownBackendError, BackendNotInstalledError, OptionError: a label that cannot be loaded.
    """

    variant: str | Layout = "classic"
    n: int = 9
    request: PuzzleRequest = field(default_factory=PuzzleRequest)
    count: int | None = 1
    seed: int = 0
    time_limit: float | None = None
    backend: str | None = None
    cross_check: str | None = None
    per_layout: int = 1
    walk: bool = False
    threads: int = 1
    progress: GenerationProgress = field(init=False, default_factory=GenerationProgress)

    def __post_init__(self) -> None:
        """Refuse arguments that cannot be met, before anything is made."""
        if type(self.seed) is not int or not 0 <= self.seed < _SEEDS:
            raise InputError(f"seed: expected an int from 0 to {_SEEDS - 1}, got {self.seed!r}")
        if (self.count is not None and self.count < 1) or self.per_layout < 1:
            raise InputError("count, per_layout: expected one puzzle or more")
        if self.walk and (self.request.symmetry != "none" or self.request.difficulty is not None):
            raise InputError(
                "walk: exchanges keep neither symmetry nor difficulty; leave these out"
            )
        endless = self.count != 1 or Deadline(self.time_limit).seconds is None
        if self.walk and self.request.clues is None and endless:
            raise InputError(
                "walk: expected a number of clues, or one puzzle with a time limit, because it "
                "has no end otherwise"
            )
        self.progress.wanted = self.count
        self.request.clue_targets(self.layout)

    @property
    def layout(self) -> Layout:
        """The layout; one of many for a jigsaw without a map."""
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
        """Yield puzzles until there are enough or the time is over; see `progress`.

        Raises:
            InputError: the layout cannot be filled.
            WrongAnswerError: two backends disagree.
        """
        deadline = Deadline(self.time_limit)
        try:
            for puzzles in self._puzzles(deadline):
                self.progress.seconds = deadline.elapsed
                yield puzzles
        except TimeLimitError:
            self.progress.in_time = False
        finally:
            self.progress.seconds = deadline.elapsed

    def _puzzles(self, deadline: Deadline) -> Iterator[Puzzles]:
        second = None if self.cross_check is None else load(self.cross_check)
        for number, oracle in enumerate(self._oracles(deadline)):
            if oracle is None:
                self.progress.refused["regions that are slow to fill"] += 1
                continue
            maker = Maker(
                oracle=oracle,
                filler=self._filler(oracle),
                request=self.request,
                progress=self.progress,
                seed=self.seed,
                second=second,
            )
            share = self.progress.missing
            attempts = None
            if self.has_maps:
                share = self.per_layout if share is None else min(self.per_layout, share)
                attempts = _TRIES * share
            if self.walk:
                yield from Walker(maker).puzzles(number * _APART, share)
            else:
                yield from maker.puzzles(number * _APART, share, attempts)
            if self.progress.missing == 0:
                return

    def _oracles(self, deadline: Deadline) -> Iterator[Oracle | None]:
        """Yield an oracle for each layout, None for one that is slow to fill."""

        def oracle_of(layout: Layout) -> Oracle:
            return Oracle(self._solver(layout), layout, deadline, self.threads)

        if self.has_maps:
            variant = Variant.parse(str(self.variant))
            return jigsaws(oracle_of, variant, self.n, self.seed, self.backend)
        return iter([fillable(oracle_of(self.layout))])

    def _filler(self, oracle: Oracle) -> Oracle:
        """Return the oracle that fills grids of the same layout."""
        if self.has_maps and self.backend is None:
            return replace(oracle, solver=load(FILLER))
        return oracle

    def _solver(self, layout: Layout) -> Solver:
        return quickest(layout, self._expected) if self.backend is None else load(self.backend)

    @property
    def _expected(self) -> float:
        """About how many puzzles a layout has to give, refused ones included."""
        share = self.per_layout if self.has_maps else self.count
        if share is None or self.walk:
            return inf
        picky = self.request.difficulty is not None or (
            self.request.minimal
            and (self.request.symmetry != "none" or self.request.clues is not None)
        )
        return share * 10 if picky else share
