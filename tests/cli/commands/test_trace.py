"""unidoku trace: text, JSON and a page."""

from __future__ import annotations

import json

from tests.helpers.command_runner import Runner


def test_json_lists_the_nodes_with_their_parents(run: Runner) -> None:
    ran = run("trace", "1.....2..3......", "--backend", "native", "--solutions", "3", "--json")
    tree = json.loads(ran.out)
    assert [node["parent"] for node in tree["nodes"]] == [None, 0, 1, 1, 0]
    assert tree["nodes"][3]["guess"] == {"cell": "A3", "value": 3, "holds": False}
    assert (tree["count"], tree["stop"], tree["solutions"]) == (5, "solutions", 3)
