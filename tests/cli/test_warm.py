"""What searches of a layout need is compiled before they begin."""

from __future__ import annotations

from tests.helpers.command_runner import Runner


def test_code_for_a_layout_is_compiled_or_the_command_says_why_not(run: Runner) -> None:
    ran = run("warm", "classic", "x", "--size", "4")
    assert ran.code == 0
    ready = [line.split(" is ready after ")[0] for line in ran.out.splitlines()]
    assert ready == [
        "classic 4x4: single",
        "classic 4x4: lanes",
        "x 4x4: single",
        "x 4x4: lanes",
    ]
    ran = run("warm", "classic", "--size", "80")
    assert ran.code == 1
    assert "supports up to 64 values, the board has 80" in ran.out
    assert run("warm", "nonsense").code == 2
