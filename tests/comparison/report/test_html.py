"""The page of a comparison, in a real browser."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.helpers.browsing import findings, opened_offline
from tests.helpers.made_runs import nested
from tests.helpers.synthetic import TIME_LIMIT, invented_results, invented_verdict
from unidoku import Board
from unidoku.backends.base import Stop
from unidoku.comparison.cases import Case
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.report.findings import Findings
from unidoku.comparison.report.html import html
from unidoku.comparison.report.tables import contradictions_table, standard_tables
from unidoku.comparison.report.view import ReportView
from unidoku.comparison.report.words import sentence
from unidoku.comparison.results import OUTCOMES, Results
from unidoku.comparison.statistics.distributions import symmetry_spread
from unidoku.comparison.statistics.groups import grouped
from unidoku.comparison.statistics.summary import ranking, summarise
from unidoku.comparison.statistics.times import times_of
from unidoku.comparison.verdict import Verdict
from unidoku.draw import svg
from unidoku.files.examples import find_example
from unidoku.support.page import read_part
from unidoku.support.text import percent, plural, ratio, seconds

BACKENDS = ("native", "sat:cadical", "cp-sat", "norvig")
HOSTILE = (
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 1'>",
    '"><svg onload="window.hacked = 1">',
)

Opener: TypeAlias = Callable[..., Any]


@pytest.fixture(scope="module")
def results() -> Results:
    return invented_results(BACKENDS, 60, 3, 1, images=2, self_test_twin=True)


@pytest.fixture(scope="module")
def report(results: Results, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(
        html(results, invented_verdict(results, disagreements=8, undecided=2)), encoding="utf-8"
    )
    return path


@pytest.fixture(scope="module")
def opened(browser: Browser) -> Opener:
    return partial(opened_offline, browser)


@pytest.fixture
def page(opened: Opener, report: Path) -> Iterator[Page]:
    """The report, opened in the browser."""
    with opened(report) as page:
        yield page


def rows(page: Page, table: str) -> list[list[str]]:
    """Return the texts of a table's body."""
    cells: list[list[str]] = page.eval_on_selector_all(
        f"{table} tbody tr",
        "rows => rows.map(row => [...row.children].map(cell => cell.textContent.trim()))",
    )
    return cells


def test_every_backend_has_a_curve_and_every_solved_case_a_point(
    page: Page, results: Results
) -> None:
    canvas = page.locator("#curves canvas")
    solved = sum(summary.solved for summary in summarise(times_of(results)))
    expect(canvas).to_have_attribute("data-curves", str(len(results.backends)))
    expect(canvas).to_have_attribute("data-points", str(solved))
    assert all(label in (canvas.get_attribute("aria-label") or "") for label in results.backends)
    expect(page.locator("#scatter canvas")).to_have_attribute("data-points", "60")


def test_the_curves_are_painted_in_the_colour_of_each_backend(page: Page) -> None:
    missing = page.evaluate(
        """() => {
          const canvas = document.querySelector("#curves canvas");
          const {width, height} = canvas;
          const {data} = canvas.getContext("2d").getImageData(0, 0, width, height);
          const seen = new Set();
          for (let k = 0; k < data.length; k += 4) seen.add(data.slice(k, k + 4).join());
          const probe = document.body.appendChild(document.createElement("i"));
          return [0, 1, 2, 3, 4].filter((number) => {
            probe.style.color = `var(--b${number})`;
            const [r, g, b] = getComputedStyle(probe).color.match(/\\d+/g);
            return !seen.has(`${r},${g},${b},255`);
          });
        }"""
    )
    assert missing == []


def summary_of(results: Results) -> list[list[str]]:
    """Return the rows of the page's summary by the table of Python, outcomes without a symbol."""
    headings = ("backend", "solved", "median", "mean", "max", "PAR2", "shifted mean", "× first")
    table = standard_tables(results)[0]
    table = table.at([table.headings.index(heading) for heading in headings])
    shown = []
    summaries = Findings.of(results).summaries
    for (label, _, *figures), summary in zip(table.rows, summaries, strict=True):
        outcomes = [
            f"{count} {outcome.value}"
            for outcome, count in summary.outcomes.items()
            if outcome is not Outcome.SOLVED
        ]
        solved = " ".join([f"{summary.solved:,} of {summary.cases:,}", *outcomes])
        texts = [
            re.sub("<[^>]*>", "", column.markup(figure))
            for column, figure in zip(table.columns[2:], figures, strict=True)
        ]
        shown.append([label, solved, *texts])
    return shown


def summary_shown(page: Page) -> list[list[str]]:
    """Return the rows of the summary that the script drew, outcomes without a symbol."""
    return [
        [label, re.sub(r"\W+", " ", solved), *figures]
        for label, solved, *figures in rows(page, "table.summary")
    ]


def test_the_script_and_python_say_the_same(page: Page, results: Results) -> None:
    matrix = invented_verdict(results, disagreements=8, undecided=2).matrix
    table = contradictions_table(matrix, results.backends, brief=True)
    assert summary_shown(page) == summary_of(results)
    assert rows(page, "table.matrix") == [list(row) for row in table.texts]


def test_the_script_writes_numbers_as_python_does(browser: Browser) -> None:
    random = Random(1)
    values = [0.0, 1.0, 0.125001, 0.99949, 0.9995, 99.994, 99.996, 999.4, 1234.4, math.nan]
    values += [10 ** random.uniform(-6, 5) for _ in range(2000)]
    counts = [0, 1, 999, 1000, 1_234_567]
    script = read_part("unidoku.comparison.report.html", "words.js")
    calls = """([values, counts]) => [
      ...[seconds, ratio, percent].map((write) => values.map((value) => write(value))),
      counts.map((count) => plural(count, "case")), [ratio(Infinity), percent(Infinity)],
    ]"""
    page = browser.new_page()
    texts = page.evaluate(f"(given) => {{ {script}\nreturn ({calls})(given); }}", [values, counts])
    page.close()
    written = [[write(value) for value in values] for write in (seconds, ratio, percent)]
    assert texts[:3] == written
    assert texts[3] == [plural(count, "case") for count in counts]
    assert texts[4] == [ratio(math.inf), percent(math.inf)]


def test_luck_is_the_same_in_the_script_and_in_python(page: Page, results: Results) -> None:
    shown = [(row[0], row[1], row[3], row[4]) for row in rows(page, "table.spreads")]
    expected = [
        (row.backend, f"{ratio(row.low)}×", f"{ratio(row.high)}×", f"{row.cases} cases")
        for row in symmetry_spread(results)
    ]
    assert shown == expected


def test_the_slider_ranks_as_python_does(page: Page, results: Results) -> None:
    for boards in (1, 1000, 1_000_000):
        page.evaluate("hash => { location.hash = hash; }", f"boards={boards}")
        expect(page.locator("#boards-text")).to_have_text(re.compile(f"^{boards:,} board"))
        shown = [row[1] for row in rows(page, "table.phases")]
        assert shown == [label for label, _ in ranking(times_of(results), boards)]


def test_moving_the_slider_changes_the_cost_of_a_board(page: Page) -> None:
    before = rows(page, "table.phases")
    page.locator("#boards").press("End")
    assert rows(page, "table.phases") != before
    assert "boards=1000000" in page.url


def test_a_filtered_page_is_the_page_of_the_cases_that_are_left(
    page: Page, results: Results
) -> None:
    cases = [case for case in results.cases if case.board.layout.name == "windoku"]
    part = only(results, cases)
    written = [row[:7] for row in summary_of(part)]
    page.select_option("[data-filter=layout]", "windoku, n = 9")
    assert [row[:7] for row in summary_shown(page)] == written
    expect(page.locator("#shown")).to_have_text(f"{len(cases)} of 60 cases")
    expect(page.locator("#scatter canvas")).to_have_attribute("data-points", str(len(cases)))


def only(results: Results, cases: list[Case]) -> Results:
    """Return the results of some of the cases."""
    part = Results(results.backends, results.plan, results.environment)
    for case in cases:
        part.add_case(case)
    names = ("wall_ns", "init_ns", "solve_ns", "decode_ns", "count", "image", "round")
    columns = {name: results.column(name) for name in (*names, "case", "backend", "outcome")}
    for run, number in enumerate(columns["case"]):
        if results.cases[number] in cases:
            figures = {name: int(columns[name][run]) for name in names}
            part.add(
                Record(
                    key=str(run),
                    case=results.cases[number].id,
                    backend=results.backends[columns["backend"][run]],
                    outcome=OUTCOMES[columns["outcome"][run]],
                    **nested(figures),
                )
            )
    return part


@pytest.fixture(scope="module")
def grouped_report(results: Results, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "groups.html"
    view = ReportView(by="name", x="holes")
    path.write_text(html(results, invented_verdict(results), view=view), encoding="utf-8")
    return path


@pytest.fixture
def grouped_page(opened: Opener, grouped_report: Path) -> Iterator[Page]:
    """The report with groups, opened in the browser."""
    with opened(grouped_report) as page:
        yield page


def test_the_table_of_groups_has_geometric_means_in_which_unsolved_cases_count_twice_the_limit(
    grouped_page: Page, results: Results
) -> None:
    times = times_of(results)
    groups = grouped(times, "name")
    expected = []
    for row in summarise(times):
        index = times.backends.index(row.backend)
        means = []
        for group in groups:
            solved, walls = group.times.solved[index], group.times.seconds[index]
            counted = np.where(solved, walls, 2 * TIME_LIMIT)
            means.append(seconds(math.exp(np.log(counted).mean())))
        expected.append([row.backend, *means])
    assert rows(grouped_page, "table.groups") == expected
    heads = grouped_page.locator("table.groups thead th").all_inner_texts()
    assert heads == ["backend", *(group.name for group in groups)]
    expect(grouped_page.locator("table.groups .best")).to_have_count(len(groups))


def test_a_heading_of_the_table_of_groups_chooses_the_cases_of_the_page(
    grouped_page: Page, results: Results
) -> None:
    group = grouped(times_of(results), "name")[1]
    cases = len(group.times.cases)
    whole = rows(grouped_page, "table.groups")
    grouped_page.locator("table.groups thead button", has_text=group.name).click()
    expect(grouped_page.locator("#shown")).to_have_text(f"{cases} of 60 cases")
    expect(grouped_page.locator("[data-filter=group]")).to_have_value(group.name)
    expect(grouped_page.locator("#scatter canvas")).to_have_attribute("data-points", str(cases))
    assert sorted(rows(grouped_page, "table.groups")) == sorted(whole)
    grouped_page.locator("table.groups thead button", has_text=group.name).click()
    expect(grouped_page.locator("#shown")).to_have_text("60 cases")


def test_the_plot_over_a_number_has_a_point_for_each_case_and_opens_it(
    grouped_page: Page, results: Results
) -> None:
    canvas = grouped_page.locator("#over canvas")
    expect(grouped_page.locator("#over-title")).to_have_text("Over holes")
    points = len(results.backends) * 60
    expect(canvas).to_have_attribute("data-points", str(points))
    grouped_page.select_option("#over-name", "size")
    expect(grouped_page.locator("#over-title")).to_have_text("Over size")
    assert "over=size" in grouped_page.url
    canvas.focus()
    grouped_page.keyboard.press("ArrowRight")
    name = grouped_page.locator("#over .tip").inner_text().splitlines()[-1]
    grouped_page.keyboard.press("Enter")
    expect(grouped_page.locator("#panel h2")).to_have_text(name)


def test_a_view_is_in_its_address_and_opens_again(opened: Opener, report: Path) -> None:
    with opened(report) as page:
        page.select_option("[data-filter=source]", "puzzles/x.txt")
        page.click("[data-backend='sat:cadical']")
        page.click("[data-plot=cactus]")
        page.click("table.summary thead button >> text=median")
        page.select_option("#pair-y", "norvig")
        state = page.inner_text("main")
        address = page.url
        page.reload()
        page.wait_for_selector("html[data-ready]", state="attached")
        assert page.inner_text("main") == state
    with opened(report, "#" + address.partition("#")[2]) as page:
        assert page.inner_text("main") == state
        expect(page.locator("#curves canvas")).to_have_attribute("data-curves", "4")
        expect(page.locator("[data-plot=cactus]")).to_have_attribute("aria-pressed", "true")
        expect(page.locator("[data-backend='sat:cadical']")).to_have_attribute(
            "aria-pressed", "false"
        )
        page.click("text=Show all")
        expect(page.locator("#curves canvas")).to_have_attribute("data-curves", "5")
        expect(page.locator("#shown")).to_have_text("60 cases")


def test_an_address_that_makes_no_sense_shows_everything(opened: Opener, report: Path) -> None:
    with opened(report, "#off=[&boards=x&x=nobody&case=none&sort=-none&plot=?") as page:
        expect(page.locator("#shown")).to_have_text("60 cases")
        expect(page.locator("#panel")).to_be_hidden()


def test_the_filter_by_outcome_keeps_the_cases_with_it(page: Page, results: Results) -> None:
    times = times_of(results)
    crashed = (times.outcome == OUTCOMES.index(Outcome.CRASHED)).any(axis=0).sum()
    page.select_option("[data-filter=outcome]", "crashed")
    expect(page.locator("#shown")).to_have_text(f"{crashed} of 60 cases")
    page.select_option("[data-filter=outcome]", "all-solved")
    expect(page.locator("#shown")).to_have_text(f"{times.solved.all(axis=0).sum()} of 60 cases")


def test_a_click_on_a_heading_sorts_and_a_second_one_turns_the_order(page: Page) -> None:
    page.click("table.summary thead button >> text=backend")
    names = [row[0] for row in rows(page, "table.summary")]
    assert names == sorted(names)
    page.click("table.summary thead button >> text=backend")
    assert [row[0] for row in rows(page, "table.summary")] == names[::-1]
    expect(page.locator("th[aria-sort=descending]")).to_have_text("backend")


@pytest.mark.parametrize(
    ("plot", "view"), [("scatter", ""), ("curves", ""), ("curves", "#plot=cactus")]
)
def test_a_click_on_a_point_opens_its_board_with_what_every_backend_said(
    opened: Opener, report: Path, results: Results, plot: str, view: str
) -> None:
    with opened(report, view) as page:
        canvas = page.locator(f"#{plot} canvas")
        canvas.focus()
        for _ in range(9):
            page.keyboard.press("ArrowRight")
        ring = page.locator(f"#{plot} .ring").bounding_box()
        tip = page.locator(f"#{plot} .tip").inner_text()
        page.mouse.click(ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2)
        case = next(c for c in results.cases if c.id == page.get_attribute("#panel", "data-case"))
        assert case.name in tip
        expect(page.locator("#panel h2")).to_have_text(case.name)
        drawn = page.locator("#panel svg.board text").all_text_contents()
        assert drawn == re.findall(r"<text[^>]*>(\d+)</text>", svg(case.board))
        assert sorted(page.locator("#panel h3").all_inner_texts()) == sorted(results.backends)
        expect(page.locator("#panel .answer .badge")).to_have_count(len(results.backends))
        page.keyboard.press("Escape")
        expect(page.locator("#panel")).to_be_hidden()
        expect(canvas).to_be_focused()


def test_a_board_is_drawn_as_python_draws_it(opened: Opener, tmp_path: Path) -> None:
    boards = [
        find_example(name).puzzles()[0].board
        for name in ("samurai", "jigsaw", "windoku", "sixteen")
    ]
    boards += [
        Board.parse("11.. .... .... ...."),
        Board.from_candidates(Board.parse("1" + "." * 15).layout, [{1, 2}] * 16),
    ]
    cases = [Case(board=board, name=str(k), source="made") for k, board in enumerate(boards)]
    results = invented_results(("one", "two"), 0, 1, 1, own_cases=cases)
    for case in cases:
        results.add(unsatisfiable(case))
    (tmp_path / "boards.html").write_text(
        html(results, invented_verdict(results)), encoding="utf-8"
    )
    with opened(tmp_path / "boards.html") as page:
        for case in cases:
            page.evaluate("hash => { location.hash = hash; }", f"case={case.id}")
            expect(page.locator("#panel")).to_have_attribute("data-case", case.id)
            picture = page.locator("#panel svg.board").inner_html()
            for element in ("text", "path", "rect"):
                assert shapes(element, picture) == shapes(element, svg(case.board))


def unsatisfiable(case: Case) -> Record:
    """Return the record of a backend that says that there are no solutions."""
    return Record(
        key=case.id,
        case=case.id,
        backend="two",
        round=2,
        outcome=Outcome.SOLVED,
        stop=Stop.EXHAUSTED,
    )


def shapes(element: str, picture: str) -> list[tuple[Any, ...]]:
    """Return the elements of a kind, with their class, places and text."""
    drawn = []
    for attributes, text in re.findall(rf"<{element}\b([^>]*?)/?>([^<]*)", picture):
        named = dict(re.findall(r'([\w-]+)="([^"]*)"', attributes))
        places = [f"{float(named[k]):.3g}" for k in ("x", "y", "width") if k in named]
        drawn.append((named.get("class", ""), *places, named.get("d"), text.strip()))
    return sorted(drawn)


def test_the_matrix_lists_the_cases_and_opens_them(page: Page, results: Results) -> None:
    verdict = invented_verdict(results, disagreements=8)
    (refuted, witness), cases = next(iter(verdict.matrix.items()))
    page.click(f"[aria-label^='{refuted} is contradicted by {witness} on']")
    chips = page.locator("#matrix .chip")
    assert chips.all_inner_texts() == [case.name for case in cases]
    chips.first.click()
    expect(page.locator("#panel .evidence.bad")).to_be_visible()
    expect(page.locator("#panel")).to_have_attribute("data-case", cases[0].id)


def test_names_that_are_markup_are_text(opened: Opener, tmp_path: Path) -> None:
    board = find_example("practice").puzzles()[0].board
    cases = [
        Case(board=board.assign(0, 1 + k), name=name, source=name) for k, name in enumerate(HOSTILE)
    ]
    results = invented_results(HOSTILE, 0, 2, 1, own_cases=cases)
    results.add(
        Record(
            key="x",
            case=cases[0].id,
            backend=HOSTILE[0],
            round=3,
            outcome=Outcome.FAILED,
            evidence=HOSTILE,
        )
    )
    results.plan = {**results.plan, HOSTILE[0]: list(HOSTILE)}
    path = tmp_path / "hostile.html"
    path.write_text(
        html(results, invented_verdict(results, disagreements=3), title=HOSTILE[0]),
        encoding="utf-8",
    )
    with opened(path, f"#case={cases[0].id}") as page:
        expect(page.locator("#panel h2")).to_have_text(HOSTILE[0])
        page.locator("#scatter canvas").focus()
        page.keyboard.press("ArrowRight")
        assert page.evaluate("window.hacked") is None
        assert page.title() == HOSTILE[0]
        assert page.locator("img").count() == 0
        assert HOSTILE[1] in page.locator("#panel").inner_text()
    with opened(path, java_script_enabled=False) as page:
        assert HOSTILE[0] in page.locator("table.summary").inner_text()


def test_an_injected_script_does_not_run(opened: Opener, report: Path, tmp_path: Path) -> None:
    text = report.read_text(encoding="utf-8")
    path = tmp_path / "injected.html"
    path.write_text(text.replace("</main>", "<script>window.hacked = 1</script></main>"), "utf-8")
    with pytest.raises(AssertionError, match="Content Security Policy"), opened(path) as page:
        assert page.evaluate("window.hacked") is None


def test_without_scripts_the_page_has_the_verdict_and_the_summary(
    opened: Opener, report: Path, results: Results
) -> None:
    verdict = invented_verdict(results, disagreements=8, undecided=2)
    with opened(report, java_script_enabled=False) as page:
        expect(page.get_by_text(sentence(verdict))).to_be_visible()
        expect(page.locator("table.summary")).to_be_visible()
        table = standard_tables(results)[0]
        shown = rows(page, "table.summary")
        assert [row[:-1] for row in shown] == [list(row[:-1]) for row in table.texts]
        for part in ("#filters", "#curves", "#scatter", "#phases", "#matrix", "#spread"):
            expect(page.locator(part)).to_be_hidden()
        page.click("text=Environment")
        expect(page.get_by_text("8-core test processor")).to_be_visible()
        expect(page.get_by_text("This run cannot resolve less than")).to_be_visible()
    assert "<noscript>" in report.read_text("utf-8")


def wait_for_background(page: Page, colour: str) -> None:
    page.wait_for_function(
        "colour => getComputedStyle(document.documentElement).backgroundColor == colour",
        arg=colour,
    )


def background(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


def test_the_page_is_light_or_dark_as_the_system_is_and_as_its_reader_says(
    opened: Opener, report: Path
) -> None:
    with opened(report, color_scheme="light") as page:
        assert findings(page, contrast=True) == []
        light = background(page)
    with opened(report, color_scheme="dark") as page:
        assert findings(page, contrast=True) == []
        dark = background(page)
        page.click("#theme")
        wait_for_background(page, light)
        page.reload()
        page.wait_for_selector("html[data-ready]", state="attached")
        wait_for_background(page, light)
    assert light != dark


@pytest.mark.parametrize("scripts", [True, False])
def test_a_phone_needs_no_sideways_scrolling(opened: Opener, report: Path, scripts: bool) -> None:
    with opened(
        report, viewport={"width": 390, "height": 844}, java_script_enabled=scripts
    ) as page:
        page.click("text=Plan: what was asked")
        widest = (
            page.locator("main > *").evaluate_all(
                "parts => Math.max(...parts.map(part => part.getBoundingClientRect().right))"
            )
            if scripts
            else 390
        )
        assert widest <= 390
        page.mouse.wheel(500, 0)
        assert page.locator("html").bounding_box()["width"] == 390
        if scripts:
            assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("cases", [800, pytest.param(4000, marks=pytest.mark.soak)])
def test_thousands_of_runs_are_a_small_file_that_opens(
    opened: Opener, tmp_path: Path, cases: int
) -> None:
    results = invented_results(("a", "b", "c", "d", "e"), cases, 5, 1)
    assert len(results) == 25 * cases
    path = tmp_path / "large.html"
    path.write_text(html(results, invented_verdict(results)), encoding="utf-8")
    assert path.stat().st_size < 300_000 + 1925 * cases
    with opened(path) as page:
        expect(page.locator("#scatter canvas")).to_have_attribute("data-points", str(cases))
        page.select_option("[data-filter=layout]", "x, n = 9")
        expect(page.locator("#shown")).to_contain_text(f"of {cases:,} cases")


def test_nothing_run_is_a_page_too(opened: Opener, tmp_path: Path) -> None:
    (tmp_path / "none.html").write_text(
        html(Results(), Verdict(cases=0, shared=0)), encoding="utf-8"
    )
    with opened(tmp_path / "none.html") as page:
        expect(page.get_by_text("Nothing to compare")).to_be_visible()


def test_one_case_without_a_time_limit_is_a_page_too(opened: Opener, tmp_path: Path) -> None:
    results = invented_results(("alone",), 1, 1, 5)
    results.plan = {}
    (tmp_path / "one.html").write_text(html(results, invented_verdict(results)), encoding="utf-8")
    with opened(tmp_path / "one.html") as page:
        assert rows(page, "table.summary")[0][:2] == ["alone", "1 of 1"]
        expect(page.locator("#curves canvas")).to_have_attribute("data-points", "1")


def test_the_same_results_give_the_same_page(results: Results) -> None:
    verdict = invented_verdict(results, disagreements=3)
    assert html(results, verdict) == html(results, verdict)


@pytest.mark.parametrize(
    ("disagreements", "undecided", "start"),
    [
        (0, 0, "All answers agree, on all 60 cases."),
        (0, 1, "No disagreement, but 1 of 60 cases is undecided."),
        (1, 0, "1 disagreement on 1 of 60 cases, against sat:cadical."),
        (8, 3, "8 disagreements on 8 of 60 cases, against "),
    ],
)
def test_the_verdict_is_one_sentence(
    results: Results, disagreements: int, undecided: int, start: str
) -> None:
    verdict = invented_verdict(results, disagreements=disagreements, undecided=undecided)
    assert sentence(verdict).startswith(start)
    assert sentence(verdict).count(". ") == 0


def test_a_twin_with_too_few_cases_promises_nothing() -> None:
    results = invented_results(("one", "two"), 2, 1, 1, self_test_twin=True)
    page = html(results, invented_verdict(results))
    assert "Too few cases were solved to show" in page
    assert "cannot resolve less than" not in page


def test_times_out_of_the_plan_are_not_made_up(results: Results) -> None:
    assert f"time limit {TIME_LIMIT:g} s" in html(results, invented_verdict(results))
