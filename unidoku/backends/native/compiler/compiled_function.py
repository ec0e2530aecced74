"""Functions as machine code: in the library, or compiled once on a machine and then loaded.

To compile takes seconds, so it is done in a separate process; the resulting object code is kept in
the cache (`unidoku.backends.native.compiler.object_cache`) and loaded by llvmlite. Functions are
translated by `unidoku.backends.native.compiler.translator`.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from unidoku.backends.native import library
from unidoku.backends.native.compiler import object_cache
from unidoku.backends.native.engines import EngineError
from unidoku.backends.toolkit.stopping import stopped_from_outside
from unidoku.parallel.processes import keep, start
from unidoku.support.deadline import Deadline
from unidoku.support.logs import logger

_LOG = logger(__name__)

_WAIT = 0.5
"""Longest single wait in seconds for code that another process compiles."""


class Loaded(NamedTuple):
    """A function in memory.

    Args:
        call: the function. Its arguments are addresses for the result and for an exception, which
            is never raised, then its own numbers. Other Python threads run meanwhile.
        library: object that keeps the function's code in memory; the caller must keep a reference
            to it.
    """

    call: Callable[..., int]
    library: object


@dataclass(slots=True, eq=False)
class Program:
    """A function of one number that returns one.

    Args:
        module: module of the function.
        name: name of the function in its module.
    """

    module: str
    name: str
    _loaded: Loaded | None = None
    _process: subprocess.Popen[bytes] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_loaded(self) -> bool:
        """Whether the function is in memory, so that using it costs nothing."""
        return self._loaded is not None

    def load_if_there(self) -> bool:
        """Load the function if library or cache has it; return whether it is in memory."""
        with self._lock:
            self._loaded = self._loaded or self._in_library()
            if self._loaded is None and (code := object_cache.read(self.path())) is not None:
                self._loaded = self._load(code)
        return self.is_loaded

    def loaded(self) -> Loaded:
        """Return the function: from memory, the library or the cache on disk, or compiled.

        Raises:
            EngineError: LLVM failed.
        """
        with self._lock:
            self._loaded = self._loaded or self._in_library()
            if self._loaded is None:
                code = object_cache.read(self.path())
                self._loaded = self._load(self.compiled() if code is None else code)
            return self._loaded

    def load_within(self, seconds: float) -> bool:
        """Load the function, wait at most that long for it; return whether it is loaded.

        If there is a cache, the compilation continues in the background after that.

        Raises:
            EngineError: LLVM failed.
        """
        deadline = Deadline(seconds)
        if self.load_if_there():
            return True
        self.in_background()
        if self._process is not None:
            _LOG.info("waiting for %s, which is compiled, for at most %.1f s", self.name, seconds)
            while self._process.poll() is None and not deadline.passed:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(deadline.pause(_WAIT))
            if self.load_if_there() or self._process.poll() is None:
                return self.is_loaded
        try:  # there is no cache, or none that could be written
            code = self.compiled(deadline.limit)
        except subprocess.TimeoutExpired:
            return False
        with self._lock:
            self._loaded = self._loaded or self._load(code)
        return True

    def in_background(self) -> None:
        """Start a process, which may outlive this one, that compiles the code into the cache.

        Starts at most one such process, and none if there is no cache.
        """
        with self._lock:
            if self._process is None and self.path() is not None:
                _LOG.info("%s is compiled in the background", self.name)
                self._process = self._begin(subprocess.DEVNULL)
                keep(self._process.pid)
                atexit.register(_let_go, self._process)

    def path(self) -> Path | None:
        """Return the cache file of the function's code, None if there is no cache."""
        spec = find_spec(self.module)
        assert spec is not None, self.module
        assert spec.origin is not None, self.module
        source = object_cache.fingerprint(Path(spec.origin).parent)
        return object_cache.path_of(f"{self.module} {self.name} {source}")

    def compiled(self, seconds: float | None = None) -> bytes:
        """Compile the function in another process and return its object code.

        Raises:
            EngineError: LLVM failed.
            TimeoutExpired: the code was not ready after ``seconds``; the process is ended.
            Cancelled: the call was cancelled; the process is ended.
        """
        clock = Deadline()
        with self._begin(subprocess.PIPE) as process, stopped_from_outside(process.kill):
            try:
                out, errors = process.communicate(timeout=seconds)
            except BaseException:
                process.kill()
                raise
        if process.returncode:
            last = errors.decode(errors="replace").strip().splitlines()[-1:]
            raise EngineError(f"native: its search could not be compiled: {''.join(last)}")
        _LOG.info("%s was compiled in %.2f s", self.name, clock.elapsed)
        return out

    def _begin(self, out: int) -> subprocess.Popen[bytes]:
        """Start the process that writes the code into the cache and to its output."""
        paths = [str(Path(__file__).parents[4]), os.environ.get("PYTHONPATH", "")]
        environment = {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
        command = [sys.executable, "-P", "-c", _PROGRAM, self.module, self.name]
        return start(command, env=os.environ | environment, stdout=out, stderr=out)

    def _in_library(self) -> Loaded | None:
        address = library.address_of(self.name)
        return None if address is None else Loaded(_KIND(address), library.library())

    def _load(self, code: bytes) -> Loaded:
        engine = object_cache.load(code)
        return Loaded(_KIND(engine.get_function_address(self.name)), engine)

    def make(self) -> bytes:
        """Compile the function in this process; cache the code if no other process just did."""
        return object_cache.load_or_make(self.path(), self._object_code)

    def _object_code(self) -> bytes:
        from unidoku.backends.native.compiler.object_code import of_function

        function = getattr(import_module(self.module), self.name)
        return of_function(function, self.name, object_cache.target_machine(2))


_KIND = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_int64] * 3)

_PROGRAM = f"from {__name__} import main; main()"


def _let_go(process: subprocess.Popen[bytes]) -> None:
    """Keep Python from warning about a process that outlives this one."""
    process.returncode = process.poll() or 0


def main() -> None:
    """Compile the function that the arguments name and write its code to the output."""
    gc.disable()  # garbage collection takes a sixth of the time, and the process soon ends
    module, name = sys.argv[1:]
    sys.stdout.buffer.write(Program(module, name).make())
