"""unidoku trace: text, JSON and a page."""

from __future__ import annotations

import json

from tests.helpers.command_runner import Runner


def test_json_lists_the_nodes_with_their_parents(run: Runner) -> None:
    ran = run("trace", "1.....2..3......", "--backend", "native", "--solutions", "3", "--json")
    found = json.loads(ran.out)
    assert [node["parent"] for node in found["nodes"]] == [None, 0, 1, 1, 0]
    assert found["nodes"][3]["guess"] == {"cell": "A3", "value": 3, "holds": False}
    assert (found["count"], found["stop"], found["solutions"]) == (5, "solutions", 3)
