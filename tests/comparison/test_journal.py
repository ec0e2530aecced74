"""Journals survive what happens to files, and give back what was put in."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.made_runs import PLAN, nested
from tests.helpers.volume import volume
from unidoku import Stop
from unidoku.comparison import Comparison
from unidoku.comparison.cases import Case, PuzzleSource
from unidoku.comparison.config import ComparisonPlan
from unidoku.comparison.journal import Journal, merged, read_header, read_journal, write_journal
from unidoku.comparison.lines import Header
from unidoku.comparison.record import Outcome, Record, Timing, Usage
from unidoku.comparison.session import RunOptions, carry_out
from unidoku.core.board import Board
from unidoku.errors import FormatError, InputError, OutputError
from unidoku.formats import Puzzle
from unidoku.support.deadline import Deadline
from unidoku.testing.strategies import boards

CASE = Case(board=Board.parse("1... ..2. .3.. ...4"), name="one", source="test", solutions=1)
GRID = (1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 1, 2, 2, 1, 3, 4)


def record(key: int, case: Case = CASE, **changes: object) -> Record:
    fields = {
        "key": f"{key:016x}",
        "case": case.id,
        "backend": "a",
        "round": 1,
        "outcome": Outcome.SOLVED,
        "stop": Stop.EXHAUSTED,
        "count": 1,
        "solutions": (GRID,),
        "wall_ns": 1234,
        "statistics": {"nodes": 7},
    }
    return Record(**nested(fields | changes))


def written(path: Path, records: list[Record], case: Case = CASE) -> Path:
    with Journal(path, Header(plan=PLAN)) as journal:
        for entry in records:
            journal.add(case, entry)
    return path


def test_what_was_written_is_read(tmp_path: Path) -> None:
    records = [
        record(1),
        record(2, outcome=Outcome.CRASHED, stop=None, count=0, solutions=(), evidence=("é\n☃",)),
        record(3, image=2, first_ns=5, peak_bytes=9, disturbed=("busy",), statistics={}),
    ]
    path = written(tmp_path / "j.jsonl", records)
    assert list(read_journal(path)) == [CASE, *records]
    assert read_header(path).plan == PLAN


OF_VERSION_0_1 = """\
{"type":"header","schema":1,"plan":{"backends":["a"],"cases":1,"cases_digest":"8b0fa7a6d5a8cb0e",\
"repeats":2,"solutions":2,"time_limit":1.0,"memory_limit":2048,"seed":1,"symmetries":1,\
"relabel":true,"sample_ms":25.0},"environment":{}}
{"type":"case","id":"28b19da229300534","name":"one","source":"test","solutions":1,\
"board":{"variant":"classic","n":4,"givens":"1.....2..3.....4"}}
{"type":"run","key":"00000000000000ab","case":"28b19da229300534","backend":"a","round":2,"image":1,\
"outcome":"solved","stop":"exhausted","count":1,"solutions":["1243342143122134"],"wall_ns":1234,\
"cpu_ns":1200,"init_ns":200,"solve_ns":1000,"decode_ns":34,"loops":20,"load_ns":7,"first_ns":5,\
"peak_bytes":4096,"statistics":{"nodes":7.0},"evidence":["é"],"disturbed":["used 2.00 cores"],\
"worker":"host/0","started":1700000000.5}
{"type":"run","key":"00000000000000ac","case":"28b19da229300534","backend":"a","round":1,\
"outcome":"crashed"}
"""
"""A journal that was written before times and usage were values of their own."""


def test_a_journal_of_an_earlier_version_is_read_and_written_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text(OF_VERSION_0_1, encoding="utf-8")
    case, full, short = read_journal(path)
    assert case == CASE
    assert full == Record(
        key="00000000000000ab",
        case=CASE.id,
        backend="a",
        round=2,
        image=1,
        outcome=Outcome.SOLVED,
        stop=Stop.EXHAUSTED,
        count=1,
        solutions=(GRID,),
        timing=Timing(
            wall_ns=1234,
            cpu_ns=1200,
            init_ns=200,
            solve_ns=1000,
            decode_ns=34,
            load_ns=7,
            first_ns=5,
            loops=20,
        ),
        usage=Usage(peak_bytes=4096, disturbed=("used 2.00 cores",)),
        worker="host/0",
        started=1700000000.5,
        statistics={"nodes": 7.0},
        evidence=("é",),
    )
    assert short == record(
        0xAC, outcome=Outcome.CRASHED, stop=None, count=0, solutions=(), wall_ns=0, statistics={}
    )
    assert isinstance(full, Record)
    assert isinstance(short, Record)
    again = written(tmp_path / "new.jsonl", [full, short])
    old = [json.loads(line) for line in OF_VERSION_0_1.splitlines()]
    assert [json.loads(line) for line in again.read_text("utf-8").splitlines()][1:] == old[1:]


@settings(max_examples=volume(50))
@given(board=boards(), solutions=st.none() | st.integers(0, 9))
def test_any_board_of_any_layout_comes_back(
    tmp_path_factory: pytest.TempPathFactory, board: Board, solutions: int | None
) -> None:
    numbers = {"holes": 42, "share": 0.42} if solutions else {}
    case = Case(board=board, name="☃", source="a b", solutions=solutions, numbers=numbers)
    path = tmp_path_factory.mktemp("j") / "j.jsonl"
    grid = tuple(board.values(cell)[-1] if board.values(cell) else 1 for cell in board.layout.cells)
    entry = record(1, case, solutions=(grid,))
    written(path, [entry], case)
    assert list(read_journal(path)) == [case, entry]


def test_every_line_is_with_the_system_when_it_was_added(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    with Journal(path, Header(plan=PLAN)) as journal:
        for count in range(1, 4):
            journal.add(CASE, record(count))
            assert len(list(read_journal(path))) == count + 1


def test_a_name_that_no_file_can_have_is_refused_in_one_line() -> None:
    for name in ("a" * 300, "a\0b"):
        with pytest.raises(InputError, match="cannot be read: "):
            read_header(Path(name))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_which_can_be_read_only_once_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "j.jsonl")
    with pytest.raises(InputError, match="in a file, got a pipe; write it to one"):
        read_header(tmp_path / "j.jsonl")


def test_cut_at_any_byte_it_gives_all_whole_lines_and_can_be_continued(tmp_path: Path) -> None:
    runs = [record(k) for k in range(3)]
    path = written(tmp_path / "j.jsonl", runs)
    whole = path.read_bytes()
    header = whole.index(b"\n") + 1
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        if cut < header:
            with pytest.raises(
                FormatError, match=r"j\.jsonl: expected a journal of unidoku compare"
            ):
                read_header(path)
        else:
            assert len(list(read_journal(path))) == whole[:cut].count(b"\n") - 1
        if cut % 7 and b"\n" not in whole[cut - 1 : cut + 1]:
            continue  # resumed at a seventh of the bytes, and around the ends of lines
        with Journal(path, Header(plan=PLAN), resume=True) as journal:
            done = [entry.key for entry in journal.before() if isinstance(entry, Record)]
            for run in runs[len(done) :]:
                journal.add(CASE, run)
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "expected a journal of unidoku compare, got an empty file"),
        ("[]\n", "line 1: expected a line of a journal, which has a type"),
        ('{"type":"run"}\n', "line 1: expected a journal of unidoku compare, which begins with"),
        ("notes", "expected a journal of unidoku compare, whose first line is a header"),
        ("nonsense\n", "line 1: expected a journal of unidoku compare: Expecting value"),
        ('{"type":"header","schema":99,"plan":{},"environment":{}}\n', "expected schema 1, got 99"),
    ],
)
def test_what_is_no_journal_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text(content)
    with pytest.raises(FormatError, match=message):
        read_header(path)


def test_merged_journals_have_each_run_once(tmp_path: Path) -> None:
    other = Case(board=Board.parse("2... .... .... ...."), name="two", source="test")
    first = written(tmp_path / "a.jsonl", [record(1), record(2)])
    second = written(tmp_path / "b.jsonl", [record(2, wall_ns=99), record(3)])
    third = written(tmp_path / "c.jsonl", [record(4, other)], other)
    header, entries = merged([first, second, third])
    with pytest.warns(UserWarning, match=r"1 run of .*b\.jsonl was left out: the same runs of the"):
        read = list(entries)
    assert [e.key for e in read if isinstance(e, Record)] == [f"{k:016x}" for k in (1, 2, 3, 4)]
    assert [e for e in read if isinstance(e, Case)] == [CASE, other]
    assert all(e.timing.wall_ns == 1234 for e in read if isinstance(e, Record))
    assert header.plan["backends"] == ["a"]


def test_journals_of_other_questions_are_not_merged(tmp_path: Path) -> None:
    first = written(tmp_path / "a.jsonl", [record(1)])
    with Journal(tmp_path / "b.jsonl", Header(plan=PLAN | {"solutions": 2})) as journal:
        journal.add(CASE, record(2))
    with pytest.raises(
        InputError, match=r"run with solutions = 2, .* with 1; only journals with the same"
    ):
        merged([first, tmp_path / "b.jsonl"])


def test_a_folder_that_is_not_there_is_an_error_of_input(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written: there is no folder"):
        Journal(tmp_path / "none" / "j.jsonl", Header())
    assert not os.path.exists(tmp_path / "none")  # noqa: PTH110 - the plainest question


def test_a_compressed_journal_holds_what_the_plain_one_does(tmp_path: Path) -> None:
    plain = written(tmp_path / "j.jsonl", [record(1), record(2)])
    packed = tmp_path / "j.jsonl.gz"
    write_journal(packed, *merged([plain]))
    assert packed.read_bytes()[:2] == b"\x1f\x8b"
    assert list(read_journal(packed)) == [CASE, record(1), record(2)]
    assert read_header(packed) == read_header(plain)
    write_journal(tmp_path / "again.jsonl.gz", *merged([packed]))
    assert (tmp_path / "again.jsonl.gz").read_bytes() == packed.read_bytes()


def test_a_compressed_journal_that_was_cut_off_or_is_none_is_refused(tmp_path: Path) -> None:
    packed = tmp_path / "j.jsonl.gz"
    write_journal(packed, *merged([written(tmp_path / "j.jsonl", [record(1)])]))
    whole = packed.read_bytes()
    for broken in (whole[:-20], whole[:12] + b"\xff" * 30 + whole[42:], b"no gzip"):
        packed.write_bytes(broken)
        with pytest.raises((InputError, FormatError), match=r"j\.jsonl\.gz"):
            list(read_journal(packed))


def test_a_comparison_does_not_write_a_compressed_journal(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"without \.gz, .* unidoku report runs\.jsonl --output"):
        Journal(tmp_path / "runs.jsonl.gz", Header(plan=PLAN))
    assert not [*tmp_path.iterdir()]


def test_a_comparison_ends_at_its_deadline_between_two_boards_and_is_resumed(
    tmp_path: Path,
) -> None:
    texts = [f"{'.' * k}1{'.' * (15 - k)}" for k in range(16)]
    puzzles = tuple(Puzzle(Board.parse(text), text, k) for k, text in enumerate(texts))
    asked = ComparisonPlan(
        backends=("norvig", "exact-cover"),
        puzzles=(PuzzleSource(boards=puzzles),),
        repeats=1,
        sample_ms=0.0,
        memory_limit=0,
    )
    path = tmp_path / "j.jsonl"
    ending = Deadline(3600)
    where = RunOptions(engine="inline", journal=path, resume=True, deadline=ending)

    def end(comparison: Comparison, _: Record) -> None:
        if comparison.done == 5:
            ending._end = 0.0  # the time has come

    first = carry_out(asked, where, end)
    assert not first.interrupted
    assert first.done == 6, "the second backend had the board that the first had"
    second = carry_out(asked, RunOptions(engine="inline", journal=path, resume=True))
    assert (second.before, second.done) == (6, 32)
