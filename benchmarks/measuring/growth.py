"""Section 2: how the time a board takes changes with the batch and with the threads."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import numpy as np

import unidoku
from measuring.boards import Cells, relabelled
from measuring.clock import repeated
from measuring.collection import chosen
from measuring.contestant import batch
from measuring.machine import say
from measuring.settings import Settings
from measuring.table import figure, table
from unidoku import Request

LARGEST = 1_000_000
WITH_THREADS = 500_000
"""Boards of the measurement with threads, each of which takes some 16,000 at once."""


def section(settings: Settings, files: Mapping[str, Cells]) -> Iterator[str]:
    """Yield the lines of the section."""
    name, cells = chosen(files)
    largest = settings.of(LARGEST)
    layout = unidoku.layout()
    many = relabelled(cells, largest, layout.n, np.random.default_rng(3))
    lanes = batch("native[engine=lanes]")
    lanes.prepare(layout, many[:1])(Request(solutions=2))
    yield from ("## How time grows with the batch", "")
    yield f"Lanes at limit 2 on boards of {name}, repeated with digits permuted; one thread."
    yield ""
    rows = []
    size = 1
    while size <= largest:
        say(f"a batch of {size}")
        search = lanes.prepare(layout, many[:size])
        timed = repeated(search, Request(solutions=2, keep=1), settings.seconds)
        seconds = timed.micros * size / 1e6
        rows.append([f"{size:,}", figure(timed.micros), figure(seconds * 1e3)])
        size *= 10
    yield from table(["boards", "µs a board", "ms in all"], rows)
    yield from ("## How time grows with the threads", "")
    several = np.concatenate([many] * 2)[: settings.of(WITH_THREADS) * (8 if settings.quick else 1)]
    yield f"The same on {len(several):,} boards."
    yield ""
    rows = []
    first = None
    search = lanes.prepare(layout, several)
    for threads in sorted({1, 2, os.cpu_count() or 1}):
        say(f"{threads} threads")
        request = Request(solutions=2, keep=1, threads=threads)
        timed = repeated(search, request, settings.seconds)
        first = first or timed
        speed = first.micros / timed.micros
        rows.append([str(threads), figure(timed.micros), figure(speed)])
    yield from table(["threads", "µs a board", "times as fast as one"], rows)
