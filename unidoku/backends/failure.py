"""Describe an exception of a backend: in one line with its place in the code, or in full."""

from __future__ import annotations

import traceback
from itertools import dropwhile
from pathlib import Path
from types import TracebackType

from unidoku.errors import UnidokuError, is_out_of_memory

_ADAPTERS = ("unidoku.backends.adapters", "unidoku.backends.auto", "unidoku.backends.languages",
             "unidoku.backends.native", "unidoku.backends.programs")  # fmt: skip
"""The modules of Unidoku that are backends. Frames of its other modules, which call or import a
backend, do not show where it failed."""

_MOST = 4096
"""Number of characters kept from the end of a traceback, and from the beginning of a message."""


def summarize_exception(error: BaseException) -> str:
    """Return the kind of an exception, its message, and the last place in the backend's own code.

    Errors of Unidoku have no place, because their messages say what to do.
    """
    text = f"{type(error).__name__}: {_message_of(error)}"
    if is_out_of_memory(error):
        text = f"out of memory: {text}"
    # The message of a syntax error already has its place.
    frames = [] if isinstance(error, UnidokuError | SyntaxError) else _frames(error)
    if not frames:
        return text
    package = _module(frames[0]).partition(".")[0]
    last = [frame for frame in frames if _module(frame).partition(".")[0] == package][-1]
    message, *lines = text.split("\n")
    location = f"({Path(last.tb_frame.f_code.co_filename).name}, line {last.tb_lineno})"
    return "\n".join([f"{message.rstrip()} {location}", *lines])


def _message_of(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - of a user's class
        return "<exception str() failed>"  # as Python's own tracebacks have it
    is_long = len(text) > _MOST and not isinstance(error, UnidokuError)
    return f"{text[: _MOST - 1]}…" if is_long else text


def traceback_of(error: BaseException) -> str:
    """Return the end of an exception's traceback, which begins in the backend's own code."""
    frames = _frames(error)
    trace = traceback.TracebackException(type(error), error, frames[0] if frames else None)
    text = "".join(trace.format()).strip()
    return text if len(text) <= _MOST else f"…{text[1 - _MOST :]}"


def _frames(error: BaseException) -> list[TracebackType]:
    """Return the frames that an exception passed through, from the backend's own code on."""
    frames = []
    entry = error.__traceback__
    while entry is not None:
        frames.append(entry)
        entry = entry.tb_next
    return list(dropwhile(lambda frame: _is_caller(_module(frame)), frames))


def _is_caller(module: str) -> bool:
    return module.split(".")[0] in ("unidoku", "importlib") and not module.startswith(_ADAPTERS)


def _module(frame: TracebackType) -> str:
    return str(frame.tb_frame.f_globals.get("__name__", ""))
