"""Memory that processes of this machine share: large answers are not sent through a pipe.

A pipe copies an answer four times, half of it in the process that asked, which everybody waits
for. Here the process that answers copies it once, and the one that asked reads it in place.
"""

from __future__ import annotations

import mmap
import os
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["AnswerMemory", "Slot", "SlotAnswer", "answer_into"]

SLOT = 1 << 23
"""Bytes of a slot; those that nobody writes take no memory."""

_ALIGNED = 64
"""Where a part of an answer begins is a multiple of this."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one answer.

    Args:
        path: opens the memory in any process of the same user.
        inode: the number of the memory, which tells it from what has that path later.
        start: where the slot begins.
    """

    path: str
    inode: int
    start: int


@dataclass(frozen=True, slots=True)
class SlotAnswer:
    """An answer whose large parts are in a slot.

    Args:
        pickled: the rest of it.
        places: where each part begins, and its bytes.
    """

    pickled: bytes
    places: tuple[tuple[int, int], ...]


class AnswerMemory:
    """Slots for answers that are under way; they are gone with the process that made them."""

    def __init__(self, slots: int) -> None:
        """Make that many slots, none where the system has no such memory."""
        self._free: list[Slot] = []
        self._file: int | None = None
        if not hasattr(os, "memfd_create") or not os.path.isdir("/proc/self/fd"):  # noqa: PTH112 - no file of ours
            return
        self._file = os.memfd_create("unidoku")
        os.truncate(self._file, slots * SLOT)
        self._memory = memoryview(mmap.mmap(self._file, slots * SLOT))
        path = f"/proc/{os.getpid()}/fd/{self._file}"
        inode = os.fstat(self._file).st_ino
        # The slot that was used last comes first, because its memory is there already.
        self._free += [Slot(path, inode, k * SLOT) for k in reversed(range(slots))]

    def take(self) -> Slot | None:
        """Return a slot that is free, if there is one."""
        return self._free.pop() if self._free else None

    def give(self, slot: Slot) -> None:
        """Take a slot back: nobody reads or writes it any longer."""
        self._free.append(slot)

    def read(self, answer: SlotAnswer) -> Any:
        """Return an answer; its arrays are in the slot, and change when that is given back."""
        parts = [self._memory[start : start + size] for start, size in answer.places]
        return pickle.loads(answer.pickled, buffers=parts)

    def close(self) -> None:
        """Let go of the memory, which lasts as long as an array that is in it."""
        self._free.clear()
        if self._file is not None:
            os.close(self._file)
            self._file = None
            del self._memory


def answer_into(slot: Slot, function: Callable[[Any], Any], task: Any) -> Any:
    """Call a function, and put the large parts of its answer into a slot if they fit."""
    answer = function(task)
    parts: list[pickle.PickleBuffer] = []
    pickled = pickle.dumps(answer, protocol=5, buffer_callback=parts.append)
    places = []
    at = slot.start
    for part in parts:
        size = part.raw().nbytes
        places.append((at, size))
        at += size + -size % _ALIGNED
    if parts and at <= slot.start + SLOT and _written(slot, parts, places):
        return SlotAnswer(pickled, tuple(places))
    return answer


def _written(slot: Slot, parts: list[pickle.PickleBuffer], places: list[tuple[int, int]]) -> bool:
    """Write to a slot; return whether that was possible."""
    try:
        file = os.open(slot.path, os.O_RDWR)
    except OSError:  # the process that asked is gone, or is hidden from this one
        return False
    try:
        if os.fstat(file).st_ino != slot.inode:
            return False
        return all(
            os.pwrite(file, part.raw(), start) == size
            for part, (start, size) in zip(parts, places, strict=True)
        )
    except OSError:  # no memory is left
        return False
    finally:
        os.close(file)
