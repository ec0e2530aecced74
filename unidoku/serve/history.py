"""The states of a puzzle in the order of its edits: undo has no limit, and takes little memory."""

from __future__ import annotations

import pickle
import zlib

from unidoku.serve.document import State

_BLOCK = 64
"""States that are packed together."""


class History:
    """States, one of which is the present one.

    Those long before it are packed: their texts are nearly alike, so that a state of a file with
    twenty rules takes less than a hundred bytes.

    Args:
        state: the first state.
    """

    def __init__(self, state: State) -> None:
        """Begin with one state."""
        self._packed: list[bytes] = []
        self._near = [state]
        self._at = 0

    @property
    def present(self) -> State:
        """The present state."""
        return self._near[self._at]

    @property
    def undoable(self) -> int:
        """The number of states before the present one."""
        return len(self._packed) * _BLOCK + self._at

    @property
    def redoable(self) -> int:
        """The number of states that were undone."""
        return len(self._near) - 1 - self._at

    def push(self, state: State) -> None:
        """Make a state the present one; those that were undone are forgotten."""
        del self._near[self._at + 1 :]
        self._near.append(state)
        self._at += 1
        if len(self._near) > 3 * _BLOCK:
            block, self._near = self._near[:_BLOCK], self._near[_BLOCK:]
            self._packed.append(zlib.compress(pickle.dumps(block)))
            self._at -= _BLOCK

    def undo(self) -> None:
        """Go back by a state, if there is one."""
        if not self._at and self._packed:
            self._near[:0] = pickle.loads(zlib.decompress(self._packed.pop()))
            self._at = _BLOCK
        self._at = max(self._at - 1, 0)

    def redo(self) -> None:
        """Go forward by a state, if there is one."""
        self._at = min(self._at + 1, len(self._near) - 1)
