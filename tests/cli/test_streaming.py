"""Files of many boards: whatever their form, and whatever happens on the way."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Sized
from pathlib import Path

import numpy as np
import pytest

import unidoku
from tests.helpers.boards import MANY, NORVIG
from tests.helpers.command_runner import Runner
from tests.helpers.wrong import answers
from unidoku import Board, Request, Result, layout
from unidoku.files.source import LARGE

SOLVED = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
CLASH = "44" + "." * 79
EASY = SOLVED[:40] + "." + SOLVED[41:]
SMALL, SMALL_SOLVED = "1.....2..3.....4", "1243342143122134"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNIDOKU_BACKEND", "norvig")


def lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


def names() -> set[str]:
    return {path.name for path in Path().iterdir()}


def test_every_board_has_its_line_in_the_output(run: Runner) -> None:
    boards = [NORVIG, EASY, "12345", CLASH, EASY.replace(".", "0") + "  a name", "", EASY, EASY]
    Path("in.txt").write_text("# a comment\n" + "\n".join(boards) + "\nGrid 07\n" + EASY)
    ran = run("solve", "in.txt", "-o", "out.txt")
    assert lines("out.txt") == [
        *[SOLVED, SOLVED],
        "# invalid: expected the 81 cells of classic, got 5 symbols",
        f"{CLASH} # no solutions",
        *[SOLVED] * 4,
    ]
    assert (ran.code, ran.out) == (2, "")
    result = ran.err.splitlines()
    assert result[0] == "unidoku: in.txt, line 4: expected the 81 cells of classic, got 5 symbols"
    summary = "8 boards: 6 with a solution, 1 without solution, 1 invalid; norvig, "
    assert result[1].startswith(summary)
    assert re.fullmatch(r"[\d.]+ (µs|ms|s), [\d.]+ (µs|ms|s) a board", result[1][len(summary) :])
    assert len(result) == 2
    assert names() == {"in.txt", "out.txt"}


def test_a_line_without_solution_is_read_back_as_its_puzzle(run: Runner) -> None:
    Path("in.txt").write_text(f"{EASY}\n{CLASH}\n")
    assert run("solve", "in.txt", "-o", "out.txt").code == 1
    ran = run("count", "out.txt", "-o", "counts.txt")
    assert (ran.code, lines("counts.txt")) == (0, ["1", "0"])


def test_what_is_not_decided_says_so(run: Runner) -> None:
    Path("in.txt").write_text(f"{EASY}\n{MANY}\n")
    ran = run("solve", "in.txt", "-o", "out.txt", "--node-limit", "2")
    assert (ran.code, lines("out.txt")) == (1, [SOLVED, f"{MANY} # undecided (node limit)"])
    assert ran.err.startswith("2 boards: 1 with a solution, 1 undecided; ")
    ran = run("count", "in.txt", "-o", "counts.txt", "--time-limit", "0.1")
    assert ran.code == 1
    assert lines("counts.txt")[0] == "1"
    assert re.fullmatch(r"at least \d+ \(time limit\)", lines("counts.txt")[1])


def test_count_writes_one_number_for_each_line(run: Runner) -> None:
    Path("in.txt").write_text(f"{EASY}\n{NORVIG}\n12345\n{CLASH}\n{'.' * 81}\n")
    ran = run("count", "in.txt", "-o", "out.txt", "--limit", "3")
    assert ran.code == 2
    assert lines("out.txt") == [
        *["1", "1", "# invalid: expected the 81 cells of classic, got 5 symbols"],
        *["0", "at least 3"],
    ]


def test_a_large_file_is_streamed_to_standard_output(run: Runner) -> None:
    Path("in.txt").write_text(f"{EASY}\r\n" * 1000)
    ran = run("solve", "in.txt")
    assert (ran.code, ran.out) == (0, f"{SOLVED}\n" * 1000)
    assert ran.err.startswith("1,000 boards: 1,000 with a solution; norvig, ")
    assert len(ran.err.splitlines()) == 1


def test_large_text_is_read_across_blocks(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unidoku.files.reading.BLOCK", 1000)
    texts = [EASY, "# a comment", f"{EASY} name", EASY.replace(".", "0"), "", "12"] * 60
    Path("in.txt").write_text("\ufeff" + "\n".join(texts), encoding="utf-8")
    ran = run("solve", "in.txt", "-o", "out.txt")
    bad = "# invalid: expected the 81 cells of classic, got 2 symbols"
    assert lines("out.txt") == [SOLVED, SOLVED, SOLVED, bad] * 60
    result = ran.err.splitlines()
    assert [int(line.split()[3].strip(":")) for line in result[:10]] == list(range(6, 61, 6))
    assert result[10] == "unidoku: further boards that cannot be read are only counted"
    assert result[11].startswith("240 boards: 180 with a solution, 60 invalid; ")


def test_compressed_files_are_known_by_how_they_begin(run: Runner) -> None:
    Path("in.txt").write_bytes(gzip.compress(f"{EASY}\n{EASY}\n".encode()))
    assert run("solve", "in.txt").out == f"{SOLVED}\n{SOLVED}\n"
    assert run("solve", "in.txt", "-o", "out.txt.gz").code == 0
    assert gzip.decompress(Path("out.txt.gz").read_bytes()).decode() == f"{SOLVED}\n{SOLVED}\n"


@pytest.mark.parametrize(
    "text",
    [
        f"quizzes,solutions\n{EASY},{SOLVED}\n{NORVIG},{SOLVED}\n",
        f"id,puzzle,rating\n7,{EASY},1\n12,{NORVIG},1.5\n",
        f"id,puzzle,rating\n1,{EASY},1\n2,{NORVIG},2\n",
        f'name,difficulty\n"{EASY}",1\n"{NORVIG}","a, b"\n',
        f"{EASY}\n{NORVIG}\n",
        f"{EASY},x\n\n{NORVIG}\n",
    ],
)
def test_csv_has_boards_in_one_column(run: Runner, text: str) -> None:
    Path("in.csv").write_text(text)
    ran = run("solve", "in.csv")
    assert (ran.code, ran.out) == (0, f"{SOLVED}\n{SOLVED}\n")


def test_bytes_that_are_no_text_are_invalid(run: Runner) -> None:
    for name in ("in.txt", "in.csv"):
        Path(name).write_bytes(f"{EASY}\n{EASY}\n".encode() + EASY.encode().replace(b".", b"\xb7"))
        error = run.refused("solve", name, "-o", f"{name}.out.txt")
        assert lines(f"{name}.out.txt")[:2] == [SOLVED, SOLVED]
        assert f"{name}, line 3: expected text in UTF-8" in error


def test_csv_that_is_shorter_in_a_line_says_which(run: Runner) -> None:
    Path("in.csv").write_text(f"id,puzzle\n1,{EASY}\n2\n3,{NORVIG},4\n")
    error = run.refused("solve", "in.csv", "-o", "out.csv")
    assert "in.csv, line 3: expected a board, got text without cells" in error
    assert lines("out.csv") == [
        "id,puzzle,solutions",
        *[f"1,{EASY},{SOLVED}", "2,,", f"3,{NORVIG},{SOLVED},4"],
    ]


@pytest.mark.parametrize("kind", [".txt", ".txt.gz", ".csv", ".csv.gz", ".npy"])
def test_every_form_that_is_written_is_read(run: Runner, kind: str) -> None:
    Path("in.txt").write_text(f"{EASY}\n{NORVIG}\n")
    assert run("solve", "in.txt", "-o", f"out{kind}").code == 0
    assert run("solve", f"out{kind}").out == f"{SOLVED}\n{SOLVED}\n"
    assert run("count", f"out{kind}").out == "1\n1\n"
    assert names() == {"in.txt", f"out{kind}"}


@pytest.mark.parametrize("shape", [(3, 81), (3, 9, 9)])
@pytest.mark.parametrize("kind", [np.uint8, np.int64, ">i4"])
def test_arrays_of_any_ints_are_boards(run: Runner, shape: tuple[int, ...], kind: str) -> None:
    values = np.array([[*map(int, EASY.replace(".", "0"))]] * 3, kind)
    values[1, 0] = 77
    np.save("in.npy", values.reshape(shape))
    error = run.refused("solve", "in.npy", "-o", "out.npy")
    assert "in.npy, row 2: A1: expected a value from 0 to 9, got 77" in error
    grids = np.load("out.npy")
    assert (grids.dtype, grids.shape) == (np.uint8, (3, 81))
    assert grids[[0, 2]].tolist() == [[*map(int, SOLVED)]] * 2
    assert not grids[1].any()


def test_boards_of_several_lines_may_go_to_a_file(run: Runner) -> None:
    framed = "\n\n".join(Board.parse(text).text() for text in [NORVIG, EASY])
    Path("in.txt").write_text(framed)
    assert run("solve", "in.txt", "-o", "out.txt").code == 0
    assert lines("out.txt") == [SOLVED, SOLVED]
    Path("in.txt").write_text(f"{Board.parse(EASY).text()}\n\n" * 1000)
    assert Path("in.txt").stat().st_size > LARGE
    assert run("count", "in.txt", "-o", "counts.txt", "--backend", "native").code == 0
    assert lines("counts.txt") == ["1"] * 1000
    Path("in.txt").write_text(f"{framed}\n\n" + framed.replace("4", "?"))
    assert run("solve", "in.txt", "-o", "new.txt").code == 2
    assert not Path("new.txt").exists()


def test_boards_of_several_layouts_are_solved_from_a_small_file(run: Runner) -> None:
    Path("in.txt").write_text(f"{SMALL}\n\n{EASY}\n\n{SMALL}")
    assert run("solve", "in.txt", "-o", "out.txt").code == 0
    assert lines("out.txt") == [SMALL_SOLVED, SOLVED, SMALL_SOLVED]
    assert "an array holds boards of one size" in run.refused("solve", "in.txt", "-o", "out.npy")
    assert names() == {"in.txt", "out.txt"}


def test_boards_with_regions_of_their_own_are_read_as_a_whole(run: Runner) -> None:
    jigsaws = ["1............... 0011001122332233", "2............... 0001021122132333"]
    Path("in.txt").write_text("\n".join(jigsaws))
    assert run("count", "in.txt", "-o", "out.txt", "--variant", "jigsaw").code == 0
    boards = [Board.parse(text, "jigsaw") for text in jigsaws]
    assert lines("out.txt") == [
        str(unidoku.count(board, backend="norvig").count) for board in boards
    ]


def test_pencil_marks_and_variants_are_streamed_too(run: Runner) -> None:
    marks = "1234" * 12 + ".2341234.2341234"
    Path("in.txt").write_text(f"{marks}\n{SMALL}\n")
    assert run("count", "in.txt", "-o", "counts.txt", "--size", "4").code == 0
    counted = Board.parse(marks, layout("classic", 4))
    assert lines("counts.txt") == [str(unidoku.count(counted, backend="norvig").count), "1"]
    clash = "1.341234" + "1..." * 14
    Path("in.txt").write_text(f"{clash}\n{SMALL}\n")
    for name in ("out.txt", "out.csv"):
        assert run("solve", "in.txt", "-o", name, "--size", "4").code == 1
    assert lines("out.txt")[0] == ".." + "1" * 14 + " # no solutions"
    assert lines("out.csv")[1] == "00" + "1" * 14 + ","
    Path("in.txt").write_text(f"{'A...' + '.' * 12}\n{'.' * 16}\n")
    ran = run("solve", "in.txt", "-o", "letters.txt", "--variant", "x", "--symbols", "ABCD")
    assert (ran.code, len(lines("letters.txt"))) == (0, 2)


def test_lines_that_may_be_rows_of_larger_boards_are_not_guessed(run: Runner) -> None:
    Path("in.txt").write_text(f"{SMALL}\n" * 5000)
    error = run.refused("solve", "in.txt", "-o", "out.txt")
    assert (
        "lines of 16 cells may be boards or rows of larger boards; give the size with --size"
        in error
    )
    assert run("solve", "in.txt", "-o", "out.txt", "--size", "4").code == 0
    assert lines("out.txt") == [SMALL_SOLVED] * 5000


def test_standard_input_and_a_single_board_may_go_to_a_file(run: Runner) -> None:
    assert run("solve", "-o", "out.txt", stdin=f"{EASY}\n{EASY}").code == 0
    assert lines("out.txt") == [SOLVED, SOLVED]
    assert run("solve", EASY, "-o", "one.txt").code == 0
    assert lines("one.txt") == [SOLVED]
    assert run("solve", EASY, "-o", "-").out == f"{SOLVED}\n"


def test_the_backends_figures_are_added_up(run: Runner) -> None:
    Path("in.txt").write_text(f"{EASY}\n{EASY}\n")
    assert "nodes=2 " in run("solve", "in.txt", "-o", "out.txt", "--stats").err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "in.txt", "-o", "in.txt"], "expected another file than the boards', got 'in"),
        (["solve", "in.txt", "-o", "link.txt", "--force"], "expected another file than the boards"),
        (["solve", "in.txt", "-o", "folder"], "expected the name of a file, got the folder"),
        (["solve", "in.txt", "-o", "of.txt.part"], "ends in .txt, .csv, .npy, .gz, .txt.gz"),
        (["solve", "in.txt", "-o", "bad.txt"], "bad.txt exists; name another file, or replace it"),
        (["count", "in.txt", "-o", "bad.txt"], "bad.txt exists; name another file, or replace it"),
        (["generate", "-o", "bad.txt"], "bad.txt exists; name another file, or replace it"),
        (["generate", "-o", "new.png"], "expected a file name that ends in .txt, .csv, .npy"),
        (["explain", EASY, "--html", "page.html"], "page.html exists; name another file, or"),
        (["explain", EASY, "--html", "new.pdf"], "expected a file name that ends in .html, .htm"),
        (["solve", "in.txt", "-o", "new.npy.gz"], "expected a file name that ends in .txt, .csv"),
        (["solve", "in.txt", "-o", "no/such.txt"], "no/such.txt cannot be written"),
        (["count", "in.txt", "-o", "new.npy"], "ends in .txt, .gz, .txt.gz, or that has none"),
        (["count", "in.txt", "-o", "new.csv.gz"], "ends in .txt, .gz, .txt.gz, or that has none"),
        (["solve", "in.txt", "-o", "new", "--format", "framed"], "one line each"),
        (
            ["solve", "in.txt", "-o", "new", "--solutions", "2"],
            "expected one solution for each board",
        ),
        (["solve", "in.txt", "-o", "new", "--seed", "1"], "norvig cannot honour seed=1"),
        (["solve", "in.txt", "-o", "new", "--size", "8"], "expected the cells of a classic board"),
        (["solve", "nofile.txt", "-o", "new"], "no such file"),
        (["solve", "folder", "-o", "new"], "expected files of boards in 'folder', got none that"),
        (["solve", "bad.txt", "-o", "new"], "bad.txt, line 1: expected"),
        (["solve", "empty.txt", "-o", "new"], "empty.txt: expected a board"),
        (["solve", "empty.csv"], "empty.csv: expected a column of boards, got an empty"),
        (["solve", "bad.csv"], "got none that holds boards; name it with --column: 1 ('id')"),
        (["solve", "bad.npy"], "bad.npy cannot be read"),
        (["solve", "shape.npy"], "shape.npy: expected classic boards, got an array of shape"),
        (["solve", "float.npy"], "float.npy: expected an array of ints"),
        (["solve", "scalar.npy"], "scalar.npy: expected an array of ints, 1 cells in each row"),
        (["solve", "scalar.npy", "--size", "9"], "scalar.npy: expected an array of ints"),
        (["solve", "short.gz", "-o", "new"], "short.gz cannot be read"),
        (["solve", "zeros.bin", "-o", "new"], "zeros.bin"),
    ],
)
def test_bad_input_is_one_message_and_nothing_written(
    run: Runner, arguments: list[str], message: str
) -> None:
    Path("in.txt").write_text(f"{EASY}\n")
    Path("link.txt").symlink_to("in.txt")
    Path("folder").mkdir()
    Path("page.html").write_text("")
    Path("bad.txt").write_text("nonsense\n" * 9)
    Path("empty.txt").write_text("")
    Path("empty.csv").write_text("")
    Path("bad.csv").write_text("id,puzzle\n1,2\n")
    Path("bad.npy").write_bytes(b"\x93NUMPY\x01\x00")
    np.save("shape.npy", np.zeros((2, 7), np.uint8))
    np.save("float.npy", np.zeros((2, 81)))
    np.save("scalar.npy", np.array(1))
    noise = "\n".join(EASY[k:] + EASY[:k] for k in range(81)) * 30
    Path("short.gz").write_bytes(gzip.compress(noise.encode(), 0)[:-30000])
    Path("zeros.bin").write_bytes(bytes(100_000))
    before = names()
    assert message in run.refused(*arguments)
    assert names() == before
    assert (lines("in.txt"), lines("bad.txt"), lines("page.html")) == (
        *([EASY], ["nonsense"] * 9),
        [],
    )


def test_an_interrupted_run_keeps_what_it_has_and_the_file_of_the_last(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = iter(range(1000))

    def third_part(board: Board, request: Request, result: Result) -> Result:
        if next(calls) == 50:
            raise KeyboardInterrupt
        return result

    solver = answers.fake("honest", third_part)
    monkeypatch.setattr("unidoku.cli.common.configured", lambda *_: solver)
    Path("in.txt").write_text(f"{EASY}\n" * 100)
    remaining: dict[str, Callable[[str], Sized]] = {"out.txt": lines, "out.npy": np.load}
    for name, read in remaining.items():
        calls = iter(range(1000))
        Path(name).write_text("of the last run")
        ran = run("solve", "in.txt", "-o", name, "--force")
        assert ran.code == 130
        message = ran.err.splitlines()
        assert message[0].startswith("unidoku: what was found so far is in ")
        assert message[0].endswith(f"{name}.part")
        # Boards are solved in parts, of sizes that depend on how fast the first was.
        whole = re.match(r"(\d+) boards: \1 with a solution; honest, ", message[1])
        assert whole
        assert int(whole[1]) in (16, 32, 48)
        assert message[-1] == "unidoku: interrupted"
        assert len(read(f"{name}.part")) == int(whole[1])
        assert lines(name) == ["of the last run"]


def test_a_wrong_answer_is_named_by_its_line(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def lies_on_the_hard_one(board: Board, request: Request, result: Result) -> Result:
        hard = board.givens.count(0) > 2
        return answers.wrong_grid(board, request, result) if hard else result

    solver = answers.fake("liar", lies_on_the_hard_one)
    monkeypatch.setattr("unidoku.cli.common.configured", lambda *_: solver)
    Path("in.txt").write_text(f"{EASY}\n" * 20 + f"# a comment\n{NORVIG}\n")
    error = run.refused("solve", "in.txt", "-o", "out.txt")
    assert "unidoku: in.txt, line 22: liar on board " in error
    assert names() == {"in.txt", "out.txt.part", "out.txt.part.json"}
    assert lines("out.txt.part") == [SOLVED] * 16


def test_a_terminal_shows_the_progress(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("in.txt", "in.npy"):
        Path("in.txt").write_text(f"{EASY}\n" * 40)
        np.save("in.npy", np.array([[*map(int, SOLVED)]] * 40))
        monkeypatch.setattr("unidoku.cli.common.sys.stderr.isatty", lambda: True)
        ran = run("solve", kind, "-o", "out.txt", "--force")
        assert "40 boards: 40 with a solution" in ran.err
        assert lines("out.txt") == [SOLVED] * 40
