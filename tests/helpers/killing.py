"""Processes of a command that are killed or stopped from outside: a program that says what is lost.

    python -m tests.helpers.killing ROUNDS [COMMAND ...] [--seed NUMBER]

In each round a signal hits a process of the command at a random moment: one of its workers, or, in
the commands named "whole", the command itself once its output has begun; then it is continued.
Nothing is lost or there twice, and no process stays.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

MARK = "UNIDOKU_TEST_MARK"
BOARD = "1.....2..3.....4"
BOARDS = 60
LONGEST = 90.0
"""Seconds after which a command hangs: many times those that it takes on a busy machine."""

GONE = 10.0
"""Seconds within which all processes of a command are gone."""

COMPARE = [
    *("compare", "{in}/few.txt", "--backends=norvig,sat", "--repeats=2", "--sample-ms=60"),
    *("--time-limit=2", "--seed=1", "--workers=2", "--output={out}/a.jsonl"),
]
SOLVE = ["solve", "{in}/boards.txt", "--backend=python-constraint"]
GENERATE = ["generate", "--size=9", "--count=12", "--seed=1", "--minimal"]

COMMANDS = {
    "compare pool": [*COMPARE, "--engine=pool"],
    "compare spawn": [*COMPARE, "--engine=spawn"],
    "solve local": [*SOLVE, "-o", "{out}/a.txt", "--scheduler=local:2"],
    "generate local": [*GENERATE, "-o", "{out}/a.txt", "--scheduler=local:2"],
    "fuzz": [
        *("fuzz", "--backends=norvig,sat", "--boards=600", "--sizes=4-9", "--workers=2"),
        "--output={out}",
    ],
    "whole compare": COMPARE,
    "whole solve": [*SOLVE, "-o", "{out}/a.txt"],
    "whole solve local": [*SOLVE, "-o", "{out}/a.txt", "--scheduler=local:2"],
}
"""Commands that take a second or some, and write to ``{out}``."""

SIGNALS = ("killed", "stopped", "paused")
"""What happens to a worker: stopped is for good."""

HELPERS = ("resource_tracker", "fork_server")
"""In the command lines of processes that are no workers: they are killed, but not stopped for good,
because all wait for the second, and nothing of ours ends the first, which is Python's own."""


class End(NamedTuple):
    """How a command ended: code None if it hangs."""

    code: int | None
    complained: str


class Command:
    """A command that runs in a folder, and its processes."""

    def __init__(self, line: list[str], folder: Path, inputs: Path) -> None:
        self.mark = uuid.uuid4().hex
        words = [word.replace("{in}", str(inputs)).replace("{out}", str(folder)) for word in line]
        self.errors = folder.parent / f"{folder.name}.errors"
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "unidoku", *words],
                env=os.environ | {MARK: self.mark},
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )

    def processes(self) -> list[psutil.Process]:
        """Return the processes that the command began and that still run."""
        alive = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.environ().get(MARK) == self.mark and process.status() != "zombie":
                    alive.append(process)
        return alive

    def workers(self) -> list[psutil.Process]:
        """Return all of them but the command itself."""
        return [process for process in self.processes() if process.pid != self.process.pid]

    def end(self) -> End:
        """Wait for the end of the command."""
        try:
            code = self.process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            code = None
        return End(code, self.errors.read_text())

    def left(self) -> list[str]:
        """Wait for the end of all processes; end those that stay, and return their names."""
        deadline = time.monotonic() + GONE
        while (remaining := self.processes()) and time.monotonic() < deadline:
            time.sleep(0.1)
        names = []
        for process in remaining:
            with suppress(psutil.Error):
                names.append(" ".join(process.cmdline())[:120])
                process.kill()
        return names


def hit(command: Command, rng: random.Random, how: str) -> str:
    """Send a signal to a worker at a random moment; return which, nothing if there is none."""
    time.sleep(rng.uniform(0.3, 3))
    if command.process.poll() is not None or not (workers := command.workers()):
        return ""
    worker = rng.choice(workers)
    with suppress(psutil.Error):
        name = " ".join(worker.cmdline()[-3:])[-100:]
        if how == "stopped" and any(helper in name for helper in HELPERS):
            how = "killed"
        if how == "killed":
            worker.kill()
        else:
            worker.suspend()
            if how == "paused":
                time.sleep(rng.uniform(0.1, 1))
                worker.resume()
        return f"{how} {name!r}"
    return ""


def wrong_in(name: str, folder: Path, whole: Path) -> str:
    """Return what is wrong with the output of a command, nothing if all is well."""
    if "compare" in name:
        keys, known = (runs_of(parent / "a.jsonl") for parent in (folder, whole))
        if keys.keys() != known.keys():
            return f"{len(known.keys() - keys.keys())} of {len(known)} runs are lost"
        return "a run is there twice" if max(keys.values()) > 1 else ""
    if name == "fuzz":
        return ""
    out = folder / "a.txt"
    if not out.exists():
        return "there is no output"
    lines = out.read_text().splitlines()
    all_lines = (whole / "a.txt").read_text().splitlines()
    if lines == all_lines:
        return ""
    counted = f"{len(all_lines)} lines, {len({*all_lines} - {*lines})} of them are lost"
    return f"{len(lines)} lines in place of {counted}"


def runs_of(journal: Path) -> Counter[str]:
    """Return how often a journal has each run; wrong answers are told by other names."""
    keys = Counter[str]()
    for line in journal.read_text().splitlines() if journal.exists() else ():
        with suppress(ValueError):
            table = json.loads(line)
            if table.get("type") == "run":
                keys[table["key"] + " wrong" * (table["outcome"] == "wrong")] += 1
    return keys


def blamed(name: str, end: End) -> bool:
    """Return whether a command says that something of its own failed, with a code for that."""
    is_message = bool(re.search(r"^unidoku: ", end.complained, re.MULTILINE))
    return end.code == 2 and "Traceback" not in end.complained and (is_message or "compare" in name)


def of_worker(name: str, rng: random.Random, folder: Path, inputs: Path, whole: Path) -> list[str]:
    """Hit a worker of a command; return what happened, and what is wrong if anything is."""
    folder.mkdir()
    command = Command(COMMANDS[name], folder, inputs)
    how = hit(command, rng, rng.choice(SIGNALS if "local" not in name else SIGNALS[::2]))
    end = command.end()
    left = command.left()
    if not how:
        return ["nothing was hit"]
    history = [how]
    if end.code is None:
        history.append("it hangs")
    elif end.code and not (blamed(name, end) or (name == "fuzz" and end.code == 1)):
        history.append(f"code {end.code}: {end.complained[-500:]}")
    elif (not end.code or "compare" in name) and (wrong := wrong_in(name, folder, whole)):
        history.append(wrong)
    return history + [f"left behind: {left}"] * bool(left)


def has_begun(folder: Path) -> bool:
    """Return whether a command has written some of its output."""
    for path in folder.iterdir():
        with suppress(FileNotFoundError):  # it has got its name
            if path.is_file() and path.suffix != ".json" and path.stat().st_size > 200:
                return True
    return False


def of_whole(name: str, rng: random.Random, folder: Path, inputs: Path, whole: Path) -> list[str]:
    """Kill a command whose output has begun and continue it, twice; as `of_worker`."""
    folder.mkdir()
    line, history = COMMANDS[name], ["killed"]
    for _ in range(2):
        command = Command(line, folder, inputs)
        while command.process.poll() is None and not has_begun(folder):
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 1))
        if command.process.poll() is not None:
            history = ["nothing was hit"]
        command.process.kill()
        command.process.wait()
        if left := command.left():
            history.append(f"left behind: {left}")
        line = [*COMMANDS[name], "--resume"]
    command = Command(line, folder, inputs)
    end = command.end()
    done = end.code == 2 and "exists" in end.complained  # it had ended before it was killed
    if end.code and not done:
        history.append(f"code {end.code}: {end.complained[-500:]}")
    elif wrong := wrong_in(name, folder, whole):
        history.append(wrong)
    return history


def rounds(name: str, number: int, seed: int, folder: Path) -> list[str]:
    """Run rounds of a command; return what was wrong, and print a line of figures."""
    inputs, whole = folder / "in", folder / f"{name} whole"
    whole.mkdir()
    end = Command(COMMANDS[name], whole, inputs).end()
    if end.code:
        sys.stdout.write(f"{name}: code {end.code} undisturbed: {end.complained}\n")
        return [name]
    act: Callable[..., list[str]] = of_whole if name.startswith("whole") else of_worker
    failures, hits = [], Counter[str]()
    for index in range(number):
        subfolder = folder / f"{name} {index}"
        how, *wrong = act(name, random.Random(f"{seed} {name} {index}"), subfolder, inputs, whole)
        hits[how.partition(" ")[0]] += 1
        failures += [f"{name} {index}, {how}: {text}" for text in wrong]
        for text in failures[len(failures) - len(wrong) :]:
            sys.stdout.write(f"{text}\n")
        shutil.rmtree(subfolder)
    sys.stdout.write(f"# {name}: {dict(hits)}\n")
    sys.stdout.flush()
    return failures


def prepare(folder: Path) -> None:
    """Make the files that commands are given: boards with two solutions or more, no two alike."""
    inputs = folder / "in"
    inputs.mkdir()
    rng = random.Random(1)
    with (inputs / "boards.txt").open("w") as file:
        for _ in range(40 * BOARDS):
            values = rng.sample("1234", 4)
            file.write(BOARD.translate(str.maketrans("1234", "".join(values))) + "\n")
    boards = (inputs / "boards.txt").read_text().splitlines()
    (inputs / "few.txt").write_text("".join(f"{line}\n" for line in dict.fromkeys(boards)))


def main(arguments: list[str]) -> int:
    """Run the program; return 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.helpers.killing")
    parser.add_argument("rounds", type=int)
    parser.add_argument("commands", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    wrong = 0
    with tempfile.TemporaryDirectory() as temporary:
        prepare(Path(temporary))
        for name in given.commands or COMMANDS:
            wrong += len(rounds(name, given.rounds, given.seed, Path(temporary)))
    return min(wrong, 1)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main(sys.argv[1:]))
