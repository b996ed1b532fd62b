"""The verb merge."""

import json
import shutil
from pathlib import Path

import pytest

from tightrope.budget import Budget
from tightrope.cli.main import Exit, run
from tightrope.cli.runs.folder import RunFolder
from tightrope.store import JournalReader

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def two(tuned: Path) -> list[str]:
    """Return the run folders of two tunings of the same scenario."""
    assert run(["tune", "-q", "--workers", "1", "--seed", "7", "--out", "runs/two"]) == 0
    return [str(tuned), "runs/two"]


def best_of(folder: str, capsys: Capture) -> dict[str, object]:
    capsys.readouterr()
    assert run(["best", folder, "--format", "json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def pairs_in(folder: str) -> list[tuple[object, object]]:
    with JournalReader(Path(folder) / "tuning.journal") as reader:
        return [(run.trial.config, run.trial.task) for run in reader.history()]


def test_the_result_is_one_of_the_best_configs_on_all_instances(two: list[str], capsys: Capture) -> None:
    candidates = [best_of(folder, capsys) for folder in two]
    assert run(["merge", *two, "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("merging 2 tunings: 2 best configs, ")
    assert "Stopped because every config has been tried." in out.replace("\n", " ")
    assert out.splitlines()[-1] == "next:  tightrope validate runs/merged"
    assert best_of("runs/merged", capsys) in candidates
    assert run(["status", "runs/merged"]) == 0
    assert "incumbent on 6 of 6 instances" in capsys.readouterr().out


def test_known_runs_are_not_repeated(two: list[str]) -> None:
    assert run(["merge", *two, "-q"]) == 0
    merged = pairs_in("runs/merged")
    known = {pair for folder in two for pair in pairs_in(folder)}
    assert len(merged) == len(set(merged))
    assert known & set(merged)
    assert len(set(merged) - known) < len(merged)


def test_the_cheaper_config_wins(two: list[str], capsys: Capture) -> None:
    """The cost is smallest at x = 0.3."""
    xs = [float(str(best_of(folder, capsys)["x"])) for folder in two]
    assert run(["merge", *two, "-q"]) == 0
    assert float(str(best_of("runs/merged", capsys)["x"])) == min(xs, key=lambda x: abs(x - 0.3))


def test_a_budget_counts_new_runs_only(two: list[str], capsys: Capture) -> None:
    assert run(["merge", *two, "--budget", "1 runs", "--out", "here"]) == 0
    out = capsys.readouterr().out
    reused = int(out.partition(" best configs, ")[2].split()[0])
    assert Budget.of(RunFolder.open(Path("here")).scenario().budget).runs == reused + 1
    assert len(pairs_in("here")) <= reused + 1


def test_a_merge_that_was_stopped_by_its_budget_can_be_resumed(two: list[str], capsys: Capture) -> None:
    assert run(["merge", *two, "-q", "--budget", "1 runs"]) == 0
    assert run(["resume", "runs/merged", "--budget", "+50 runs"]) == 0
    assert "every config has been tried" in capsys.readouterr().out.replace("\n", " ")


def test_the_same_tuning_twice_has_nothing_to_decide_but_its_missing_tasks(
    tuned: Path, capsys: Capture
) -> None:
    shutil.copytree(tuned, "runs/copy")
    best = best_of(str(tuned), capsys)
    assert run(["merge", str(tuned), "runs/copy"]) == 0
    assert "merging 2 tunings: 1 best config, " in capsys.readouterr().out
    assert best_of("runs/merged", capsys) == best


def test_merging_a_merge_ends_at_once_with_the_usual_sentence(two: list[str], capsys: Capture) -> None:
    assert run(["merge", *two, "-q"]) == 0
    assert run(["merge", "runs/merged", two[0], "--out", "runs/all"]) == 0
    assert "less than the default" in capsys.readouterr().out


def test_another_scenario_is_refused_and_named(two: list[str], capsys: Capture) -> None:
    text = Path("scenario.toml").read_text().replace("= 500", "= 400")
    Path("scenario.toml").write_text(text)
    assert run(["tune", "-q", "--workers", "1", "--out", "runs/other"]) == 0
    assert run(["merge", *two, "runs/other"]) == Exit.USAGE
    error = capsys.readouterr().err
    assert "runs/other tuned another scenario than runs/solver; different: ceiling (was 500.0" in error
    assert not Path("runs/merged").exists()


def test_another_slack_is_no_hindrance(tuned: Path) -> None:
    assert run(["tune", "-q", "--workers", "1", "--slack", "2", "--out", "runs/two"]) == 0
    assert run(["merge", "-q", str(tuned), "runs/two"]) == 0


@pytest.mark.parametrize("folders", [[], ["runs/solver"], ["runs/solver", "./runs/solver"]])
def test_fewer_than_two_folders_are_refused(tuned: Path, folders: list[str], capsys: Capture) -> None:
    assert run(["merge", *folders]) == Exit.USAGE
    assert "a merge needs at least two run folders" in capsys.readouterr().err


def test_a_folder_that_is_none_is_named(tuned: Path, capsys: Capture) -> None:
    assert run(["merge", str(tuned), "runs/none"]) == Exit.USAGE
    assert "there is no folder runs/none" in capsys.readouterr().err


def test_a_used_folder_is_not_overwritten(two: list[str], capsys: Capture) -> None:
    assert run(["merge", *two, "--out", two[0]]) == Exit.USAGE
    assert "already holds a tuning" in capsys.readouterr().err
