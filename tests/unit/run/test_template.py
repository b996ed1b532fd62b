"""Command templates: their syntax, and the commands they produce."""

import pytest

from tightrope.errors import TargetError
from tightrope.records import Config, Task, Trial
from tightrope.run.style import Style
from tightrope.run.template import read_template

TRIAL = Trial(3, Config({"alpha": 0.25, "kind": "a b", "fast": True}), cap=1.5, task=Task("dir/x y.cnf", 7))


def fill(command: str | list[str], style: Style | None = None, **settings: object) -> list[str]:
    return read_template(command, style or Style(), **settings).fill(TRIAL)  # type: ignore[arg-type]


def test_placeholders_of_the_trial_are_filled_in() -> None:
    assert fill("run {instance} {seed} {cap}") == ["run", "dir/x y.cnf", "7", "1.5"]


def test_text_is_split_like_a_shell_does() -> None:
    assert fill("run 'two words' -x={seed}") == ["run", "two words", "-x=7"]


def test_words_of_a_list_are_left_whole() -> None:
    assert fill(["run", "two words", "it's {seed}"]) == ["run", "two words", "it's 7"]


def test_parameters_stand_where_their_placeholder_stands() -> None:
    assert fill("run {parameters} end") == ["run", "--alpha=0.25", "--kind=a b", "--fast=true", "end"]


def test_a_command_without_parameters_gets_none() -> None:
    assert fill("run {seed}") == ["run", "7"]


def test_a_style_of_two_words_gives_two_arguments() -> None:
    words = fill("run {parameters}", Style("-{name} {value}"))
    assert words == ["run", "-alpha", "0.25", "-kind", "a b", "-fast", "true"]


def test_a_flag_stands_for_true_and_nothing_for_false() -> None:
    style = Style(flags="--{name}")
    assert style.words("fast", True) == ["--fast"]
    assert style.words("fast", False) == []


def test_a_flag_may_have_a_word_for_false() -> None:
    assert Style(flags="-{name}/-no-{name}").words("fast", False) == ["-no-fast"]


def test_each_parameter_may_have_its_own_pattern() -> None:
    style = Style({"alpha": "--a {value}", "kind": "-k{value}", "fast": "{value}"})
    assert fill("run {parameters}", style) == ["run", "--a", "0.25", "-ka b", "true"]


def test_a_parameter_without_a_pattern_is_named() -> None:
    with pytest.raises(TargetError, match="'kind'"):
        fill("run {parameters}", Style({"alpha": "--a {value}"}))


def test_a_parameter_with_a_place_of_its_own_is_not_repeated() -> None:
    words = fill("run -a{alpha} {parameters}", names=["alpha", "kind", "fast"])
    assert words == ["run", "-a0.25", "--kind=a b", "--fast=true"]


def test_a_word_with_an_inactive_parameter_is_left_out() -> None:
    assert fill("run --depth={depth} {seed}", names=["depth"]) == ["run", "7"]


def test_an_inactive_parameter_that_is_a_word_of_its_own_is_refused() -> None:
    with pytest.raises(TargetError, match="'depth' is inactive"):
        fill("run --depth {depth}", names=["depth"])


def test_doubled_braces_mean_braces() -> None:
    assert fill("awk {{print}} {{{seed}}}") == ["awk", "{print}", "{7}"]


def test_values_that_look_like_placeholders_stay_as_they_are() -> None:
    trial = Trial(0, Config({"x": "{seed} {name} {value}"}))
    assert read_template("run {parameters}", Style()).fill(trial) == ["run", "--x={seed} {name} {value}"]


def test_an_unknown_placeholder_is_refused_at_once() -> None:
    with pytest.raises(TargetError, match=r"\{sed\}"):
        read_template("run {sed} {parameters}", Style(), names=["alpha"])


@pytest.mark.parametrize("command", ["run {seed", "run seed}", "run {se{ed}}"])
def test_a_brace_that_stands_alone_is_refused(command: str) -> None:
    with pytest.raises(TargetError, match="brace"):
        read_template(command, Style())


@pytest.mark.parametrize("command", ["", "   ", []])
def test_an_empty_command_is_refused(command: str | list[str]) -> None:
    with pytest.raises(TargetError, match="empty"):
        read_template(command, Style())


def test_a_quote_that_never_ends_is_refused() -> None:
    with pytest.raises(TargetError, match="quote"):
        read_template("run 'x", Style())


def test_parameters_must_be_a_word_of_their_own() -> None:
    with pytest.raises(TargetError, match="word of its own"):
        read_template("run -p{parameters}", Style())


def test_a_pattern_without_value_is_refused() -> None:
    with pytest.raises(TargetError, match=r"no \{value\}"):
        Style("--{name}")


def test_flags_without_name_are_refused() -> None:
    with pytest.raises(TargetError, match=r"no \{name\}"):
        Style(flags="--on")


def test_a_zero_byte_is_refused() -> None:
    with pytest.raises(TargetError, match="zero byte"):
        Style().words("x", "a\0b")


def test_a_shell_script_keeps_its_own_syntax() -> None:
    words = fill("run {instance} | sort > ${{HOME}}/x", shell=True)
    assert words == ["/bin/sh", "-c", "run 'dir/x y.cnf' | sort > ${HOME}/x"]


def test_a_placeholder_in_quotes_of_a_shell_script_is_refused() -> None:
    with pytest.raises(TargetError, match="inside quotes"):
        read_template("run '{instance}'", Style(), shell=True)


def test_a_shell_script_is_a_text() -> None:
    with pytest.raises(TargetError, match="shell=True"):
        read_template(["run"], Style(), shell=True)


def test_the_number_of_the_trial_has_a_place() -> None:
    template = read_template("run {trial}", Style())
    assert template.fill(Trial(17, Config({}))) == ["run", "17"]


def test_specifics_are_those_of_the_instance_or_0() -> None:
    template = read_template("run {instance} {specifics}", Style(), specifics={"a": "SAT 7"})
    assert template.fill(Trial(0, Config({}), task=Task("a"))) == ["run", "a", "SAT 7"]
    assert template.fill(Trial(0, Config({}), task=Task("b"))) == ["run", "b", "0"]
