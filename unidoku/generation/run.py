"""A run: makes puzzles of a variant or layout until there are enough or time is up."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from itertools import count as numbers
from math import inf

from unidoku.backends.solving.solver import Solver, load
from unidoku.core.layout import Layout
from unidoku.core.variants import Variant
from unidoku.errors import InputError
from unidoku.generation.attempts import AttemptRun
from unidoku.generation.maker import Maker, Puzzles
from unidoku.generation.oracle import Oracle, deciding, fillable, jigsaw, quickest
from unidoku.generation.request import Assignment, GenerationProgress, PuzzleRequest, assignments
from unidoku.generation.walk import Walker
from unidoku.parallel.dispatch import on_nodes
from unidoku.support.deadline import Deadline

_SEEDS = 1 << 64
"""The number of seeds."""

_TRIES = 64
"""Attempts on random regions, for each puzzle wanted from them."""

_LEAST, _LARGEST = 16, 1024
"""Attempts that a node gets at once."""

_SHARES = 16
"""Bounds on the number of parts in which the requested puzzles are made."""

_APART = 1 << 32
"""Distance between the numbers of the first attempts of two layouts."""


@dataclass(frozen=True, kw_only=True)
class Generation(AttemptRun[Puzzles]):
    """A run that makes puzzles; iterate over it once.

    The arguments are those of `unidoku.generation.generate`; four of them are in `request`.

    Attributes:
        progress: counts of puzzles and refusals so far.

    Raises:
        InputError: the request cannot be met, or the variant does not exist.
        UnknownBackendError, BackendNotInstalledError, OptionError: a label cannot be loaded.
    """

    variant: str | Layout = "classic"
    n: int = 9
    request: PuzzleRequest = field(default_factory=PuzzleRequest)
    count: int | None = 1
    per_layout: int = 1
    walk: bool = False
    threads: int = 1

    def __post_init__(self) -> None:
        """Raise for arguments that cannot be met, before anything is made."""
        if type(self.seed) is not int or not 0 <= self.seed < _SEEDS:
            raise InputError(f"seed: expected an int from 0 to {_SEEDS - 1}, got {self.seed!r}")
        if (self.count is not None and self.count < 1) or self.per_layout < 1:
            raise InputError("count, per_layout: expected one puzzle or more")
        request = self.request
        if self.walk and (request.symmetry != "none" or request.difficulty or request.rating):
            raise InputError(
                "walk: exchanges keep neither symmetry nor difficulty; leave these out"
            )
        endless = self.count != 1 or Deadline(self.time_limit).seconds is None
        if self.walk and self.request.clues is None and endless:
            raise InputError(
                "walk: expected a number of clues, or one puzzle with a time limit, because it "
                "has no end otherwise"
            )
        if self.walk and self.executor is not None:
            raise InputError("walk: a walk is made in one process; drop the scheduler or executor")
        self.progress.wanted = self.count
        self.request.clue_targets(self.layout)

    @property
    def layout(self) -> Layout:
        """The layout; for a jigsaw without a map, one of many."""
        if isinstance(self.variant, Layout):
            return self.variant
        variant = Variant.parse(self.variant)
        if not variant.needs_regions:
            return variant.layout(self.n)
        rows = " ".join(str(cell // self.n) for cell in range(self.n**2))
        return variant.with_regions(rows).layout(self.n)

    @property
    def has_maps(self) -> bool:
        """Whether each layout has its own regions."""
        return not isinstance(self.variant, Layout) and Variant.parse(self.variant).needs_regions

    def _puzzles(self, deadline: Deadline) -> Iterator[Puzzles]:
        if self.executor is not None:
            yield from self._puzzles_on(self.executor, deadline)
            return
        for number in numbers() if self.has_maps else [0]:
            maker = self._maker(number, deadline)
            if maker is None:
                continue
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

    def _puzzles_on(self, executor: Executor, deadline: Deadline) -> Iterator[Puzzles]:
        """Yield the puzzles that nodes make, in order of attempts: the same as in one process."""
        work = replace(self, executor=None).carry_out
        missing = self.progress.missing
        most = _LARGEST if missing is None else min(max(missing // _SHARES, _LEAST), _LARGEST)
        size = 1 if self.has_maps else most
        for _, (batches, progress) in on_nodes(executor, work, assignments(size, deadline)):
            self.progress.attempts += progress.attempts
            self.progress.refused.update(progress.refused)
            for puzzles in batches:
                good = puzzles[: self.progress.missing]
                self.progress.made += len(good)
                yield good
                if self.progress.missing == 0:
                    return

    def carry_out(self, assignment: Assignment) -> tuple[list[Puzzles], GenerationProgress]:
        """Make the attempts of an assignment; return the puzzles and the progress.

        Raises:
            TimeLimitError: its time limit is reached.
            InputError, WrongAnswerError: as in a run.
        """
        run = replace(self)  # with its own progress
        first, wanted, attempts = assignment.number, None, assignment.size
        if self.has_maps:
            first, wanted = assignment.number * _APART, self.per_layout
            attempts = self.per_layout * _TRIES
        number = assignment.number if self.has_maps else 0
        maker = run._maker(number, Deadline(assignment.limit))
        batches = [] if maker is None else list(maker.puzzles(first, wanted, attempts))
        return batches, run.progress

    def _maker(self, number: int, deadline: Deadline) -> Maker | None:
        """Return a maker for a layout; None if the layout takes long to fill."""

        def oracle_of(layout: Layout) -> Oracle:
            return Oracle(self._solver(layout), layout, deadline, self.threads)

        if self.has_maps:
            variant = Variant.parse(str(self.variant))
            oracle = jigsaw(oracle_of, variant, self.n, self.seed, self.backend, number)
        else:
            oracle = fillable(oracle_of(self.layout))
        if oracle is None:
            self.progress.refused["regions that are slow to fill"] += 1
            return None
        filler = oracle
        if self.has_maps and self.backend is None:
            filler = replace(oracle, solver=deciding(self.time_limit))
        return Maker(
            oracle=oracle,
            filler=filler,
            request=self.request,
            progress=self.progress,
            seed=self.seed,
            second=None if self.cross_check is None else load(self.cross_check),
        )

    def _solver(self, layout: Layout) -> Solver:
        if self.backend is not None:
            return load(self.backend)
        return quickest(layout, self._expected, self.time_limit)

    @property
    def _expected(self) -> float:
        """Approximate number of puzzles that a layout has to give, refused ones included."""
        share = self.per_layout if self.has_maps else self.count
        if share is None or self.walk:
            return inf
        hardness = self.request.difficulty or self.request.rating
        demanding = hardness is not None or (
            self.request.minimal
            and (self.request.symmetry != "none" or self.request.clues is not None)
        )
        return share * 10 if demanding else share
