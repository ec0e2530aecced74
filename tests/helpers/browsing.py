"""The browser that pages are tested in: Debian's Chromium, kept off the network."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser, and end it."""
    path = shutil.which("chromium")
    assert path, "these tests need a browser: install Debian's package chromium"
    expect.set_options(timeout=20_000)  # milliseconds; the machine may be busy
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


@contextmanager
def opened_offline(
    browser: Browser, file: Path, view: str = "", *, refused: int = 0, **options: Any
) -> Iterator[Page]:
    """Open a file offline; what it asks for, and what it complains of, is checked at the end.

    Args:
        browser: the browser.
        file: the page.
        view: what follows its address.
        refused: number of parts that the page's own security policy must refuse.
        options: options of the browser's context.
    """
    context = browser.new_context(offline=True, **options)
    page = context.new_page()
    complaints: list[str] = []
    asked: set[str] = set()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.add(request.url.partition("#")[0]))
    page.goto(file.as_uri() + view)
    if options.get("java_script_enabled", True):
        page.wait_for_selector("html[data-ready]", state="attached")
    yield page
    assert len(complaints) == refused, complaints
    assert all("Content Security Policy" in text for text in complaints)
    assert asked == {file.as_uri()}, asked
    context.close()
