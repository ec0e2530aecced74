"""The one way to write a file: whole or not at all, over another only where that is asked."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from unidoku.errors import InputError, OutputError
from unidoku.support.atomic_write import check_target, new_file, write_text


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def lose(path: Path) -> None:
    """Write a file that another one finishes first."""
    with new_file(path) as file:
        file.write(b"loser")
        write_text(path, "winner")


def test_a_file_gets_its_name_when_it_is_whole(tmp_path: Path) -> None:
    with new_file(tmp_path / "a.txt") as file:
        file.write(b"whole")
        assert names(tmp_path) == ["a.txt.part"]
    assert names(tmp_path) == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "whole"


def test_a_file_that_exists_is_refused_and_replaced_only_by_force(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "old")
    attempts: list[Callable[[Path], None]] = [check_target, lambda path: write_text(path, "new")]
    for attempt in attempts:
        with pytest.raises(OutputError, match=r"a\.txt exists; name another file, or .* --force"):
            attempt(path)
    check_target(path, force=True)
    assert path.read_text() == "old"
    write_text(path, "new", force=True)
    assert path.read_text() == "new"
    assert names(tmp_path) == ["a.txt"]


def test_the_unfinished_file_of_somebody_else_is_never_touched(tmp_path: Path) -> None:
    (tmp_path / "a.txt.part").write_text("of somebody else")
    with new_file(tmp_path / "a.txt") as file:
        file.write(b"new")
        assert names(tmp_path) == ["a.txt.2.part", "a.txt.part"]
    assert names(tmp_path) == ["a.txt", "a.txt.part"]
    assert (tmp_path / "a.txt.part").read_text() == "of somebody else"


def test_of_two_writers_one_gets_the_name_and_the_other_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    message = r"another process wrote it in the meantime; its whole content is in .*a\.txt\.part$"
    with pytest.raises(OutputError, match=message):
        lose(path)
    assert path.read_text() == "winner"
    assert (tmp_path / "a.txt.part").read_text() == "loser"
    with new_file(path, force=True) as last:
        last.write(b"last")
        write_text(path, "winner", force=True)
    assert path.read_text() == "last"


def test_a_file_system_without_hard_links_refuses_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", unsupported)
    path = tmp_path / "a.txt"
    with pytest.raises(OutputError, match="in the meantime"):
        lose(path)
    assert path.read_text() == "winner"


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    link, target = tmp_path / "link.txt", tmp_path / "folder" / "target.txt"
    target.parent.mkdir()
    link.symlink_to(target)
    write_text(link, "through a link that leads nowhere yet")
    with pytest.raises(OutputError, match=r"link\.txt exists"):
        write_text(link, "again")
    write_text(link, "again", force=True)
    assert link.is_symlink()
    assert target.read_text() == "again"
    assert names(target.parent) == ["target.txt"]
    (tmp_path / "round").symlink_to(tmp_path / "round")
    with pytest.raises(OutputError, match="round cannot be written: Too many levels"):
        write_text(tmp_path / "round", "")


def test_permissions_are_those_of_any_new_file_or_of_the_file_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with umask(0o027):
        write_text(path, "")
    assert path.stat().st_mode & 0o777 == 0o640
    path.chmod(0o600)
    with new_file(path, force=True):
        assert (tmp_path / "a.txt.part").stat().st_mode & 0o777 == 0o600
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_was_found_is_kept_where_that_is_asked_but_not_where_the_input_is_at_fault(
    tmp_path: Path,
) -> None:
    def interrupted(error: BaseException, *, keep: bool, data: bytes = b"found") -> None:
        with new_file(tmp_path / "a.txt", keep=keep) as file:
            file.write(data)
            raise error

    for error, keep, data in (
        (InputError("no board"), True, b"found"),
        (KeyboardInterrupt(), False, b"found"),
        (KeyboardInterrupt(), True, b""),
    ):
        with pytest.raises(type(error)):
            interrupted(error, keep=keep, data=data)
        assert names(tmp_path) == []
    with pytest.raises(KeyboardInterrupt) as caught:
        interrupted(KeyboardInterrupt(), keep=True)
    assert caught.value.__notes__ == [f"what was found so far is in {tmp_path}/a.txt.part"]
    assert (tmp_path / "a.txt.part").read_text() == "found"


def test_devices_and_pipes_are_written_directly(tmp_path: Path) -> None:
    write_text(os.devnull, "text")
    with pytest.raises(OutputError, match=r"^/dev/full cannot be written: No space left on device"):
        write_text("/dev/full", "text")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "through a pipe")
    reader.join()
    assert read == ["through a pipe"]
    assert names(tmp_path) == ["pipe"]


def test_a_name_that_no_file_can_have_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for name, reason in {
        "": "got the folder",
        "no/folder.txt": "No such file or directory; make its folder first",
        "file/a.txt": "Not a directory; make its folder first",
        "a" * 300: "File name too long; name a shorter one",
        "a\0b": "embedded null",
    }.items():
        for attempt in (check_target, lambda path: write_text(path, "")):
            with pytest.raises(OutputError, match=reason) as caught:
                attempt(tmp_path / name)
            assert "\n" not in str(caught.value)
    write_text(tmp_path / ("a" * 255), "the longest name")


def test_what_has_no_place_in_utf_8_is_written_as_a_question_mark(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "a\udc80b")
    assert (tmp_path / "a.txt").read_bytes() == b"a?b"
