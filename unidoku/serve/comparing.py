"""Comparisons that the page starts: on this board, pasted ones or generated ones, shown live."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from unidoku.backends import BUILT_IN, catalogue
from unidoku.backends.reach import refuse_beyond_catalogue
from unidoku.comparison import Comparison
from unidoku.comparison.cases import PuzzleSource
from unidoku.comparison.config import ComparisonPlan, read_plan
from unidoku.comparison.journal import merged
from unidoku.comparison.record import Record
from unidoku.comparison.report.html import html
from unidoku.comparison.report.words import broken, sentence, tone
from unidoku.comparison.session import RunOptions, carry_out, comparison_of
from unidoku.files.examples import comparison_file
from unidoku.formats import Puzzle
from unidoku.formats.toml.file import write_json
from unidoku.generation import generate
from unidoku.parallel.killable import confinable
from unidoku.serve.answering import Answer, Report
from unidoku.serve.describing import puzzle_of
from unidoku.serve.files import checked_name
from unidoku.serve.pasting import read_pasted
from unidoku.serve.protocol import Request
from unidoku.serve.workbench import Workbench
from unidoku.support.atomic_write import write_text
from unidoku.support.cancel import Cancel
from unidoku.support.deadline import check_time_limit
from unidoku.support.memory_limit import KEEPS_MEMORY_LIMITS
from unidoku.support.table import to_html
from unidoku.support.toml import toml_lines

_PAUSE = 0.25
"""Seconds between two reports of a comparison at least."""

_MOST_SEEDS = 1_000_000


def backends(workbench: Workbench, request: Request, report: Report) -> Answer:
    """Answer with the backends of the catalogue, and which of them are installed."""
    rows = [spec for spec in catalogue().values() if spec.name in BUILT_IN]
    return {
        "backends": [
            {"name": spec.name, "about": spec.summary, "missing": [*spec.missing]} for spec in rows
        ]
    }


def compare(workbench: Workbench, request: Request, report: Report) -> Answer:
    """Compare backends; the runs are reported while they come, and at last the page of all."""
    plan = _plan(workbench, request.fields)
    if name := request.fields.get("save"):
        _save(workbench, plan, name, request.fields["boards"])
    latest: list[Comparison] = []
    reported = time.perf_counter()

    def watch(comparison: Comparison, record: Record) -> None:
        nonlocal reported
        latest[:] = [comparison]
        check_time_limit()  # raises once the comparison is cancelled
        if time.perf_counter() - reported >= _PAUSE:
            report(_so_far(comparison))
            reported = time.perf_counter()

    try:
        latest[:] = [carry_out(plan, RunOptions(), watch)]
    finally:
        answer: Answer = {}
        for comparison in latest:
            page = html(comparison.results, comparison.verdict(), title="Second opinion")
            answer = {**_so_far(comparison), "page": workbench.keep_page(page)}
            report(answer)
    return answer


@confinable()
def page_of_journal(
    content: bytes,
    *,
    time_limit: float | None = None,
    cancel: Cancel | None = None,
    untrusted: bool = False,
    memory_limit: int | None = None,
) -> str:
    """Return the page of a journal that ``unidoku compare`` wrote.

    The limits of a confined process are those of `unidoku.solve`.

    Raises:
        UnidokuError: it is no journal.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        path.write_bytes(content)
        comparison = comparison_of(*merged([path]))
    return html(comparison.results, comparison.verdict(), title="Journal")


def _so_far(comparison: Comparison) -> Answer:
    verdict, results = comparison.verdict(), comparison.results
    return {
        "done": comparison.done,
        "total": comparison.total,
        "tone": tone(verdict),
        "sentence": sentence(verdict),
        "broken": broken(results),
        "blame": [str(disagreement) for disagreement in verdict.disagreements[:10]],
        "tables": [to_html(table) for table in comparison.tables()[:1]],
    }


def _plan(workbench: Workbench, fields: Mapping[str, Any]) -> ComparisonPlan:
    """Return the plan that a message asks for.

    Raises:
        InputError: a backend is not one of the catalogue, or there are no boards.
    """
    labels = tuple(fields["backends"])
    for label in labels:
        refuse_beyond_catalogue(label)
    boards = _boards(workbench, fields)
    return read_plan(comparison_file()).changed(
        backends=labels,
        puzzles=(PuzzleSource(boards=tuple(boards)),),
        folder=Path(),
        repeats=fields.get("repeats", 3),
        solutions=fields.get("solutions", 2),
        time_limit=float(fields.get("seconds", 5)),
        memory_limit=fields.get("memory", 2048 if KEEPS_MEMORY_LIMITS else 0),
    )


def _boards(workbench: Workbench, fields: Mapping[str, Any]) -> list[Puzzle]:
    state = workbench.state
    match fields["boards"]:
        case "text":
            return read_pasted(fields.get("text", ""), untrusted=KEEPS_MEMORY_LIMITS)
        case "generated":
            request = {"n": state.content.layout.n, "count": fields.get("count", 10)}
            generated = generate(**request, seed=time.time_ns() % _MOST_SEEDS)
            return [
                Puzzle(board, f"{number}", 1) for number, board in enumerate(generated, start=1)
            ]
    puzzle = puzzle_of(state)
    return [replace(puzzle, name=puzzle.name or "this board")]


def _save(workbench: Workbench, plan: ComparisonPlan, name: str, boards: str) -> None:
    """Write the comparison as a file for ``unidoku compare``, with its boards beside it.

    Raises:
        OutputError: a file of that name exists.
    """
    file = workbench.folder / checked_name(name)
    state, document = workbench.state, workbench.file
    is_readable = not state.ignored and not state.content.unknown
    if boards == "this" and document is not None and is_readable:
        puzzles = document.path.name
    else:
        puzzles = f"{file.stem}-boards.json"
        text = write_json([board for source in plan.puzzles for board in source.boards]).text
        write_text(workbench.folder / puzzles, f"{text}\n")
    table = {
        "backends": [*plan.backends],
        "repeats": plan.repeats,
        "solutions": plan.solutions,
        "time_limit": plan.time_limit,
        "memory_limit": plan.memory_limit,
    }
    lines = [*toml_lines(table), "", "[[puzzles]]", *toml_lines({"files": [puzzles]}), ""]
    write_text(file, "\n".join(lines))


JOBS = {"backends": backends, "compare": compare}
"""What the page asks about comparisons, by the name of the command."""
