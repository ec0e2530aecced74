"""The messages between the supervisor and its workers, and what a worker is told at its start."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from unidoku.backends import BackendSpec
from unidoku.backends.solving.solver import Solver
from unidoku.comparison.run.measure import MeasurementSettings


@dataclass(frozen=True, slots=True)
class Configuration:
    """Everything that another process needs to create a solver."""

    spec: BackendSpec
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, solver: Solver | Configuration) -> Configuration:
        """Return the configuration of a solver, or of a configuration."""
        return cls(solver.spec, dict(solver.options))

    def create(self) -> Solver:
        """Import the backend and return the solver; raises as `BackendSpec.create` does."""
        return Solver(self.spec, self.spec.create(self.options), self.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Settings that all workers of a pool share."""

    path: tuple[str, ...]  # where Python looks for modules
    configurations: Mapping[str, Configuration]  # by label
    measuring: MeasurementSettings
    host: str  # name of this machine in the records
    folder: str  # for files of the workers


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Settings of one worker."""

    serial: int  # unique among the workers of a pool
    slot: int  # its number among the workers at a time, from 0
    cores: frozenset[int]  # the cores that it may use; empty for all
    errors: Path  # file for the standard error of its backends


@dataclass(frozen=True, slots=True)
class Started:
    """A worker, by its serial number, has been started as a process."""

    serial: int
    pid: int


@dataclass(frozen=True, slots=True)
class Ended:
    """A worker's process has ended, with all processes that it started in its group."""

    pid: int
    code: int  # the exit code, or minus the signal's number
    large: bool  # whether the system ended the process because of its memory


class WorkerSignal(Enum):
    """The kinds of messages of a worker."""

    LOADING = b"l"
    """It makes a solver: a library may have to be imported."""
    WARMING = b"w"
    """A search of another board than that of the run begins."""
    SEARCHING = b"s"
    """A search begins."""
    ANSWER = b"a"
    """A run has ended; the message contains its result."""


class Message(NamedTuple):
    """What a worker sends the supervisor when its work on a run begins a step or ends.

    Args:
        kind: the step that begins, or that the run has ended.
        pid: id of the process that sent it.
        cpu_ns: nanoseconds of processor time that the worker, and processes that it started, had
            used at that time.
        key: key of the run that it is about.
        content: the result of the run as bytes, if it has ended; otherwise empty.
    """

    kind: WorkerSignal
    pid: int
    cpu_ns: int
    key: str
    content: bytes


_HEAD = struct.Struct("<cIQ16s")


def message_of(kind: WorkerSignal, pid: int, cpu_ns: int, key: str, content: bytes = b"") -> bytes:
    """Return a message as bytes."""
    return _HEAD.pack(kind.value, pid, max(cpu_ns, 0), key.encode()) + content


def message_in(data: bytes) -> Message | None:
    """Return the message in some bytes; None if they are not a message of a worker."""
    try:
        kind, pid, cpu_ns, key = _HEAD.unpack_from(data)
        return Message(WorkerSignal(kind), pid, cpu_ns, key.decode(), data[_HEAD.size :])
    except (struct.error, ValueError):
        return None
