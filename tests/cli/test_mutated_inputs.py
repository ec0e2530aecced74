"""Whatever is in a file, it is read, or refused in one line: soon, and in little memory."""

from __future__ import annotations

import gzip
import io
import json
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.command_runner import Ran, Runner
from tests.helpers.mutations import mutated
from tests.helpers.neutral_meanings import MEANINGS, table
from tests.helpers.volume import SOAK, volume
from unidoku import compare, read
from unidoku.comparison.config import read_plan
from unidoku.errors import UnidokuError
from unidoku.files.examples import comparison_file, find_example
from unidoku.formats.toml.file import write_json
from unidoku.fuzzing.finding import Finding, read_finding, toml_of_finding
from unidoku.parallel.processes import peak_bytes

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.volume,
    pytest.mark.timeout(3600),
    pytest.mark.filterwarnings("default"),  # a command prints them
]

MOST_SECONDS = 2.0
"""Of processor time, for one input."""

MOST_MEMORY = 500 << 20
"""Bytes, more than before the first input."""

TOTALS = re.compile(r"[\d,]+ boards?: .*invalid")
"""The last line of a command that went on after boards that were wrong."""

SOLVE = ("solve", "{file}", "--backend", "native[engine=python]", "--time-limit", "0.2")

PLAN = """\
backends = ["native", "norvig"]
repeats = 2
time_limit = 0.5
memory_limit = 512
seed = 7

[[puzzles]]
files = ["boards.txt"]
variant = "classic"

[[puzzles]]
examples = ["practice"]
"""

SETTINGS = """\
backend = "native[engine=python]"
time_limit = 3.5

[backends.cp-sat]
num_workers = 1
"""


@dataclass(frozen=True)
class Surface:
    """A kind of input, and what reads it.

    Args:
        name: name of the file.
        inputs: how many are tried in ``make test``; 100,000 of all kinds in ``make soak``.
        read: a command, whose ``{file}`` and ``{out}`` stand for paths; or a function.
        pack: what is done to the input after it was changed.
    """

    name: str
    inputs: int
    read: Sequence[str] | Callable[[Path], object]
    pack: Callable[[bytes], bytes] = bytes


SURFACES = {
    "lines": Surface("boards.txt", 150, (*SOLVE, "--output", "{out}.txt")),
    "shown": Surface("boards.txt", 100, SOLVE),
    "blocks": Surface("block.txt", 150, ("check", "{file}", "--time-limit", "0.2")),
    "jigsaw": Surface("jigsaw.txt", 75, ("check", "{file}", "--variant", "jigsaw")),
    "csv": Surface("boards.csv", 150, (*SOLVE, "--output", "{out}.csv")),
    "npy": Surface("boards.npy", 150, (*SOLVE, "--output", "{out}.npy")),
    "gzip": Surface("boards.txt.gz", 75, (*SOLVE, "--output", "{out}.txt")),
    "packed": Surface("boards.csv.gz", 50, (*SOLVE, "--output", "{out}.csv"), gzip.compress),
    "settings": Surface("unidoku.toml", 150, ("config",)),
    "plan": Surface("plan.toml", 120, read_plan),
    "finding": Surface("finding.toml", 75, read_finding),
    "puzzles": Surface("puzzles.toml", 150, read),
    "puzzles in JSON": Surface("puzzles.json", 100, read),
    "neutral": Surface("neutral.jsonl", 150, ("count", "{file}", "--limit", "2")),
    "journal": Surface("runs.jsonl", 75, ("report", "{file}")),
}


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[bytes]]:
    """Right inputs of each kind."""
    practice = [puzzle.board for puzzle in find_example("practice").puzzles()][:6]
    lines = "".join(board.text("line") + "\n" for board in practice).encode()
    columns = [f"{k},{board.text('line')}" for k, board in enumerate(practice)]
    array = io.BytesIO()
    np.save(array, np.array([board.givens for board in practice], np.uint8))
    folder = tmp_path_factory.mktemp("journals")
    for name, seed in (("a", 1), ("b", 2)):
        compare(
            practice[:2], ["native", "norvig"], repeats=2, sample_ms=0.0, seed=seed,
            output=folder / name,
        )  # fmt: skip
    finding = Finding(
        kind="count",
        backend="norvig",
        evidence="it counts 2",
        boards=(practice[0],),
        solutions=2,
        time_limit=1.0,
        digest="0",
        seed=1,
        number=1,
        original="0",
    )
    rules = sorted(comparison_file().parent.glob("rules/*.toml"))
    unique = dict.fromkeys(result["kind"] for result, _ in MEANINGS)
    neutral = "".join(
        json.dumps(table(next(result for result, _ in MEANINGS if result["kind"] == kind))) + "\n"
        for kind in unique
    ).encode()
    texts = [lines, lines.replace(b"0", b"."), b"# boards\n" + lines, lines[:82]]
    return {
        "lines": texts,
        "shown": texts,
        "packed": [lines],
        "blocks": [practice[0].text("framed").encode(), practice[1].text("candidates").encode()],
        "jigsaw": [find_example("jigsaw").path.read_bytes()],
        "csv": [
            ("quizzes\n" + "\n".join(column.partition(",")[2] for column in columns)).encode(),
            ("id,puzzle\n" + "\n".join(columns)).encode(),
            ('id;"a puzzle"\n' + "\n".join(columns).replace(",", ";")).encode(),
        ],
        "npy": [array.getvalue()],
        "gzip": [gzip.compress(lines), gzip.compress(lines[:82])],
        "settings": [SETTINGS.encode()],
        "plan": [PLAN.encode()],
        "finding": [toml_of_finding(finding).encode()],
        "puzzles": [path.read_bytes() for path in rules],
        "puzzles in JSON": [write_json(read(path)).text.encode() for path in rules],
        "neutral": [neutral],
        "journal": [(folder / name).read_bytes() for name in "ab"],
    }


def refused(run: Runner, surface: Surface, file: Path, out: Path) -> Ran:
    """Have the file read; return what was said, as by a command."""
    if callable(surface.read):
        try:
            surface.read(file)
        except UnidokuError as error:
            return Ran(2, ("", f"unidoku: {error}\n"))
        return Ran(0, ("", ""))
    return run(*(word.format(file=file, out=out) for word in surface.read))


@pytest.mark.parametrize("kind", SURFACES)
def test_whatever_is_in_a_file_is_read_or_refused_in_one_line(
    run: Runner,
    right: Mapping[str, list[bytes]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    surface, order = SURFACES[kind], random.Random(f"{kind} {SOAK}")
    file, answers = tmp_path / surface.name, tmp_path / "answers"
    before = peak_bytes()
    for number in range(volume(surface.inputs) * (4 if SOAK else 1)):
        data = mutated(order.choice(right[kind]), right[kind], order)
        file.write_bytes(surface.pack(data))
        began = time.process_time()
        ran = refused(run, surface, file, answers)
        seconds = time.process_time() - began
        errors = f"input {number} of {kind}: {data[:300]!r}\n{ran.err}"
        assert ran.code in (0, 1, 2), errors
        assert "Traceback" not in ran.err, errors
        assert ran.code != 2 or is_told(ran.err), errors
        assert seconds < MOST_SECONDS, errors
        for left in tmp_path.glob("answers*"):
            left.unlink()
    assert peak_bytes() - before < MOST_MEMORY


def is_told(text: str) -> bool:
    """Return whether a command said why it refused its input, in one line for each board."""
    lines = [line for line in text.splitlines() if not line.startswith("unidoku: warning: ")]
    boards = len(lines) > 1 and TOTALS.match(lines[-1])
    result = lines[:-1] if boards else lines
    return bool(result) and all(line.startswith("unidoku: ") for line in result)


def test_right_inputs_are_not_refused(
    run: Runner, right: Mapping[str, list[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for kind, surface in SURFACES.items():
        file = tmp_path / surface.name
        for data in right[kind]:
            file.write_bytes(surface.pack(data))
            assert refused(run, surface, file, tmp_path / f"out {kind}").code == 0, (
                kind,
                data[:99],
            )
            for left in tmp_path.glob("out*"):
                left.unlink()
