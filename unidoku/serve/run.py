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

from unidoku.errors import InputError, reason
from unidoku.serve.app import application
from unidoku.serve.comparing import JOBS
from unidoku.serve.files import opened
from unidoku.serve.protocol import LARGEST
from unidoku.serve.workbench import Workbench

HOST = "127.0.0.1"

_PATIENCE = 2
"""Seconds that connections get to end."""


class _Server(uvicorn.Server):
    """A server whose signals end it without an exception."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End at Ctrl-C, and at the signal to end."""
        kinds = (signal.SIGINT, signal.SIGTERM)
        before = {kind: signal.signal(kind, self.handle_exit) for kind in kinds}
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
    ready: Callable[[str], object] = print,
) -> None:
    """Serve a puzzle file until Ctrl-C.

    Args:
        path: the file, which need not exist; None for an empty board without a file.
        port: a port of this machine; 0 for any that is free.
        browser: whether to open the page in a browser.
        ready: function that is called with the address of the page.

    Raises:
        InputError: the file is not a puzzle file, or the port is taken.
    """
    state, file = opened(path)
    folder = Path.cwd() if path is None else path.resolve().parent
    listener = _listener(port)
    number = listener.getsockname()[1]
    token = secrets.token_urlsafe(24)
    address = f"http://{HOST}:{number}/?token={token}"
    workbench = Workbench(state, file, folder, JOBS)

    async def run() -> None:
        server = _Server(
            uvicorn.Config(
                application(workbench, number, token),
                log_level="error",
                access_log=False,
                lifespan="off",
                ws="websockets-sansio",
                ws_max_size=LARGEST,
                ws_per_message_deflate=False,
                server_header=False,
                timeout_graceful_shutdown=_PATIENCE,
            )
        )
        workbench.start()
        ready(address)
        if browser:
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        try:
            await server.serve(sockets=[listener])
        finally:
            await workbench.stop()

    with contextlib.closing(listener):
        asyncio.run(run())


def _listener(port: int) -> socket.socket:
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
            f"--port {port}: expected a free port, but {reason(error)}; name another, "
            "or leave --port out"
        ) from error
    return listener
