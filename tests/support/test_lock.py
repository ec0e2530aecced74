"""A lock keeps others off a file, and leaves nothing behind."""

from __future__ import annotations

import errno
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from unidoku.errors import OutputError
from unidoku.support.lock import locked


def test_a_file_that_is_locked_is_refused_to_others_until_it_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for _ in range(2):
        with locked(path):
            who = rf"^another process writes .*a\.txt \(process {os.getpid()} on .+\)$"
            with pytest.raises(OutputError, match=who), locked(path):
                pass
            with locked(tmp_path / "b.txt"):
                assert len(list(tmp_path.iterdir())) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_lock_ends_with_an_exception_too(tmp_path: Path) -> None:
    with pytest.raises(KeyError), locked(tmp_path / "a"):
        raise KeyError
    assert list(tmp_path.iterdir()) == []


def test_a_lock_file_that_a_crash_left_behind_does_not_lock(tmp_path: Path) -> None:
    (tmp_path / ".a.lock").write_text("1\nsome.where\n")
    with locked(tmp_path / "a"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_lock_can_be_given_up_in_another_thread(tmp_path: Path) -> None:
    lock = locked(tmp_path / "a")
    lock.__enter__()
    thread = threading.Thread(target=lock.__exit__, args=(None, None, None))
    thread.start()
    thread.join()
    with locked(tmp_path / "a"):
        pass


def test_threads_that_lock_at_once_are_inside_one_by_one(tmp_path: Path) -> None:
    inside, most, entered = 0, 0, 0

    def enter(_: int) -> None:
        nonlocal inside, most, entered
        for _ in range(100):
            try:
                with locked(tmp_path / "a"):
                    inside += 1
                    most, entered = max(most, inside), entered + 1
                    inside -= 1
            except OutputError:
                pass

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(enter, range(4)))
    assert most == 1
    assert entered
    assert list(tmp_path.iterdir()) == []


def test_where_the_file_system_has_no_locks_the_file_is_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(*_: object) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(pytest.importorskip("fcntl"), "flock", flock)
    path = tmp_path / "a"
    with (
        pytest.warns(UserWarning, match="flock not supported"),
        locked(path),
        pytest.raises(OutputError, match="another process writes"),
        locked(path),
    ):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with (
        pytest.raises(OutputError, match=r"cannot be written: there is no folder .*none"),
        locked(tmp_path / "none" / "a"),
    ):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_is_too_long_is_an_error_of_output(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be locked"), locked(tmp_path / ("a" * 255)):
        pass
