"""Make the pictures of the workbench: a puzzle is set from an empty grid, as a person would.

Usage: python docs/make_workbench.py
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from make_screenshot import QUIET
from playwright.sync_api import Page, sync_playwright

IMAGES = Path(__file__).parent / "images"

CAGES = {"B9 C9": "11", "D4 D5 E5 D6": "19", "E2 E3 E4": "21", "H8 H9 I9": "17"}

THERMOMETERS = (
    "F8 E7 F6 F5 F4 E4 D3",
    "B3 C4 B5 B6 B7 A8",
    "G4 G3 F3 G2 H2 I1",
    "A7 B8 C9 C8 D9 D8",
    "G5 H6 I7 I6 I5 H4",
)


def middle(page: Page, name: str) -> tuple[float, float]:
    """Return the middle of a cell of a 9x9 board on the screen."""
    cell = 9 * (ord(name[0]) - ord("A")) + int(name[1]) - 1
    box = page.locator(f'[data-cell="{cell}"]').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, names: str, *, up: bool = True) -> None:
    """Drag over cells."""
    first, *rest = names.split()
    page.mouse.move(*middle(page, first))
    page.mouse.down()
    for name in rest:
        page.mouse.move(*middle(page, name), steps=4)
    if up:
        page.mouse.up()


def choose(page: Page, kind: str) -> None:
    """Choose a kind of rule with the keyboard."""
    page.keyboard.press("/")
    page.keyboard.type(kind)
    page.keyboard.press("Enter")


def picture(page: Page, name: str) -> None:
    """Take a picture once nothing changes any more."""
    page.wait_for_timeout(1500)
    page.screenshot(path=str(IMAGES / f"serve-{name}.png"))


def set_puzzle(page: Page) -> None:
    """Set the puzzle, and make its links."""
    choose(page, "thermo")
    for names in THERMOMETERS[:2]:
        drag(page, names)
        page.wait_for_timeout(300)
    drag(page, THERMOMETERS[2], up=False)
    picture(page, "draw")
    page.mouse.up()
    for names in THERMOMETERS[3:]:
        drag(page, names)
        page.wait_for_timeout(300)
    choose(page, "cage")
    for names, total in CAGES.items():
        drag(page, names)
        page.keyboard.type(total)
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)
        if total == "21":
            page.keyboard.press("Escape")
            page.keyboard.press("t")
            picture(page, "set")
            choose(page, "cage")
    page.keyboard.press("Escape")
    page.get_by_label("Name of the puzzle").fill("Boiler Room")
    page.keyboard.press("Enter")
    page.wait_for_selector('.lamp[data-kind="good"]')
    for _ in range(3):
        page.keyboard.press("h")
        page.wait_for_timeout(500)
    picture(page, "hint")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    page.get_by_role("button", name="Make links").click()
    page.wait_for_selector(".link")
    page.get_by_role("button", name="Preview sudokupad").click()
    page.wait_for_selector(".preview svg")
    picture(page, "links")
    page.get_by_role("tab", name="Compare").click()
    page.wait_for_selector("#panel-compare .chip")
    page.get_by_role("button", name="Compare", exact=True).click()
    page.wait_for_selector("iframe", timeout=120_000)
    picture(page, "compare")
    page.get_by_role("tab", name="Print").click()
    page.get_by_role("button", name="Make", exact=True).click()
    page.wait_for_selector(".made li:nth-child(6)", timeout=120_000)
    page.get_by_label("Heading").fill("Class 5b, Monday")
    for words in ("line for a name", "level", "solutions"):
        page.get_by_label(words, exact=True).check()
    page.wait_for_selector("#panel-print iframe")
    page.wait_for_timeout(1000)
    picture(page, "print")
    page.get_by_role("button", name="Play-test").click()
    page.wait_for_timeout(1000)
    picture(page, "play")


def main() -> None:
    """Take all pictures."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("expected Debian's chromium on the path, found none: apt-get install chromium")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "unidoku", "serve", "boiler-room.toml", "--no-browser"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder)
        assert server.stdout is not None
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        page = browser.new_page(viewport={"width": 1200, "height": 720})
        page.goto(server.stdout.readline().strip())
        page.wait_for_selector("html[data-ready]", state="attached")
        set_puzzle(page)
        browser.close()
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
