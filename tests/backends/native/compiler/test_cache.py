from __future__ import annotations

import ctypes
import os
import random
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import unidoku
from tests.backends.native.boards import LANES, SINGLE, forget_the_search, in_a_process
from tests.helpers.volume import volume
from unidoku import Board, Layout, Stop, layout
from unidoku.backends.native.compiler import compiled_function as program
from unidoku.backends.native.compiler import object_cache
from unidoku.backends.native.lanes import compile as compiling
from unidoku.backends.native.single import function
from unidoku.backends.native.single.build.layout_tables import tables_of, tables_of_units
from unidoku.backends.native.single.function import SEARCH
from unidoku.support import logs
from unidoku.support.lock import lock_of

pytestmark = pytest.mark.usefixtures("_without_library")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of the cache, and no kernels in memory except the engine."""
    compiling.ADVANCE[16].loaded()
    monkeypatch.setenv("UNIDOKU_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(compiling, "_kernels", {})
    return tmp_path / "cache"


def small() -> int:
    return LANES.solve(Board.empty(layout("classic", 4)), solutions=None).count


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The compiled search of single boards, which is not compiled again; how often it was asked."""
    SINGLE.solve(Board.empty(layout("classic", 4)))
    code_of_search = object_cache.read(SEARCH.path()) or SEARCH.compiled()
    times: list[bytes] = []

    def compiled(_: program.Program) -> bytes:
        times.append(code_of_search)
        if (file := SEARCH.path()) is not None:  # as the other process does
            object_cache.write(file, code_of_search)
        return code_of_search

    monkeypatch.setattr(program.Program, "compiled", compiled)
    return times


def never(*_: object) -> bytes:
    raise AssertionError("compiled again")


def test_a_kernel_is_compiled_once_and_then_taken_from_the_cache(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert small() == 288
    (file,) = cache.iterdir()
    assert file.suffix == ".o"
    monkeypatch.setattr(compiling, "_kernels", {})
    monkeypatch.setattr(compiling, "object_code", never)
    assert small() == 288
    with pytest.raises(unidoku.UnidokuError, match="compiled again"):
        LANES.solve(Board.empty(layout("x", 4)))


def test_a_damaged_file_of_the_cache_is_made_again(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert small() == 288
    (file,) = cache.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:500] + bytes([whole[500] ^ 255]) + whole[501:])
    monkeypatch.setattr(compiling, "_kernels", {})
    assert small() == 288
    assert file.read_bytes() == whole


@pytest.mark.parametrize("folder", ["", "file"])
def test_without_a_cache_that_can_be_written_nothing_is(
    cache: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    file = cache.parent / "file"
    file.write_bytes(b"this is no folder")
    monkeypatch.setenv("UNIDOKU_CACHE", folder and str(file))
    monkeypatch.chdir(cache.parent)
    assert small() == 288
    assert list(cache.parent.iterdir()) == [file]
    assert file.read_bytes() == b"this is no folder"


def test_processes_that_compile_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    program = (
        "import unidoku\n"
        "from unidoku.backends.native.lanes.compile import kernel\n"
        "print(len(kernel(unidoku.layout('classic', 6)).addresses))\n"
    )
    with ThreadPoolExecutor(2) as executor:
        outputs = list(
            executor.map(lambda _: in_a_process(program, UNIDOKU_CACHE=str(tmp_path)), range(2))
        )
    assert outputs[0] == outputs[1]
    (file,) = tmp_path.iterdir()
    assert object_cache.read(file) is not None


def test_no_more_kernels_are_kept_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_kernels", {})
    monkeypatch.setattr(compiling, "MOST_KERNELS", 2)
    for length in range(2, 7):
        chosen = Layout.from_units(3, [[0, 1]], shape=(1, length))
        expected = 6 * 3 ** (length - 2)
        assert LANES.solve(Board.empty(chosen), solutions=None).count == expected
        assert len(compiling._kernels) <= 2


def one_board() -> int:
    tables_of.cache_clear()
    tables_of_units.cache_clear()  # with their workspaces
    return SINGLE.solve(Board.empty(layout("classic", 4)), solutions=None).count


def test_the_search_of_single_boards_is_compiled_once_and_then_taken_from_the_cache(
    compilations: list[bytes], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        forget_the_search(monkeypatch)
        assert one_board() == 288
        assert len(compilations) == 1
    (file,) = cache.iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    forget_the_search(monkeypatch)
    assert one_board() == 288
    assert len(compilations) == 2


@pytest.mark.parametrize("folder", ["", "file"])
def test_the_search_of_single_boards_does_without_a_cache(
    compilations: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    (tmp_path / "file").write_bytes(b"this is no folder")
    monkeypatch.setenv("UNIDOKU_CACHE", folder and str(tmp_path / folder))
    forget_the_search(monkeypatch)
    assert one_board() == 288
    assert len(compilations) == 1


@pytest.mark.slow
def test_a_program_is_compiled_by_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNIDOKU_CACHE", str(tmp_path))
    small = program.Program("tests.backends.native.doubled", "doubled")
    small.in_background()
    process = small._process
    small.in_background()
    assert process is not None
    assert process is small._process
    assert not small.load_if_there()
    result, exception = ctypes.c_int64(), ctypes.c_int64()
    call = small.loaded().call  # waits for the other process
    call(ctypes.addressof(result), ctypes.addressof(exception), 21)
    assert result.value == 42
    assert process.wait() == 0
    (file,) = tmp_path.iterdir()
    assert file == small.path()


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["cache", "file"])
def test_to_compile_takes_no_longer_than_the_time_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    (tmp_path / "file").write_bytes(b"this is no folder")
    monkeypatch.setenv("UNIDOKU_CACHE", str(tmp_path / folder))
    fresh = program.Program("tests.backends.native.doubled", "doubled")
    forget_the_search(monkeypatch)
    monkeypatch.setattr(function, "SEARCH", fresh)
    result = SINGLE.solve(Board.empty(layout("classic", 4)), solutions=None, time_limit=0.05)
    assert (result.stop, result.count) == (Stop.TIME, 0)
    assert not fresh.is_loaded
    assert fresh.load_within(60)
    assert fresh.load_within(0.001)


def test_a_search_that_cannot_be_compiled_is_an_error_that_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNIDOKU_CACHE", str(tmp_path))
    monkeypatch.setattr(program, "_PROGRAM", "raise SystemExit('no compiler here')")
    forget_the_search(monkeypatch)
    with pytest.raises(unidoku.UnidokuError, match="could not be compiled: no compiler here"):
        one_board()


def test_of_several_that_need_the_same_code_one_makes_it_and_the_others_wait(
    tmp_path: Path,
) -> None:
    compilations: list[int] = []

    def make() -> bytes:
        compilations.append(1)
        time.sleep(0.3)
        return b"code"

    with ThreadPoolExecutor(4) as executor:
        codes = list(
            executor.map(lambda _: object_cache.load_or_make(tmp_path / "a.o", make), range(4))
        )
    assert codes == [b"code"] * 4
    assert compilations == [1]
    assert object_cache.load_or_make(None, make) == b"code"
    assert len(compilations) == 2, "without a cache each makes its own"


CODE = b"code" * 100
DAMAGES = ["flip", "cut", "zeros", "noise", "swapped", "linked", "hard link", "pipe", "folder"]
DAMAGES += ["mode", "linked lock"]
if hasattr(os, "geteuid") and os.geteuid() == 0:  # who may give files away
    DAMAGES += ["owner"]


def make_again() -> bytes:
    return CODE


def damage(path: Path, how: str, rng: random.Random) -> None:
    """Do something to a whole file of the cache."""
    content = bytearray(path.read_bytes())
    other, victim = path.with_name("other.o"), path.with_name("diary.txt")
    victim.write_text("mine")
    at = rng.randrange(len(content))
    match how:
        case "flip":
            content[at] ^= 1 << rng.randrange(8)
            path.write_bytes(content)
        case "cut":
            path.write_bytes(content[:at])
        case "zeros":
            content[at:] = bytes(len(content) - at)
            path.write_bytes(content)
        case "noise":
            path.write_bytes(rng.randbytes(len(content)))
        case "swapped":
            object_cache.write(other, b"other code")
            path.write_bytes(other.read_bytes())
        case "linked":
            path.unlink()
            path.symlink_to(rng.choice([victim, path.parent, path.parent / "nowhere"]))
        case "hard link":
            path.unlink()
            path.hardlink_to(victim)
        case "mode":
            path.chmod(rng.choice([0o620, 0o602, 0o666, 0o777]))
        case "owner":
            os.chown(path, 12345, -1)
        case "pipe":
            path.unlink()
            os.mkfifo(path)
        case "folder":
            path.unlink()
            path.mkdir()
        case _:
            lock_of(path).symlink_to(victim)
            path.write_bytes(b"")


@pytest.mark.volume
def test_damaged_files_of_the_cache_are_made_again_and_no_link_is_followed(tmp_path: Path) -> None:
    rng = random.Random(7)
    path = tmp_path / "cache" / "a.o"
    object_cache.write(path, CODE)
    assert stat.filemode(path.parent.stat().st_mode) == "drwx------"
    for how in DAMAGES * volume(2):
        damage(path, how, rng)
        assert object_cache.read(path) is None, how
        assert object_cache.load_or_make(path, make_again) == CODE, how
        assert not path.is_symlink()
        assert stat.filemode(path.stat().st_mode) == "-rw-------", how
        assert object_cache.read(path) == CODE, how
        assert path.with_name("diary.txt").read_text() == "mine", how
        assert not lock_of(path).is_symlink()


def test_a_folder_that_others_may_write_to_is_no_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("UNIDOKU_CACHE", str(tmp_path))
    assert object_cache.path_of("code") is not None
    tmp_path.chmod(0o775)
    logs.warn_once.cache_clear()
    assert [object_cache.path_of("code") for _ in range(3)] == [None] * 3
    (record,) = caplog.records
    assert record.name == "unidoku.support.user_dirs"
    assert record.message == (
        f"the cache in {tmp_path} is not used: other users may write to it; "
        "make it yours alone, or name another folder in UNIDOKU_CACHE"
    )


def test_a_folder_of_another_user_is_no_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNIDOKU_CACHE", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    assert object_cache.path_of("code") is None


def test_what_cannot_be_removed_from_the_cache_is_done_without(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "cache" / "a.o"
    (path / "notes").mkdir(parents=True)
    logs.warn_once.cache_clear()
    assert object_cache.load_or_make(path, make_again) == CODE
    assert (path / "notes").is_dir()
    assert [record.message for record in caplog.records] == [
        f"{path} is made again: it is not a regular file",
        f"compiled code is not kept: {path} cannot be removed: Directory not empty",
    ]
