"""A module of LLVM code, and the functions that have been translated into it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from inspect import getsource
from sys import modules
from typing import Any, NamedTuple

from llvmlite import ir

from unidoku.backends.native.compiler.translator.emitted import I64
from unidoku.backends.native.compiler.translator.expressions import Value, flat, shaped
from unidoku.backends.native.compiler.translator.statements import Statements


def translated(
    function: Callable[..., Any],
    name: str,
    emitters: Mapping[Callable[..., Any], Callable[..., Any]] | None = None,
) -> ir.Module:
    """Return a module in which a function of one number and all that it calls are translated.

    Args:
        function: the function.
        name: its name in the module.
        emitters: for functions that are not translated, what emits their code: see `Emitted`.

    The function in the module has two arguments before the number: the address for its result, and
    one that is not used.

    Raises:
        TypeError: a function uses what cannot be translated.
    """
    program = _Program(ir.Module(), emitters or {})
    number, address = ir.IntType(32), I64.as_pointer()
    entry = ir.Function(program.module, ir.FunctionType(number, (address, address, I64)), name)
    builder = ir.IRBuilder(entry.append_basic_block())
    builder.store(program.call(builder, function, (entry.args[2],)), entry.args[0])
    builder.ret(ir.Constant(number, 0))
    return program.module


class _Translation(NamedTuple):
    """A translated function, and a result in its shape, None if it returns nothing."""

    function: ir.Function
    result: Value


@dataclass(slots=True)
class _Program:
    """The functions that have been translated, by themselves and the types of their arguments."""

    module: ir.Module
    emitters: Mapping[Callable[..., Any], Callable[..., Any]]
    functions: dict[tuple[Any, ...], _Translation] = field(default_factory=dict)

    def call(
        self, builder: ir.IRBuilder, function: Callable[..., Any], given: tuple[Value, ...]
    ) -> Value:
        """Emit a call of a function, which is translated first if that is still to be done."""
        values = flat(given)
        key = function, *(value.type for value in values)
        if key not in self.functions:
            self.functions[key] = self._translated(function, given)
        translation = self.functions[key]
        result = builder.call(translation.function, values)
        if not isinstance(translation.result, tuple):
            return result
        members = [builder.extract_value(result, at) for at in range(len(translation.result))]
        return shaped(translation.result, members)

    def _translated(self, function: Any, given: tuple[Value, ...]) -> _Translation:
        kind = ir.FunctionType(ir.VoidType(), [member.type for member in flat(given)])
        name = self.module.get_unique_name(function.__name__)
        target = ir.Function(self.module, kind, name)
        target.linkage = "internal"
        target.attributes.add("nounwind")
        tree = _functions_of(function.__module__)[function.__name__]
        body = Statements(self.call, self.emitters, tree, function.__globals__, target)
        left = iter(target.args)
        for name, value in zip(function.__code__.co_varnames, given, strict=False):
            body.assign(name, shaped(value, [next(left) for _ in flat((value,))]))
        return _Translation(target, body.translated())


@cache
def _functions_of(module: str) -> dict[str, ast.FunctionDef]:
    """Return the functions of a module by their names."""
    statements = ast.parse(getsource(modules[module])).body
    return {
        statement.name: statement
        for statement in statements
        if isinstance(statement, ast.FunctionDef)
    }
