"""The manual page has all commands and options, and man has nothing to complain about."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any

import pytest

from unidoku.cli.program import COMMANDS

pytestmark = pytest.mark.docs


def test_the_page_has_every_command_with_its_options(make_man: Any) -> None:
    page = make_man.page()
    for name in COMMANDS:
        dashed = name.replace("-", "\\-")
        assert f"\n.SS unidoku {dashed}\n" in page
    for part in ("NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"):
        assert f"\n.SH {part}\n" in page
    assert ".B \\-\\-cross\\-check\\-backend LABEL" in page
    assert ".nf\nbash, in" in page, "lines are kept where click keeps them"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (".dot first", "\\&.dot first"),
        ("'quote first", "\\&'quote first"),
        ("a-b \\ c", "a\\-b \\e c"),
        ("  two   blanks", "\\&  two   blanks"),
    ],
)
def test_text_means_itself(text: str, written: str, make_man: Any) -> None:
    assert make_man._text(text) == written


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff on the path")
def test_groff_has_no_complaint_about_the_page(make_man: Any) -> None:
    ran = subprocess.run(
        ["groff", "-k", "-man", "-ww", "-z", "-Tutf8"],
        input=make_man.page(),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert ran.stderr == ""
