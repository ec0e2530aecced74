from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import unidoku
from tests.backends.native.boards import LANES, in_a_process
from unidoku import Board, Layout, layout
from unidoku.backends.native.lanes import compile as compiling


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the cache with nothing in it, and no kernels in memory."""
    monkeypatch.setenv("UNIDOKU_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(compiling, "_kernels", {})
    return tmp_path / "cache"


def small() -> int:
    return LANES.solve(Board.empty(layout("classic", 4)), solutions=None).count


def never(*_: object) -> bytes:
    raise AssertionError("compiled again")


def test_a_kernel_is_compiled_once_and_then_taken_from_the_cache(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert small() == 288
    (file,) = cache.iterdir()
    assert file.suffix == ".o"
    monkeypatch.setattr(compiling, "_kernels", {})
    monkeypatch.setattr(compiling, "_compiled", never)
    assert small() == 288
    with pytest.raises(unidoku.UnidokuError, match="compiled again"):
        LANES.solve(Board.empty(layout("x", 4)))


@pytest.mark.parametrize("damage", ["cut", "empty", "changed", "short"])
def test_a_damaged_file_of_the_cache_is_made_anew(
    cache: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    assert small() == 288
    (file,) = cache.iterdir()
    whole = file.read_bytes()
    damaged = {
        "cut": whole[: len(whole) // 2],
        "empty": b"",
        "changed": whole[:500] + bytes([whole[500] ^ 255]) + whole[501:],
        "short": whole[:31],
    }[damage]
    file.write_bytes(damaged)
    monkeypatch.setattr(compiling, "_kernels", {})
    assert small() == 288
    assert file.read_bytes() == whole


def test_nothing_is_written_where_no_cache_is_wanted(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNIDOKU_CACHE", "")
    monkeypatch.chdir(cache.parent)
    assert small() == 288
    assert list(cache.parent.iterdir()) == []


def test_a_cache_that_cannot_be_written_is_done_without(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = cache.parent / "file"
    file.write_bytes(b"this is no folder")
    monkeypatch.setenv("UNIDOKU_CACHE", str(file))
    assert small() == 288
    assert file.read_bytes() == b"this is no folder"


def test_processes_that_compile_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    program = (
        "import unidoku\n"
        "from unidoku.backends.native.lanes.compile import kernel\n"
        "print(len(kernel(unidoku.layout('classic', 6)).addresses))\n"
    )
    with ThreadPoolExecutor(2) as executor:
        said = list(
            executor.map(
                lambda _: in_a_process(program, UNIDOKU_CACHE=str(tmp_path)),
                range(2),
            )
        )
    assert said[0] == said[1]
    (file,) = tmp_path.iterdir()
    assert compiling._read(file) is not None


def test_no_more_kernels_are_kept_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_kernels", {})
    monkeypatch.setattr(compiling, "MOST_KERNELS", 2)
    for length in range(2, 7):
        chosen = Layout.from_units(3, [[0, 1]], shape=(1, length))
        expected = 6 * 3 ** (length - 2)
        assert LANES.solve(Board.empty(chosen), solutions=None).count == expected
        assert len(compiling._kernels) <= 2
