"""The workbench of one puzzle: its history, its file, and the pages that look at it.

Everything here happens in the thread of the event loop, except for what is awaited in threads:
edits one after another, questions at the same time.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from unidoku.errors import Cancelled, InputError, OutputError, UnidokuError
from unidoku.serve import describing
from unidoku.serve.answering import Answer, Report, warm_up
from unidoku.serve.document import State, Version, new_text, text_of
from unidoku.serve.edits import EDITS
from unidoku.serve.files import FileOnDisk, checked_name, signature_of
from unidoku.serve.history import History
from unidoku.serve.notes import remember, remember_view, remembered_view
from unidoku.serve.pasting import read_pasted
from unidoku.serve.protocol import MessageError, Request, read_message, written
from unidoku.serve.questions import QUESTIONS
from unidoku.support.atomic_write import write_text
from unidoku.support.cancel import in_thread
from unidoku.support.deadline import check_time_limit
from unidoku.support.memory_limit import KEEPS_MEMORY_LIMITS
from unidoku.support.notation import named_by, notation

_LOG = logging.getLogger(__name__)

_LOOK = 0.15
"""Seconds between two looks at the file on disk."""

_AGAIN = 2.0
"""Seconds after which a file that could not be written is tried again."""

_MOST_PAGES = 20
"""Pages of comparisons and for printing that are kept."""

_LARGEST_PAGES = 1 << 25
"""The most characters of these pages, except for the last one."""

_MOST_VERSIONS = 50

_MOST_WAITING = 1 << 24
"""The most bytes of messages that wait for a page that does not read them."""

_PATIENCE = 0.3
"""Seconds that what has been cancelled gets to end, before the server ends without it."""

T = TypeVar("T")

Job = Callable[["Workbench", Request, Report], Any]


@dataclass(eq=False)
class Connection:
    """A page, or another client.

    Args:
        outgoing: messages for it, which somebody sends; None ends the connection.
        running: the task of each kind of question.
        seen: the key of the board that it was sent last.
        waiting: the bytes of these messages.
        is_dropped: whether it is given up, as the client does not read.
        drop: function that ends the connection then.
    """

    outgoing: asyncio.Queue[str | None] = field(default_factory=asyncio.Queue)
    running: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    seen: str = ""
    waiting: int = 0
    is_dropped: bool = False
    drop: Callable[[], object] = lambda: None

    def post(self, message: Mapping[str, Any]) -> None:
        """Have a message sent; a client that does not read is dropped."""
        if self.is_dropped:
            return
        text = written(message)  # in ASCII
        if self.waiting and self.waiting + len(text) > _MOST_WAITING:
            self.is_dropped = True
            while not self.outgoing.empty():
                self.outgoing.get_nowait()
            self.outgoing.put_nowait(None)
            self.drop()
            return
        self.waiting += len(text)
        self.outgoing.put_nowait(text)

    async def next_message(self) -> str | None:
        """Wait for a message that is to be sent; None ends the connection."""
        text = await self.outgoing.get()
        self.waiting -= len(text or "")
        return text

    def stop(self, kind: str | None = None) -> None:
        """Cancel the question of a kind, or all of them."""
        for name, task in self.running.items():
            if kind in (None, name):
                task.cancel()


class Workbench:
    """The puzzle, its history, its file and its connections.

    Args:
        state: the first state.
        file: the file on disk; None if the puzzle has none yet.
        folder: the folder in which the puzzle may be saved under a new name.
        jobs: further commands that are answered in a thread.
        versions: states that were kept under a name.
    """

    def __init__(
        self,
        state: State,
        file: FileOnDisk | None,
        folder: Path,
        jobs: Mapping[str, Job],
        versions: Iterable[Version] = (),
    ) -> None:
        """Begin a history."""
        self.file = file
        self.folder = folder
        self.reports: dict[str, str] = {}
        self.versions = [*versions]
        self.view = remembered_view()
        self._jobs = jobs
        self._history = History(state)
        self._connections: set[Connection] = set()
        self._editing = asyncio.Lock()
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._is_writing = False
        self._noted = self._to_remember() if self._is_saved else None
        self._memory: Path | None = None
        self._named = ExitStack()
        # However many questions there are, an edit waits for none of them, and neither does saving.
        self._editor, self._writer = (ThreadPoolExecutor(1) for _ in range(2))

    @property
    def state(self) -> State:
        """The present state."""
        return self._history.present

    @property
    def connections(self) -> int:
        """The number of connections."""
        return len(self._connections)

    def start(self) -> None:
        """Begin to watch the file and to save."""
        loops = (self._watch(), self._save())
        self._tasks = [asyncio.create_task(loop) for loop in loops]
        layout = self.state.content.layout
        self._tasks.append(asyncio.create_task(in_thread(warm_up, layout)))
        if not self._is_saved:
            self._changed.set()

    async def stop(self) -> None:
        """Cancel all questions, and save what is not saved.

        Raises:
            OutputError: it could not be saved.
        """
        running = [task for c in self._connections for task in c.running.values()]
        for connection in self._connections:
            connection.stop()
        for task in self._tasks:
            task.cancel()
        await self._write()
        memory = await self._remember()
        if tasks := [*running, *self._tasks]:
            await asyncio.wait(tasks, timeout=_PATIENCE)
        self._named.close()
        self._editor.shutdown(wait=False)
        self._writer.shutdown(wait=False)
        if self.file is not None and not self._is_saved:
            raise OutputError(_unsaved(self.file, self.state.text, memory))

    @property
    def _is_saved(self) -> bool:
        """Whether the file has the present text, or nobody has touched an empty board yet."""
        file = self.file
        if file is None or file.text == self.state.text:
            return True
        is_new = not file.text and not self._history.undoable and signature_of(file.path) is None
        return is_new and self.state.text == new_text(9, "classic")

    def keep_page(self, page: str, instead: str = "") -> str:
        """Keep a page of HTML for browsers to fetch; return its key in the address.

        The oldest pages are dropped once there are many, or they are large together.

        Args:
            page: the page.
            instead: key of an earlier page to drop.
        """
        key = secrets.token_hex(8)
        pages = self.reports
        pages.pop(instead, None)
        while pages and (
            len(pages) >= _MOST_PAGES or sum(map(len, pages.values())) + len(page) > _LARGEST_PAGES
        ):
            del pages[next(iter(pages))]
        self.reports[key] = page
        return key

    def join(self, connection: Connection) -> None:
        """Add a connection."""
        self._connections.add(connection)

    def leave(self, connection: Connection) -> None:
        """Remove a connection, and end what it asked for."""
        self._connections.discard(connection)
        connection.stop()

    async def receive(self, connection: Connection, text: str) -> None:
        """Do what a message asks for, or answer why it cannot be done."""
        try:
            request = read_message(text)
        except MessageError as error:
            connection.post({"nonce": error.nonce, "error": describing.reason(error)})
            return
        if request.command in QUESTIONS or request.command in self._jobs:
            self._ask(connection, request)
            return
        try:
            answer = await self._carry_out(connection, request)
        except Exception as error:  # noqa: BLE001 - one message must not end the connection
            answer = _failure(request, error)
        connection.post(self._about(request, **answer))

    def _about(self, request: Request, digest: str = "", **answer: Any) -> dict[str, Any]:
        about = {"nonce": request.nonce, "command": request.command}
        return {**about, "digest": digest or self.state.digest, **answer}

    async def _carry_out(self, connection: Connection, request: Request) -> Answer:
        match request.command:
            case "open":
                connection.seen = ""
                self._show(connection)
            case "kinds":
                return {"kinds": describing.kinds()}
            case "cancel":
                connection.stop(request.fields["kind"])
            case "undo":
                self._history.undo()
                self._has_changed()
            case "redo":
                self._history.redo()
                self._has_changed()
            case "version-keep":
                others = [v for v in self.versions if v.name != request.fields["name"]]
                self._set_versions([*others, Version(request.fields["name"], self.state)])
            case "version-remove":
                version = self.version(request.fields["index"])
                self._set_versions([v for v in self.versions if v is not version])
            case "version-take":
                self.push(self.version(request.fields["index"]).state)
            case "notation":
                self._named.close()
                self._named.enter_context(named_by(request.fields["names"]))
                describing.board_of.cache_clear()
                for other in self._connections:
                    other.seen = ""
                self.show()
            case "view":
                self.view |= request.fields
                await asyncio.to_thread(remember_view, self.view)
                self.show()
            case "report":
                return {"page": self.reports.get(request.fields["key"], "")}
            case "save":
                await self._save_as(request.fields["name"])
            case "resolve":
                await self._resolve(request.fields["keep"])
            case "paste":
                return await self._paste(request)
            case name if name not in EDITS:
                raise InputError(f"{name}: not served here")
            case name:
                edit = EDITS[name]
                async with self._editing:
                    self.push(await self._edited(edit, self.state, request.fields))
        return {}

    async def _edited(self, edit: Callable[..., State], *arguments: Any) -> State:
        """Return the state that an edit makes, and have its board described too, in a thread."""

        def described() -> State:
            state = edit(*arguments)
            describing.board_of(state.text, state.ignored, state.hidden)
            describing.written(state)
            return state

        return await asyncio.get_running_loop().run_in_executor(self._editor, described)

    def push(self, state: State) -> None:
        """Make a state the present one; those that were undone are forgotten."""
        if state != self.state:
            self._history.push(state)
            self._has_changed()

    def _has_changed(self) -> None:
        self._changed.set()
        self.show()

    def version(self, index: int) -> Version:
        """Return the version with an index.

        Raises:
            InputError: there is none.
        """
        if index >= len(self.versions):
            raise InputError(f"index: expected one of {len(self.versions)} versions, got {index}")
        return self.versions[index]

    def _set_versions(self, versions: list[Version]) -> None:
        self.versions = versions[-_MOST_VERSIONS:]
        self._changed.set()
        self.show()

    def show(self) -> None:
        """Send the state to all connections."""
        for connection in [*self._connections]:
            self._show(connection)

    def _show(self, connection: Connection) -> None:
        state = self.state
        board = describing.board_of(state.text, state.ignored, state.hidden)
        message = {
            "event": "state",
            "digest": state.digest,
            "undo": self._history.undoable,
            "redo": self._history.redoable,
            "marks": describing.written(state),
            "file": self._about_file(),
            "versions": [version.name for version in self.versions],
            "names": notation(),
            "view": self.view,
        }
        if connection.seen != board["key"]:
            connection.seen = board["key"]
            message["board"] = board
        connection.post(message)

    def _about_file(self) -> dict[str, Any]:
        file = self.file
        if file is None:
            return {"name": "", "saved": False, "error": "", "conflict": None}
        saved = file.text == self.state.text
        return {
            "name": file.path.name,
            "saved": saved,
            "error": file.error,
            "conflict": None if saved else file.other or None,
        }

    def _ask(self, connection: Connection, request: Request) -> None:
        """Answer a question in a thread; an older one of its kind is cancelled."""
        kind = request.command
        digest = self.state.digest
        connection.stop(kind)
        task = asyncio.create_task(self._answer(connection, request))
        connection.running[kind] = task

        def forget(done: asyncio.Task[None]) -> None:
            if done.cancelled():  # perhaps before it began
                connection.post(self._about(request, digest, cancelled=True))
            if connection.running.get(kind) is done:
                del connection.running[kind]

        task.add_done_callback(forget)

    async def _answer(self, connection: Connection, request: Request) -> None:
        state = self.state
        loop = asyncio.get_running_loop()
        digest = state.digest

        def report(part: Answer) -> None:
            message = self._about(request, digest, partial=True, **part)
            loop.call_soon_threadsafe(connection.post, message)
            check_time_limit()  # raises once it is cancelled

        try:
            if request.command in QUESTIONS:
                question = QUESTIONS[request.command]
                answer = await in_thread(question, state, request.fields, report)
            else:
                answer = await in_thread(self._jobs[request.command], self, request, report)
        except Cancelled:
            answer = {"cancelled": True}
        except Exception as error:  # noqa: BLE001 - one question must not end the connection
            answer = _failure(request, error)
        connection.post(self._about(request, digest, **answer))

    async def _paste(self, request: Request) -> Answer:
        """Replace the puzzle by one that was pasted; the one before can be had back by undo."""
        text, guess = request.fields["text"], request.fields.get("guess", False)
        with suppress(UnidokuError):
            async with self._editing:
                self.push(await self._edited(self.state.with_text, text))
            return {"losses": [], "names": [self.state.content.puzzle.name], "number": 0}
        puzzles = await in_thread(read_pasted, text, guess=guess, untrusted=KEEPS_MEMORY_LIMITS)
        index = request.fields.get("number", 0)
        if index >= len(puzzles):
            raise InputError(f"number: expected one of {len(puzzles)} puzzles, got {index}")
        puzzle = puzzles[index]
        async with self._editing:
            self.push(await self._edited(lambda: State.of(text_of(puzzle))))
        return {
            "losses": [*puzzle.losses.lines()],
            "names": [
                each.name or str(number) for number, each in enumerate(puzzles[:50], start=1)
            ],
            "number": index,
        }

    async def _save_as(self, name: str) -> None:
        path = self.folder / checked_name(name)
        text = self.state.text
        await self._in_turn(write_text, path, text)
        file = FileOnDisk(path)
        file.look()
        file.take()
        self.file = file
        self.show()

    async def _resolve(self, keep: str) -> None:
        """End a conflict; the version that is not kept can be had back by undo."""
        file = self.file
        if file is None or not file.other:
            raise InputError("expected a file that somebody else changed, got none")
        mine = self.state
        if keep == "disk":
            state = mine.with_text(file.other)
            file.take()
            self.push(state)
        else:
            with suppress(UnidokuError):
                self.push(mine.with_text(file.other))
            file.take()
            self.push(mine)
        self._changed.set()
        self.show()

    async def _watch(self) -> None:
        """Look at the file on disk again and again."""
        while True:
            await asyncio.sleep(_LOOK)
            if self.file is not None and not self._is_writing:
                self._look(self.file)

    def _look(self, file: FileOnDisk) -> None:
        """Take what somebody else wrote, if nothing is lost by it."""
        saved = file.text == self.state.text
        try:
            if not file.look():
                return
        except UnidokuError as error:
            file.error = describing.reason(error)
            self.show()
            return
        if file.other:
            try:
                state = self.state.with_text(file.other)
            except UnidokuError as error:
                file.error = f"{file.path.name} on disk: {describing.reason(error)}"
            else:
                if saved or state.text == self.state.text:
                    file.take()
                    self.push(state)
        self.show()

    async def _save(self) -> None:
        """Write each change, one after another."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            await asyncio.sleep(0)
            is_written = await self._write()
            await self._remember()
            if not is_written:
                await asyncio.sleep(_AGAIN)
                self._changed.set()

    async def _remember(self) -> Path | None:
        """Keep what is not in the file, if it was not kept yet; return where it is."""
        noted = self._to_remember()
        if noted != self._noted:
            self._memory = await self._in_turn(remember, *noted)
            self._noted = noted if self._memory else None
        return self._memory

    def _to_remember(self) -> tuple[State, Path | None, tuple[Version, ...], str | None]:
        path, text = (None, None) if self.file is None else (self.file.path, self.file.text)
        return self.state, path, tuple(self.versions), None if self._is_saved else text

    async def _in_turn(self, write: Callable[..., T], *arguments: Any) -> T:
        """Write something, after what else is being written."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, partial(write, *arguments))

    async def _write(self) -> bool:
        """Write the file if it differs; return whether that was possible."""
        file, text = self.file, self.state.text
        if file is None or file.other or self._is_saved:
            return True
        self._is_writing = True
        try:
            await self._in_turn(file.write, text)
        except UnidokuError as error:
            file.error = describing.reason(error)
            self.show()
            return False
        finally:
            self._is_writing = False
        if file.text != text:  # somebody else wrote it first
            self._look(file)
        self.show()
        return True


def _unsaved(file: FileOnDisk, text: str, memory: Path | None) -> str:
    """Return what to do about a puzzle that could not be saved."""
    why = file.error or f"{file.path} was changed by somebody else"
    if memory is None:
        return f"the puzzle is not saved: {why}; it is:\n{text}"
    return f"the puzzle is not saved: {why}; unidoku serve {file.path} has it at the next start"


def _failure(request: Request, error: Exception) -> Answer:
    """Return the answer to a request that failed; a mistake of ours is logged."""
    if isinstance(error, UnidokuError):
        return {"error": describing.reason(error)}
    _LOG.error("%s failed", request.command, exc_info=error)
    return {"error": f"{request.command} failed: {type(error).__name__}: {error}"}
