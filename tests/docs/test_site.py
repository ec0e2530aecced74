"""The documentation site: links lead somewhere, no other host is needed, and a phone shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

import unidoku
from tests.helpers.python_process import run_python
from unidoku.cli.program import COMMANDS

pytest.importorskip("playwright")
from playwright.sync_api import Browser, Page, expect

pytestmark = [pytest.mark.site, pytest.mark.docs, pytest.mark.browser]

SHOWN = [
    "index.html",
    "installing.html",
    "tutorial.html",
    "gallery.html",
    "commands.html",
    "api/calls.html",
    "design.html",
]
"""The pages that are looked at in the browser: each kind that there is."""

PHONE = {"width": 390, "height": 800}


class Parts(HTMLParser):
    """What a page names, what it links to, and what it loads."""

    def __init__(self, page: Path) -> None:
        """Read a page."""
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take what is of interest in a tag."""
        table = {name: value or "" for name, value in attrs}
        self.anchors.add(table.get("id", ""))
        if tag == "a" and "href" in table:
            self.links.append(table["href"])
        elif "src" in table:
            self.loaded.append(table["src"])
        elif tag == "link" and "href" in table:
            self.loaded.append(table["href"])


@pytest.fixture(scope="session")
def site(root: Path) -> Path:
    """The folder of the site, built if it is not there."""
    folder = root / "build" / "docs"
    if not (folder / "index.html").exists():
        built = run_python(root / "docs" / "site" / "build.py")
        assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[Path, Parts]:
    return {path: Parts(path) for path in sorted(site.rglob("*.html"))}


@contextmanager
def opened(browser: Browser, file: Path, view: str = "", **options: object) -> Iterator[Page]:
    """Open a page from its file, offline; at the end see what it complained of and asked for."""
    context = browser.new_context(offline=True, **options)  # type: ignore[arg-type]  # any options
    page = context.new_page()
    complaints: list[str] = []
    asked: set[str] = set()
    page.on(
        "console",
        lambda message: (
            complaints.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.add(urlsplit(request.url).scheme))
    page.goto(file.as_uri() + view)
    yield page
    context.close()
    assert complaints == []
    assert asked <= {"file", "data"}


def test_every_link_leads_to_a_page_and_an_anchor_that_are_there(
    pages: dict[Path, Parts],
) -> None:
    assert len(pages) > 30
    dead = []
    for path, parts in pages.items():
        for link in parts.links:
            to, anchor = urldefrag(link)
            if urlsplit(to).scheme:
                continue
            goal = (path.parent / unquote(urlsplit(to).path)).resolve() if to else path
            named = {unquote(anchor), ""} & pages[goal].anchors if goal in pages else {"file"}
            if not goal.is_file() or (anchor and not named - {""}):
                dead.append(f"{path.name}: {link}")
    assert dead == []


def test_a_link_to_no_page_and_no_file_ends_the_build(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(root / "docs" / "site"))
    stage = __import__("stage")
    names = {"docs/rules.md": "rules.md"}
    remaining = "[a](rules.md#b) `[c](d)` [`e`](rules.md) [f](https://g)"
    assert stage.moved(remaining, "docs/a.md", "a.md", names, tmp_path) == remaining
    with pytest.raises(SystemExit, match=r"docs/a.md: the link to nowhere.md leads to no page"):
        stage.moved("[a](nowhere.md)", "docs/a.md", "a.md", names, tmp_path)


def test_the_front_page_installs_and_solves(site: Path) -> None:
    front = re.sub("<[^>]*>", "", (site / "index.html").read_text(encoding="utf-8"))
    for text in ("pip install", "unidoku check", "hidden single 2 in box 1: A2 is 2"):
        assert text in front


def test_the_front_page_solves_a_board_that_is_typed_there(site: Path, browser: Browser) -> None:
    with opened(browser, site / "index.html") as page:
        answer = page.locator("#solver-answer")
        page.locator("#solver button").click()
        expect(answer).to_contain_text("exactly 1 solution")
        expect(answer).to_contain_text("534 678 912")
        page.locator("#solver-board").fill("11" + "." * 79)
        page.locator("#solver button").click()
        expect(answer).to_contain_text("no solution")
        page.locator("#solver-board").fill("12")
        page.locator("#solver button").click()
        expect(answer).to_have_text("expected 81 cells, got 2")


def test_the_page_of_the_api_links_to_the_pages_of_all_names(
    site: Path, pages: dict[Path, Parts]
) -> None:
    article = (site / "api.html").read_text(encoding="utf-8").partition("<article")[2]
    for page in (site / "api").glob("*.html"):
        assert f'href="api/{page.name}"' in article
    assert "api/boards.html#unidoku.BackendSpec" in {
        f"api/{link}" for link in pages[site / "api" / "calls.html"].links
    }


def test_a_page_that_is_whole_already_has_a_way_back(site: Path, pages: dict[Path, Parts]) -> None:
    assert "study.html" in pages[site / "study-page.html"].links


def test_a_name_leads_to_its_source_once_the_project_has_an_address(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(root / "docs" / "site"))
    address_of = __import__("sources").address_of
    unidoku.Board, unidoku.solve  # noqa: B018 - they are imported when they are first used
    for name in ("solve", "Board", "Board.parse", "Rule"):
        address = address_of("unidoku", name, "https://forge.example/unidoku")
        path, _, lines = address.removeprefix("https://forge.example/unidoku/blob/HEAD/").partition(
            "#L"
        )
        line = (
            (root / path).read_text(encoding="utf-8").splitlines()[int(lines.partition("-")[0]) - 1]
        )
        assert line.strip().startswith(("def ", "class ", "@"))
    assert address_of("unidoku", "Grid", "https://forge.example/unidoku") is None
    assert address_of("unidoku", "nothing", "https://forge.example/unidoku") is None


def test_no_page_loads_anything_from_elsewhere(pages: dict[Path, Parts]) -> None:
    for path, parts in pages.items():
        for loaded in parts.loaded:
            assert urlsplit(loaded).scheme in ("", "data"), f"{path.name} loads {loaded}"
            assert not loaded.startswith("//"), f"{path.name} loads {loaded}"


def test_no_style_loads_a_font_or_a_picture_from_elsewhere(site: Path) -> None:
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert "url(http" not in text, style.name
        assert "url(//" not in text, style.name


def test_every_public_name_and_every_command_has_its_place(pages: dict[Path, Parts]) -> None:
    named = set().union(*(parts.anchors for parts in pages.values()))
    exported = set(unidoku.__dir__()) & set(unidoku._HOME)
    assert {f"unidoku.{name}" for name in exported} <= named
    commands = next(parts for path, parts in pages.items() if path.name == "commands.html")
    assert {f"unidoku-{command}" for command in COMMANDS} <= commands.anchors


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", SHOWN)
def test_a_page_fits_a_phone_and_follows_the_theme(
    name: str, theme: str, site: Path, browser: Browser
) -> None:
    with opened(browser, site / name, viewport=PHONE, color_scheme=theme) as page:
        assert page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
        paint = page.evaluate("getComputedStyle(document.body).backgroundColor")
        shades = [int(shade) for shade in paint.strip("rgba()").split(",")[:3]]
        assert (sum(shades) > 600) == (theme == "light"), paint
        assert page.evaluate("getComputedStyle(document.body).colorScheme") == theme
        assert page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth > 0)")


def test_drawings_of_the_gallery_can_be_read_on_a_phone(site: Path, browser: Browser) -> None:
    with opened(browser, site / "gallery.html", viewport=PHONE) as page:
        widths = page.evaluate("[...document.querySelectorAll('article img')].map(i => i.width)")
        assert len(widths) > 50
        assert min(widths) >= 140


def test_the_tables_of_the_gallery_are_as_wide_as_a_phone(site: Path, browser: Browser) -> None:
    with opened(browser, site / "gallery.html", viewport=PHONE) as page:
        tables = "[...document.querySelectorAll('.table-wrapper')]"
        assert page.evaluate(f"{tables}.length") == 2
        assert page.evaluate(f"{tables}.every(t => t.scrollWidth <= t.clientWidth)")


def test_a_name_in_the_table_of_rules_is_whole_where_there_is_room(
    site: Path, browser: Browser
) -> None:
    with opened(browser, site / "rules.html", viewport={"width": 1400, "height": 900}) as page:
        lines = page.evaluate(
            "[...document.querySelectorAll('td:nth-child(-n+2) code')].map("
            "c => c.getClientRects().length)"
        )
        assert len(lines) > 50
        assert set(lines) == {1}


def test_the_help_of_options_keeps_its_dashes(site: Path) -> None:
    assert "With --version" in (site / "commands.html").read_text(encoding="utf-8")


def test_the_button_changes_the_theme_of_page_and_pictures(site: Path, browser: Browser) -> None:
    with opened(browser, site / "index.html", color_scheme="light") as page:
        seen = set()
        for _ in range(3):
            page.locator(".theme-toggle:visible").first.click()
            seen.add(page.evaluate("getComputedStyle(document.body).colorScheme"))
        assert seen == {"light", "dark"}


def test_search_finds_killer_without_a_network(site: Path, browser: Browser) -> None:
    with opened(browser, site / "search.html", "?q=killer") as page:
        results = page.locator("ul.search li")
        expect(results.first).to_be_visible()
        expect(page.locator("ul.search")).to_contain_text("Gallery")


def test_the_field_beside_each_page_searches(site: Path, browser: Browser) -> None:
    with opened(browser, site / "index.html", viewport={"width": 1280, "height": 900}) as page:
        page.get_by_placeholder("Search").fill("thermometer")
        page.get_by_placeholder("Search").press("Enter")
        expect(page.locator("ul.search li").first).to_be_visible()
