"""The workbench in a notebook: the same page and the same messages, without a server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.layout import Layout
from unidoku.formats import Puzzle
from unidoku.serve import comparing, printing, versions
from unidoku.serve.describing import puzzle_of
from unidoku.serve.document import State, text_of
from unidoku.serve.page import in_one, part
from unidoku.serve.protocol import LARGEST
from unidoku.serve.workbench import Connection, Workbench
from unidoku.support.arguments import named_arguments
from unidoku.support.extras import command, is_installed, not_installed


class Editor:
    """An editor of a puzzle; a notebook shows it below the cell whose value it is.

    Attributes:
        widget: the widget, for notebooks that combine widgets.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        """Begin with a puzzle."""
        import anywidget

        jobs = comparing.JOBS | printing.JOBS | versions.JOBS
        self._workbench = Workbench(State.of(text_of(puzzle)), None, Path(), jobs)
        self._views: dict[str, Connection] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.widget: Any = anywidget.AnyWidget(_esm=part("widget.js"))
        self.widget.on_msg(self._receive)

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as it is now, without the rules that are switched off."""
        return puzzle_of(self._workbench.state)

    @property
    def board(self) -> Board:
        """Its board: the givens, without what was entered in solving."""
        return self.puzzle.board

    @property
    def text(self) -> str:
        """Its puzzle file."""
        return self._workbench.state.text

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return self.widget._repr_mimebundle_(**options)

    def __repr__(self) -> str:
        """Return what is edited, in a line."""
        return f"<Editor: {self.puzzle.name or self.board.layout.name}>"

    def _receive(self, _: object, content: Any, __: object) -> None:
        """Take a message of a view: its name, and a text for the workbench or none."""
        view, text = content.get("view"), content.get("text")
        if not isinstance(view, str):
            return
        if text is None:  # it asks for the page
            self._send(view, page=in_one())
            return
        if not isinstance(text, str) or len(text) > LARGEST:
            return
        if view not in self._views:
            self._views[view] = Connection()
            self._workbench.join(self._views[view])
            self._run(self._pass_on(view))
        self._run(self._workbench.receive(self._views[view], text))

    def _run(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _pass_on(self, view: str) -> None:
        connection = self._views[view]
        while (text := await connection.next_message()) is not None:
            self._send(view, text=text)
        self._workbench.leave(self._views.pop(view))

    def _send(self, view: str, **content: str) -> None:
        self.widget.send({"view": view, **content})


@named_arguments
def edit(board: BoardLike | Puzzle, /, *, variant: str | Layout | None = None) -> Editor:
    """Return an editor for a notebook: the workbench of `unidoku serve` in an output.

    The puzzle that is edited can be had from it at any time: ``editor.board``, ``editor.text``.
    Needs the extra ``unidoku[widget]``.

    Args:
        board: the puzzle: a board, a text, rows of values, or a puzzle with name and rules.
        variant: how to read a text or rows, as in `unidoku.solve`.

    Raises:
        InputError: the board cannot be read, or has a rule of a class of yours.
        NotInstalledError: anywidget is missing.
    """
    if not is_installed("anywidget"):
        raise not_installed("unidoku.edit needs anywidget", command("widget"))
    puzzle = board if isinstance(board, Puzzle) else Puzzle(as_board(board, variant), "", 1)
    return Editor(puzzle)
