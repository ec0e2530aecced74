"""Starts the server on a port of this machine, and ends it with everything saved."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
import socket
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import uvicorn
from starlette.types import ASGIApp

from unidoku.errors import InputError, reason
from unidoku.serve import comparing, printing, rangsk, versions
from unidoku.serve.app import application
from unidoku.serve.files import opened
from unidoku.serve.protocol import LARGEST
from unidoku.serve.workbench import Workbench

HOST = "127.0.0.1"

_PATIENCE = 2
"""Seconds that connections get to end."""


class _Server(uvicorn.Server):
    """A server that a signal ends without an exception.

    Args:
        app: the application.
        takes_signals: whether it is the one that signals end.
    """

    def __init__(self, app: ASGIApp, *, takes_signals: bool = True) -> None:
        """Prepare a server with our limits."""
        super().__init__(
            uvicorn.Config(
                app,
                log_level="error",
                access_log=False,
                lifespan="off",
                ws="websockets-sansio",
                ws_max_size=LARGEST,
                ws_per_message_deflate=False,
                ws_ping_interval=None,  # a busy machine is no reason to end a connection
                server_header=False,
                timeout_graceful_shutdown=_PATIENCE,
            )
        )
        self._kinds = (signal.SIGINT, signal.SIGTERM) if takes_signals else ()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End at Ctrl-C, and at the signal to end."""
        before = {kind: signal.signal(kind, self.handle_exit) for kind in self._kinds}
        try:
            yield
        finally:
            for kind, handler in before.items():
                signal.signal(kind, handler)


def serve(
    path: Path | None,
    *,
    port: int = 0,
    browser: bool = True,
    f_puzzles: bool = False,
    ready: Callable[[str], object] = print,
) -> None:
    """Serve a puzzle file until Ctrl-C.

    Args:
        path: the file, which need not exist; None for an empty board without a file.
        port: a port of this machine; 0 for any that is free.
        browser: whether to open the page in a browser.
        f_puzzles: whether to answer f-puzzles too, on the port of its userscript.
        ready: function that is called with the address of the page.

    Raises:
        InputError: the file is not a puzzle file, or the port is taken.
    """
    state, known_versions, file = opened(path)
    folder = Path.cwd() if path is None else path.resolve().parent
    listener = _listener(port, "--port")
    other = _listener(rangsk.PORT, "--f-puzzles") if f_puzzles else None
    number = listener.getsockname()[1]
    token = secrets.token_urlsafe(24)
    address = f"http://{HOST}:{number}/?token={token}"
    jobs = comparing.JOBS | printing.JOBS | versions.JOBS
    workbench = Workbench(state, file, folder, jobs, known_versions)

    async def run() -> None:
        workbench.start()
        ready(address)
        if browser:
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        second = _Server(rangsk.application(), takes_signals=False)
        answering = [second.serve(sockets=[other])] if other is not None else []
        try:
            async with asyncio.TaskGroup() as group:
                for server in answering:
                    group.create_task(server)
                await _Server(application(workbench, number, token)).serve(sockets=[listener])
                second.should_exit = True
        finally:
            await workbench.stop()

    with contextlib.closing(listener), contextlib.closing(other or listener):
        asyncio.run(run())


def _listener(port: int, option: str) -> socket.socket:
    """Return a socket that listens on a port.

    Raises:
        InputError: the port is taken, or may not be used.
    """
    # With the protocol named, asyncio sends each message at once; else the second waits for 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # A port that was used a moment ago is free; on Windows the option means something else.
        if hasattr(socket, "SO_REUSEPORT"):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen()
    except OSError as error:
        listener.close()
        raise InputError(
            f"{option}: expected port {port} to be free, but {reason(error)}; end what uses it, "
            f"or leave {option} out"
        ) from error
    return listener
