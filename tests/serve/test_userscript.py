"""Rangsk's userscript itself, in a page that has the functions of f-puzzles that it uses.

The file belongs to others and is not in this tree. ``USERSCRIPT=FILE pytest
tests/serve/test_userscript.py`` runs these tests with UserScripts/Fpuzzles-SudokuSolver.user.js of
https://github.com/dclamage/SudokuSolver.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Page

from tests.helpers.browsing import chromium
from unidoku import is_solution, load
from unidoku.analysis.candidate_counts import candidate_counts
from unidoku.core.board import Board
from unidoku.serve import rangsk
from unidoku.serve.run import _Server

FILE = os.environ.get("USERSCRIPT", "")

pytestmark = pytest.mark.skipif(not FILE, reason="USERSCRIPT names no userscript of Rangsk")

ORIGIN = "https://f-puzzles.com"

PATIENCE = 30

GLOBALS = """
var canvas = { width: 1920, height: 1080 }, ctx = {}, lineWW = 1;
var buttonW = 200, buttonLH = 60, buttonSH = 40, buttonGap = 10;
var mode = "Solving", currentTool = "", tempEnterMode = "", previewMode = false, popup = null;
var constraints = {}, cosmetics = {}, popups = { export: { w: 1, h: 1 } };
var buttons = [], sidebars = [];
var boolSettings = [], defaultSettings = [], changes = [], changeIndex = 0, consoleLines = [];
var size = 4, grid = [];
var consoleOutput = { style: { top: "10%", height: "50%" } };
var cID = (name) => name.toLowerCase().replaceAll(" ", "");
var log = (text) => consoleLines.push(text), clearConsole = () => { consoleLines.length = 0; };
var saveSettings = () => {}, drawPopups = () => {}, createOtherButtons = () => {};
var togglePopup = (name) => { popup = name; };
var generateCandidates = () => {}, resetKnownPuzzleInformation = () => {}, onInputEnd = () => {};
var forgetFutureChanges = () => { changes = changes.slice(0, changeIndex + 1); };
var clearChangeHistory = () => {
    changeIndex = 0; changes = [{ state: exportPuzzle(true), solving: true }];
};
class button {
    constructor(x, y, w, h, modes, id, title) {
        Object.assign(this, { x, y, w, h, modes, id, title });
    }
    hovering() { return true; }
    click() { boolSettings[this.id] = !boolSettings[this.id]; return true; }
}
var cell = function (i, j) {
    Object.assign(this, { i, j, value: 0, given: false, region: 0, highlight: 0 });
    Object.assign(this, { candidates: [], centerPencilMarks: [], cornerPencilMarks: [] });
    this.enter = () => {};
    this.showTop = () => {};
};
var side = (title, ...titles) => {
    sidebars.push({ title, sections: [{ y: 100 }],
                    buttons: titles.map((t, at) => new button(0, at * 70, 200, 60, [], t, t)) });
};
var createSidebarConsole = () => side("Console",
    "Solution Path", "Step", "Check", "Solution Count");
var createSidebarMain = () => side("Main", "Solve");

// LZ-string in base64, without phrases: what is compressed here is read again from a table.
var texts = new Map();
var compressor = {
    decompressFromBase64: (data) => texts.get(data),
    compressToBase64: (text) => {
        const codes = new Map(), bits = [];
        let width = 2, next = 3, left = 2;
        const put = (value, count) => {
            for (let bit = 0; bit < count; bit++) bits.push(value >> bit & 1);
        };
        const grow = () => { next++; if (--left === 0) left = 2 ** width++; };
        for (const [at, letter] of [...text].entries()) {
            if (codes.has(letter)) put(codes.get(letter), width);
            else {
                put(0, width); put(letter.charCodeAt(0), 8);
                codes.set(letter, next);
                if (at > 0) grow();
            }
            if (at > 0) grow(); else { next = 4; left = 4; width = 3; }
        }
        put(2, width);
        while (bits.length % 6 || !bits.length) bits.push(0);
        let data = "";
        for (let at = 0; at < bits.length; at += 6)
            data += "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[
                bits.slice(at, at + 6).reduce((sum, bit) => 2 * sum + bit, 0)];
        while (data.length % 4) data += "=";
        texts.set(data, text);
        return data;
    },
};
var exportPuzzle = () => compressor.compressToBase64(JSON.stringify({
    size, title: "", author: "", ruleset: "", highlightConflicts: true,
    grid: grid.map((row) => row.map((c) => {
        const entry = {};
        if (c.value) entry.value = c.value;
        if (c.given) entry.given = true;
        if (c.centerPencilMarks.length) entry.centerPencilMarks = c.centerPencilMarks;
        return entry;
    })),
}));
var importPuzzle = () => {};
var press = (title) => [...buttons, ...sidebars.flatMap((s) => s.buttons)]
    .find((b) => (b.origTitle ?? b.title) === title).click();
var begin = (rows) => {
    grid = [...rows].map((row, i) => [...row].map((digit, j) => {
        const made = new cell(i, j);
        if (digit > 0) Object.assign(made, { value: +digit, given: true });
        return made;
    }));
    size = grid.length;
    clearChangeHistory();
};
"""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", rangsk.PORT))  # the userscript asks at no other
        listener.listen()
        server = _Server(rangsk.application(), takes_signals=False)
        thread = Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
        thread.start()
        try:
            with chromium() as browser:
                context = browser.new_context()
                # The browser asks whether f-puzzles may reach programs of this machine.
                context.grant_permissions(["local-network-access"], origin=ORIGIN)
                shown = context.new_page()
                shown.route("**/*", lambda route: route.fulfill(body="", content_type="text/html"))
                shown.goto(f"{ORIGIN}/")
                shown.add_script_tag(content=GLOBALS)
                shown.evaluate("createSidebarConsole(); createSidebarMain(); begin(['1', '2'])")
                shown.add_script_tag(content=Path(FILE).read_text(encoding="utf-8"))
                shown.wait_for_function("buttons.some(b => b.title === 'Connect')")
                shown.evaluate("createSidebarConsole(); createSidebarMain(); press('Connect')")
                shown.wait_for_function("buttons.some(b => b.title === 'Disconnect')")
                yield shown
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


def begin(page: Page, rows: str) -> Board:
    page.evaluate("rows => { consoleLines.length = 0; begin(rows.split(' ')); }", rows)
    return Board.parse(rows)


def printed(page: Page, words: str) -> str:
    """Return what the console says once it has these words."""
    page.wait_for_function("words => consoleLines.join('\\n').includes(words)", arg=words)
    return str(page.evaluate("consoleLines.join('\\n')"))


MARKS = "grid.flat().map(c => c.value ? [c.value] : c.centerPencilMarks)"


def values(page: Page) -> list[int]:
    numbers: list[int] = page.evaluate("grid.flat().map(c => c.value)")
    return numbers


def test_check_and_count_are_written_in_the_console(page: Page) -> None:
    begin(page, "1... ..2. .3.. ...4")
    page.evaluate("press('Check')")
    printed(page, "There is a unique solution.")
    begin(page, "1... .... .... ...2")
    page.evaluate("press('Check')")
    printed(page, "There are multiple solutions.")
    begin(page, "1... .... .... ...2")
    page.evaluate("press('Solution Count')")
    right = load("norvig").solve(Board.parse("1... .... .... ...2"), solutions=None, keep=0).count
    printed(page, f"There are exactly {right} solutions.")
    begin(page, "1... 1... .... ....")
    page.evaluate("press('Check')")
    printed(page, "no solutions")


def test_solve_fills_the_grid(page: Page) -> None:
    board = begin(page, "1... .... .... ...2")
    page.evaluate("press('Solve')")
    page.wait_for_function("grid.flat().every(c => c.value)")
    assert is_solution(board, values(page))


@pytest.mark.parametrize("cap", [1, 5])
def test_true_candidates_stay_right_after_each_edit(page: Page, cap: int) -> None:
    board = begin(page, "1... .... .... ...2")
    page.evaluate("cap => { boolSettings['SolutionCap'] = cap; press('True Candid.'); }", cap)

    def agree(board: Board) -> None:
        counts = candidate_counts(board, most=cap).counts
        right = [[v for v, n in enumerate(row, start=1) if n] for row in counts]
        text = str(right).replace(" ", "")
        page.wait_for_function(f"text => JSON.stringify({MARKS}) === text", arg=text)

    agree(board)
    page.evaluate(
        "Object.assign(grid[1][2], { value: 3, given: true });"
        "changeIndex++; changes.push({ state: exportPuzzle(true), solving: true })"
    )
    agree(Board.parse("1... ..3. .... ...2"))
    colours = page.evaluate("grid.flat().filter(c => c.centerPencilMarkColors).length")
    assert (colours > 0) == (cap > 1)
    page.evaluate("press('True Candid.')")


def test_steps_lead_to_the_solution_and_the_path_has_words(page: Page) -> None:
    board = begin(page, "1... ..2. .3.. ...4")
    page.evaluate("press('Step')")
    printed(page, "Initial candidates.")
    for _ in range(30):
        page.evaluate("consoleLines.length = 0; press('Step')")
        page.wait_for_function("consoleLines.length > 0")
        if 0 not in values(page):
            break
    assert is_solution(board, values(page))
    begin(page, "1... ..2. .3.. ...4")
    page.evaluate("press('Solution Path')")
    page.wait_for_function("grid.flat().every(c => c.value)")
    assert page.evaluate("consoleLines.join('').split('\\n').length") > 5


def test_a_count_and_an_estimate_go_on_until_they_are_cancelled(page: Page) -> None:
    begin(page, " ".join(["." * 9] * 9))
    page.evaluate("press('Solution Count')")
    printed(page, "solutions so far")
    page.evaluate("press('Solution Count')")
    printed(page, "Operation canceled.")
    page.evaluate("press('Estimate Count')")
    text = printed(page, "95% CI")
    assert "e+21" in text
    page.evaluate("press('Estimate Count')")
    printed(page, "Operation canceled.")
