"""The rule of 45 as machine code: what it reads, and the sums that it finds."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import chain
from typing import NamedTuple

from unidoku.backends.native.driver import borrow
from unidoku.backends.native.single.build.memory import Numbers, address, numbers_of, zeros
from unidoku.backends.native.single.function import Function, arguments_of, if_loaded
from unidoku.backends.native.single.search.cages import TOUCHING, Place
from unidoku.backends.native.single.search.kinds import SUMS
from unidoku.backends.native.single.search.registers import Register
from unidoku.core.caching import layout_cache
from unidoku.core.constraints.primitives import Sum
from unidoku.core.layout import Layout
from unidoku.core.transforms.implied import implied_sums
from unidoku.core.transforms.innies_outies import Cells, totals_of, unit_sets

MOST_KEPT = 1 << 16
"""Numbers of an array that is kept for the next layout: those of 9x9 boards have 15,000."""

_IDLE: list[Numbers] = []
"""Arrays that no layout uses."""

_RESULTS_AT, _SIZES = int(Place.RESULTS_AT), len(Place)
_LEVEL, _DATA_AT, _PAUSE = map(int, (Register.LEVEL, Register.DATA_AT, Register.PAUSE))
"""Numbers, because to find a member of an enum takes as long as to read a number."""

_REGISTERS = zeros(len(Register))
_REGISTERS[_LEVEL] = SUMS
"""The registers of a call that finds sums."""


class Units(NamedTuple):
    """The units of a layout as the compiled function reads them.

    Args:
        words: words of a set of cells.
        head: the array of `Place` up to the cages: room for its numbers, then for each full unit
            the end of the units of its kind and its cells, and the cells of each maximal unit.
        maximal_at: where these are.
        maximal: how many there are.
    """

    words: int
    head: Numbers
    maximal_at: int
    maximal: int


@layout_cache(maxsize=64)
def units_of(base: Layout) -> Units:
    """Return the units of a layout."""
    words = -(-(len(base) + len(base.hidden)) // 64)
    by_kind: defaultdict[str, list[int]] = defaultdict(list)
    for unit, cells in zip(base.full_units, unit_sets(base), strict=True):
        by_kind[unit.kind].append(cells)
    head, end = zeros(_SIZES), 0
    for same in by_kind.values():
        end += len(same)
        for cells in dict.fromkeys(same):
            head.append(end)
            head.frombytes(cells.to_bytes(8 * words, "little"))
    maximal_at, maximal = len(head), unit_sets(base, full=False)
    head += numbers_of(maximal, words)
    return Units(words, head, maximal_at, len(maximal))


def sums_of_cages(layout: Layout, units: int, terms: int) -> Iterable[Sum]:
    """Return what `implied_sums` yields, by machine code if that is loaded."""
    if not layout.base.full_units or not (totals := totals_of(layout)):
        return ()
    function = if_loaded()
    if function is None:
        return implied_sums(layout, units, terms)
    return compiled_sums(layout, totals, units, terms, function)


def compiled_sums(
    layout: Layout, totals: Mapping[Cells, int], units: int, terms: int, function: Function
) -> list[Sum]:
    """Return the sums of a layout with cages and full units, found by the search in some form."""
    head, size = array_of(layout, totals, units, terms)
    numbers = borrow(_IDLE, partial(zeros, size))
    if len(numbers) < size:
        numbers = zeros(size)
    numbers[: len(head)] = head
    registers = _REGISTERS[:]
    registers[_DATA_AT] = address(numbers)
    function.call(*arguments_of(registers))
    sums = sums_of(tuple(numbers[head[_RESULTS_AT] : registers[_PAUSE]]))
    if size <= MOST_KEPT:
        _IDLE.append(numbers)
    return sums


def array_of(
    layout: Layout, totals: Mapping[Cells, int], units: int, terms: int
) -> tuple[Numbers, int]:
    """Return the beginning of the array of `Place` for a layout with full units, and its size.

    Args:
        layout: layout of the cages.
        totals: the cages, as `totals_of` returns them.
        units: largest number of units that are combined.
        terms: largest number of cells of a sum.
    """
    n, full_units = layout.n, len(layout.base.full_units)
    words, head, maximal_at, maximal = units_of(layout.base)
    given_at, cages = len(head), len(totals)
    head = head[:]
    head.extend(chain.from_iterable([(t, len(cells), *cells) for cells, t in totals.items()]))
    most = full_units * units * (TOUCHING + 1)
    known = (cages + full_units + most) * (2 * words + 1)
    cages_at = len(head)
    known_at = cages_at + cages * (words + 3)
    remainders_at = known_at + known
    shared_at = remainders_at + most * (2 * words + 1)
    covered_at = shared_at + 2 * cages + words
    results_at = covered_at + words + 1
    head[:_SIZES] = array(
        "q",
        (
            *(words, n * (n + 1) // 2, units, terms),
            *(full_units, _SIZES, maximal, maximal_at, n <= terms),
            *(given_at, cages, cages_at, known_at, remainders_at),
            *(shared_at, shared_at + cages, covered_at - words, covered_at, results_at, 0),
        ),
    )
    return head, results_at + most * (2 + 2 * terms)


def sums_of(numbers: tuple[int, ...]) -> list[Sum]:
    """Return the sums that numbers are: of each the total, the size, the cells and the weights."""
    sums, at = [], 0
    while at < len(numbers):
        total, size = numbers[at], numbers[at + 1]
        at, weights, end = at + 2, at + 2 + size, at + 2 + 2 * size
        sums.append(Sum(numbers[at:weights], numbers[weights:end], total, total))
        at = end
    return sums
