"""Rangsk's protocol, with messages as his userscript for f-puzzles sends them."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from unidoku import is_solution, layout, load
from unidoku.analysis.candidate_counts import candidate_counts
from unidoku.core.board import Board
from unidoku.formats import Puzzle
from unidoku.formats.fpuzzles.text import table_of_fpuzzles
from unidoku.formats.lzstring import compressed
from unidoku.logic import chosen
from unidoku.serve import rangsk
from unidoku.serve.rangsk import COMMANDS, read
from unidoku.serve.run import _Server

PATIENCE = 30

EMPTY = Board.empty(layout("classic", 9))

FOUR = Board.parse("1... .... .... ...2")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        number: int = listener.getsockname()[1]
        server = _Server(rangsk.application(number), takes_signals=False)
        thread = Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
        thread.start()
        yield number
        server.should_exit = True
        thread.join(PATIENCE)


@pytest.fixture
def page(port: int) -> Iterator[ClientConnection]:
    origin: Any = "https://www.f-puzzles.com"
    with connect(f"ws://localhost:{port}", origin=origin, proxy=None) as connection:
        yield connection


def table_of(board: Board, **fields: Any) -> dict[str, Any]:
    """Return what the userscript's exportPuzzleForSolving makes of a board."""
    table = dict(table_of_fpuzzles(Puzzle(board, "", 1)).table)
    return table | {"disabledlogic": [], "truecandidatesoptions": []} | fields


def send(page: ClientConnection, nonce: int, command: str, table: dict[str, Any]) -> None:
    data = compressed(json.dumps(table))
    message = {"nonce": nonce, "command": command, "dataType": "fpuzzles", "data": data}
    page.send(json.dumps(message))


def answer(page: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(page.recv(timeout=PATIENCE))
    return message


def ask(page: ClientConnection, command: str, table: dict[str, Any]) -> dict[str, Any]:
    send(page, 7, command, table)
    message = answer(page)
    assert message["nonce"] == 7
    return message


def test_true_candidates_come_with_their_counts(page: ClientConnection) -> None:
    options = ["truecandidatesnumsolutions=5", "logical"]
    message = ask(page, "truecandidates", table_of(FOUR, truecandidatesoptions=options))
    assert message["type"] == "truecandidates"
    counts = candidate_counts(FOUR, most=5).counts
    assert [max(n, 0) for n in message["solutionsPerCandidate"]] == [
        n for row in counts for n in row
    ]
    message = ask(page, "truecandidates", table_of(FOUR))
    assert {*message["solutionsPerCandidate"]} == {0, 1}
    wrong = table_of(Board.parse("1... .... 1... ...."))
    assert ask(page, "truecandidates", wrong) == {
        "nonce": 7,
        "type": "invalid",
        "message": "No solutions found.",
    }


def test_logic_leaves_candidates_that_have_no_solution_as_minus_one(page: ClientConnection) -> None:
    board = Board.parse(
        "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9........."
    )
    options = ["truecandidatesnumsolutions=1", "logical"]
    message = ask(page, "truecandidates", table_of(board, truecandidatesoptions=options))
    assert {-1, 0, 1} >= {*message["solutionsPerCandidate"]}


def test_solve_check_and_count_are_about_the_givens(page: ClientConnection) -> None:
    table = table_of(FOUR)
    table["grid"][0][1] |= {"value": 1}  # a player's mistake
    solved = ask(page, "solve", table)
    assert solved["type"] == "solved"
    assert is_solution(FOUR, solved["solution"])
    assert ask(page, "check", table) == {
        "nonce": 7,
        "type": "count",
        "count": 2,
        "inProgress": False,
    }
    exact = load("norvig").solve(FOUR, solutions=None, keep=0).count
    assert ask(page, "count", table)["count"] == exact


def test_a_count_reports_progress_until_it_is_cancelled(page: ClientConnection) -> None:
    send(page, 1, "count", table_of(EMPTY))
    first = answer(page)
    assert (first["type"], first["inProgress"]) == ("count", True)
    page.send(json.dumps({"nonce": 2, "command": "cancel"}))
    rest = [answer(page)]
    while rest[-1]["nonce"] != 2:
        rest.append(answer(page))
    assert {*(message["type"] for message in rest)} <= {"count", "canceled"}
    assert rest[-1] == {"nonce": 2, "type": "canceled"}


def test_an_estimate_goes_on_until_the_next_message(page: ClientConnection) -> None:
    send(page, 1, "estimate", table_of(Board.empty(layout("classic", 6))))
    first, second = answer(page), answer(page)
    assert first["type"] == "estimate"
    assert second["iterations"] > first["iterations"] >= 10
    assert second["ci95_lower"] < second["estimate"] < second["ci95_upper"]
    assert 1e7 < second["estimate"] < 1e8  # 28,200,960
    send(page, 2, "estimate", table_of(FOUR))
    message = answer(page)
    while message["nonce"] == 1:
        message = answer(page)
    assert (message["nonce"], message["iterations"], message["stderr"]) == (2, 1, 0)


def test_a_step_begins_with_the_candidates_and_a_path_ends_solved(page: ClientConnection) -> None:
    board = Board.parse("1... ..2. .3.. ...4")
    table = table_of(board)
    message = ask(page, "step", table)
    assert message["message"] == "Initial candidates.\n"
    assert message["isValid"]
    for _ in range(20):
        for cell, answered in enumerate(message["cells"]):
            entry = table["grid"][cell // 4][cell % 4]
            if not entry.get("given"):
                entry |= {
                    "value": answered["value"],
                    "centerPencilMarks": answered.get("candidates", []),
                }
        message = ask(page, "step", table)
        if all(shown["value"] for shown in message["cells"]):
            break
    values = tuple(shown["value"] for shown in message["cells"])
    assert is_solution(board, values)
    path = ask(page, "solvepath", table_of(board))
    assert tuple(shown["value"] for shown in path["cells"]) == values
    assert path["message"].count("\n") > 5
    table["grid"][0][1] = {"value": 1}
    wrong = ask(page, "solvepath", table)
    assert (wrong["isValid"], wrong["message"]) == (False, "Board is invalid!\n")


def test_logic_that_is_switched_off_in_the_userscript_is_not_used() -> None:
    board = Board.parse(
        "...7.4..5.2..1..7.....8...2.9...625.6...7...8.532...1.4...9.....3..6..9.2..4.7..."
    )
    groups = ["tuples", "pointing", "fishes", "wings", "aic", "contradictions", "other"]
    everything, nothing = (
        read(compressed(json.dumps(table_of(board, disabledlogic=off)))) for off in ([], groups)
    )
    assert everything.techniques == chosen("usual")
    assert {row.family for row in nothing.techniques} == {
        *("singles", "leftovers", "single_rule", "nonogram", "combinations", "remainders"),
        *("overlap", "compared", "together"),
    }, "a technique of another family is of none of the groups"
    assert not any(row.name == "relation chain" for row in nothing.techniques)
    (path,) = COMMANDS["solvepath"](everything)
    (short,) = COMMANDS["solvepath"](nothing)
    assert len(path["message"]) > len(short["message"])
    assert "single" in short["message"]


def test_other_messages_and_unknown_rules_are_refused_in_words(page: ClientConnection) -> None:
    reply = ask(page, "solve", table_of(FOUR, unheardof=[{"cells": ["R1C1"]}]))
    assert (reply["type"], "unheardof" in reply["message"]) == ("invalid", True)
    for text in ("{", "[]", "{}", '{"nonce": 1, "command": "rule-add"}', '{"command": []}'):
        page.send(text)
        assert answer(page)["type"] == "invalid", text
    for data in ("", "x" * 100, 5, None):
        message = {"nonce": 3, "command": "solve", "dataType": "fpuzzles", "data": data}
        page.send(json.dumps(message))
        assert answer(page)["type"] == "invalid", data


def test_a_number_beyond_floats_is_a_word_and_a_mistake_of_ours_an_answer(
    page: ClientConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def samples(*_: object, **__: object) -> Iterator[float]:
        yield from [1e307, 1e305] * 10  # the width of the interval is beyond
        yield from [1e308] * 10  # their sum is

    monkeypatch.setattr("unidoku.serve.rangsk.sampled_counts", samples)
    message = ask(page, "estimate", table_of(FOUR))
    assert message["estimate"] == pytest.approx(5.05e306)
    assert message["relErrPercent"] == "inf"
    while message["type"] == "estimate":
        message = answer(page)
    assert "failed: OverflowError" in message["message"]


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "https://f-puzzles.com.evil.example", "http://f-puzzles.com", None],
)
def test_other_pages_are_refused(port: int, origin: Any) -> None:
    with (
        pytest.raises(InvalidStatus, match="403"),
        connect(f"ws://localhost:{port}", origin=origin, proxy=None),
    ):
        pass
