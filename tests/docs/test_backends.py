"""The page of the backends is what the catalogue and the adapters say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from tests.helpers.programs import needs
from unidoku.backends import BUILT_IN, BackendSpec, find
from unidoku.backends.base import Capabilities

pytestmark = pytest.mark.docs


@needs("minizinc")
def test_the_page_is_what_its_program_makes_and_has_all_rows(
    make_backends: Any, root: Path
) -> None:
    text, problems = make_backends.page()
    assert not problems, "all adapters can be described, where all solvers are installed"
    assert text == (root / "docs" / "backends.md").read_text(encoding="utf-8")
    for spec in map(find, BUILT_IN):
        assert f"\n| [`{spec.name}`](#{spec.name}) |" in text
        assert f"\n## {spec.name}\n" in text
        assert spec.homepage in text


@dataclass(frozen=True, kw_only=True)
class Example:
    """The first paragraph.

    Statistics: ``nodes``
    (tried).

    Args:
        speed: how fast. ``slow``
            or ``fast``: as said.
        depth: with a bar: a|b.

    Another paragraph.

    Raises:
        OptionError: never.
    """

    speed: Literal["slow", "fast"] = "slow"
    depth: int | None = None
    careful: bool = False


EXAMPLE = BackendSpec(
    name="example",
    target=f"{__name__}:Example",
    summary="An example",
    capabilities=Capabilities(),
)


def test_a_docstring_is_taken_apart(make_backends: Any) -> None:
    parts = make_backends.documentation(Example)
    assert parts.paragraphs == ("The first paragraph.", "Another paragraph.")
    assert parts.statistics == "`nodes` (tried)."
    assert parts.arguments == {
        "speed": "how fast. `slow` or `fast`: as said.",
        "depth": "with a bar: a|b.",
    }


def test_an_option_that_is_not_described_is_an_error(make_backends: Any) -> None:
    parts = make_backends.documentation(Example)
    with pytest.raises(ValueError, match=r"example: options \['careful', 'depth', 'speed'\]"):
        list(make_backends.options(EXAMPLE, parts.arguments))


def test_values_and_defaults_are_written_as_in_labels(make_backends: Any) -> None:
    described = {"speed": "a.", "depth": "b.", "careful": "c."}
    assert list(make_backends.options(EXAMPLE, described)) == [
        ["`speed`", "`slow`, `fast`", "`slow`", "a."],
        ["`depth`", "int", "not given", "b."],
        ["`careful`", "`true`, `false`", "`false`", "c."],
    ]


def test_bars_in_cells_do_not_end_them(make_backends: Any) -> None:
    assert make_backends.table(["x"], [["a|b"], [""]]) == "| x |\n| --- |\n| a\\|b |\n| – |\n"


def test_every_program_of_upstream_is_listed(root: Path) -> None:
    folder = root / "docs" / "upstream"
    page = (folder / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\((.*?)\)", page)) == {path.name for path in folder.glob("*.py")}
