"""Backends that remember what they searched, for the tests of what a comparison times."""

from __future__ import annotations

import os
import time
from typing import ClassVar

from unidoku.backends.adapters.norvig import SPEC, Norvig
from unidoku.backends.base import Capabilities, Request, Result
from unidoku.core.board import Board
from unidoku.core.layout import Layout


class Remembers:
    """Keeps every board that an instance has searched, and all instances."""

    capabilities: ClassVar[Capabilities] = SPEC.capabilities
    instances: ClassVar[list[Remembers]] = []

    def __init__(self) -> None:
        self.boards: list[Board] = []
        self.prepared: list[Layout] = []
        self.instances.append(self)

    def prepare(self, layout: Layout) -> None:
        self.prepared.append(layout)

    def search(self, board: Board, request: Request) -> Result:
        self.boards.append(board)
        return Norvig().search(board, request)


class Learns(Remembers):
    """Answers a board at once that it has searched before, and takes 2 ms for any other."""

    instances: ClassVar[list[Remembers]] = []

    def search(self, board: Board, request: Request) -> Result:
        if board not in self.boards:
            time.sleep(0.002)
        return super().search(board, request)


class DiesOnOnes(Norvig):
    """Ends its process on boards whose first cell is given as 1."""

    capabilities: ClassVar[Capabilities] = SPEC.capabilities

    def search(self, board: Board, request: Request) -> Result:
        if board.givens[0] == 1:
            os._exit(3)
        return super().search(board, request)
