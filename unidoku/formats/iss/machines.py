"""Automata of Interactive Sudoku Solver: packed in bits, and regular expressions."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from unidoku.core.bits import bits_of
from unidoku.core.constraints.automaton import Machine
from unidoku.errors import FormatError
from unidoku.formats.meanings import Automaton

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

_MOST_STEPS = 200_000
_MOST_PLACES = 1000
_DEEPEST = 50


def sixes(text: str) -> list[int]:
    """Return the 6-bit numbers of a text in URL-safe base64.

    Raises:
        FormatError: the text is not valid.
    """
    if odd := set(text) - set(_ALPHABET):
        raise FormatError(f"expected base64, got {min(odd)!r}")
    return [_ALPHABET.index(symbol) for symbol in text]


def packed_bits(bits: Sequence[object]) -> str:
    """Return bits as `sixes` reads them: the lowest of each 6 first, without zeros at the end."""
    numbers = [
        sum(1 << index for index, bit in enumerate(bits[start : start + 6]) if bit)
        for start in range(0, len(bits), 6)
    ]
    while numbers and not numbers[-1]:
        numbers.pop()
    return "".join(_ALPHABET[number] for number in numbers)


def _bytes(text: str) -> bytes:
    try:
        padded = text + "=" * (-len(text) % 4)
        return base64.b64decode(padded.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError) as error:
        raise FormatError(f"expected base64: {error}") from error


class _Bits:
    """Bits, the highest of each byte first."""

    def __init__(self, data: bytes) -> None:
        self._data = "".join(format(byte, "08b") for byte in data)
        self._at = 0

    def take(self, size: int) -> int:
        """Return the number formed by the next bits."""
        if size > self.left:
            raise FormatError("expected an automaton, got a part of one")
        self._at += size
        return int(self._data[self._at - size : self._at] or "0", 2)

    @property
    def left(self) -> int:
        """The number of bits left."""
        return len(self._data) - self._at


def automaton_of_nfa(text: str, low: int, n: int) -> Automaton:
    """Return a packed automaton; the symbol after the last value is the mark between segments.

    Raises:
        FormatError: the text is not valid.
    """
    bits = _Bits(_bytes(text))
    form, state_bits, symbols = bits.take(2), bits.take(4) + 1, bits.take(4) + 1
    starts, accepting = bits.take(state_bits), bits.take(state_bits)
    both = bits.take(starts)
    count_bits = bits.take(4) if form == 0 else 0
    if form > 1:
        raise FormatError("expected an automaton in a known form")
    read = _plain(bits, count_bits, symbols, state_bits) if form == 0 else None
    steps: list[tuple[int, int, int]] = []
    marks: dict[int, set[int]] = {}
    for state, symbol, target in read or _packed(bits, symbols, state_bits):
        if symbol < n:
            steps.append((state, low + symbol, target))
        elif symbol == n:
            marks.setdefault(state, set()).add(target)
        if len(steps) > _MOST_STEPS:
            raise FormatError(f"expected an automaton of at most {_MOST_STEPS:,} steps")
    accept = [state for state in range(starts) if both >> state & 1]
    return Automaton(range(starts), [*accept, *range(starts, starts + accepting)], steps, marks)


def _plain(bits: _Bits, size: int, symbols: int, state_bits: int) -> Iterator[tuple[int, int, int]]:
    """Yield the steps of each state; the number of steps is stored first."""
    symbol_bits = (symbols - 1).bit_length()
    state = 0
    while size and bits.left >= size:
        for _ in range(bits.take(size)):
            yield state, bits.take(symbol_bits), bits.take(state_bits)
        state += 1


def _packed(bits: _Bits, symbols: int, state_bits: int) -> Iterator[tuple[int, int, int]]:
    """Yield the steps of each state; a set of symbols is stored first, then a step for each."""
    state = 0
    while bits.left >= symbols:
        symbols_read = bits.take(symbols)
        for symbol in range(symbols):
            if symbols_read >> symbol & 1:
                yield state, symbol, bits.take(state_bits)
        state += 1


def automaton_of_regex(text: str, values: range) -> Automaton:
    """Return the automaton of a regular expression in base64, or percent-encoded.

    Raises:
        FormatError: the text is not valid, or too long.
    """
    is_old = "%" in text or "." in text
    pattern = unquote(text) if is_old else _bytes(text).decode("latin-1")
    parser = _Regex("".join(pattern.split()), values)
    parts = parser.alternatives(0)
    if parser.left:
        raise FormatError(f"expected a pattern, got {parser.left[:10]!r} after its end")
    edges = {(0, symbol) for symbol in parts.first} | parser.follows
    steps = [(a, value, b) for a, b in sorted(edges) for value in parser.symbols[b - 1]]
    if len(steps) > _MOST_STEPS:
        raise FormatError(f"expected a pattern of at most {_MOST_STEPS:,} steps")
    accept = [*([0] if parts.empty else []), *sorted(parts.last)]
    return Automaton([0], accept, steps, name=pattern[:80])


class _Part(NamedTuple):
    """A part of a pattern: the places where it may begin and end, and whether it may be empty."""

    first: frozenset[int]
    last: frozenset[int]
    empty: bool


class _Regex:
    """A pattern that is read from left to right; each symbol is a place, followed by others.

    This is Glushkov's construction: the state is the place of the symbol read last.
    """

    def __init__(self, pattern: str, values: range) -> None:
        self.left = pattern
        self.symbols: list[list[int]] = []
        self.follows: set[tuple[int, int]] = set()
        self._values = values
        self._read = 0

    def alternatives(self, depth: int) -> _Part:
        """Read alternatives with bars between them."""
        if depth > _DEEPEST:
            raise FormatError(f"expected brackets in at most {_DEEPEST} others, got more")
        either = self._sequence(depth)
        while self.left.startswith("|"):
            self.left = self.left[1:]
            other = self._sequence(depth)
            either = _Part(
                either.first | other.first, either.last | other.last, either.empty or other.empty
            )
        return either

    def _sequence(self, depth: int) -> _Part:
        sequence = _Part(frozenset(), frozenset(), True)
        while self.left and self.left[0] not in "|)":
            sequence = self._joined(sequence, self._repeated(depth))
        return sequence

    def _joined(self, part: _Part, other: _Part) -> _Part:
        self.follows |= {(a, b) for a in part.last for b in other.first}
        if len(self.follows) > _MOST_STEPS:
            raise FormatError(f"expected a pattern of at most {_MOST_STEPS:,} steps")
        first = part.first | other.first if part.empty else part.first
        last = other.last | part.last if other.empty else other.last
        return _Part(first, last, part.empty and other.empty)

    def _repeated(self, depth: int) -> _Part:
        self._read += 1
        if self._read > _MOST_PLACES or depth > _DEEPEST:
            raise FormatError(f"expected a pattern of at most {_MOST_PLACES} symbols and brackets")
        start = self.left
        part = self._symbol(depth)
        repeated = start[: len(start) - len(self.left)]
        while self.left and self.left[0] in "*+?{":
            least, most = self._times()
            rest = self.left
            # A repeated part is read again each time, because each repetition has its own places.
            parts = [part]
            for _ in range(max(least, most or 0, 1) - 1):
                self.left = repeated
                parts.append(self._repeated(depth + 1))
            self.left = rest
            part = self._times_over(parts, least, most)
            repeated = start[: len(start) - len(self.left)]
        return part

    def _times_over(self, parts: Sequence[_Part], least: int, most: int | None) -> _Part:
        sequence = _Part(frozenset(), frozenset(), True)
        for index, part in enumerate(parts):
            if most is None and index == len(parts) - 1:
                self.follows |= {(a, b) for a in part.last for b in part.first}
            sequence = self._joined(sequence, part._replace(empty=part.empty or index >= least))
        return sequence._replace(empty=sequence.empty or least == 0) if most != 0 else _EMPTY

    def _times(self) -> tuple[int, int | None]:
        symbol, self.left = self.left[0], self.left[1:]
        if symbol != "{":
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[symbol]
        inside, bracket, self.left = self.left.partition("}")
        low, comma, high = inside.partition(",")
        fits = bracket and low.isdecimal() and (high.isdecimal() or not high)
        if not fits or len(inside) > 7:
            raise FormatError(f"expected a count such as {{2,3}}, got {'{' + inside[:10]!r}")
        most = (int(high) if high else None) if comma else int(low)
        if most is not None and most < int(low):
            raise FormatError(f"expected a count such as {{2,3}}, got {'{' + inside!r}")
        if max(int(low), most or 0) > _MOST_PLACES:
            raise FormatError(f"expected a count up to {_MOST_PLACES}, got {inside!r}")
        return int(low), most

    def _symbol(self, depth: int) -> _Part:
        symbol, self.left = self.left[0], self.left[1:]
        if symbol == "(":
            inner = self.alternatives(depth + 1)
            if not self.left.startswith(")"):
                raise FormatError("expected a closing bracket in the pattern")
            self.left = self.left[1:]
            return inner
        if symbol in "*+?{":
            raise FormatError(f"expected a symbol in the pattern, got {symbol!r}")
        if symbol == "[":
            values = self._class()
        else:
            values = [*self._values] if symbol == "." else [self._value(symbol)]
        self.symbols.append([value for value in values if value in self._values])
        symbol_index = frozenset([len(self.symbols)])
        return _Part(symbol_index, symbol_index, False)

    def _class(self) -> list[int]:
        inside, bracket, self.left = self.left.partition("]")
        if not bracket:
            raise FormatError("expected a closing bracket in the pattern")
        is_other = inside.startswith("^")
        rest = inside[is_other:]
        values: set[int] = set()
        while rest:
            first, rest = self._value(rest[0]), rest[1:]
            last = first
            if len(rest) > 1 and rest[0] == "-":
                last, rest = self._value(rest[1]), rest[2:]
            values |= {*range(first, last + 1)}
        return [value for value in self._values if (value in values) != is_other]

    def _value(self, symbol: str) -> int:
        if not (symbol.isascii() and symbol.isalnum()):
            raise FormatError(f"expected a digit or a letter in the pattern, got {symbol!r}")
        return int(symbol, 36)


_EMPTY = _Part(frozenset(), frozenset(), True)


def packed_machine(machine: Machine, n: int) -> str:
    """Return an automaton as `automaton_of_nfa` can read it; empty if it has too many states."""
    starts, accepting = [*bits_of(machine.starts)], set(bits_of(machine.accepting))
    others = [state for state in range(len(machine.steps)) if state not in set(starts)]
    order = [*starts, *sorted(others, key=lambda state: state not in accepting)]
    number = {state: index for index, state in enumerate(order)}
    ends = len(accepting - set(starts))
    state_bits = max(1, (len(order) - 1).bit_length(), len(starts).bit_length(), ends.bit_length())
    steps = [
        [(value, number[b]) for value, targets in enumerate(row) for b in bits_of(targets)]
        for row in (machine.steps[state] for state in order)
    ]
    count_bits = max(map(len, steps), default=0).bit_length()
    if state_bits > _STATE_BITS or count_bits > _STATE_BITS - 1 or not starts:
        return ""
    both = sum(1 << index for index, state in enumerate(starts) if state in accepting)
    parts = [(0, 2), (state_bits - 1, 4), (n - 1, 4), (len(starts), state_bits)]
    parts += [(ends, state_bits), (both, len(starts)), (count_bits, 4)]
    for row in steps:
        parts.append((len(row), count_bits))
        for value, target in row:
            parts += [(value, (n - 1).bit_length()), (target, state_bits)]
    bits = "".join(format(number, f"0{size}b") for number, size in parts if size)
    bits += "0" * (-len(bits) % 8)
    data = int(bits, 2).to_bytes(len(bits) // 8, "big")
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


_STATE_BITS = 16
"""The most digits of the number of a state."""
