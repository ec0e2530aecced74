from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llvmlite import binding, ir

from tests.helpers.volume import volume
from unidoku.backends.native.compiler import object_cache
from unidoku.backends.native.compiler.translator.emitted import I64, Emitted, loop, variable
from unidoku.backends.native.compiler.translator.program import translated

Number = Callable[[int], int]

SIX = 6


class Pair(NamedTuple):
    first: int
    second: int


def arithmetic(number: int) -> int:
    other = (number & 63) - 32
    if other == 0:
        other = -5
    result = number // other * 3 - number % other
    result += number // 16 ^ number % 32 | -number & ~other
    result -= number // 3 % 5 + number // -3 % -5
    result += (number >> (other & 7)) - (abs(other) << 2)
    return result + min(number, other) * max(other, 3)


def conditions(number: int) -> int:
    is_small = -9 < number <= 9
    result = 1 if is_small else 2 if number > 100 or number < -100 else 3
    if not (number & 1 and number & 2) and number != 4:
        result += 10
    elif number & 4:
        result += 100
    else:
        return -result
    result += is_small
    is_small = not is_small
    is_small &= number % 3 == 0
    return result * 2 + int(is_small)


def loops(number: int) -> int:
    result = last = 0
    for outer in range(number & 15):
        for inner in range(outer, -SIX, -2):
            if inner == 3:
                continue
            if inner + outer == -1:
                break
            result = result * 5 + inner & 0xFFFFF
            last = inner
    for step in range(3, number & 31, 4):
        result ^= step
    while True:
        result -= 7
        if result < 1000:
            break
        result >>= 1
    rest = number & 255
    while rest:
        rest &= rest - 1
        result += 1
    return result + last


def _pair_of(number: int) -> Pair:
    return Pair(number & 7, number >> 3)


def _turned(pair: Any, is_turned: bool) -> tuple[int, int]:
    first, second = (pair.second, pair.first) if is_turned else (pair.first, pair.second)
    return first, second


def _is_even(number: int) -> bool:
    return number & 1 == 0


def calls(number: int) -> int:
    pair = _pair_of(number)
    first, other = _turned(pair, _is_even(number))
    first, other = other, first + 1
    if _is_even(first) and not _is_even(other):
        first += pair.first
    return first * 3 - other


@cache
def compiled(function: Number) -> tuple[Number, object]:
    """Compile a function by itself, and return what keeps its code in memory too."""
    module = binding.parse_assembly(str(translated(function, "entry")))
    module.verify()
    library = object_cache.load(object_cache.target_machine().emit_object(module))
    kind = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
    call = kind(library.get_function_address("entry"))

    def called(number: int) -> int:
        result = ctypes.c_int64()
        assert call(ctypes.addressof(result), 0, number) == 0
        return result.value

    return called, library


@pytest.mark.parametrize("function", [arithmetic, conditions, loops, calls])
def test_a_translated_function_returns_what_python_does(function: Number) -> None:
    call, _library = compiled(function)

    @settings(max_examples=volume(200))
    @given(number=st.integers(-20, 20) | st.integers(-(2**40), 2**40))
    def check(number: int) -> None:
        assert call(number) == function(number)

    check()


def _pointer_to(kind: ir.Type) -> Emitted:
    return Emitted(lambda builder, address: builder.inttoptr(address, kind.as_pointer()))


numbers_at, short_numbers_at = _pointer_to(I64), _pointer_to(ir.IntType(32))


@Emitted
def sum_of(builder: Any, numbers: Any, count: Any) -> Any:
    total = variable(builder, ir.Constant(I64, 0))
    with loop(builder, count) as index:
        number = builder.load(builder.gep(numbers, [index]))
        builder.store(builder.add(builder.load(total), number), total)
    return builder.load(total)


def in_memory(address: int) -> Any:
    numbers, short = numbers_at(address), short_numbers_at(address)
    numbers[1] += numbers[0]
    numbers[0], numbers[2] = numbers[2], -1
    short[4] = numbers[0] << 32 | 5
    return sum_of(numbers, 3) + short[4]


def test_numbers_in_memory_are_read_and_written() -> None:
    call, _library = compiled(in_memory)
    numbers = (ctypes.c_int64 * 3)(10, 20, 30)
    assert call(ctypes.addressof(numbers)) == 30 + 30 + ((-1 >> 32 << 32) + 5) + 5
    assert [*numbers] == [30, 30, (-1 >> 32 << 32) + 5]


def test_python_cannot_call_what_emits_code() -> None:
    with pytest.raises(TypeError, match="expected a call from translated code"):
        sum_of([1, 2], 2)


def with_a_fraction(number: int) -> int:
    return number + 0.5  # type: ignore[return-value] # as its name says


def with_a_quotient(number: int) -> int:
    return number / 2  # type: ignore[return-value] # as above


def with_a_list(number: int) -> int:
    return [number][0]


def with_a_text(number: int) -> int:
    return len("text") + number


def with_an_argument_by_name(number: int) -> int:
    return _turned(pair=_pair_of(number), is_turned=True)[0]


def with_two_results(number: int) -> Any:
    if number:
        return number, number
    return number


def with_an_end_without_a_result(number: int) -> int:  # type: ignore[return] # noqa: RET503 - as above
    if number:
        return number


def with_a_number_for_a_truth_value(number: int) -> int:
    is_odd = number & 1 == 1
    is_odd = number  # type: ignore[assignment] # as above
    return is_odd + 1


def with_a_second_pair(number: int) -> int:
    pair = _pair_of(number)
    pair = _pair_of(number + 1)
    return pair.first


def with_a_step_that_varies(number: int) -> int:
    for step in range(0, 10, number):
        return step
    return 0


def with_an_error(number: int) -> int:
    raise ValueError(number)


@pytest.mark.parametrize(
    "function", [item for name, item in [*globals().items()] if name.startswith("with_")]
)
def test_what_is_not_translated_is_refused(function: Number) -> None:
    with pytest.raises(TypeError, match=function.__name__):
        translated(function, "entry")
