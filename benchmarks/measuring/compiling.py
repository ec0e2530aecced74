"""Section 6: how long it takes until the lanes of a layout can search, in a new process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from measuring import start
from measuring.boards import Cells
from measuring.machine import say
from measuring.settings import Settings
from measuring.table import figure, table

LAYOUTS = (("classic", 9), ("classic", 16), ("classic", 25), ("samurai", 9))

PARTS = ("import", "kernel", "first search", "next search", "in all")

TEXT = """\
Seconds in a new process: to import, to make the kernel of the layout (or to load it), to search one
node, for which the engine is compiled too (or loaded), and to search one again. *cold* is
with an empty cache, *cached* a process after that; *in all* is from the start of Python to its end,
and *files* what the cache then holds. In quick mode the cache is the user's own, and only *cached*
is measured."""


def section(settings: Settings, files: Mapping[str, Cells]) -> Iterator[str]:
    """Yield the lines of the section."""
    yield from ("## Compiling", "", *TEXT.splitlines(), "")
    rows = []
    for variant, n in LAYOUTS[:1] if settings.quick else LAYOUTS:
        with tempfile.TemporaryDirectory() as folder:
            for state in ("cached",) if settings.quick else ("cold", "cached"):
                say(f"compiling {variant} {n}×{n}: {state}")
                seconds = _measure(variant, n, {} if settings.quick else _caches(folder))
                name = sum(path.stat().st_size for path in Path(folder).rglob("*.*"))
                rows.append(
                    [
                        f"{variant} {n}×{n}",
                        state,
                        *(figure(seconds[part]) for part in PARTS),
                        f"{figure(name / 1e3)} kB",
                    ]
                )
    yield from table(["layout", "state", *PARTS, "files"], rows)


def _caches(folder: str) -> dict[str, str]:
    """Return the environment in which a folder holds the caches."""
    return {"UNIDOKU_CACHE": folder}


def _measure(variant: str, n: int, caches: Mapping[str, str]) -> dict[str, float]:
    """Return the seconds of each part in a new process."""
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, start.__file__, variant, str(n)],
        env=os.environ | caches,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    seconds = [*map(float, done.stdout.split()), time.perf_counter() - begun]
    return dict(zip(PARTS, seconds, strict=True))
