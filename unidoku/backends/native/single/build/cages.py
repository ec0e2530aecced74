"""The rule of 45 as machine code: what it reads, and the sums that it finds."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import reduce
from itertools import accumulate
from operator import or_
from struct import pack
from typing import NamedTuple

from unidoku.backends.native.single.build.memory import Numbers, address, zeros
from unidoku.backends.native.single.function import Function, arguments_of, if_loaded
from unidoku.backends.native.single.search.cages import TOUCHING, Place
from unidoku.backends.native.single.search.kinds import SUMS
from unidoku.backends.native.single.search.registers import Register
from unidoku.core.caching import layout_cache
from unidoku.core.constraints.primitives import Sum
from unidoku.core.layout import Layout
from unidoku.core.transforms.implied import implied_sums
from unidoku.core.transforms.innies_outies import cages_of, unit_sets


class Units(NamedTuple):
    """The units of a layout as the compiled function reads them.

    Args:
        words: words of a set of cells.
        full: for each full unit, the end of the units of its kind, and its cells.
        maximal: the cells of each maximal unit.
    """

    words: int
    full: bytes
    maximal: bytes


@layout_cache(maxsize=64)
def units_of(base: Layout) -> Units:
    """Return the units of a layout."""
    words = -(-(len(base) + len(base.hidden)) // 64)
    by_kind: defaultdict[str, list[int]] = defaultdict(list)
    for unit, cells in zip(base.full_units, unit_sets(base), strict=True):
        by_kind[unit.kind].append(cells)
    full, end = b"", 0
    for same in by_kind.values():
        end += len(same)
        full += _packed(dict.fromkeys(same, end), words)
    maximal = [cells.to_bytes(8 * words, "little") for cells in unit_sets(base, full=False)]
    return Units(words, full, b"".join(maximal))


def sums_of_cages(layout: Layout, units: int, terms: int) -> Iterable[Sum]:
    """Return what `implied_sums` yields, by machine code if that is loaded."""
    if not layout.base.full_units or not cages_of(layout):
        return ()
    function = if_loaded()
    if function is None:
        return implied_sums(layout, units, terms)
    return compiled_sums(layout, units, terms, function)


def compiled_sums(layout: Layout, units: int, terms: int, function: Function) -> list[Sum]:
    """Return the sums of a layout with cages and full units, found by the search in some form."""
    numbers = array_of(layout, units, terms)
    registers = zeros(len(Register))
    registers[Register.LEVEL], registers[Register.DATA_AT] = SUMS, address(numbers)
    function.call(*arguments_of(registers))
    return sums_of(numbers[numbers[Place.RESULTS_AT] : registers[Register.PAUSE]].tolist())


def array_of(layout: Layout, units: int, terms: int) -> Numbers:
    """Return the array of `Place` for a layout with cages and full units.

    Args:
        layout: layout of the cages.
        units: largest number of units that are combined.
        terms: largest number of cells of a sum.
    """
    totals, full_units = cages_of(layout), layout.base.full_units
    words, full, maximal = units_of(layout.base)
    unit_sum = layout.n * (layout.n + 1) // 2
    known = {cage: total for cage, total in totals.items() if cage.bit_count() <= terms}
    if layout.n <= terms:
        known |= dict.fromkeys(unit_sets(layout.base), unit_sum)
    given = full, maximal, _cages(totals, words), _packed(known, 2 * words)
    most = len(full_units) * units * (TOUCHING + 1)
    sizes = (
        *[len(part) // 8 for part in given[:3]],
        (len(known) + most) * (2 * words + 1),
        *(most * (2 * words + 1), len(totals), len(totals), words, words + 1),
        most * (2 + 2 * terms),
    )
    units_at, maximal_at, cages_at, known_at, *others_at, results_at, end = accumulate(
        sizes, initial=len(Place)
    )
    header = (
        *(words, unit_sum, units, terms),
        *(len(full_units), units_at, len(maximal) // (8 * words), maximal_at),
        *(len(totals), cages_at, len(known), known_at, *others_at, results_at),
        sum(map(int.bit_count, totals)) > reduce(or_, totals, 0).bit_count(),
    )
    numbers = array("q", header)
    numbers.frombytes(b"".join(given))
    numbers.extend(zeros(end - len(numbers)))
    return numbers


def _cages(totals: Mapping[int, int], words: int) -> bytes:
    """Return cages in ascending order: rank, larger ones first, size, total and cells of each."""
    by_size = sorted(totals, key=int.bit_count, reverse=True)
    ranks = {cage: rank for rank, cage in enumerate(by_size)}
    parts: list[bytes] = []
    for cage in sorted(totals):
        parts += (
            pack("=3q", ranks[cage], cage.bit_count(), totals[cage]),
            cage.to_bytes(8 * words, "little"),
        )
    return b"".join(parts)


def _packed(sums: Mapping[int, int], words: int) -> bytes:
    """Return the total of each set of cells, and the set as so many words."""
    parts: list[bytes] = []
    for cells, total in sums.items():
        parts += pack("=q", total), cells.to_bytes(8 * words, "little")
    return b"".join(parts)


def sums_of(numbers: list[int]) -> list[Sum]:
    """Return the sums that numbers are: of each the total, the size, the cells and the weights."""
    sums, at = [], 0
    while at < len(numbers):
        total, size = numbers[at], numbers[at + 1]
        at, weights, end = at + 2, at + 2 + size, at + 2 + 2 * size
        sums.append(Sum(tuple(numbers[at:weights]), tuple(numbers[weights:end]), total, total))
        at = end
    return sums
