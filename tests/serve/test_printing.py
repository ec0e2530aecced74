"""Puzzles for a class, pages to print, and versions that were kept."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import unidoku
from tests.helpers.serving import at_desk
from unidoku.errors import InputError
from unidoku.formats import Puzzle
from unidoku.logic import walk_through
from unidoku.serve import printing, versions
from unidoku.serve.document import State, Version, content_of, new_text, text_of
from unidoku.serve.files import FileOnDisk, opened
from unidoku.serve.notes import remember
from unidoku.serve.protocol import read_message
from unidoku.serve.workbench import Workbench

EASY = unidoku.Board.parse("1... ..2. .3.. ...4")


def bench(text: str = "") -> Workbench:
    return Workbench(State.of(text or new_text(4, "classic")), None, Path("/nowhere"), {})


def printed(puzzles: Sequence[Puzzle], **fields: Any) -> str:
    """Return the page that is made for puzzles."""
    texts = [text_of(puzzle) for puzzle in puzzles]
    message = json.dumps({"nonce": 1, "command": "print", "texts": texts, **fields})
    workbench = bench()
    answer = printing.print_(workbench, read_message(message), lambda part: None)
    assert answer["unsolved"] == []
    return workbench.reports[answer["page"]]


def test_pages_have_headings_levels_rules_and_answers() -> None:
    several = [Puzzle(EASY, "One", 1)] * 5
    wanted = {"heading": "5b & 5c", "per_page": 4, "name_line": True, "rules": True, "level": True}
    page = printed(several, **wanted, answers=True)
    assert page.count("<svg") == 2 + 1
    assert page.count(">5b &amp; 5c</text>") == 2 + 1
    assert page.count(">Name</text>") == 2
    assert "1. One" in page
    assert page.count(">easy</text>") == 5
    assert page.count("Normal 4×4 sudoku rules apply.") == 5
    digits = re.findall(r">(\d)</text>", page.partition("Solution 1")[2])
    assert len(digits) == 5 * 16
    assert "Solution" not in printed(several)


def test_symbols_take_the_place_of_digits() -> None:
    page = printed([Puzzle(EASY, "", 1)], symbols="★ ● ▲ <", answers=True)
    assert len(re.findall(r">(★|●|▲|&lt;)</text>", page)) == 4 + 16
    assert re.findall(r">(\d)</text>", page) == ["1"]  # its number
    with pytest.raises(InputError, match="expected 4, one for each value, got 2"):
        printed([Puzzle(EASY, "", 1)], symbols="a b")


def test_puzzles_without_a_solution_are_named() -> None:
    text = text_of(Puzzle(unidoku.Board.parse("11.............."), "", 1))
    message = json.dumps({"nonce": 1, "command": "print", "texts": [text], "answers": True})
    answer = printing.print_(bench(), read_message(message), lambda part: None)
    assert answer["unsolved"] == [1]


def test_made_puzzles_come_one_by_one_and_are_printed() -> None:
    workbench = bench()
    parts: list[Any] = []
    fields = {"nonce": 1, "command": "make", "size": 4, "level": "easy", "count": 3}
    request = read_message(json.dumps(fields))
    assert printing.make(workbench, request, parts.append)["count"] == 3
    texts = [part["made"][0]["text"] for part in parts]
    assert len({*texts}) == 3
    for text in texts:
        board = content_of(text).puzzle.board
        assert unidoku.check(board).proper
        assert unidoku.rate(board).level == "easy"
    fields = {"nonce": 1, "command": "print", "texts": texts, "level": True}
    answer = printing.print_(workbench, read_message(json.dumps(fields)), parts.append)
    assert workbench.reports[answer["page"]].count(">easy</text>") == 3
    comparison = workbench.keep_page("a comparison")
    for _ in range(30):  # previews while somebody types
        fields["instead"] = answer["page"]
        answer = printing.print_(workbench, read_message(json.dumps(fields)), parts.append)
    assert workbench.reports.keys() == {comparison, answer["page"]}


def test_versions_are_kept_compared_taken_and_there_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNIDOKU_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "it.toml"
    path.write_text(new_text(4, "classic"))
    state, earlier, file = opened(path)
    assert earlier == []
    assert isinstance(file, FileOnDisk)
    workbench = Workbench(state, file, tmp_path, {}, earlier)

    async def scene() -> None:
        do = at_desk(workbench)
        await do("version-keep", name="empty")
        await do("rule-add", rule={"kind": "thermo", "line": "A1-A3"})
        await do("digits", cells=[0, 5], value=1, layer="given")
        await do("pen", lines=[[2, 2, 2, 4]])
        await do("version-keep", name="rule")
        request = read_message('{"nonce": 1, "command": "versions"}')
        first, second = versions.versions(workbench, request, lambda part: None)["versions"]
        assert (first["name"], first["solutions"]) == ("empty", 100)
        assert first["differs"] == ["+ the values rise along A1-A3", "+ 2 givens"]
        assert second["differs"] == []
        assert second["picture"].startswith("<svg")
        assert "<style" not in second["picture"]  # the policy of the page allows none
        await do("text", text=text_of(Puzzle(EASY, "", 1)))
        await do("version-keep", name="one solution")
        await do("digits", cells=[1], value=2, layer="given")
        *_, third = versions.versions(workbench, request, lambda part: None)["versions"]
        assert third["differs"][:2] == ["+ 1 given", "path: 12 steps → 11 steps"]
        assert third["level"] == "hidden single (1.2)"
        await do("version-remove", index=2)
        for _ in range(2):
            await do("undo")
        await do("version-take", index=0)
        assert workbench.state == state
        await do("undo")
        assert workbench.state == workbench.versions[1].state
        await do("version-remove", index=0)
        assert "expected one of 1" in (await do("version-take", index=1))[-1]["error"]

    asyncio.run(scene())
    assert workbench.versions[0].state.marks.pen == ((2, 2, 2, 4),)
    remember(workbench.state, path, workbench.versions)
    assert opened(path)[1] == workbench.versions == [Version("rule", workbench.state)]


def test_paths_of_versions_are_compared() -> None:
    harder, easier = (walk_through(text) for text in ("1... ..2. .3.. ...4", "12.. ..2. .3.. ...4"))
    assert [*versions.differences_of_paths(harder, easier)] == [
        "path: 12 steps → 11 steps",
        f"first step that differs: 1, before: {harder.steps[0].sentence}; "
        f"now: {easier.steps[0].sentence}",
    ]
    naked = walk_through(harder.board, techniques="naked single")
    lines = [*versions.differences_of_paths(harder, naked)]
    assert lines[-2] == "hardest: hidden single (1.2) → naked single (2.3)"
    assert [*versions.differences_of_paths(easier, easier)] == []
    assert [*versions.differences_of_paths(easier, None)] == ["path: 11 steps → not known"]
    stuck = walk_through("1... .... .3.. ...4")
    assert f"{len(stuck.steps)} steps, then stuck" in next(
        versions.differences_of_paths(easier, stuck)
    )


def test_cells_are_named_as_the_page_asks() -> None:
    async def scene() -> None:
        workbench = bench()
        do = at_desk(workbench)
        events = await do("rule-add", rule={"kind": "thermo", "line": "A1-A3"})
        events += await do("notation", names="r1c1")
        boards = [board for event in events if (board := event.get("board"))]
        words = [board["rules"][0]["words"] for board in boards]
        assert words == [f"the values rise along {c}" for c in ("A1-A3", "r1c1-r1c3")]
        await workbench.stop()

    asyncio.run(scene())
    assert unidoku.layout("classic", 4).names[0] == "A1"
