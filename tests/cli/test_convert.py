"""The verb convert, in a new folder."""

import json
from pathlib import Path

import pytest

from tightrope.cli.main import Exit, run
from tightrope.scenario import read_scenario
from tightrope.space import Space

PCS = """\
restarts categorical {luby, fixed} [luby]
interval integer [1, 1000] [100] log

# Conditions:
interval | restarts in {fixed}
"""
FORMATS = ["toml", "pcs", "pcs-new", "irace", "configspace"]
SUFFIXES = {"toml": "toml", "pcs": "pcs", "pcs-new": "pcs", "irace": "txt", "configspace": "json"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("solver.pcs").write_text(PCS)
    return tmp_path


@pytest.mark.parametrize("between", FORMATS)
def test_parameters_come_back_from_every_format(between: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = f"out.{SUFFIXES[between]}"
    assert run(["convert", "solver.pcs", "--to", between, "-o", out]) == Exit.DONE
    capsys.readouterr()
    assert run(["convert", out, "--to", "pcs-new"]) == Exit.DONE
    written = capsys.readouterr().out
    assert written == (PCS.replace("[100]", "[32]") if between == "irace" else PCS)  # which holds no defaults


def test_what_is_written_to_stdout_is_nothing_but_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    run(["convert", "solver.pcs", "--to", "configspace"])
    assert len(json.loads(capsys.readouterr().out)["hyperparameters"]) == 2


def test_a_scenario_becomes_a_scenario_for_its_new_folder(capsys: pytest.CaptureFixture[str]) -> None:
    Path("inst").mkdir()
    Path("new").mkdir()
    for name in "ab":
        Path("inst", name).touch()
    Path("train.txt").write_text("inst/a\ninst/b\n")
    lines = ["algo = ./solver", "paramfile = solver.pcs", "cutoff = 9", "wallclock-limit = 60"]
    Path("scenario.txt").write_text("\n".join([*lines, "instance_file = train.txt"]))
    assert run(["convert", "scenario.txt", "-o", "new/scenario.toml"]) == Exit.DONE
    assert capsys.readouterr().out == "wrote new/scenario.toml\nnext: tightrope check new/scenario.toml\n"
    old, new = read_scenario("scenario.txt"), read_scenario("new/scenario.toml")
    assert new.instances == old.instances == ("inst/a", "inst/b")
    assert new.target.cwd == old.target.cwd
    assert Space.of(new.space).configspace == Space.of(old.space).configspace


def test_a_file_is_not_overwritten_without_force(capsys: pytest.CaptureFixture[str]) -> None:
    Path("out.txt").write_text("precious")
    assert run(["convert", "solver.pcs", "-o", "out.txt"]) == Exit.USAGE
    assert Path("out.txt").read_text() == "precious"
    assert "add --force" in capsys.readouterr().err
    assert run(["convert", "solver.pcs", "-o", "out.txt", "--force"]) == Exit.DONE
    assert Path("out.txt").read_text() != "precious"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("restarts {luby}[x]\n", "bad.pcs:1:17: 'restarts'"),
        ("a ordinal {x, y} [x]\n", "the old dialect supports only unordered choices"),
    ],
)
def test_what_cannot_be_converted_is_a_message(
    text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.pcs").write_text(text)
    assert run(["convert", "bad.pcs", "--to", "pcs"]) == Exit.USAGE
    assert said in capsys.readouterr().err


def test_a_missing_file_is_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "no.pcs"]) == Exit.USAGE
    assert "no.pcs: there is no such file" in capsys.readouterr().err


def test_json_holds_the_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "solver.pcs"
    file.write_text("mode {a, b}[a]\n")
    assert run(["convert", str(file), "--to", "irace", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["format"] == "irace"
    assert 'mode "' in told["text"]


SCENARIO = """\
command = "./solver {parameters}"
ceiling = "9s"
budget = "1h"
STYLE

[params]
n = { type = "integer", range = [1, 9] }
on = { type = "boolean" }
"""


@pytest.mark.parametrize(
    ("style", "switches"),
    [
        ("", ["--n=", "--on="]),
        ('style = "-{name} {value}"', ["-n ", "-on "]),
        ('style = { n = "-p {value}", on = "{value}" }', ["-p ", ""]),
    ],
)
def test_irace_writes_parameters_as_the_scenario_does(
    style: str, switches: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("s.toml").write_text(SCENARIO.replace("STYLE", style))
    assert run(["convert", "s.toml", "--to", "irace"]) == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert [line.split('"')[1] for line in lines[:2]] == switches


@pytest.mark.parametrize(
    ("style", "said"),
    [
        ('flags = "--{name}/--no-{name}"', "'on': irace files cannot write flags"),
        ('style = "--{name}={value};"', "'n': irace files cannot write the style '--{name}={value};'"),
        ("style = \"-c 'set {name} {value}'\"", "'n': irace files cannot write the style"),
    ],
)
def test_a_style_that_irace_cannot_write_is_refused(
    style: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("s.toml").write_text(SCENARIO.replace("STYLE", style))
    assert run(["convert", "s.toml", "--to", "irace", "-o", "out.txt"]) == Exit.USAGE
    assert said in capsys.readouterr().err
    assert not Path("out.txt").exists()


def test_switches_of_irace_and_the_form_of_smac_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    Path("p.txt").write_text('n "-p" i (1, 9)\n')
    Path("s.toml").write_text(SCENARIO.partition("STYLE")[0] + 'params = "p.txt"\n')
    assert run(["convert", "s.toml", "--to", "irace"]) == Exit.DONE
    assert capsys.readouterr().out == 'n "-p" i (1, 9)\n'
    lines = ["algo = ./solver", "paramfile = solver.pcs", "cutoff = 9", "wallclock-limit = 60"]
    Path("scenario.txt").write_text("\n".join(lines))
    assert run(["convert", "scenario.txt", "--to", "irace"]) == Exit.DONE
    assert 'restarts "-restarts " c' in capsys.readouterr().out
