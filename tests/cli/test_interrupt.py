"""Ctrl-C at any moment: from the first import to the last clean-up, and where it would be lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.helpers.boards import MANY, NORVIG
from tests.helpers.engines import all_gone, until
from tests.helpers.python_process import run_python
from tests.helpers.volume import SOAK, volume

pytestmark = pytest.mark.processes

BEGUN = """
import os, sys
from unidoku.cli import main

class Begin:
    def find_spec(self, name, *_):
        if name == "unidoku.cli.interrupt":  # what is imported first
            sys.meta_path.remove(self)
            os.write(2, b">")

sys.meta_path.insert(0, Begin())
"""
"""Tells when it is called that `main` has begun; only the interpreter runs before."""
COMMAND = f"{BEGUN}\nsys.exit(main())"
QUIET = {**os.environ, "PYTHONUNBUFFERED": ""}


def started(
    program: str, *arguments: str, environment: Mapping[str, str] = QUIET
) -> subprocess.Popen[str]:
    """Start a program that hears Ctrl-C, also where the tests run in the background."""
    handler = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        return subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,
        )
    finally:
        signal.signal(signal.SIGINT, handler)


def interrupted(delay: float, *arguments: str, program: str = COMMAND) -> tuple[int, str, float]:
    """Press Ctrl-C so many seconds after the command began: exit code, last words, seconds."""
    with started(program, *arguments) as process:
        assert process.stderr is not None
        assert process.stderr.read(1) == ">"
        time.sleep(delay)
        began = time.perf_counter()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        errors = process.stderr.read()
        return process.wait(timeout=60), errors, time.perf_counter() - began


@pytest.mark.parametrize("delay", [0.0, 0.05, 0.2, *[0.02, 0.1] * bool(SOAK)])
@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", MANY, "--backend", "norvig", "--solutions", "all"],
        ["explain", NORVIG],
        ["backends"],
        ["compare", "--backends", "native,norvig", "--repeats", "1000"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_ctrl_c_while_a_command_starts_is_one_line(delay: float, arguments: list[str]) -> None:
    code, message, _ = interrupted(delay, *arguments)
    assert "Traceback" not in message
    if code == 130:
        assert message.splitlines()[-1:] == ["unidoku: interrupted"]
    else:
        assert (code, arguments[0]) in {(0, "backends"), (0, "explain"), (1, "explain")}


@pytest.mark.volume
def test_ctrl_c_while_llvm_loads_and_compiles_is_not_lost() -> None:
    moments = random.Random(7)
    for _ in range(volume(2)):
        code, message, seconds = interrupted(
            moments.uniform(0.1, 2), "generate", "--count", "1000000", "--seed", "1"
        )
        assert code == 130, message
        assert "Traceback" not in message
        assert "ignored" not in message
        assert message.splitlines()[-1] == "unidoku: interrupted"
        assert seconds < 10


@pytest.mark.volume
def test_a_comparison_on_dask_that_is_interrupted_leaves_no_traceback(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    boards = tmp_path / "boards.txt"
    boards.write_text(f"{NORVIG}\n")
    moments = random.Random(7)
    local = ("--scheduler", "local:1", "--repeats", "100000")
    for _ in range(volume(1)):
        code, message, _ = interrupted(
            moments.uniform(0.5, 5 if SOAK else 3),
            "compare",
            str(boards),
            "--backends",
            "norvig",
            *local,
        )
        assert code == 130, message
        assert message.splitlines()[-1] == "unidoku: interrupted"
        for noise in ("Traceback", "Error", "leaked"):
            assert noise not in message


def test_ctrl_c_leaves_no_process_and_no_part_of_an_answer(tmp_path: Path, mark: str) -> None:
    boards, out = tmp_path / "boards.txt", tmp_path / "out.txt"
    boards.write_text("1.....2..3.....4\n" * 100_000)
    arguments = ["solve", str(boards), "-o", str(out), "--size", "4", "--backend", "norvig"]
    arguments += ["--scheduler", "local:2"]
    with started(COMMAND, *arguments, environment=os.environ) as process:
        part = tmp_path / "out.txt.part"
        assert until(lambda: part.exists() and part.stat().st_size > 0)
        os.killpg(process.pid, signal.SIGINT)
        assert process.stderr is not None
        errors = process.stderr.read()
        assert process.wait(timeout=60) == 130, errors
    assert "Traceback" not in errors
    assert errors.splitlines()[-1] == "unidoku: interrupted"
    assert all_gone(mark)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"boards.txt", "out.txt.part", "out.txt.part.json"}


PRELUDE = """
import ctypes, signal, time
from unidoku.cli import interrupt
interrupt.listen()

def press():
    signal.raise_signal(signal.SIGINT)

class Dying:
    def __del__(self):
        press()
"""
HEARD = """
try:
    {what}
    time.sleep(20)
except KeyboardInterrupt:
    interrupt.finish()
    print("heard")
"""


@pytest.mark.parametrize(
    "call",
    [
        "press()",
        "ctypes.CFUNCTYPE(None)(press)()",  # drops exceptions, as LLVM's callbacks do
        "Dying()",
        "exec('press()')",  # after which Python would end by the signal, though it is caught
    ],
)
def test_an_interrupt_that_is_dropped_comes_again(call: str) -> None:
    ran = run_python(
        "-c",
        PRELUDE + HEARD.format(what=call),
        timeout=15,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "heard\n", "")


MAKING = """
import signal, sys
from unidoku.cli import main

class Pressing:
    def __set_name__(self, owner, name):
        signal.raise_signal(signal.SIGINT)

class Making:
    def find_spec(self, name, *_):
        if name == "unidoku.cli.commands.solve":
            type("Made", (), {"field": Pressing()})

sys.meta_path.insert(0, Making())
sys.exit(main(["solve", "1"]))
"""


def test_ctrl_c_while_a_class_is_made_is_one_line_too() -> None:
    ran = run_python(
        "-c", MAKING, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None
    )
    assert (ran.returncode, ran.stderr) == (130, "unidoku: interrupted\n")


def test_a_command_in_the_background_goes_on_as_after_nohup() -> None:
    program = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n{COMMAND}"
    assert interrupted(0, "check", NORVIG, program=program)[:2] == (0, "")


def test_what_is_done_at_exit_is_done_after_ctrl_c() -> None:
    ending = f"""
import atexit, os, time
{COMMAND.replace("sys.exit(main())", "")}
code = main()
atexit.register(os.write, 2, b"cleaned")
atexit.register(time.sleep, 0.3)
sys.exit(code)
"""
    code, message, _ = interrupted(1, "solve", MANY, "--solutions", "all", program=ending)
    assert (code, message) == (130, "unidoku: interrupted\ncleaned")


def test_ctrl_c_ends_a_process_that_has_answered_and_cleans_up_for_long() -> None:
    ending = """
import atexit, os, time
from unidoku.cli import main
main()
atexit.register(time.sleep, 20)
os.write(2, b">")
"""
    code, message, seconds = interrupted(0.1, "check", NORVIG, program=ending)
    assert (code, message) == (130, "")
    assert seconds < 10
