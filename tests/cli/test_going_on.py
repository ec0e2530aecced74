"""A puzzle that fails or is not decided is named, and the others are asked too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers.command_lines import BOARD, CLASH
from tests.helpers.command_runner import Runner
from unidoku.cli import codes
from unidoku.cli.commands import hint, rate
from unidoku.errors import TimeLimitError

ONE = f'[[puzzles]]\nname = "{{}}"\nsize = 4\ngivens = "{BOARD}"\n'
THERMOS = [f'[{{ kind = "thermo", line = "{line}" }}]' for line in ("A1 A2 A3", "D2 D1 C1")]
RULE = f'rules = [{{ kind = "any-of", branches = [{", ".join(THERMOS)}] }}]\n'
UNIQUE = "unique-rectangle"  # refused on boards with rules

FAILING = [
    "solve {} --backend exact-cover",
    "solve {} --backend exact-cover --json",
    "count {} --backend exact-cover",
    "count {} --backend exact-cover --json",
    "check {} --backend exact-cover",
    "check {} --backend exact-cover --setting",
    "check {} --backend exact-cover --json",
    "candidates {} --true --backend exact-cover",
    "candidates {} --backbone --backend exact-cover",
    "explain {} --verify --backend exact-cover",
    f"explain {{}} --techniques {UNIQUE}",
    f"explain {{}} --techniques {UNIQUE} --json",
    f"hint {{}} --techniques {UNIQUE}",
    "rate {} --backends exact-cover",
    "rate {} --backends exact-cover --json",
]


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file of three puzzles; most backends refuse none, exact-cover the second."""
    monkeypatch.chdir(tmp_path)
    Path("three.toml").write_text(
        "version = 1\n" + ONE.format("first") + ONE.format("second") + RULE + ONE.format("last")
    )
    return "three.toml"


@pytest.mark.parametrize("command", FAILING)
def test_a_puzzle_that_fails_is_named_and_the_others_are_asked(
    command: str, three: str, run: Runner
) -> None:
    ran = run(*command.format(three).split())
    assert ran.code == codes.ERROR
    assert ran.err.count("unidoku: second: ") == 1
    assert ran.err.splitlines()[-1] == "unidoku: 3 puzzles: 1 failed"
    assert "unidoku: first" not in ran.err
    assert "unidoku: last" not in ran.err
    if "--json" in command:
        messages = [json.loads(line) for line in ran.out.splitlines()]
        assert {"first", "second", "last"} == {item["name"] for item in messages}
        assert ["error" in item for item in messages if item["name"] == "last"] == [False]
    elif not command.startswith(("count", "solve")):
        assert "last" in ran.out


@pytest.mark.parametrize("command", FAILING)
def test_the_only_puzzle_fails_as_always(command: str, three: str, run: Runner) -> None:
    Path(three).write_text("version = 1\n" + ONE.format("second") + RULE)
    ran = run(*command.format(three).split())
    assert ran.code == codes.ERROR
    assert ran.err.startswith("unidoku: ")
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("command", ["hint {}", "rate {} --no-measure"])
def test_a_puzzle_that_is_not_decided_is_named(
    command: str, three: str, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(board: object, *_: object, **__: object) -> None:
        raise TimeLimitError("time limit of 1 s reached")

    monkeypatch.setattr(hint, "hint", late)
    monkeypatch.setattr(rate, "rate_and_measure", late)
    ran = run(*command.format(three).split())
    assert ran.code == codes.NO
    assert ran.err.splitlines() == [
        *(f"unidoku: {name}: time limit of 1 s reached" for name in ("first", "second", "last")),
        "unidoku: 3 puzzles: 3 not decided",
    ]


def test_a_wrong_option_is_told_once(three: str, run: Runner) -> None:
    ran = run("solve", three, "--backend", "norvig[nonsense=1]")
    assert (ran.code, len(ran.err.splitlines())) == (codes.ERROR, 1)


@pytest.mark.parametrize("command", ["solve", "check", "candidates", "explain", "hint", "why"])
def test_one_answer_that_is_no_is_that_of_all_whichever_it_is(
    command: str, tmp_path: Path, run: Runner
) -> None:
    path = tmp_path / "two.txt"
    for boards in ((CLASH, BOARD), (BOARD, CLASH)):
        path.write_text("".join(f"{board}  a\n" for board in boards))
        assert run(command, str(path), *["A2=2"] * (command == "why")).code == codes.NO
