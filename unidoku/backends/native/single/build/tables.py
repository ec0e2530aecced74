"""Tables of numbers that rows refer to, see `unidoku.backends.native.single.build.rows`."""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import NamedTuple

from unidoku.backends.native.compiler.intrinsics import (
    SETS_AT_ONCE,
    VALUES_AT_ONCE,
)
from unidoku.backends.native.single.build.memory import LINE, Numbers, in_whole_lines
from unidoku.backends.native.single.search.kinds import CHUNK, Propagator
from unidoku.core.bits import all_values, bit
from unidoku.core.caching import identity_cache, number_cache
from unidoku.core.constraints.primitives import Masks, apart, backwards


@identity_cache
def filled_up(masks: Masks) -> Numbers:
    """Return sets of values in vectors, the last of them filled up with empty sets."""
    return array("q", masks + (0,) * (-len(masks) % SETS_AT_ONCE))


class Terms(NamedTuple):
    """What all sums with some weights have in common.

    Args:
        total: the sum of the weights.
        order: the places of the cells in the order of the row, those of the largest weights first;
            nothing if all weights have one size.
        table: for each cell in this order where its steps begin, then its weight; then the steps.
    """

    total: int
    order: tuple[int, ...]
    table: Numbers


@number_cache(maxsize=1024)
def terms_of(weights: tuple[int, ...], n: int) -> Terms:
    """Return what sums with some weights of values up to n have in common."""
    order = tuple(sorted(range(len(weights)), key=lambda index: -abs(weights[index])))
    heavy = [weights[index] for index in order]
    sizes = [*dict.fromkeys(map(abs, heavy))]
    steps = [steps_of_weight(size, n) for size in sizes]
    first = -(-2 * len(heavy) // LINE) * LINE
    begins = dict(zip(sizes, accumulate(map(len, steps), initial=first), strict=False))
    table = in_whole_lines([*[begins[abs(weight)] for weight in heavy], *heavy])
    for numbers in steps:
        table += numbers
    return Terms(sum(weights), order if len(sizes) > 1 else (), table)


@number_cache(maxsize=512)
def steps_of_weight(weight: int, n: int) -> Numbers:
    """Return what a term adds to a sum if its value rises by 1 to 8, by 9 to 16, and so on.

    Each eight come in ascending order, for values that rise, and then in descending order.
    """
    numbers: list[int] = []
    for first in range(1, max(n, 2), VALUES_AT_ONCE):
        steps = [weight * step for step in range(first, first + VALUES_AT_ONCE)]
        numbers += steps + steps[::-1]
    return array("q", numbers)


class RelationForm(NamedTuple):
    """What the compiled search needs of a relation's table: it is the same for all pairs of cells.

    Args:
        images: images of the sets of values of the first cell, and then of the second cell.
        kind: kind of the row that narrows the second cell.
        kind_backwards: kind of the row that narrows the first cell.
        tells_apart: whether the relation only states that the cells differ.
        alike: the values that not both cells have, if the relation says nothing else.
    """

    images: Numbers
    kind: Propagator
    kind_backwards: Propagator
    tells_apart: bool
    alike: list[int]


@number_cache(maxsize=512)
def relation_form(table: Masks) -> RelationForm:
    """Return the form of a table, which all relations with that table share."""
    back = backwards(table)
    images = array("q", _images(table) + _images(back))
    is_apart = table == apart(len(table))
    return RelationForm(images, _kind_of(table), _kind_of(back), is_apart, _alike_values(table))


def _images(table: Masks) -> list[int]:
    """Return the images of all sets of the values 1 to 6, of 7 to 12, …: 64 numbers each."""
    numbers: list[int] = []
    for first in range(0, len(table), CHUNK):
        images = [0]
        for value in range(first, first + CHUNK):
            image_of_value = table[value] if value < len(table) else 0
            images += [image | image_of_value for image in images]
        numbers += images
    return numbers


def _kind_of(table: Masks) -> Propagator:
    """Return the kind of a relation: if no two values exclude anything, only a decided cell can."""
    excluded = several = 0
    for allowed in table:
        gone = all_values(len(table)) & ~allowed
        several |= excluded & gone
        excluded |= gone
    return Propagator.RELATION if several else Propagator.EXCLUSION


def _alike_values(table: Masks) -> list[int]:
    """Return the values that not both cells have, if the relation says nothing else."""
    values = []
    for value, allowed in enumerate(table, 1):
        excluded = all_values(len(table)) & ~allowed
        if excluded and excluded != bit(value):
            return []
        if excluded:
            values.append(value)
    return values
