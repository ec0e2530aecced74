"""Consent to what files would start: asked on a terminal, given by ``--trust``, or not given."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from unidoku.cli.printing import is_terminal, say
from unidoku.support.setting import in_context
from unidoku.support.trust import Launch, add
from unidoku.support.user_dirs import trust_file

_Code = TypeVar("_Code", int, None)

_trusts_all: ContextVar[bool] = ContextVar("trusts_all", default=False)


def consent(where: str, folder: Path, starts: Sequence[Launch], asking: bool) -> bool:
    """Return whether the user agrees that a file starts this; on a terminal, ask and remember."""
    if _trusts_all.get():
        return True
    if not asking or trust_file() is None or not is_terminal(sys.stdin, sys.stderr):
        return False
    say(f"{where} would start or import:", err=True)
    for start in starts:
        say(f"  {start.words}", err=True)
    if not click.confirm(f"Trust this in {folder}?", err=True):
        return False
    add(folder, starts)
    return True


def with_trust(function: Callable[..., _Code]) -> Callable[..., _Code]:
    """Add the option ``--trust`` of commands that may start what a file names."""

    @click.option(
        "--trust", is_flag=True, help="Start what files of settings, comparisons and journals name."
    )
    @wraps(function)
    def command(trust: bool, **options: Any) -> _Code:
        with in_context(_trusts_all, trust):
            return function(**options)

    return command
