"""Clients that send the workbench messages at random, and see what becomes of it: a program.

    python -m tests.helpers.pestering SECONDS [--messages NUMBER] [--every SECONDS] [--seed NUMBER]

It ends after so many seconds or messages. A line each so many seconds: seconds, messages sent,
answers, of them errors, steps of the history, and resident memory of the server in MiB. The program
fails if a message gets no answer or ends the server, if the file is no puzzle file at the end, or
if any other file was written.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.helpers.serving import PATIENCE, Client, client, process
from unidoku.serve.document import content_of
from unidoku.serve.edits import EDITS
from unidoku.serve.protocol import COMMANDS

SLOW = frozenset({"backends", "compare", "links", "save"})
"""Commands that start processes, or write other files."""

BATCH = 20
"""Messages of a client before their answers are awaited."""

LONGEST = 0.2
"""Seconds of a question."""

RULES: tuple[dict[str, Any], ...] = (
    {"kind": "thermo", "line": "A1-A3"},
    {"kind": "killer", "cage": "B1 B2 C2", "total": 8},
    {"kind": "killer", "cage": "C3 C4"},
    {"kind": "renban", "line": "D1-D3"},
    {"kind": "difference", "pairs": ["A1 A2"], "by": 1},
)

GOOD: dict[str, tuple[Any, ...]] = {
    "cells": ([0], [3, 5, 7], [15]),
    "cell": (0, 9),
    "value": (0, 1, 2, 3, 4),
    "layer": ("given", "entry", "corner", "centre", "colours"),
    "index": (0, 1, 2),
    "size": (4, 4, 4, 6, 9),
    "number": (0, 1),
    "rule": RULES,
    "to": (0, 1, 2),
    "shape": ({"line": [0, 1, 2]}, {"cage": [4, 5]}, {"cage": [99]}),
    "cosmetic": ({"shape": "circle", "at": "A1"}, {"shape": "text", "at": "r0c3", "text": "x"}),
    "palette": ("usual", "safe"),
    "text": ("version = 1\nsize = 4\n", "1...............", "version = 1\nsize = 6\n# six\n"),
    "name": ("x", "", "Größe"),
    "form": ("true", "logical"),
    "keep": ("page", "disk"),
    "lines": ([[2, 2, 2, 4]], [[1, 1, 1, 3], [1, 3, 3, 3]], [[2, 2, 3, 3]], []),
    "kind": ("lamp", "count"),
    "variant": ("classic", "x", "latin"),
}
"""Values that fields often have."""

ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 7, 1e300, 2**70, "", "A1-A3", "\x00", "x" * 3000, [], {}, [[]], [0, -1]),
    *([None], {"kind": "killer"}, {"kind": 3}, [[0, 1], ["a"]], json.loads("[" * 200 + "]" * 200)),
)
"""Values that few fields may have."""


def message(rng: random.Random, nonce: int) -> str:
    """Return a message that is right, nearly right, or wrong; most are edits."""
    asked = EDITS if rng.random() < 0.7 else {*COMMANDS} - SLOW
    command = rng.choice(sorted(asked))
    table: dict[str, Any] = {"nonce": nonce, "command": command}
    for name in COMMANDS[command].kinds:
        if name == "time_limit":
            table[name] = LONGEST
        elif rng.random() < 0.9:
            table[name] = rng.choice(GOOD.get(name, ODD) if rng.random() < 0.9 else ODD)
    if rng.random() < 0.03:
        table[rng.choice(["command", "x", "cells", "Nonce"])] = rng.choice(ODD)
    return json.dumps(table)


def broken(rng: random.Random) -> str:
    """Return a message that is cut, or no request at all."""
    text = message(rng, 0)
    return rng.choice([text[: rng.randrange(len(text))], "null", "[]", '{"nonce": -1}', "{" * 999])


def pester(page: Client, rng: random.Random, count: int) -> list[dict[str, Any]]:
    """Send messages, and return their answers."""
    nonces = []
    for _ in range(count):
        nonces.append(page.next_nonce())
        page.socket.send(message(rng, nonces[-1]))
        if rng.random() < 0.05:
            page.socket.send(broken(rng))
    return [page.wait(nonce) for nonce in nonces]


def resident(pid: int) -> float:
    """Return the memory of a process in MiB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) / 256


def run(seconds: float, most: int, every: float, seed: int) -> None:
    """Pester a server."""
    rng = random.Random(seed)
    began, reported = time.monotonic(), 0.0
    sent = answers = errors = 0
    with TemporaryDirectory() as folder:
        path = Path(folder) / "four.toml"
        path.write_text("version = 1\nsize = 4\n")
        with process(path.name, folder=path.parent) as (server, address):
            with client(address) as first, client(address) as second:
                while sent < most and time.monotonic() - began < seconds:
                    page = rng.choice([first, second])
                    wrong = pester(page, rng, min(BATCH, most - sent))
                    sent, answers = sent + len(wrong), answers + len(wrong)
                    errors += sum("error" in answer for answer in wrong)
                    failed = [a for a in wrong if "failed:" in a.get("error", "")]
                    assert not failed, failed
                    page.parts.clear()
                    now = time.monotonic() - began
                    if now - reported >= every or now >= seconds or sent >= most:
                        reported = now
                        first.ask("open")
                        sys.stdout.write(
                            f"{now:6.0f} s {sent:8} sent {errors:8} errors "
                            f"{first.state['undo']:7} undo {resident(server.pid):7.1f} MiB\n"
                        )
                        sys.stdout.flush()
                first.ask("title", name="the end")
                end = time.monotonic() + PATIENCE
                while 'name = "the end"' not in path.read_text() and time.monotonic() < end:
                    first.ask("resolve", keep="page")
            assert server.poll() is None
        assert 'name = "the end"' in path.read_text()
        content_of(path.read_text())
        assert {entry.name for entry in path.parent.iterdir()} <= {path.name, ".cache"}


def main(arguments: list[str]) -> None:
    """Run the program."""
    parser = argparse.ArgumentParser(prog="python -m tests.helpers.pestering")
    parser.add_argument("seconds", type=float)
    parser.add_argument("--messages", type=int, default=10**9)
    parser.add_argument("--every", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    run(given.seconds, given.messages, given.every, given.seed)


if __name__ == "__main__":
    main(sys.argv[1:])
