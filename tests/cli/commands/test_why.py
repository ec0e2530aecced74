"""``unidoku why``: the answer in one line, its grid, two solutions, JSON, and what it refuses."""

from __future__ import annotations

import json
from typing import Any

from tests.helpers.command_runner import Runner

PROPER = "1... ..2. .3.. ...4"
SEVERAL = "12.. .... .... 21.."


def test_the_command_prints_the_reason_and_its_grid_or_two_solutions(run: Runner) -> None:
    ran = run("why", PROPER, "A2=2")
    assert ran.code == 0
    assert ran.out.startswith("A2 must be 2: if A2 is not 2, box 1 has no place for 2\n")
    assert "+ is placed" in ran.out
    both = run("why", SEVERAL, "A3=3")
    assert both.code == 0
    assert both.out.count("----+----") == 2


def test_rows_and_cells_of_a_reason_have_the_names_that_are_chosen(run: Runner) -> None:
    ran = run("why", "123. .... .3.. ...4", "r1c4=4", "--variant", "latin", "--names", "r1c1")
    assert ran.code == 1
    assert ran.out == (
        "no solutions: these cannot all be true: row 1 has a place for 4; "
        "r1c1 is 1; r1c2 is 2; r1c3 is 3; r4c4 is 4\n"
    )


def test_the_command_has_json_and_refuses_another_question(run: Runner) -> None:
    record: dict[str, Any] = json.loads(run("why", SEVERAL, "A3=3", "--json").out)
    assert (record["cell"], record["value"], record["verdict"]) == (
        "A3",
        3,
        "can be, and need not be",
    )
    assert len(record["solutions"]) == 2
    wrong = run("why", PROPER, "A2")
    assert wrong.code == 2
    assert wrong.err == "unidoku: expected CELL=VALUE, such as A4=5, got 'A2'\n"
    two = run("why", PROPER, "A2=2", "A3=4")
    assert two.code == 2
    assert two.err == "unidoku: expected one CELL=VALUE, the last argument, got 'A2=2' too\n"
