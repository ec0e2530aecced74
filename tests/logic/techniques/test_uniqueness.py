"""Techniques of uniqueness: what they remove is true only where there is a second solution."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.technique_cases import ORACLE, Case
from tests.helpers.technique_layouts import CLASSIC, DISJOINT, WINDOKU, X
from tests.helpers.volume import volume
from unidoku import Board, Grid, Layout, Request, layout
from unidoku.core.verify.boards import is_solution
from unidoku.errors import UnsupportedError
from unidoku.logic import State, Step, technique, usual, walk_through
from unidoku.logic.techniques.uniqueness import deadly_rectangles, no_bug, no_rectangle
from unidoku.testing.strategies import named_layouts, unit_systems

RECTANGLE = "unique rectangle"


def twin(board: Board, step: Step, grid: Grid) -> Grid:
    """Return the other solution that a solution must have which a step forbids."""
    values = list(grid)
    if step.technique == "BUG":
        for cell in step.cells:
            saved = {value for where, value in step.placements if where == cell}
            (values[cell],) = set(board.values(cell)) - {grid[cell]} - saved
        return tuple(values)
    corners = list(dict.fromkeys(cell for cell, _ in step.pattern))[:4]
    pair = min((board.values(cell) for cell in corners), key=len)
    for cell in corners:
        assert grid[cell] in pair, f"{step}: {board.layout.names[cell]} is {grid[cell]}"
        values[cell] = sum(pair) - grid[cell]
    return tuple(values)


def steps(name: str, board: Board) -> list[Step]:
    """Return all steps found, each proved: solutions that it forbids have a twin."""
    rectangle_steps = list(technique(name).steps(State.start(board)))
    for step in rectangle_steps:
        gone = [*step.eliminations]
        for cell, value in step.placements:
            gone += [(cell, other) for other in board.values(cell) if other != value]
        assert gone, f"{step}: changes nothing"
        for cell, value in gone:
            assert value in board.values(cell), f"{step}: {value} is no candidate"
            question = board.assign(cell, value)
            for grid in ORACLE.search(question, Request(solutions=3)).solutions:
                other = twin(board, step, grid)
                assert other != grid
                assert is_solution(board, other), f"{step}: {grid} has no twin"
    return rectangle_steps


def consequences(name: str, board: Board) -> set[str]:
    return {step.consequence for step in steps(name, board)}


def marked(layout: Layout, floor: str, roof: dict[str, tuple[int, ...]]) -> Case:
    """Return a case with 1 and 2 in the cells of the floor, and these values in others."""
    case = Case(layout).cells((1, 2), floor)
    for cell, values in roof.items():
        case.cells(values, cell)
    return case


def test_the_deadly_rectangles_of_a_layout_are_those_no_unit_notices() -> None:
    assert len(deadly_rectangles(CLASSIC)) == 486
    corners = {
        frozenset(CLASSIC.names[cell] for cell in item) for item in deadly_rectangles(CLASSIC)
    }
    assert frozenset({"A1", "A2", "D1", "D2"}) in corners
    assert frozenset({"A1", "A4", "D1", "D4"}) not in corners, "in four boxes"
    assert len(deadly_rectangles(layout("latin", 9))) == 36 * 36
    assert len(deadly_rectangles(X)) == 150


@pytest.mark.parametrize("variant", ["x", "windoku", "disjoint", "asterisk"])
def test_exchanging_two_values_in_a_deadly_rectangle_keeps_every_unit(variant: str) -> None:
    chosen = layout(variant, 9)
    for a, b, c, d in deadly_rectangles(chosen):
        for unit in chosen.units:
            cells = set(unit.cells)
            assert len(cells & {a, d}) == len(cells & {b, c})


SHARED = "3 leaves D3, D4, D5, D6, D7, D8, D9, E1, E2, E3, F1, F2, F3"


@pytest.mark.parametrize(
    ("layout", "floor", "roof", "kind", "consequence"),
    [
        (CLASSIC, "A1 A2 D1", {"D2": (1, 2, 3, 4)}, "type 1", "1 and 2 leave D2"),
        (X, "A2 A3 D2", {"D3": (1, 2, 3)}, "type 1", "1 and 2 leave D3"),
        (WINDOKU, "E1 E2 I1", {"I2": (1, 2, 3)}, "type 1", "1 and 2 leave I2"),
        (DISJOINT, "A1 A2 D1", {"D2": (1, 2, 7)}, "type 1", "1 and 2 leave D2"),
        (CLASSIC, "A1 A2", {"D1 D2": (1, 2, 3)}, "type 2", SHARED),
        (CLASSIC, "A1", {"A2 D1 D2": (1, 2, 3)}, "type 5", "3 leaves E2, F2"),
        (CLASSIC, "A1 D2", {"A2 D1": (1, 2, 3)}, "type 5", "3 leaves B1, C1, E2, F2"),
    ],
)
def test_the_cells_with_other_candidates_make_the_type_of_a_rectangle(
    layout: Layout, floor: str, roof: dict[str, tuple[int, ...]], kind: str, consequence: str
) -> None:
    (step,) = steps(RECTANGLE, marked(layout, floor, roof).board)
    assert step.reason.startswith(f"{kind} of 1,2 in ")
    assert step.consequence == consequence


def test_type_3_completes_a_naked_set() -> None:
    case = marked(CLASSIC, "A1 A2", {"D1": (1, 2, 3), "D2": (1, 2, 4), "D7": (3, 4)})
    by_consequence = {step.consequence: step for step in steps(RECTANGLE, case.board)}
    step = by_consequence["3 and 4 leave D3, D4, D5, D6, D8, D9"]
    assert step.rating == pytest.approx(4.6)


@pytest.mark.parametrize(
    ("floor", "roof"),
    [
        ("A1 A2", {"D1": (1, 2, 3), "D2": (1, 2, 4), "D7": (3, 4, 5)}),
        ("A1 A2", {"D1": (1, 2, 3, 4), "D2": (1, 2, 5, 6)}),
        ("A2 D1", {"A1": (1,), "D2": (1, 2, 3)}),
        ("A1 A2 D1", {"D2": (1, 3)}),
    ],
    ids=["three values for two cells", "nothing confined", "a given", "it never held a value"],
)
def test_other_candidates_that_complete_nothing_make_no_rectangle(
    floor: str, roof: dict[str, tuple[int, ...]]
) -> None:
    assert not steps(RECTANGLE, marked(CLASSIC, floor, roof).board)


def test_type_4_keeps_one_value_in_the_roof_and_takes_the_other() -> None:
    case = marked(CLASSIC, "A1 A2", {"D1": (1, 2, 3, 4), "D2": (1, 2, 5, 6)})
    case.without(1, "D3 D4 D5 D6 D7 D8 D9")
    assert consequences(RECTANGLE, case.board) == {"2 leaves D1, D2"}


def test_type_4_needs_a_full_unit() -> None:
    """In a unit of three cells a value with two places left may have none."""
    units = ["A1 A2 A3", "B1 B2 B3", "A1 B1", "A2 B2"]
    partial = Layout.from_units(6, units, shape=(2, 3))
    case = marked(partial, "A1 A2", {"B1": (1, 2, 3, 4), "B2": (1, 2, 5, 6)}).without(1, "B3")
    assert not steps(RECTANGLE, case.board)


SEEN_THROUGH = [
    (
        X,
        "B3 B5 C3 C5",
        "678541923142938756593627841326754198489316275715289634837462519264195387951873462",
    ),
    (
        X,
        "C1 C2 H1 H2",
        "237896154945213678861754932426385719178962543593147286752439861684521397319678425",
    ),
    (
        WINDOKU,
        "A1 A6 C1 C6",
        "862453197147269538359178642436891275971526483285734916513647829724985361698312754",
    ),
    (
        WINDOKU,
        "G3 G9 I3 I9",
        "342198765967452318158376942619237584235864197784519623521943876873621459496785231",
    ),
]


@pytest.mark.parametrize(("variant", "corners", "grid"), SEEN_THROUGH)
def test_a_rectangle_that_a_diagonal_or_a_window_notices_is_not_deadly(
    variant: Layout, corners: str, grid: str
) -> None:
    """The board has one solution, with the two values crosswise: all four corners are true."""
    values = tuple(map(int, grid))
    cells = [variant.cell(name) for name in corners.split()]
    pair = {values[cell] for cell in cells}
    assert len(pair) == 2
    free = next(value for value in range(1, 10) if value not in pair)
    masks = [{value} for value in values]
    for cell in cells:
        masks[cell] = pair if cell != cells[3] else {*pair, free}
    board = Board.from_candidates(variant, masks)
    assert ORACLE.search(board, Request(solutions=2)).count == 1
    opened = Case(variant).cells(pair, " ".join(corners.split()[:3]))
    opened.cells({*pair, free}, corners.split()[3])
    assert not steps(RECTANGLE, board)
    assert not steps(RECTANGLE, opened.board)
    classic = Board(CLASSIC, opened.board.candidates)
    assert steps(RECTANGLE, classic), "without the further units it is"


def test_layouts_without_deadly_rectangles_are_refused_with_the_reason() -> None:
    assert no_rectangle(CLASSIC) == no_rectangle(X) == no_bug(X) == ""
    assert "distinguish" in no_rectangle(layout("anti-knight", 9))
    assert "non-consecutive" in no_bug(layout("non-consecutive", 9))
    board = Board.empty(layout("non-consecutive", 4))
    for name in (RECTANGLE, "BUG"):
        with pytest.raises(UnsupportedError, match="non-consecutive"):
            walk_through(board, techniques=[technique(name)])
        assert technique(name) not in usual()


@pytest.mark.parametrize(
    ("cell", "value", "puzzle"),
    [
        (
            "G9",
            1,
            ".....86.....3.4.12.....7.8.4.79...5625........391..7..3..........46.........5197.",
        ),
        (
            "B5",
            6,
            "...4.7.69.......8....1.32....7.9...8.3...16.........2..5.3...74..8..9...4.67.....",
        ),
        (
            "H9",
            3,
            ".....6.5...8.43...3.........9.....7.4.7...8..1...58.4.96...4..27.4.6......1......",
        ),
    ],
)
def test_bug_finds_the_one_candidate_too_many(cell: str, value: int, puzzle: str) -> None:
    easy = [row for row in usual() if row.rating < 3]
    final = walk_through(Board.parse(puzzle), techniques=easy).final
    (step,) = technique("BUG").steps(final)
    assert step.placements == ((CLASSIC.cell(cell), value),)
    (solution,) = ORACLE.search(Board.parse(puzzle), Request(solutions=2)).solutions
    assert solution[CLASSIC.cell(cell)] == value


GRAVE = (12, 12, 34, 34, 34, 34, 12, 12, 12, 12, 34, 34, 34, 34, 12, 12)
"""The two candidates of each cell of a 4x4 board, in each unit each of them twice."""


def grave(layout: Layout, extra: dict[int, int]) -> Board:
    sets = [{*divmod(pair, 10)} for pair in GRAVE]
    for cell, value in extra.items():
        sets[cell].add(value)
    return Board.from_candidates(layout, sets)


def test_bug_needs_one_cell_with_three_candidates() -> None:
    small = layout("classic", 4)
    assert consequences("BUG", grave(small, {0: 3})) == {"A1 is 3"}
    assert consequences("BUG", grave(layout("latin", 4), {10: 1})) == {"C3 is 1"}
    assert not steps("BUG", grave(small, {}))
    assert not steps("BUG", grave(small, {0: 3, 1: 4}))
    assert not steps("BUG", grave(small, {0: 3}).assign("A1", 3))


def test_bug_looks_at_partial_units_too() -> None:
    """A pair that differs in one candidate only may clash in the twin."""
    small = layout("latin", 4)
    noticed = Layout.from_units(4, [*small.units, "A1 C3"], shape=(4, 4))
    unnoticed = Layout.from_units(4, [*small.units, "B1 D2"], shape=(4, 4))
    assert not steps("BUG", grave(noticed, {5: 1}))
    assert consequences("BUG", grave(unnoticed, {0: 3})) == {"A1 is 3"}


@st.composite
def crosswise(draw: st.DrawFn) -> Board:
    """Boards with a rectangle, deadly or not, that two values share, and a few givens."""
    chosen = draw(named_layouts() | unit_systems() | st.sampled_from([X, WINDOKU, DISJOINT]))
    order = random.Random(draw(st.integers(0, 1000)))
    rows, columns = chosen.rows, chosen.columns
    case = Case(chosen)
    if chosen.n > 2 and rows > 1 and columns > 1:
        lines = sorted(order.sample(range(rows), 2)), sorted(order.sample(range(columns), 2))
        corners = [(row, column) for row in lines[0] for column in lines[1]]
        cells = [chosen.names[chosen.cell_at[at]] for at in corners if at in chosen.cell_at]
        pair = order.sample(range(1, chosen.n + 1), 2)
        floor = draw(st.integers(1, 3))
        case.cells(pair, " ".join(cells[:floor]))
        case.cells((*pair, draw(st.integers(1, chosen.n))), " ".join(cells[floor:]))
        for name in set(order.sample(chosen.names, 2)).difference(cells):
            case.cells([draw(st.integers(1, chosen.n))], name)
    return case.board


@settings(max_examples=volume(60))
@given(crosswise())
def test_what_a_rectangle_forbids_has_a_twin_on_random_boards(board: Board) -> None:
    if not no_rectangle(board.layout) and not State.start(board).contradiction:
        steps(RECTANGLE, board)
