"""``--json``: a line of JSON a board, with keys that stay, whatever the answer is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.boards import MANY
from tests.helpers.command_lines import BOARD, CLASH
from tests.helpers.command_runner import Runner
from unidoku import Board
from unidoku.backends import every_row
from unidoku.backends.options import declared_options
from unidoku.backends.spec import BackendSpec

SOLVED = [1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 1, 2, 2, 1, 3, 4]
KEYS = [
    *("name", "layout", "n", "board", "backend", "seconds", "status", "stop", "count", "unique"),
    *("answered_by", "solutions", "statistics"),
]


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("command", "code", "status", "count", "unique"),
    [
        (f"solve {BOARD}", 0, "satisfied", 1, None),
        (f"solve {BOARD} --solutions 2", 0, "all solutions", 1, True),
        (f"solve {CLASH}", 1, "unsatisfiable", 0, False),
        (f"count {BOARD}", 0, "all solutions", 1, True),
        (f"count {'.' * 16} --limit 5", 0, "satisfied", 5, False),
        (f"check {BOARD}", 0, "all solutions", 1, True),
        (f"check {CLASH}", 1, "unsatisfiable", 0, False),
    ],
)
def test_a_search_is_one_line_with_the_same_keys(
    command: str, code: int, status: str, count: int, unique: bool | None, run: Runner
) -> None:
    ran = run(*command.split(), "--json")
    assert (ran.code, ran.err) == (code, "")
    (record,) = lines(ran.out)
    assert [key for key in record if key != "reasons"] == KEYS
    assert ("reasons" in record) == command.startswith("check")
    assert (record["status"], record["count"], record["unique"]) == (status, count, unique)
    assert (record["layout"], record["n"], record["backend"]) == ("classic", 4, "auto")
    assert record["board"] == command.split()[1]
    assert record["solutions"] == ([SOLVED] if "count" not in command and count else [])
    assert 0 < record["seconds"] < 60


def test_what_is_not_decided_is_null_and_code_1(run: Runner) -> None:
    for command in ("count", "check", "solve"):
        arguments = ("--backend", "norvig", "--time-limit", "0.05", "--json")
        options = ("--solutions", "all") if command == "solve" else ()
        ran = run(command, MANY, *arguments, *options)
        (record,) = lines(ran.out)
        assert record["stop"] == "time"
        assert ran.code == (0 if record["count"] and command == "solve" else 1)
        if command == "check":
            assert record["unique"] is None
            assert record["status"] == "unknown"


def test_a_file_has_one_line_for_each_board_also_where_it_is_large(
    run: Runner, tmp_path: Path
) -> None:
    path = tmp_path / "boards.txt"
    path.write_text(f"{BOARD}  first é\n{CLASH}\n" * 1600)
    assert path.stat().st_size > 1 << 16
    ran = run("solve", str(path), "--json")
    assert ran.code == 1
    assert ran.out.isascii()
    records = lines(ran.out)
    assert [text["name"] for text in records[:2]] == ["first é", ""]
    assert [text["count"] for text in records] == [1, 0] * 1600


def test_the_front_of_a_line_is_that_of_explain_and_rate(run: Runner) -> None:
    fronts = [
        list(lines(run(*command, BOARD, "--json").out)[0].items())[:4]
        for command in (["solve"], ["explain"], ["rate", "--no-measure"])
    ]
    assert fronts[0] == fronts[1] == fronts[2]
    assert fronts[0] == list(Board.parse(BOARD).record().items())


def test_the_backends_come_with_what_they_can_and_their_options(run: Runner) -> None:
    by_name = {item["name"]: item for item in lines(run("backends", "--json").out)}
    rows = {row.name: row for row in every_row()}
    assert list(by_name) == list(rows)
    assert len({tuple(item) for item in by_name.values()}) == 1
    native = by_name["native"]
    assert native["installed"]
    assert native["complete"]
    assert native["limits"] == ["node_limit", "threads", "time_limit"]
    assert {"name": "bands", "type": "bool", "choices": None, "default": True} in native["options"]
    assert by_name["logic"]["complete"] is False
    for name, item in by_name.items():
        assert item["installed"] == (not rows[name].missing)
        assert (item["options"] is not None) == item["installed"]
        for option in item["options"] or ():
            assert option["type"] in {"bool", "int", "float", "str"}
            fits = option["choices"] is None or option["default"] in [None, *option["choices"]]
            assert fits


def test_a_backend_that_is_not_installed_has_no_version_and_no_options(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BackendSpec, "missing", ("ortools",))
    row = {text["name"]: text for text in lines(run("backends", "--json").out)}["cp-sat"]
    assert (row["installed"], row["version"], row["options"]) == (False, None, None)
    assert row["install"] == "pip install 'unidoku[cp-sat]'"


def test_options_are_read_from_a_class_as_it_declares_them() -> None:
    class Own:
        def __init__(self, depth: int = 3, rate: float | None = None, plain="a", **others: object):  # type: ignore[no-untyped-def]
            pass

    options = [(option.name, option.type, option.default) for option in declared_options(Own)]
    assert options == [("depth", "int", 3), ("rate", "float", None), ("plain", "str", "a")]
