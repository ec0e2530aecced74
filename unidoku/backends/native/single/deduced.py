"""The sums that follow from cages, found by compiled code."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_

from unidoku.backends.native.single import registers as reg
from unidoku.backends.native.single.compiling import SEARCH, places_of
from unidoku.backends.native.single.kinds import DEDUCE
from unidoku.backends.native.single.memory import Numbers, address, numbers_of, zeros
from unidoku.core.caching import layout_cache
from unidoku.core.constraints.primitives import Sum
from unidoku.core.layout import Layout
from unidoku.core.transforms.implied import known_at_first
from unidoku.core.transforms.implied import sums_of_cages as in_python
from unidoku.core.transforms.innies_outies import runs, unit_sets

MOST = 1 << 40
"""The largest sum of a cage for numbers of 64 bits; no puzzle has a larger one."""


def sums_of_cages(
    layout: Layout, cages: Mapping[int, int], units: int, terms: int
) -> Iterator[Sum]:
    """Yield what `unidoku.core.transforms.implied.sums_of_cages` would, in the same order."""
    words = -(-(len(layout) + len(layout.hidden)) // 64)
    of_units, steps = _of_units(layout.base, units, words)
    known = known_at_first(layout, cages, terms)
    if max(map(abs, cages.values())) > MOST:
        yield from in_python(layout, cages, units, terms)
        return
    are_apart = sum(map(int.bit_count, cages)) == reduce(or_, cages).bit_count()
    of_cages = array("q", (terms, len(cages), len(known), are_apart))
    of_cages += numbers_of((*cages, *known), words)
    of_cages.extend((*cages.values(), *known.values()))
    most, width = 3 * steps, 2 + 2 * words  # of what is left over, and of a row of that
    room = most * (2 + 2 * terms)
    rows = (2 * most + len(known) + 2) * width
    work = zeros(room + 3 * words + 3 * len(cages) + rows)
    registers = zeros(reg.REGISTERS)
    registers[reg.LEVEL], registers[reg.SPARE] = DEDUCE, most
    registers[reg.DATA_AT], registers[reg.ROWS_AT] = address(of_units), address(of_cages)
    registers[reg.WORK_AT] = address(work)
    SEARCH.loaded().call(*places_of(registers))
    found = tuple(work[: registers[reg.SPARE]])
    at = 0
    for _ in range(registers[reg.COUNT]):
        size, total = found[at], found[at + 1]
        cells, at = at + 2, at + 2 + 2 * size
        middle = cells + size
        yield Sum(found[cells:middle], found[middle:at], total, total)


@layout_cache(maxsize=64)
def _of_units(base: Layout, units: int, words: int) -> tuple[Numbers, int]:
    """Return the array of units for the compiled code, and the number of steps of all runs."""
    full, every = unit_sets(base), unit_sets(base, full=False)
    number_of = {cells: number for number, cells in enumerate(full)}
    on_runs = [[number_of[cells] for _, cells in run] for run in runs(base, units)]
    unit_sum = base.n * (base.n + 1) // 2
    numbers = array("q", (words, unit_sum, len(full), len(every), len(on_runs)))
    numbers += numbers_of((*full, *every), words)
    for run in on_runs:
        numbers.extend((len(run), *run))
    return numbers, sum(map(len, on_runs))
