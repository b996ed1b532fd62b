"""The verb init: what it detects, and that its scenario can be read."""

import json
from pathlib import Path

import pytest
from ConfigSpace import ConfigurationSpace

from tightrope.cli.init.detect import Detected, Instances, Program, detect
from tightrope.cli.init.draft import draft
from tightrope.cli.main import Exit, run
from tightrope.errors import ScenarioError
from tightrope.records import Config, Task, Trial
from tightrope.run import CommandTarget
from tightrope.scenario import parse_scenario, read_scenario, write_pcs
from tightrope.scenario.solvers.solver import read_solver, solver_names

PCS = """
alpha real [0.0, 1.0] [0.5]
mode categorical {a, b} [a]
depth integer [1, 9] [3]
depth | mode in {a}
"""
IRACE = 'alpha "--alpha=" r (0.0, 1.0)\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an empty working directory with no solver on the PATH."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    return tmp_path


def write(name: str, text: str = "", *, is_program: bool = False) -> None:
    file = Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    if is_program:
        file.chmod(0o755)


def write_instances(folder: str, ending: str = ".cnf", n: int = 4) -> None:
    for number in range(n):
        write(f"{folder}/{number}{ending}")


def test_empty_folder_gives_an_example_and_the_lines_to_edit(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init"]) == Exit.DONE
    edits = "`command` in line 2, `instances` in line 4 and `[params]` in line 8"
    assert capsys.readouterr().out.endswith(f"next: set {edits}, then  tightrope check\n")
    lines = Path("scenario.toml").read_text().splitlines()
    assert lines[1].startswith("command")
    assert lines[3].startswith("instances")
    assert lines[7].startswith("[params]")


def test_example_of_parameters_is_right_once_its_comments_are_removed() -> None:
    write_instances("train")
    write_instances("test")
    text = draft(Detected()).text
    scenario = parse_scenario(text.replace("\n# ", "\n"))
    assert list(scenario.space.names) == ["alpha", "restart", "base"]


def test_everything_in_the_folder_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    write("solver", "#!/bin/sh\n", is_program=True)
    write("solver.pcs", PCS)
    write_instances("train")
    write_instances("test", n=3)
    write("features.csv", "instance,size\n" + "".join(f"train/{i}.cnf,{i}\n" for i in range(4)))
    assert run(["init"]) == Exit.DONE
    scenario = read_scenario("scenario.toml")
    assert (len(scenario.instances), len(scenario.test)) == (4, 3)
    assert scenario.features is not None
    assert scenario.target.command == "./solver --seed {seed} {parameters} {instance}"
    printed = capsys.readouterr().out
    assert "found parameters in solver.pcs: 3, 1 conditional" in printed
    assert "next: set `command` in line 2, then  tightrope check" in printed


def test_single_folder_of_instances_is_split() -> None:
    write("parameters.txt", IRACE)
    write_instances("data/small", ending=".cnf.gz", n=6)
    write_instances("data/odd", n=3)
    run(["init"])
    scenario = read_scenario("scenario.toml")
    assert (len(scenario.instances), len(scenario.test)) == (3, 3)


def test_an_existing_scenario_is_not_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    write("scenario.toml", "mine")
    assert run(["init"]) == Exit.USAGE
    assert Path("scenario.toml").read_text() == "mine"
    assert "tightrope init --force" in capsys.readouterr().err


def test_force_writes_over_it() -> None:
    write("scenario.toml", "mine")
    assert run(["init", "--force"]) == Exit.DONE
    assert "command" in Path("scenario.toml").read_text()


def test_parameters_may_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    write("other/this.pcs", PCS)
    write("that.pcs", PCS)
    run(["init", "--from", "other/this.pcs"])
    assert 'params    = "other/this.pcs"' in Path("scenario.toml").read_text()


def test_scenario_of_other_tools_is_converted() -> None:
    write("solver.pcs", PCS)
    write_instances("train")
    write("train.txt", "".join(f"train/{i}.cnf\n" for i in range(4)))
    write(
        "scenario.txt",
        "algo = ./solver\nparamfile = solver.pcs\ninstance_file = train.txt\ncutoff_time = 30\n"
        "run_obj = runtime\noverall_obj = mean\ntunerTimeout = 600\n",
    )
    assert run(["init", "--from", "scenario.txt"]) == Exit.DONE
    assert read_scenario("scenario.toml").ceiling == 30.0


def test_parameters_that_cannot_be_read_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    write("broken.pcs", "alpha real [")
    run(["init"])
    assert "broken.pcs: cannot be read yet" in capsys.readouterr().out


def test_other_candidates_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    write("a.pcs", PCS)
    write("b.pcs", PCS)
    run(["init"])
    assert "(also found: b.pcs)" in capsys.readouterr().out


def test_programs_get_json(capsys: pytest.CaptureFixture[str]) -> None:
    run(["init", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["wrote"], told["edit"]["command"]) == ("scenario.toml", 2)


def test_known_solver_is_preferred_and_called_as_it_likes() -> None:
    write("build/aaa", is_program=True)
    write("build/cadical", is_program=True)
    found = detect(Path())
    assert found.program == Program("./build/cadical", "cadical")
    assert found.other_programs == ("./build/aaa",)


def test_installed_solver_is_taken_if_it_fits_the_instances(monkeypatch: pytest.MonkeyPatch) -> None:
    write("tools/minisat", is_program=True)
    write("tools/cbc", is_program=True)
    write_instances("tests/easy")
    monkeypatch.setenv("PATH", str(Path("tools").absolute()))
    assert detect(Path()).program == Program("minisat", "minisat")


def test_files_of_a_program_are_no_instances() -> None:
    write_instances("src", ending=".c", n=9)
    assert detect(Path()).instances is None


@pytest.mark.parametrize("name", solver_names())
def test_scenario_of_each_known_solver_can_be_read(name: str) -> None:
    write("params.pcs", PCS)
    write_instances("train")
    found = Detected(
        Program(f"./{name}", name), parameters="params.pcs", instances=Instances("train/*.cnf", 4)
    )
    written = draft(found)
    assert written.to_edit == ()
    target = parse_scenario(written.text).target
    assert target.command.startswith(f"./{name} ")


def test_kissat_tells_its_own_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    told = "decay 1 50 200\\nstable 0 1 2\\nwalkeffort 0 50 1000000\\nverbose 0 0 3\\n"
    write("kissat", f"#!/bin/sh\nprintf '{told}'\n", is_program=True)
    write_instances("train")
    run(["init"])
    assert "wrote kissat.pcs: 3 of the 4 options" in capsys.readouterr().out
    space = read_scenario("scenario.toml").space.configspace
    assert list(space) == ["decay", "stable", "walkeffort"]
    assert space["walkeffort"].upper == 5000


def test_a_kissat_without_ranges_is_no_obstacle(capsys: pytest.CaptureFixture[str]) -> None:
    write("kissat", "#!/bin/sh\nexit 1\n", is_program=True)
    assert run(["init"]) == Exit.DONE
    assert "no known parameters in the output of ./kissat --range" in capsys.readouterr().out
    with pytest.raises(ScenarioError):
        read_scenario("scenario.toml")


def test_what_a_kissat_prints_may_be_anything(capsys: pytest.CaptureFixture[str]) -> None:
    write("kissat", "#!/bin/sh\nprintf 'decay 1 50 200\\n\\377\\033[8m\\n'\n", is_program=True)
    assert run(["init"]) == 0
    assert "wrote kissat.pcs: 1 of the 1 options" in capsys.readouterr().out


def test_the_help_says_which_programs_are_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init", "--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "init runs it with --range or --help to read them. It runs no other program." in said


def kissat_space(text: str) -> ConfigurationSpace:
    printed = read_solver("kissat").printed
    return printed.space(printed.options(text))


def test_ranges_over_magnitudes_are_drawn_by_magnitude() -> None:
    space = kissat_space("decay 1 50 200\ntier2 1 6 1000\nreducelow 0 500 1000")
    assert [space[name].log for name in ("decay", "tier2", "reducelow")] == [True, True, False]


def test_a_range_from_0_far_beyond_the_default_is_drawn_by_magnitude_from_1() -> None:
    space = kissat_space("eliminatebound 0 16 8192\nwalkeffort 0 50 1000000\nrestartmargin 0 10 25")
    bounds = {name: (space[name].lower, space[name].upper, space[name].log) for name in space}
    assert bounds == {
        "eliminatebound": (1, 1600, True),
        "walkeffort": (1, 5000, True),
        "restartmargin": (0, 25, False),
    }


def test_the_bound_of_eliminations_is_in_use_only_where_there_are_any() -> None:
    space = kissat_space("eliminate 0 1 1\neliminatebound 0 16 8192")
    assert "eliminatebound | eliminate == 1" in write_pcs(space).splitlines()


def test_an_option_depends_on_the_longest_switch_that_begins_its_name() -> None:
    printed = "bump 0 1 1\nbumpreasons 0 1 1\nbumpreasonslimit 1 10 100\nreorder 0 2 2\nreorderint 1 10 100"
    written = write_pcs(kissat_space(printed)).splitlines()
    assert "bumpreasonslimit | bumpreasons == 1" in written
    assert "bumpreasons | bump == 1" in written
    assert any(line.startswith("reorderint | reorder") and "0" in line for line in written)


def test_options_with_like_names_may_be_independent() -> None:
    printed = "phase 0 1 1\nphasesaving 0 1 1\ntier1 1 2 100\ntier1relative 0 500 1000\nseed 0 0 9"
    space = kissat_space(printed)
    assert sorted(space) == ["phase", "phasesaving", "tier1", "tier1relative"]
    assert not space.conditions


@pytest.mark.parametrize("name", ["my solver.sh", "it's.sh", "{x}.sh"])
def test_a_program_with_an_odd_name_is_one_word_of_the_command(name: str) -> None:
    write(name, "#!/bin/sh\n", is_program=True)
    write("solver.pcs", PCS)
    for number in range(4):
        write(f"train/{number}.cnf")
    assert run(["init"]) == 0
    target = read_scenario("scenario.toml").target
    assert isinstance(target, CommandTarget)
    trial = Trial(0, Config({"alpha": 0.5, "mode": "a", "depth": 3}), 1.0, Task("i", 0))
    assert target.command_for(trial)[0] == f"./{name}"


def test_a_named_solver_brings_its_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    write_instances("train")
    assert run(["init", "--solver", "clasp"]) == Exit.DONE
    assert "found known parameters of clasp: 13" in capsys.readouterr().out
    assert "heuristic" in read_scenario("scenario.toml").space.names


def test_flags_that_a_solver_prints_are_written_into_the_scenario() -> None:
    write("minisat", "#!/bin/sh\necho '  -luby, -no-luby   (default: on)'\n", is_program=True)
    write_instances("train")
    assert run(["init"]) == Exit.DONE
    scenario = read_scenario("scenario.toml")
    command = scenario.target.command_for(Trial(0, Config({"luby": False}), 1.0, Task("train/0.cnf", 1)))
    assert command[-2:] == ["-no-luby", "train/0.cnf"]


def test_an_unknown_solver_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init", "--solver", "nosuch"]) == Exit.USAGE
    assert "cadical, cbc, clasp" in capsys.readouterr().err
