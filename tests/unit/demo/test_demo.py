"""The demo's instances: their encoding is right, and they are unsatisfiable."""

import subprocess
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tightrope.demo.circuit import Circuit, Gate, draw_circuit
from tightrope.demo.folder import write_folder, write_instances
from tightrope.demo.formula import Formula, difference
from tightrope.demo.instance import Size, draw_instance, write_instance
from tightrope.demo.kissat import find_kissat
from tightrope.demo.restructuring import restructure
from tightrope.errors import UsageError

TINY = Size(n_latches=2, n_inputs=1, n_gates=3, n_frames=1)
SMALL = Size(n_latches=8, n_inputs=3, n_gates=9, n_frames=3)
UNSATISFIABLE, SATISFIABLE = 20, 10  # exit codes of SAT solvers


def circuit_of(seed: int, size: Size = TINY) -> Circuit:
    return draw_circuit(Random(seed), n_latches=size.n_latches, n_inputs=size.n_inputs, n_gates=size.n_gates)


def states_and_inputs(size: Size) -> list[tuple[tuple[bool, ...], tuple[bool, ...]]]:
    values = product((False, True), repeat=size.n_latches + size.n_inputs)
    return [(each[: size.n_latches], each[size.n_latches :]) for each in values]


def count_models(formula: Formula) -> int:
    """Try all assignments."""
    numbers = np.arange(1 << formula.n_variables)
    holds = np.ones(len(numbers), dtype=bool)
    for clause in formula.clauses:
        literals = [(numbers >> (abs(literal) - 1) & 1) == (literal > 0) for literal in clause]
        holds &= np.any(literals, axis=0)
    return int(holds.sum())


def solve(text: str, folder: Path) -> int:
    file = folder / "formula.cnf"
    file.write_text(text, encoding="utf-8")
    return subprocess.run([find_kissat(), "-q", "-n", file], check=False).returncode


@pytest.mark.parametrize(
    ("operation", "reads", "true_for"),
    [
        ("and", (1, 2, 3), {(1, 1, 1)}),
        ("and", (1, -2, 3), {(1, 0, 1)}),
        ("xor", (1, 2, 3), {(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)}),
        ("mux", (1, 2, 3), {(1, 1, 0), (1, 1, 1), (0, 0, 1), (0, 1, 1)}),
    ],
)
def test_a_gate_does_what_its_name_says(operation, reads, true_for):
    circuit = Circuit(n_latches=1, n_inputs=2, gates=(Gate(operation, reads),), following=(4,))
    found = {
        (*state, *inputs)
        for state, inputs in states_and_inputs(Size(n_latches=1, n_inputs=2))
        if circuit.step(state, inputs) == [True]
    }
    assert found == true_for


@pytest.mark.parametrize("seed", range(20))
def test_a_restructured_circuit_does_the_same(seed):
    size = Size(n_latches=4, n_inputs=2, n_gates=8)
    one = circuit_of(seed, size)
    other = restructure(one, Random(seed))
    assert one.gates != other.gates
    assert all(one.step(*each) == other.step(*each) for each in states_and_inputs(size))


@pytest.mark.parametrize("seed", range(10))
def test_a_formula_has_a_model_for_each_way_in_which_circuits_differ(seed):
    one, other = circuit_of(seed), circuit_of(seed + 100)
    # What gates hold is settled by latches and inputs, so that every way is one model.
    n_ways = sum(one.step(*each) != other.step(*each) for each in states_and_inputs(TINY))
    assert count_models(difference(one, other, n_frames=1)) == n_ways


@pytest.mark.parametrize("seed", range(10))
def test_a_tiny_instance_has_no_model(seed):
    formula = draw_instance(seed, TINY)
    assert formula.n_variables <= 24
    assert count_models(formula) == 0


@pytest.mark.parametrize("seed", range(5))
def test_the_solver_refutes_small_instances(seed, tmp_path):
    assert solve(write_instance(seed, SMALL), tmp_path) == UNSATISFIABLE


def test_the_solver_finds_a_difference_between_unequal_circuits_over_several_steps(tmp_path):
    formula = difference(circuit_of(1, SMALL), circuit_of(2, SMALL), n_frames=3)
    assert solve(formula.dimacs(), tmp_path) == SATISFIABLE


def test_an_instance_is_proper_dimacs():
    formula = draw_instance(3, SMALL)
    lines = formula.dimacs(comment="two\nlines").splitlines()
    assert lines[:3] == ["c two", "c lines", f"p cnf {formula.n_variables} {len(formula.clauses)}"]
    clauses = [tuple(map(int, line.split())) for line in lines[3:]]
    assert [clause[:-1] for clause in clauses] == formula.clauses
    assert {clause[-1] for clause in clauses} == {0}
    assert all(1 <= abs(literal) <= formula.n_variables for clause in formula.clauses for literal in clause)


def test_a_seed_gives_the_same_instance_again_and_another_seed_another_one():
    assert write_instance(5) == write_instance(5)
    assert draw_instance(5).clauses != draw_instance(6).clauses


def test_training_and_test_instances_are_different_and_have_answers(tmp_path):
    write_instances(tmp_path, 3, size=TINY)
    files = sorted(tmp_path.glob("t*/*.cnf"))
    assert len({file.read_text().partition("p cnf")[2] for file in files}) == 6
    answers = (tmp_path / "answers.csv").read_text().splitlines()[1:]
    assert sorted(answers) == [f"{file.relative_to(tmp_path).as_posix()},UNSAT" for file in files]


def test_a_folder_in_use_is_refused(tmp_path):
    (tmp_path / "mine").write_text("")
    with pytest.raises(UsageError, match="--out") as caught:
        write_folder(tmp_path, Path("kissat"), "")
    assert str(tmp_path) in str(caught.value)
    assert [file.name for file in tmp_path.iterdir()] == ["mine"]


def test_a_missing_solver_is_named_with_its_installation():
    with pytest.raises(UsageError, match="pip install"):
        find_kissat("a-package-that-is-not-there")


def test_a_package_without_the_executable_is_named():
    with pytest.raises(UsageError, match="numpy is installed, but has no executable"):
        find_kissat("numpy")
