"""The standard streams: closed ones, any encoding, and streams that cannot be written."""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata

_ERRORS = "unidoku.look-alikes"
_ASCII = "unidoku_ascii"

_LOOK_ALIKES = {
    "×": "x",
    "–": "-",
    "—": "-",
    "−": "-",
    "→": "->",
    "←": "<-",
    "·": ".",
    "µ": "u",
    "μ": "u",
    "≠": "!=",
    "≤": "<=",
    "≥": ">=",
    "∞": "inf",
    "✓": "+",
    "✕": "x",
    "═": "=",
    "║": "|",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
}


def prepare() -> None:
    """Let standard output and standard error accept every character, and open closed streams.

    A closed stream is connected to the null device. Otherwise the next file that is opened would
    get the number of the closed stream, and the text that a library writes to that stream.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
    codecs.register_error(_ERRORS, _look_alikes)
    codecs.register(_ascii)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            file = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - it stays open
            setattr(sys, name, file)
        elif isinstance(stream, io.TextIOWrapper):
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding=_ASCII if is_ascii else stream.encoding, errors=_ERRORS)


def flush() -> None:
    """Write the buffered output.

    Raises:
        OSError: a stream cannot be written.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def give_up() -> None:
    """Drop the buffered output of a stream that cannot be written, so that the process can end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _look_alikes(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that an encoding lacks by similar ASCII, or else by "?"."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(map(look_alike, text)), error.end


def look_alike(character: str) -> str:
    """Return ASCII characters that look like a character.

    >>> "".join(map(look_alike, "┏━┯┓ ┃ × 3 µs – café … → ☃"))
    '+-++ | x 3 us - cafe ... -> ?'
    """
    if character in _LOOK_ALIKES:
        return _LOOK_ALIKES[character]
    kind, _, shape = unicodedata.name(character, "").partition("BOX DRAWINGS ")
    if shape and not kind:
        lines = {"HORIZONTAL": "-", "VERTICAL": "|"}
        return lines.get(shape.rpartition(" ")[2], "+") if " AND " not in shape else "+"
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return plain or "?"


def _ascii(name: str) -> codecs.CodecInfo | None:
    """Return ASCII under another name: click treats it as a mistake, and writes UTF-8 instead."""
    if name != _ASCII:
        return None
    codec = codecs.lookup("ascii")
    return codecs.CodecInfo(
        codec.encode, codec.decode, codec.streamreader, codec.streamwriter,
        codec.incrementalencoder, codec.incrementaldecoder, _ASCII,
    )  # fmt: skip
