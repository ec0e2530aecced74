"""The browser that pages are tested in: Debian's Chromium, kept off the network."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--renderer-process-limit=1",
)


PATIENCE = 60_000
"""Milliseconds that a page has for what a test expects: the machine may be busy."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser, and end it."""
    path = shutil.which("chromium")
    assert path, "these tests need a browser: install Debian's package chromium"
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


def _page(browser: Browser, options: dict[str, Any]) -> Page:
    """Return an empty page of a context with these options, which all tests of a module share.

    A new page takes four times as much as a file that is opened in one that is there.
    """
    contexts: dict[str, BrowserContext] = vars(browser).setdefault("contexts", {})
    context = contexts.get(repr(options))
    if context is None or not context.pages:
        context = contexts[repr(options)] = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        context.new_page()
    return context.pages[0]


def findings(page: Page, *, contrast: bool = False) -> list[str]:
    """Return what axe-core finds on a page: of WCAG 2.2 AA, and of good practice.

    Args:
        page: the page.
        contrast: whether it looks at the contrast of each text too, which takes seconds.
    """
    source = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    page.evaluate(f"if (!window.axe) {{ {source} }}")
    violations = page.evaluate(
        """async contrast => (await axe.run(document, {
            iframes: false, resultTypes: ["violations"],
            rules: { "color-contrast": { enabled: contrast } },
        })).violations.flatMap(rule =>
            rule.nodes.map(node => `${rule.id}: ${node.html.slice(0, 300)}`))""",
        contrast,
    )
    assert isinstance(violations, list)
    return violations


@contextmanager
def watched_page(browser: Browser, **options: Any) -> Iterator[tuple[Page, list[str], list[str]]]:
    """Yield an empty page, and the lists of what it complains of and of the addresses it asks for.

    Args:
        browser: the browser.
        options: options of the browser's context.
    """
    page = _page(browser, options)
    complaints: list[str] = []
    asked: list[str] = []
    listeners: dict[Any, Callable[[Any], object]] = {
        "console": lambda message: complaints.append(message.text),
        "pageerror": lambda error: complaints.append(str(error)),
        "request": lambda request: asked.append(request.url),
    }
    events: Any = page  # whose types know each event by its name only
    for event, listener in listeners.items():
        events.on(event, listener)
    is_clean = False
    try:
        yield page, complaints, asked
        for event, listener in listeners.items():
            events.remove_listener(event, listener)
        if options.get("java_script_enabled", True):
            page.evaluate("localStorage.clear()")
        page.mouse.move(0, 0)
        page.goto("about:blank")
        is_clean = True
    finally:
        if not is_clean:
            page.close()


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
    with watched_page(browser, offline=True, **options) as (page, complaints, asked):
        page.goto(file.as_uri() + view)
        if options.get("java_script_enabled", True):
            page.wait_for_selector("html[data-ready]", state="attached")
        yield page
        assert len(complaints) == refused, complaints
        assert all("Content Security Policy" in text for text in complaints)
        assert {address.partition("#")[0] for address in asked} == {file.as_uri()}, asked
