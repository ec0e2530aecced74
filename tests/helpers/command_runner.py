"""Commands, run in this process as the command line runs them."""

from __future__ import annotations

import io
import sys

import pytest

from unidoku.cli import codes
from unidoku.cli.program import run


class Ran:
    """What a command wrote, and its exit code."""

    def __init__(self, code: int, captured: tuple[str, str]) -> None:
        self.code = code
        self.out, self.err = captured


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


class Runner:
    """Runs command lines in this process."""

    def __init__(self, capture: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self._capture = capture
        self._patch = patch

    def __call__(self, *arguments: str, stdin: str = "") -> Ran:
        self._patch.setattr(sys, "stdin", io.StringIO(stdin))
        code = run(arguments)
        return Ran(code, self._capture.readouterr())

    def refused(self, *arguments: str, stdin: str = "") -> str:
        """Return the error of a command that ends with exit code 2 and prints nothing else."""
        ran = self(*arguments, stdin=stdin)
        assert (ran.code, ran.out) == (codes.ERROR, "")
        assert "Traceback" not in ran.err
        return ran.err


class QuickRunner(Runner):
    """The same, but a comparison that is told nothing else runs here, and repeats searches 1 ms."""

    def __call__(self, *arguments: str, stdin: str = "") -> Ran:
        has_samples = any(word == "--sample-ms" or word.endswith(".toml") for word in arguments)
        quickly = ("--sample-ms=1",) if arguments[0] == "compare" and not has_samples else ()
        if arguments[0] == "compare" and "--engine" not in arguments:
            quickly = (*quickly, "--engine=inline")
        return super().__call__(*arguments, *quickly, stdin=stdin)
