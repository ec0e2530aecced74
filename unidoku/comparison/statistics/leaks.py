"""Backends whose memory grows from search to search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from unidoku.comparison.results import Results

_LEAST_BYTES = 1_000_000
"""Bytes for each search above which a backend is named."""

_LEAST_SEARCHES = 20
"""Searches below which growth may have other reasons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A backend that grows, by its label, with its growth in bytes and its number of searches."""

    backend: str
    grown_bytes: int
    searches: int

    @property
    def each(self) -> float:
        """Bytes for each search."""
        return self.grown_bytes / self.searches


def leaks(results: Results) -> Iterator[Leak]:
    """Yield the backends that grew by more than 1 MB a search, over at least 20 searches."""
    backend, grown = results.column("backend"), results.column("grown_bytes")
    searches = results.column("loops")
    for index, label in enumerate(results.backends):
        chosen = backend == index
        leak = Leak(
            backend=label,
            grown_bytes=int(grown[chosen].sum()),
            searches=int(searches[chosen].sum()),
        )
        if leak.searches >= _LEAST_SEARCHES and leak.each > _LEAST_BYTES:
            yield leak
