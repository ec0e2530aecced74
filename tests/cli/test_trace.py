"""unidoku trace: text, JSON and a page."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.helpers.browsing import opened_offline
from tests.helpers.command_runner import Runner

INKALA = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def test_json_lists_the_nodes_with_their_parents(run: Runner) -> None:
    ran = run("trace", "1.....2..3......", "--backend", "native", "--solutions", "3", "--json")
    found = json.loads(ran.out)
    assert [node["parent"] for node in found["nodes"]] == [None, 0, 1, 1, 0]
    assert found["nodes"][3]["guess"] == {"cell": "A3", "value": 3, "holds": False}
    assert (found["count"], found["stop"], found["solutions"]) == (5, "solutions", 3)


def test_the_page_folds_and_shows_the_board_of_a_node(
    run: Runner, tmp_path: Path, browser: Browser
) -> None:
    file = tmp_path / "tree.html"
    ran = run("trace", INKALA, "--backend", "norvig", "--html", str(file))
    assert (ran.code, ran.out.count("\n")) == (0, 1)
    with opened_offline(browser, file) as page:
        page.get_by_role("button", name="Next solution").click()
        chosen = page.locator("[aria-current]")
        expect(chosen).to_contain_text("✓ solution")
        assert page.locator(".board .added").count() == 81 - 21
        page.keyboard.press("ArrowLeft")
        expect(chosen).to_contain_text("A8=4")
        page.keyboard.press("Home")
        expect(chosen).to_have_attribute("aria-expanded", "true")
        page.keyboard.press("ArrowLeft")
        expect(chosen).to_have_attribute("aria-expanded", "false")
        page.get_by_role("button", name="Fold all").click()
        expect(page.locator("#tree .row:visible")).to_have_count(1)
        page.get_by_role("button", name="Open all").click()
        expect(page.locator("#tree .row:visible")).to_have_count(173)
