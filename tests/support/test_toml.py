"""TOML is read in bounded memory, whatever the text, and a right text is not refused."""

from __future__ import annotations

import re
import tomllib
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import unidoku
from tests.helpers.volume import volume
from unidoku import InputError
from unidoku.backends.options import parse_label
from unidoku.support.toml import parse_toml, toml_lines

SIZE = 10_000
"""Characters of a hostile text; `tomllib` takes 125 MB for one key of 5,000 parts."""

MOST = 15 << 20
"""Bytes that a hostile text of this size may take."""

DEEP = ".".join("a" * 200)
"""A key of more parts than are read."""

BOMBS: dict[str, Callable[[int], str]] = {
    "key": lambda n: ".".join("a" * (n // 2)) + "=1",
    "key with blanks": lambda n: " . ".join("a" * (n // 4)) + "=1",
    "quoted key": lambda n: ".".join(['"a"'] * (n // 4)) + "=1",
    "key in apostrophes": lambda n: ".".join(["'a'"] * (n // 4)) + "=1",
    "table": lambda n: f"[{'.'.join('a' * (n // 2))}]",
    "list of tables": lambda n: f"[[{'.'.join('a' * (n // 2))}]]",
    "inline table": lambda n: f"a={{{'.'.join('a' * (n // 2))}=1}}",
    "lists": lambda n: "a=" + "[" * n,
    "tables in tables": lambda n: "a=" + "{a=" * (n // 3),
    "keys below a table": lambda n: f"[{DEEP[:61]}]\n" + "".join(
        f"b{k}.{DEEP[:59]}=1\n" for k in range(n // 66)
    ),
    "many tables": lambda n: "".join(f"[b{k}.{DEEP[:59]}]\n" for k in range(n // 66)),
    "many lists of tables": lambda n: "".join(f"[[b{k}.{DEEP[:59]}]]\n" for k in range(n // 66)),
    "many lists": lambda n: "".join(f"b{k}=[]\n" for k in range(n // 8)),
    "empty tables": lambda n: f"a=[{'{},' * (n // 3)}]",
    "small tables": lambda n: f"a=[{'{a=1},' * (n // 6)}]",
    "numbers": lambda n: f"a=[{'1,' * (n // 2)}]",
    "a word": lambda n: "a" * n,
    "dots": lambda n: "." * n,
    "an open text": lambda n: '"' + '\\"' * (n // 2),
    "an open long text": lambda n: '"""' + '\\"""' * (n // 4),
    "quotes": lambda n: '"' * n,
    "apostrophes": lambda n: "'" * n,
}  # fmt: skip


@pytest.mark.parametrize("kind", BOMBS)
@pytest.mark.volume
def test_a_hostile_text_takes_little_memory(kind: str) -> None:
    times = min(volume(1), 400)  # as long as is read
    tracemalloc.start()
    try:
        parse_toml(BOMBS[kind](SIZE * times))
    except ValueError as error:
        assert len(str(error)) < 200  # noqa: PT017 - it does not repeat the text
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < (MOST if times == 1 else 200 << 20)


_SIGNS = st.text(alphabet="\"'\\ntu#=.[]{},a \n", max_size=12)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Texts as TOML writes them, in each of its four forms, of all that may mislead."""
    quote = draw(st.sampled_from(['"', "'", '"""', "'''"]))
    result = quote + "".join(draw(st.lists(st.just(f"{DEEP}=") | _SIGNS, max_size=3))) + quote
    try:
        values = tomllib.loads(f"x={{y={result}, z=1}}")
    except ValueError:
        assume(False)
    assume([*values] == ["x"] and [*values["x"]] == ["y", "z"])
    return result


@settings(max_examples=volume(30), deadline=None)
@given(texts(), texts())
@example('"""a""""', "''")
@example("'''a'''''", '"\\\\"')
@pytest.mark.volume
def test_texts_and_comments_neither_hide_a_deep_key_nor_are_taken_for_one(
    first: str, second: str
) -> None:
    right = f"k = {{x = {first}, y = {second}, z = 1}} # {DEEP}=1, it's \"so"
    assert parse_toml(right) == tomllib.loads(right)
    with pytest.raises(ValueError, match="at most 32 parts"):
        parse_toml(f"k = {{x = {first}, y = {second}, {DEEP} = 1}}")


@settings(max_examples=volume(20), deadline=None)
@given(st.dictionaries(st.text(min_size=1), st.text() | st.lists(st.floats(allow_nan=False))))
@pytest.mark.volume
def test_what_is_written_is_read(table: dict[str, object]) -> None:
    text = "\n".join(toml_lines(table))
    assume("Infinity" not in text and not re.search("[\ud800-\udfff]", text))
    assert parse_toml(text) == table


@pytest.mark.parametrize("text", ["a=" + "[" * 5000, "a=" + "1" * 5000, "a" * (5 << 20)])
def test_whatever_is_refused_is_one_kind_of_error(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of any message
        parse_toml(text)


@pytest.mark.parametrize("path", [r"C:\Users\me\boards.txt", r"C:\data\boards.txt"])
def test_a_path_of_windows_in_double_quotes_is_told_how_to_write_it(path: str) -> None:
    assert parse_toml(f"files = ['{path}']") == {"files": [path]}
    with pytest.raises(ValueError, match=r"at line 1, column \d+\); .* in single quotes"):
        parse_toml(f'files = ["{path}"]')


def test_a_puzzle_file_with_a_deep_key_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "deep.toml"
    file.write_text(f"version = 1\n{DEEP} = 1\n")
    with pytest.raises(InputError, match="keys of at most 32 parts"):
        unidoku.read(file)


def test_a_hostile_value_of_an_option_is_text() -> None:
    assert parse_label("sat[x=" + "[" * 3000 + "]" * 3000 + "]")[1]["x"][:2] == "[["


def test_no_other_module_reads_toml() -> None:
    package = Path(unidoku.__file__).parent
    readers = [path for path in package.rglob("*.py") if "tomllib" in path.read_text("utf-8")]
    assert [path.name for path in readers] == ["toml.py"]
