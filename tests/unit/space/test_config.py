import copy
import pickle

import pytest

from tightrope.errors import SpaceError, TightropeError
from tightrope.records import Config


def test_a_config_is_a_mapping_in_the_order_given() -> None:
    config = Config({"b": 1, "a": "x"})
    assert list(config.items()) == [("b", 1), ("a", "x")]
    assert dict(config) == {"a": "x", "b": 1}
    assert config.get("c") is None


def test_configs_with_equal_content_are_one_key() -> None:
    assert len({Config({"a": 1, "b": 2.5}), Config({"b": 2.5, "a": 1})}) == 1
    assert Config({"a": 1}) != Config({"a": 2})
    assert Config({"a": 1}) != Config({"b": 1})


def test_a_config_equals_a_dictionary_but_nothing_that_is_no_mapping() -> None:
    assert Config({"a": 1}) == {"a": 1}
    assert Config({"a": 1}) != [("a", 1)]


def test_a_config_cannot_be_changed() -> None:
    config = Config({"a": 1})
    with pytest.raises(AttributeError, match="cannot be changed"):
        config.a = 2  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="cannot be changed"):
        del config._values
    with pytest.raises(TypeError):
        config["a"] = 2  # type: ignore[index]


def test_a_config_does_not_follow_the_dictionary_it_was_made_from() -> None:
    values = {"a": 1}
    config = Config(values)
    values["a"] = 2
    assert config["a"] == 1


def test_a_config_with_an_unhashable_value_has_a_hash() -> None:
    assert hash(Config({"layers": [8, 8]})) == hash(Config({"layers": [8.0, 8]}))


def test_the_text_of_a_config_makes_an_equal_one() -> None:
    config = Config({"a": 1, "kind of": "x"})
    assert eval(repr(config)) == config


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c))])
def test_copies_of_a_config_are_equal(copied) -> None:
    config = Config({"a": 1, "b": "x"})
    assert copied(config) == config
    assert hash(copied(config)) == hash(config)


def test_an_error_keeps_its_parts_and_builds_its_text_late() -> None:
    error = SpaceError("too large", key="n", value=65, hint="try 64")
    assert (error.problem, error.key, error.value, error.hint) == ("too large", "n", 65, "try 64")
    error.value = 66
    assert str(error) == "parameter 'n', given 66: too large; try 64"


def test_an_error_without_key_value_or_hint_has_a_text() -> None:
    assert str(SpaceError("nothing is legal")) == "nothing is legal"
    assert str(SpaceError("no such parameter", key="n")) == "parameter 'n': no such parameter"


def test_none_is_a_value_that_an_error_shows() -> None:
    assert "given None" in str(SpaceError("no number", key="n", value=None))


def test_an_error_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(SpaceError("too large", key="n", value=65, hint="try 64")))
    assert isinstance(error, TightropeError)
    assert str(error) == "parameter 'n', given 65: too large; try 64"
    assert error.args == ("too large",)
