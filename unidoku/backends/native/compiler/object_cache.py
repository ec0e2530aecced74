"""Object code for this processor: cached on disk and loaded into this process.

A file of the cache is named by a digest of everything that its code depends on, so that a stale
file is never used. A damaged file is made again, and so is a link, a pipe or whatever else has its
name; without a writable folder nothing is cached. Files that others could have changed are not
used, because what is in them is run: see `unidoku.support.user_dirs`.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from unidoku.backends.native.compiler.processor import host
from unidoku.errors import OutputError, reason
from unidoku.support.atomic_write import make_folder, new_file
from unidoku.support.deadline import Deadline
from unidoku.support.lock import lock_of, locked, plainly
from unidoku.support.logs import logger, warn_once
from unidoku.support.user_dirs import cache_folder, why_not_own

if TYPE_CHECKING:
    from llvmlite import binding

_LOG = logger(__name__)

LONGEST_COMPILATION = 120.0
"""Seconds to wait for another process that compiles the same code."""


@cache
def fingerprint(folder: Path) -> str:
    """Return a digest of what machine code depends on, apart from its input and the processor.

    The digest covers the version of LLVM and the source of the compiler, part of which is in a
    folder.
    """
    import llvmlite
    from llvmlite import binding

    digest = hashlib.sha256(f"{llvmlite.__version__} {binding.llvm_version_info}".encode())
    compiler = sorted(Path(__file__).parent.rglob("*.py"))
    for source in (*compiler, *sorted(folder.glob("*.py"))):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def target_machine(level: int = 1) -> binding.TargetMachine:
    """Return LLVM's compiler for this processor, at a level of optimization."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    return target.create_target_machine(
        cpu=host().cpu,
        features=host().features,
        opt=level,
        reloc="default",
        codemodel="jitdefault",
    )


def load(code: bytes) -> binding.ExecutionEngine:
    """Load object code so that its functions can be called."""
    from llvmlite import binding

    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), target_machine())
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


def path_of(description: str) -> Path | None:
    """Return the cache file for code with that description, None if there is no cache."""
    folder = cache_folder()
    name = hashlib.sha256(f"{host()} {description}".encode()).hexdigest()[:32]
    return None if folder is None else folder / f"{name}.o"


def load_or_make(path: Path | None, make: Callable[[], bytes]) -> bytes:
    """Return the code in the file; if there is none, make the code and save it there.

    If there is a cache, one of several processes makes the code and the others wait for it.
    """
    code = read(path)
    if code is not None:
        return code
    clock = Deadline()
    with contextlib.ExitStack() as stack:
        if path is not None:
            with contextlib.suppress(OutputError):  # `write` logs it
                _make_way(path)
                stack.enter_context(locked(path, LONGEST_COMPILATION))
                code = read(path)
        if code is None:
            code = make()
            _LOG.info("machine code was compiled in %.2f s: %s", clock.elapsed, path)
            write(path, code)
        else:
            _LOG.info("waited %.2f s for the process that compiled %s", clock.elapsed, path)
    return code


def read(path: Path | None) -> bytes | None:
    """Return the code in the file; None if it is damaged, or another user could have changed it.

    Before the code is the digest of the file's name and the code: an intact file under the name of
    another is damaged too, because its functions are other ones.
    """
    if path is None:
        return None
    try:
        with open(path, "rb", opener=plainly) as file:
            why = why_not_own(os.fstat(file.fileno()))
            content = file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        why, content = reason(error), b""
    digest, code = content[:32], content[32:]
    if not why and digest == _digest(path, code):
        _LOG.debug("machine code is read from %s", path)
        return code
    warn_once(__name__, f"{path} is made again: {why or 'it is damaged'}")
    return None


def write(path: Path | None, code: bytes) -> None:
    """Write the file, for this user alone; log a warning if that fails."""
    if path is None:
        return
    try:
        _make_way(path)
        with new_file(path, force=True) as file:
            if sys.platform != "win32":
                os.fchmod(file.fileno(), 0o600)
            file.write(_digest(path, code) + code)
    except OutputError as error:
        warn_once(__name__, f"compiled code is not kept: {error}")


def _digest(path: Path, code: bytes) -> bytes:
    return hashlib.sha256(path.name.encode() + code).digest()


def _make_way(path: Path) -> None:
    """Make the folder of a file; remove from the names of it and its lock what is not a file.

    Raises:
        OutputError: the folder cannot be made, or what is there cannot be removed.
    """
    make_folder(path.parent, mode=0o700)
    for name in (path, lock_of(path)):
        try:
            mode = name.lstat().st_mode
            if stat.S_ISDIR(mode):
                name.rmdir()
            elif not stat.S_ISREG(mode):
                name.unlink()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise OutputError(f"{name} cannot be removed: {reason(error)}") from error
