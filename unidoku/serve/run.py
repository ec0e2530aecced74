"""Starts the server on a port of this machine, and ends it with everything saved."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import signal
import socket
import sys
import time
import webbrowser
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread, enumerate, main_thread
from types import FrameType

import psutil
import uvicorn
from h11 import LocalProtocolError
from starlette.types import ASGIApp

from unidoku.errors import InputError, reason
from unidoku.parallel.processes import kill_tree
from unidoku.serve import comparing, printing, rangsk, versions
from unidoku.serve.app import application
from unidoku.serve.files import opened
from unidoku.serve.protocol import LARGEST
from unidoku.serve.workbench import Workbench

HOST = "127.0.0.1"

_PATIENCE = 0.3
"""Seconds that connections get to end, and threads after them."""

_MOST_QUESTIONS = 32
"""Questions that are answered at the same time; others wait."""


class _Server(uvicorn.Server):
    """A server that a signal ends without an exception.

    Args:
        app: the application.
        takes_signals: whether it is the one that signals end.
        other: a server that ends at the same time.
    """

    def __init__(
        self, app: ASGIApp, *, takes_signals: bool = True, other: _Server | None = None
    ) -> None:
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
                timeout_graceful_shutdown=_PATIENCE,  # type: ignore[arg-type] # seconds, any number
            )
        )
        logging.getLogger("uvicorn.error").addFilter(_is_no_broken_request)
        self._other = other
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

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End soon, and the other server too."""
        super().handle_exit(sig, frame)
        if self._other is not None:
            self._other.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all connections; what is cancelled by that is no error."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)


def _is_no_broken_request(record: logging.LogRecord) -> bool:
    """Return False for what uvicorn cannot answer because the client broke the protocol."""
    return record.exc_info is None or not isinstance(record.exc_info[1], LocalProtocolError)


def serve(
    path: Path | None,
    *,
    port: int = 0,
    browser: bool = True,
    f_puzzles: bool = False,
    ready: Callable[[str], object] = print,
) -> None:
    """Serve a puzzle file until Ctrl-C.

    A thread of a question may go on after it: see `end_despite_threads`.

    Args:
        path: the file, which need not exist; None for an empty board without a file.
        port: a port of this machine; 0 for any that is free.
        browser: whether to open the page in a browser.
        f_puzzles: whether to answer f-puzzles too, on the port of its userscript.
        ready: function that is called with the address of the page.

    Raises:
        InputError: the file is not a puzzle file, or the port is taken.
        OutputError: the puzzle could not be saved at the end.
    """
    state, known_versions, file = opened(path)
    folder = Path.cwd() if path is None else path.resolve().parent
    listener = _listener(port, "--port")
    other = _listener(rangsk.PORT, "--f-puzzles") if f_puzzles else None
    served_port = listener.getsockname()[1]
    token = secrets.token_urlsafe(24)
    address = f"http://{HOST}:{served_port}/?token={token}"
    jobs = comparing.JOBS | printing.JOBS | versions.JOBS
    workbench = Workbench(state, file, folder, jobs, known_versions)

    async def run() -> None:
        loop = asyncio.get_running_loop()
        threads = ThreadPoolExecutor(_MOST_QUESTIONS)
        loop.set_default_executor(threads)
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
                first = _Server(application(workbench, served_port, token), other=second)
                await first.serve(sockets=[listener])
                second.should_exit = True
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
            loop.set_default_executor(ThreadPoolExecutor(1))  # asyncio waits for this one
            await workbench.stop()

    with contextlib.closing(listener), contextlib.closing(other or listener):
        asyncio.run(run())


def end_despite_threads(code: int) -> None:
    """End this process if a thread goes on after a moment, for which Python would wait for ever.

    The processes that such threads have started, and perhaps wait for, are ended too.
    """
    end = time.monotonic() + _PATIENCE
    others = [thread for thread in enumerate() if thread is not main_thread()]
    for thread in (thread for thread in others if not thread.daemon):
        thread.join(max(end - time.monotonic(), 0))
    if all(thread.daemon or not thread.is_alive() for thread in others):
        return
    for process in psutil.Process().children():
        kill_tree(process.pid)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


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
