"""No text crashes the readers of scenario files: they return a scenario or an error with positions."""

import json
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenario_texts import ACLIB, FILES, IRACE, TOML, VOCABULARY
from tightrope.errors import ScenarioError
from tightrope.scenario import parse_pcs, parse_scenario
from tightrope.scenario.parameter_file import read_parameter_file

many = settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scenario")
    for name in ("train/a1.cnf", "train/a2.cnf", "test/b1.cnf", "test/b2.cnf"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def read_or_explain(text: str, folder: Path, file: str = "text") -> None:
    """Read a text; any exception other than ScenarioError fails the test."""
    try:
        parse_scenario(text, base=folder, file=file)
    except ScenarioError as error:
        check_places(text, error, file)


def check_places(text: str, error: ScenarioError, file: str) -> None:
    assert str(error)
    for fault in error.faults:
        assert fault.problem
        if fault.line is not None and fault.column is not None and fault.file == file:
            assert 1 <= fault.column <= len(fault.excerpt) + 1
            assert 1 <= fault.line <= 1 + sum(text.count(end) for end in "\r\n")


@pytest.mark.parametrize(
    ("text", "file"), [(TOML, "s.toml"), (ACLIB, "scenario.txt"), (IRACE, "scenario.txt")]
)
def test_the_undamaged_files_are_read(text: str, file: str, folder: Path) -> None:
    parse_scenario(text, base=folder, file=file)


@many
@given(st.text())
def test_any_text_is_read_or_explained(folder: Path, text: str) -> None:
    read_or_explain(text, folder)
    read_or_explain(text, folder, "s.toml")


@many
@given(
    st.lists(st.sampled_from(VOCABULARY), max_size=40).map("".join), st.sampled_from(["", TOML, ACLIB, IRACE])
)
def test_any_sequence_of_words_is_read_or_explained(folder: Path, words: str, start: str) -> None:
    read_or_explain(start + words, folder)


@many
@given(st.sampled_from([TOML, TOML, ACLIB, IRACE]), st.data())
def test_a_damaged_file_is_read_or_explained(folder: Path, text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.sampled_from([0, 0, 1, 1, 2, 5, 30])))
        text = text[:start] + data.draw(st.sampled_from(["", *VOCABULARY])) + text[end:]
    read_or_explain(text, folder)


@many
@given(st.lists(st.sampled_from(VOCABULARY), max_size=12).map("".join), st.sampled_from(TOML.splitlines()))
def test_any_value_of_a_key_is_read_or_explained(folder: Path, value: str, line: str) -> None:
    key = line.partition("=")[0]
    read_or_explain(TOML.replace(line, f"{key} = {value}"), folder, "s.toml")
    read_or_explain(TOML.replace(line, f"{key} = {value!r}"), folder, "s.toml")


USERS = [
    (TOML.replace("{ a1 = ", "'expected.csv' # { a1 = "), "s.toml"),
    (TOML.replace('"train/*.cnf"', '{ file = "test.txt" }'), "s.toml"),
    (ACLIB, "scenario.txt"),
    (ACLIB.replace("test_instance_file = test.txt", "test_instance_seed_file = seeds.txt"), "scenario.txt"),
    (IRACE + 'configurationsFile = "initial.txt"\n', "scenario.txt"),
]


@many
@given(st.sampled_from(sorted(FILES)), st.sampled_from(USERS), st.data())
def test_a_damaged_file_that_a_scenario_names_is_read_or_explained(
    folder: Path, name: str, user: tuple[str, str], data: st.DataObject
) -> None:
    text = FILES[name]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.sampled_from([0, 0, 1, 2, 5])))
        text = (
            text[:start]
            + data.draw(st.one_of(st.sampled_from(["", *VOCABULARY]), st.text(max_size=3)))
            + text[end:]
        )
    (folder / name).write_text(text, encoding="utf-8")
    try:
        read_or_explain(user[0], folder, user[1])
    finally:
        (folder / name).write_text(FILES[name])


JSON = json.dumps(
    parse_pcs(
        """
        a {x, y}[x]
        b ordinal {1, 2} [1]
        n [1, 9][3]il
        r [0, 1][0.5]
        r | a in {x} && n > 3 || b == 1
        {a = y, n < 2}
        """
    ).to_serialized_dict(),
    indent=1,
)
JSON_WORDS = [
    "null",
    "true",
    "1",
    "-1",
    '"x"',
    "[]",
    "{}",
    "[1]",
    '"uniform_int"',
    '"name"',
    "1e999",
    "NaN",
    ",",
    "}",
]


@many
@given(st.data())
def test_damaged_json_of_configspace_is_read_or_explained(folder: Path, data: st.DataObject) -> None:
    parts = re.split(r"(: |,\n|\n)", JSON)
    for _ in range(data.draw(st.integers(1, 3))):
        parts[data.draw(st.integers(0, len(parts) - 1))] = data.draw(st.sampled_from(["", *JSON_WORDS]))
    (folder / "space.json").write_text("".join(parts))
    with suppress(ScenarioError):
        read_parameter_file(folder / "space.json")
