"""The verb check."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tightrope.cli.main import Exit, run

TARGET = Path(__file__).parents[1] / "targets" / "candidate.py"
SECONDS = "0.02"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a folder with instances."""
    monkeypatch.chdir(tmp_path)
    for name in ("train/a.txt", "train/b.txt", "test/c.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(SECONDS)
    return tmp_path


def write_scenario(behaviour: str = "solve", *, command: str = "", **changes: str) -> None:
    """Write scenario.toml; values are TOML."""
    called = command or f"{sys.executable} -SE {TARGET} {behaviour} {{parameters}} {{instance}}"
    keys = {
        "command": json.dumps(called),
        "instances": '{ train = "train/*.txt", test = "test/*.txt" }',
        "params": '{ x = { type = "real", range = [0.0, 1.0], default = 0.5 } }',
        "ceiling": '"10s"',
        "budget": '"1h"',
    }
    lines = [f"{key} = {value}" for key, value in (keys | changes).items()]
    Path("scenario.toml").write_text("\n".join(lines))


def check(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """Run the check; return its exit code, and its lines by name."""
    code = run(["check", "--json", *options])
    printed = json.loads(capsys.readouterr().out)
    return code, {line["name"]: line for line in printed["lines"]}


def codes(line: dict[str, Any]) -> set[str]:
    return {finding["code"] for finding in line["findings"]}


def test_sound_scenario_is_ready(capsys: pytest.CaptureFixture[str]) -> None:
    write_scenario()
    code, lines = check(capsys)
    assert code == Exit.DONE
    assert list(lines) == [
        "scenario", "instances", "default", "repeatable", "kill", "timing", "parameters",
        "groups", "budget",
    ]  # fmt: skip
    assert {name for name, line in lines.items() if line["state"] == "error"} == set()
    assert lines["default"]["text"].startswith("solved train/")
    assert lines["kill"]["text"].endswith("no children left")


def test_lines_are_text_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    write_scenario()
    assert run(["check", "--fast"]) == Exit.DONE
    printed = capsys.readouterr().out
    assert "1 parameter, default is legal" in printed
    assert printed.endswith("next:  tightrope tune\n")


def test_fast_check_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    write_scenario(command="touch was-run {parameters} {instance}")
    _, lines = check(capsys, "--fast")
    assert list(lines) == ["scenario", "instances", "budget"]
    assert not Path("was-run").exists()


def test_a_missing_program_is_reported_with_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    write_scenario(command="./no-such-solver {parameters} {instance}")
    code, lines = check(capsys)
    assert code == Exit.REFUSED
    assert codes(lines["default"]) == {"C07"}
    assert "No such file" in lines["default"]["findings"][0]["message"]
    assert lines["default"]["details"].startswith("$ ./no-such-solver --x=0.5 train/")


def test_a_program_without_permission_gets_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    Path("solver").write_text("#!/bin/sh\n")
    write_scenario(command="./solver {parameters} {instance}")
    _, lines = check(capsys)
    assert "chmod +x" in lines["default"]["findings"][0]["hint"]


def test_garbage_where_an_answer_should_be_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    write_scenario("garbage", answer='"json"', time_limit='"10s"', ceiling="10")
    code, lines = check(capsys)
    assert code == Exit.REFUSED
    assert "not a JSON object" in lines["default"]["findings"][0]["message"]
    assert "lorem ipsum" in lines["default"]["details"]


def test_sat_solver_without_its_answer_is_recognised(capsys: pytest.CaptureFixture[str]) -> None:
    write_scenario("sat")
    _, lines = check(capsys)
    assert 'answer = "sat"' in lines["default"]["findings"][0]["hint"]


def test_wrong_answer_is_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    expected = '{ "train/a.txt" = "UNSAT", "train/b.txt" = "UNSAT", "test/c.txt" = "UNSAT" }'
    write_scenario("sat", answer='"sat"', expected=expected)
    code, lines = check(capsys)
    assert code == Exit.REFUSED
    assert "wrong answer: SAT" in lines["default"]["findings"][0]["message"]


def test_deaf_program_with_a_child_is_killed_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    write_scenario("deaf")
    code, lines = check(capsys)
    assert code == Exit.DONE
    assert lines["kill"]["state"] == "fine"


def test_a_child_left_behind_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    write_scenario("leave")
    _, lines = check(capsys)
    assert "T02" in codes(lines["default"])


def test_a_program_with_changing_answers_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    write_scenario("moody", answer='"sat"')
    code, lines = check(capsys)
    assert code == Exit.REFUSED
    assert codes(lines["repeatable"]) == {"C09"}


def test_configs_that_crash_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    write_scenario("picky")
    code, lines = check(capsys)
    assert code == Exit.REFUSED
    assert codes(lines["parameters"]) == {"C15"}
    assert "x is wrong" in lines["parameters"]["details"]


def test_configs_that_disagree_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    write_scenario("liar", answer='"sat"')
    code, lines = check(capsys)
    assert code == Exit.REFUSED
    assert codes(lines["parameters"]) == {"C20"}


def test_success_without_an_instance_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    write_scenario("careless")
    _, lines = check(capsys)
    assert "C14" in codes(lines["timing"])


def test_sleeper_does_not_outlast_the_check(capsys: pytest.CaptureFixture[str]) -> None:
    write_scenario("sleep")
    code, lines = check(capsys, "--within", "2s")
    assert code == Exit.DONE
    assert codes(lines["default"]) == {"C08"}
    assert list(lines) == ["scenario", "instances", "default", "kill", "budget"]
    assert lines["kill"]["state"] == "fine"


def test_running_out_of_time_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    write_scenario()
    Path("train/a.txt").write_text("0.3")
    Path("train/b.txt").write_text("0.3")
    _, lines = check(capsys, "--within", "900ms")
    found = {code for line in lines.values() for code in codes(line)}
    assert found & {"C08", "C16"}


def test_broken_link_among_the_instances_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    write_scenario(instances='{ train = ["train/a.txt", "train/gone.txt"], test = "test/*.txt" }')
    Path("train/gone.txt").symlink_to("nowhere")
    code = run(["check", "--json"])
    printed = capsys.readouterr()
    assert code in (Exit.REFUSED, Exit.USAGE)
    assert "train/gone.txt" in printed.out + printed.err


def test_printed_cost_is_checked_too(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["sh", "-c", "echo 7", "sh", "{parameters}", "{instance}"]
    write_scenario(command="x", answer='"irace"', time_limit='"10s"', ceiling="10")
    text = Path("scenario.toml").read_text().replace('"x"', json.dumps(command), 1)
    Path("scenario.toml").write_text(text)
    code, lines = check(capsys)
    assert code == Exit.DONE
    assert "at cost 7" in lines["default"]["text"]


def test_scenario_that_is_not_there_says_how_to_get_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check"]) == Exit.USAGE
    assert "tightrope init" in capsys.readouterr().err


def test_duration_that_makes_no_sense_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--within", "soon"]) == Exit.USAGE
    assert "write it like '90s'" in capsys.readouterr().err


def test_plain_marks_are_used_where_others_cannot_be_shown() -> None:
    from io import BytesIO, TextIOWrapper

    from rich.console import Console

    from tightrope.cli.check import marks_for
    from tightrope.cli.terminal.console import Terminal

    narrow = Console(file=TextIOWrapper(BytesIO(), encoding="ascii"))
    wide = Console(file=TextIOWrapper(BytesIO(), encoding="utf-8"))
    assert marks_for(Terminal(False, False, False, narrow)).fine == "ok"
    assert marks_for(Terminal(False, False, False, wide)).fine == "✓"


def test_a_missing_scenario_leads_back_to_the_verb_that_was_called(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for verb in ("check", "tune"):
        assert run([verb, "nosuch.toml"]) == Exit.USAGE
        assert f"give the path of yours:  tightrope {verb} SCENARIO" in capsys.readouterr().err


def test_the_values_of_environment_variables_are_not_shown(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path("scenario.toml")
    file.write_text(file.read_text() + '\n[env]\nBROKEN = "secret"\n')
    assert run(["check"]) == Exit.REFUSED
    shown = capsys.readouterr().out
    assert 'BROKEN="$BROKEN" sh cost.sh' in shown
    assert "secret" not in shown
