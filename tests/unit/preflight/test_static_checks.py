"""Checks of a scenario that run nothing."""

import os
from pathlib import Path
from typing import Any

import pytest

from tightrope import Scenario, check
from tightrope.errors import Severity
from tightrope.preflight.report import CheckLine
from tightrope.preflight.static_checks import check_instances, check_scenario, find_files
from tightrope.run import CommandTarget

MANY = [f"{i}.txt" for i in range(20)]


def scenario_of(folder: Path, command: str = "solver {parameters} {instance}", **changes: Any) -> Scenario:
    target = CommandTarget(command, names=["x", "y"], cwd=str(folder))
    settings = {"space": {"x": (0.0, 1.0), "y": (1, 9)}, "target": target, "ceiling": 1.0, "budget": 100.0}
    return Scenario(**settings | changes)


def touch(folder: Path, names: list[str]) -> None:
    for name in names:
        (folder / name).touch()


def instances(scenario: Scenario) -> CheckLine:
    return check_instances(scenario, find_files(scenario, scenario.target))


def codes(line: CheckLine) -> list[str]:
    return [finding.code for finding in line.findings]


def test_files_that_are_there_are_fine(tmp_path: Path) -> None:
    touch(tmp_path, MANY)
    line = instances(scenario_of(tmp_path, instances=MANY[:10], test=MANY[10:]))
    assert (line.text, line.findings) == ("10 train, 10 test, no overlap", ())


def test_features_for_all_are_mentioned(tmp_path: Path) -> None:
    features = {name: [1.0] for name in MANY}
    line = instances(scenario_of(tmp_path, instances=MANY, test=["t"], features=features))
    assert line.text == "20 train, 1 test, no overlap, features for all, used as names: none is a file"


def test_missing_files_are_an_error(tmp_path: Path) -> None:
    touch(tmp_path, MANY[1:])
    line = instances(scenario_of(tmp_path, instances=MANY, test=["20.txt"]))
    assert (codes(line), line.severity) == (["C03"], Severity.ERROR)
    assert line.findings[0].message == "2 are missing: 0.txt, 20.txt"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_files_are_an_error(tmp_path: Path) -> None:
    touch(tmp_path, MANY)
    (tmp_path / MANY[0]).chmod(0)
    assert codes(instances(scenario_of(tmp_path, instances=MANY[:19], test=MANY[19:]))) == ["C03"]


def test_overlap_is_found_behind_links(tmp_path: Path) -> None:
    touch(tmp_path, MANY)
    (tmp_path / "link.txt").symlink_to(MANY[0])
    line = instances(scenario_of(tmp_path, instances=MANY, test=["link.txt"]))
    assert (codes(line), line.severity) == (["C04"], Severity.WARNING)


def test_few_instances_and_no_test_are_warnings(tmp_path: Path) -> None:
    touch(tmp_path, MANY)
    assert codes(instances(scenario_of(tmp_path, instances=MANY[:3]))) == ["C06", "C05"]


def test_names_without_files_are_fine(tmp_path: Path) -> None:
    line = instances(scenario_of(tmp_path, instances=MANY, test=["t"]))
    assert line.findings == ()


def test_target_without_instances_needs_none(tmp_path: Path) -> None:
    assert instances(scenario_of(tmp_path)).text == "none: the target runs without an instance"


def test_parameters_that_do_not_reach_the_command_are_named(tmp_path: Path) -> None:
    scenario = scenario_of(tmp_path, "solver --x={x} {instance}")
    line = check_scenario(scenario, scenario.target)
    assert (codes(line), line.severity) == (["C01"], Severity.WARNING)
    assert line.findings[0].message == "not in the command: y"


def test_command_without_any_parameter_is_an_error(tmp_path: Path) -> None:
    scenario = scenario_of(tmp_path, "solver {instance}")
    line = check_scenario(scenario, scenario.target)
    assert (codes(line), line.severity) == (["C02"], Severity.ERROR)


def test_nothing_runs_while_a_static_check_has_an_error(tmp_path: Path) -> None:
    scenario = scenario_of(tmp_path, "touch was-run {instance}")
    report = check(scenario)
    assert not report.is_ready
    assert [line.name for line in report.lines] == ["scenario", "instances", "budget"]
    assert not (tmp_path / "was-run").exists()
