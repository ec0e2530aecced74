"""Makers of random rules, which the given values of the cells satisfy in most cases.

A maker takes the cells in the order of the rule, their displayed values, and the number of values
of the layout. The caller checks whether the values satisfy the rule.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import accumulate, combinations, groupby, pairwise
from math import prod

from unidoku.core import rules
from unidoku.core.constraints.primitives import Pair
from unidoku.core.rules import Rule
from unidoku.testing.rule_cells import Ints

SHORT = 5
"""Largest number of cells of a short rule, of which some makers use a few only."""

_MOST_OF_RELLIK = 11
"""Largest number of cells of a rellik: the checker looks at all their subsets."""


def neighbour_pairs(cells: Ints) -> tuple[Pair, ...]:
    """Return each cell with the one after it."""
    return tuple(pairwise(cells))


def pairs(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return a random relation that the values of neighbours satisfy."""
    table = [rng.getrandbits(n) | rng.getrandbits(n) for _ in range(n)]
    for a, b in pairwise(values):
        table[a - 1] |= 1 << b - 1
    return rules.Pairs(neighbour_pairs(cells), tuple(table), "own")


def arrow(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return an arrow whose circle is the sum of the other cells if a circle of few cells is."""
    number = 0
    for size in range(1, min(4, len(cells))):
        number = 10 * number + values[size - 1]
        if number == sum(values[size:]):
            return rules.Arrow(cells[:size], cells[size:])
    order = sorted(range(len(cells)), key=lambda index: -values[index])
    circle = cells[order[0]]
    shaft = [cells[index] for index in order[1:]]
    return rules.Arrow((circle,), tuple(shaft[: rng.randint(1, len(shaft))]))


def thermo(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return a thermometer of rising values, of at most one cell of each value if it is long."""
    if len(cells) > SHORT:
        cells, values = zip(
            *{v: (c, v) for c, v in zip(cells, values, strict=True)}.values(), strict=True
        )
    return rules.Thermo(ends_first(cells, values))


def greater(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return pairs of neighbours, each with the larger value first."""
    neighbours = pairwise(zip(cells, values, strict=True))
    return rules.Greater(tuple((a, b) if v > w else (b, a) for (a, v), (b, w) in neighbours))


def difference(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return the pairs that differ by the same number as the first pair, or those that do not."""
    by = abs(values[0] - values[1]) or 1
    never = rng.random() < 0.2
    return rules.DiffersBy(
        _first_and(cells, values, lambda v, w: (abs(v - w) == by) != never), by, never
    )


def ratio(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return the pairs in a ratio, or those that are not."""
    by, never = rng.choice((2, 2, 3)), rng.random() < 0.5
    return rules.Ratio(
        _first_and(cells, values, lambda v, w: (v == by * w or w == by * v) != never), by, never
    )


def pair_sum(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return the pairs with the same sum as the first pair, or those with another sum."""
    total, never = values[0] + values[1], rng.random() < 0.2
    return rules.PairSum(
        _first_and(cells, values, lambda v, w: (v + w == total) != never), total, never
    )


def _first_and(cells: Ints, values: Ints, fits: Callable[[int, int], bool]) -> tuple[Pair, ...]:
    """Return the pair of the first two cells, and the other pairs whose values fit."""
    first, *others = combinations(zip(cells, values, strict=True), 2)
    pairs = [(a, b) for (a, v), (b, w) in others if a != b and fits(v, w)]
    return ((first[0][0], first[1][0]), *pairs[: len(cells)])


def renban(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return a renban of all cells if their values are consecutive, otherwise of three."""
    fits = len({*values}) == len(values) == max(values) - min(values) + 1
    return rules.Renban(tuple(cells if fits else cells[:3]))


def same_sum(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return two parts, of the same sum if the cells can be split so."""
    sizes = range(1, len(cells))
    size = next((k for k in sizes if sum(values[:k]) == sum(values[k:])), 1)
    return rules.SameSum(cells[:size], cells[size:])


def rellik(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return a rellik of two or three cells, or of up to eleven whose subsets avoid the total."""
    if len(cells) <= SHORT:
        return rules.Rellik(cells[: rng.randint(2, 3)], values[0] + rng.randint(0, n))
    cells, values = cells[:_MOST_OF_RELLIK], values[:_MOST_OF_RELLIK]
    sums = {0}
    for value in values:
        sums |= {total + value for total in sums}
    others = [total for total in range(1, sum(values) + n) if total not in sums]
    return rules.Rellik(cells, rng.choice(others or [1]))


def holds(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return two cells, or all of many, that contain some of their values or another one."""
    count = 2 if len(cells) <= SHORT else len(cells)
    wanted = dict.fromkeys((*values[:count], rng.randint(1, n)))
    if len({value % 2 for value in wanted}) == 1:  # which could be all odd or all even values
        wanted[min(wanted) + 1] = None
    return rules.Holds(cells[:count], tuple(wanted))


def line(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return a line of random steps, which accepts the values."""
    states = [rng.randrange(4) for _ in range(len(values) + 1)]
    steps = [(rng.randrange(4), rng.randint(1, n), rng.randrange(4)) for _ in range(4 * n)]
    steps += zip(states, values, states[1:], strict=False)
    starts, ends = (rng.sample(range(4), rng.randint(0, 2)) for _ in range(2))
    return rules.Line(cells, (states[0], *starts), tuple(steps), (states[-1], *ends), "own")


def sandwich(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return a sandwich between the crusts, or between the lowest and highest value."""
    crusts = [at for at, value in enumerate(values) if value in (1, n)]
    if len(crusts) != 2:  # the least and the largest value may be others
        crusts = [at for at, value in enumerate(values) if value in (min(values), max(values))]
    inside = values[crusts[0] + 1 : crusts[-1]] if crusts else values[:1]
    return rules.Sandwich(cells, sum(inside))


def nonogram(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return a nonogram line of the runs of one value."""
    filled = rng.randint(1, n)
    runs = [len(list(run)) for same, run in groupby(v == filled for v in values) if same]
    return rules.NonogramLine(cells, tuple(runs), filled)


def indexed(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return a rule that a cell has the position of a value, which may be in the line itself."""
    index = rng.randrange(len(cells))
    at = values[index] - 1
    value = cells[at] if at < len(cells) and rng.random() < 0.3 else rng.choice(cells)
    return rules.Indexed((cells[index],), (value,), cells)


def numbered_room(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return the value at the position that the first cell names, or the last value."""
    return rules.NumberedRoom(cells, values[min(values[0], len(values)) - 1])


def kenken(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return a cage; a cage of two cells may be a difference or a ratio."""
    low, high = sorted(values[:2])
    by = rng.choice("+*-/")
    if by in "-/":
        return rules.KenKen(cells[:2], high - low if by == "-" else high // max(low, 1), by)
    return rules.KenKen(cells, sum(values) if by == "+" else prod(values), by)


def weighted_sum(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return a weighted sum that is equal to, different from, or bounded by a number."""
    weights = tuple(rng.choice((-3, -2, -1, 1, 1, 2, 5)) for _ in cells)
    total = sum(weight * value for weight, value in zip(weights, values, strict=True))
    sign, shift = rng.choice((("=", 0), ("!=", 1), ("<=", rng.randrange(3)), (">=", 0)))
    return rules.WeightedSum(cells, weights, total + shift, sign)


def sum_line(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return a line of parts with the smallest sum that divides the line, perhaps into one part."""
    loop = rng.random() < 0.3
    total = next(filter(partial(_divides, values), accumulate(values)), sum(values))
    return rules.SumLine(cells, max(total, 1), loop)


def _divides(values: Ints, total: int) -> bool:
    """Return whether the values consist of consecutive parts with that sum."""
    part = 0
    for value in values:
        part = (0 if part == total else part) + value
        if part > total:
            return False
    return part == total


def counting_circles(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return circles on the cells whose value v occurs v times, or on all cells if none does."""
    circles = [c for c, v in zip(cells, values, strict=True) if values.count(v) == v]
    return rules.CountingCircles(tuple(circles or cells))


def count_distinct(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return a count of different values, the right one if a cell has it."""
    for index, value in enumerate(values):
        if len({*values[:index], *values[index + 1 :]}) == value:
            return rules.CountDistinct((cells[index],), (*cells[:index], *cells[index + 1 :]))
    return rules.CountDistinct((cells[0],), cells)


def hits(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return classes of values, each of which contains a value of the cells."""
    distinct = list(dict.fromkeys(values))
    rng.shuffle(distinct)
    return rules.Hits(
        cells, ((distinct[0],), *((value,) for value in distinct[1 : rng.randint(1, 3)]))
    )


def flatmates(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return flatmates of the first value."""
    return rules.Flatmates(cells, values[0], rng.choice(values), values[1])


def hidden_height(values: Ints) -> int:
    """Return the height of the first hidden tower, of the last tower if none is hidden."""
    return next((v for at, v in enumerate(values) if at and v <= max(values[:at])), values[-1])


def full_rank(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return the rank of a line of cells among lines of the same length."""
    size = rng.randint(1, len(cells) // 2)
    cells, values = cells[: len(cells) // size * size], values[: len(cells) // size * size]
    numbers = [[*values[at : at + size]] for at in range(0, len(values), size)]
    rank = 1 + sum(number < numbers[0] for number in numbers)
    return rules.FullRank(cells[:size], rank, cells[size:], ties=rng.random() < 0.5)


def seen(values: Ints) -> int:
    """Return the number of values that are larger than all before them."""
    return sum(value > max(values[:at], default=0) for at, value in enumerate(values))


def ends_first(cells: Ints, values: Ints) -> tuple[int, ...]:
    """Return the cells in the order of their values."""
    order = sorted(range(len(cells)), key=values.__getitem__)
    return tuple(cells[index] for index in order)


def halves(cells: Ints) -> tuple[Ints, Ints]:
    """Return two lines of equally many cells."""
    half = len(cells) // 2
    return cells[:half], cells[half : 2 * half]


def same_values(rng: random.Random, cells: Ints, values: Ints, n: int) -> rules.SameMultiset:
    """Return two groups of cells, which share cells of the same value evenly."""
    order = sorted(range(len(cells)), key=values.__getitem__)
    paired = [cells[index] for index in order[len(cells) % 2 :]]
    return rules.SameMultiset(tuple(paired[::2]), tuple(paired[1::2]))


def lunchbox(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return the sum between the smallest and the largest value."""
    first, last = sorted((values.index(min(values)), values.index(max(values))))
    return rules.Lunchbox(cells, sum(values[first + 1 : last]))


def connected(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return a rule that the cells of some values are connected; often they are neighbours."""
    wanted = tuple(rng.sample(values, rng.randint(1, 2)))
    order = sorted(range(len(cells)), key=lambda index: values[index] not in wanted)
    chosen = tuple(cells[index] for index in (order if rng.random() < 0.7 else range(len(cells))))
    count = sum(value in wanted for value in values) if rng.random() < 0.4 else None
    return rules.Connected(chosen, wanted, rng.randint(1, len(cells)), count)


def chaos(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return regions to be found, as many cells as cells of numbers; often each is a row."""
    if rng.random() < 0.7 and (rows := _in_rows(cells, values)):
        in_rows, regions, count = rows
        return rules.ChaosConstruction(tuple(in_rows), tuple(regions), count, count)
    half = len(cells) // 2
    counts = [count for count in range(1, half + 1) if half % count == 0]
    columns = rng.randint(1, half)
    numbers = cells[half : 2 * half]
    return rules.ChaosConstruction(cells[:half], numbers, columns, rng.choice(counts))


def doubler(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return doublers whose marks are cells of the two least values, in groups with one each."""
    low = min(values)
    marks = [(c, v > low) for c, v in zip(cells, values, strict=True) if v <= low + 1]
    marks = rng.sample(marks, max(1, min(len(cells) // 2, len(marks))))
    value_of = dict(zip(cells, values, strict=True))
    rest = [cell for cell in cells if cell not in {mark for mark, _ in marks}]
    pairs = [(cell, mark, is_set) for cell, (mark, is_set) in zip(rest, marks, strict=False)]
    marked = [cell for cell, _, is_set in pairs if is_set]
    others = [cell for cell, _, is_set in pairs if not is_set]
    rng.shuffle(others)
    each, over = divmod(len(others), len(marked)) if marked else (0, 1)
    size = 1 if over else each + 1
    groups = [(cell, *others[k * (size - 1) :][: size - 1]) for k, cell in enumerate(marked)]
    differ = len({value_of[cell] for cell in marked}) == len(marked)
    return rules.Doubler(
        held=tuple(cell for cell, _, _ in pairs),
        at=tuple(marked[: rng.randint(0, 1)]),
        factor=rng.choice((2, 2, 3, 0, -1)),
        repeats=bool(over) or not differ or rng.random() < 0.3,
        groups=tuple(cell for group in groups for cell in group),
        each=size if groups else 0,
        marks=tuple(mark for _, mark, _ in pairs),
    )


def _in_rows(cells: Ints, values: Ints) -> tuple[list[int], list[int], int] | None:
    """Return cells in rows without a repeated value, cells with the row numbers, and the length."""
    holders: defaultdict[int, list[int]] = defaultdict(list)
    for cell, value in zip(cells, values, strict=True):
        holders[value].append(cell)
    value_of = dict(zip(cells, values, strict=True))
    for count in range(len(cells) // 2, 0, -1):
        in_rows: list[int] = []
        regions: list[int] = []
        others = [cell for cell in cells if not 0 < value_of[cell] <= len(cells) // (2 * count)]
        for number in range(1, len(cells) // (2 * count) + 1):
            different = {value_of[cell]: cell for cell in others if cell not in in_rows}
            row = list(different.values())[:count]
            if min(len(row), len(holders[number])) < count:
                break
            in_rows += row
            regions += holders[number][:count]
        if regions:
            return in_rows, regions, count
    return None


def of_a_region(kind: type[rules.RegionCount | rules.RegionRun]) -> Callable[..., Rule]:
    """Return a maker of counts of cells in a region, or in a run of it, on one or two arms."""

    def make(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
        number, *regions = cells
        if kind is rules.RegionRun and len(regions) > 2 and rng.random() < 0.5:
            regions.insert(2, regions[0])
        return kind((number,), tuple(regions), rng.random() < 0.3)

    return make


def near_each_other(
    kind: Callable[
        [tuple[int, ...], random.Random, int],
        rules.Parity | rules.Modular | rules.Entropic | rules.Nabner,
    ],
) -> Callable[..., Rule]:
    """Return a maker of lines on which nearby cells are of different classes, from two cells on."""

    def make(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
        probe = kind((0, 1), rng, n)
        chosen = [0]
        for index in range(1, len(cells)):
            if cells[index] not in [cells[at] for at in chosen] and all(
                probe.holds(values[at], values[index]) for at in chosen[-probe.reach :]
            ):
                chosen.append(index)
        line = chosen if len(chosen) > 1 else range(2)
        return replace(probe, line=tuple(cells[index] for index in line))

    return make


def entropic(line: tuple[int, ...], rng: random.Random, n: int) -> rules.Entropic:
    """Return classes of random values, not all of them in a class."""
    values = rng.sample(range(n + 1), n + 1)
    first, second = sorted(rng.sample(range(1, n + 1), min(2, n))) if n > 1 else (1, 1)
    return rules.Entropic(line, (tuple(values[:first]), tuple(values[first:second])))


def region_sum(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return parts of the smallest sum that divides the line, or the first cell and the others."""
    total = next(filter(partial(_divides, values), accumulate(values)), None)
    ends = [0, 1, len(cells)]
    if total is not None:
        ends = [0]
        while ends[-1] < len(cells):
            sums = accumulate(values[ends[-1] :])
            ends.append(ends[-1] + 1 + next(at for at, part in enumerate(sums) if part == total))
    return rules.RegionSum(cells, tuple(b - a for a, b in pairwise(ends) if b > a))


def zipper(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return the pairs of cells with the sum of the first two, the second pair inside, and so on.

    A cell that holds the sum is the centre.
    """
    total, remaining = values[0] + values[1], list(range(2, len(cells)))
    pairs = [(0, 1)]
    while remaining:
        first, *remaining = remaining
        other = next((at for at in remaining if values[first] + values[at] == total), None)
        if other is not None:
            remaining.remove(other)
            pairs.append((first, other))
    paired = {at for pair in pairs for at in pair}
    centre = [at for at, value in enumerate(values) if value == total and at not in paired][:1]
    line = [*(a for a, _ in pairs), *centre, *(b for _, b in reversed(pairs))]
    return rules.Zipper(tuple(cells[at] for at in line))


def double_arrow(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return two cells as ends, and cells between them whose sum does not exceed theirs."""
    order = sorted(range(len(cells)), key=values.__getitem__)
    *others, first, last = order
    remaining, between = values[first] + values[last], []
    for index in reversed(others):
        if values[index] <= remaining:
            remaining -= values[index]
            between.append(index)
    return rules.DoubleArrow(tuple(cells[index] for index in (first, *(between or others), last)))


def ambiguous_arrow(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return a cell of the largest value, and others whose sum does not exceed it, in any order."""
    *others, largest = sorted(range(len(cells)), key=values.__getitem__)
    remaining, shaft = values[largest], []
    for index in reversed(others):
        if values[index] <= remaining:
            remaining -= values[index]
            shaft.append(index)
    line = rng.sample(shaft or others[:1], len(shaft or others[:1]))
    ends = rng.random() < 0.4
    line.insert(rng.choice((0, len(line))) if ends else rng.randint(0, len(line)), largest)
    return rules.AmbiguousArrow(tuple(cells[index] for index in line), ends)


def battlefield(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return a line whose ends are values up to its length, if there are two, with its total."""
    fits = [index for index, value in enumerate(values) if value <= len(cells)]
    ends = rng.sample(fits, 2) if len(fits) > 1 else [0, len(cells) - 1]
    line = [index for index in range(len(cells)) if index not in ends]
    line = [ends[0], *line, ends[1]]
    begin, end = sorted((values[ends[0]], len(line) - values[ends[1]]))
    total = sum(values[index] for index in line[max(begin, 0) : end])
    return rules.Battlefield(tuple(cells[index] for index in line), total)


def of_parity(kind: type[rules.Odd | rules.Even]) -> Callable[..., Rule]:
    """Return a maker of marks of the cells that are odd, or even; on the first if none is."""

    def make(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
        chosen = [c for c, v in zip(cells, values, strict=True) if v % 2 == kind.remainder]
        return kind(tuple(chosen or cells[:1]))

    return make


def extreme(kind: type[rules.Minimum | rules.Maximum]) -> Callable[..., Rule]:
    """Return a maker of a cell that holds less, or more, than others."""

    def make(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
        order = sorted(range(len(cells)), key=lambda at: -kind.sign * values[at])
        first = order[0]
        pairs = [(cells[first], cells[at]) for at in order[1:] if values[at] != values[first]]
        return kind((cells[first],), tuple(pairs or [(cells[first], cells[order[1]])]))

    return make


def index(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return a cell that holds the place of a number on the line of all cells, if one does."""
    at = next((k for k, value in enumerate(values) if 1 <= value <= len(cells)), 0)
    position = min(max(values[at], 1), len(cells))
    return rules.Index((cells[at],), "", cells, (values[position - 1],))


def clone(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return two groups of cells, which share cells of the same value evenly."""
    same = same_values(rng, cells, values, n)
    return rules.Clone(same.held, same.other)
