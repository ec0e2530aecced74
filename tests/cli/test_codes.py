"""Exit codes: what each command returns for yes, for no, and where it has no answer."""

from __future__ import annotations

import errno
import re
from pathlib import Path

import pytest

from tests.helpers.command_lines import BOARD, EVERY, arguments_of
from tests.helpers.command_runner import Runner
from tests.helpers.python_process import run_python
from unidoku.backends.solving.solver import Solver
from unidoku.cli import codes
from unidoku.cli.program import COMMANDS
from unidoku.errors import (
    BackendError,
    InputError,
    OutputError,
    TimeLimitError,
    UnidokuError,
    WrongAnswerError,
)

ALL = {codes.YES, codes.NO, codes.ERROR, codes.INTERRUPTED}


@pytest.mark.parametrize(("command", "code"), EVERY.items(), ids=EVERY)
def test_every_command_says_yes_or_no(command: str, code: int, run: Runner, folder: Path) -> None:
    assert run(*arguments_of(command, folder)).code == code


def test_no_command_is_left_out() -> None:
    assert {command.split()[0] for command in EVERY} == set(COMMANDS)
    assert {0, 1, 2, 130} == ALL


@pytest.mark.parametrize("name", COMMANDS)
def test_bad_usage_is_code_2_of_every_command(name: str, run: Runner) -> None:
    assert run(name, "--nonsense").code == codes.ERROR


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BackendError("the solver fell over"), codes.ERROR),
        (WrongAnswerError("a 10 in a board of 9"), codes.ERROR),
        (OutputError("proof.txt cannot be written"), codes.ERROR),
        (OSError(errno.ENOSPC, "No space left on device"), codes.ERROR),
        (OSError(errno.EMFILE, "Too many open files", "x.txt"), codes.ERROR),
        (InputError("expected something else"), codes.ERROR),
        (TimeLimitError("not decided within 1 s"), codes.NO),
        (KeyboardInterrupt(), codes.INTERRUPTED),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else str(value),
)
@pytest.mark.parametrize("name", ["solve", "count", "check", "candidates --true", "rate"])
def test_a_solver_that_fails_is_never_an_answer(
    name: str, error: BaseException, code: int, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    for search in ("search", "solve"):
        monkeypatch.setattr(Solver, search, fail)
    ran = run(*name.split(), BOARD)
    if name == "rate" and isinstance(error, TimeLimitError):
        assert ran.code == codes.NO  # what is late is left out of the table
        return
    assert (ran.code, ran.out) == (code, "")
    assert len(ran.err.splitlines()) == 1
    assert ran.err.startswith("unidoku: ")
    if isinstance(error, UnidokuError):
        assert str(error) in ran.err


def test_a_mistake_of_ours_is_code_2_with_its_traceback() -> None:
    program = (
        "import sys\nimport unidoku.cli.program as program\nfrom unidoku.cli import main\n"
        "program.run = None\nsys.exit(main(['config']))"
    )
    ran = run_python("-c", program)
    assert ran.returncode == codes.ERROR
    assert "TypeError: 'NoneType' object is not callable" in ran.stderr


def test_the_page_says_what_each_command_means(root: Path) -> None:
    page = (root / "docs" / "command-line.md").read_text(encoding="utf-8")
    table = page.partition("## Exit codes")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert sorted(re.findall("`(.*?)`", "".join(rows))) == sorted(COMMANDS)
    for code in ALL:
        assert f"**{code}**" in table
