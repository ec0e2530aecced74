"""Rangsk's protocol: f-puzzles, with its userscript, asks this server as it asks SudokuSolver.

The userscript connects to port 4545 of this machine. Each message has the whole puzzle, so that
nothing is kept here; a message cancels the one before it on the same connection. The page's origin
takes the place of a token, and nothing but the commands of this module is served.

Source: WebsocketListener.cs and Fpuzzles-SudokuSolver.user.js of
https://github.com/dclamage/SudokuSolver.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from statistics import fmean, stdev
from typing import Any, TypeAlias

from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from unidoku.analysis.candidate_counts import candidate_counts
from unidoku.analysis.estimate import sampled_counts
from unidoku.backends.base import Stop
from unidoku.core.bits import mask_of, values_of
from unidoku.core.board import Board
from unidoku.core.propagation.propagate import propagate
from unidoku.errors import Cancelled, FormatError, UnidokuError
from unidoku.formats.draft import json_object, whole_number
from unidoku.formats.fpuzzles.format import FORM, payload_of, puzzle_from_fpuzzles
from unidoku.formats.lzstring import decompressed
from unidoku.logic import State, Step, Technique, usual
from unidoku.logic.walkthrough import beginning, steps_from
from unidoku.serve.answering import solver
from unidoku.serve.app import guarded
from unidoku.serve.describing import reason
from unidoku.serve.protocol import LARGEST
from unidoku.support.cancel import in_thread
from unidoku.support.deadline import Deadline

_LOG = logging.getLogger(__name__)

PORT = 4545
"""Where the userscript looks for a solver."""

ORIGIN = re.compile(r"https://([a-z0-9-]+\.)?f-puzzles\.com")

_SECONDS = 600.0
"""Time limit of a question: a page that is left open does not search for ever."""

_COUNTED = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
"""Numbers of solutions after which a count is reported."""

_BATCH = 10
"""Samples between two reports of an estimate."""

_NONE = "No solutions found."

_LOGIC: Mapping[str, frozenset[str]] = {
    "tuples": frozenset({"subsets"}),
    "pointing": frozenset({"intersections"}),
    "fishes": frozenset({"fish"}),
    "wings": frozenset({"wings"}),
    "aic": frozenset({"turbot", "relation chain", "colouring", "chains", "set_loops"}),
    "contradictions": frozenset({"reasoning", "forcing"}),
}
"""What SudokuSolver can leave out, and our techniques of that sort, most by their families."""

Message: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Query:
    """A puzzle that was sent.

    Args:
        puzzle: the board with its givens only.
        board: the same with what the player wrote: values, and marks in the middle of cells.
        marks: for each cell the values that the player wrote; 0 if none.
        most: the number up to which solutions with a candidate are counted.
        logical: whether candidates that logic leaves are told too.
        techniques: those that a path of steps may use.
    """

    puzzle: Board
    board: Board
    marks: tuple[int, ...]
    most: int
    logical: bool
    techniques: tuple[Technique, ...]


def read(data: str) -> Query:
    """Return the query of a payload: LZ-string in base64.

    Raises:
        FormatError: it is no puzzle of f-puzzles, or has a rule that is not known here.
    """
    table = json_object(decompressed(payload_of(data)), FORM)
    puzzle = puzzle_from_fpuzzles(table)
    unknown = [w for w in puzzle.losses.dropped if re.match(r"(unknown key|negative) '\S+'", w)]
    if unknown := [words for words in unknown if " of " not in words]:
        raise FormatError(f"the puzzle has a rule that is not known here: {unknown[0]}")
    board = puzzle.board
    entries = [entry or {} for row in table["grid"] for entry in row]
    marks = tuple(_written(entry, board.layout.n) for entry in entries)
    masks = tuple(
        mask & written if written else mask
        for mask, written in zip(board.candidates, marks, strict=True)
    )
    words = _words(table, "truecandidatesoptions")
    left_out = [word for word in _words(table, "disabledlogic") if word in _LOGIC]
    numbers = [int(n[1]) for w in words if (n := re.fullmatch(r"[a-z]+solutions=(\d{1,4})", w))]
    most = min(max([*numbers, 8 if "colored" in words else 1]), 1000)
    without = frozenset().union(*(_LOGIC[word] for word in left_out))
    techniques = tuple(row for row in usual() if without.isdisjoint((row.family, row.name)))
    entered = Board(board.layout, masks)
    return Query(board, entered, marks, most, "logical" in words, techniques)


def _words(table: Mapping[str, Any], key: str) -> list[str]:
    """Return the words of a setting, in lower case."""
    words = table.get(key)
    return [w.lower() for w in words if isinstance(w, str)] if isinstance(words, list) else []


def _written(entry: Mapping[str, Any], n: int) -> int:
    value = whole_number(entry.get("value"))
    marks = entry.get("centerPencilMarks")
    written = [value] if value else [*map(whole_number, marks)] if isinstance(marks, list) else []
    return mask_of(v for v in written if v and 1 <= v <= n)


def _invalid(message: str = _NONE) -> Message:
    return {"type": "invalid", "message": message}


def _true_candidates(query: Query) -> Iterator[Message]:
    result = candidate_counts(
        query.puzzle, most=query.most, backend=solver(), time_limit=_SECONDS
    ).counts
    if not any(map(any, result)):
        yield _invalid()
        return
    propagated = propagate(query.puzzle) if query.logical else None
    counts = [
        count or -(propagated is not None and propagated.candidates[cell] >> value & 1)
        for cell, row in enumerate(result)
        for value, count in enumerate(row)
    ]
    yield {"type": "truecandidates", "solutionsPerCandidate": [*map(int, counts)]}


def _solve(query: Query) -> Iterator[Message]:
    seed = random.randrange(1 << 30)
    result = solver().solve(query.puzzle, solutions=1, seed=seed, time_limit=_SECONDS)
    if not result.solutions:
        yield _invalid(_NONE if result.stop is Stop.EXHAUSTED else "Not solved in time.")
    else:
        yield {"type": "solved", "solution": [*result.solutions[0]]}


def _check(query: Query) -> Iterator[Message]:
    result = solver().solve(query.puzzle, solutions=2, keep=0, time_limit=_SECONDS)
    if result.count < 2 and not result.stop.answered:
        yield _invalid("Not decided in time.")
    else:
        yield {"type": "count", "count": result.count, "inProgress": False}


def _count(query: Query) -> Iterator[Message]:
    deadline = Deadline(_SECONDS)
    for most in (*_COUNTED, None):
        limit = deadline.limit
        result = solver().solve(query.puzzle, solutions=most, keep=0, time_limit=limit)
        is_all = result.stop is Stop.EXHAUSTED
        yield {"type": "count", "count": result.count, "inProgress": not is_all}
        if is_all:
            return
    yield _invalid(f"At least {result.count:,} solutions; stopped after {_SECONDS:.0f} s.")


def _estimate(query: Query) -> Iterator[Message]:
    samples: list[float] = []
    for sample in sampled_counts(query.board, backend=solver(), deadline=Deadline(_SECONDS)):
        samples.append(sample)
        if len(samples) % _BATCH == 0:
            yield _estimated(samples)
    if len(samples) == 1:  # all were counted
        yield _estimated(samples)


def _estimated(samples: Sequence[float]) -> Message:
    mean = fmean(samples)
    error = stdev(samples) / len(samples) ** 0.5 if len(samples) > 1 else 0.0
    half = 1.96 * error
    numbers = {
        "estimate": mean,
        "stderr": error,
        "ci95_lower": mean - half,
        "ci95_upper": mean + half,
        "relErrPercent": 100 * half / mean if mean else 0.0,
    }
    # JSON has no infinity; the userscript shows a word as it is.
    words = {name: n if isfinite(n) else f"{n}" for name, n in numbers.items()}
    return {"type": "estimate", "iterations": len(samples), **words}


def _path(query: Query) -> Iterator[Message]:
    state = _start(query)
    steps: list[Step] = []
    if solver().solve(query.board, solutions=1, keep=0, time_limit=_SECONDS).count:
        for step, after in steps_from(state, query.techniques):
            steps.append(step)
            state = after
        yield _logical(state, [step.sentence for step in steps] or ["No logical steps found."])
    else:
        yield _logical(state, ["Board is invalid!"], valid=False)


def _step(query: Query) -> Iterator[Message]:
    state = _start(query)
    size = len(query.board.layout)
    full = query.puzzle.givens
    if any(query.marks[c] != state.candidates[c] for c in range(size) if not full[c]):
        yield _logical(state, ["Initial candidates."])
        return
    for step, after in steps_from(state, query.techniques):
        yield _logical(after, [step.sentence])
        return
    yield _logical(state, ["No logical steps found."])


def _start(query: Query) -> State:
    """Return what logic begins with, marks included."""
    return beginning(query.board, query.techniques, None, Deadline(_SECONDS))[0]


def _logical(state: State, lines: Sequence[str], *, valid: bool = True) -> Message:
    size = len(state.board.layout)
    placed = [state.grid[cell] if state.placed >> cell & 1 else 0 for cell in range(size)]
    cells = [
        {"value": value}
        if value
        else {"value": 0, "candidates": [*values_of(state.candidates[cell])]}
        for cell, value in enumerate(placed)
    ]
    message = "".join(f"{line}\n" for line in lines)
    return {"type": "logical", "cells": cells, "message": message, "isValid": valid}


COMMANDS: Mapping[str, Callable[[Query], Iterator[Message]]] = {
    "truecandidates": _true_candidates,
    "solve": _solve,
    "check": _check,
    "count": _count,
    "estimate": _estimate,
    "solvepath": _path,
    "step": _step,
}
"""What is asked, by the name of the command; each yields its answers, the final one last."""


def application(port: int = PORT) -> ASGIApp:
    """Return the application that f-puzzles asks on a port of this machine."""

    async def socket(websocket: WebSocket) -> None:
        if not ORIGIN.fullmatch(websocket.headers.get("origin", "")):
            await websocket.close()  # before it is accepted: the answer is 403
            return
        await websocket.accept()
        await _talk(websocket)

    hosts = {f"{name}:{port}" for name in ("localhost", "127.0.0.1")}
    return guarded(Starlette(routes=[WebSocketRoute("/", socket)]), hosts)


async def _talk(websocket: WebSocket) -> None:
    """Answer a connection until it ends."""
    running: asyncio.Task[None] | None = None
    try:
        while True:
            text = await websocket.receive_text()
            if running is not None:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
            running = asyncio.create_task(_obey(websocket, text[: LARGEST + 1]))
    except (WebSocketDisconnect, KeyError, RuntimeError):  # it is gone, or sent bytes
        pass
    finally:
        if running is not None:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


async def _obey(websocket: WebSocket, text: str) -> None:
    """Answer a message."""
    loop = asyncio.get_running_loop()
    nonce = 0
    is_answered = False

    async def send(message: Mapping[str, Any]) -> None:
        await websocket.send_text(json.dumps({"nonce": nonce, **message}, allow_nan=False))

    def report(message: Message) -> None:
        nonlocal is_answered
        is_answered = message["type"] != "estimate" and not message.get("inProgress")
        asyncio.run_coroutine_threadsafe(send(message), loop).result()

    def work(command: str, data: str) -> None:
        for message in COMMANDS[command](read(data)):
            report(message)

    try:
        table = json_object(text, "Rangsk's protocol")
        nonce = whole_number(table.get("nonce")) or 0
        command, data = table.get("command"), table.get("data")
        if command == "cancel":
            await send({"type": "canceled"})
        elif not isinstance(command, str) or command not in COMMANDS:
            await send(_invalid(f"expected one of {', '.join(COMMANDS)}"))
        elif table.get("dataType") != "fpuzzles" or not isinstance(data, str):
            await send(_invalid("expected data of the type fpuzzles"))
        else:
            await in_thread(work, command, data)
    except (asyncio.CancelledError, Cancelled):
        if not is_answered:
            await send({"type": "canceled"})
    except UnidokuError as error:
        await send(_invalid(reason(error)))
    except Exception as error:  # noqa: BLE001 - a mistake of ours, which is logged and answered
        _LOG.error("f-puzzles' question failed", exc_info=error)
        await send(_invalid(f"failed: {type(error).__name__}: {error}"))
