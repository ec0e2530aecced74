"""Pointers that refuse what is outside of their arrays: a sanitizer for the search as Python."""

from __future__ import annotations

import ctypes
from array import array
from bisect import bisect_left, bisect_right
from ctypes import c_int64
from typing import Any

import pytest

from unidoku.backends.native.single import boards, function
from unidoku.backends.native.single.build import layout_tables
from unidoku.backends.native.single.build.memory import Numbers, in_lines
from unidoku.backends.native.single.search import state
from unidoku.backends.native.single.search.registers import Register


class Arrays:
    """The arrays that the search may read and write, by their addresses."""

    def __init__(self) -> None:
        self._begins: list[int] = []
        self._ends: dict[int, int] = {}

    def add(self, begin: int, size: int) -> None:
        """Allow an array of so many bytes, whose memory is no other array's any more."""
        first, last = bisect_left(self._begins, begin), bisect_left(self._begins, begin + size)
        self._begins[first:last] = [begin]
        self._ends[begin] = begin + size

    def check(self, begin: int, size: int) -> None:
        """Raise IndexError unless all bytes are within one array."""
        index = bisect_right(self._begins, begin) - 1
        if index < 0 or begin + size > self._ends[self._begins[index]]:
            raise IndexError(f"{size} bytes at {begin:#x} are in no array of the search")


class Pointer:
    """A pointer to numbers, all of whose uses are checked."""

    def __init__(self, arrays: Arrays, kind: Any, address: int) -> None:
        self._arrays, self._address, self._size = arrays, address, ctypes.sizeof(kind)
        self._numbers = ctypes.cast(address, ctypes.POINTER(kind))

    def __getitem__(self, index: int) -> int:
        self._arrays.check(self._address + index * self._size, self._size)
        value: int = self._numbers[index]
        return value

    def __setitem__(self, index: int, value: int) -> None:
        self._arrays.check(self._address + index * self._size, self._size)
        self._numbers[index] = value


def check_pointers(patch: pytest.MonkeyPatch) -> None:
    """Search as Python, with pointers that are checked."""
    arrays = Arrays()
    really_room_of = layout_tables.room_of

    def address(numbers: array[Any]) -> int:
        begin, size = numbers.buffer_info()
        arrays.add(begin, size * numbers.itemsize)
        return begin

    def checked_lines(size: int) -> tuple[memoryview[int], int]:
        numbers, begin = in_lines(size)
        arrays.add(begin, 8 * size)
        return numbers, begin

    def room_of(registers: Numbers, work: int) -> memoryview[int]:
        numbers = really_room_of(registers, work)
        begins = list(registers[Register.CANDIDATES_AT : Register.WORK_AT + 1])
        for begin, end in zip(begins, [*begins[1:], begins[0] + 8 * len(numbers)], strict=True):
            arrays.add(begin, end - begin)
        return numbers

    def call(result_at: c_int64, unused: c_int64, registers_at: c_int64) -> None:
        arrays.add(registers_at.value, 8 * len(Register))
        function.INTERPRETED.call(result_at, unused, registers_at)

    for module in (layout_tables, boards):
        patch.setattr(module, "address", address)
        patch.setattr(module, "room_of", room_of)
    patch.setattr(layout_tables, "in_lines", checked_lines)
    for name, kind in (
        ("numbers_at", ctypes.c_int64),
        ("short_numbers_at", ctypes.c_int32),
        ("bytes_at", ctypes.c_uint8),
    ):
        patch.setattr(state, name, lambda begin, kind=kind: Pointer(arrays, kind, begin))
    checked = function.Function(call, 16)
    patch.setattr(function, "compiled", lambda _=None: checked)
