"""What the workbench answers about a puzzle, compared with the calls of the library."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import unidoku
from unidoku.backends.native.single import function
from unidoku.logic import Walkthrough, walk_through
from unidoku.serve import steps
from unidoku.serve.document import State, new_text
from unidoku.serve.edits import EDITS
from unidoku.serve.questions import QUESTIONS

SETTING = State.of(Path("examples/setting.toml").read_text(encoding="utf-8"))
CLASH = State.of(
    'version = 1\nsize = 4\nrules = [\n{ kind = "thermo", line = "A1-A3" },\n'
    '{ kind = "killer", cage = "C1 C2", total = 5 },\n'
    '{ kind = "greater", pairs = ["D1 D2", "A1 A2"] },\n]\n'
)
EASY = State.of('version = 1\ngivens = "1... ..2. .3.. ...4"\n')


def ask(state: State, command: str, parts: list[Any] | None = None, **fields: Any) -> Any:
    report = (lambda part: None) if parts is None else parts.append
    return QUESTIONS[command](state, fields, report)


def entered(state: State, **values: int) -> State:
    for name, value in values.items():
        cell = state.content.layout.cell(name)
        fields = {"cells": [cell], "value": value, "layer": "entry"}
        state = EDITS["digits"](state, fields)
    return state


def test_the_lamp_shows_no_one_and_several_solutions() -> None:
    assert ask(CLASH, "lamp")["solutions"] == 0
    unique = ask(EASY, "lamp")
    assert unique["solutions"] == 1
    assert unique["grids"] == [[int(v) for v in unidoku.solve(EASY.board).text("line")]]
    several = ask(State.of(new_text(4, "classic")), "lamp")
    assert several["solutions"] == 2
    first, second = several["grids"]
    assert several["differ"] == [c for c in range(16) if first[c] != second[c]]


def test_the_lamp_says_when_the_entries_have_no_solution() -> None:
    assert ask(entered(EASY, A2=2), "lamp")["entered"] == 1
    assert ask(entered(EASY, A2=4), "lamp")["entered"] == 0
    assert ask(entered(EASY, A2=4), "lamp")["solutions"] == 1


def test_solutions_are_counted_in_steps() -> None:
    parts: list[Any] = []
    answer = ask(State.of(new_text(4, "classic")), "count", parts)
    assert (answer["exact"], answer["low"], answer["words"]) == (True, 288, "288")
    assert [part["low"] for part in parts] == [10]


def test_rules_that_cannot_hold_together_are_named_by_their_places() -> None:
    answer = ask(CLASH, "conflict")
    assert answer["rules"] == [0, 2]
    assert len(answer["words"]) == 2
    assert not ask(EASY, "conflict")["found"]
    ignored = EDITS["rule-switch"](CLASH, {"index": 0, "ignored": True})
    assert ask(ignored, "lamp")["solutions"] == 2


def test_candidates_are_true_ones_or_those_of_propagation() -> None:
    true = ask(EASY, "candidates")
    assert [sum(map(bool, row)) for row in true["counts"]] == [1] * 16
    logical = ask(State.of(new_text(4, "classic")), "candidates", form="logical")
    assert logical["counts"] == [[1] * 4] * 16
    assert ask(CLASH, "candidates")["counts"] == [[0] * 4] * 16


@pytest.mark.parametrize("command", ["lamp", "candidates"])
def test_the_time_until_the_solver_is_compiled_is_no_part_of_the_limit(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = ask(EASY, command)
    ready, best = time.perf_counter() + 0.2, function.best

    def compiled(seconds: float | None = None) -> function.Function | None:
        left = max(0.0, ready - time.perf_counter())
        time.sleep(min(left, seconds or left))
        return None if time.perf_counter() < ready else best(seconds)

    monkeypatch.setattr(function, "best", compiled)
    assert ask(EASY, command, time_limit=0.1) == expected


def test_what_is_needed_is_what_makes_the_solution_one() -> None:
    counts = ask(SETTING, "needed")["without"]
    assert counts == dict.fromkeys(map(str, range(7)), 1)
    state = SETTING
    for _ in range(3):  # until each of the rest is needed
        state = EDITS["rule-remove"](state, {"index": 0})
    without = ask(state, "needed")["without"]
    for index, count in without.items():
        left = EDITS["rule-remove"](state, {"index": int(index)})
        assert count == min(100, unidoku.count(left.board).count)


def test_totals_that_keep_solutions_are_found() -> None:
    answer = ask(SETTING, "totals", index=0)
    assert answer["field"] == "total"
    for number, count in answer["counts"].items():
        rule = dict(SETTING.content.table["rules"][0]) | {"total": int(number)}
        changed = EDITS["rule-set"](SETTING, {"index": 0, "rule": rule})
        assert unidoku.count(changed.board, limit=100).count == count


def test_a_hint_is_the_step_of_the_library_and_can_be_applied() -> None:
    state = EASY
    for _ in range(12):
        answer = ask(state, "hint")
        assert answer["found"]
        state = EDITS["fill"](state, {key: answer[key] for key in ("entries", "centre")})
    assert ask(state, "hint")["words"] == "Solved."
    assert state.board.givens == unidoku.solve(EASY.board).solutions[0]


def test_hints_with_eliminations_go_on_from_the_marks() -> None:
    state = SETTING
    for _ in range(60):
        answer = ask(state, "hint")
        if not answer["found"]:
            break
        state = EDITS["fill"](state, {key: answer[key] for key in ("entries", "centre")})
    assert answer["words"] == "Solved."


def test_a_wrong_board_gets_no_hint() -> None:
    answer = ask(entered(EASY, A2=4), "hint")
    assert not answer["found"]
    assert answer["wrong"]


def test_what_is_wrong_is_named_and_what_is_right_is_not() -> None:
    assert not ask(entered(EASY, A2=2, A3=4), "wrong")["wrong"]
    answer = ask(entered(EASY, A2=2, A3=3), "wrong")
    assert answer["cells"] == [2]
    assert answer["words"] == "A3 cannot be 3: if A3 is 3, box 2 has no place for 4."
    several = State.of(new_text(4, "classic"))
    answer = ask(entered(several, A1=1, B1=2, A2=2, D4=3), "wrong")
    assert answer["wrong"]
    assert set(answer["cells"]) <= {0, 1, 4}
    marked = EDITS["mark"](EASY, {"cells": [1], "value": 3, "layer": "centre"})
    assert ask(marked, "wrong")["words"] == "A2 cannot be 3: C2 is 3."
    marked = EDITS["mark"](marked, {"cells": [1], "value": 4, "layer": "centre"})
    assert ask(marked, "wrong")["words"] == "the values written in A2 cannot be right."


def test_why_gives_the_reason_of_the_library_or_two_solutions() -> None:
    answer = ask(EASY, "why", cell=1, value=2)
    assert answer["words"] == str(unidoku.why(EASY.board, "A2", 2))
    assert "<" in answer["over"]
    several = ask(State.of(new_text(4, "classic")), "why", cell=0, value=1)
    assert [grid[0] == 1 for grid in several["grids"]] == [True, False]
    with pytest.raises(unidoku.InputError, match="value: expected 1 to 4, got 5"):
        ask(EASY, "why", cell=1, value=5)


def test_the_path_is_that_of_explain_and_each_step_can_be_shown() -> None:
    answer = ask(EASY, "path")
    walk = unidoku.explain(EASY.board)
    assert [step["sentence"] for step in answer["steps"]] == [step.sentence for step in walk.steps]
    last = ask(EASY, "step", number=len(walk.steps) - 1)
    assert sum(map(bool, last["grid"])) == 15
    filled = EDITS["fill"](EASY, last["start"])
    assert ask(filled, "path")["steps"] == answer["steps"][-1:]
    with pytest.raises(unidoku.InputError, match="number: expected a step up to"):
        ask(EASY, "step", number=99)


def test_a_path_that_ran_out_of_time_is_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    state = State.of('version = 1\ngivens = "2... ..1. .3.. ...4"\n')
    asked = []

    def unfinished_once(*arguments: Any) -> Walkthrough:
        asked.append(arguments)
        walk = walk_through(state.board)
        return replace(walk, stopped_after=1.0, states=walk.states[:3]) if asked[1:] == [] else walk

    monkeypatch.setattr(steps, "walkthrough_from", unfinished_once)
    assert ask(state, "path")["outcome"] == "unfinished"
    assert ask(state, "step", number=1)["sentence"] == walk_through(state.board).steps[1].sentence
    assert len(asked) == 1, "its steps are shown as they were found"
    assert ask(state, "path")["outcome"] == "solved"
    assert ask(state, "path")["outcome"] == "solved"
    assert len(asked) == 2


def test_links_hold_the_puzzle_and_its_solution() -> None:
    answer = ask(SETTING, "links")
    by_format = {link["format"]: link for link in answer["links"]}
    for name in ("sudokupad", "f-puzzles", "iss-link", "toml"):
        (puzzle,) = unidoku.read(by_format[name]["text"])
        if name != "sudokupad":  # which has pictures of rules only
            assert unidoku.solve(puzzle.board).solutions == unidoku.solve(SETTING.board).solutions
    assert answer["unique"]
    assert "error" in by_format["non"]


def test_a_step_has_its_openings() -> None:
    steps = len(ask(EASY, "path")["steps"])
    assert max(ask(EASY, "openings", number=at)["openings"] for at in range(steps)) > 1
    assert ask(EASY, "openings", number=steps - 1) == {"openings": 1, "exact": True}
    with pytest.raises(unidoku.InputError, match="expected a step"):
        ask(EASY, "openings", number=steps)


def test_the_preview_of_a_link_is_the_puzzle_that_is_read_from_it() -> None:
    seen = ask(SETTING, "picture", format="f-puzzles")
    assert seen["picture"].startswith("<svg")
    assert seen["rules"] == ask(SETTING, "sentences")["text"]
    with pytest.raises(unidoku.InputError, match="format"):
        ask(SETTING, "picture", format="nothing")


def test_a_relation_is_told_by_the_pairs_that_it_allows() -> None:
    four = State.of(new_text(4, "classic"))
    assert ask(four, "relation", text="a, b: a == 2 * b")["words"] == "2 of 16 pairs: 2 1, 4 2"
    assert ask(four, "relation", text="a, b: a > 9")["words"] == "no pair of values"
    with pytest.raises(unidoku.InputError, match="expected a relation"):
        ask(four, "relation", text="a, b: a >")


def test_the_legend_has_each_kind_that_is_drawn_once_with_its_meaning() -> None:
    state = State.of(
        'version = 1\nsize = 4\nrules = [\n{ kind = "thermo", line = "A1-A3" },\n'
        '{ kind = "thermo", line = "B1-B2" },\n{ kind = "far", line = "C1-C3" },\n'
        '{ kind = "whisper", line = "B3-B4", least = 2 },\n'
        '{ kind = "whisper", line = "D1-D2", least = 1 },\n'
        '{ kind = "sandwich", line = "row 4 left", total = 2 },\n'
        '{ kind = "taxicab" },\n]\n\n[define.far]\nkind = "pairs"\n'
        'related = "a, b: abs(a - b) >= 2"\ncolour = "red"\n'
    )
    thermo, far, german, dutch = ask(state, "legend")["kinds"]
    assert [part["words"][-2:] for part in (german, dutch)] == ["2.", "1."]
    assert thermo["words"] == "Digits along a thermometer increase from the bulb."
    assert thermo["box"][2:] == [72, 36]  # the shorter one
    assert "abs(a - b) >= 2" in far["words"]
    assert "own-red" in far["picture"]
    assert far["kind"] == "far"
    hidden = EDITS["rule-switch"](state, {"index": 2, "hidden": True})
    assert [kind["kind"] for kind in ask(hidden, "legend")["kinds"]] == [
        *("thermo", "whisper", "whisper")
    ]


def test_the_regions_that_a_path_has_found_grow_to_those_of_the_solution() -> None:
    text = Path("examples/rules/chaos-construction.toml").read_text(encoding="utf-8")
    state = State.of(text)
    (regions,) = ask(state, "lamp")["regions"]
    seen: dict[str, int] = {}
    for number in range(len(ask(state, "path")["steps"])):
        known = ask(state, "step", number=number)["regions"]
        assert seen.items() <= known["numbers"].items()
        seen = known["numbers"]
        for first, second in known["sides"]:
            assert regions[first] != regions[second]
    assert seen
    assert all(regions[int(cell)] == number for cell, number in seen.items())
    assert ask(EASY, "step", number=0)["regions"] is None


def test_a_hint_is_about_cells_and_names_the_steps_about_regions_before_it() -> None:
    state = State.of(Path("examples/rules/chaos-construction.toml").read_text(encoding="utf-8"))
    count = 0
    while (hint := ask(state, "hint"))["found"]:
        before = state
        state = EDITS["fill"](state, hint)
        assert state.marks != before.marks
        count += len(hint["earlier"])
    assert hint["words"] == "Solved."
    assert count


def test_hints_and_paths_do_without_techniques_that_are_switched_off() -> None:
    rows = [row["name"] for row in ask(EASY, "techniques")["techniques"]]
    first = ask(EASY, "hint")["technique"]
    assert first in rows
    assert ask(EASY, "hint", without=[first])["technique"] != first
    assert first not in {s["technique"] for s in ask(EASY, "path", without=[first])["steps"]}
    assert first in {s["technique"] for s in ask(EASY, "path")["steps"]}
    with pytest.raises(unidoku.InputError, match="expected some techniques to be left"):
        ask(EASY, "hint", without=rows)
    with pytest.raises(unidoku.InputError, match="magic"):
        ask(EASY, "path", without=["magic"])
