"""The pytest file of a finding: it fails as long as the backend is at fault."""

from __future__ import annotations

import pprint
import textwrap
from typing import Any

from unidoku.comparison.run import symmetry_of
from unidoku.core.portable import table_of_board
from unidoku.fuzzing.finding import Finding
from unidoku.fuzzing.symptom import runs_of

__all__ = ["IMAGE_SEED", "pytest_of_finding"]

IMAGE_SEED = 1
"""Of the symmetric images: those that the fuzzer's engines make."""

_ENDED = ("crashed", "timeout", "memory")


def pytest_of_finding(finding: Finding) -> str:
    """Return the text of a test module, which needs Unidoku and the backends only.

    A backend that ended its process, or did not end at all, is asked in a process of its own.
    """
    labels = list(dict.fromkeys((finding.backend, *finding.witnesses)))
    name = "".join(letter if letter.isalnum() else "_" for letter in finding.slug).lower()
    story = f"{finding.kind}, {finding.evidence}".replace("\\", "\\\\").replace('"', "'")
    template = _ENDS if finding.kind in _ENDED else _AGREES
    head = _HEAD.format(
        story="\n".join(textwrap.wrap(story, 96)),
        number=finding.number,
        seed=finding.seed,
        imports=_IMPORTS_ENDS if finding.kind in _ENDED else _IMPORTS_AGREES,
        labels=labels,
        request={"solutions": finding.solutions, "time_limit": finding.time_limit},
        boards=_literal([table_of_board(board) for board in finding.boards]),
        images=_literal(_images(finding)),
    )
    return head + template.format(name=name)


def _images(finding: Finding) -> list[list[list[list[int]]]]:
    """Return for each board the symmetries under which it is asked as well."""
    images = []
    for board in finding.boards:
        runs = runs_of([board], [finding.backend], finding.images, 1)
        found = [symmetry_of(run, IMAGE_SEED) for run in runs]
        images.append([[list(one.cells), list(one.values)] for one in found if one is not None])
    return images


def _literal(value: Any) -> str:
    return pprint.pformat(value, width=96, compact=True, sort_dicts=False)


_HEAD = '''"""Found by unidoku fuzz, seed {seed}, number {number}.

{story}
"""

{imports}

BACKENDS = {labels!r}
REQUEST = {request!r}
BOARDS = {boards}
IMAGES = {images}
"""Of each board, the symmetries under which it is asked as well: moves of cells and values."""
'''

_IMPORTS_AGREES = """from unidoku import load
from unidoku.core.portable import board_from_table
from unidoku.core.symmetry import Symmetry"""

_AGREES = '''

def answers():
    """Return what each backend says of the last board, and of its images."""
    for label in BACKENDS:
        solver = load(label)
        for table, moves in zip(BOARDS, IMAGES, strict=True):
            board = board_from_table(table)
            results = [(label, solver.solve(board, **REQUEST), lambda grid: grid)]
            for cells, values in moves:
                image = Symmetry(tuple(cells), tuple(values))
                result = solver.solve(image.board(board), **REQUEST)
                results.append((label, result, image.inverse.grid))
        yield from results


def test_{name}():
    said = list(answers())
    known = {{back(grid) for _, result, back in said for grid in result.solutions}}
    for label, result, _ in said:
        if result.stop.value == "exhausted":
            assert result.count == len(known), f"{{label}} found {{result.count}} of {{len(known)}}"
'''

_IMPORTS_ENDS = """import os
import resource
import subprocess
import sys
import time

from unidoku import load
from unidoku.core.portable import board_from_table
from unidoku.core.symmetry import Symmetry"""

_ENDS = '''MOST_MEGABYTES = 2000


def ask():
    """Ask the backends, as the test does in a process of its own."""
    for label in BACKENDS:
        solver = load(label)
        for table, moves in zip(BOARDS, IMAGES, strict=True):
            board = board_from_table(table)
            images = [Symmetry(tuple(cells), tuple(values)).board(board) for cells, values in moves]
            for asked in [board, *images]:
                started = time.monotonic()
                solver.solve(asked, **REQUEST)
                seconds = time.monotonic() - started
                assert seconds < 1.1 * REQUEST["time_limit"] + 1, f"{{label}} took {{seconds}} s"
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert used < MOST_MEGABYTES, f"{{used}} MB used"


def test_{name}():
    path = os.pathsep.join(part or os.getcwd() for part in sys.path)
    subprocess.run(
        [sys.executable, __file__],
        check=True,
        timeout=30 + 10 * REQUEST["time_limit"],
        env={{**os.environ, "PYTHONPATH": path}},
    )


if __name__ == "__main__":
    ask()
'''
