"""Memory that processes of this machine share: large answers are not sent through a pipe.

A pipe copies an answer four times, half of it in the process that asked, which everybody waits
for. Here the process that answers makes it in place if it asks for `space`, else copies it once,
and the one that asked reads it in place.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import pickle
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

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
    """Call a function, and put the large parts of its answer into a slot if they fit.

    Parts that the function has made in `space` are there already.
    """
    try:
        room = _Room(slot)
    except OSError:  # the process that asked is gone, or is hidden from this one
        return function(task)
    before = _room.set(room)
    try:
        answer = function(task)
    finally:
        _room.reset(before)
    parts: list[pickle.PickleBuffer] = []
    pickled = pickle.dumps(answer, protocol=5, buffer_callback=parts.append)
    places = [room.place(part) for part in parts]
    known = tuple(place for place in places if place is not None)
    if parts and len(known) == len(parts):
        return SlotAnswer(pickled, known)
    return answer


def space(size: int) -> memoryview | None:
    """Return bytes for a part of the answer that this thread is making, if it has such memory."""
    room = _room.get()
    return None if room is None else room.take(size)


class _Room:
    """A slot that is open in this process, for one answer."""

    def __init__(self, slot: Slot) -> None:
        """Open the slot; raises OSError if it is not there."""
        self._memory = _mapped(slot.path, slot.inode)
        self._at = slot.start
        self._end = slot.start + SLOT

    def take(self, size: int) -> memoryview | None:
        """Return bytes that nobody has taken, None if too few are left."""
        at, end = self._at, self._at + size
        if end > self._end:
            return None
        self._at = end + -end % _ALIGNED
        return memoryview(self._memory)[at:end]

    def place(self, part: pickle.PickleBuffer) -> tuple[int, int] | None:
        """Return where a part begins in the memory, and its bytes; copy it if it is elsewhere."""
        raw = part.raw()
        if raw.nbytes and not raw.readonly:
            start = _address(raw) - _address(self._memory)
            if 0 <= start < len(self._memory):
                return start, raw.nbytes
        start = self._at
        if (taken := self.take(raw.nbytes)) is None:
            return None
        taken[:] = raw
        return start, raw.nbytes


_room: ContextVar[_Room | None] = ContextVar("_room", default=None)
"""Where the answer goes that is being made."""


def _address(memory: memoryview | mmap.mmap) -> int:
    """Return where memory that can be written to begins."""
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


@lru_cache(maxsize=1)
def _mapped(path: str, inode: int) -> mmap.mmap:
    """Map memory of another process into this one, which keeps it for the next answers."""
    file = os.open(path, os.O_RDWR)
    try:
        if os.fstat(file).st_ino != inode:
            raise FileNotFoundError(path)
        return mmap.mmap(file, 0)
    finally:
        os.close(file)
