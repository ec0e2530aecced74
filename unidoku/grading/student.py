"""What students hand in: functions, classes and programs, as backends.

A module is imported in a worker only, so that nothing it does reaches the process of the teacher.
"""

from __future__ import annotations

import importlib.util
import os
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unidoku.backends import BackendSpec, add_folder
from unidoku.backends.base import Backend, Capabilities, Request, Result
from unidoku.backends.failure import summarize_exception
from unidoku.backends.function import FunctionBackend, capabilities_of, form_of
from unidoku.backends.options import DeclaredOption
from unidoku.backends.programs.reader_spec import ReaderSpec
from unidoku.backends.solving.policy import refusals
from unidoku.comparison.run.messages import Configuration
from unidoku.core.board import Board
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS
from unidoku.errors import BackendError, InputError, UnsupportedError, WrongAnswerError

NOT_IMPORTABLE = "cannot be imported: "
"""The beginning of the message about a module that cannot be imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """What a student handed in.

    Args:
        student: name of the student.
        path: the module, or the program.
    """

    student: str
    path: Path

    def configuration(self, function: str, variant: str) -> Configuration:
        """Return what a worker needs to make the backend.

        Args:
            function: name of the function or class in a module.
            variant: variant of the boards.

        Raises:
            InputError: the path of a program cannot be written in a command.
        """
        if self.path.suffix == ".py":
            options = {"path": str(self.path), "function": function, "variant": variant}
            return Configuration(_spec(self.student), options)
        command = shlex.quote(str(self.path))
        row = ReaderSpec.declared(self.student, "line", command, max_solutions=1, variant=variant)
        return Configuration(replace(row, greeted=False))


def submissions_in(folder: Path, function: str) -> Iterator[Submission]:
    """Yield what is in a folder, by name: modules, programs, and folders with either.

    A student's folder has a module or program named like the function, or only one module.

    Raises:
        InputError: the folder cannot be read.
    """
    try:
        entries = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError as error:
        raise InputError(
            f"expected a folder with a file for each student, got {str(folder)!r}: {error.strerror}"
        ) from error
    for path in map(Path.absolute, entries):
        if path.name.startswith((".", "__")):
            continue
        if path.is_dir():
            modules = sorted(path.glob("*.py"))
            named = [path / f"{function}.py", path / function, *modules[: len(modules) == 1]]
            chosen = next(filter(_is_submission, named), None)
            if chosen is not None:
                yield Submission(student=path.name, path=chosen)
        elif _is_submission(path):
            yield Submission(student=path.stem, path=path)


def _is_submission(path: Path) -> bool:
    return path.is_file() and (path.suffix == ".py" or os.access(path, os.X_OK))


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentSpec(BackendSpec):
    """The row of a module that only workers import; its boards are those of the assignment."""

    @property
    def shared_options(self) -> tuple[DeclaredOption, ...]:
        """None: a student's solver gets the board as it is."""
        return ()


def _spec(student: str) -> StudentSpec:
    return StudentSpec(
        name=student,
        target=f"{__name__}:StudentBackend",
        summary=student,
        capabilities=Capabilities(constraints=ALL_CONSTRAINTS),
    )


class StudentBackend:
    """The function or the class of a student's module.

    Args:
        path: the module.
        function: name of the function or class.
        variant: variant that a function which gets a text or rows solves.

    Raises:
        BackendError: the module cannot be imported, or has nothing of that name.
    """

    def __init__(self, *, path: str, function: str, variant: str) -> None:
        solver = _object(Path(path), function)
        self._backend: Backend
        if isinstance(solver, type) or not callable(solver):
            capabilities = getattr(solver, "capabilities", Capabilities())
            self._backend = solver() if isinstance(solver, type) else solver
        else:
            capabilities = replace(capabilities_of(solver), constraints=ALL_CONSTRAINTS)
            only = None if form_of(solver) == "board" else variant
            self._backend = FunctionBackend(function, solver, variant=only)
        self._capabilities = capabilities

    def search(self, board: Board, request: Request) -> Result:
        """Search a board; what cannot be read as an answer is a wrong one.

        Raises:
            UnsupportedError: the solver does not claim to support the board.
            WrongAnswerError: the answer is no solution.
            BackendError: the solver asks for the end of its process.
        """
        if lacking := refusals(self._capabilities, board.layout, request):
            raise UnsupportedError("; ".join(lacking))
        try:
            return self._backend.search(board, request)
        except BackendError as error:
            raise WrongAnswerError(str(error)) from error
        except SystemExit as end:  # a caller would name the solver with all its options
            raise BackendError(summarize_exception(end)) from end


def _object(path: Path, name: str) -> Any:
    """Import a student's module, and return what it has under a name."""
    add_folder(str(path.parent))
    spec = importlib.util.spec_from_file_location(_MODULE, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[_MODULE] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # a program that is not a module may exit
        raise BackendError(f"{NOT_IMPORTABLE}{summarize_exception(error)}") from error
    if (member := getattr(module, name, None)) is None:
        names = [
            word for word, member in vars(module).items() if callable(member) and word[0] != "_"
        ]
        raise BackendError(
            f"{NOT_IMPORTABLE}expected a function or class {name!r}, "
            f"got {', '.join(names) or 'a module without any'}"
        )
    return member


_MODULE = "submission"
"""Name of a student's module, whatever its file is called."""
