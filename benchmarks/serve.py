"""Measure how soon the workbench answers: edits, the lamp, true candidates, hints.

Usage: python benchmarks/serve.py [--edits N]

Puzzles of examples/rules are edited as a person would: an entry is written or cleared. After each
edit, the answers are awaited one by one. All times are ratios to an empty round trip, which the
same connection makes at the same time, so that they say something about another machine too.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from websockets.sync.client import ClientConnection, connect

PUZZLES = ("killer", "thermo", "arrow", "whisper", "renban", "kropki", "sandwich", "xv", "kenken")

ASKED = ("lamp", "candidates", "hint")


def timed(socket: ClientConnection, command: str, **fields: object) -> float:
    """Return the seconds until the final answer to a request."""
    started = time.perf_counter()
    socket.send(json.dumps({"nonce": 1, "command": command, **fields}))
    while True:
        message = json.loads(socket.recv())
        if "event" not in message and not message.get("partial"):
            return time.perf_counter() - started


def measure(folder: Path, edits: int, found: dict[str, list[float]]) -> None:
    """Edit each puzzle, and add what it took."""
    rng = random.Random(1)
    rules = Path(__file__).parents[1] / "examples" / "rules"
    command = [sys.executable, "-m", "unidoku", "serve", "it.toml", "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder)
    assert server.stdout is not None
    address = server.stdout.readline().strip().replace("http", "ws").replace("/?", "/socket?")
    with connect(address, max_size=None, proxy=None) as socket:
        for name in PUZZLES:
            timed(socket, "text", text=(rules / f"{name}.toml").read_text(encoding="utf-8"))
            for question in ASKED:
                timed(socket, question)
            for _ in range(edits // len(PUZZLES)):
                found["empty round trip"].append(timed(socket, "cancel", kind="none"))
                cells, value = [rng.randrange(16)], rng.randint(0, 4)
                edit = timed(socket, "digits", cells=cells, value=value, layer="entry")
                found["edit"].append(edit)
                for question in ASKED:
                    found[question].append(timed(socket, question))
    server.terminate()
    server.wait()


def main(arguments: Sequence[str]) -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--edits", type=int, default=207)
    options = parser.parse_args(arguments)
    found: dict[str, list[float]] = defaultdict(list)
    with TemporaryDirectory() as folder:
        measure(Path(folder), options.edits, found)
    base = statistics.median(found["empty round trip"])
    print("| | median | 95 % |\n| --- | --- | --- |")
    for name, times in found.items():
        ordered = sorted(times)
        high = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
        print(f"| {name} | {statistics.median(times) / base:.1f} | {high / base:.1f} |")
    print(f"\nThe empty round trip took {1000 * base:.2f} ms in the median of {len(times)}.")


if __name__ == "__main__":
    main(sys.argv[1:])
