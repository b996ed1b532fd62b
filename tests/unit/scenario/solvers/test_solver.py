"""Files of known solvers."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tightrope.records import Config, Task, Trial
from tightrope.scenario import parse_scenario
from tightrope.scenario.solvers.printed import FORMATS
from tightrope.scenario.solvers.solver import Printed, read_solver, solver_names, solver_of
from tightrope.scenario.toml.write_parameters import write_inline
from tightrope.space import Space

FORMULA = "p cnf 3 4\n1 2 0\n-1 3 0\n-2 -3 0\n1 -3 0\n"
SAT = {
    "cadical": "cadical",
    "clasp": "clasp",
    "cryptominisat5": "cryptominisat",
    "minisat": "minisat",
    "glucose": "glucose",
}  # and the package of Debian


@pytest.mark.parametrize("name", solver_names())
def test_every_file_can_be_read(name: str) -> None:
    solver = read_solver(name)
    assert "{parameters}" in solver.arguments
    assert "{instance}" in solver.arguments
    assert solver.endings
    assert solver.printed is None or solver.printed.format in FORMATS
    assert solver.space is None or len(Space(solver.space).names) > 5


@pytest.mark.parametrize("program", ["kissat-4.0.1", "./build/kissat"])
def test_the_beginning_of_a_name_decides(program: str) -> None:
    assert solver_of(Path(program).name) == "kissat"


def test_an_unknown_program_is_no_known_solver() -> None:
    assert solver_of("mysolver") is None


def test_a_range_in_the_file_is_narrower_than_the_printed_one() -> None:
    printed = Printed(("--range",), "kissat", ranges={"decay": [10, 90], "tier1": [5, 9]})
    options = printed.options("decay 1 50 200\ntier1 1 2 100\n")
    assert (options["decay"].lower, options["decay"].upper) == (10, 90)
    assert options["tier1"].lower == 1  # the range would leave out the default


@pytest.mark.parametrize("name", SAT)
def test_the_installed_solver_accepts_its_parameters(name: str, tmp_path: Path) -> None:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed; it is Debian's package {SAT[name]}")
    solver = read_solver(name)
    configspace = solver.space
    if solver.printed is not None:
        ended = subprocess.run([path, *solver.printed.arguments], capture_output=True, text=True)
        configspace = solver.printed.space(solver.printed.options(ended.stdout + ended.stderr))
    assert configspace is not None
    assert len(configspace) >= 13
    instance = tmp_path / "formula.cnf"
    instance.write_text(FORMULA)
    keys = {"style": solver.style, "flags": solver.flags}
    lines = [f'{key} = "{value}"' for key, value in keys.items() if value]
    lines += [f'command = "{path} {solver.arguments}"', f"answer = {solver.answer}", "ceiling = 10"]
    text = "\n".join([*lines, 'budget = "10s"', 'instances = ["x"]', *write_inline(configspace)])
    target = parse_scenario(text).target
    configspace.seed(1)
    configs = [configspace.get_default_configuration(), *configspace.sample_configuration(8)]
    for config in configs:
        command = target.command_for(Trial(0, Config(config), 10.0, Task(str(instance), 1)))
        ended = subprocess.run(command, capture_output=True, text=True, timeout=20)
        assert ended.returncode in (10, 30), (command, ended.stdout, ended.stderr)
