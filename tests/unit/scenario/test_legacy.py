"""Scenario files of SMAC, ParamILS, AClib and irace."""

from pathlib import Path

import pytest

from tightrope import Budget
from tightrope.errors import Fault, ScenarioError
from tightrope.records import Config, Task, Trial
from tightrope.run import IraceLine, ResultLine
from tightrope.scenario import Scenario, read_scenario
from tightrope.space import Space

ACLIB = """\
# the old way
algo = python3 wrapper.py --mem 2000   # with an argument
execdir = .
deterministic = 0
run_obj = runtime
overall_obj = mean10
cutoff_time = 300
cutoff_length = max
tunerTimeout = 86400
paramfile = solver.pcs
instance_file = train.txt
test_instance_file = test.txt
feature_file = features.csv
outdir = out
"""
SMAC = """\
algo-exec = ./solver
algo-exec-dir = .
deterministic = true
run-obj = QUALITY
target-run-cutoff-time = 60
wallclock-limit = 3600
runcount-limit = 500
pcs-file = solver.pcs
instance-file = train.txt
"""
IRACE = """\
## a scenario
parameterFile = "./parameters.txt"
execDir = "./"
trainInstancesDir = "./train"
trainInstancesFile = ""
testInstancesFile = 'test-names.txt'
targetRunner <- "./target-runner"   # a comment
maxExperiments = 5000
maxTime = 3600
boundMax = 60
boundPar = 10
minMeasurableTime = 0.05
elitist = 1
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("train/a1.cnf", "train/a2.cnf", "test/b1.cnf", "target-runner"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    files = {
        "features.csv": "name,x\ntrain/a1.cnf,1\ntrain/a2.cnf,2\n",
        "solver.pcs": "alpha [0, 1][0.5]\nmode {x, y}[x]\n",
        "parameters.txt": 'alpha "--alpha " r (0, 1)\nmode "--" c (x, y)\n',
        "train.txt": "train/a1.cnf SAT\ntrain/a2.cnf\n",
        "test.txt": "test/b1.cnf UNSAT\n",
        "test-names.txt": "test/b1.cnf\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def read(folder: Path, text: str) -> Scenario:
    (folder / "scenario.txt").write_text(text)
    return read_scenario(folder / "scenario.txt")


def faults_of(folder: Path, text: str) -> tuple[Fault, ...]:
    with pytest.raises(ScenarioError) as caught:
        read(folder, text)
    return caught.value.faults


def command(scenario: Scenario, instance: str) -> list[str]:
    trial = Trial(4, Config({"alpha": 0.5, "mode": "x"}), cap=1.5, task=Task(instance, 7))
    words: list[str] = scenario.target.command_for(trial)
    return words


def test_a_scenario_of_aclib_is_read(folder: Path) -> None:
    scenario = read(folder, ACLIB)
    assert (scenario.ceiling, scenario.par, scenario.deterministic) == (300.0, 10.0, False)
    assert scenario.budget == Budget(cost=86400.0)
    assert scenario.instances == ("train/a1.cnf", "train/a2.cnf")
    assert scenario.test == ("test/b1.cnf",)
    assert scenario.features == {"train/a1.cnf": (1.0,), "train/a2.cnf": (2.0,)}
    assert scenario.target.answer == ResultLine()
    assert scenario.target.cwd == str(folder)


def test_the_command_follows_the_convention_of_aclib(folder: Path) -> None:
    scenario = read(folder, ACLIB)
    start, end = ["python3", "wrapper.py", "--mem", "2000"], ["7", "-alpha", "0.5", "-mode", "x"]
    assert command(scenario, "train/a1.cnf") == [*start, "train/a1.cnf", "SAT", "1.5", "2147483647", *end]
    assert command(scenario, "train/a2.cnf") == [*start, "train/a2.cnf", "0", "1.5", "2147483647", *end]


def test_the_other_spellings_of_smac_are_read(folder: Path) -> None:
    scenario = read(folder, SMAC)
    assert scenario.budget == Budget(wall=3600.0, runs=500)
    assert scenario.target.answer == ResultLine(quality=True)
    assert scenario.target.limit_s == 60.0
    assert command(scenario, "train/a1.cnf")[3] == "60"
    assert scenario.deterministic


def test_paths_may_refer_to_a_folder_above(folder: Path) -> None:
    (folder / "scenarios" / "sat").mkdir(parents=True)
    (folder / "scenarios" / "sat" / "scenario.txt").write_text(ACLIB)
    scenario = read_scenario(folder / "scenarios" / "sat" / "scenario.txt")
    assert scenario.target.cwd == str(folder)
    assert scenario.instances == ("train/a1.cnf", "train/a2.cnf")


def test_the_places_where_a_parameter_file_was_looked_for_are_named(folder: Path) -> None:
    with pytest.raises(ScenarioError) as raised:
        read(folder, ACLIB.replace("solver.pcs", "target_algorithms/sat/no.pcs"))
    said = raised.value.problem
    assert said.startswith("there is no file 'target_algorithms/sat/no.pcs'; tried: ")
    for place in (folder / "target_algorithms/sat", folder.parent / "target_algorithms/sat", folder):
        assert f"{place / 'no.pcs'}" in said


def test_a_parameter_file_may_be_in_the_folder_of_execution_or_beside_the_scenario(folder: Path) -> None:
    (folder / "solver.pcs").rename(folder / "train" / "solver.pcs")
    text = SMAC.replace("exec-dir = .", "exec-dir = train").replace("instance-file = train.txt", "")
    assert len(Space.of(read(folder, text).space)) == len(Space.of(read(folder, text).space).names) > 0
    (folder / "train" / "solver.pcs").rename(folder / "solver.pcs")
    assert read(folder, ACLIB.replace("solver.pcs", "smac3-output/run_0/solver.pcs")).space is not None


def test_the_scenario_that_smac3_1_4_writes_is_read(folder: Path) -> None:
    more = (
        "multi_objectives = cost\nsave_results_instantly = True\npar_factor = 10\nalgo_runs_timelimit = inf\n"
    )
    text = SMAC.replace("runcount-limit = 500", "ta_run_limit = 20.0").replace("= 3600", "= inf") + more
    assert read(folder, text).budget == Budget(runs=20)


def test_instances_are_relative_to_the_folder_of_execution(folder: Path) -> None:
    scenario = read(folder, ACLIB.replace("execdir = .", "execdir = test"))
    assert scenario.instances == ("../train/a1.cnf", "../train/a2.cnf")
    assert scenario.target.specifics == {"../train/a1.cnf": "SAT", "b1.cnf": "UNSAT"}


def test_seeds_of_an_instance_file_are_the_only_ones(folder: Path) -> None:
    lines = [f"{seed} train/a{number}.cnf" for number in (1, 2) for seed in (5, 3)]
    (folder / "seeds.txt").write_text("\n".join(lines))
    scenario = read(folder, ACLIB.replace("instance_file = train.txt", "instance_seed_file = seeds.txt"))
    assert scenario.seeds == (3, 5)


def test_whitespace_may_replace_the_sign(folder: Path) -> None:
    text = "\n".join(line.replace(" = ", "   ") for line in ACLIB.splitlines())
    scenario = read(folder, text)
    assert (scenario.ceiling, scenario.instances) == (300.0, ("train/a1.cnf", "train/a2.cnf"))


def test_a_key_without_a_value_counts_as_not_given(folder: Path) -> None:
    assert read(folder, ACLIB.replace("features.csv", "")).features is None
    assert read(folder, IRACE.replace("maxTime = 3600", "maxTime = NA")).budget == Budget(runs=5000)


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("mean10", "median", 6, "unsupported overall objective"),
        ("runtime", "approx", 5, "'approx' is not supported"),
        ("= 300", "= soon", 7, "expected a positive number, found 'soon'"),
        ("solver.pcs", "no.pcs", 10, "there is no file"),
        ("outdir", "oudtir", 14, "'oudtir' is not supported"),
        ("execdir = .", "algo = x", 3, "duplicate key, first in line 2"),
        ("deterministic = 0", "deterministic", 4, "expected key = value"),
        ("deterministic = 0", "deterministic = no", 4, "expected 0 or 1, found 'no'"),
        ("test.txt", "train.txt", 12, "used for both training and testing: 'train/a1.cnf' and 1 more"),
    ],
)
def test_a_fault_of_aclib_names_its_line(folder: Path, old: str, new: str, line: int, problem: str) -> None:
    (fault,) = faults_of(folder, ACLIB.replace(old, new, 1))
    assert fault.line == line
    assert problem in fault.problem


@pytest.mark.parametrize("key", ["algo", "cutoff_time", "paramfile"])
def test_a_missing_key_of_aclib_is_named(folder: Path, key: str) -> None:
    text = "\n".join(line for line in ACLIB.splitlines() if not line.startswith(key))
    assert {fault.key for fault in faults_of(folder, text)} == {key}


def test_a_scenario_of_irace_is_read(folder: Path) -> None:
    scenario = read(folder, IRACE)
    assert (scenario.ceiling, scenario.par, scenario.resolution) == (60.0, 10.0, 0.05)
    assert scenario.budget == Budget(cost=3600.0, runs=5000)
    assert [Path(name).name for name in scenario.instances] == ["a1.cnf", "a2.cnf"]
    assert scenario.test == ("test/b1.cnf",)
    assert scenario.target.answer == IraceLine(cost=False)
    assert not scenario.deterministic


def test_the_command_follows_the_convention_of_irace(folder: Path) -> None:
    words = command(read(folder, IRACE), "train/a1.cnf")
    assert words == ["./target-runner", "4", "1", "7", "train/a1.cnf", "1.5", "--alpha", "0.5", "--x"]


def test_the_runner_of_irace_is_found_from_another_folder(folder: Path) -> None:
    scenario = read(folder, IRACE.replace('execDir = "./"', 'execDir = "train"'))
    assert command(scenario, "a1.cnf")[0] == "../target-runner"
    assert scenario.instances == ("a1.cnf", "a2.cnf")


def test_the_command_line_of_irace_may_be_another(folder: Path) -> None:
    line = 'targetCmdline = "run --seed={seed} {instance} {targetRunnerArgs}"\n'
    words = command(read(folder, IRACE + line), "train/a1.cnf")
    assert words == ["./target-runner", "run", "--seed=7", "train/a1.cnf", "--alpha", "0.5", "--x"]


def test_ignored_settings_of_irace_may_have_any_value(folder: Path) -> None:
    assert read(folder, IRACE + "parallel = detectCores() - 1\n").ceiling == 60.0


def test_an_initial_config_of_irace_is_the_default(folder: Path) -> None:
    (folder / "initial.txt").write_text('alpha mode\n0.25 "y"\n')
    scenario = read(folder, IRACE + 'configurationsFile = "initial.txt"\n')
    space = Space.of(scenario.space)
    assert space.decode(space.default()) == {"alpha": 0.25, "mode": "y"}


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("3600", "60 * 60", 9, "'60 * 60' is not supported"),
        ("elitist = 1", 'targetEvaluator = "./evaluate"', 13, "'targetEvaluator' is not supported"),
        ("parameters.txt", "p.txt", 2, "there is no file"),
        ('"./train"', '"./trian"', 4, "there is no folder"),
        ("boundMax = 60", "boundMax = -1", 10, "expected a positive number, found '-1'"),
    ],
)
def test_a_fault_of_irace_names_its_line(folder: Path, old: str, new: str, line: int, problem: str) -> None:
    (fault,) = faults_of(folder, IRACE.replace(old, new, 1))
    assert fault.line == line
    assert problem in fault.problem


def test_arguments_after_an_instance_of_irace_are_refused(folder: Path) -> None:
    (folder / "test-names.txt").write_text("test/b1.cnf --optimum 7\n")
    (fault,) = faults_of(folder, IRACE)
    assert (Path(fault.file).name, fault.line) == ("test-names.txt", 1)


def test_a_scenario_of_irace_without_a_bound_is_refused(folder: Path) -> None:
    (fault,) = faults_of(folder, IRACE.replace("boundMax = 60\n", ""))
    assert "boundMax" in fault.problem
    assert "TOML" in fault.hint
