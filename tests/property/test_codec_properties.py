"""Configs survive encoding as text, with types and all bits."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tightrope.errors import JournalError
from tightrope.records import Config, Trial
from tightrope.store import Journal
from tightrope.store.codec import decode, encode

TEXTS = st.text(st.characters(), max_size=20)
PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
NUMPY = (
    st.integers(-(2**63), 2**63 - 1).map(np.int64)
    | st.integers(0, 255).map(np.uint8)
    | st.floats().map(np.float64)
    | st.floats(width=32).map(np.float32)
    | st.booleans().map(np.bool_)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5).map(np.str_)
)
VALUES = st.recursive(
    PLAIN | NUMPY,
    lambda parts: (
        st.lists(parts, max_size=3)
        | st.lists(parts, max_size=3).map(tuple)
        | st.dictionaries(PLAIN.filter(lambda key: key == key), parts, max_size=3)
    ),
    max_leaves=6,
)
CONFIGS = st.dictionaries(TEXTS, VALUES, max_size=6).map(Config)


def shape(value: Any) -> Any:
    """Return a key that is equal only for values of equal types and bits."""
    if isinstance(value, list | tuple):
        return type(value), [shape(part) for part in value]
    if isinstance(value, dict):
        return dict, [(shape(key), shape(part)) for key, part in value.items()]
    return type(value), repr(value)


@given(CONFIGS)
def test_decoding_undoes_encoding(config: Config) -> None:
    assert shape(dict(decode(encode(config)))) == shape(dict(config))


@given(CONFIGS, CONFIGS)
def test_different_configs_have_different_texts(one: Config, other: Config) -> None:
    assert (encode(one) == encode(other)) == (shape(dict(one)) == shape(dict(other)))


@given(CONFIGS)
def test_texts_are_plain_ascii(config: Config) -> None:
    assert encode(config).isascii()


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(CONFIGS, max_size=8))
def test_configs_come_back_from_a_journal(tmp_path: Path, configs: list[Config]) -> None:
    path = tmp_path / "run.journal"
    path.unlink(missing_ok=True)
    with Journal.create(path) as journal:
        for i, config in enumerate(configs):
            journal.start(Trial(i, config))
        found = [trial.config for trial in journal.pending()]
    assert [shape(dict(config)) for config in found] == [shape(dict(config)) for config in configs]


@pytest.mark.parametrize(
    "value",
    [object(), np.arange(2), 1j, b"x", {1}, np.longdouble(1), np.datetime64("2026-01-01"), (object(),)],
)
def test_other_values_are_refused_with_the_parameters_name(value: object) -> None:
    with pytest.raises(JournalError, match=r"of parameter 'x' cannot be written.*accepted are bool, int"):
        encode(Config({"x": value}))


def test_names_must_be_text() -> None:
    with pytest.raises(JournalError, match="the parameter name 3 is not a string"):
        encode(Config({3: 1}))  # type: ignore[dict-item]
