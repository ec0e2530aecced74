"""The page about the workbench: its table of commands. `test_readme` runs its program."""

from __future__ import annotations

import re

from tests.helpers.pages import PAGES
from unidoku.serve.protocol import COMMANDS

PAGE = next(page for page in PAGES if page.name == "docs/serve.md")


def test_every_command_of_the_protocol_is_described_with_its_fields() -> None:
    rows = [line.split("|")[1:4] for line in PAGE.text.splitlines() if line.startswith("| `")]
    described = {name: row[1] for row in rows for name in re.findall(r"`([\w-]+)`", row[0])}
    assert described.keys() == COMMANDS.keys()
    for name, fields in COMMANDS.items():
        for field in fields.kinds:
            assert f"`{field}`" in described[name], (name, field)


def test_the_client_is_short() -> None:
    ((program, _),) = PAGE.programs
    assert len(program.splitlines()) <= 36
