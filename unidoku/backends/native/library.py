"""The machine code that is part of an installation: a shared library in `machine_code/`.

Wheels have it, and `make library` builds it in a checkout. It has the same functions for several
levels of processors; the name of a function begins with its level. Without it, `native` compiles by
llvmlite or runs as Python. Nothing here imports more than the standard library.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
from functools import cache
from pathlib import Path

from unidoku.support.logs import tell_once, warn_once

FOLDER = Path(__file__).parent

FILE = {"win32": "unidoku.dll", "darwin": "libunidoku.dylib"}.get(sys.platform, "libunidoku.so")
"""Name of the library on this system. Its folder is no package: in one, Python would take it for an
extension module."""

LEVELS = {5: "v5", 4: "v4", 3: "v3", 2: "v2"}
"""Levels of x86-64, the best first: see `unidoku.backends.native.compiler.processor`."""

ARM = "arm"
"""The one level of 64-bit ARM."""

PARTS = ("compiler", "lanes", "single")
"""Folders whose sources become machine code."""


@cache
def fingerprint() -> str:
    """Return a digest of the sources that become machine code."""
    digest = hashlib.sha256()
    for part in PARTS:
        for source in sorted((FOLDER / part).rglob("*.py")):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:32]


@cache
def library() -> ctypes.CDLL | None:
    """Return the library; None if there is none that can be used.

    A library that is there and cannot be used is ignored with one warning: the system cannot load
    it, or it was built from other sources. Sources are compared in a checkout only, as a wheel is
    built in one piece.
    """
    path = FOLDER / "machine_code" / FILE
    if not path.exists():
        return None
    try:
        loaded = ctypes.CDLL(str(path))
        sources = ctypes.c_char.in_dll(loaded, "unidoku_sources")
    except (OSError, ValueError) as error:
        warn_once(__name__, f"{path} is not used: {error}")
        return None
    if (FOLDER.parents[2] / "pyproject.toml").exists():
        built_from = ctypes.string_at(ctypes.addressof(sources)).decode("ascii", "replace")
        if built_from != fingerprint():
            warn_once(__name__, f"{path} is not used: its sources have changed; make library")
            return None
    return loaded


@cache
def level() -> str | None:
    """Return the best level of the library that this processor has, None if there is none.

    The variable ``UNIDOKU_LEVEL``, a number, lowers the level; 0 means no library. Other values
    are ignored with a warning.
    """
    if (loaded := library()) is None:
        return None
    levels = {"": max(LEVELS), "0": 0} | {str(number): number for number in LEVELS}
    wanted = os.environ.get("UNIDOKU_LEVEL", "").strip()
    if wanted not in levels:
        expected = f"expected 0 or a number from {min(LEVELS)} to {max(LEVELS)}, got {wanted!r}"
        tell_once(__name__, f"UNIDOKU_LEVEL is ignored: {expected}")
    highest = levels.get(wanted, max(LEVELS))
    if highest == 0:
        return None
    if not hasattr(loaded, "unidoku_level"):
        return ARM
    highest = min(highest, _level_of_processor(loaded))
    names = [name for number, name in LEVELS.items() if number <= highest]
    return next((name for name in names if hasattr(loaded, f"{name}_search")), None)


def _level_of_processor(loaded: ctypes.CDLL) -> int:
    # As all translated functions, it writes its result and has two more arguments.
    find = loaded.unidoku_level
    find.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
    result = ctypes.c_int64()
    find(ctypes.byref(result), None, 0)
    return result.value


def address_of(name: str) -> int | None:
    """Return the address of a function for this processor, None if it is not in the library."""
    prefix, loaded = level(), library()
    if prefix is None or loaded is None:
        return None
    try:
        function = getattr(loaded, f"{prefix}_{name}")
    except AttributeError:
        return None
    return ctypes.cast(function, ctypes.c_void_p).value
