"""Many boards in one call: by a backend that can, or one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import unidoku
from tests.helpers.volume import volume
from tests.helpers.wrong import answers
from unidoku import Board, Layout, Request, Result, Stop, layout
from unidoku.backends import BackendSpec
from unidoku.backends.adapters.norvig import Norvig
from unidoku.backends.batch import INVALID, STOPS, BatchResult, search_each
from unidoku.backends.solving.solver import Solver
from unidoku.core.batch import Batch
from unidoku.errors import BackendError, InputError, UnsupportedError, WrongAnswerError
from unidoku.testing.strategies import boards, named_layouts

PROPER = "1... ..2. .3.. ...4"
SEVERAL = "12.. .... .... 21.."
CLASH = "11.. .... .... ...."
SMALL = layout("classic", 4)


@dataclass(frozen=True)
class FakeBatchBackend:
    """Answers as Norvig's solver does, all boards at once, and then changes the answer."""

    change: Callable[[BatchResult], BatchResult]

    def search(self, board: Board, request: Request) -> Result:
        return Norvig().search(board, request)

    def search_many(
        self, layout: Layout, cells: NDArray[np.uint8], request: Request
    ) -> BatchResult:
        assert type(cells) is np.ndarray
        assert cells.flags.c_contiguous
        assert cells.flags.writeable
        assert request.keep in (0, 1)
        return self.change(search_each(lambda _, board: self.search(board, request), layout, cells))


def batch_solver(change: Callable[[BatchResult], BatchResult] = lambda result: result) -> Solver:
    spec = BackendSpec(name="bulk", target="", summary="a fake", capabilities=answers.ALL)
    return Solver(spec, FakeBatchBackend(change))


@pytest.fixture(params=["one by one", "at once"])
def solver(request: pytest.FixtureRequest) -> Solver:
    return batch_solver() if request.param == "at once" else unidoku.load("norvig")


def test_each_board_has_its_entry(solver: Solver) -> None:
    result = solver.solve_many([PROPER, SEVERAL, CLASH, "12345", ""], solutions=2)
    assert len(result) == 5
    assert result.counts.tolist() == [1, 2, 0, 0, 0]
    assert [code if code == INVALID else STOPS[code] for code in result.stops] == [
        *[Stop.EXHAUSTED, Stop.SOLUTIONS, Stop.EXHAUSTED, INVALID, INVALID],
    ]
    assert result.unique.tolist() == [True, False, False, False, False]
    assert result.solved.tolist() == [True, True, False, False, False]
    assert result.grids[0].tolist() == [1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 1, 2, 2, 1, 3, 4]
    assert not result.grids[2:].any()
    assert result.invalid == {
        3: "expected the 16 cells of classic, got 5 symbols",
        4: "expected a board, got text without cells",
    }
    assert result.statistics["nodes"] >= 3


def test_one_solution_proves_nothing_unique(solver: Solver) -> None:
    result = solver.solve_many([PROPER])
    assert result.solved.all()
    assert not result.unique.any()


def test_arrays_texts_boards_and_pencil_marks_are_boards(solver: Solver) -> None:
    board = Board.parse(PROPER)
    marked = Board.from_candidates(SMALL, [{1, 2}, *[{1, 2, 3, 4}] * 15])
    mixed = solver.solve_many([PROPER, board, marked, "nonsense"])
    assert mixed.counts.tolist() == [1, 1, 1, 0]
    assert mixed.grids[2, 0] in (1, 2)
    array = np.array([board.givens] * 2)
    for values in (array, array.astype(np.uint8), array.reshape(2, 4, 4)):
        assert (solver.solve_many(values).grids == mixed.grids[0]).all()
    assert solver.solve_many(Batch.from_boards(SMALL, [board])).counts.tolist() == [1]


def test_the_layout_is_the_one_that_is_said_or_seen(solver: Solver) -> None:
    assert solver.solve_many(["nonsense", PROPER]).grids.shape == (2, 16)
    assert solver.solve_many(["1.." + "." * 6], layout="latin").grids.shape == (1, 9)
    assert solver.solve_many(["nonsense"]).grids.shape == (1, 81)
    assert solver.solve_many([]).grids.shape == (0, 81)
    assert solver.solve_many(np.zeros((0, 81), np.uint8)).counts.shape == (0,)
    assert solver.solve_many(["12345"], layout=SMALL).grids.shape == (1, 16)
    assert list(solver.solve_many(["?" * 15 + "\ud800", PROPER]).invalid) == [0]
    x = solver.solve_many([Board.empty(layout("x", 4))])
    assert len(set(x.grids[0, ::5].tolist())) == 4
    batch = Batch.from_boards(SMALL, [])
    assert len(solver.solve_many(batch, layout="classic")) == 0


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ([PROPER, Board.empty(layout())], {}, "board 1: expected the layout of the batch"),
        ([PROPER, object()], {}, "board 1: expected a text or a board, got <object"),
        (PROPER, {}, "expected several boards, got a text"),
        (np.array(PROPER), {}, "expected several boards, got a text"),
        (np.array(None), {}, "expected several boards, got None"),
        ([PROPER], {"keep": 2}, "keep: expected 0 or 1 grids for each board of a batch, got 2"),
        ([PROPER], {"solutions": 0}, "solutions: expected an int of at least 1"),
        ([PROPER], {"layout": "y"}, "expected a variant, got 'y'"),
        ([PROPER], {"layout": "jigsaw"}, "each board of a batch has the same regions"),
        (np.zeros((1, 5), np.uint8), {}, r"expected classic boards, got .* \(1, 5\)"),
        (np.zeros((1, 16), bool), {}, "expected an array of ints"),
        (Batch.from_boards(SMALL, []), {"layout": layout()}, "expected a batch of"),
        ([PROPER], {"threads": 2}, "cannot honour threads=2"),
    ],
)
def test_what_cannot_be_is_refused(given: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        batch_solver().solve_many(given, **options)  # type: ignore[arg-type]  # wrong on purpose


def test_what_the_backend_lacks_is_refused_before_any_search() -> None:
    def fail(result: BatchResult) -> BatchResult:
        raise AssertionError("searched")

    with pytest.raises(UnsupportedError, match="bulk cannot honour seed=1"):
        batch_solver(fail).solve_many([PROPER], seed=1)


def test_none_of_the_grids_may_be_kept(solver: Solver) -> None:
    result = solver.solve_many([PROPER, SEVERAL], solutions=None, keep=0)
    assert result.counts.tolist() == [1, 8]
    assert not result.grids.any()


def test_limits_hold_for_each_board(solver: Solver) -> None:
    hard = "." * 81
    result = solver.solve_many([hard, hard], node_limit=3)
    assert [STOPS[code] for code in result.stops] == [Stop.NODES] * 2
    assert result.counts.tolist() == [0, 0]


def changed(**fields: object) -> Callable[[BatchResult], BatchResult]:
    """Return a lie: some arrays of the result replaced."""

    def change(result: BatchResult) -> BatchResult:
        true = {"counts": result.counts, "grids": result.grids, "stops": result.stops}
        return BatchResult(**(true | fields))  # type: ignore[arg-type]  # some are wrong on purpose

    return change


def swap(result: BatchResult) -> BatchResult:
    grids = result.grids.copy()
    grids[1, [2, 3]] = grids[1, [3, 2]]
    return changed(grids=grids)(result)


@pytest.mark.parametrize(
    ("lie", "message"),
    [
        (swap, "bulk on board 2: .* appears 2 times, in the grid"),
        (changed(counts=np.array([1, 3])), "board 2: reported 3 solutions, expected 0 to 2"),
        (changed(counts=np.array([-1, 1])), "board 0: reported -1 solutions"),
        (
            changed(counts=np.array([1, 1])),
            "board 2: stop=solutions contradicts the count of 1",
        ),
        (changed(counts=np.array([0, 2])), "board 0: a grid was returned although none was found"),
        (changed(stops=np.array([9, 1], np.uint8)), r"board 0: stop=9 \(unknown\)"),
        (changed(stops=np.array([2, 1], np.uint8)), "board 0: stop=time contradicts"),
        (changed(stops=np.array([3, 1], np.uint8)), "board 0: stop=nodes contradicts"),
        (changed(grids=np.zeros((2, 16), np.uint8)), "board 0: A1: 0 is not a value from 1 to 4"),
        (changed(grids=np.zeros((1, 16), np.uint8)), "expected a BatchResult for boards of shape"),
        (changed(counts=[1, 2]), "expected a BatchResult for boards of shape"),
        (lambda result: None, "expected a BatchResult for boards of shape"),
    ],
)
def test_a_wrong_answer_never_reaches_the_caller(
    lie: Callable[[BatchResult], BatchResult], message: str
) -> None:
    with pytest.raises(WrongAnswerError, match=message):
        batch_solver(lie).solve_many([PROPER, "nonsense", SEVERAL], solutions=2)


def test_wrong_answers_one_by_one_name_the_board_too() -> None:
    liar = answers.fake("liar", answers.wrong_grid)
    with pytest.raises(WrongAnswerError, match="board 1: liar on board"):
        liar.solve_many(["nonsense", SEVERAL], layout=SMALL)


def test_foreign_exceptions_become_ours() -> None:
    def fail(result: BatchResult) -> BatchResult:
        raise ZeroDivisionError("inside the fake")

    with pytest.raises(BackendError, match="bulk: ZeroDivisionError: inside the fake"):
        batch_solver(fail).solve_many([PROPER])
    with pytest.raises(BackendError, match="board 0: fake: ZeroDivisionError"):
        answers.fake("fake", answers.raises).solve_many([PROPER])

    def refuse(result: BatchResult) -> BatchResult:
        raise UnsupportedError("not this one")

    with pytest.raises(UnsupportedError, match="not this one"):
        batch_solver(refuse).solve_many([PROPER])


def test_a_stream_takes_boards_as_it_needs_them(solver: Solver) -> None:
    taken = []

    def endless() -> Iterator[str]:
        while True:
            taken.append(1)
            yield f"{PROPER}\n"

    results = solver.stream(endless(), chunk=10)
    assert [len(next(results)) for _ in range(3)] == [10, 10, 10]
    assert len(taken) <= 1024 + 30


def test_a_stream_is_in_order_whatever_it_is_made_of(solver: Solver) -> None:
    texts = [PROPER, SEVERAL, CLASH, SEVERAL, PROPER]
    batch = Batch.from_boards(SMALL, [Board.parse(text) for text in texts])
    sources = (texts, iter(texts), batch, batch.cells, list(map(Board.parse, texts)))
    for source in sources:
        results = list(solver.stream(source, chunk=2, solutions=2))
        assert [result.counts.tolist() for result in results] == [[1, 2], [0, 2], [1]]
    assert list(solver.stream([], chunk=2)) == []


def test_a_stream_counts_indices_from_its_chunk_and_names_boards_from_the_beginning() -> None:
    def lies_on_several(board: Board, request: Request, result: Result) -> Result:
        return answers.wrong_grid(board, request, result) if board.givens[1] else result

    liar = answers.fake("liar", lies_on_several)
    results = liar.stream([PROPER, "nonsense", "nonsense", PROPER, SEVERAL], chunk=2)
    assert [list(next(results).invalid) for _ in range(2)] == [[1], [0]]
    with pytest.raises(WrongAnswerError, match=r"^board 4: liar on board"):
        next(results)


def test_a_stream_of_nothing_at_a_time_is_refused() -> None:
    with pytest.raises(InputError, match="chunk: expected an int of at least 1, got 0"):
        unidoku.load("norvig").stream([PROPER], chunk=0)


@settings(max_examples=volume(50))
@given(st.data(), named_layouts())
def test_many_texts_are_answered_as_one_by_one(data: st.DataObject, of: Layout) -> None:
    items = [data.draw(boards(st.just(of))) for _ in range(data.draw(st.integers(1, 4)))]
    texts = [board.text("candidates" if board.has_pencil_marks else "line") for board in items]
    single = [unidoku.load("norvig").solve(board, solutions=3, keep=1) for board in items]
    for solver in (unidoku.load("norvig"), batch_solver()):
        for source in (items, texts):
            many = solver.solve_many(source, layout=of, solutions=3)
            assert many.counts.tolist() == [result.count for result in single]
            assert [STOPS[code] for code in many.stops] == [result.stop for result in single]
            for grid, result in zip(many.grids.tolist(), single, strict=True):
                assert tuple(grid) == (result.solutions or ((0,) * len(of),))[0]
