"""Changes of a puzzle file as text: what they say, and what they leave as it is."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unidoku.formats.toml.edit import (
    moved_element,
    with_definition,
    with_element,
    with_key,
    without_element,
)

WRITTEN = '''\
# My killer.
version = 1
name = "x"  # the name
size = 4

# The cages
rules = [
    # the first
    { kind = "killer", cage = "A1-A2", total = 3 },  # small
    { kind = "killer", cage = "B1-B2 C2", total = 8 },
    { kind = "thermo", line = "C2-C1-B1-B2" }
]
mine = { kept = [1, 2] }
givens = """
1...
....
....
...."""
'''

TABLES = """\
version = 1
size = 4

[[rules]]
kind = "any-of" # either

[[rules.branches]]
kind = "thermo"
line = "A1-A2"

# The second
[[rules]]
kind = "killer"
cage = "A1 A2"
"""

FORMS = (
    WRITTEN,
    TABLES,
    "version = 1\nsize = 4",
    "version = 1\nrules = []\nsize = 4\n",
    'version = 1\nsize = 4\nrules = [{ kind = "a" }, { kind = "b" }]  # both\n',
    'version = 1\r\nsize = 4\r\nrules = [\r\n    { kind = "a" },\r\n]\r\n',
    "version=1\nsize=4\nrules = [{kind='a', x=[1,\n2]},\n{kind='b'},]",
)

RULE = {"kind": "renban", "line": "D1-D3 ]#[", "total": 7}


@pytest.mark.parametrize("text", FORMS)
def test_a_rule_is_added_replaced_and_removed_in_every_form(text: str) -> None:
    before = tomllib.loads(text).get("rules", [])
    added = with_element(text, "rules", RULE)
    assert tomllib.loads(added)["rules"] == [*before, RULE]
    for index in range(len(before)):
        changed = tomllib.loads(with_element(text, "rules", RULE, index))["rules"]
        assert changed == [*before[:index], RULE, *before[index + 1 :]]
        left = tomllib.loads(without_element(text, "rules", index)).get("rules", [])
        assert left == [*before[:index], *before[index + 1 :]]
    assert tomllib.loads(without_element(added, "rules", len(before))).get("rules", []) == before
    for index, to in ((0, len(before)), (len(before), 0), (len(before) // 2, 0)):
        moved = [*before, RULE]
        moved.insert(to, moved.pop(index))
        assert tomllib.loads(moved_element(added, "rules", index, to))["rules"] == moved


def test_a_rule_that_moves_takes_its_comment_along() -> None:
    text = moved_element(WRITTEN, "rules", 1, 0)
    assert "total = 3 },  # small" in text
    assert [*tomllib.loads(text)["rules"][0].values()] == ["killer", "B1-B2 C2", 8]
    assert sorted(text.splitlines()) == sorted(WRITTEN.splitlines())


@pytest.mark.parametrize("text", FORMS)
def test_a_rule_is_defined_twice_and_forgotten(text: str) -> None:
    before = tomllib.loads(text)
    far = {"kind": "pairs", "related": "a, b: abs(a - b) >= 2"}
    defined = with_definition(text, "far", far)
    two = with_definition(defined, "near-by ü", {"kind": "whisper"})
    assert tomllib.loads(two)["define"] == {"far": far, "near-by ü": {"kind": "whisper"}}
    red = with_definition(two, "far", far | {"colour": "red"})
    assert tomllib.loads(red) == before | {
        "define": {"far": far | {"colour": "red"}, "near-by ü": {"kind": "whisper"}}
    }
    left = with_definition(with_definition(red, "far", None), "near-by ü", None)
    assert tomllib.loads(left) == before


def test_a_definition_takes_the_tables_inside_it_along() -> None:
    head, rest = "# mine\nversion = 1\n", "[define.near]  # kept\nkind = 'renban'\n"
    text = f"{head}\n[define.far]\nkind = 'thermo'\n\n[define.far.colours]\nline = 1\n\n{rest}"
    assert with_definition(text, "far", None) == f"{head}\n{rest}"
    table = '[define.far]\nkind = "whisper"\n'
    assert with_definition(text, "far", {"kind": "whisper"}) == f"{head}\n{table}\n{rest}"


def test_comments_order_and_unknown_keys_stay() -> None:
    text = with_element(
        with_key(with_element(WRITTEN, "rules", RULE), "name", 'a "b" ü'), "rules", RULE, 1
    )
    for part in ("# My killer.", "# the name", "# The cages", "# the first", "# small", "mine ="):
        assert part in text
    assert [*tomllib.loads(text)] == [*tomllib.loads(WRITTEN)]


def test_only_the_lines_of_a_change_differ() -> None:
    before, after = WRITTEN.splitlines(), with_key(WRITTEN, "size", 6).splitlines()
    assert [*map(str.__ne__, before, after)].count(True) == 1


@pytest.mark.parametrize("text", FORMS)
@pytest.mark.parametrize("key", ["name", "size", "givens", "rules"])
def test_a_key_is_set_and_removed(text: str, key: str) -> None:
    value = "1...\n....\n....\n...." if key == "givens" else "new"
    assert tomllib.loads(with_key(text, key, value)) == tomllib.loads(text) | {key: value}
    assert key not in tomllib.loads(with_key(text, key, None))


KEYS = st.sampled_from(["name", "size", "mine", "givens"])
VALUES = st.one_of(st.integers(-9, 99), st.text(max_size=8), st.lists(st.integers(0, 9)))
BLANKS = st.sampled_from(["", " ", "\n", "  # [ \" ' \n", "\n\n# ,]}\n"])


@given(
    st.lists(st.tuples(KEYS, VALUES, BLANKS), unique_by=lambda item: item[0]),
    st.lists(st.dictionaries(KEYS, VALUES, max_size=3), max_size=4),
    st.lists(BLANKS, min_size=12, max_size=12),
    st.data(),
)
def test_whatever_the_text_a_change_says_what_is_wanted(
    keys: list[tuple[str, object, str]],
    rules: list[dict[str, object]],
    blanks: list[str],
    data: st.DataObject,
) -> None:
    from unidoku.support.toml import toml_value

    head = [f"{key} = {toml_value(value)}{blank}" for key, value, blank in keys]
    listed = "".join(f"{toml_value(r)},{b}" for r, b in zip(rules, blanks, strict=False))
    text = "\n".join(["version = 1", *head, f"rules = [{blanks[-1]}{listed}]{blanks[-2]}"])
    assert tomllib.loads(with_element(text, "rules", RULE))["rules"] == [*rules, RULE]
    if rules:
        index = data.draw(st.integers(0, len(rules) - 1))
        others = [*rules[:index], *rules[index + 1 :]]
        assert tomllib.loads(without_element(text, "rules", index))["rules"] == others
        moved = tomllib.loads(moved_element(text, "rules", index, 0))["rules"]
        assert moved == [rules[index], *others]
    assert tomllib.loads(with_key(text, "name", "new"))["name"] == "new"
