"""The workbench in a notebook: its page in a frame, and its messages to the kernel."""

from __future__ import annotations

import asyncio
import base64
import queue
import time
from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import unidoku
from tests.helpers.browsing import chromium
from tests.helpers.programs import needs
from unidoku.serve.page import part

pytestmark = [pytest.mark.browser, needs("chromium")]

PATIENCE = 30


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    running = asyncio.new_event_loop()
    thread = Thread(target=running.run_forever)
    thread.start()
    yield running

    async def end() -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run_coroutine_threadsafe(end(), running).result(PATIENCE)
    running.call_soon_threadsafe(running.stop)
    thread.join(PATIENCE)
    running.close()


def until(happens: Callable[[], object], page: Page, answers: queue.Queue[Any]) -> None:
    """Pass on what the kernel sends until something has happened."""
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end
        while not answers.empty():
            page.evaluate("content => fromKernel(content)", answers.get())
        page.wait_for_timeout(20)


def test_a_board_is_edited_in_a_notebook(
    loop: asyncio.AbstractEventLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = unidoku.edit("1... ..2. .3.. ...4")
    answers: queue.Queue[Any] = queue.Queue()
    monkeypatch.setattr(editor, "_send", lambda view, **c: answers.put({"view": view, **c}))
    module = base64.b64encode(part("widget.js").encode()).decode()
    with chromium() as browser:
        page = browser.new_context(offline=True).new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))

        def to_kernel(content: object) -> None:
            loop.call_soon_threadsafe(editor._receive, None, content, None)

        page.expose_function("toKernel", to_kernel)
        page.evaluate(
            """async source => {
                const calls = [];
                window.fromKernel = content => calls.forEach(call => call(content));
                const model = { send: toKernel, on: (_, call) => calls.push(call), off: () => {} };
                (await import(source)).default.render({ model, el: document.body });
            }""",
            f"data:text/javascript;base64,{module}",
        )
        frame = page.frame_locator("iframe")
        until(lambda: frame.locator("[role=gridcell]").count() == 16, page, answers)
        until(lambda: frame.locator(".lamp[data-kind=good]").count(), page, answers)
        expect(frame.get_by_role("tab")).to_have_text(
            ["Rules", "Solve", "Compare", "Print", "File"]
        )
        frame.locator("[data-cell='1']").click()
        page.keyboard.press("2")
        until(lambda: editor.board.givens[1] == 2, page, answers)
        assert editor.text.startswith("version = 1")
        assert unidoku.Board.parse("12.. ..2. .3.. ...4") == editor.board
        frame.get_by_role("tab", name="Print").click()
        frame.get_by_label("Heading").fill("5b")
        pages = frame.frame_locator("iframe")
        until(lambda: pages.get_by_text("5b").count(), page, answers)
        frame.get_by_role("tab", name="Compare").click()
        until(lambda: frame.get_by_role("button", name="norvig").count(), page, answers)
        assert complaints == []


def test_an_editor_takes_boards_texts_and_puzzles() -> None:
    puzzle = unidoku.Puzzle(unidoku.Board.parse("1... ..2. .3.. ...4"), "One", 1)
    assert repr(unidoku.edit(puzzle)) == "<Editor: One>"
    assert unidoku.edit("." * 36).board.layout.n == 6
    with pytest.raises(unidoku.InputError):
        unidoku.edit("nonsense")
