"""From the compiled parts to object code, once on a machine, and from there to a function.

It takes Numba some seconds, in a process of its own, so that whoever need not wait does not: until
the code is in the cache, `in_background` has it made, and `loaded` waits for it. Numba only
translates there; LLVM then optimizes the whole, which takes a third of the time that it takes Numba
to optimize each part.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from unidoku.backends.native import code
from unidoku.backends.native.single import registers as reg
from unidoku.errors import BackendError, OutputError
from unidoku.locking import locked
from unidoku.process import start
from unidoku.writing import make_folder

FUNCTION = "search"
"""What the function is called in object code."""

LONGEST_COMPILATION = 120.0
"""Seconds to wait for another process that compiles the same."""

_PROGRAM = f"from {__name__} import main; main()"


class Loaded(NamedTuple):
    """The compiled search.

    Args:
        call: runs it with the address of its registers; Python's other threads run meanwhile.
        library: what keeps its code in memory; whoever calls it holds on to that.
    """

    call: Callable[[int], None]
    library: object


class _State:
    """What this process knows: the search, if it has it, and the process that makes it."""

    loaded: Loaded | None = None
    process: subprocess.Popen[bytes] | None = None
    lock = threading.Lock()


def is_loaded() -> bool:
    """Tell whether the search is in memory, so that it costs nothing to use it."""
    return _State.loaded is not None


def load_if_there() -> bool:
    """Load the search if its code is in the cache; tell whether it is in memory."""
    with _State.lock:
        if _State.loaded is None and (made := code.read(path())) is not None:
            _State.loaded = _loaded(made)
    return is_loaded()


def loaded() -> Loaded:
    """Return the compiled search: from memory, from the cache on disk, or compiled.

    Raises:
        BackendError: Numba or LLVM failed.
    """
    with _State.lock:
        if _State.loaded is None:
            made = code.read(path())
            _State.loaded = _loaded(_compiled() if made is None else made)
        return _State.loaded


def in_background() -> None:
    """Have the search compiled into the cache by another process, which may outlive this one.

    Once in a process, and not where there is no cache.
    """
    with _State.lock:
        if _State.process is None and path() is not None:
            _State.process = _begin(subprocess.DEVNULL)
            atexit.register(_let_go, _State.process)


def _let_go(process: subprocess.Popen[bytes]) -> None:
    """Keep Python from complaining of a process that goes on without this one."""
    process.returncode = process.poll() or 0


def path() -> Path | None:
    """Return the file of the cache with the search; None for no cache."""
    return code.path_of(f"single {code.fingerprint(Path(__file__).parent)}")


def _begin(out: int) -> subprocess.Popen[bytes]:
    """Start the process that compiles the search, and leaves it in the cache and in its output."""
    paths = [str(Path(__file__).parents[4]), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {
        "NUMBA_OPT": "0",
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
    }
    return start([sys.executable, "-P", "-c", _PROGRAM], env=environment, stdout=out, stderr=out)


def _compiled() -> bytes:
    """Have the search compiled, and return its object code."""
    with _begin(subprocess.PIPE) as process:
        try:
            out, said = process.communicate()
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        last = said.decode(errors="replace").strip().splitlines()[-1:]
        raise BackendError(f"native: the search could not be compiled: {''.join(last)}")
    return out


def _loaded(made: bytes) -> Loaded:
    """Load object code.

    Numba's functions take the address of their result and that of an exception before their own
    arguments; both are registers.
    """
    library = code.load(made)
    numbers = [ctypes.c_int64] * 3
    run = ctypes.CFUNCTYPE(ctypes.c_int32, *numbers)(library.get_function_address(FUNCTION))

    def call(registers_at: int) -> None:
        run(registers_at + 8 * reg.PAUSE, registers_at + 8 * reg.EXCEPTION, registers_at)

    return Loaded(call, library)


def main() -> None:
    """Compile the search unless another process just did; into the cache and the output."""
    file = path()
    made = None
    with contextlib.ExitStack() as stack:
        if file is not None:
            with contextlib.suppress(OutputError):
                make_folder(file.parent)
                stack.enter_context(locked(file, LONGEST_COMPILATION))
                made = code.read(file)
        if made is None:
            made = _object_code()
            code.write(file, made)
    sys.stdout.buffer.write(made)


def _object_code() -> bytes:
    """Return the object code of the search."""
    from llvmlite import binding
    from numba import cfunc, types

    from unidoku.backends.native.single.engine import search

    text = cfunc(types.int64(types.int64))(search).inspect_llvm()
    # Beside the function there is one that Python could call; it needs Numba and goes.
    (name,) = re.findall(r'^define [^@]*@"?((?!cfunc)[^"(]*6search[^"(]*)"?\(', text, re.MULTILINE)
    module = binding.parse_assembly(text)
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name == name else "internal"
    module.get_function(name).name = FUNCTION
    machine = code.target_machine(2)
    _optimize(module, machine)
    made: bytes = machine.emit_object(module)
    return made


def _optimize(module: Any, machine: Any) -> None:
    """Inline and simplify; loops are not vectorized: those that gain by it are vectors already."""
    from llvmlite import binding

    options = binding.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = options.slp_vectorization = False
    passes = binding.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
