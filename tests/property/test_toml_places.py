"""Positions of keys and values in TOML: all are found, with their exact text."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.scenario.toml.entry import toml_source
from tightrope.scenario.toml.literal import write_key, write_pair
from tightrope.scenario.toml.places import KeyPath, find_places

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
scalars = st.one_of(texts, st.booleans(), st.integers(-(10**9), 10**9), st.floats(allow_nan=False))
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)
WRITTEN = """\
title = 'a "b" # no comment'   # a comment
[owner] # of it
name.first = \"\"\"two
lines ""\"\"\"
"quoted.key" = [ 1, 2, # with a comment
  { x = 1, y = '''it's''' },
]
[[fruit]]
name = "apple"
[fruit.shape]
round = true
[[fruit.kind]]
name = "red"
[[fruit.kind]]
name = "green"
[[fruit]]
name = "plum"
born = 1979-05-27 07:32:00
"""


def leaves(value: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    if isinstance(value, dict | list):
        for part, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, part))
    else:
        yield path, value


def check(text: str) -> None:
    source = toml_source(text, file="text")
    places = find_places(source)
    for path, value in leaves(tomllib.loads(text)):
        place = places[path]
        assert source.lines[place.value.line - 1][place.value.column - 1 :].startswith(place.value.text)
        if not place.value.text.startswith(('"""', "'''")):
            assert tomllib.loads(f"key = {place.value.text}")["key"] == value
        if isinstance(path[-1], str):
            assert tomllib.loads(f"{place.key.text} = 1") == {path[-1]: 1}


@given(st.dictionaries(texts, values, max_size=4), st.dictionaries(texts, values, max_size=3))
def test_every_value_of_a_text_is_found(top: dict[str, Any], table: dict[str, Any]) -> None:
    lines = [write_pair(key, value) for key, value in top.items()]
    if "table" not in top:
        lines += [
            f"[ table . {write_key('x y')} ]",
            *(write_pair(key, value) for key, value in table.items()),
        ]
    check("\n".join(lines))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_headers_dots_arrays_of_tables_and_long_texts_are_understood(end: str) -> None:
    check(WRITTEN.replace("\n", end))
