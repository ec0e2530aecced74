"""Writes the pages, pictures and the table of figures of a published study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from studying.document import document
from studying.method import STAGES
from studying.picture import caption, picture
from studying.read import Published, read_published
from studying.tables import cross_overs_csv, figures_csv, growth_csv
from unidoku.comparison.report.html import html
from unidoku.comparison.report.view import ReportView
from unidoku.draw.paint import Theme
from unidoku.support.atomic_write import make_folder, write_text

_PAGES = {"first": "study.html", "second": "study-second.html"}
"""The pages of a study, by the stage that they show."""

_VIEW = ReportView(by="name", x="size")

_PICTURES: Mapping[str, Theme] = {
    "study.svg": "auto",
    "study-light.svg": "light",
    "study-dark.svg": "dark",
}


def files_of(results: Path, docs: Path) -> Iterator[tuple[Path, str]]:
    """Yield each file that is made from a published study, with its content.

    Raises:
        InputError, FormatError: the study cannot be read.
    """
    study = read_published(results)
    yield docs / "study.md", document(study)
    for stage, name in _PAGES.items():
        if stage in study.comparisons:
            yield docs / name, _page(study, stage)
    for name, theme in _PICTURES.items():
        yield docs / "images" / name, picture(study, theme)
    yield results / "caption.txt", caption(study) + "\n"
    yield results / "figures.csv", figures_csv(study)
    yield results / "growth.csv", growth_csv(study)
    yield results / "cross-overs.csv", cross_overs_csv(study)


def _page(study: Published, stage: str) -> str:
    """Return the page that `unidoku report` writes for a stage."""
    comparison = study.comparisons[stage]
    title = f"{study.facts['title']}: {STAGES[stage].lower()}"
    return html(comparison.results, comparison.verdict(), title=title, view=_VIEW)


def show(results: Path, docs: Path) -> None:
    """Write all of these files.

    Raises:
        InputError, FormatError: the study cannot be read.
        OutputError: a file cannot be written.
    """
    for path, text in files_of(results, docs):
        make_folder(path.parent)
        write_text(path, text, force=True)
