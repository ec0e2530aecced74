"""The package's front: one call for each capability, imported late, of whatever users have."""

from __future__ import annotations

import ast
import importlib.util
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from hypothesis import given

import unidoku
from tests.helpers.boards import HARD, MANY
from tests.helpers.python_process import run_python
from tests.helpers.volume import thorough
from unidoku import Board, Stop, errors, layout
from unidoku.core import rules
from unidoku.core.board_like import as_board
from unidoku.errors import FormatError, InputError, LayoutError, OptionError, TimeLimitError
from unidoku.testing import brute_force
from unidoku.testing.strategies import boards, unit_systems

TEXT = "1... ..2. .3.. ...4"
ROWS = [[1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 4]]
FLAT = [value for row in ROWS for value in row]
SOLUTION = "1243342143122134"
X = "1... .... .... ...2"


def test_neither_importing_unidoku_nor_a_search_loads_what_it_does_not_use() -> None:
    program = (
        "import sys, unidoku; dir(unidoku); print(*sys.modules);"
        "unidoku.solve('1..............4', backend='norvig'); print(*sys.modules)"
    )
    ran = run_python("-c", program, check=True)
    loaded, after_search = (set(line.split()) for line in ran.stdout.splitlines())
    ours = {name for name in loaded if name.startswith("unidoku")}
    assert ours == {
        *("unidoku", "unidoku.version", "unidoku.core", "unidoku.core.display"),
        *("unidoku.support", "unidoku.support.moved"),
    }
    assert "dataclasses" not in loaded
    unused = {"numpy", "rich", "click", "pandas", "ortools", "constraint", "hypothesis"}
    assert not after_search & {*unused, "importlib.metadata", "llvmlite"}


def test_the_interpreter_the_type_checker_and_all_name_the_same() -> None:
    tree = ast.parse(Path(unidoku.__file__).read_text(encoding="utf-8"))
    public_rules = [name for name, item in vars(rules).items() if isinstance(item, type)]
    checked = {
        name: statement.module
        for branch in tree.body
        if isinstance(branch, ast.If)
        for statement in branch.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
        for name in (public_rules if alias.name == "*" else [alias.name])
    }
    assert checked == unidoku._HOME
    assert sorted({*checked, "__version__"}) == sorted(vars(unidoku)["__all__"])
    assert {*vars(unidoku)["__all__"]} <= {*dir(unidoku)}


def test_every_error_is_at_the_top() -> None:
    for name, item in vars(errors).items():
        if isinstance(item, type) and issubclass(item, errors.UnidokuError):
            assert getattr(unidoku, name) is item


def test_no_room_has_the_name_of_a_call() -> None:
    rooms = [
        name for name in vars(unidoku)["__all__"] if importlib.util.find_spec(f"unidoku.{name}")
    ]
    assert rooms == []
    assert unidoku.errors is errors
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        unidoku.nonsense  # type: ignore[attr-defined]  # noqa: B018 - what is tested


@pytest.mark.parametrize(
    "board",
    [
        TEXT,
        ROWS,
        FLAT,
        np.where(np.array(ROWS) == 0, np.nan, ROWS),
        Board.parse(TEXT),
        unidoku.read(TEXT)[0],
        *thorough(
            np.array(ROWS),
            np.array(ROWS).ravel(),
            np.array(ROWS, float),
            [[value or float("nan") for value in row] for row in ROWS],
            [np.int64(value) for value in FLAT],
        ),
    ],
)
def test_texts_rows_and_arrays_are_boards(board: unidoku.core.board_like.BoardLike) -> None:
    assert unidoku.solve(board).text("line") == SOLUTION
    assert unidoku.count(board).count == 1
    assert unidoku.true_candidates(board).text("line") == SOLUTION
    assert unidoku.backbone(board) == tuple(map(int, SOLUTION))
    assert unidoku.check(board).proper
    assert unidoku.explain(board).grid == tuple(map(int, SOLUTION))
    assert unidoku.hint(board) == unidoku.explain(board).steps[0]
    assert unidoku.rate(board).level == "easy"
    assert unidoku.load("norvig").solve(board).text("line") == SOLUTION
    assert unidoku.svg(board) == unidoku.svg(Board.parse(TEXT))
    assert unidoku.propagate(board) == Board.parse(TEXT).fill(tuple(map(int, SOLUTION)))
    assert unidoku.verify(board, [1] * 16)[0] == "B3: 1 is not among its candidates"
    assert unidoku.is_solution(board, tuple(map(int, SOLUTION)))
    assert unidoku.export(board, "dimacs") == unidoku.export(TEXT, "dimacs")
    assert unidoku.solve_many([board, TEXT]).counts.tolist() == [1, 1]
    assert unidoku.fuzz(["norvig"], puzzles=[board], boards=1, workers=1).findings == ()


@pytest.mark.parametrize(
    "rows",
    [
        ["1...", "..2.", ".3..", "...4"],
        [["1", ".", ".", "."], ["", "", "2", ""], [" ", "3", ".", "."], [".", ".", ".", "4"]],
        ["1", "", "", "", "", "", "2", "", "", "3", "", "", "", "", "", "4"],
        np.array([list("1..."), list("..2."), list(".3.."), list("...4")]),
        np.array(TEXT),
        ["1", *[None] * 5, "2", None, None, "3", *[None] * 5, "4"],
        pandas.DataFrame(ROWS).astype(str).replace("0", None),  # as of a file without values there
        pandas.DataFrame(ROWS).astype(str),
    ],
)
def test_rows_may_be_texts_or_have_texts_for_cells(
    rows: unidoku.core.board_like.BoardLike,
) -> None:
    assert unidoku.solve(rows).text("line") == SOLUTION
    assert unidoku.verify(rows, rows)[0] == "A2: 0 is not a value from 1 to 4"
    assert unidoku.read_answer(rows, "s UNSATISFIABLE", "dimacs").verdict == "unsatisfiable"


@pytest.mark.parametrize("empty", ["0", "00", ".", "", None])
def test_texts_with_two_digits_are_cells_if_there_are_too_many_for_rows(empty: Any) -> None:
    cells = ["10", "9 ", *[empty] * 254]
    assert as_board(cells) == Board.from_values(layout("classic", 16), [10, 9, *[0] * 254])


def test_what_is_masked_in_an_array_is_an_empty_cell() -> None:
    masked = np.ma.masked_equal(np.where(np.array(ROWS) == 0, 3, ROWS), 3)
    assert unidoku.count(masked).count > unidoku.count(TEXT).count, "the given 3 is masked too"
    assert unidoku.solve_many(masked[None], solutions=99).counts == [unidoku.count(masked).count]


@pytest.mark.parametrize("boards", [[Board.parse(TEXT)], unidoku.read(TEXT)])
def test_a_list_of_boards_is_no_board(boards: Any) -> None:
    with pytest.raises(InputError, match=r"give one of its boards: boards\[0\]"):
        unidoku.solve(boards)
    with pytest.raises(InputError, match="expected a board: a text, rows of values"):
        unidoku.solve(type(boards[0]))  # type: ignore[arg-type]  # what is tested


def test_several_boards_in_an_array_are_told_in_one_line() -> None:
    with pytest.raises(InputError, match=r"got array\(.*\); give one of its boards: boards\[0\]$"):
        unidoku.solve(np.array([ROWS]))


@pytest.mark.parametrize("rows", [np.array(ROWS) > 0, [True] * 16])
def test_true_is_no_value(rows: Any) -> None:
    with pytest.raises(InputError, match=r"expected .* to 4.*, got True"):
        unidoku.solve(rows)


def test_texts_and_puzzles_are_written_and_the_file_comes_last(tmp_path: Path) -> None:
    for puzzles in (TEXT, [TEXT], unidoku.read(TEXT), unidoku.read(TEXT)[0]):
        assert unidoku.write(puzzles, "text").text == "1.....2..3.....4"
    with pytest.raises(InputError, match=r"the puzzles come first: write\(puzzles, 'file.toml'\)"):
        unidoku.write(str(tmp_path / "ex.txt"), [Board.parse(TEXT)])  # type: ignore[arg-type]
    for wrong in (np.array(3), np.array("1..."), 3):
        with pytest.raises(InputError, match="puzzles: expected a board or several, got"):
            unidoku.write(wrong, "text")  # type: ignore[arg-type]  # what is tested
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (Path("a/b.txt"), r"got .*Path\('a/b.txt'\); .* unidoku.read\('a/b.txt'\)"),
        ("b.txt", r"line 1: .*, got 5 symbols; .* of a file: unidoku.read\('b.txt'\)"),
        ("a/b.toml", r"unidoku.read\('a/b.toml'\)"),
        (TEXT.encode(), r"got b'1\.\.\..*'; decode it: board.decode\(\)"),
        (io.StringIO(TEXT), r"got <_io.StringIO .*; read the file first: board.read\(\)"),
        ([[1.5, 0, 0, 0], *ROWS[1:]], "line 1, column 1: expected an int from 0 to .*, got 1.5"),
        ([1.5, *[0] * 15], "A1: expected a value from 0 to 4, got 1.5"),
        (np.full(16, np.inf), "A1: expected a value from 0 to 4, got inf"),
    ],
)
def test_what_contains_a_board_is_refused_with_advice(thing: object, message: str) -> None:
    for call in (unidoku.solve, unidoku.svg, unidoku.hint, unidoku.propagate):
        with pytest.raises(InputError, match=message):
            call(thing)  # type: ignore[arg-type]  # what is tested


def test_a_backend_is_a_label_or_a_solver() -> None:
    solver = unidoku.load("norvig")
    for backend in ("norvig", solver):
        assert "nodes" in unidoku.solve(TEXT, backend=backend).statistics
        assert unidoku.check(TEXT, backend=backend).proper
        assert unidoku.solve_many([TEXT], backend=backend).solved.all()
    assert unidoku.configured(solver) is solver


def test_a_variant_says_how_to_read_a_text() -> None:
    result = unidoku.solve(X, variant="x", solutions=2)
    assert result.puzzle == Board.parse(X, "x")
    assert unidoku.solve(Board.parse(X, "x"), variant="x").count == 1
    with pytest.raises(InputError, match="expected a windoku board, got <Board x"):
        unidoku.solve(Board.parse(X, "x"), variant="windoku")
    with pytest.raises(InputError, match="expected a classic board, got <Board classic n=4"):
        unidoku.solve(Board.parse(TEXT), variant=layout())
    jigsaw = Board.empty(layout("jigsaw:1122 1122 3344 3344", 4))
    assert unidoku.solve(jigsaw, variant="jigsaw").count == 1


NORVIG = unidoku.load("norvig")


@pytest.mark.parametrize(
    ("call", "keywords", "message"),
    [
        (unidoku.solve, {"solution": 2}, "unknown keyword 'solution'; did you mean 'solutions'?"),
        (unidoku.solve, {"solution": 1, "backend": NORVIG}, "did you mean 'solutions'?"),
        (unidoku.solve, {"fast": 1, "backend": "norvig"}, "norvig has no option 'fast'; known:"),
        (unidoku.solve, {"fast": 1, "backend": NORVIG}, "a solver already; give 'fast' to its"),
        (unidoku.check, {"tim_limit": 2}, "unknown keyword 'tim_limit'; did you mean 'time_li"),
        (unidoku.count, {"solutions": 2}, "unknown keyword 'solutions'; did you mean 'limit'?"),
        (unidoku.count, {"max": 2, "backend": "norvig"}, "did you mean 'limit'? limits: time_lim"),
        (unidoku.check, {"solutions": 2}, "unknown keyword 'solutions'; the call sets it itself."),
        (unidoku.true_candidates, {"keep": 2}, "unknown keyword 'keep'; the call sets it itself."),
        (unidoku.solve, {"timeout": 5}, "did you mean 'time_limit'? limits: solutions, keep, ti"),
        (unidoku.survey, {"timeout": 5}, "did you mean 'time_limit'? limits: time_limit, node_li"),
        (unidoku.solve, {"n": 9}, "the layout has the size: variant=unidoku.layout('classic', 9)"),
        (unidoku.estimate_count, {"size": 4}, "variant=unidoku.layout('classic', 4). limits:"),
        (unidoku.solve, {"layout": "x"}, "did you mean 'variant'?"),
        (unidoku.solve, {"solver": "sat", "backend": "norvig"}, "did you mean 'backend'?"),
        (unidoku.solve, {"limit": 2}, "did you mean 'solutions'?"),
        (unidoku.solve, {"solutions_limit": 2}, "did you mean 'solutions'?"),
        (unidoku.solve, {"all": True}, "did you mean 'solutions=None'?"),
        (unidoku.solve, {"workers": 2}, "did you mean 'threads'?"),
        (unidoku.solve, {"random_state": 2}, "did you mean 'seed'?"),
        (unidoku.solve, {"num_workers": 0, "backend": NORVIG}, "did you mean 'threads'?"),
    ],
)
def test_an_unknown_keyword_is_one_clear_error(
    call: Callable[..., object], keywords: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        call(TEXT, **keywords)


def test_solvers_and_many_boards_hint_at_keywords_too() -> None:
    with pytest.raises(InputError, match="got 'timeout'; did you mean 'time_limit'\\? limits: sol"):
        NORVIG.solve(TEXT, timeout=5)  # type: ignore[call-arg]  # what is tested
    with pytest.raises(OptionError, match=r"the size: layout=unidoku.layout\('classic', 4\)"):
        unidoku.solve_many([TEXT], n=4)
    with pytest.raises(
        OptionError, match=r"option 'timeout'; .* keywords of its solve, .* 'time_limit'"
    ):
        unidoku.load("norvig", timeout=5)
    with pytest.raises(OptionError, match="option 'num_workers': expected"):  # no hint at threads
        unidoku.solve(TEXT, backend="cp-sat", num_workers="x")


def test_questions_of_several_searches_keep_all_limits() -> None:
    with pytest.raises(unidoku.UnsupportedError, match="cannot honour threads=2"):
        unidoku.true_candidates(TEXT, backend="norvig", threads=2)
    with pytest.raises(unidoku.TimeLimitError, match="backbone: not decided within 1 nodes"):
        unidoku.backbone("." * 81, backend="norvig", node_limit=1)


@pytest.mark.parametrize("thing", [7, None, b"1...", {1: 2}, [1, 2, 3], [[1, 2], [3]], object()])
def test_what_is_no_board_is_refused(thing: object) -> None:
    with pytest.raises(InputError, match="expected"):
        unidoku.solve(thing)  # type: ignore[arg-type]  # what is tested


def test_a_result_tells_its_outcome_in_one_line_and_shows_its_board() -> None:
    result = unidoku.solve(TEXT, solutions=2)
    assert repr(result).startswith("<Result: exactly 1 solution; ")
    assert "\n" not in repr(result)
    assert str(unidoku.solve("." * 16)) == "1 solution found"
    assert result.board == Board.parse(TEXT).fill(result.solutions[0])
    assert result.text().count("\n") == 4
    assert "<svg" in result._repr_html_()
    nothing = unidoku.solve("11.. .... .... ....")
    assert (str(nothing), nothing.board, nothing.text()) == ("no solutions", None, "")
    assert "<svg" in nothing._repr_html_()
    bare = unidoku.Result(count=1, solutions=(result.solutions[0],), stop=unidoku.Stop.SOLUTIONS)
    assert (bare.board, bare._repr_html_()) == (None, "<p>1 solution found</p>")
    late = unidoku.Result(count=0, solutions=(), stop=unidoku.Stop.NODES)
    assert repr(late) == "<Result: undecided (node limit)>"


def test_an_outcome_is_written_as_the_word_that_json_has() -> None:
    result = unidoku.solve(TEXT, solutions=2)
    record = result.record()
    assert (str(result.status), f"{result.stop:>10}") == (record["status"], " exhausted")
    assert str(unidoku.explain(TEXT).outcome) == unidoku.explain(TEXT).outcome.value
    assert [*layout("classic", 4).units[0]] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("name", "meant"),
    [("cnf", "dimacs"), ("smt2", "smtlib"), (".mzn", "minizinc"), ("xml", "xcsp3")],
)
def test_the_ending_of_a_language_hints_at_its_name(name: str, meant: str) -> None:
    with pytest.raises(InputError, match=rf"got '{name}'; did you mean '{meant}'\?"):
        unidoku.export(TEXT, name)


def test_without_probes_there_is_no_estimate() -> None:
    estimate = unidoku.estimate_count("." * 81, time_limit=1e-6)
    assert (estimate.estimate, estimate.high, estimate.is_exact) == (None, float("inf"), False)
    assert str(estimate).endswith("(no time for an estimate)")


def test_a_board_gives_its_values_by_name_place_and_number() -> None:
    board = Board.parse(TEXT)
    assert (board["A1"], board["b3"], board[1, 2], board[6], board["A2"]) == (1, 2, 2, 2, 0)
    assert board.to_numpy().tolist() == ROWS
    assert board.to_dict()["A2"] == (1, 2, 3, 4)
    for cell in ("E1", (4, 0), (-1, 0), 16):
        with pytest.raises(LayoutError, match="expected a cell"):
            board[cell]
    with pytest.raises(TypeError, match="not iterable"):
        iter(board)
    samurai = Board.empty(layout("samurai"))
    assert samurai.to_numpy().shape == (21, 21)


def test_a_batch_gives_texts_and_a_data_frame() -> None:
    pytest.importorskip("pandas")
    result = unidoku.solve_many([TEXT, "12", "11.. .... .... ...."], solutions=2)
    assert result.texts() == [SOLUTION, "", ""]
    frame = result.to_pandas()
    assert frame["count"].tolist() == [1, 0, 0]
    assert frame["stop"].tolist() == ["exhausted", "", "exhausted"]
    assert frame["invalid"][1].startswith("expected the 16 cells")
    assert repr(result) == "<BatchResult: 3 boards, 1 with a solution, 1 invalid>"
    assert unidoku.solve_many([]).texts() == []
    large = unidoku.solve_many([Board.empty(layout("classic", 16))])
    assert sorted(map(int, large.texts()[0].split()[:16])) == list(range(1, 17))


FOUR = "." * 16
TWO_BOARDS: list[object] = [
    np.array([TEXT.replace(" ", ""), FOUR]),
    np.array([TEXT.replace(" ", ""), FOUR], ">U20"),
    np.array([TEXT.replace(" ", "").encode(), FOUR.encode()]),
    np.array([TEXT, FOUR], object),
    np.array([ROWS, np.zeros((4, 4), int).tolist()]),
    [TEXT.encode(), FOUR.encode()],
    [ROWS, FOUR],
    [FLAT, [0] * 16],
    [np.array(ROWS), Board.parse(FOUR)],
    [f"{TEXT}\n".replace(" ", ""), f"{FOUR}\n"],
    [f"{TEXT.replace(' ', '')} \r\n", f"{FOUR} \r\n"],
    (text for text in (TEXT, FOUR)),
]


@pytest.mark.parametrize("pair", TWO_BOARDS)
def test_many_boards_may_be_texts_arrays_columns_and_rows(pair: object) -> None:
    result = unidoku.solve_many(pair, solutions=2)  # type: ignore[arg-type]  # of many kinds
    assert result.counts.tolist() == [1, 2]
    assert result.texts()[0] == SOLUTION


def test_columns_and_frames_of_pandas_are_boards() -> None:
    pd = pytest.importorskip("pandas")
    for pair in (pd.Series([TEXT, FOUR]), pd.DataFrame([FLAT, [0] * 16])):
        assert unidoku.solve_many(pair, solutions=2).counts.tolist() == [1, 2]


def test_what_cannot_be_read_among_many_is_named_by_its_index() -> None:
    several: list[Any] = [
        np.array([FOUR, "12"]),
        np.array([FOUR.encode(), b"12"]),
        [FOUR, b"12"],
        [FOUR, "é" * 16 + "1"],
        [FOUR, [1, 2]],
        [FOUR, "1" * 15 + "9"],
    ]
    for pair in several:
        assert list(unidoku.solve_many(pair).invalid) == [1], pair
    for item in (FOUR, FOUR.encode(), Board.parse(FOUR), 7):
        with pytest.raises(InputError, match="expected several boards"):
            unidoku.solve_many(item)  # type: ignore[arg-type]  # what is tested


def test_a_comparison_is_one_call_and_shows_itself(tmp_path: Path) -> None:
    puzzles: list[Any] = [TEXT, Board.parse(FOUR), *unidoku.read_puzzles(X, "latin"), ROWS]
    comparison = unidoku.compare(
        puzzles, ["norvig", unidoku.load("native")], engine="inline", repeats=2
    )
    assert repr(comparison) == "<Comparison: 2 backends, 3 cases, 12 of 12 runs>"
    assert not comparison.verdict().disagreements
    assert str(comparison).endswith("3 of 3 cases were decided by several backends, all alike.")
    assert "norvig" in str(comparison)
    assert "</table>" in comparison._repr_html_()
    comparison.to_html(tmp_path / "page.html")
    assert "norvig" in (tmp_path / "page.html").read_text(encoding="utf-8")
    pytest.importorskip("pandas")
    frame = comparison.to_pandas()
    assert len(frame) == 12
    assert set(frame["outcome"]) == {"solved"}


@pytest.mark.parametrize("call", [unidoku.solve, unidoku.compare])
def test_the_name_of_a_file_is_told_from_a_board(call: Callable[[str], object]) -> None:
    with pytest.raises(FormatError, match=r"read the puzzles of a file: unidoku\.read\('no.txt'"):
        call("no.txt")


def test_a_comparison_reads_files_and_texts_and_resumes(tmp_path: Path) -> None:
    path, journal = tmp_path / "boards.txt", tmp_path / "runs.jsonl"
    path.write_text(f"{FOUR}\n{TEXT}\n".replace(" ", ""))
    watched: list[object] = []
    first = unidoku.compare(
        path, "norvig", repeats=1, output=journal, watch=lambda *run: watched.append(run)
    )
    assert (first.done, len(watched)) == (2, 2)
    again = unidoku.compare(path, "norvig", repeats=1, output=str(journal), resume=True)
    assert (again.done, again.before) == (2, 2)
    text = path.read_text()
    with pytest.raises(InputError, match="was recorded with repeats=1, this run asks for repe"):
        unidoku.compare(text, "norvig", repeats=2, output=journal, resume=True)
    with pytest.raises(InputError, match="was recorded on other boards; use another --output"):
        unidoku.compare([X, TEXT], "norvig", repeats=1, output=journal, resume=True)
    with pytest.raises(InputError, match="unknown keyword 'repeat'; did you mean 'repeats'"):
        unidoku.compare(text, "norvig", repeat=1)  # type: ignore[call-arg]  # what is tested
    with pytest.raises(InputError, match="expected at least one, got none"):
        unidoku.compare(text, [])


def test_a_solver_reads_texts_of_any_variant() -> None:
    solver = unidoku.load("norvig")
    assert solver.solve(X, variant="x").puzzle == unidoku.solve(X, variant="x").puzzle
    assert solver.solve(X, variant=layout("x", 4)).puzzle == Board.parse(X, "x")


def test_solve_takes_backend_limits_and_options() -> None:
    result = unidoku.solve(Board.parse(HARD), backend="sat", solutions=2, time_limit=60)
    assert result.unique is True
    assert unidoku.is_solution(Board.parse(HARD), result.solutions[0])
    assert result.statistics["solve_time"] > 0


def test_count_keeps_no_grids() -> None:
    result = unidoku.count(Board.empty(layout("classic", 4)), backend="sat")
    assert (result.count, result.solutions, result.stop) == (288, (), Stop.EXHAUSTED)
    result = unidoku.count(Board.empty(layout("classic", 4)), limit=5, backend="sat")
    assert (result.count, result.stop) == (5, Stop.SOLUTIONS)


def test_options_are_keywords() -> None:
    options: dict[str, Any] = {"encoding": "reduced"}
    result = unidoku.solve(Board.parse(HARD), backend="python-constraint", **options)
    assert result.count == 1


@given(boards(unit_systems().filter(lambda layout: layout.n ** len(layout) < 5000)))
def test_true_candidates_are_those_of_all_solutions(board: Board) -> None:
    expected: list[set[int]] = [set() for _ in board.layout.cells]
    for grid in brute_force(board):
        for cell, value in enumerate(grid):
            expected[cell].add(value)
    true = unidoku.true_candidates(board, backend="norvig")
    assert [set(true.values(cell)) for cell in board.layout.cells] == expected


def test_true_candidates_stop_at_their_time_limit() -> None:
    with pytest.raises(TimeLimitError, match=r"not decided within 0\.05 s"):
        unidoku.true_candidates(Board.parse(MANY), backend="norvig", time_limit=0.05)


def test_everything_public_is_there_and_documented() -> None:
    for name in vars(unidoku)["__all__"]:
        thing = getattr(unidoku, name)
        if name not in ("__version__", "Grid"):
            # A dataclass without a docstring gets its signature for one.
            assert thing.__doc__, name
            assert not thing.__doc__.startswith(f"{name}("), name
