"""The workbench as a person starts it, and a client that speaks its protocol."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any
from unittest import mock

from websockets.sync.client import ClientConnection, connect

from unidoku.errors import OutputError
from unidoku.serve import run
from unidoku.serve.workbench import Connection, Workbench

PATIENCE = 30


class Client:
    """A connection that sends requests and waits for their answers."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {}
        self.parts: list[dict[str, Any]] = []
        self._nonce = 0
        self._answers: dict[int, dict[str, Any]] = {}

    def next_nonce(self) -> int:
        self._nonce += 1
        return self._nonce

    def send(self, command: str, **fields: Any) -> int:
        nonce = self.next_nonce()
        self.socket.send(json.dumps({"nonce": nonce, "command": command, **fields}))
        return nonce

    def ask(self, command: str, **fields: Any) -> dict[str, Any]:
        return self.wait(self.send(command, **fields))

    def wait(self, nonce: int) -> dict[str, Any]:
        """Return the answer with this number."""
        self.until(lambda: nonce in self._answers)
        return self._answers.pop(nonce)

    def until(self, happens: Callable[[], object]) -> None:
        """Take messages until something has happened."""
        end = time.monotonic() + PATIENCE
        while not happens():
            self.take(end - time.monotonic())

    def take(self, patience: float = PATIENCE) -> None:
        message = json.loads(self.socket.recv(timeout=patience))
        if message.get("event") == "state":
            self.state |= message
        elif message.get("partial"):
            self.parts.append(message)
        else:
            self._answers[message["nonce"]] = message


@contextmanager
def process(
    *arguments: str | Path, folder: Path, program: Sequence[str] = ("-m", "unidoku")
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start the command, and yield its process and the address that it prints."""
    running = subprocess.Popen(
        [sys.executable, *program, "serve", *map(str, arguments), "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, "UNIDOKU_CACHE": str(folder / ".cache")},
    )
    assert running.stdout is not None
    try:
        yield running, running.stdout.readline().strip()
    finally:
        if running.poll() is None:
            running.send_signal(signal.SIGINT)
        try:
            running.communicate(timeout=PATIENCE)
        finally:
            running.kill()


@contextmanager
def served(path: Path) -> Iterator[str]:
    """Serve a file in a thread of this process, whose modules are loaded; yield the address."""
    make, servers, printed = run._Server, [], SimpleQueue[str]()

    def without_signals(app: Any, **_: object) -> run._Server:
        servers.append(make(app, takes_signals=False))
        return servers[-1]

    def serve() -> None:
        with suppress(OutputError):  # a test may leave a conflict
            run.serve(path, browser=False, ready=printed.put)

    thread = Thread(target=serve)
    with (
        mock.patch.object(run, "_Server", without_signals),
        mock.patch.dict(os.environ, UNIDOKU_CACHE=str(path.parent / ".cache")),
    ):
        thread.start()
        try:
            yield printed.get(timeout=PATIENCE)
        finally:
            for server in servers:
                server.should_exit = True
            thread.join(PATIENCE)
            assert not thread.is_alive()


def at_desk(workbench: Workbench) -> Callable[..., Awaitable[list[Any]]]:
    """Open a page of a workbench; return what sends a command, and returns all that it is told."""
    page = Connection()
    workbench.join(page)

    async def do(command: str, **fields: Any) -> list[Any]:
        await workbench.receive(page, json.dumps({"nonce": 1, "command": command, **fields}))
        return [json.loads(page.outgoing.get_nowait() or "") for _ in range(page.outgoing.qsize())]

    return do


@contextmanager
def client(address: str, **options: Any) -> Iterator[Client]:
    """Connect to a server by the address that it printed."""
    socket = address.replace("http://", "ws://").replace("/?", "/socket?")
    with connect(socket, max_size=None, proxy=None, ping_interval=None, **options) as connection:
        page = Client(connection)
        page.ask("open")
        yield page
