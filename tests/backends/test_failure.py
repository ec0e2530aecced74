"""What is said of an exception in somebody's own backend."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import unidoku
from unidoku import Board, Greater, layout
from unidoku.backends.failure import traceback_of
from unidoku.errors import BackendError

BOARD = "1... ..2. .3.. ...4"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a module that can be imported."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "failing_one", raising=False)
    return tmp_path / "failing_one.py"


def failure(label: str) -> BackendError:
    with pytest.raises(BackendError) as caught:
        unidoku.solve(BOARD, backend=label)
    return caught.value


def test_the_place_is_the_last_one_in_the_backends_own_code(module: Path) -> None:
    module.write_text(
        "import json\n\nclass Solver:\n    def search(self, board, request):\n"
        "        return json.loads('{')\n"
    )
    error = failure("failing_one:Solver")
    assert "JSONDecodeError: Expecting property name" in str(error)
    assert str(error).endswith("(failing_one.py, line 5)")  # and not json/decoder.py
    assert isinstance(error.__cause__, ValueError)


def test_the_place_in_a_function_that_yields_is_its_own(module: Path) -> None:
    module.write_text("def solve(text):\n    raise KeyError(text)\n    yield text\n")
    assert str(failure("function:failing_one:solve")).endswith("(failing_one.py, line 2)")


def test_the_place_is_that_of_the_backend_on_a_board_with_rules_as_well(module: Path) -> None:
    module.write_text(
        "import unidoku\n\nclass Solver:\n"
        "    capabilities = unidoku.load('norvig').spec.capabilities\n"
        "    def search(self, board, request):\n        raise KeyError(board)\n"
    )
    board = Board.empty(layout("classic", 4).with_rules(Greater(((0, 1),))))
    with pytest.raises(BackendError, match=r"\(failing_one.py, line 6\)"):
        unidoku.solve(board, backend="failing_one:Solver")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("x = 1\ny = x.missing\n", "no attribute 'missing' (failing_one.py, line 2)"),
        ("import sys\nsys.exit()\n", "SystemExit: (failing_one.py, line 2)"),
        ("x = 1\ny = = 2\n", "SyntaxError: invalid syntax (failing_one.py, line 2)"),
    ],
)
def test_a_module_that_cannot_be_imported_is_blamed_by_its_line(
    module: Path, code: str, reason: str
) -> None:
    module.write_text(code)
    error = failure("failing_one:Solver")
    assert str(error).startswith("'failing_one' cannot be imported: ")
    assert str(error).endswith(reason)


def test_a_long_traceback_is_cut_at_its_front(module: Path) -> None:
    module.write_text(
        "class Solver:\n    def search(self, board, request):\n"
        "        raise ValueError('x' * 100_000 + 'the end')\n"
    )
    cause = failure("failing_one:Solver").__cause__
    assert cause is not None
    text = traceback_of(cause)
    assert len(text) == 4096
    assert (text[0], text[-7:]) == ("…", "the end")


def test_a_backend_that_ends_the_process_has_failed(module: Path) -> None:
    module.write_text(
        "class Solver:\n    def search(self, board, request):\n        raise SystemExit(0)\n"
        "    def search_many(self, layout, cells, request):\n        raise SystemExit(1)\n"
    )
    error = failure("failing_one:Solver")
    assert str(error) == "failing_one:Solver: SystemExit: 0 (failing_one.py, line 3)"
    assert isinstance(error.__cause__, SystemExit)
    with pytest.raises(BackendError, match=r"SystemExit: 1 \(failing_one.py, line 5\)"):
        unidoku.load("failing_one:Solver").solve_many([BOARD])
