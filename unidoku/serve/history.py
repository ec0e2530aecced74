"""The states of a puzzle in the order of its edits: undo has no limit, and takes little memory."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from unidoku.serve.document import State

_BLOCK = 64
"""States that are packed together."""

_Change: TypeAlias = tuple[int, int, State]
"""How many characters at both ends of a text are those of the text before, and the state with the
others only. In long texts zlib would not find them: it looks 32 KiB back."""


class History:
    """States, one of which is the present one.

    Those far from it are packed: their texts are nearly alike, so that a state of a file with
    twenty rules takes less than a hundred bytes, and one of the largest files one or two thousand.

    Args:
        state: the first state.

    Attributes:
        present: the present state; other threads may read it at any time.
    """

    def __init__(self, state: State) -> None:
        """Begin with one state."""
        self.present = state
        self._before: list[bytes] = []
        self._near = [state]
        self._after: list[bytes] = []
        self._at = 0

    @property
    def undoable(self) -> int:
        """The number of states before the present one."""
        return len(self._before) * _BLOCK + self._at

    @property
    def redoable(self) -> int:
        """The number of states that were undone."""
        return len(self._after) * _BLOCK + len(self._near) - 1 - self._at

    def push(self, state: State) -> None:
        """Make a state the present one; those that were undone are forgotten."""
        self._after.clear()
        del self._near[self._at + 1 :]
        self._near.append(state)
        self._go_to(self._at + 1)

    def undo(self) -> None:
        """Go back by a state, if there is one."""
        if not self._at and self._before:
            self._near[:0] = _unpacked(self._before.pop())
            self._at = _BLOCK
        self._go_to(max(self._at - 1, 0))

    def redo(self) -> None:
        """Go forward by a state, if there is one."""
        if self._at == len(self._near) - 1 and self._after:
            self._near += _unpacked(self._after.pop())
        self._go_to(min(self._at + 1, len(self._near) - 1))

    def _go_to(self, index: int) -> None:
        """Make a state that is not packed the present one, and pack what is far from it."""
        self._at, self.present = index, self._near[index]
        if len(self._near) <= 3 * _BLOCK:
            return
        if index >= 2 * _BLOCK:
            self._before.append(_packed(self._near[:_BLOCK]))
            del self._near[:_BLOCK]
            self._at -= _BLOCK
        else:
            self._after.append(_packed(self._near[-_BLOCK:]))
            del self._near[-_BLOCK:]


def _packed(states: Sequence[State]) -> bytes:
    return zlib.compress(pickle.dumps([*_changes(states)]))


def _unpacked(data: bytes) -> Iterator[State]:
    text = ""
    for head, tail, state in pickle.loads(zlib.decompress(data)):
        text = text[:head] + state.text + text[len(text) - tail :]
        yield replace(state, text=text)


def _changes(states: Sequence[State]) -> Iterator[_Change]:
    before = ""
    for state in states:
        text = state.text
        head = _common(before, text)
        tail = _common(before[head:][::-1], text[head:][::-1])
        yield head, tail, replace(state, text=text[head : len(text) - tail])
        before = text


def _common(text: str, other: str) -> int:
    """Return with how many equal characters two texts begin; to compare halves is fastest."""
    low, high = 0, min(len(text), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if text.startswith(other[low:middle], low):
            low = middle
        else:
            high = middle - 1
    return low
