"""Real PCS files, intact and damaged."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tightrope import Budget, Scenario
from tightrope.errors import ScenarioError
from tightrope.scenario import parse_pcs, parse_scenario, read_pcs, write_pcs, write_scenario
from tightrope.space import Space

VARIABLE = "TIGHTROPE_DATA"
# Expected for each file: parameters, conditional parameters, forbidden combinations.
FILES = {
    "pcs/cplex12-76.pcs": (76, 4, 0),
    "pcs/planning__lpg__params.pcs": (67, 22, 12),
    "pcs/sat__cadical-sc17__params.pcs": (62, 0, 0),
    "pcs/sat__clasp-cssc14__params.pcs": (75, 55, 2),
    "pcs/sat__minisat_HACK_999ED_CSSC-cssc14__params.pcs": (10, 3, 3),
    "pcs/sat__probSAT__params.pcs": (9, 4, 0),
    "pcs/sat__spear__params.pcs": (26, 9, 0),
    "pcs/tsp__acotsp__params.pcs": (11, 5, 0),
    "pcs/tsp__lkh__params.pcs": (23, 3, 0),
    "spear-swv/spear.pcs": (26, 7, 0),
}
SMALL = [name for name, (n_parameters, *_) in FILES.items() if n_parameters < 30]


@pytest.fixture(scope="module")
def folder() -> Path:
    if VARIABLE not in os.environ:
        pytest.skip(f"{VARIABLE} is not set: it names the folder of recorded runs and parameter files")
    return Path(os.environ[VARIABLE])


def test_no_parameter_file_is_left_out(folder: Path) -> None:
    found = [*folder.glob("pcs/*"), folder / "spear-swv/spear.pcs"]
    assert {path.relative_to(folder).as_posix() for path in found} == set(FILES)


@pytest.mark.parametrize(("name", "counts"), FILES.items(), ids=FILES)
def test_a_real_file_is_read(folder: Path, name: str, counts: tuple[int, int, int]) -> None:
    space = read_pcs(folder / name)
    assert (len(space), len(space.conditions), len(space.forbidden_clauses)) == counts
    compiled = Space(space)
    assert compiled.is_legal(compiled.sample(100, np.random.default_rng(0))).all()


@pytest.mark.parametrize("name", FILES)
def test_a_real_file_survives_writing_and_reading(folder: Path, name: str) -> None:
    space = read_pcs(folder / name)
    again = parse_pcs(write_pcs(space))
    assert again == space
    assert [repr(parameter) for parameter in again.values()] == [
        repr(parameter) for parameter in space.values()
    ]


def test_a_parameter_with_two_conditions_needs_both(folder: Path) -> None:
    space = Space(read_pcs(folder / "pcs/sat__probSAT__params.pcs"))
    default = dict(space.decode(space.default()))
    assert "cb2" not in default
    assert "cb2" in space.decode(space.activate([_row(space, {**default, "caching": "0", "fct": "1"})])[0])
    assert "cb2" not in space.decode(
        space.activate([_row(space, {**default, "caching": "0", "fct": "0"})])[0]
    )


def _row(space: Space, config: dict[str, object]) -> list[float]:
    return [
        space.columns.each[j].code(config[name]) if name in config else np.nan
        for j, name in enumerate(space.names)
    ]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_real_file_is_read_or_explained(folder: Path, data: st.DataObject) -> None:
    text = (folder / data.draw(st.sampled_from(SMALL))).read_text(encoding="utf-8")
    for _ in range(data.draw(st.integers(1, 5))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.sampled_from([0, 1, 2, 10, 100]))
        again = data.draw(st.integers(0, len(text)))
        patch = data.draw(
            st.sampled_from(["", "{", "}", "[", "]", ",", "|", "&&", "||", "=", "\n", "0", " in "])
        )
        text = text[:start] + (patch or text[again : again + 20]) + text[end:]
    try:
        space = parse_pcs(text)
    except ScenarioError as error:
        assert all(fault.problem for fault in error.faults)  # noqa: PT017
    else:
        again = parse_pcs(write_pcs(space))
        assert list(again.values()) == list(space.values())
        assert parse_pcs(write_pcs(again)) == again


@pytest.mark.parametrize("name", FILES)
def test_a_real_file_survives_conversion_to_a_scenario(folder: Path, name: str) -> None:
    space = read_pcs(folder / name)
    scenario = Scenario(space=space, target="./solver {parameters}", ceiling=1.0, budget=Budget(runs=1))
    again = parse_scenario(write_scenario(scenario), file="scenario.toml")
    assert Space.of(again.space).configspace == space
