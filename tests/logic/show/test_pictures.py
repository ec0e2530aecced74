"""A path to look at: pictures, and the page in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from playwright.sync_api import Browser, Page, expect

from tests.helpers.browsing import findings, opened_offline
from tests.helpers.reference_paths import example_path, made_path
from tests.helpers.volume import volume
from unidoku import Board
from unidoku.core.bits import values_of
from unidoku.draw.paint import STEPS
from unidoku.files.examples import find_example
from unidoku.logic import Walkthrough, chosen, walk_through
from unidoku.logic.show import html, svg
from unidoku.logic.show.drawing import picture
from unidoku.logic.show.words import is_key, summary, uses_table
from unidoku.testing.strategies import boards

SVG = "{http://www.w3.org/2000/svg}"
EASY = chosen("..claiming")
HARD = find_example("practice").puzzles()[4].board
HOSTILE = "</title><script>window.hacked = 1</script>\ud800"

Opener: TypeAlias = Callable[..., Any]


def count(image: str, tag: str, kind: str) -> int:
    return sum(
        kind in element.get("class", "").split()
        for element in ElementTree.fromstring(image).iter(SVG + tag)
    )


def texts(image: str, kind: str) -> list[str]:
    """Return the numbers in the groups of a kind."""
    root = ElementTree.fromstring(image)
    groups = [group for group in root.iter(SVG + "g") if kind in group.get("class", "").split()]
    return [text.text or "" for group in groups for text in group]


@settings(max_examples=volume(40))
@given(boards())
def test_every_state_and_step_of_any_board_is_well_formed_svg(board: Board) -> None:
    path = walk_through(board, techniques=EASY)
    for state, step in zip(path.states, [*path.steps, None], strict=True):
        image = svg(state, step)
        left = [v for cell in board.layout.cells if not state.placed >> cell & 1
                for v in values_of(state.candidates[cell])]  # fmt: skip
        assert texts(image, "mark") == list(map(str, left))
        assert len(texts(image, "given")) == sum(map(bool, board.givens))
        if step is not None:
            assert count(image, "rect", "gone") == len(step.eliminations)
            assert count(image, "text", "placed") == len(step.placements)


def test_a_picture_tells_base_cover_pattern_fin_and_eliminations_apart() -> None:
    path = made_path()
    image = svg(path.states[0], path.steps[0])
    assert count(image, "path", "base-line") == count(image, "path", "cover-line") == 2
    assert count(image, "path", "base") == count(image, "path", "cover") == 1
    assert count(image, "circle", "pattern") == 2
    assert count(image, "path", "fin") == 1
    assert count(image, "rect", "gone") == 2
    assert count(image, "path", "strike") == 3  # one of them leaves the pattern itself
    assert path.steps[0].sentence in image


def test_links_are_arrows_and_strong_ones_are_told_from_weak_ones() -> None:
    path = made_path()
    image = svg(path.states[1], path.steps[1])
    assert count(image, "path", "link") == count(image, "path", "head") == 4
    assert count(image, "path", "weak") == 2
    assert count(image, "circle", "pattern") == 5
    assert count(image, "text", "placed") == 1
    numbers = re.findall(r"-?\d+(?:\.\d+)?", " ".join(re.findall(r'"link[^>]*d="([^"]*)', image)))
    assert all(0 <= float(number) <= 9 * 36 + 6 for number in numbers)


def test_givens_and_found_values_are_told_apart_and_the_others_are_candidates() -> None:
    path = walk_through(Board.parse("1... ..2. .3.. ...4"), techniques=EASY)
    image = svg(path.final)
    assert texts(image, "given") == ["1", "2", "3", "4"]
    assert len(texts(image, "found")) == 12
    assert texts(image, "mark") == []


def brightness(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_colours_are_far_enough_apart_to_read(scheme: int) -> None:
    colour = {name: both[scheme] for name, both in STEPS.colours.items()}
    pairs = [
        (text, ground)
        for text in ("mark", "found", "ink", "gone", "placed")
        for ground in ("paper", "base", "cover", "shade")
    ]
    for text, ground in [*pairs, ("on", "pattern"), ("on", "fin"), ("link", "paper")]:
        low, high = sorted((brightness(colour[text]), brightness(colour[ground])))
        assert (high + 0.05) / (low + 0.05) >= 4, (text, ground)


@pytest.fixture(scope="module")
def opened(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Opener:
    """Open the page of a path offline; what it asks for and complains of is checked at the end."""

    @contextmanager
    def open_path(
        path: Walkthrough | str, view: str = "", refused: int = 0, **options: Any
    ) -> Iterator[Page]:
        file = tmp_path_factory.mktemp("page") / "path.html"
        file.write_text(path if isinstance(path, str) else html(path), "utf-8", "replace")
        with opened_offline(browser, file, view, refused=refused, **options) as page:
            yield page

    return open_path


@pytest.fixture(scope="module")
def path() -> Walkthrough:
    return walk_through(HARD, techniques=EASY)


def views(page: Page) -> list[dict[str, Any]]:
    """Return what the board shows in each view, from the first to the last."""
    shown: list[dict[str, Any]] = page.evaluate(
        """() => {
          const seen = [];
          const texts = (kind) => [...document.querySelectorAll(`.board .${kind} > text`)]
            .filter((text) => !text.closest(".off")).map((text) => text.textContent);
          const parts = () => [...document.querySelectorAll(".board [id]")]
            .filter((part) => !part.closest(".off")).map((part) => part.id);
          for (let k = 0; k <= Number(document.querySelector("#slider").max); k++) {
            seen.push({ view: document.querySelector("#slider").value, parts: parts(),
              given: texts("given"), found: texts("found"), mark: texts("mark") });
            dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", cancelable: true }));
          }
          return seen;
        }"""
    )
    return shown


def current(page: Page) -> str:
    expect(page.locator("[aria-current=step]")).to_have_count(1)
    return page.locator("[aria-current=step]").get_attribute("href") or ""


@pytest.mark.parametrize("name", ["hard", "made", "impossible"])
def test_at_each_step_the_page_shows_what_the_picture_of_that_state_shows(
    opened: Opener, path: Walkthrough, name: str
) -> None:
    if name != "hard":
        path = made_path() if name == "made" else example_path(name, techniques="usual")
    last = len(path.steps) + 1
    with opened(path) as page:
        seen = views(page)
    for k, state in enumerate((path.states[0], *path.states)):
        step = path.steps[k - 1] if 0 < k < last else None
        assert seen[k].pop("view") == str(k)
        parts = {f"over-{k}", f"under-{k}"} if step and step.units else {f"over-{k}"}
        assert set(seen[k].pop("parts")) == (parts if step else set())
        if k < last or not path.final.contradiction:
            image = picture(state, step)
            assert seen[k] == {kind: texts(image, kind) for kind in ("given", "found", "mark")}


def test_buttons_keys_slider_and_links_lead_to_steps(opened: Opener, path: Walkthrough) -> None:
    last = len(path.steps) + 1
    with opened(path) as page:
        assert current(page) == "#start"
        expect(page.locator("#previous")).to_be_disabled()
        page.click("#next")
        assert current(page) == "#step-1"
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        assert current(page) == "#step-2"
        page.keyboard.press("End")
        assert (current(page), page.locator("#slider").input_value()) == ("#end", str(last))
        expect(page.locator("#next")).to_be_disabled()
        page.click("#previous")
        assert current(page) == f"#step-{last - 1}"
        page.keyboard.press("Home")
        page.focus("#slider")
        page.keyboard.press("ArrowRight")
        assert current(page) == "#step-1"
        assert path.steps[0].sentence in (page.get_attribute("#slider", "aria-valuetext") or "")
        page.locator("#slider").fill("5")
        assert current(page) == "#step-5"
        page.click("a[href='#step-7']")
        assert current(page) == "#step-7"
        assert page.url.endswith("#step-7")
        expect(page.locator("#caption")).to_contain_text(path.steps[6].sentence)
        assert path.steps[6].sentence in (page.get_attribute(".board svg", "aria-label") or "")


def test_a_deep_link_opens_its_step_and_stays_at_the_board(
    opened: Opener, path: Walkthrough
) -> None:
    with opened(path, "#step-12", viewport={"width": 390, "height": 844}) as page:
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert current(page) == "#step-12"
        assert page.evaluate("scrollY") == 0
        page.evaluate("location.hash = '#step-20'")
        expect(page.locator("#caption")).to_contain_text("Step 20 of")
        page.evaluate("location.hash = '#no-such-step'")
        expect(page.locator("#caption")).to_contain_text("Start")


def test_the_list_has_every_sentence_and_scrolls_to_the_step(
    opened: Opener, path: Walkthrough
) -> None:
    with opened(path, viewport={"width": 1200, "height": 700}) as page:
        items = page.locator(".list li:not(.edge)")
        assert items.locator(".sentence").all_text_contents() == [s.sentence for s in path.steps]
        assert items.locator(".rating").all_text_contents() == [
            f"{s.rating:.1f}" for s in path.steps
        ]
        assert page.locator(".list li.key").count() == sum(map(is_key, path.steps)) == 8
        expect(page.locator(".outcome")).to_contain_text(summary(path))
        rows = uses_table(path).rows
        for row, (name, steps, rating, score) in zip(
            page.locator("tbody tr").all(), rows, strict=True
        ):
            cells = [name, str(steps), f"{rating:.1f}", f"{score:,}"]
            assert row.locator("th, td").all_text_contents() == cells
        page.keyboard.press("End")
        item = page.locator("[aria-current=step]").bounding_box()
        frame = page.locator(".list ol").bounding_box()
        assert frame["y"] <= item["y"]
        assert item["y"] + item["height"] <= frame["y"] + frame["height"] + 1
        assert page.evaluate("scrollY") == 0


def test_without_scripts_the_first_board_and_all_sentences_can_be_read(
    opened: Opener, path: Walkthrough
) -> None:
    with opened(path, java_script_enabled=False) as page:
        expect(page.locator("#slider")).to_be_hidden()
        expect(page.get_by_text(summary(path))).to_be_visible()
        for step in (path.steps[0], path.steps[-1]):
            expect(page.locator(".sentence").get_by_text(step.sentence)).to_be_visible()
        image = page.locator(".board > svg").evaluate("svg => svg.outerHTML")
        assert texts(image, "mark") == texts(picture(path.states[0]), "mark")
        expect(page.locator(".board .found")).to_be_hidden()
        assert page.locator(".board [id]:not(.off)").count() == 0


def test_a_phone_needs_no_sideways_scrolling_for_a_large_board(opened: Opener) -> None:
    with opened(example_path("samurai"), "#step-9", viewport={"width": 390, "height": 844}) as page:
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        board, buttons = page.locator(".board").bounding_box(), page.locator("#next").bounding_box()
        assert board["width"] <= 390
        assert buttons["y"] + buttons["height"] <= 844
        assert buttons["height"] >= 44


def test_the_page_is_light_or_dark_as_the_system_is(opened: Opener, path: Walkthrough) -> None:
    grounds = []
    for scheme in ("light", "dark"):
        with opened(path, color_scheme=scheme) as page:
            assert findings(page, contrast=True) == []
            grounds.append(
                page.evaluate(
                    """() => [getComputedStyle(document.documentElement).backgroundColor,
                      getComputedStyle(document.querySelector(".board .ground")).fill]"""
                )
            )
    assert grounds == [
        ["rgb(251, 250, 248)", "rgb(255, 255, 255)"],
        ["rgb(19, 21, 25)", "rgb(23, 25, 28)"],
    ]


def test_a_large_board_is_moved_to_what_the_step_removes(opened: Opener) -> None:
    path = example_path("twenty-five")
    number = len(path.steps)
    with opened(path, f"#step-{number}") as page:
        struck = page.locator(f"#over-{number} > .strike").first.bounding_box()
        frame = page.locator(".board").bounding_box()
        assert frame["x"] <= struck["x"] <= frame["x"] + frame["width"]
        assert frame["y"] <= struck["y"] <= frame["y"] + frame["height"]
        page.keyboard.press("Home")
        page.focus(".board")
        page.keyboard.press("ArrowRight")  # scrolls the board that has the focus
        assert current(page) == "#start"


def test_pages_are_small(path: Walkthrough) -> None:
    assert len(html(path)) < 100_000
    assert len(html(example_path("samurai"))) < 400_000


def test_names_that_are_markup_are_text_and_an_injected_script_does_not_run(
    opened: Opener, path: Walkthrough
) -> None:
    text = html(path, title=HOSTILE).replace("</main>", "<script>window.hacked = 1</script></main>")
    with opened(text, refused=1) as page:
        assert page.evaluate("window.hacked") is None
        assert "<script>" in page.locator("h1").inner_text()
        assert page.locator("script").count() == 3


def test_a_path_without_steps_is_a_page_too(opened: Opener) -> None:
    with opened(walk_through(Board.parse("11.. .... .... ...."), techniques=EASY)) as page:
        page.keyboard.press("End")
        assert current(page) == "#end"


def test_the_same_path_gives_the_same_page(path: Walkthrough) -> None:
    assert html(path) == html(walk_through(HARD, techniques=EASY))
