"""The page of the workbench, used with mouse and keys as a person would."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import unidoku
from tests.helpers.browsing import findings, watched_page
from tests.helpers.serving import served

pytestmark = [pytest.mark.browser, pytest.mark.processes]

GIVEN = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."


class User:
    """A page, and the hands of who uses it."""

    def __init__(self, page: Page, file: Path, complaints: list[str]) -> None:
        self.page, self.file, self.complaints = page, file, complaints

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def middle(self, cell: int) -> tuple[float, float]:
        box = self.page.locator(f'[data-cell="{cell}"]').bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, *cells: int) -> None:
        self.page.mouse.move(*self.middle(cells[0]))
        self.page.mouse.down()
        for cell in cells[1:]:
            self.page.mouse.move(*self.middle(cell), steps=3)
        self.page.mouse.up()

    def click(self, cell: int) -> None:
        self.page.mouse.click(*self.middle(cell))

    def cell(self, cell: int) -> Any:
        return expect(self.page.locator(f'[data-cell="{cell}"]'))

    def lamp(self, kind: str) -> None:
        """Wait until the lamp shows something about the present board."""
        expect(self.page.locator(".lamp")).to_have_attribute("data-kind", kind)

    @property
    def table(self) -> dict[str, Any]:
        expect(self.page.locator(".saved")).to_contain_text("saved")
        return tomllib.loads(self.file.read_text())


@contextmanager
def desk(browser: Browser, folder: Path, text: str = "", **options: Any) -> Iterator[User]:
    file = folder / "puzzle.toml"
    if text:
        file.write_text(text)
    size = {"width": 1300, "height": 900}
    with (
        served(file) as address,
        watched_page(browser, viewport=size, **options) as (page, complaints, asked),
    ):
        user = User(page, file, complaints)
        page.goto(address)
        page.wait_for_selector("html[data-ready]", state="attached")
        yield user
        assert not complaints
        assert {url.split("/")[2] for url in asked} == {address.split("/")[2]}


def test_a_killer_with_thermometers_is_set_by_mouse_and_keys(
    browser: Browser, tmp_path: Path
) -> None:
    with desk(browser, tmp_path) as user:
        user.press("/")
        user.page.keyboard.type("cage")
        user.press("Enter")
        user.drag(0, 1, 10)
        user.press("1", "5")
        user.drag(4, 5)
        user.press("Escape")
        user.page.get_by_role("button", name="thermo", exact=True).click()
        user.drag(80, 70, 60, 50)
        user.drag(80, 79, 78)
        rules = user.page.locator(".rule")
        expect(rules).to_have_count(4)
        expect(rules.first).to_contain_text("sums to 15")
        assert user.table["rules"] == [
            {"kind": "killer", "cage": "A1 A2 B2", "total": 15},
            {"kind": "killer", "cage": "A5 A6"},
            {"kind": "thermo", "line": "I9 H8 G7 F6"},
            {"kind": "thermo", "line": "I9 I8 I7"},
        ]
        expect(user.page.locator("svg .bulb")).to_have_count(2)
        user.lamp("open")
        user.press("Escape", "Control+z")
        expect(rules).to_have_count(3)
        user.press("Control+Shift+z")
        expect(rules).to_have_count(4)
        rules.nth(3).get_by_role("button", name="Remove").click()
        expect(rules).to_have_count(3)
        rules.nth(0).get_by_role("button", name="Change").click()
        user.page.get_by_role("textbox", name="total").fill("16")
        user.page.get_by_role("button", name="Change", exact=True).click()
        expect(rules.first).to_contain_text("sums to 16")
        rules.nth(2).get_by_role("button", name="Hide").click()
        expect(user.page.locator("svg .bulb")).to_have_count(0)
        user.page.get_by_label("Name of the puzzle").fill("Boiler")
        user.press("Enter")
        expect(user.page).to_have_title("Boiler · Unidoku")
        assert user.table["name"] == "Boiler"


def test_a_rule_is_added_by_the_keyboard_alone(browser: Browser, tmp_path: Path) -> None:
    with desk(browser, tmp_path) as user:
        user.page.locator('[data-cell="0"]').focus()
        user.press("ArrowDown", "Shift+ArrowRight", "Shift+ArrowRight", "/")
        user.page.keyboard.type("sandwich")
        user.press("Enter")
        user.page.get_by_role("textbox", name="line").fill("row 2")
        user.page.get_by_role("textbox", name="total").fill("99")
        user.press("Enter")
        expect(user.page.locator(".rule")).to_have_count(1)  # then the form is empty again
        user.page.get_by_role("textbox", name="line").fill("row 2")
        user.page.get_by_role("textbox", name="total").fill("12")
        user.press("Enter")
        expect(user.page.locator(".rule")).to_have_count(2)
        assert user.table["rules"][-1] == {"kind": "sandwich", "line": "row 2", "total": 12}
        user.page.get_by_role("textbox", name="line").fill("row 77")
        user.press("Enter")
        expect(user.page.get_by_role("alert")).to_contain_text("expected a row from 1 to 9")


def test_digits_and_marks_have_the_keys_of_sudokupad(browser: Browser, tmp_path: Path) -> None:
    with desk(browser, tmp_path) as user:
        user.click(40)
        user.press("5")
        user.cell(40).to_have_attribute("aria-label", re.compile("r5c5, given 5"))
        user.press("g", "ArrowRight", "7", "ArrowRight", "Shift+Digit1", "Shift+Digit2")
        user.cell(41).to_have_attribute("aria-label", "r5c6, 7")
        user.press("Control+Digit3", "x", "4", "Control+Shift+Digit6")
        user.cell(42).to_have_attribute(
            "aria-label", "r5c7, empty, marks 3, corner 1 2 4, colour 6"
        )
        user.press("z", "ArrowLeft", "Delete")
        user.cell(41).to_have_attribute("aria-label", "r5c6, empty")
        user.press("Control+z")
        user.cell(41).to_have_attribute("aria-label", "r5c6, 7")
        assert user.table["givens"].count("5") == 1
        assert "7" not in user.table["givens"]


def test_cells_are_selected_as_in_sudokupad(browser: Browser, tmp_path: Path) -> None:
    chosen = "[role=gridcell][aria-selected=true]"
    with desk(browser, tmp_path) as user:
        user.drag(0, 1, 2, 11)
        expect(user.page.locator(chosen)).to_have_count(4)
        user.page.keyboard.down("Control")
        user.click(80)
        user.click(0)
        user.page.keyboard.up("Control")
        expect(user.page.locator(chosen)).to_have_count(4)
        user.press("Control+i")
        expect(user.page.locator(chosen)).to_have_count(77)
        user.press("Control+a")
        expect(user.page.locator(chosen)).to_have_count(81)
        user.press("Escape")
        expect(user.page.locator(chosen)).to_have_count(0)
        user.click(8)
        user.press("ArrowRight")
        expect(user.page.locator(chosen)).to_have_attribute("data-cell", "0")
        for cell in (3, 33, 77):
            user.click(cell)
            user.press("4")
        user.page.mouse.dblclick(*user.middle(33))
        expect(user.page.locator(chosen)).to_have_count(3)


def test_true_candidates_follow_each_edit(browser: Browser, tmp_path: Path) -> None:
    text = 'version = 1\nsize = 4\nrules = [{ kind = "killer", cage = "A1-A2", total = 3 }]\n'
    with desk(browser, tmp_path, text) as user:
        user.press("t")
        user.cell(0).to_have_attribute("aria-label", "r1c1, empty, candidates 1 2, cage 3")
        user.click(0)
        user.press("1")
        user.cell(1).to_have_attribute("aria-label", "r1c2, empty, candidates 2, cage 3")
        expect(user.page.locator(".candidates .few").first).to_be_visible()
        user.press("t")
        expect(user.page.get_by_role("button", name="By logic")).to_have_attribute(
            "aria-pressed", "true"
        )
        user.press("t")
        expect(user.page.locator(".candidates")).to_have_count(0)


def test_rules_that_conflict_glow_and_one_is_switched_off(browser: Browser, tmp_path: Path) -> None:
    text = (
        'version = 1\nsize = 4\nrules = [\n{ kind = "thermo", line = "A1-A3" },\n'
        '{ kind = "renban", line = "D1-D3" },\n{ kind = "greater", pairs = ["A1 A2"] },\n]\n'
    )
    with desk(browser, tmp_path, text) as user:
        user.lamp("bad")
        expect(user.page.locator(".rule.guilty")).to_have_count(2)
        expect(user.page.locator(".glowing")).to_have_count(3)
        user.page.locator(".rule").nth(2).get_by_role("button", name="Switch off").click()
        user.lamp("open")
        expect(user.page.locator(".rule.ignored")).to_have_count(1)
        expect(user.page.locator(".lamp")).to_contain_text(re.compile(r"\d+ solutions"))
        user.press("n")
        expect(user.page.locator(".digits .shown")).to_have_count(16)


def hint(user: User, key: str, *stages: str) -> str:
    """Press a key for each stage of a hint, which says more than the one before; return all."""
    card = user.page.locator("#panel-solve .card").first
    for stage, later in zip(stages, (*stages[1:], None), strict=True):
        user.press(key)
        expect(card).to_contain_text(stage)
        if later is not None:
            expect(card).not_to_contain_text(later)
    return card.inner_text()


def test_a_pasted_board_is_solved_with_hints_and_errors_are_found(
    browser: Browser, tmp_path: Path
) -> None:
    with desk(browser, tmp_path) as user:
        user.page.evaluate(
            """text => {
                const data = new DataTransfer();
                data.setData("text/plain", text);
                document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data }));
            }""",
            GIVEN,
        )
        user.cell(2).to_have_attribute("aria-label", "r1c3, given 3")
        user.lamp("good")
        step = hint(user, "h", "Where:", "Technique:", "Step:")
        user.page.get_by_text("Techniques", exact=True).click()
        user.page.get_by_label("hidden single 1.5").uncheck()
        user.click(0)
        assert hint(user, "h", "Where:", "Technique:", "Step:") != step
        expect(user.page.locator("svg .unidoku-path text").first).to_be_visible()
        user.press("Enter")
        expect(user.page.locator("svg text.found, svg text.pencil").first).to_be_visible()
        expect(user.page.locator("#panel-solve .card").first).not_to_contain_text("Where:")
        user.press("g")
        user.click(0)
        user.page.get_by_label("Value to explain").fill("4")
        user.press("Enter")
        expect(user.page.locator("#panel-solve")).to_contain_text("A1 must be 4: ")
        drawing = user.page.locator("svg .unidoku-path > *").first
        expect(drawing).to_be_visible()
        user.page.get_by_role("tab", name="Rules").click()
        expect(drawing).to_have_count(0)
        user.page.get_by_role("tab", name="Solve").click()
        expect(drawing).to_be_visible()
        user.click(0)
        empty = [at for at, value in enumerate(GIVEN) if value == "."]
        user.page.get_by_role("button", name="Find the path").click()
        expect(user.page.locator(".step").first).to_be_visible()
        user.page.locator(".step button").nth(3).click()
        expect(user.page.locator(".step.now")).to_have_count(1)
        user.press("Escape")
        user.click(empty[-1])
        for value in "123456789":
            user.press(value)
            expect(user.page.locator(".lamp")).to_contain_text("one solution")
            if "none with the entries" in user.page.locator(".lamp").inner_text():
                break
        hint(user, "Control+h", "Something is wrong.", "Look again at", " cannot be ")


def test_links_are_made_with_their_losses(browser: Browser, tmp_path: Path) -> None:
    text = Path("examples/setting.toml").read_text()
    with desk(browser, tmp_path, text) as user:
        user.press("e")
        user.page.get_by_role("button", name="Make links").click()
        link = user.page.get_by_label("sudokupad: text")
        expect(link).to_have_value(re.compile("^https://sudokupad.app/"))
        expect(user.page.locator("#panel-file")).to_contain_text("One solution")


def test_a_second_opinion_is_shown_with_its_page(browser: Browser, tmp_path: Path) -> None:
    with desk(browser, tmp_path, "version = 1\nsize = 4\n") as user:
        user.page.get_by_role("tab", name="Compare").click()
        for name in ("cp-sat", "clingo", "norvig"):
            user.page.get_by_role("button", name=name, exact=True).click()
        user.page.get_by_label("Repeats").fill("1")
        user.page.get_by_role("button", name="Compare", exact=True).click()
        card = user.page.locator("#panel-compare .card:not(.drop)")
        expect(card).to_contain_text("All answers agree on the one case.")
        expect(card).to_contain_text("3 of 3 runs")
        page = user.page.frame_locator("iframe")
        expect(page.get_by_text("All answers agree").first).to_be_visible()


def test_a_change_on_disk_appears_and_a_conflict_is_shown(browser: Browser, tmp_path: Path) -> None:
    with desk(browser, tmp_path, "version = 1\nsize = 4\n") as user:
        user.file.write_text("version = 1\nsize = 6\n")
        expect(user.page.locator("[role=gridcell]")).to_have_count(36)
        user.file.write_text("version = 1\nsize = ")
        expect(user.page.locator("#notices")).to_contain_text("puzzle.toml on disk")
        user.click(0)
        user.press("3")
        user.cell(0).to_have_attribute("aria-label", "r1c1, given 3")
        expect(user.page.locator(".saved")).to_have_text("puzzle.toml …")
        user.file.write_text('version = 1\nsize = 6\nname = "theirs"\n')
        expect(user.page.locator("#notices")).to_contain_text("Nothing is overwritten")
        expect(user.page.locator("#notices")).not_to_contain_text("on disk")
        user.page.get_by_role("button", name="Take the file's").click()
        expect(user.page).to_have_title("theirs · Unidoku")
        user.press("Control+z")
        user.cell(0).to_have_attribute("aria-label", "r1c1, given 3")


@pytest.mark.parametrize("width", [390, 1920])
def test_the_page_fits_and_axe_finds_nothing(browser: Browser, tmp_path: Path, width: int) -> None:
    text = Path("examples/rules/killer.toml").read_text()
    scheme = "dark" if width == 390 else "light"
    with desk(browser, tmp_path, text, color_scheme=scheme, reduced_motion="reduce") as user:
        user.page.set_viewport_size({"width": width, "height": 1080})
        user.page.get_by_role("button", name="thermo", exact=True).click()
        for tab in ("Rules", "Solve", "Compare", "Print", "File"):
            user.page.get_by_role("tab", name=tab).click()
            assert user.page.evaluate("document.documentElement.scrollWidth") <= width
            assert findings(user.page) == []
        assert findings(user.page, contrast=width == 390) == []
        tree = user.page.locator("#grid")
        expect(tree).to_have_attribute("role", "grid")
        size = round(user.page.locator("[role=gridcell]").count() ** 0.5)
        expect(tree.locator("> [role=row]")).to_have_count(size)
        focusable = user.page.locator("[role=gridcell][tabindex='0']")
        expect(focusable).to_have_count(1)


def test_regions_words_versions_and_a_play_test(browser: Browser, tmp_path: Path) -> None:
    text = 'version = 1\ngivens = "1... ..2. .3.. ...4"\n'
    with desk(browser, tmp_path, text, has_touch=True) as user:
        page = user.page
        page.get_by_text("Rules in words").click()
        page.get_by_role("button", name="Write them from the rules").click()
        expect(page.get_by_label("Rules in words")).to_have_value("Normal 4×4 sudoku rules apply.")
        page.get_by_text("Regions", exact=True).click()
        expect(page.get_by_role("button", name="Use these regions")).to_be_visible()
        user.click(1)
        user.press("2")
        expect(page.locator("#panel-rules .losses.bad")).to_contain_text(
            "region 1 has 3 of 4 cells"
        )
        user.click(7)
        user.press("1")
        expect(page.locator("#panel-rules .losses.bad")).to_contain_text("region 1 is in 2 pieces")
        page.get_by_role("button", name="Use these regions").click()
        expect(page.locator("#grid")).to_have_attribute("aria-label", re.compile("jigsaw"))
        assert user.table["regions"].split()[0] == "1222"
        page.get_by_text("Regions", exact=True).click()
        user.press("e")
        page.get_by_label("Name of the version").fill("odd regions")
        page.get_by_role("button", name="Keep", exact=True).click()
        user.click(1)
        user.press("Control+z")
        expect(page.locator("#grid")).not_to_have_attribute("aria-label", re.compile("jigsaw"))
        page.get_by_role("button", name="Compare with this one").click()
        expect(page.locator(".version")).to_contain_text("variant: jigsaw → none")
        page.get_by_role("tab", name="Rules").click()
        page.get_by_text("Fog", exact=True).click()
        user.click(0)
        page.get_by_role("button", name="Light the selected cells").click()
        expect(page.locator("#panel-rules")).to_contain_text("Fog everywhere but on 1 cells")
        user.press("Escape", "p")
        expect(page.locator("#play")).to_be_visible()
        expect(page.locator(".veil")).to_have_count(15)
        expect(page.locator(".lamp")).to_be_hidden()
        page.get_by_role("button", name="Pen", exact=True).click()
        user.drag(4, 5, 10)
        expect(page.locator(".pen")).to_have_count(2)
        assert findings(page) == []
        (x, y), (right, _) = user.middle(4), user.middle(5)
        side = y + (right - x) / 2
        page.mouse.move(x - (right - x) / 2 + 3, side - 2)
        page.mouse.down()
        page.mouse.move(right + (right - x) / 2 - 3, side - 2, steps=8)
        page.mouse.up()
        expect(page.locator(".pen")).to_have_count(4)
        user.press("Control+z")
        expect(page.locator(".pen")).to_have_count(2)
        user.press("Shift+B")
        expect(page.locator(".pen")).to_have_count(0)
        user.press("b")
        solution = unidoku.solve("1... ..2. .3.. ...4").solutions[0]
        for cell in (at for at in range(16) if at not in (0, 6, 9, 15)):
            user.click(cell)
            user.press(str(solution[cell]))
        expect(page.locator("#play")).to_contain_text("Solved in 0:")
        expect(page.locator(".veil")).to_have_count(0)
        page.locator("#play .small").nth(1).click()
        expect(page.locator(".digits .shown").first).to_be_visible()
        page.get_by_role("button", name="End", exact=True).click()
        page.get_by_role("button", name="Keys").click()
        page.get_by_role("button", name="r1c1", exact=True).click()
        page.get_by_role("button", name="Close").last.click()
        page.locator("#grid").dispatch_event(
            "pointerdown",
            {"pointerType": "touch", "pointerId": 1, "button": 0}
            | dict(zip(("clientX", "clientY"), user.middle(1), strict=True)),
        )
        page.get_by_role("menuitem", name="Clear").click()
        user.cell(1).to_have_attribute("aria-label", "r1c2, empty")


def test_own_rules_are_drawn_and_reshaped_and_pictures_and_a_legend_beside_them(
    browser: Browser, tmp_path: Path
) -> None:
    with desk(browser, tmp_path) as user:
        page, press = user.page, user.press
        rules = page.locator(".rule[draggable]")
        page.get_by_text("Rules of your own").click()
        page.get_by_label("name", exact=True).fill("far")
        page.get_by_label("relation").fill("a, b: abs(a - b) >=")
        expect(page.locator("#panel-rules")).to_contain_text("expected a relation")
        page.get_by_label("relation").fill("a, b: abs(a - b) >= 3")
        expect(page.locator("#panel-rules")).to_contain_text("42 of 81 pairs")
        page.get_by_label("colour", exact=True).first.select_option("magenta")
        page.get_by_role("button", name="Define and draw").click()
        expect(page.get_by_role("heading", name="Draw: far")).to_be_visible()
        user.drag(0, 1, 2)
        user.drag(80, 79, 69)
        expect(page.locator("svg .own-magenta-start")).to_have_count(2)
        press("Escape")
        page.keyboard.down("Alt")
        user.drag(2, 12)  # an end
        page.keyboard.up("Alt")
        expect(rules.first).to_contain_text("along A1-A3 B4")
        user.drag(1, 10)  # from its middle: all of it, as the rule is picked
        expect(rules.first).to_contain_text("along B1-B3 C4")
        press("Alt+ArrowRight", "Alt+Shift+ArrowDown", "r")
        expect(rules.first).to_contain_text("along D5 C5 B4-B2")
        press("Control+d")
        expect(rules.nth(2)).to_contain_text("along E5 D5 C4-C2")
        page.get_by_role("button", name="Earlier").click()
        expect(rules.nth(1)).to_contain_text("along E5 D5 C4-C2")
        expect(page.get_by_role("button", name="Earlier")).to_be_focused()
        rules.nth(1).drag_to(rules.nth(2))
        expect(rules.nth(2)).to_contain_text("along E5 D5 C4-C2")
        user.click(0)
        press("Delete")
        expect(rules).to_have_count(2)
        user.click(9)
        press("m", "Escape", "/")
        page.keyboard.type("cage")
        press("Enter")
        user.drag(27, 28)
        press("1", "2", "Escape")
        expect(rules.nth(2)).to_contain_text("the cage D1 D2 sums to 12")
        user.click(27)
        press("m")
        user.drag(36, 36)  # a cell beside it
        user.click(28)  # one of its own
        expect(rules.nth(2)).to_contain_text("the cage D1 E1 sums to 12")
        press("9")
        expect(rules.nth(2)).to_contain_text("the cage D1 E1 sums to 9")
        press("Escape", "Control+z")
        expect(rules.nth(2)).to_contain_text("sums to 12")
        page.get_by_text("Pictures without a meaning").click()
        page.get_by_role("button", name="Draw on the board").click()
        user.drag(54, 55, 65)
        page.get_by_label("shape", exact=True).select_option("circle")
        (left, y), (right, _) = user.middle(40), user.middle(41)
        page.mouse.click((left + right) / 2, y)
        page.get_by_label("shape", exact=True).select_option("text")
        page.get_by_label("text", exact=True).fill("12")
        x, first = user.middle(2)
        page.mouse.click(x, 2 * first - user.middle(11)[1])  # above the grid
        expect(page.get_by_role("button", name="Draw earlier: picture 3")).to_be_visible()
        assert [(table["shape"], table["at"]) for table in user.table["cosmetics"]] == [
            ("line", "G1 G2 H3"),
            ("circle", "r5c5.5"),
            ("text", "r0c3"),
        ]
        page.keyboard.down("Alt")
        user.click(65)
        page.keyboard.up("Alt")
        expect(page.get_by_role("button", name="Draw earlier: picture 3")).to_have_count(0)
        assert findings(page) == []
        press("Escape", "?")
        page.get_by_role("button", name="for the colour-blind").click()
        page.get_by_role("button", name="Legend").click()
        expect(page.locator("#legend li")).to_have_count(2)
        expect(page.locator("dialog[open]")).to_have_count(1)  # the list of keys is closed
        expect(page.locator("#legend")).to_contain_text("abs(a - b) >= 3")
        expect(page.locator("#legend")).to_contain_text("Normal sudoku rules apply.")
        assert findings(page) == []
        page.reload()
        expect(page.locator("html[data-palette=safe]")).to_have_count(1)
        user.file.write_text(Path("examples/rules/chaos-construction.toml").read_text())
        expect(page.locator("[role=gridcell]")).to_have_count(16)
        page.get_by_role("tab", name="Solve").click()
        page.get_by_role("button", name="Find the path").click()
        page.locator(".step button").last.click()
        expect(page.locator(".border")).not_to_have_count(0)
        page.get_by_role("button", name="Pin", exact=True).click()
        press("Escape", "g")
        user.click(0)
        press("1")  # the path is found again
        expect(page.locator("#panel-solve")).to_contain_text("steps of the pinned path are gone")
        press("n")
        expect(page.locator(".border")).to_have_count(12)  # of 24 sides, 3 are in each region


@pytest.mark.thorough
def test_puzzles_for_a_class_are_made_and_printed_and_a_journal_is_dropped(
    browser: Browser, tmp_path: Path
) -> None:
    with desk(browser, tmp_path) as user:
        page = user.page
        page.get_by_role("tab", name="Print").click()
        page.get_by_label("Size", exact=True).first.select_option("4")
        page.get_by_label("Number of puzzles").fill("2")
        page.get_by_role("button", name="Make", exact=True).click()
        expect(page.locator(".made li")).to_have_count(2)
        page.get_by_role("button", name="Throw away: puzzle 1").click()
        expect(page.locator(".made li")).to_have_count(1)
        page.get_by_label("Heading").fill("5b")
        page.get_by_label("line for a name").check()
        expect(page.frame_locator("iframe").get_by_text("5b")).to_be_visible()
        page.get_by_label("Symbols for the digits").fill("a b")
        expect(page.locator("#panel-print")).to_contain_text(
            "expected 4, one for each value, got 2"
        )
        page.get_by_label("Symbols for the digits").fill("")
        expect(page.locator("#panel-print")).not_to_contain_text("expected 4")
        expect(page.frame_locator("iframe").locator("svg")).to_have_count(1)
        assert findings(page) == []
        page.get_by_role("tab", name="Compare").click()
        page.locator(".drop").evaluate(
            """element => {
                const data = new DataTransfer();
                data.items.add(new File(["no journal"], "runs.jsonl"));
                element.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
            }"""
        )
        expect(page.locator("#notices")).to_contain_text("runs.jsonl: ")
        user.complaints.clear()  # the browser says that the server refused it
