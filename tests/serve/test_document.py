"""The state of the workbench: what edits do to the file and to what a player wrote."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from unidoku import Board, layout
from unidoku.core.rules.base import KINDS
from unidoku.errors import FormatError, InputError, LayoutError
from unidoku.formats.toml.edit import with_key
from unidoku.serve import describing
from unidoku.serve.document import State, content_of, new_text
from unidoku.serve.edits import EDITS

EXAMPLES = sorted(Path("examples/rules").glob("*.toml"))

FOUR = """\
version = 1  # ours
size = 4
mine = "kept"
rules = [
    { kind = "killer", cage = "A1-A2", total = 3 },  # small
    { kind = "thermo", line = "C1-C3" },
]
"""


def edited(state: State, command: str, **message: object) -> State:
    return EDITS[command](state, message)


def test_givens_are_written_into_the_file_and_entries_are_not() -> None:
    state = edited(State.of(FOUR), "digits", cells=[0, 5], value=2, layer="given")
    assert tomllib.loads(state.text)["givens"].split() == ["2...", ".2..", "....", "...."]
    entered = edited(state, "digits", cells=[0, 1], value=4, layer="entry")
    assert entered.text == state.text
    assert entered.marks.entries[:2] == (0, 4)  # a given stays
    assert entered.board.givens[:2] == (2, 4)
    assert entered.puzzle.givens[:2] == (2, 0)
    assert entered.digest != state.digest


def test_a_given_takes_the_place_of_an_entry() -> None:
    state = edited(State.of(FOUR), "digits", cells=[0], value=3, layer="entry")
    state = edited(state, "digits", cells=[0], value=1, layer="given")
    assert state.marks.entries[0] == 0
    assert state.board.givens[0] == 1


def test_marks_are_removed_where_all_cells_have_them() -> None:
    state = edited(State.of(FOUR), "mark", cells=[0], value=3, layer="centre")
    state = edited(state, "mark", cells=[0, 1], value=3, layer="centre")
    assert state.marks.centre[:2] == (4, 4)
    state = edited(state, "mark", cells=[0, 1], value=3, layer="centre")
    assert not any(state.marks.centre)


def test_clearing_takes_values_then_marks_then_colours() -> None:
    state = State.of(FOUR)
    for layer in ("corner", "centre", "colours"):
        state = edited(state, "mark", cells=[0], value=1, layer=layer)
    state = edited(state, "digits", cells=[0], value=1, layer="entry")
    remaining = []
    for _ in range(4):
        state = edited(state, "clear", cells=[0])
        marks = state.marks
        remaining.append(
            [bool(values[0]) for values in (marks.entries, marks.corner, marks.colours)]
        )
    assert remaining == [[False, True, True], [False, False, True], *[[False, False, False]] * 2]


def test_the_pen_draws_lines_removes_them_and_refuses_others() -> None:
    along, through = [1, 1, 1, 3], [4, 4, 2, 2]
    state = edited(State.of(FOUR), "pen", lines=[along, through])
    assert state.marks.pen == ((1, 1, 1, 3), (2, 2, 4, 4))
    assert state.digest == State.of(FOUR).digest  # no question is about them
    assert edited(state, "pen", lines=[along]).marks.pen == ((2, 2, 4, 4),)
    assert edited(state, "pen", lines=[along, [1, 3, 1, 5]]).marks.pen[1] == (1, 3, 1, 5)
    assert edited(state, "pen", lines=[]) == State.of(FOUR)
    for wrong in ([1, 1, 3, 3], [2, 2, 2, 6], [2, 2, 2, 2], [2, 2, 3, 3], [8, 8, 8, 10]):
        with pytest.raises(InputError, match="expected each to join"):
            edited(state, "pen", lines=[wrong])


def test_rules_are_added_changed_switched_and_removed_and_comments_stay() -> None:
    state = State.of(FOUR)
    state = edited(state, "rule-add", rule={"kind": "renban", "line": "D1-D3"})
    state = edited(state, "rule-switch", index=1, ignored=True)
    assert [rule.kind for rule in state.puzzle.layout.rules] == ["killer", "renban"]
    state = edited(state, "rule-remove", index=0)
    assert state.ignored == {0}  # it is still the thermometer
    assert [rule.kind for rule in state.puzzle.layout.rules] == ["renban"]
    state = edited(state, "rule-set", index=1, rule={"kind": "renban", "line": "D1-D4"})
    assert "# ours" in state.text
    assert 'mine = "kept"' in state.text
    assert state.content.unknown == ("mine",)


def test_a_rule_that_is_not_possible_is_refused_with_the_reason() -> None:
    with pytest.raises(FormatError, match="rule 3, killer: cage"):
        edited(State.of(FOUR), "rule-add", rule={"kind": "killer", "cage": "Z9"})
    with pytest.raises(FormatError, match="expected a kind of rule, got 'kilr'"):
        edited(State.of(FOUR), "rule-add", rule={"kind": "kilr"})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("size = 4", "version = 1"),
        ("version = 1\n[[puzzles]]\nsize = 4", "one puzzle"),
        ("version = 1\nsize = 9\nshape = [100, 100]\nunits = []", "1,024 cells"),
        ("version = ", "TOML"),
    ],
)
def test_what_is_not_a_file_of_one_puzzle_is_refused(text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        content_of(text)


def test_cells_and_values_beyond_the_board_are_refused() -> None:
    state = State.of(FOUR)
    with pytest.raises(InputError, match="cells: expected numbers from 0 to 15, got 16"):
        edited(state, "digits", cells=[16], value=1, layer="entry")
    with pytest.raises(InputError, match="value: expected 1 to 4, or 0 for none, got 5"):
        edited(state, "digits", cells=[1], value=5, layer="entry")
    with pytest.raises(InputError, match="index: expected one of 2 rules, got 2"):
        edited(state, "rule-remove", index=2)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_described_and_its_givens_can_be_changed(path: Path) -> None:
    state = State.of(path.read_text())
    board = describing.board_of(state.text, frozenset(), frozenset())
    assert len(board["rules"]) == len(state.content.table.get("rules", []))
    assert board["picture"].count("<g") == board["picture"].count("</g>")
    cell = next(c for c, given in enumerate(state.content.puzzle.board.givens) if not given)
    with_given = edited(state, "digits", cells=[cell], value=1, layer="given")
    without = edited(with_given, "clear", cells=[cell], given=True)
    assert with_given.content.puzzle.board.givens[cell] == 1
    assert without.content.puzzle.board.givens == state.content.puzzle.board.givens
    assert without.content.layout == state.content.layout


def test_the_kinds_of_rules_are_those_of_the_catalogue_with_all_fields() -> None:
    kinds = {entry["kind"]: entry for entry in describing.kinds()}
    assert kinds.keys() == KINDS.keys()
    for name, entry in kinds.items():
        assert entry["about"], name
        assert all(field["about"] for field in entry["fields"]), name
        assert {field["holds"] for field in entry["fields"]} <= {
            *("cells", "line", "pairs", "number", "yes", "text", "list", "rules")
        }
    holds = {field["name"]: field["holds"] for field in kinds["killer"]["fields"]}
    assert holds == {"cage": "cells", "total": "number"}


def test_a_new_puzzle_is_an_empty_board() -> None:
    puzzle = State.of(with_key(new_text(6, "x"), "name", 'a "b"')).content.puzzle
    assert (puzzle.name, puzzle.board) == ('a "b"', Board.empty(layout("x", 6)))


def test_painted_regions_make_a_jigsaw_and_boxes_are_its_first_regions() -> None:
    state = State.of(FOUR)
    board = describing.board_of(state.text, state.ignored, state.hidden)
    assert board["regions"] == [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]
    painted = [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]
    changed = edited(state, "regions", map=painted)
    table = tomllib.loads(changed.text)
    assert (table["variant"], table["regions"].split()[0]) == ("jigsaw", "1111")
    assert changed.text.startswith("version = 1  # ours")
    again = describing.board_of(changed.text, changed.ignored, changed.hidden)
    assert again["regions"] == painted
    for wrong in ([1] * 16, painted[:-1], [0, *painted[1:]], [9, *painted[1:]]):
        with pytest.raises((FormatError, InputError)):
            edited(state, "regions", map=wrong)
    with pytest.raises(InputError, match="expected a classic board or a jigsaw"):
        edited(State.of('version = 1\nvariant = "samurai"\nsize = 9\n'), "regions", map=painted)


def test_fog_is_written_into_the_file_and_removed() -> None:
    state = edited(State.of(FOUR), "fog", lights=[0, 1], triggers=[[[0], [4, 5]]])
    assert tomllib.loads(state.text)["fog"]["triggers"] == [{"when": "A1", "lights": "B1 B2"}]
    board = describing.board_of(state.text, state.ignored, state.hidden)
    assert board["fog"] == {"lights": [0, 1], "triggers": [[[0], [4, 5]]]}
    assert "fog" not in tomllib.loads(edited(state, "fog", gone=True).text)
    with pytest.raises(InputError, match="expected numbers from 0 to 15"):
        edited(state, "fog", lights=[16])


def test_a_rule_moves_and_what_is_switched_off_moves_with_it() -> None:
    state = edited(State.of(FOUR), "rule-switch", index=1, ignored=True, hidden=True)
    moved = edited(state, "rule-move", index=1, to=0)
    assert [rule["kind"] for rule in tomllib.loads(moved.text)["rules"]] == ["thermo", "killer"]
    assert moved.ignored == moved.hidden == frozenset({0})
    assert moved.digest == state.digest
    assert "# small" in moved.text
    with pytest.raises(InputError, match="to: expected one of 2 rules, got 2"):
        edited(state, "rule-move", index=0, to=2)


def test_the_cells_of_a_rule_are_changed_and_copied() -> None:
    state = edited(State.of(FOUR), "rule-shape", index=1, shape={"line": [3, 2, 1, 0]})
    assert tomllib.loads(state.text)["rules"][1] == {"kind": "thermo", "line": "A4-A1"}
    state = edited(state, "rule-shape", index=0, shape={"cage": [14, 15]}, copy=True)
    assert tomllib.loads(state.text)["rules"][2] == {"kind": "killer", "cage": "D3 D4", "total": 3}
    state = edited(state, "rule-add", rule={"kind": "greater", "pairs": ["A1 A2"]})
    state = edited(state, "rule-shape", index=3, shape={"pairs": [4, 5, 5, 6]})
    assert tomllib.loads(state.text)["rules"][3]["pairs"] == ["B1 B2", "B2 B3"]
    for shape, reason in (
        ({"cage": [16]}, "to 15, got 16"),
        ({"line": [0]}, "fields of killer"),
    ):
        with pytest.raises(InputError, match=reason):
            edited(state, "rule-shape", index=0, shape=shape)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_rule_with_the_cells_that_it_has_is_the_same_rule(path: Path) -> None:
    state = State.of(path.read_text(encoding="utf-8"))
    rules = describing.board_of(state.text, frozenset(), frozenset())["rules"]
    for index, rule in enumerate(rules):
        if rule["shape"]:
            same = edited(state, "rule-shape", index=index, shape=rule["shape"])
            assert same.board.layout == state.board.layout


def test_a_rule_of_ones_own_is_defined_used_changed_and_forgotten() -> None:
    far = {"kind": "pairs", "related": "a, b: abs(a - b) >= 2", "colour": "red"}
    state = edited(State.of(FOUR), "define", name="far", rule=far)
    state = edited(state, "rule-add", rule={"kind": "far", "line": "D1-D3"})
    board = describing.board_of(state.text, frozenset(), frozenset())
    (defined,) = board["own"]
    assert (defined["kind"], defined["table"]) == ("far", far)
    assert [field["name"] for field in defined["fields"]] == ["line", "pairs"]
    assert board["rules"][2]["shape"] == {"line": [12, 13, 14]}
    assert board["rules"][2]["words"] == "along D1-D3"
    near = edited(state, "define", name="far", rule=far | {"related": "a, b: abs(a - b) == 1"})
    assert near.digest != state.digest
    with pytest.raises(LayoutError, match="expected a relation"):
        edited(state, "define", name="far", rule=far | {"related": "a: a"})
    with pytest.raises(InputError, match="a kind of rule"):
        edited(state, "define", name="thermo", rule=far)
    with pytest.raises(FormatError, match="far"):
        edited(state, "define", name="far")
    assert edited(edited(state, "rule-remove", index=2), "define", name="far").text == FOUR + "\n"


def test_pictures_are_added_changed_moved_and_removed() -> None:
    circle, text = {"shape": "circle", "at": "r1.5c1"}, {"shape": "text", "at": "A1", "text": "x"}
    state = edited(State.of(FOUR), "cosmetic-add", cosmetic=circle)
    state = edited(state, "cosmetic-add", cosmetic=text)
    state = edited(state, "cosmetic-move", index=1, to=0)
    assert tomllib.loads(state.text)["cosmetics"] == [text, circle]
    assert state.digest == State.of(FOUR).digest  # they mean nothing
    listed = describing.board_of(state.text, frozenset(), frozenset())["cosmetics"]
    assert [(picture["at"], picture["words"]) for picture in listed] == [
        ([[1, 1]], "text “x”"),
        ([[1.5, 1]], "circle"),
    ]
    state = edited(state, "cosmetic-set", index=1, cosmetic=circle | {"colour": "#ff0000"})
    assert state.content.puzzle.cosmetics[1].colour == "#ff0000"
    with pytest.raises(InputError, match="colour"):
        edited(state, "cosmetic-set", index=1, cosmetic=circle | {"colour": "red"})
    state = edited(edited(state, "cosmetic-remove", index=0), "cosmetic-remove", index=0)
    assert tomllib.loads(state.text)["cosmetics"] == []
    with pytest.raises(InputError, match="index: expected one of 0 cosmetics, got 0"):
        edited(state, "cosmetic-remove", index=0)
