"""Models as witnesses: a reason against what a model holds has one of the parts that it breaks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby

from unidoku.core.bits import bit
from unidoku.logic.reasons.parts import PartSet
from unidoku.logic.step import Candidate

_MOST = 4_000
"""The largest number of models that are kept."""


class Witnesses:
    """Models of a layout's links and of some of its parts, by the candidates that they hold."""

    def __init__(self) -> None:
        """Begin without models."""
        self._all: list[tuple[Sequence[Candidate], PartSet]] = []
        self._broken: dict[Candidate, list[PartSet]] = defaultdict(list)
        self._levels: list[tuple[int, PartSet]] = []

    def __iter__(self) -> Iterator[tuple[Sequence[Candidate], PartSet]]:
        """Return an iterator of what each model holds and breaks."""
        return iter(self._all)

    def begin(self, candidates: Sequence[int], weights: Sequence[int]) -> None:
        """Forget the models that hold candidates which are gone, and take what parts cost now."""
        known, self._all = self._all, []
        self._broken.clear()
        for model, broken in known:
            if all(candidates[cell] & bit(value) for cell, value in model):
                self.add(model, broken)
        order = sorted(range(len(weights)), key=weights.__getitem__)
        self._levels = [
            (weight, sum(1 << part for part in parts))
            for weight, parts in groupby(order, weights.__getitem__)
        ]

    def add(self, model: Sequence[Candidate], broken: PartSet) -> None:
        """Keep a model: the candidates that it holds, and the parts that it breaks."""
        if len(self._all) < _MOST:
            self._all.append((model, broken))
            for candidate in model:
                self._broken[candidate].append(broken)

    def satisfies(self, parts: PartSet, candidate: Candidate) -> bool:
        """Return whether a model is known that holds a candidate and breaks none of some parts."""
        return any(not broken & parts for broken in self._broken.get(candidate, ()))

    def needed(self, parts: PartSet, candidate: Candidate) -> tuple[PartSet, int]:
        """Return the parts that every reason among some has, and the least that one costs.

        Of the broken parts of several models without a common part, a reason has one each.
        """
        needed = least = seen = 0
        for broken in sorted({each & parts for each in self._broken[candidate]}, key=int.bit_count):
            if not broken & (broken - 1):
                needed |= broken
            if not broken & seen:
                seen |= broken
                least += next((cost for cost, level in self._levels if broken & level), 0)
        return needed, least
