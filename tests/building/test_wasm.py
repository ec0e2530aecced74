"""The search as WebAssembly finds in node what it finds here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import unidoku
from building.library import TOOLS
from tests.helpers.programs import require

pytestmark = pytest.mark.thorough

BOARDS = [
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "1.......5.9.2...4...3...7...8.9.6.......5.......84..9...5...3...6...4.2.7.......1",
    "11" + "." * 79,
    "." * 81,
]

PROGRAM = """
const [folder, boards] = process.argv.slice(1);
const { Unidoku } = require(`${folder}/unidoku.js`);
require(`${folder}/unidoku-data.js`);
Unidoku.load(UNIDOKU_DATA).then((solver) => {
  const found = JSON.parse(boards).map((board) => solver.solve(board, { limit: 5 }));
  let error = "";
  try { solver.solve("123"); } catch (thrown) { error = thrown.message; }
  console.log(JSON.stringify({ found, error }));
});
"""


def test_node_finds_the_same_solutions_with_the_same_nodes(root: Path, tmp_path: Path) -> None:
    require(["nodejs"])
    for tool in TOOLS:
        pytest.importorskip(tool)
    build = [sys.executable, "-m", "building.wasm", str(tmp_path)]
    subprocess.run(build, cwd=root, check=True, capture_output=True)
    command = ["nodejs", "-e", PROGRAM, str(tmp_path), json.dumps(BOARDS)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    assert answer["error"] == "expected 81 cells, got 3"
    single = unidoku.load("native[engine=single]")
    for board, counted in zip(BOARDS, answer["found"], strict=True):
        expected = single.solve(board, solutions=5)
        assert counted["count"] == expected.count
        assert counted["nodes"] == expected.statistics["nodes"]
        assert [tuple(grid) for grid in counted["solutions"]] == list(expected.solutions)
        assert counted["decided"]
