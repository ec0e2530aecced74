"""Guards of every application here: it is asked under the names of this machine only."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
