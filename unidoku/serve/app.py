"""The web application, and its guards: only this machine's pages with the token are answered.

A page of another site could send requests to a server on this machine, also under a name of its
own that leads here. So the name that the browser asked for, the origin of a connection, and the
token in the address are checked. The policy of the page allows no request to anywhere else.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Mapping

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from unidoku.errors import UnidokuError
from unidoku.serve import page
from unidoku.serve.comparing import page_of_journal
from unidoku.serve.describing import reason
from unidoku.serve.protocol import LARGEST
from unidoku.serve.workbench import Connection, Workbench
from unidoku.support.cancel import in_thread
from unidoku.support.memory_limit import KEEPS_MEMORY_LIMITS

_MOST_CONNECTIONS = 32

_LARGEST_JOURNAL = 1 << 26
"""The most bytes of a journal that is opened."""

_READING = 60.0
"""Seconds for reading it."""

_BUSY, _TOO_LARGE = 1013, 1009
"""Codes of the WebSocket protocol."""


def application(workbench: Workbench, port: int, token: str) -> ASGIApp:
    """Return the application of a workbench on a port of this machine.

    Args:
        workbench: the workbench.
        port: the port on which it is asked.
        token: the secret in the address of the page.
    """
    hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
    origins = {f"http://{host}" for host in hosts}

    def is_allowed(connection: HTTPConnection) -> bool:
        """Return whether it has the token, and comes from no page of another origin."""
        given = connection.query_params.get("token", "").encode(errors="replace")
        is_ours = connection.headers.get("origin") in (None, *origins)
        return is_ours and hmac.compare_digest(given, token.encode())

    async def index(request: Request) -> Response:
        if not is_allowed(request):
            return refused("open the address that `unidoku serve` printed: it has a token")
        return _answered(page.index(), page.INDEX, port)

    async def part(request: Request) -> Response:
        name: str = request.path_params["name"]
        if name not in page.names():
            return PlainTextResponse("no such file", status_code=404)
        return _answered(page.part(name), name, port)

    async def style(request: Request) -> Response:
        return Response(page.style(), media_type="text/css")

    async def report(request: Request) -> Response:
        if not is_allowed(request):
            return refused("the address needs the token of this server")
        kept_page = workbench.reports.get(request.path_params["key"])
        if kept_page is None:
            return PlainTextResponse("no such report", status_code=404)
        # The page has a policy of its own, which allows its script by its digest.
        return Response(
            kept_page,
            media_type="text/html",
            headers={"Content-Security-Policy": "frame-ancestors 'self'"},
        )

    async def journal(request: Request) -> Response:
        if not is_allowed(request):
            return refused("the address needs the token of this server")
        content = bytearray()
        async for part in request.stream():
            content += part
            if len(content) > _LARGEST_JOURNAL:
                return PlainTextResponse("expected a journal of up to 64 MiB", status_code=413)
        try:
            opened = await in_thread(
                page_of_journal,
                bytes(content),
                time_limit=_READING,
                untrusted=KEEPS_MEMORY_LIMITS,
            )
        except UnidokuError as error:
            return PlainTextResponse(reason(error), status_code=422)
        return PlainTextResponse(workbench.keep_page(opened))

    async def socket(websocket: WebSocket) -> None:
        if not is_allowed(websocket):
            await websocket.close()  # before it is accepted: the answer is 403
            return
        await websocket.accept()
        await _talk(workbench, websocket)

    routes = [
        Route("/", index),
        Route("/page/{name}", part),
        Route("/style.css", style),
        Route("/report/{key}", report),
        Route("/journal", journal, methods=["POST"]),
        WebSocketRoute("/socket", socket),
    ]
    return guarded(Starlette(routes=routes), hosts)


async def _talk(workbench: Workbench, websocket: WebSocket) -> None:
    """Obey a connection until it ends."""
    if workbench.connections >= _MOST_CONNECTIONS:
        await websocket.close(_BUSY)
        return
    connection = Connection()
    talking = asyncio.current_task()
    assert talking is not None
    connection.drop = talking.cancel
    workbench.join(connection)

    async def send() -> None:
        while (message := await connection.next_message()) is not None:
            await websocket.send_text(message)
        await websocket.close(_BUSY)

    sending = asyncio.create_task(send())
    try:
        while True:
            text = await websocket.receive_text()
            if len(text) > LARGEST:
                await websocket.close(_TOO_LARGE)
                return
            await workbench.receive(connection, text)
            await asyncio.sleep(0)  # many messages of one client are no reason to ignore others
    except asyncio.CancelledError:
        if not connection.is_dropped:
            raise
    except (WebSocketDisconnect, KeyError, RuntimeError):  # it is gone, or sent bytes
        pass
    finally:
        workbench.leave(connection)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


def _policy(port: int) -> str:
    return (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        f"connect-src 'self' ws://127.0.0.1:{port} ws://localhost:{port}; "
        "frame-src 'self'; frame-ancestors 'none'; form-action 'none'"
    )


def _answered(text: str, name: str, port: int) -> Response:
    kind = page.TYPES[name[name.rindex(".") :]]
    headers = {"Content-Security-Policy": _policy(port)}
    return Response(text, media_type=kind, headers=headers)


_HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def guarded(app: ASGIApp, hosts: set[str]) -> ASGIApp:
    """Return an application that is asked under its own names only, with the headers of ours."""

    async def guard(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                if "Content-Security-Policy" not in headers:
                    headers["Content-Security-Policy"] = "default-src 'none'"
            await send(message)

        if host in hosts:
            await app(scope, receive, with_headers)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
        else:
            answer = refused("expected the address that `unidoku serve` printed")
            await answer(scope, receive, with_headers)

    return guard


def refused(why: str) -> Response:
    """Return the answer to a request that is not allowed."""
    return PlainTextResponse(f"refused: {why}\n", status_code=403)
