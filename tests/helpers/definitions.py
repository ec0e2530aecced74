"""Each kind of rule as docs/rules.md defines it: plain functions of all values, without a solver.

They share nothing with the rules' own definitions (`Rule.broken`) or with their constraints, and
are written from the words of that page only; so the page, the checker and the solvers are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, groupby, pairwise
from math import prod
from typing import Any

from unidoku import Layout
from unidoku.core.rules.valued import Valued


class Seen:
    """A full grid as people see it."""

    def __init__(self, layout: Layout, grid: Sequence[int]) -> None:
        """Take a layout, and a value of each cell: 1 is the first."""
        self.least = layout.first_value
        self.largest = layout.first_value + layout.n - 1
        self.grid = [value + layout.first_value - 1 for value in grid]

    def of(self, cells: Sequence[int]) -> list[int]:
        """Return the values of cells, in order."""
        return [self.grid[cell] for cell in cells]


def keeps_all(layout: Layout, grid: Sequence[int]) -> bool:
    """Return whether a full grid satisfies every rule of a layout."""
    seen = Seen(layout, grid)
    return all(keeps(rule, seen) for rule in layout.rules)


def keeps(rule: Any, seen: Seen) -> bool:
    if isinstance(rule, Valued):
        return keeps_values(rule, seen)
    return DEFINITIONS[rule.kind](rule, seen)


def is_marked(mark: int, seen: Seen) -> bool:
    return seen.grid[mark] == seen.least + 1


def doubler(rule: Any, seen: Seen) -> bool:
    mark_of = dict(zip(rule.held, rule.marks, strict=True))
    doubled = [cell for cell in rule.held if is_marked(mark_of[cell], seen)]
    groups = [rule.groups[k : k + rule.each] for k in range(0, len(rule.groups), rule.each or 1)]
    return (
        all(seen.grid[mark] <= seen.least + 1 for mark in rule.marks)
        and set(rule.at) <= set(doubled)
        and all(len(set(group) & set(doubled)) == 1 for group in groups)
        and (rule.repeats or len(set(seen.of(doubled))) == len(doubled))
    )


def keeps_values(rule: Valued, seen: Seen) -> bool:
    """Return whether a rule of sums is kept by values, what is about digits by digits."""
    inner: Any = rule.rule
    counted = Seen.__new__(Seen)
    counted.least, counted.largest, counted.grid = seen.least, seen.largest, [*seen.grid]
    for cell, mark in zip(rule.held, rule.marks, strict=True):
        if is_marked(mark, seen):
            counted.grid[cell] *= rule.factor
    match inner.kind:
        case "killer":
            return differ(inner.cage, seen) and sum(counted.of(inner.cage)) == inner.total
        case "sandwich":
            crusts = [k for k, v in enumerate(seen.of(inner.line)) if v in (seen.least, inner.high)]
            between = inner.line[crusts[0] + 1 : crusts[-1]] if crusts else ()
            return len(crusts) == 2 and sum(counted.of(between)) == inner.total
        case "x-sum":
            first = seen.grid[inner.line[0]]
            fits = 1 <= first <= len(inner.line)
            return bool(fits and sum(counted.of(inner.line[:first])) == inner.total)
        case "battlefield":
            return battlefield(inner, seen, counted)
    return DEFINITIONS[inner.kind](inner, counted)


def differ(cells: Sequence[int], seen: Seen) -> bool:
    return len(set(seen.of(list(set(cells))))) == len(set(cells))


def of_pairs(holds: Callable[[Any, int, int], bool]) -> Callable[[Any, Seen], bool]:
    """Return the definition of a rule that is about each pair."""
    return lambda rule, seen: all(
        holds(rule, *seen.of(pair)) != getattr(rule, "never", False) for pair in rule.pairs
    )


def related(rule: Any, seen: Seen) -> bool:
    if callable(rule.related):
        return all(rule.related(*seen.of(pair)) for pair in rule.pairs)
    table = [
        [seen.least + shift for shift in range(mask.bit_length()) if mask >> shift & 1]
        for mask in rule.related
    ]
    return all(b in table[a - seen.least] for a, b in map(seen.of, rule.pairs))


def renban(rule: Any, seen: Seen) -> bool:
    values = seen.of(rule.line)
    return sorted(values) == list(range(min(values), min(values) + len(values)))


def killer(rule: Any, seen: Seen) -> bool:
    return differ(rule.cage, seen) and rule.total in (None, sum(seen.of(rule.cage)))


def arrow(rule: Any, seen: Seen) -> bool:
    *digits, last = seen.of(rule.circle)
    number = sum(10 ** (len(digits) - index) * digit for index, digit in enumerate(digits)) + last
    return bool(number == sum(seen.of(rule.shaft)))


def windows(rule: Any, seen: Seen, size: int, holds: Callable[[int, int], bool]) -> bool:
    """Return whether any two different cells among so many in a row are related."""
    line = rule.line
    parts = [line[at : at + size] for at in range(len(line))]
    return all(
        holds(*seen.of((a, b))) for part in parts for a, b in combinations(part, 2) if a != b
    )


def entropic(rule: Any, seen: Seen) -> bool:
    classes = [set(members) for members in rule.classes]

    def differ_in_class(a: int, b: int) -> bool:
        return a != b and not any({a, b} <= members for members in classes)

    return windows(rule, seen, len(classes), differ_in_class)


def region_sum(rule: Any, seen: Seen) -> bool:
    values, sums = seen.of(rule.line), []
    for size in rule.parts:
        sums.append(sum(values[:size]))
        values = values[size:]
    return len(set(sums)) == 1


def zipper(rule: Any, seen: Seen) -> bool:
    values = seen.of(rule.line)
    half = len(values) // 2
    sums = {a + b for a, b in zip(values[:half], values[::-1], strict=False)}
    return len(sums | set(values[half : len(values) - half])) <= 1


def ambiguous_arrow(rule: Any, seen: Seen) -> bool:
    values = seen.of(rule.line)
    sums = [sum(values[:at] + values[at + 1 :]) for at in range(len(values))]
    holds = [value == total for value, total in zip(values, sums, strict=True)]
    return holds[0] or holds[-1] or (not rule.ends and any(holds))


def double_arrow(rule: Any, seen: Seen) -> bool:
    first, *between, last = seen.of(rule.line)
    return first + last == sum(between)


def index(rule: Any, seen: Seen) -> bool:
    size = len(rule.lines) // len(rule.held)
    lines = [rule.lines[k : k + size] for k in range(0, len(rule.lines), size)]
    places = seen.of(rule.held)
    clues = zip(places, lines, rule.numbers, strict=True)
    return all(at(position, seen.of(line)) == number for position, line, number in clues)


def taxicab(rule: Any, seen: Seen) -> bool:
    placed = [(k // rule.columns, k % rule.columns, v) for k, v in enumerate(seen.of(rule.held))]
    return not any(
        v == w
        and (not rule.values or v in rule.values)
        and abs(row - below) + abs(column - right) == (v if rule.steps is None else rule.steps)
        for (row, column, v), (below, right, w) in combinations(placed, 2)
    )


def kenken(rule: Any, seen: Seen) -> bool:
    values = seen.of(rule.cage)
    if rule.by in "+*":
        return bool(rule.total == (sum(values) if rule.by == "+" else prod(values)))
    first, other = values
    orders = [(first, other), (other, first)]
    if rule.by == "-":
        return any(a - b == rule.total for a, b in orders)
    return any(b != 0 and a == rule.total * b for a, b in orders)


def weighted_sum(rule: Any, seen: Seen) -> bool:
    total = sum(w * v for w, v in zip(rule.weights, seen.of(rule.summed), strict=True))
    return bool(
        {
            "=": total == rule.total,
            "!=": total != rule.total,
            "<=": total <= rule.total,
            ">=": total >= rule.total,
        }[rule.sign]
    )


def equality_cage(rule: Any, seen: Seen) -> bool:
    twice_middle = seen.least + (seen.largest if rule.high is None else rule.high)
    values = seen.of(rule.cage)
    low = sum(2 * v < twice_middle for v in values)
    high = sum(2 * v > twice_middle for v in values)
    odd = sum(v % 2 for v in values)
    return differ(rule.cage, seen) and 2 * odd == 2 * low == 2 * high == len(values)


def rellik(rule: Any, seen: Seen) -> bool:
    values = seen.of(rule.cage)
    sizes = range(1, len(values) + 1)
    sums = {sum(part) for size in sizes for part in combinations(values, size)}
    return differ(rule.cage, seen) and rule.total not in sums


def contains(rule: Any, seen: Seen) -> bool:
    values = seen.of(rule.held)
    counts = [(values.count(v), rule.wanted.count(v)) for v in rule.wanted]
    return all(a == b if rule.exactly else a >= b for a, b in counts)


def differ_where(rule: Any, seen: Seen) -> bool:
    return seen.of(rule.where) != [rule.value] or differ(rule.others, seen)


def between(rule: Any, seen: Seen) -> bool:
    first, *others, last = seen.of(rule.line)
    return all(min(first, last) < v < max(first, last) for v in others)


def lockout(rule: Any, seen: Seen) -> bool:
    first, *others, last = seen.of(rule.line)
    low, high = sorted((first, last))
    return high - low >= rule.least and not any(low <= v <= high for v in others)


def no_three_equal(rule: Any, seen: Seen) -> bool:
    return all(len(list(same)) < 3 for _, same in groupby(seen.of(rule.line)))


def at(position: int, values: Sequence[int]) -> int | None:
    """Return the value at a place on a line, counted from 1, None if there is no such place."""
    return values[position - 1] if 1 <= position <= len(values) else None


def indexed(rule: Any, seen: Seen) -> bool:
    (position,), (value,) = seen.of(rule.place), seen.of(rule.value)
    return at(position, seen.of(rule.line)) == value


def splits(values: Sequence[int], total: int) -> bool:
    """Return whether values in a row split into parts of this sum."""
    return not values or any(
        sum(values[:end]) == total and splits(values[end:], total)
        for end in range(1, len(values) + 1)
    )


def sum_line(rule: Any, seen: Seen) -> bool:
    values = seen.of(rule.line)
    starts = range(len(values) if rule.loop else 1)
    return any(splits(values[start:] + values[:start], rule.total) for start in starts)


def flatmates(rule: Any, seen: Seen) -> bool:
    column = [None, *seen.of(rule.column), None]
    return all(
        column[k - 1] == rule.above or column[k + 1] == rule.below
        for k in range(1, len(column) - 1)
        if column[k] == rule.middle
    )


def line(rule: Any, seen: Seen) -> bool:
    values = seen.of(rule.line)
    if callable(rule.step):
        state = rule.start
        for value in values:
            state = rule.step(state, value)
            if state is None:
                return False
        return bool(rule.accept(state))
    states = set(rule.start)
    for value in values:
        states = {after for before, v, after in rule.step if before in states and v == value}
    return bool(states & set(rule.accept))


def sandwich(rule: Any, seen: Seen) -> bool:
    values = seen.of(rule.line)
    ends = (seen.least, seen.largest if rule.high is None else rule.high)
    crusts = [index for index, value in enumerate(values) if value in ends]
    return len(crusts) == 2 and sum(values[crusts[0] + 1 : crusts[1]]) == rule.total


def x_sum(rule: Any, seen: Seen) -> bool:
    values = seen.of(rule.line)
    return 1 <= values[0] <= len(values) and sum(values[: values[0]]) == rule.total


def battlefield(rule: Any, seen: Seen, counted: Seen | None = None) -> bool:
    ends = seen.of((rule.line[0], rule.line[-1]))
    if max(ends) > len(rule.line):
        return False
    places = range(len(rule.line))
    army, other = {*places[: ends[0]]}, {*places[::-1][: ends[1]]}
    field = army & other or {*places} - army - other
    return bool(sum((counted or seen).of([rule.line[index] for index in field])) == rule.total)


def skyscraper(rule: Any, seen: Seen) -> bool:
    values = seen.of(rule.line)
    visible = [v > 0 and all(v > other for other in values[:k]) for k, v in enumerate(values)]
    return bool(sum(visible) == rule.seen)


def hidden_skyscraper(rule: Any, seen: Seen) -> bool:
    values = seen.of(rule.line)
    hidden = [v for k, v in enumerate(values) if any(other >= v for other in values[:k])]
    return hidden[:1] == [rule.height]


def numbered_room(rule: Any, seen: Seen) -> bool:
    values = seen.of(rule.line)
    return bool(at(values[0], values) == rule.value)


def full_rank(rule: Any, seen: Seen) -> bool:
    line, others, length = seen.of(rule.line), seen.of(rule.others), len(rule.line)
    lines = [others[k : k + length] for k in range(0, len(others), length)]
    rank = 1 + sum(other < line for other in lines)
    return rank == rule.rank and (rule.ties or line not in lines)


def nonogram(rule: Any, seen: Seen) -> bool:
    filled = seen.largest if rule.filled is None else rule.filled
    runs = [(v, len(list(same))) for v, same in groupby(seen.of(rule.line))]
    return [length for v, length in runs if v == filled] == list(rule.blocks)


def lunchbox(rule: Any, seen: Seen) -> bool:
    values = seen.of(rule.line)
    first, last = sorted((values.index(min(values)), values.index(max(values))))
    return differ(rule.line, seen) and sum(values[first + 1 : last]) == rule.total


def are_connected(places: Sequence[int], columns: int) -> bool:
    """Return whether places in rows of so many are connected by their sides."""

    def are_neighbours(a: int, b: int) -> bool:
        return abs(a // columns - b // columns) + abs(a % columns - b % columns) == 1

    reached = set(places[:1])
    for _ in places:
        reached |= {a for a in places if any(are_neighbours(a, b) for b in reached)}
    return len(reached) == len(places)


def connected(rule: Any, seen: Seen) -> bool:
    places = [k for k, value in enumerate(seen.of(rule.held)) if value in rule.values]
    fits = len(places) > 0 if rule.count is None else len(places) == rule.count
    return fits and are_connected(places, rule.columns)


def chaos_construction(rule: Any, seen: Seen) -> bool:
    values = seen.of(rule.held)
    # Regions are numbered from 1 whatever the values are, as the first value is number 1.
    numbers = [number - seen.least + 1 for number in seen.of(rule.regions)]
    size = rule.count or seen.largest - seen.least + 1
    first_seen = list(dict.fromkeys(numbers))
    regions = [[k for k, region in enumerate(numbers) if region == number] for number in first_seen]
    return first_seen == list(range(1, len(first_seen) + 1)) and all(
        len(places) == size
        and are_connected(places, rule.columns)
        and len({values[k] for k in places}) == size
        for places in regions
    )


def region_count(rule: Any, seen: Seen) -> bool:
    first, *others = seen.of(rule.regions)
    return seen.of(rule.number) == [others.count(first) + (not rule.without_first)]


def region_run(rule: Any, seen: Seen) -> bool:
    first = rule.arms[0]
    starts = [k for k, cell in enumerate(rule.arms) if cell == first]
    arms = [rule.arms[a + 1 : b] for a, b in pairwise([*starts, len(rule.arms)])]
    inside = 0 if rule.without_first else 1
    for arm in arms:
        for value in seen.of(arm):
            if value != seen.grid[first]:
                break
            inside += 1
    return seen.of(rule.number) == [inside]


def any_of(rule: Any, seen: Seen) -> bool:
    return any(
        all(keeps(part, seen) for part in (branch if isinstance(branch, tuple) else (branch,)))
        for branch in rule.branches
    )


DEFINITIONS: Mapping[str, Callable[[Any, Seen], bool]] = {
    "non-consecutive": of_pairs(lambda rule, a, b: abs(a - b) != 1),
    "greater": of_pairs(lambda rule, a, b: a > b),
    "difference": of_pairs(lambda rule, a, b: abs(a - b) == rule.by),
    "ratio": of_pairs(lambda rule, a, b: a == rule.times * b or b == rule.times * a),
    "pair-sum": of_pairs(lambda rule, a, b: a + b == rule.total),
    "pairs": related,
    "thermo": lambda rule, seen: all(
        a < b or (rule.slow and a == b) for a, b in pairwise(seen.of(rule.line))
    ),
    "slow-thermo": lambda rule, seen: seen.of(rule.line) == sorted(seen.of(rule.line)),
    "parity": lambda rule, seen: windows(rule, seen, 2, lambda a, b: a % 2 != b % 2),
    "modular": lambda rule, seen: windows(
        rule, seen, rule.modulus, lambda a, b: a % rule.modulus != b % rule.modulus
    ),
    "entropic": entropic,
    "nabner": lambda rule, seen: windows(
        rule, seen, len(rule.line), lambda a, b: abs(a - b) not in (0, 1)
    ),
    "region-sum": region_sum,
    "zipper": zipper,
    "double-arrow": double_arrow,
    "ambiguous-arrow": ambiguous_arrow,
    "product-line": lambda rule, seen: prod(seen.of(rule.line)) == rule.total,
    "index": index,
    "odd": lambda rule, seen: {1} >= {v % 2 for v in seen.of(rule.held)},
    "even": lambda rule, seen: {0} >= {v % 2 for v in seen.of(rule.held)},
    "minimum": lambda rule, seen: all(a < b for a, b in map(seen.of, rule.compared)),
    "maximum": lambda rule, seen: all(a > b for a, b in map(seen.of, rule.compared)),
    "clone": lambda rule, seen: seen.of(rule.held) == seen.of(rule.other),
    "taxicab": taxicab,
    "whisper": lambda rule, seen: all(
        abs(a - b) >= rule.least for a, b in pairwise(seen.of(rule.line))
    ),
    "palindrome": lambda rule, seen: seen.of(rule.line) == seen.of(rule.line)[::-1],
    "renban": renban,
    "killer": killer,
    "sum": lambda rule, seen: sum(seen.of(rule.summed)) == rule.total,
    "arrow": arrow,
    "same-sum": lambda rule, seen: sum(seen.of(rule.summed)) == sum(seen.of(rule.other)),
    "product": lambda rule, seen: prod(seen.of(rule.cage)) == rule.total,
    "kenken": kenken,
    "weighted-sum": weighted_sum,
    "equality-cage": equality_cage,
    "rellik": rellik,
    "contains": contains,
    "hits": lambda rule, seen: all(set(seen.of(rule.held)) & set(c) for c in rule.classes),
    "counting-circles": lambda rule, seen: all(
        seen.of(rule.circles).count(v) == v for v in seen.of(rule.circles)
    ),
    "count-distinct": lambda rule, seen: seen.of(rule.number) == [len({*seen.of(rule.counted)})],
    "differ-where": differ_where,
    "between": between,
    "lockout": lockout,
    "no-three-equal": no_three_equal,
    "lines-differ": lambda rule, seen: seen.of(rule.line) != seen.of(rule.other),
    "indexed": indexed,
    "sum-line": sum_line,
    "flatmates": flatmates,
    "line": line,
    "sandwich": sandwich,
    "x-sum": x_sum,
    "battlefield": battlefield,
    "skyscraper": skyscraper,
    "hidden-skyscraper": hidden_skyscraper,
    "numbered-room": numbered_room,
    "full-rank": full_rank,
    "nonogram": nonogram,
    "holds": lambda rule, seen: set(seen.of(rule.held)) <= set(rule.values),
    "same-values": lambda rule, seen: sorted(seen.of(rule.held)) == sorted(seen.of(rule.other)),
    "lunchbox": lunchbox,
    "connected": connected,
    "chaos-construction": chaos_construction,
    "doubler": doubler,
    "region-count": region_count,
    "region-run": region_run,
    "any-of": any_of,
}
"""Whether full grids satisfy a rule, by its kind."""
