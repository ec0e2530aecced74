"""``unidoku check --setting``."""

from __future__ import annotations

import json

from tests.helpers.command_runner import Runner


def test_the_command_tells_it_in_lines_and_in_json(run: Runner) -> None:
    ran = run("check", "--setting", "12.. .... .... 21..")
    assert ran.code == 1
    assert "solutions: 8" in ran.out
    assert ran.out.endswith("    the units   288\n    the givens  8\n")
    result = json.loads(run("check", "--setting", "--json", "1... ..2. .3.. ...4").out)
    assert result["falls"][0] == {
        "with": "the units",
        "estimate": 288,
        "low": 288,
        "high": 288,
        "probes": 0,
    }
