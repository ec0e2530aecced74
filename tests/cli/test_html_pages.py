"""Pages that commands write, in a real browser."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.cli.test_merging import across as across
from tests.cli.test_merging import same_plan as same_plan
from tests.cli.test_views import journal as journal
from tests.helpers.boards import INKALA
from tests.helpers.browsing import opened_offline
from tests.helpers.command_runner import Runner
from tests.helpers.made_runs import CASES, PLAN
from tests.helpers.made_runs import run as made
from unidoku.comparison import read_comparison
from unidoku.comparison.journal import Journal
from unidoku.comparison.lines import Header
from unidoku.comparison.record import Outcome


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


def test_a_ratio_of_two_machines_is_marked_on_the_page(
    across: list[Path], same_plan: list[Path], tmp_path: Path, browser: Browser
) -> None:
    for paths, marked in ((across, True), (same_plan, False)):
        page = tmp_path / f"{marked}.html"
        read_comparison(paths).to_html(page)
        for script in (False, True):
            with opened_offline(browser, page, java_script_enabled=script) as shown:
                text = shown.locator("table.summary").inner_text()
                assert ("†" in text) == marked
                result = shown.locator(".warning").inner_text()
                assert "2 machines, laptop and raspberry" in result
                assert ("different machines" in result) == marked


def labels_and_ratios(page: Page) -> list[tuple[str, str]]:
    """Return the first and the last cell of each row of a page's summary."""
    lines = page.locator("table.summary tbody").inner_text().strip().splitlines()
    return [(line.split("\t")[0], line.split("\t")[-1].strip()) for line in lines]


def test_the_page_shows_what_is_asked_for_with_and_without_scripts(
    run: Runner, journal: Path, tmp_path: Path, browser: Browser
) -> None:
    page = tmp_path / "page.html"
    asked = ["--x", "holes", "--by", "source", "--scatter", "slow,quick", "--reference", "slow"]
    assert run("report", str(journal), "--report", str(page), *asked, "--distributions").code == 0
    texts = []
    for script in (False, True):
        with opened_offline(browser, page, java_script_enabled=script) as shown:
            texts.append(labels_and_ratios(shown))
            heads = shown.locator("table.summary thead").inner_text()
            assert heads.split("\t")[-1].strip() == "× slow"
            titles = shown.locator("h2").all_inner_texts()
            assert {"By source", "Over holes", "Run-time distributions"} <= set(titles)
            assert shown.locator("table.further tbody tr").count() == 8 + 6 + 18
            if script:
                pair = [shown.locator(f"#pair-{axis}").input_value() for axis in "xy"]
                assert pair == ["slow", "quick"]
    assert texts[0] == texts[1]
    assert any(ratio.startswith("0.06") for _, ratio in texts[0])


def test_a_refuted_backend_is_last_on_the_page_and_no_ratio_refers_to_it(
    tmp_path: Path, browser: Browser
) -> None:
    path = tmp_path / "j.jsonl"
    with Journal(path, Header(plan=PLAN | {"backends": ["liar", "honest", "slow"]})) as written:
        for number in range(6):
            for label, seconds in (("liar", 0.001), ("honest", 0.01), ("slow", 0.03)):
                outcome = Outcome.WRONG if label == "liar" and number == 5 else Outcome.SOLVED
                evidence = ("A1 and A2 are both 1",) if outcome is Outcome.WRONG else ()
                run_of = made(label, number, seconds, outcome, count=1, evidence=evidence)
                written.add(CASES[number], run_of)
    page = tmp_path / "page.html"
    read_comparison([path]).to_html(page)
    texts = []
    for script in (False, True):
        with opened_offline(browser, page, java_script_enabled=script) as shown:
            texts.append(labels_and_ratios(shown))
    assert texts[0] == texts[1]
    labels, ratios = zip(*texts[0], strict=True)
    assert labels == ("honest", "slow", "liar")
    assert [ratio[:5] for ratio in ratios] == ["1×", "3.00×", "0.10×"]
