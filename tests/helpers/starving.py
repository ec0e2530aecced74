"""Commands whose memory runs out somewhere: a program that says what is wrong with how they end.

    python -m tests.helpers.starving POINTS [COMMAND ...]

Each command runs under so many limits of its address space, from the one in which it just starts to
the one that it needs. It ends with its whole answer, with code 2 and one line that speaks of
memory, or by a signal of a library; what it writes is whole or absent. Names with a colon are those
of backends, such as ``solve:sat``.
"""

from __future__ import annotations

import re
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.helpers.python_process import run_python

BOARD = "1.....2..3.....4"
SOLUTION = "1243342143122134"
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
KILLER = """version = 1
size = 4
rules = [{ kind = "killer", cage = ["A1", "A2", "B2"], total = 8 }]
"""

PLAN = ["--repeats=1", "--sample-ms=0", "--seed=1"]
JOURNAL = [
    *("compare", "{in}/boards.txt", "--backends=norvig,sat", *PLAN),
    *("--engine=inline", "--output={in}/runs.jsonl"),
]
"""What makes the journal that commands are given."""

COMMANDS = {
    "solve": ["solve", HARD],
    "solve file": ["solve", "{in}/boards.txt", "-o", "{out}/a.csv"],
    "solve resumed": ["solve", "{in}/boards.txt", "-o", "{out}/a.txt", "--resume"],
    "solve ruled": ["solve", "{in}/killer.toml", "--solutions=2"],
    "count": ["count", "." * 16],
    "check": ["check", HARD],
    "candidates": ["candidates", BOARD, "--true"],
    "draw": ["draw", HARD, "--solved", "-o", "{out}/a.svg"],
    "draw png": ["draw", HARD, "-o", "{out}/a.png"],
    "convert": ["convert", "{in}/killer.toml", "-o", "{out}/a.json", "--to=f-puzzles"],
    "export": ["export", BOARD, "--to=dimacs", "-o", "{out}/a.cnf"],
    "read-answer": ["read-answer", BOARD, "--answer={in}/dimacs.txt", "--language=dimacs"],
    "explain": ["explain", HARD, "--techniques=all", "--html", "{out}/a.html"],
    "hint": ["hint", HARD],
    "why": ["why", HARD, "A3=5"],
    "rate": ["rate", BOARD],
    "generate": ["generate", "--seed=1", "--count=3", "-o", "{out}/a.txt"],
    "compare": [
        *("compare", "{in}/boards.txt", "--backends=norvig,sat", *PLAN),
        *("--report={out}/a.html", "--output={out}/a.jsonl"),
    ],
    "report": ["report", "{in}/runs.jsonl", "--runs={out}/a.csv"],
    "replay": ["replay", "{key}", "{in}/runs.jsonl"],
    "diff": ["diff", "{in}/runs.jsonl", "{in}/runs.jsonl"],
    "fuzz": ["fuzz", "--backends=norvig", "--boards=2", "--sizes=2", "--output={out}"],
    "backends": ["backends", "--json"],
    "config": ["config"],
}
"""Commands that answer yes, and write to ``{out}``."""

TIMES = re.compile(rb"[\d.]+ (?:ns|\xc2\xb5s|ms|s)\b|\"seconds\": [\d.e-]+|\d\d:\d\d(?::\d\d)?")
"""What differs from run to run."""

UNEQUAL = {"compare", "fuzz", "report", "diff", "replay", "rate", "backends"}
"""Commands whose output has times in it, or what can be loaded: only that it is there counts."""

OF_MEMORY = re.compile(
    "memory|bad_alloc|allocat|raise the limit|libz3|loading shared libraries", re.IGNORECASE
)
"""What an error says that comes from a lack of memory; Z3 says that its library is not found, and
the loader of programs that it could not load one."""

LONGEST = 60.0
"""Seconds after which a command hangs."""

HANGS = -1000
"""The code of a command that does."""

PEAK = "\nimport sys\nfrom pathlib import Path\n{}\nprint(Path('/proc/self/status').read_text()" \
    ".partition('VmPeak:')[2].split()[0])"  # fmt: skip


class End(NamedTuple):
    """How a command ended."""

    code: int
    output: bytes
    complained: bytes
    files: dict[str, bytes]


def limited(size: int | None) -> None:
    """Limit the address space of this process."""
    if size is not None:
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(line: Sequence[str], size: int | None, folder: Path, inputs: Path) -> End:
    """Run a command in a new folder under a limit in bytes."""
    folder.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-m", "unidoku", *words_of(line, folder, inputs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=partial(limited, size),  # noqa: PLW1509 - this program has no threads
    )
    try:
        output, complained = process.communicate(timeout=LONGEST)
        code = process.returncode
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGABRT)  # it then says where it is
        output, complained = process.communicate()
        code = HANGS
    files = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
    return End(code, output, complained, files)


def words_of(line: Sequence[str], folder: Path, inputs: Path) -> list[str]:
    """Return the arguments of a command that writes into a folder."""
    journal = inputs / "runs.jsonl"
    keys = re.findall(r'"key": ?"(\w+)"', journal.read_text()) if "{key}" in line else [""]
    names = {"{in}": str(inputs), "{out}": str(folder), "{key}": keys[0]}
    return [re.sub(r"\{\w+\}", lambda match: names[match[0]], word) for word in line]


def peak(program: str) -> int:
    """Return the largest size of the address space of a program of Python, in bytes."""
    done = run_python("-c", PEAK.format(program), check=True)
    return 1024 * int(done.stdout.split()[-1])


def fault(name: str, end: End, whole: End) -> str:
    """Return what is wrong with the end of a command, nothing if all is well."""
    if end.code == HANGS:
        # Python 3.11 itself may loop where it gets no memory for a frame, as in printing by Rich.
        inner = re.search(rb'File "(.*?)"', end.complained)
        return "" if inner and b"/site-packages/" in inner[1] else f"it hangs: {inner}"
    if end.code < 0 or end.complained.endswith(b"for thread-local data: ABORT\n"):  # of glibc
        return _of_files(name, end, whole)
    if end.code == whole.code:
        same = name in UNEQUAL or TIMES.sub(b"", end.output) == TIMES.sub(b"", whole.output)
        if not same or end.files.keys() != whole.files.keys():
            return f"part of an answer with code {end.code}"
        return _of_files(name, end, whole)
    text = end.complained.decode(errors="replace")
    # Python 3.11 may lose a MemoryError, or compile what it could not read to its end.
    is_odd = re.search(r"SystemError: .* without |in _create_fn\n.*SyntaxError", text, re.DOTALL)
    # `hashlib` prints a traceback of its own if its C library cannot be loaded.
    is_clear = text.rstrip().rpartition("\n")[2].startswith("unidoku: ")
    if end.code != 2 or ("Traceback" in text and not (is_odd or is_clear)):
        return f"code {end.code}: {text.strip()[-400:]}"
    if not OF_MEMORY.search(text) and not is_odd:
        return f"it does not speak of memory: {text.strip()[-400:]}"
    return _of_files(name, end, whole)


def _of_files(name: str, end: End, whole: End) -> str:
    for path, content in end.files.items():
        if path in whole.files and name not in UNEQUAL and content != whole.files[path]:
            return f"{path} is half written"
    return ""


def faults(points: int, name: str, line: Sequence[str], folder: Path) -> Iterator[str]:
    """Run a command under limits, and yield what is wrong, and at last a line of figures."""
    inputs = folder / "in"
    whole = run(line, None, folder / f"{name} whole", inputs)
    if whole.code:
        yield f"{name}: code {whole.code} without a limit: {whole.complained.decode()}"
        return
    words = words_of(line, folder / name, inputs)
    (folder / name).mkdir()
    least = peak("import unidoku.cli") + (2 << 20)
    most = peak(f"from unidoku.cli import main; main({words!r})") * 21 // 20
    ends: dict[str, int] = {}
    for point in range(points):
        size = least + (most - least) * point // max(points - 1, 1)
        end = run(line, size, folder / f"{name} {point}", inputs)
        if wrong := fault(name, end, whole):
            yield f"{name} in {size >> 20} MiB: {wrong}"
        if "--resume" in line and end.code:
            end = run_again(line, folder / f"{name} {point}", inputs)
            if end.code or end.files != whole.files:
                yield f"{name} in {size >> 20} MiB: it is not continued: {end}"
        ends[str(end.code)] = ends.get(str(end.code), 0) + 1
    yield f"# {name}: {least >> 20} to {most >> 20} MiB, ends {ends}"


def run_again(line: Sequence[str], folder: Path, inputs: Path) -> End:
    """Run a command without a limit in the folder of one that failed."""
    moved = folder.rename(folder.with_name(f"{folder.name} before"))
    folder.mkdir()
    for path in moved.iterdir():
        path.rename(folder / path.name)
    words = words_of(line, folder, inputs)
    done = subprocess.run(
        [sys.executable, "-m", "unidoku", *words], capture_output=True, check=False
    )
    files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    return End(done.returncode, done.stdout, done.stderr, files)


def commands(names: Sequence[str]) -> dict[str, list[str]]:
    """Return the commands of names, by default all; ``solve:LABEL`` has a backend."""
    return {
        name: [*COMMANDS["solve"], "--backend", name.partition(":")[2]]
        if ":" in name
        else COMMANDS[name]
        for name in names or COMMANDS
    }


def prepare(folder: Path, lines: Iterable[Sequence[str]]) -> None:
    """Make the files that commands are given."""
    inputs = folder / "in"
    inputs.mkdir()
    (inputs / "boards.txt").write_text(f"{BOARD}\n{'.' * 14}12\n" * 20)
    (inputs / "killer.toml").write_text(KILLER)
    true = {4 * cell + int(value) for cell, value in enumerate(SOLUTION)}
    literals = [number if number in true else -number for number in range(1, 65)]
    (inputs / "dimacs.txt").write_text(f"s SATISFIABLE\nv {' '.join(map(str, literals))} 0\n")
    if any("{in}/runs.jsonl" in line for line in lines):
        end = run(JOURNAL, None, folder / "journal", inputs)
        assert not end.code, end.complained


def main(points: int, names: Sequence[str]) -> int:
    """Starve commands; return 1 if something is wrong."""
    wrong = 0
    with tempfile.TemporaryDirectory() as temporary:
        chosen = commands(names)
        prepare(Path(temporary), chosen.values())
        for name, line in chosen.items():
            for fault in faults(points, name, line, Path(temporary)):
                wrong += not fault.startswith("#")
                sys.stdout.write(f"{fault}\n")
                sys.stdout.flush()
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
