"""Writes the pages, pictures and the table of figures of a published study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from studying.document import document
from studying.page import interactive
from studying.picture import caption, picture
from studying.read import read_published
from studying.tables import figures_csv
from unidoku.draw.paint import Theme
from unidoku.support.atomic_write import make_folder, write_text

__all__ = ["made", "show"]


_PICTURES: Mapping[str, Theme] = {
    "study.svg": "auto",
    "study-light.svg": "light",
    "study-dark.svg": "dark",
}


def made(results: Path, docs: Path) -> Iterator[tuple[Path, str]]:
    """Yield each file that is made from a published study, with its content.

    Raises:
        InputError, FormatError: the study cannot be read.
    """
    study = read_published(results)
    yield docs / "study.md", document(study)
    yield docs / "study.html", interactive(study)
    for name, theme in _PICTURES.items():
        yield docs / "images" / name, picture(study, theme)
    yield results / "caption.txt", caption(study) + "\n"
    yield results / "figures.csv", figures_csv(study)


def show(results: Path, docs: Path) -> None:
    """Write all of these files.

    Raises:
        InputError, FormatError: the study cannot be read.
        OutputError: a file cannot be written.
    """
    for path, text in made(results, docs):
        make_folder(path.parent)
        write_text(path, text, force=True)
