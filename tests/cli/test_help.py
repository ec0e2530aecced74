"""The help of the commands: grouped, whole, with examples; and what a terminal is told."""

from __future__ import annotations

import io
import shlex
import sys

import click
import pytest

from tests.helpers.command_runner import Runner, Terminal
from unidoku.cli.program import COMMANDS, GROUPS, cli, run

ROOT = click.Context(cli, info_name="unidoku")


def command_of(name: str) -> click.Command:
    command = cli.get_command(ROOT, name)
    assert command is not None
    return command


def example_of(command: click.Command) -> list[str]:
    """Return the words of a command's example, without the program."""
    title, line = (command.epilog or "").strip("\b\n").splitlines()
    program, *arguments = shlex.split(line)
    assert (title, program) == ("Example:", "unidoku")
    return arguments


def test_the_commands_are_listed_in_groups_each_with_a_whole_sentence(run: Runner) -> None:
    shown = run("--help").out
    groups = [part.splitlines() for part in shown.split("\n\n")]
    listed = {title.rstrip(":"): lines for title, *lines in groups}
    assert len(set(COMMANDS)) == len(COMMANDS)
    for title, names in GROUPS.items():
        assert [line.split()[0] for line in listed[title]] == [*names]
        assert all(line.endswith(".") and not line.endswith("...") for line in listed[title])
    assert max(map(len, shown.splitlines())) < 80
    assert shown.rstrip().splitlines()[-1].strip().startswith("unidoku solve ")


def test_the_example_of_the_program_prints_a_solution(run: Runner) -> None:
    ran = run(*example_of(cli))
    assert ran.code == 0
    assert ran.out.startswith("1 2 | ")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_ends_with_an_example_that_the_command_understands(
    name: str, run: Runner
) -> None:
    command = command_of(name)
    called, *arguments = example_of(command)
    assert called == name
    command.make_context(name, arguments)
    ends = run(name, "--help").out.rstrip().splitlines()[-2:]
    assert [line.strip() for line in ends] == (command.epilog or "").strip("\b\n").split("\n  ")


@pytest.mark.parametrize(
    ("arguments", "input_name"),
    [
        (["solve"], "a puzzle"),
        (["check", "-"], "a puzzle"),
        (["read-answer", "1" + 15 * ".", "--answer", "-", "--language", "dimacs"], "an answer"),
    ],
)
def test_what_reads_from_a_terminal_says_what_it_waits_for(
    arguments: list[str],
    input_name: str,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for stdin, expected in (
        (Terminal(), [f"unidoku: reading {input_name} from the terminal; "]),
        (io.StringIO(), []),
    ):
        monkeypatch.setattr(sys, "stdin", stdin)
        run(arguments)
        result = capfd.readouterr().err
        assert [line for line in result.splitlines() if "from the terminal" in line] == [
            f"{text}end with Ctrl-D on a line of its own" for text in expected
        ]


def test_a_board_on_the_command_line_waits_for_nothing(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal())
    assert run(["solve", "1" + 15 * "."]) == 0
    assert "terminal" not in capfd.readouterr().err
