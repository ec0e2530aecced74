"""Findings of the fuzzer, as TOML that can be read back and as a test for pytest."""

from __future__ import annotations

import hashlib
import platform
import pprint
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from unidoku.comparison.run.views import symmetry_of
from unidoku.core.portable import board_from_table, table_of_board
from unidoku.errors import FormatError, InputError, reason
from unidoku.fuzzing.reduce import Boards
from unidoku.fuzzing.symptom import runs_of
from unidoku.support.schema import (
    TABLE,
    TEXT,
    WHOLE,
    YES_NO,
    Kind,
    above,
    listed_of,
    misfit,
    table_of,
    whole,
)
from unidoku.support.toml import parse_toml, toml_lines

IMAGE_SEED = 1
"""Seed of the symmetric images that are searched."""

_LONG = 80
"""Most characters of a label in a file's name."""

_ENDED = ("crashed", "timeout", "memory")
"""Kinds of findings in which the backend ends its process, or does not end at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A fault of a backend, with the smallest boards found that show it.

    Args:
        kind: kind of the fault; see `unidoku.fuzzing.symptom.Symptom`.
        backend: the label of the backend at fault.
        witnesses: labels of the other backends whose answers are needed to see the fault.
        evidence: the answers of the backends to the last board, in words.
        boards: the boards to search in this order; the last one shows the fault.
        solutions: the most solutions requested for each board; None for all.
        time_limit: seconds for each search.
        images: number of symmetric images of each board that are searched as well.
        digest: digest of the boards' canonical form; kind, backend and digest name the finding.
        reproduced: whether the fault showed again on backends that had searched nothing before. If
            not, the board is as it was found.
        seed: seed of the fuzzer.
        number: number of the trial.
        original: digest of the board on which it was found.
        versions: versions of Unidoku, Python and the backends.
    """

    kind: str
    backend: str
    witnesses: tuple[str, ...] = ()
    evidence: str
    boards: Boards
    solutions: int | None
    time_limit: float
    images: int = 0
    digest: str
    reproduced: bool = True
    seed: int
    number: int
    original: str
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str]:
        """Kind, backend and digest: findings with the same key are the same fault."""
        return self.kind, self.backend, self.digest

    @property
    def slug(self) -> str:
        """The name of its files, without a suffix."""
        label = self.backend
        if len(label) > _LONG:
            label = f"{label[:_LONG]}-{hashlib.sha256(label.encode()).hexdigest()[:8]}"
        return re.sub(r"[^A-Za-z0-9.-]+", "-", f"{self.kind}-{label}-{self.digest}")


def toml_of_finding(finding: Finding) -> str:
    """Return the finding as TOML.

    Raises:
        InputError: a board has a rule without a written form.
    """
    values = {each.name: getattr(finding, each.name) for each in fields(finding)}
    boards, versions = values.pop("boards"), values.pop("versions")
    request = {name: values.pop(name) for name in ("time_limit", "images", "solutions")}
    if request["solutions"] is None:
        del request["solutions"]
    lines = ["# What `unidoku fuzz` found: asked in this order, the last of the boards shows it."]
    lines += toml_lines(values)
    lines += ["", "[request]", *toml_lines(request)]
    lines += ["", "[versions]", *toml_lines(versions)]
    for board in boards:
        lines += ["", "[[boards]]", *toml_lines(table_of_board(board))]
    return "\n".join(lines) + "\n"


def finding_from_toml(text: str) -> Finding:
    """Return the finding that `toml_of_finding` wrote.

    Raises:
        FormatError: the text is something else; the message states what is missing.
    """
    try:
        table = parse_toml(text)
    except ValueError as error:
        raise FormatError(f"expected a finding of the fuzzer: {error}") from error
    wrong = misfit(table, _FINDING, _REQUIRED)
    if wrong := wrong or misfit(table["request"], _REQUEST, ("time_limit",)):
        raise FormatError(f"expected a finding of the fuzzer: {wrong}")
    request, boards = table.pop("request"), table.pop("boards")
    table["witnesses"] = tuple(table["witnesses"])
    if not boards:
        raise FormatError("expected a finding of the fuzzer: it has no [[boards]]")
    request.setdefault("solutions", None)
    return Finding(**table, **request, boards=tuple(map(board_from_table, boards)))


_FINDING: Mapping[str, Kind] = {
    **dict.fromkeys(("kind", "backend", "evidence", "digest", "original"), TEXT),
    "witnesses": listed_of(TEXT),
    "reproduced": YES_NO,
    "seed": WHOLE,
    "number": whole(0),
    "request": TABLE,
    "versions": table_of(TEXT),
    "boards": listed_of(TABLE),
}
"""The possible values of a finding's fields."""

_REQUIRED = _FINDING.keys() - {"reproduced", "versions"}

_REQUEST = {"time_limit": above(0), "images": whole(0), "solutions": whole(1)}
"""The possible values of its table ``request``."""


def read_finding(path: Path) -> Finding:
    """Read a finding from its file.

    Raises:
        FormatError: the file contains something else.
        InputError: the file cannot be read.
    """
    try:
        return finding_from_toml(path.read_text(encoding="utf-8"))
    except FormatError as error:
        raise error.of(str(path)) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {reason(error)}") from error


def versions_of(specs: Mapping[str, str | None]) -> dict[str, str]:
    """Return the versions for a finding; those of solvers, by label, where they are known."""
    import unidoku  # the package imports this module's neighbours; only its version is read

    known = {label: version for label, version in specs.items() if version}
    return {"unidoku": unidoku.__version__, "python": platform.python_version(), **known}


def pytest_of_finding(finding: Finding) -> str:
    """Return the text of a test module, which needs Unidoku and the backends only.

    A backend that ended its process, or did not end at all, runs in a subprocess of the test.
    """
    labels = list(dict.fromkeys((finding.backend, *finding.witnesses)))
    name = "".join(letter if letter.isalnum() else "_" for letter in finding.slug).lower()
    story = f"{finding.kind}, {finding.evidence}".replace("\\", "\\\\").replace('"', "'")
    ended = finding.kind in _ENDED
    head = _HEAD.format(
        story="\n".join(textwrap.wrap(story, 96)),
        number=finding.number,
        seed=finding.seed,
        imports=_MODULES if ended else "",
        more="from unidoku.parallel.processes import peak_bytes\n" if ended else "",
        labels=labels,
        request={"solutions": finding.solutions, "time_limit": finding.time_limit},
        boards=_literal([table_of_board(board) for board in finding.boards]),
        images=_literal(_images(finding)),
    )
    return head + (_ENDS if ended else _AGREES).format(name=name)


def _images(finding: Finding) -> list[list[list[list[int]]]]:
    """Return for each board the symmetries whose images of it are searched as well."""
    images = []
    for board in finding.boards:
        runs = runs_of([board], [finding.backend], finding.images)
        symmetries = [symmetry_of(run, IMAGE_SEED) for run in runs]
        images.append(
            [[list(image.cells), list(image.values)] for image in symmetries if image is not None]
        )
    return images


def _literal(value: Any) -> str:
    return pprint.pformat(value, width=96, compact=True, sort_dicts=False)


_HEAD = '''"""Found by unidoku fuzz, seed {seed}, number {number}.

{story}
"""

{imports}from unidoku import load
from unidoku.core.portable import board_from_table
from unidoku.core.symmetry import Symmetry
{more}
BACKENDS = {labels!r}
REQUEST = {request!r}
BOARDS = {boards}
IMAGES = {images}
"""For each board, the symmetric copies that are searched too: moves of cells and values."""
'''


_AGREES = '''

def answers():
    """Return the answers of each backend to the last board, and to its images."""
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

_MODULES = """import os
import subprocess
import sys
import time

"""

_ENDS = '''MOST_MEGABYTES = 2000


def ask():
    """Ask the backends, as the test does in a subprocess."""
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
    used = peak_bytes() / 1e6
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
