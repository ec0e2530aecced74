"""Backends that take options or limits and do not heed them, for tests of the conformance suite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from unidoku.backends import BackendSpec
from unidoku.backends.adapters.norvig import Norvig
from unidoku.backends.base import Capabilities, Request, Result
from unidoku.backends.options import Value, checked
from unidoku.core.board import Board
from unidoku.errors import UnsupportedError


def row(name: str, *honours: str) -> BackendSpec:
    """Return the row of a class of this module."""
    return BackendSpec(
        name=name,
        target=f"{__name__}:{name}",
        summary="a fake",
        capabilities=Capabilities(honours=frozenset({"time_limit", *honours})),
    )


@dataclass(frozen=True)
class OneOption:
    """Has an option that it ignores, and one that it heeds."""

    heeded: bool = False
    ignored: Literal["slow", "fast"] = "slow"

    def __post_init__(self) -> None:
        checked("ignores-options", self)

    def search(self, board: Board, request: Request) -> Result:
        result = Norvig().search(board, request)
        if self.heeded:
            return replace(result, statistics={**result.statistics, "heeded": 1})
        return result


class OnlyTold(OneOption):
    """Says that it tells its solver of the option, and nothing else shows it."""

    def parameters(self, request: Request) -> Mapping[str, Value]:
        return {"heeded": self.heeded, "pace": {"slow": 1, "fast": 2}[self.ignored]}


class Refusing(OneOption):
    """Refuses what it would ignore."""

    def search(self, board: Board, request: Request) -> Result:
        if self.ignored == "fast":
            raise UnsupportedError("cannot be fast")
        return super().search(board, request)


@dataclass(frozen=True)
class Limits:
    """Claims limits that it ignores."""

    honours: ClassVar[frozenset[str]] = frozenset({"threads", "seed"})

    def search(self, board: Board, request: Request) -> Result:
        return Norvig().search(board, replace(request, threads=1, seed=None))


class SomeThreads(Limits):
    """Takes one thread whatever is asked, but where one solution is enough."""

    def search(self, board: Board, request: Request) -> Result:
        result = super().search(board, request)
        threads = request.threads if request.solutions == 1 else 1
        return replace(result, statistics={**result.statistics, "threads": threads})


class NoThreads(Limits):
    """Claims threads, and refuses them always."""

    def search(self, board: Board, request: Request) -> Result:
        if request.threads > 1:
            raise UnsupportedError("takes one thread")
        return super().search(board, request)


@dataclass(frozen=True)
class RefusesAtOnce(OneOption):
    """Checks an option by itself, in its own way."""

    size: int = 1

    def __post_init__(self) -> None:
        if self.size == 3:
            raise ValueError("no threes")


class Unsure(OneOption):
    """Fails when it is asked for its parameters."""

    def parameters(self, request: Request) -> Mapping[str, Value]:
        raise ZeroDivisionError("unsure")


class OddValues(OneOption):
    """Has parameters that cannot be written down."""

    def parameters(self, request: Request) -> Mapping[str, Value]:
        return {1: frozenset()}  # type: ignore[dict-item]  # the oddity
