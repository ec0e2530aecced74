"""From LLVM code to object code for a processor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import binding, ir

from unidoku.backends.native.compiler.emitters import EMITTERS
from unidoku.backends.native.compiler.translator.program import translated


def of_function(function: Callable[[int], int], name: str, machine: binding.TargetMachine) -> bytes:
    """Return the object code of a function of one number, and of all that it calls.

    Args:
        function: function for the translator.
        name: its name in the object code.
        machine: LLVM's compiler.
    """
    module = _parsed(translated(function, name, EMITTERS), machine)
    _optimize(module, machine)
    needed = [function.name for function in module.functions if function.is_declaration]
    assert all(name.startswith("llvm.") for name in needed), needed
    return _emitted(module, machine)


def of_module(module: ir.Module, machine: binding.TargetMachine) -> bytes:
    """Return the object code of straight-line code, which there is nothing to optimize in."""
    return _emitted(_parsed(module, machine), machine)


def _parsed(emitted: ir.Module, machine: binding.TargetMachine) -> binding.ModuleRef:
    module = binding.parse_assembly(str(emitted))
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    module.verify()
    return module


def _optimize(module: binding.ModuleRef, machine: binding.TargetMachine) -> None:
    """Optimize a module. Loops are not vectorized: those that would gain use vectors already."""
    options = binding.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = options.slp_vectorization = False
    options.loop_unrolling = False
    builder = binding.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def _emitted(module: binding.ModuleRef, machine: Any) -> bytes:
    code: bytes = machine.emit_object(module)
    return code
