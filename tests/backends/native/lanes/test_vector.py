from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Iterator
from functools import cache, reduce
from operator import and_, or_
from typing import Any, TypeAlias

import pytest
from llvmlite import binding, ir

from tests.helpers.volume import volume
from unidoku.backends.native.compiler.processor import host
from unidoku.backends.native.compiler.translator.emitted import I64
from unidoku.backends.native.compiler.vector import LaneMask, Vector
from unidoku.backends.native.lanes.emitter import Emitter
from unidoku.backends.native.lanes.plan import lane_bits
from unidoku.backends.native.lanes.shape import Shape

ROWS = 10
ROUNDS = volume(5)

Emitted: TypeAlias = Callable[[Emitter, list[Vector]], Any]
Meant: TypeAlias = Callable[[list[int]], int]


def in_at_least(rows: list[int], times: int) -> int:
    bits = max(row.bit_length() for row in rows)
    return sum(1 << bit for bit in range(bits) if sum(row >> bit & 1 for row in rows) >= times)


def one_of(yes: bool, a: int, b: int) -> int:
    return a if yes else b


VECTORS: dict[str, tuple[Emitted, Meant]] = {
    "and": (lambda _, x: x[0] & x[1], lambda x: x[0] & x[1]),
    "or": (lambda _, x: x[0] | x[1], lambda x: x[0] | x[1]),
    "xor": (lambda _, x: x[0] ^ x[1], lambda x: x[0] ^ x[1]),
    "invert": (lambda _, x: ~x[0], lambda x: ~x[0]),
    "add": (lambda _, x: x[0] + x[1], lambda x: x[0] + x[1]),
    "sub": (lambda _, x: x[0] - x[1], lambda x: x[0] - x[1]),
    "shift left": (lambda _, x: x[0] << 3, lambda x: x[0] << 3),
    "shift right": (lambda _, x: x[0] >> 3, lambda x: x[0] >> 3),
    "lanes of a number": (
        lambda emit, x: emit.lanes(x[0].below(x[1]).number()).choose(x[2], x[3]),
        lambda x: one_of(x[0] < x[1], x[2], x[3]),
    ),
    "population": (lambda _, x: x[0].population(), lambda x: x[0].bit_count()),
    "constant": (lambda emit, _: emit.constant(-3), lambda _: -3),
    "minus one": (lambda emit, _: emit.minus_one, lambda _: -1),
    "everything": (lambda emit, _: emit.everything, lambda _: (1 << 9) - 1),
    "single": (lambda emit, x: emit.single(x[0]), lambda x: one_of(x[0].bit_count() == 1, x[0], 0)),
    "choose where equal": (
        lambda _, x: x[0].equals(x[1]).choose(x[2], x[3]),
        lambda x: one_of(x[0] == x[1], x[2], x[3]),
    ),
    "choose where below": (
        lambda _, x: x[0].below(x[1]).choose(x[2], x[3]),
        lambda x: one_of(x[0] < x[1], x[2], x[3]),
    ),
    "ternary majority": (
        lambda emit, x: emit.ternary(lambda a, b, c: (a & b) | (a & c) | (b & c), *x[:3]),
        lambda x: in_at_least(x[:3], 2),
    ),
    "ternary with sides": (
        lambda emit, x: emit.ternary(lambda a, b, c: (a & ~b) ^ (b | ~c), *x[:3]),
        lambda x: (x[0] & ~x[1]) ^ (x[1] | ~x[2]),
    ),
    "ternary of one": (lambda emit, x: emit.ternary(lambda *y: y[2], *x[:3]), lambda x: x[2]),
}
MASKS: dict[str, tuple[Emitted, Callable[[list[int]], bool]]] = {
    "equals": (lambda _, x: x[0].equals(x[1]), lambda x: x[0] == x[1]),
    "differs": (lambda _, x: x[0].differs(x[1]), lambda x: x[0] != x[1]),
    "below": (lambda _, x: x[0].below(x[1]), lambda x: x[0] < x[1]),
    "mask and mask": (
        lambda _, x: x[0].differs(x[1]) & x[2].below(x[3]),
        lambda x: x[0] != x[1] and x[2] < x[3],
    ),
    "mask or mask": (
        lambda _, x: x[0].equals(x[1]) | x[2].below(x[3]),
        lambda x: x[0] == x[1] or x[2] < x[3],
    ),
}


def those_of_any_number(size: int) -> dict[str, tuple[Emitted, Meant]]:
    return {
        f"union of {size}": (
            lambda emit, x: emit.union(x[:size]),
            lambda x: reduce(or_, x[:size]),
        ),
        f"intersection of {size}": (
            lambda emit, x: emit.intersection(x[:size]),
            lambda x: reduce(and_, x[:size]),
        ),
        f"in one of {size}": (
            lambda emit, x: emit.seen(x[:size])[0],
            lambda x: in_at_least(x[:size], 1),
        ),
        f"in two of {size}": (
            lambda emit, x: emit.seen(x[:size])[1],
            lambda x: in_at_least(x[:size], 2),
        ),
        f"without {size - 1}": (
            lambda emit, x: emit.without(x[0], x[1:size]),
            lambda x: x[0] & ~reduce(or_, x[1:size], 0),
        ),
    }


for number in range(1, ROWS + 1):
    VECTORS |= those_of_any_number(number)


def _shapes() -> Iterator[Shape]:
    for lanes in (8, 16, 32):
        for bits in (16, 32, 64):
            yield Shape(lanes, bits)
            if host().ternary and lanes * bits in (128, 256, 512):
                yield Shape(lanes, bits, ternary=True)


@cache
def compiled(shape: Shape) -> tuple[object, dict[str, Callable[[int, int], int]]]:
    """A function of the addresses of rows and of a result for each operator, and their owner."""
    module = ir.Module()
    for name, (emitted, _) in (VECTORS | MASKS).items():
        function = ir.Function(module, ir.FunctionType(I64, [I64, I64]), name.replace(" ", "_"))
        builder = ir.IRBuilder(function.append_basic_block())
        emit = Emitter(builder, shape, 9)
        rows, out = (emit.pointer(address, emit.kind) for address in function.args)
        result = emitted(emit, [emit.load(rows, row) for row in range(ROWS)])
        if isinstance(result, LaneMask):
            builder.ret(result.number())
        else:
            emit.store(out, 0, result)
            builder.ret(ir.Constant(I64, 0))
    return linked(module)


def linked(module: ir.Module) -> tuple[object, dict[str, Callable[[int, int], int]]]:
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple().create_target_machine(
        cpu=host().cpu, features=host().features, opt=1, codemodel="jitdefault"
    )
    parsed = binding.parse_assembly(str(module))
    parsed.verify()
    engine = binding.create_mcjit_compiler(parsed, target)
    engine.finalize_object()
    kind = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64)
    names = [function.name for function in module.functions if function.blocks]
    return engine, {name: kind(engine.get_function_address(name)) for name in names}


class Memory:
    """Rows of vectors, where vectors must stand."""

    def __init__(self, shape: Shape, rows: int) -> None:
        kind: Any = {16: ctypes.c_uint16, 32: ctypes.c_uint32, 64: ctypes.c_uint64}[shape.bits]
        self._memory = ctypes.create_string_buffer(shape.bytes * rows + 64)
        start = -ctypes.addressof(self._memory) % 64
        self.numbers = (kind * (shape.lanes * rows)).from_buffer(self._memory, start)
        self.address = ctypes.addressof(self.numbers)


def random_number(chance: random.Random, bits: int) -> int:
    return chance.choice(
        [
            0,
            (1 << bits) - 1,
            1 << chance.randrange(bits),
            chance.getrandbits(bits),
            chance.getrandbits(2),
            chance.getrandbits(bits) & chance.getrandbits(bits) & chance.getrandbits(bits),
        ]
    )


@pytest.mark.volume
@pytest.mark.parametrize("shape", list(_shapes()), ids=str)
def test_every_operator_does_in_all_lanes_what_it_does_to_numbers(shape: Shape) -> None:
    _, functions = compiled(shape)
    chance = random.Random(str(shape))
    rows, out = Memory(shape, ROWS), Memory(shape, 1)
    for _ in range(ROUNDS):
        for index in range(ROWS * shape.lanes):
            rows.numbers[index] = random_number(chance, shape.bits)
        lanes = [list(rows.numbers[lane :: shape.lanes]) for lane in range(shape.lanes)]
        for name, (_, meant) in VECTORS.items():
            functions[name.replace(" ", "_")](rows.address, out.address)
            expected = [meant(lane) & ((1 << shape.bits) - 1) for lane in lanes]
            assert list(out.numbers) == expected, name
        for name, (_, holds) in MASKS.items():
            mask = functions[name.replace(" ", "_")](rows.address, out.address)
            assert mask == sum(1 << lane for lane, x in enumerate(lanes) if holds(x)), name


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_vectors_wider_than_those_of_any_processor_are_divided(bits: int) -> None:
    shape = Shape(64, bits)
    _, functions = compiled(shape)
    rows, out = Memory(shape, ROWS), Memory(shape, 1)
    for index in range(ROWS * 64):
        rows.numbers[index] = index % 7
    functions["single"](rows.address, out.address)
    assert list(out.numbers) == [x if x.bit_count() == 1 else 0 for x in rows.numbers[:64]]
    mask = functions["below"](rows.address, out.address)
    first, second = rows.numbers[:64], rows.numbers[64:128]
    assert mask == sum(1 << lane for lane in range(64) if first[lane] < second[lane])


@pytest.mark.parametrize("bits", [16, 32, 64])
@pytest.mark.parametrize("n", [1, 2, 9, 16, 25, 64])
def test_sets_are_summed_only_where_no_sum_overflows(n: int, bits: int) -> None:
    if lane_bits(n) > bits:
        return
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(I64, []), "empty")
    emit = Emitter(ir.IRBuilder(function.append_basic_block()), Shape(8, bits), n)
    for count in range(1, 70):
        assert emit.can_sum(count) == (count * ((1 << n) - 1) <= (1 << bits) - 1)


def test_a_long_function_is_divided_into_blocks_and_does_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("unidoku.backends.native.lanes.emitter.LONG_BLOCK", 5)
    shape = Shape(8, 16)
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(I64, [I64, I64]), "long")
    emit = Emitter(ir.IRBuilder(function.append_basic_block()), shape, 9)
    rows, out = (emit.pointer(address, emit.kind) for address in function.args)
    total = emit.zero
    for _ in range(4):
        for row in range(ROWS):
            emit.rest()
            total += emit.load(rows, row)
    emit.store(out, 0, total)
    emit.builder.ret(ir.Constant(I64, 7))
    assert len(function.blocks) > 10
    _, functions = linked(module)
    memory, result = Memory(shape, ROWS), Memory(shape, 1)
    for index in range(ROWS * 8):
        memory.numbers[index] = index
    assert functions["long"](memory.address, result.address) == 7
    assert list(result.numbers) == [4 * sum(memory.numbers[lane::8]) for lane in range(8)]
