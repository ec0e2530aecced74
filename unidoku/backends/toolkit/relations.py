"""Encodings of relations: as clauses, or as sets of candidates of which at most one holds.

Clauses have two forms. *Supports*: if this candidate holds, so does one of those. Unit propagation
then finds all deductions from the relation; with pairs that exclude each other it finds a seventh
(measured on less-than and on whispers). *Pairs* are used if little is excluded: then they are far
shorter and miss few deductions.

Solvers that support only "at most one" get *groups*, each of which covers as many excluded pairs as
possible; there are a third as many. Linear programs get *stars*, the equivalent of supports as
sums.

Candidates are numbered as in `unidoku.backends.toolkit.cover`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeAlias

from unidoku.core.bits import all_values, mask_of, values_of
from unidoku.core.caching import number_cache
from unidoku.core.constraints.primitives import Masks, Pair, Relation, backwards, shifts
from unidoku.core.transforms.lower import Lowered

Implication: TypeAlias = tuple[list[int], list[int]]
"""Candidates that do not all hold unless one of the others does."""

_Beside: TypeAlias = tuple[tuple[int, tuple[int, ...]], ...]
"""Values of one cell, each with values of another."""


def clauses_of(lowered: Lowered) -> Iterator[Implication]:
    """Yield the clauses of all relations of a layout."""
    return chain.from_iterable(map(clauses, lowered.relations))


def clauses(relation: Relation) -> Iterator[Implication]:
    """Yield the clauses of a relation."""
    if not _excludes_little(relation.table):
        for candidate, allowed in _beside(relation, _supports):
            yield [candidate], allowed
        return
    n = len(relation.table)
    for a, b in relation.pairs:
        for value, others in _apart(relation.table):
            for other in others:
                yield [a * n + value - 1, b * n + other - 1], []


def differences_of(table: Masks) -> tuple[int, ...] | None:
    """Return by how much the second value must not be larger, if a table forbids just that.

    None if it forbids something else, or if there are many differences: then the table is better.
    """
    forbidden = shifts(table)
    simple = len(forbidden) <= _FEW and all(values == -1 for _, values in forbidden)
    return tuple(difference for difference, _ in forbidden) if simple else None


def stars_of(lowered: Lowered) -> Iterator[tuple[int, ...]]:
    """Yield sets of which at most one holds: a candidate, and all that cannot hold beside it.

    As sums of zeros and ones they are equivalent to the supports, because one candidate of a cell
    holds.
    """
    for relation in lowered.relations:
        for candidate, apart in _beside(relation, _apart):
            yield candidate, *apart


def _beside(
    relation: Relation, which: Callable[[Masks], _Beside]
) -> Iterator[tuple[int, list[int]]]:
    """Yield each candidate of a pair's cell with some candidates of the other cell.

    Args:
        relation: the relation of the pairs.
        which: returns for a table of pairs which values of the second cell belong to each value of
            the first: `_supports` for those that it allows, `_apart` for those that it excludes.
    """
    n = len(relation.table)
    forward, backward = which(relation.table), which(backwards(relation.table))
    for a, b in relation.pairs:
        for cell, other, values in ((a, b, forward), (b, a, backward)):
            first, start = cell * n - 1, other * n - 1
            for value, others in values:
                yield first + value, [start + other_value for other_value in others]


def groups_of(lowered: Lowered) -> Iterator[tuple[int, ...]]:
    """Yield sets of candidates of two cells of which at most one holds, by the relations."""
    n = lowered.n
    for relation in lowered.relations:
        for a, b in relation.pairs:
            first, start = a * n - 1, b * n - 1
            for values, other_values in _blocks(relation.table):
                yield (
                    *[first + value for value in values],
                    *[start + value for value in other_values],
                )


_FEW = 2
"""Up to this many differences of values are encoded one by one."""

_SHORTER = 3
"""How many times shorter pairs must be than supports: with pairs, non-consecutive boards took
Z3 and CP-SAT half of the time, and less-than twice as long."""


@number_cache(maxsize=256)
def _excludes_little(table: Masks) -> bool:
    """Return whether pairs of excluded values are much shorter than supports; see `_SHORTER`."""
    pairs = sum(2 * len(others) for _, others in _apart(table))
    both = (*_supports(table), *_supports(backwards(table)))
    return pairs * _SHORTER <= sum(1 + len(others) for _, others in both)


@number_cache(maxsize=256)
def _supports(table: Masks) -> _Beside:
    """Return the values that exclude some values, each with the values that they allow."""
    everything = all_values(len(table))
    return tuple((v, values_of(mask)) for v, mask in enumerate(table, 1) if mask != everything)


@number_cache(maxsize=256)
def _apart(table: Masks) -> _Beside:
    """Return the same values, each with the values that they exclude."""
    everything = all_values(len(table))
    return tuple(
        (v, values_of(everything & ~mask)) for v, mask in enumerate(table, 1) if mask != everything
    )


@number_cache(maxsize=256)
def _blocks(table: Masks) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Return pairs of sets of first and second values that exclude each other.

    All excluded pairs are covered, greedily by large sets: around each value, of either cell, the
    widest set.
    """
    everything = all_values(len(table))
    apart = {value: everything & ~mask for value, mask in enumerate(table, start=1)}
    around = {
        (mask_of(v for v, others in apart.items() if not mask & ~others), mask)
        for mask in apart.values()
        if mask
    }
    for mask in backwards(tuple(apart.values())):
        if mask:
            common = everything
            for value in values_of(mask):
                common &= apart[value]
            around.add((mask, common))
    left: set[Pair] = {(v, w) for v, others in apart.items() for w in values_of(others)}
    blocks = []
    for first, second in sorted(around, key=lambda b: (-b[0].bit_count() * b[1].bit_count(), b)):
        covered = {(v, w) for v in values_of(first) for w in values_of(second)} & left
        if covered:
            left -= covered
            blocks.append((values_of(first), values_of(second)))
    return tuple(blocks)
