"""Commands show the values that people write."""

from __future__ import annotations

import json
from pathlib import Path

from tests.helpers.command_runner import Runner

TAKUZU = """
version = 1
size = 2
first_value = 0
shape = [2, 4]
givens = '''
01..
...0'''
rules = [
    { kind = "sum", summed = "A1-A4", total = 2 },
    { kind = "sum", summed = "B1-B4", total = 2 },
]
candidates = { B1 = [0] }
"""


def test_zeros_and_ones_come_in_and_out_of_every_command(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "takuzu.toml"
    path.write_text(TAKUZU)
    text = "".join(run("solve", str(path)).out.split())
    assert text in ("01010110", "01100110")
    found = json.loads(run("solve", str(path), "--json").out)
    assert {*found["solutions"][0]} == {0, 1}
    assert found["first_value"] == 0
    assert "A3 (0 or 1)" in run("check", str(path)).out + run("check", str(path)).err
