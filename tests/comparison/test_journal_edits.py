"""Journals that were edited, cut or spoilt: read as far as can be, or refused in one line."""

from __future__ import annotations

import copy
import json
import random
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.comparing import compared
from tests.helpers.made_runs import records_in
from tests.helpers.mutations import mutated
from tests.helpers.volume import volume
from unidoku import Board, Layout
from unidoku.comparison import Comparison, read_comparison
from unidoku.comparison.config import measuring_of
from unidoku.comparison.difference import difference
from unidoku.comparison.journal import read_header, read_journal
from unidoku.comparison.report.words import remarks
from unidoku.core.layout import Unit
from unidoku.core.rules import NonConsecutive
from unidoku.errors import FormatError, InputError, UnidokuError

BOARDS = ["1... ..2. .3.. ...4", "12.. .... .... 21.."]
BACKENDS = ["norvig", "native"]
RUNS = 8

HOSTILE: list[Any] = [
    *(None, True, -5, 0, 1 << 31, 1 << 63, 10**400, -0.5, 1e300, float("inf"), float("nan")),
    *("", "x", "é☃", "\ud800", "<b>", "0" * 16, [], [[]], [1], ["x"], {}, {"x": 1}, {"x": "y"}),
]
"""Values for which some field has no place."""


def measured(path: Path, *, resume: bool = False) -> None:
    compared(BOARDS, BACKENDS, repeats=2, symmetries=0, output=path, resume=resume)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "whole.jsonl"
    measured(path)
    return path


@pytest.fixture(scope="module")
def rare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of a board with units and a rule of its own, and of candidates."""
    units = [Unit((0, 1, 2), "row", "row A"), Unit((3, 4, 5)), Unit((0, 3)), Unit((2, 5))]
    places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (3, 2)]
    rules = (NonConsecutive(((1, 4),)),)
    strip = Layout.from_units(4, units, positions=places, rules=rules, name="own")
    path = tmp_path_factory.mktemp("rare") / "rare.jsonl"
    boards = [Board.of(strip, (1, 6, 12, 15, 15, 15)), Board.parse("1... .... .... ....", "latin")]
    compared(boards, ["norvig"], memory_limit=0, sample_ms=20, output=path)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("edited")


def tables(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def reported(comparison: Comparison) -> list[str]:
    return list(remarks(comparison.results, comparison.verdict()))


def fresh(path: Path) -> Path:
    path.unlink(missing_ok=True)
    return path


def uses(path: Path, whole: Path) -> Iterator[Callable[[], object]]:
    """Yield all that commands do with a journal; the last one writes to it."""
    yield lambda: str(read_comparison([path]))
    yield lambda: read_comparison([path]).to_pandas()
    yield lambda: reported(read_comparison([path]))
    yield lambda: read_comparison([path]).to_html(fresh(path.with_suffix(".html")))
    yield lambda: str(read_comparison([whole, path]))
    yield lambda: difference(whole, path).table
    yield lambda: measuring_of(read_header(path).plan)
    yield lambda: measured(path, resume=True)


_WARNINGS = ".* (skipped|was begun in another environment|(was|were) left out)"


def result(path: Path, whole: Path) -> list[str]:
    """Return what the uses of a journal raise; all must be errors for people, of one line."""
    messages = []
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=_WARNINGS)
        for use in uses(path, whole):
            try:
                use()
            except UnidokuError as error:
                messages.append(str(error))
    assert all(len(message) < 1000 and "\n" not in message for message in messages)
    return messages


def places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each value inside a table."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


def inside(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


@pytest.mark.volume
def test_an_edited_journal_is_used_or_refused_in_one_line(whole: Path, folder: Path) -> None:
    order, path = random.Random(3), folder / "edited.jsonl"
    for _ in range(volume(100)):
        path.write_bytes(edited(whole.read_bytes(), order))
        result(path, whole)


@pytest.mark.volume
def test_hundreds_of_edited_journals_are_read_or_refused_in_one_line(
    whole: Path, rare: Path, folder: Path
) -> None:
    order = random.Random(7)
    path, contents = folder / "edited.jsonl", [whole.read_bytes(), rare.read_bytes()]
    refused = 0
    for _ in range(volume(500)):
        path.write_bytes(edited(order.choice(contents), order))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".* skipped")
            try:
                read_header(path)
                list(read_journal(path))
            except UnidokuError as error:
                refused += 1
                assert len(str(error)) < 1000 and "\n" not in str(error)  # noqa: PT017, PT018
    assert refused > volume(50)


def edited(content: bytes, order: random.Random) -> bytes:
    """Return a journal with a value changed, dropped or added, or some bytes replaced."""
    if order.random() < 0.4:
        return mutated(content, [content], order)
    lines = content.splitlines()
    number = order.randrange(len(lines))
    table = json.loads(lines[number])
    *front, last = order.choice(list(places(table)))
    around = inside(table, tuple(front))
    match order.choice(["change", "change", "drop", "add"]):
        case "drop":
            del around[last]
        case "add" if isinstance(around, dict):
            around["another"] = copy.deepcopy(order.choice(HOSTILE))
        case _:
            around[last] = copy.deepcopy(order.choice(HOSTILE))
    lines[number] = json.dumps(table).encode()
    return b"\n".join(lines) + b"\n"


@pytest.mark.parametrize(
    ("number", "way", "value", "message"),
    [
        (0, ("plan",), {}, "line 1: plan: field 'backends': expected a list of texts, got nothing"),
        (0, ("plan", "time_limit"), None, "line 1: plan: field 'time_limit': expected a finite"),
        (0, ("plan", "repeats"), -1, "line 1: plan: field 'repeats': expected a whole number"),
        (0, ("plan", "later"), 1, "line 1: plan: unknown field 'later'; known: backends, "),
        (0, ("environment",), [], "line 1: field 'environment': expected a table"),
        (0, ("environment", "cores"), float("nan"), "line 1: field 'environment': expected a"),
        (0, ("environment", "threads"), [], "line 1: environment: field 'threads': expected a"),
        (0, ("environment", "threads"), {"norvig": "2"}, "field 'threads': expected a table of"),
        (0, ("environment", "parameters"), {"norvig": 1}, "field 'parameters': expected a table"),
        (0, ("environment", "cores_a_worker"), -1, "field 'cores_a_worker': expected a whole"),
        (1, ("solutions",), -1, "line 2: field 'solutions': expected a whole number from 0 to"),
        (
            1,
            ("numbers",),
            {"holes": "x"},
            "line 2: field 'numbers': expected a table of finite numbers",
        ),
        (1, ("id",), "0" * 16, "line 2: field 'id': expected 28b19da229300534, which the board"),
        (1, ("board", "n"), 10**6, "line 2: board: field 'n': expected a whole number from 1"),
        (1, ("board", "givens"), 5, "line 2: board: field 'givens': expected a text, got 5"),
        (2, ("wall_ns",), "5", "field 'wall_ns': expected a whole number from 0 to 2^63 - 1, got"),
        (2, ("wall_ns",), -5, "field 'wall_ns': expected a whole number from 0 to 2^63 - 1, got"),
        (2, ("wall_ns",), float("inf"), "field 'wall_ns': expected a whole number from 0 to"),
        (2, ("count",), -3, "line 3: field 'count': expected a whole number from 0 to 2^63"),
        (2, ("started",), 10**400, "line 3: field 'started': expected a finite number of 0"),
        (2, ("outcome",), "odd", "line 3: field 'outcome': expected one of crashed, failed, "),
        (2, ("stop",), None, "line 3: field 'stop': expected one of exhausted, incomplete,"),
        (2, ("key",), "x", "line 3: field 'key': expected 16 hexadecimal digits, got 'x'"),
        (2, ("case",), "0" * 16, "line 3: expected the board 0000000000000000 in a line above"),
        (2, ("wal_ns",), 5, "line 3: unknown field 'wal_ns'; did you mean 'wall_ns'?"),
        (
            2,
            ("type",),
            "later",
            "line 3: expected a line of the type case, run or end, got 'later'",
        ),
    ],
)
def test_what_no_journal_says_is_named_with_its_line_and_field(
    whole: Path, tmp_path: Path, number: int, way: tuple[str, ...], value: Any, message: str
) -> None:
    lines = tables(whole)
    inside(lines[number], way[:-1])[way[-1]] = value
    path = write(tmp_path / "edited.jsonl", lines)
    before = path.read_bytes()
    messages = result(path, whole)
    assert len(messages) >= 7  # all but the one that needs the header only
    assert all(message in text and str(path) in text for text in messages), messages
    assert path.read_bytes() == before


def skipped_and_repeated(whole: Path, path: Path, lines: list[bytes], lost: int, say: str) -> None:
    """Assert that some runs of a journal are skipped with a warning, and repeated."""
    path.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.warns(UserWarning, match=say):
        assert read_comparison([path]).done == RUNS - lost
    with pytest.warns(UserWarning, match=say):
        measured(path, resume=True)
    with pytest.warns(UserWarning, match=say):
        assert keys(path) == keys(whole)


@pytest.mark.parametrize("spoilt", [b'{"type":"run","key":"', b"\0" * 80, b"\xff\xfe", b"}{"])
def test_a_torn_line_is_skipped_with_a_warning_and_its_run_repeated(
    whole: Path, tmp_path: Path, spoilt: bytes
) -> None:
    lines = whole.read_bytes().splitlines()
    lines[3] = lines[-2] = spoilt
    say = "2 lines of .*torn.jsonl are torn and were skipped; the runs that are missing are"
    skipped_and_repeated(whole, tmp_path / "torn.jsonl", lines, 2, say)


def test_runs_of_a_torn_board_are_skipped_too_and_repeated(whole: Path, tmp_path: Path) -> None:
    lines = whole.read_bytes().splitlines()
    lines[1] = lines[1][:50]
    say = "1 line of .* is torn and was skipped, with 4 runs of boards that were in them;"
    skipped_and_repeated(whole, tmp_path / "torn.jsonl", lines, 4, say)


def keys(path: Path) -> list[str]:
    return sorted(record.key for record in records_in(path))


@pytest.mark.parametrize("length", [0, 1, 10, 17, 18, 100])
def test_a_journal_that_was_killed_in_its_header_is_begun_again(
    whole: Path, tmp_path: Path, length: int
) -> None:
    path = tmp_path / "halfhdr.jsonl"
    path.write_bytes(whole.read_bytes()[:length])
    message = "got one that ends before .*unidoku compare --resume" if length else "empty file"
    with pytest.raises(FormatError, match=message):
        read_header(path)
    measured(path, resume=True)
    assert keys(path) == keys(whole)


@pytest.mark.parametrize("content", [b"notes", b'{"type":"head', b'{"type":"other","plan', b"\n"])
def test_a_file_that_is_no_journal_is_not_touched_by_resuming(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    if not b'{"type":"header",'.startswith(content):
        with pytest.raises(FormatError, match="expected a journal of unidoku compare"):
            measured(path, resume=True)
        assert path.read_bytes() == content


def test_a_torn_header_above_runs_is_refused_and_not_touched(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "torn.jsonl"
    content = whole.read_bytes()
    path.write_bytes(content[:50] + content[content.index(b"\n") :])
    for message in result(path, whole):
        assert "line 1: expected a journal of unidoku compare: " in message
    assert path.stat().st_size < len(content)


def test_journals_put_together_by_cat_are_read_if_they_were_measured_alike(
    whole: Path, tmp_path: Path
) -> None:
    path = tmp_path / "both.jsonl"
    path.write_bytes(whole.read_bytes() * 2)
    with pytest.warns(UserWarning, match=rf"^{RUNS} runs of .* were left out: the same runs"):
        assert read_comparison([path]).done == RUNS
    lines = tables(path)
    half = len(lines) // 2
    lines[half]["plan"]["seed"] = 7
    with pytest.raises(InputError, match=rf"line {half + 1}, was run with seed = 7, .* with 1;"):
        read_comparison([write(path, lines)])


def test_a_journal_that_another_machine_began_is_resumed_with_a_warning(
    whole: Path, tmp_path: Path
) -> None:
    lines = tables(whole)
    lines[0]["environment"] |= {"host": "nostromo", "unidoku": "0.0.1"}
    path = write(tmp_path / "moved.jsonl", lines[:-2])
    message = (
        r"moved.jsonl was begun in another environment: unidoku '0.0.1', now .* and host 'nost"
    )
    with pytest.warns(UserWarning, match=message):
        measured(path, resume=True)
    assert keys(path) == keys(whole)


def test_a_journal_of_other_boards_is_not_resumed(whole: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    compared(BOARDS[:1], BACKENDS, repeats=2, output=other)
    path = tmp_path / "mixed.jsonl"
    lines = tables(whole)
    lines[0]["plan"] |= {name: tables(other)[0]["plan"][name] for name in ("cases", "cases_digest")}
    write(path, lines)
    with pytest.raises(InputError, match=r"cannot resume .*: it has a different board"):
        compared(BOARDS[:1], BACKENDS, repeats=2, output=path, resume=True)
