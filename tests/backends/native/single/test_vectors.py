"""The compiled search is the same on processors with narrow vectors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.backends.native.boards import in_a_process

EXAMPLES = Path(__file__).parents[3] / "examples"

PROGRAM = """
import json
import sys
from dataclasses import replace
from pathlib import Path

from unidoku.backends.native.compiler import emitters, object_cache, processor

host = replace(processor.host(), vector_bits=min({bits}, processor.host().vector_bits))
emitters.host = object_cache.host = lambda: host
from unidoku.backends.native.single.function import SEARCH

type(SEARCH).compiled = lambda program, seconds=None: program.make()

import unidoku

solver = unidoku.load("native[engine=single]")
files = sorted(Path({examples!r}).glob("rules/*.toml"))
request = unidoku.Request(node_limit=2_000, solutions=50)
boards = [puzzle.board for file in files for puzzle in unidoku.read(file)]
results = [solver.search(board, request) for board in boards]
print(json.dumps([[one.count, one.statistics["nodes"]] for one in results]))
"""


@pytest.mark.soak
def test_narrow_vectors_need_as_many_nodes_as_wide_ones(tmp_path: Path) -> None:
    results = [
        json.loads(
            in_a_process(
                PROGRAM.format(bits=bits, examples=str(EXAMPLES)),
                UNIDOKU_CACHE=str(tmp_path / str(bits)),
            )
        )
        for bits in (128, 256, 512)
    ]
    assert results[0] == results[1] == results[2]
    assert sum(nodes for _, nodes in results[0]) > 300
