"""LLVM instructions that the compiled engine uses directly."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from unidoku.backends.native.lanes.vector import I64


@intrinsic  # type: ignore[untyped-decorator] # numba has no types
def invoke(_context: Any, address: Any, arguments: Any) -> Any:
    """Call the function of 64-bit numbers at the address with a tuple of them; return another."""
    signature = types.uint64(types.uint64, arguments)

    def emitted(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        kind = ir.FunctionType(I64, [I64] * len(arguments))
        function = builder.inttoptr(values[0], kind.as_pointer())
        numbers = []
        for place, given in enumerate(arguments):
            number = builder.extract_value(values[1], place)
            numbers.append(context.cast(builder, number, given, types.uint64))
        return builder.call(function, numbers)

    return signature, emitted


@intrinsic  # type: ignore[untyped-decorator] # as above
def at(_context: Any, address: Any, example: Any) -> Any:
    """Return the address as a pointer to numbers of the example's type, for `numba.carray`."""

    def emitted(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.inttoptr(values[0], context.get_value_type(signature.return_type))

    return types.CPointer(example)(types.uint64, example), emitted


@intrinsic  # type: ignore[untyped-decorator] # as above
def lowest_bit(_context: Any, mask: Any) -> Any:
    """Return the place of the lowest set bit; at least one must be set."""

    def emitted(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        place = builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))
        return context.cast(builder, place, mask, types.int64)

    return types.int64(mask), emitted
