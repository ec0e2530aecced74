"""S-cells: cells with two digits, by a search that knows nothing of the package."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unidoku
from tests.helpers.volume import volume
from unidoku import Board, FormatError, LayoutError, Puzzle, is_solution, layout
from unidoku.core import rules
from unidoku.core.portable import board_from_table, table_of_board
from unidoku.core.variants import variant_of

Cell: TypeAlias = frozenset[int]
"""The digits of a cell."""

Holds: TypeAlias = Callable[[Sequence[Cell]], bool]

BOXES = [[0, 1, 4, 5], [2, 3, 6, 7], [8, 9, 12, 13], [10, 11, 14, 15]]
VARIANTS: dict[str, tuple[int, list[list[int]]]] = {
    "latin+schroedinger": (3, []),
    "latin+schroedinger:digits": (3, []),
    "schroedinger": (4, BOXES),
    "schroedinger:digits": (4, BOXES),
}
GRIDS = {3: "01 2 3 2 3 01 3 01 2", 4: "0 1 34 2 34 2 1 0 2 3 0 14 1 04 2 3"}
"""A filling of each size."""


def cells_of(n: int) -> list[Cell]:
    """What a cell may hold: a digit of 0 to n, or two."""
    return [
        Cell(digits) for size in (1, 2) for digits in itertools.combinations(range(n + 1), size)
    ]


def fillings(
    n: int, extra: Sequence[Sequence[int]], known: Mapping[int, Sequence[Cell]]
) -> Iterator[list[Cell]]:
    """Fill a square cell by cell: n cells of each unit hold each of n + 1 digits once."""
    side = range(n)
    units = [[row * n + c for c in side] for row in side]
    units += [[row * n + c for row in side] for c in side] + [*map(list, extra)]
    grid: list[Cell] = []

    earlier = [
        [[other for other in unit if other < cell] for unit in units if cell in unit]
        for cell in range(n * n)
    ]

    def fits(content: Cell) -> bool:
        for cells in earlier[len(grid)]:
            digits = len(content)
            for cell in cells:
                if content & grid[cell]:
                    return False
                digits += len(grid[cell])
            left = n - len(cells) - 1
            if not digits + left <= n + 1 <= digits + 2 * left:
                return False
        return True

    def rest() -> Iterator[list[Cell]]:
        if len(grid) == n * n:
            yield [*grid]
            return
        for content in known.get(len(grid), cells_of(n)):
            if fits(content):
                grid.append(content)
                yield from rest()
                grid.pop()

    return rest()


def path(chance: random.Random, n: int, most: int) -> tuple[int, ...]:
    """Cells that touch, one after the other."""
    places = [(chance.randrange(n), chance.randrange(n))]
    while len(places) < most:
        row, column = places[-1]
        near = [(row + a, column + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        free = [p for p in near if p not in places and min(p) >= 0 and max(p) < n]
        if not free:
            break
        places.append(chance.choice(free))
    return tuple(row * n + column for row, column in places)


def splits(values: Sequence[int], total: int) -> bool:
    """Whether values fall into parts of a total."""
    part = 0
    for value in values:
        part = part + value
        if part > total:
            return False
        part %= total
    return part == 0 and any(values)


def makers(chance: random.Random, n: int, *, by_digits: bool) -> list[tuple[rules.Rule, Holds]]:
    """A rule of each kind with some cells, and what it means."""
    line = path(chance, n, 4)
    pairs = tuple(itertools.pairwise(line))
    pair, total, row = pairs[:1], chance.randint(1, 12), range(n)
    (first, *others), last = line, line[-1]
    cell, by = line[0], chance.randint(1, 3)
    around = [r * n + c for r in row for c in row if abs(r - cell // n) + abs(c - cell % n) == 1]
    low = chance.randint(1, 2)
    weights = tuple(chance.choice((-2, -1, 1, 2)) for _ in line)

    def value(grid: Sequence[Cell], cells: Sequence[int]) -> int:
        return sum(sum(grid[cell]) for cell in cells)

    def apart(grid: Sequence[Cell]) -> bool:
        return len(Cell().union(*(grid[cell] for cell in line))) == sum(
            len(grid[cell]) for cell in line
        )

    def numbers(content: Cell) -> Sequence[int]:
        return [*content] if by_digits else [sum(content)]

    def all_of(cases: Sequence[tuple[int, int]], holds: Callable[[int, int], bool]) -> Holds:
        return lambda grid: all(
            holds(a, b) for c, d in cases for a in numbers(grid[c]) for b in numbers(grid[d])
        )

    def spread(grid: Sequence[Cell]) -> bool:
        values = [sum(grid[cell]) for cell in line]
        return len(set(values)) == len(values) == max(values) - min(values) + 1

    def inside(grid: Sequence[Cell]) -> bool:
        ends = sorted((sum(grid[first]), sum(grid[last])))
        return all(ends[0] < sum(grid[cell]) < ends[1] for cell in line[1:-1])

    def zipped(grid: Sequence[Cell]) -> bool:
        values = [sum(grid[cell]) for cell in line]
        half = len(values) // 2
        centre = {values[half]} if len(values) % 2 else set()
        ends = zip(values[:half], values[::-1], strict=False)
        return len(centre | {a + b for a, b in ends}) == 1

    cases: list[tuple[rules.Rule, Holds]] = [
        (rules.Killer(line, total), lambda grid: apart(grid) and value(grid, line) == total),
        (rules.Killer(line), apart),
        (rules.SumOfCells(line, total), lambda grid: value(grid, line) == total),
        (rules.SameSum((first,), line[1:]), lambda grid: sum(grid[first]) == value(grid, others)),
        (
            rules.WeightedSum(line, weights, total, "<="),
            lambda grid: sum(w * sum(grid[c]) for w, c in zip(weights, line, strict=True)) <= total,
        ),
        (
            rules.WeightedSum(line, weights, total, "!="),
            lambda grid: sum(w * sum(grid[c]) for w, c in zip(weights, line, strict=True)) != total,
        ),
        (rules.Arrow((first,), line[1:]), lambda grid: sum(grid[first]) == value(grid, others)),
        (rules.Thermo(line), all_of(pairs, lambda a, b: a < b)),
        (rules.SlowThermo(line), all_of(pairs, lambda a, b: a <= b)),
        (rules.Whispers(line, low), all_of(pairs, lambda a, b: abs(a - b) >= low)),
        (rules.Greater(pairs), all_of(pairs, lambda a, b: a > b)),
        (rules.DiffersBy(pair, by), all_of(pair, lambda a, b: abs(a - b) == by)),
        (rules.DiffersBy(pair, by, never=True), all_of(pair, lambda a, b: abs(a - b) != by)),
        (rules.Ratio(pair), all_of(pair, lambda a, b: a == 2 * b or b == 2 * a)),
        (rules.NonConsecutive(pairs), all_of(pairs, lambda a, b: abs(a - b) != 1)),
        (rules.Parity(line), all_of(pairs, lambda a, b: (a - b) % 2 == 1)),
        (rules.PairSum(pair, total), lambda grid: value(grid, pair[0]) == total),
        (rules.PairSum(pair, total, never=True), lambda grid: value(grid, pair[0]) != total),
        (rules.Odd(line), lambda grid: all(v % 2 for c in line for v in numbers(grid[c]))),
        (rules.Even(line), lambda grid: all(v % 2 == 0 for c in line for v in numbers(grid[c]))),
        (rules.Minimum((cell,)), all_of([(cell, c) for c in around], lambda a, b: a < b)),
        (rules.Maximum((cell,)), all_of([(cell, c) for c in around], lambda a, b: a > b)),
        (rules.Renban(line), spread),
        (rules.Between(line), inside),
        (rules.Zipper(line), zipped),
        (
            rules.DoubleArrow(line),
            lambda grid: value(grid, (first, last)) == value(grid, line[1:-1]),
        ),
        (
            rules.RegionSum(line, (1, len(line) - 1)),
            lambda grid: sum(grid[first]) == value(grid, others),
        ),
        (rules.SumLine(line, total), lambda grid: splits([sum(grid[c]) for c in line], total)),
        (
            rules.SumLine(line, total, loop=True),
            lambda grid: any(
                splits([sum(grid[c]) for c in (*line[k:], *line[:k])], total)
                for k in range(len(line))
            ),
        ),
    ]
    if len(line) > 3:
        pill = rules.Arrow(line[:2], line[2:])
        cases.append(
            (
                pill,
                lambda grid: 10 * sum(grid[line[0]]) + sum(grid[line[1]]) == value(grid, line[2:]),
            )
        )
    (rule, is_one), (other, is_other) = chance.sample(cases, 2)
    either = rules.AnyOf(((rule,), (other,)))
    return [*cases, (either, lambda grid: is_one(grid) or is_other(grid))]


def numbered(n: int, grid: Sequence[Cell]) -> tuple[int, ...]:
    """The values of a board: the digits first, then the sets of two."""
    return tuple(cells_of(n).index(digits) + 1 for digits in grid)


def some_board(
    chance: random.Random,
) -> tuple[Board, list[list[Cell]], list[list[Cell]]]:
    """A board with rules that mostly keep one solution; all fillings, and its solutions."""
    variant = chance.choice([*VARIANTS])
    n, extra = VARIANTS[variant]
    every = cells_of(n)
    digits = chance.sample(range(n + 1), n + 1)
    solution = [Cell(digits[int(digit)] for digit in symbols) for symbols in GRIDS[n].split()]
    shown = chance.sample(range(n * n), chance.randint(1, 2) if n == 3 else chance.randint(6, 8))
    known = {cell: [solution[cell]] for cell in shown}
    known[shown[0]] = [*{solution[shown[0]], *chance.sample(every, 3)}]
    layout_rules: list[tuple[rules.Rule, Holds]] = []
    while len(layout_rules) < 2:
        drawn = chance.choice(makers(chance, n, by_digits=variant.endswith("digits")))
        if drawn[1](solution) or chance.random() < 0.1:
            layout_rules.append(drawn)
    board = Board.from_candidates(
        layout(variant, n).with_rules(*(rule for rule, _ in layout_rules)),
        [[every.index(h) + 1 for h in known.get(cell, every)] for cell in range(n * n)],
    )
    whole = [*fillings(n, extra, known)]
    return board, whole, [grid for grid in whole if all(holds(grid) for _, holds in layout_rules)]


@pytest.mark.parametrize("backend", ["native", "sat"])
def test_solvers_find_the_fillings_that_keep_the_rules(backend: str) -> None:
    solver = unidoku.load(backend)

    @settings(max_examples=volume(20))
    @given(st.integers(0, 2**40))
    def check(seed: int) -> None:
        board, every, expected = some_board(random.Random(seed))
        result = unidoku.solve(board, solutions=None, backend=solver)
        n = board.layout.size
        assert {*result.solutions} == {numbered(n, grid) for grid in expected}
        assert result.count == len(expected)
        for grid in every[:: len(every) // 30 + 1]:
            assert is_solution(board, numbered(n, grid)) == (grid in expected)

    check()


@settings(max_examples=volume(15))
@given(st.integers(0, 2**40))
def test_a_board_is_written_and_read_back(seed: int) -> None:
    board, _, expected = some_board(random.Random(seed))
    solution = numbered(board.layout.size, expected[0]) if expected else None
    puzzle = Puzzle(board, "some", 1, solution=solution, solutions=len(expected))
    for form in ("toml", "json"):
        written = unidoku.write(puzzle, form)
        assert not written.losses
        (back,) = unidoku.read(written.text, format=form)
        assert (back.board, back.solution) == (board, solution)
    assert board_from_table(table_of_board(board)) == board
    assert Board.parse(board.text("candidates"), board.layout) == board


def test_the_empty_square_of_3_has_the_fillings_of_plain_search() -> None:
    result = unidoku.count(Board.empty(layout("latin+schroedinger", 3)))
    assert result.count == sum(1 for _ in fillings(3, [], {}))


def test_digits_alone_are_given_as_symbols_and_others_as_words() -> None:
    board = Board.parse("014.............", "schroedinger")
    assert board.text("line") == "0 1 4 ." + " ." * 12
    board = Board.parse("0 1 4 23 " + ". " * 12, "schroedinger")
    assert board.to_dict()["A4"] == (board.layout.shown.index("23"),)
    assert variant_of(board.layout) is not None
    with pytest.raises(FormatError, match="two digits in ascending order, got '32'"):
        Board.parse("0 1 4 32 " + ". " * 12, "schroedinger")


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (rules.Sandwich((0, 1, 2, 3), 4), "sandwich: has no meaning on a layout with S-cells"),
        (rules.Doubler(), "doubler: has no meaning on a layout with S-cells"),
        (rules.Palindrome((0, 1, 2)), "palindrome: has no meaning on a layout with S-cells"),
    ],
)
def test_a_rule_without_a_meaning_is_refused(rule: rules.Rule, words: str) -> None:
    with pytest.raises(LayoutError, match=words):
        layout("schroedinger", 4).with_rules(rule)


@pytest.mark.parametrize(
    ("variant", "n", "words"),
    [
        ("schroedinger", 16, "expected 2 to 10 digits, each with one symbol, got 17"),
        ("schroedinger:both", 4, "expected sum or digits, got 'both'"),
    ],
)
def test_a_size_or_a_way_to_compare_that_does_not_exist_is_refused(
    variant: str, n: int, words: str
) -> None:
    with pytest.raises(LayoutError, match=words):
        layout(variant, n)


def test_squares_that_overlap_have_one_rule_of_s_cells() -> None:
    placed = layout("grids:0,0/2,2+schroedinger", 4)
    assert [rule.kind for rule in placed.rules] == ["schroedinger"]
    assert unidoku.solve(Board.empty(placed)).count == 1


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ((0, 1, 2, 3), "A1-A4 hold the digits 0 to 4, two of them in one cell"),
        ((0, 4), "A1 B1 have no digit in common"),
        ((0, 1, 4), "A1 A2 B1 have no digit in common"),
        ((0, 1, 2, 3, 4), "each row, column and region holds the digits 0 to 4, two of them in "),
    ],
)
def test_the_rule_is_told_about_the_cells_of_a_step(cells: tuple[int, ...], words: str) -> None:
    square = layout("schroedinger", 4)
    assert square.in_words(square.rules[0], cells).startswith(words)
