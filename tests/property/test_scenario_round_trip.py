"""Scenarios in TOML: writing and reading gives the same scenario."""

from dataclasses import replace
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from ConfigSpace import ConfigurationSpace
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from random_spaces import assert_same, spaces
from tightrope import Budget, Tactics
from tightrope.errors import SpaceError
from tightrope.run import CommandTarget, ExitCode, IraceLine, JsonLine, Pattern, ResultLine, SatSolver
from tightrope.scenario import Scenario, parse_pcs, parse_scenario, write_old_pcs, write_scenario
from tightrope.scenario.parameter_file import read_parameter_file
from tightrope.space import Space

few = settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])

COMMAND = "./solver {parameters}"
texts = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=6)
variables = texts.filter(lambda name: name and "=" not in name)
plain_texts = st.text(st.sampled_from("abc019 _-+.,'()|&\"\\`#{}[]=é"), max_size=4)
mixed = st.one_of(plain_texts, st.integers(-9, 9), st.floats(-9, 9).map(lambda number: round(number, 3)))
choices = st.one_of(
    st.lists(plain_texts, min_size=2, max_size=4, unique=True),
    st.lists(mixed, min_size=2, max_size=4, unique_by=(str, lambda value: value)),
    st.permutations([True, False]),
)
names = st.text(st.sampled_from("abzAZ019_-+.:@/*%$~'é \"#="), min_size=1, max_size=6)


@few
@given(spaces(choices, names), st.integers(0, 2**32 - 1))
def test_a_space_survives_toml(space: ConfigurationSpace, seed: int) -> None:
    scenario = Scenario(space=space, target=COMMAND, ceiling=1.0, budget=Budget(runs=1))
    again = parse_scenario(write_scenario(scenario), file="s.toml")
    assert_same(space, Space.of(again.space).configspace, seed)


words = st.lists(
    st.text(st.sampled_from("abc019_-+"), min_size=1, max_size=4), min_size=2, max_size=4, unique=True
)


@few
@given(spaces(words), st.integers(0, 2**32 - 1))
def test_a_space_survives_the_old_dialect_if_that_can_express_it(
    space: ConfigurationSpace, seed: int
) -> None:
    try:
        text = write_old_pcs(space)
    except SpaceError:
        reject()
    assert_same(space, parse_pcs(text), seed)


@few
@given(spaces(choices, names), st.integers(0, 2**32 - 1))
def test_a_space_survives_json(space: ConfigurationSpace, seed: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "space.json")
        space.to_json(path)
        assert_same(space, read_parameter_file(path), seed)


durations_s = st.floats(1e-3, 1e7).filter(lambda number: number > 0)
answers = st.one_of(
    st.sampled_from([ExitCode(), SatSolver(), JsonLine(cost=False), ResultLine(), IraceLine(cost=False)]),
    st.sampled_from(
        [JsonLine(), ResultLine(quality=True), IraceLine(), Pattern(r"cost (\d+)", success=(0, 1))]
    ),
    st.builds(
        ExitCode,
        success=st.lists(st.integers(0, 255), unique=True, max_size=2).map(sorted).map(tuple),
        solutions=st.dictionaries(st.integers(0, 255), texts, max_size=2),
    ),
    st.just(Pattern(solution=r"answer (.*)$", time=r"t=(\S+)")),
)


@st.composite
def targets(draw: st.DrawFn, instances: list[str]) -> CommandTarget:
    answer = draw(answers)
    words: Any = [
        "./a solver",
        "{parameters}",
        "{instance}",
        "it's",
        '"',
        "{{x}}",
        *draw(st.lists(st.just("{seed}"))),
    ]
    by_instance = st.dictionaries(st.sampled_from(instances), st.sampled_from(["SAT", "UNSAT", "a b", "7"]))
    return CommandTarget(
        draw(st.sampled_from([words, "./solver {parameters} {instance} {specifics} {seed} {cap} {trial}"])),
        clock=draw(st.sampled_from(["cpu", "wall"])),
        answer=answer,
        parameters=draw(st.sampled_from(["--{name}={value}", "-{name} {value}", {"x": "-x {value}"}])),
        flags=draw(st.sampled_from([None, "--{name}/--no-{name}"])),
        names=("x",),
        specifics=draw(by_instance),
        expected=draw(by_instance),
        limit_s=draw(durations_s) if answer.prints_cost else inf,
        memory_mb=draw(st.one_of(st.just(inf), st.floats(1, 1e6))),
        grace_s=draw(st.floats(0, 10)),
        keep_kb=draw(st.integers(1, 10000)),
        cwd=str(Path.cwd()),
        env=draw(st.dictionaries(variables, texts, max_size=2)),
        shell=False,
    )


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    plain = st.text(st.sampled_from("abc019 _-+.,'()|&\"\\`#é"), max_size=5).map("i".__add__)
    listed = draw(
        st.lists(plain, min_size=2, max_size=6, unique_by=lambda name: name.partition(".")[0].strip())
    )
    cut = draw(st.integers(1, len(listed)))
    limits = {"wall": durations_s, "cost": durations_s, "runs": st.integers(1, 10**6)}
    chosen = draw(st.lists(st.sampled_from(sorted(limits)), min_size=1, unique=True))
    row = st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=2)
    return Scenario(
        space={"x": (0.0, 1.0)},
        target=draw(targets(listed)),
        ceiling=draw(st.floats(1, 1e6)),
        budget=Budget(**{key: draw(limits[key]) for key in chosen}),
        instances=listed[:cut],
        test=listed[cut:],
        features=draw(st.one_of(st.none(), st.fixed_dictionaries(dict.fromkeys(listed, row)))),
        slack=draw(st.one_of(st.just(inf), st.floats(1, 10))),
        par=draw(st.floats(1, 100)),
        deterministic=draw(st.booleans()),
        seeds=draw(
            st.one_of(st.none(), st.lists(st.integers(0, 10**9), min_size=1, max_size=3, unique=True))
        ),
        default=draw(st.one_of(st.none(), st.just({"x": 0.25}))),
        candidates=draw(st.one_of(st.none(), st.just([{"x": 0.125}, {"x": 1.0}]))),
        initial=draw(st.sampled_from([(), [{"x": 0.25}]])),
        resolution=draw(st.floats(1e-4, 0.5)),
        model=draw(st.sampled_from(["forest", "random"])),
        treatment=draw(st.sampled_from(["sample", "mean", "drop", "ignore"])),
        tactics=draw(st.sampled_from([Tactics(), Tactics.of_the_paper(), Tactics(random_share=0.25)])),
    )


@few
@given(scenarios())
def test_all_other_settings_survive_toml(scenario: Scenario) -> None:
    again = parse_scenario(write_scenario(scenario), base=Path.cwd(), file="s.toml")
    budget, budget_again = Budget.of(scenario.budget), Budget.of(again.budget)
    assert budget_again.wall_s == pytest.approx(budget.wall_s, rel=1e-12)
    assert budget_again.cost == pytest.approx(budget.cost, rel=1e-12)
    features = again.features and {name: list(row) for name, row in again.features.items()}
    same = replace(scenario, space=again.space, budget=again.budget, ceiling=again.ceiling)
    assert again.ceiling == pytest.approx(scenario.ceiling, rel=1e-12)
    assert replace(again, features=features, target=None) == replace(same, target=None)
    assert_same_target(again.target, scenario.target)


def assert_same_target(again: CommandTarget, target: CommandTarget) -> None:
    assert again.template == target.template
    for name in ("clock", "parameters", "flags", "expected", "specifics", "cwd", "env", "keep_kb"):
        assert getattr(again, name) == getattr(target, name)
    for name in ("limit_s", "memory_mb", "grace_s"):
        assert getattr(again, name) == pytest.approx(getattr(target, name), rel=1e-12)
    assert again.answer == target.answer
