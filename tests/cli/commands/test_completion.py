"""What shells complete: asked as bash asks it, and once in a real bash."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.command_runner import Runner
from unidoku.backends import every_row
from unidoku.cli.commands.completion import VARIABLE
from unidoku.cli.program import COMMANDS


def named(begins: str) -> list[str]:
    """Return the backends, programs on the path among them, whose names begin so."""
    rows = {row.name for row in every_row() if row.name.startswith(begins) and not row.missing}
    assert "clingo" in rows
    return sorted(rows)


C = named("c")


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("comp", ["compare", "completion"]),
        ("completion z", ["zsh"]),
        ("solve --backend c", C),
        ("compare --backends native,c", [f"native,{name}" for name in C]),
        ("fuzz --backends native,c", [f"native,{name}" for name in C]),
        ("rate --backends c", C),
        ("backends cl", named("cl")),
        ("generate --cross-check-backend cl", named("cl")),
        ("check --variant wi", ["windoku"]),
        ("check --variant x+wi", ["x+windoku"]),
        ("convert --to ipu", ["ipuz"]),
        ("solve --from ipu", ["ipuz"]),
        ("export --to dim", ["dimacs"]),
        ("generate --family ke", ["kenken"]),
        ("generate --family q", ["qcp", "quasigroup"]),
        ("generate --rules killer,ar", ["killer,arrow"]),
        ("generate --difficulty xy-", ["xy-chain", "xy-wing"]),
        ("explain --techniques usual,..xyz", ["usual,..xyz-wing"]),
        ("hint --techniques us", ["usual"]),
    ],
)
def test_the_shell_completes_commands_and_values(
    words: str, offered: list[str], run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"unidoku {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split())))
    monkeypatch.setattr(sys, "argv", ["unidoku"])
    assert [line.partition(",")[2] for line in run().out.splitlines()] == offered


def test_every_option_that_takes_a_backend_or_a_technique_completes_it() -> None:
    import click

    from unidoku.cli.program import cli

    named = {"--backend", "--backends", "--cross-check-backend", "--techniques", "--difficulty"}
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        for option in command.params:
            if named & {*option.opts}:
                assert option._custom_shell_complete is not None, (name, option.opts)


def test_a_technique_is_offered_as_the_commands_understand_it(run: Runner) -> None:
    assert run("hint", "1.....2..3.....4", "--techniques", "hidden-single").code == 0


@pytest.mark.parametrize(
    ("shell", "has"),
    [
        ("bash", "complete -o nosort -F _unidoku_completion unidoku"),
        ("zsh", "#compdef unidoku"),
        ("fish", "complete --no-files --command unidoku"),
    ],
)
def test_the_script_of_each_shell_asks_unidoku(shell: str, has: str, run: Runner) -> None:
    ran = run("completion", shell)
    assert ran.code == 0
    assert has in ran.out
    assert f"{VARIABLE}={shell}_complete" in ran.out


@pytest.mark.processes
@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash on the path")
def test_a_real_bash_completes_a_list_of_backends(tmp_path: Path) -> None:
    program = tmp_path / "unidoku"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m unidoku "$@"\n')
    program.chmod(0o755)
    script = """
        eval "$(unidoku completion bash)"
        COMP_WORDS=(unidoku compare --backends native,cl)
        COMP_CWORD=3
        _unidoku_completion unidoku
        echo "${COMPREPLY[@]}"
    """
    ran = subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
        check=True,
    )
    assert sorted(ran.stdout.split()) == [f"native,{name}" for name in named("cl")]


def test_the_versions_that_a_report_needs_are_listed(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = run("--verbose", "--version")
    assert ran.code == 0
    table = dict(line.split("  ", 1) for line in ran.out.splitlines()[1:-1])
    assert {"unidoku", "python", "system", "click", "llvmlite", "backend native"} <= table.keys()
    assert table["backend sat"].strip().startswith("python-sat 1.")
    if shutil.which("minizinc"):
        assert table["backend minizinc"].strip().startswith("minizinc 2.")
    assert run("--version").out.startswith("unidoku, version ")
    refused = run("--verbose")
    assert refused.code == 2
    assert "--verbose: expected together with --version" in refused.err
