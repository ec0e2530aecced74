"""LZ-string, the compression of links to f-puzzles and SudokuPad, in base64.

The method is LZ78 with codes that grow: a code of 0 or 1 announces a new character of 8 or 16
bits, 2 is the end, and every other code is a phrase of the dictionary. See pieroxy's lz-string
(https://pieroxy.net/blog/pages/lz-string/index.html), whose output this module reproduces.
"""

from __future__ import annotations

from unidoku.errors import FormatError

LARGEST = 1 << 22
"""The most characters that a payload may unpack to: they grow with the square of its length."""

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {symbol: value for value, symbol in enumerate(_ALPHABET)}
_BITS = 6
_BYTE, _WIDE, _END, _FIRST = 0, 1, 2, 3
"""The codes for a new character below 256, for another, and for the end; the first phrase."""


def compressed(text: str) -> str:
    """Return a text compressed, in base64.

    >>> compressed('{"size":4}')
    'N4IgzglgXgpiBcAWAvkA'
    """
    phrases: dict[str, int] = {}
    new: set[str] = set()
    bits: list[str] = []
    count = 2  # of codes: they have as many bits as it
    phrase = ""

    def put(value: int, size: int) -> None:
        bits.append(format(value, f"0{size}b")[::-1])

    def emit(phrase: str) -> None:
        nonlocal count
        if phrase in new:
            new.remove(phrase)
            is_wide = ord(phrase) > 255
            put(_WIDE if is_wide else _BYTE, count.bit_length())
            put(ord(phrase), 16 if is_wide else 8)
            count += 1
        else:
            put(phrases[phrase], count.bit_length())
        count += 1

    for symbol in _utf16(text):
        if symbol not in phrases:
            phrases[symbol] = len(phrases) + _FIRST
            new.add(symbol)
        if phrase + symbol in phrases:
            phrase += symbol
            continue
        emit(phrase)
        phrases[phrase + symbol] = len(phrases) + _FIRST
        phrase = symbol
    if phrase:
        emit(phrase)
    put(_END, count.bit_length())
    bit_text = "".join(bits)
    # As in the original: an unfinished symbol is filled up, a finished one is followed by another.
    bit_text += "0" * (_BITS - len(bit_text) % _BITS)
    starts = range(0, len(bit_text), _BITS)
    packed = "".join(_ALPHABET[int(bit_text[start : start + _BITS], 2)] for start in starts)
    return packed + "=" * (-len(packed) % 4)


def decompressed(packed: str) -> str:
    """Return the text that was compressed by `compressed`.

    >>> decompressed("N4IgzglgXgpiBcAWAvkA")
    '{"size":4}'

    Raises:
        FormatError: it is not such a text, or unpacks to more than `LARGEST` characters.
    """
    stream = _Stream(packed)
    phrases: list[str] = [""] * _FIRST
    length = 1
    last = stream.symbol(stream.take(2))
    if last is None:
        return ""
    phrases.append(last)
    parts = [last]
    while (code := stream.take(len(phrases).bit_length())) != _END:
        if code in (_BYTE, _WIDE):
            phrases.append(stream.symbol(code) or "")
            code = len(phrases) - 1
        if code < len(phrases):
            phrase = phrases[code]
        elif code == len(phrases):
            phrase = last + last[0]
        else:
            raise FormatError("expected a payload of LZ-string, got a code of no phrase")
        parts.append(phrase)
        length += len(phrase)
        if length > LARGEST:
            raise FormatError(f"expected a payload of at most {LARGEST:,} characters, got more")
        phrases.append(last + phrase[0])
        last = phrase
    return _text("".join(parts))


class _Stream:
    """The bits of a text in base64, from its first character on."""

    def __init__(self, packed: str) -> None:
        symbols = packed.rstrip("=")
        if odd := set(symbols) - set(_ALPHABET):
            raise FormatError(f"expected base64, got {min(odd)!r}")
        self._bits = "".join(format(_VALUES[symbol], f"0{_BITS}b") for symbol in symbols)
        self._at = 0

    def take(self, size: int) -> int:
        """Return the number formed by the next bits, the lowest bit first."""
        bits = self._bits[self._at : self._at + size]
        if len(bits) < size:
            raise FormatError("expected a payload of LZ-string, got a part of one")
        self._at += size
        return int(bits[::-1], 2)

    def symbol(self, code: int) -> str | None:
        """Return the new character that a code announces; None at the end."""
        if code == _END:
            return None
        if code not in (_BYTE, _WIDE):
            raise FormatError("expected a payload of LZ-string, got a code of no phrase")
        return chr(self.take(16 if code == _WIDE else 8))


def _utf16(text: str) -> str:
    """Return a text in the 16-bit characters of JavaScript."""
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(
        chr(int.from_bytes(data[start : start + 2], "little")) for start in range(0, len(data), 2)
    )


def _text(symbols: str) -> str:
    """Return the text of 16-bit characters; an unpaired surrogate becomes a question mark."""
    return symbols.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
