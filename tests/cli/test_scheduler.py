"""Commands whose boards are shared among processes, and unfinished outputs that are continued."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from tests.helpers.command_runner import Runner
from unidoku.parallel import executors

PLAIN = "1.....2..3.....4\n12..........21..\n11..............\n1.....2..3.....4\n" * 100


@pytest.mark.processes
def test_commands_share_boards_among_processes(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("boards.txt").write_text(PLAIN)
    ran = run("solve", "boards.txt", "--size", "4", "--scheduler", "local:1", "-o", "out.txt")
    assert ran.code == 1
    assert ran.err.startswith("400 boards: 300 with a solution, 100 without solution; ")
    assert len(Path("out.txt").read_text().splitlines()) == 400


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("solve boards.txt --size 4 --scheduler local:0", "expected tcp://host:port, tls:/"),
        ("count boards.txt --size 4 --scheduler mpi:2", "expected tcp://host:port, tls:/"),
        ("solve boards.txt --json --scheduler local:1", "because JSON goes to standard output"),
        ("count boards.txt --json --resume", "because JSON goes to standard output"),
        (
            "solve boards.txt --format framed --scheduler local:1",
            "expected one solution for each board",
        ),
        ("solve boards.txt --size 4 --resume", "name one by -o"),
        ("generate --walk --time-limit 1 --scheduler local:1", "walk: a walk is made in one"),
    ],
)
def test_what_cannot_be_shared_or_continued_is_refused(
    arguments: str, message: str, run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("boards.txt").write_text(PLAIN)
    assert message in run.refused(*arguments.split())


@pytest.mark.processes
def test_puzzles_made_by_processes_are_those_of_one(run: Runner) -> None:
    asked = ["generate", "--size", "4", "--count", "20", "--seed", "3"]
    assert run(*asked, "--scheduler", "local:2").out == run(*asked).out


@contextmanager
def port_that_sends(answer: bytes) -> Iterator[int]:
    """Listen on a port of this machine, and answer all connections."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        contained = []

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                    connection.sendall(answer)
                except OSError:
                    return
                contained.append(connection)

        Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        for connection in contained:
            connection.close()


ANSWERS = {
    "nothing": b"",
    "a page": b"HTTP/1.1 400 Bad Request\r\n\r\n",
    "zeros": bytes(4096),
    "ones": b"\xff" * 4096,
    "a message without end": struct.pack("<QQQ", 16, 1, 1 << 40),
    "a message that is none": struct.pack("<QQQ4s", 20, 1, 4, b"spam"),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_port_that_is_no_scheduler_is_refused_in_one_line(
    answer: str, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "_CONNECT", 1.0)
    with port_that_sends(ANSWERS[answer]) as port:
        ran = run("count", "1.....2..3.....4", "--scheduler", f"tcp://127.0.0.1:{port}")
    assert ran.code == 2
    (line,) = ran.err.splitlines()
    assert line.startswith(f"unidoku: scheduler: expected one of Dask at 'tcp://127.0.0.1:{port}'")
