"""Writes the demo's folder: solver, instances and scenario, laid out as a user's folder."""

from pathlib import Path
from typing import Final

from tightrope.demo.instance import Size, write_instance
from tightrope.errors import UsageError

N_INSTANCES: Final = 30
_FIRST_TEST_SEED: Final = 1000  # far from the training seeds
_SCENARIO: Final = """\
# Kissat, a SAT solver, on formulas that ask whether two equivalent circuits differ.
command   = "./kissat -q -n {parameters} {instance}"
params    = "kissat.pcs"                 # all options of the search, as `kissat --range` lists them
instances = { train = "train/*.cnf", test = "test/*.cnf" }  # test: not used by the tuning
answer    = "sat"                        # exit code 20 means UNSAT;
expected  = "answers.csv"                # any other answer is a failure
ceiling   = "2s"                         # limit of one run
budget    = { cpu = "180s", wall = "3m" }  # for the whole tuning; ends at whichever is used up first
"""


def write_folder(folder: Path, executable: Path, params: str, *, n_instances: int = N_INSTANCES) -> Path:
    """Write all files that a tuning needs and return the path of the scenario.

    Parameters
    ----------
    folder : Path
        Where to write; created if missing, and must be empty.
    executable : Path
        Kissat.
    params : str
        Its parameters, in PCS syntax.
    n_instances : int
        Number of training instances, and of test instances.
    """
    _create(folder)
    (folder / "kissat").symlink_to(executable)
    (folder / "kissat.pcs").write_text(params, encoding="utf-8")
    write_instances(folder, n_instances)
    scenario = folder / "scenario.toml"
    scenario.write_text(_SCENARIO, encoding="utf-8")
    return scenario


def write_instances(folder: Path, n_instances: int, *, size: Size | None = None) -> None:
    """Write instances into the folders train and test, and all expected answers into answers.csv."""
    sets = {"train": range(n_instances), "test": range(_FIRST_TEST_SEED, _FIRST_TEST_SEED + n_instances)}
    answers = ["instance,answer"]
    for name, seeds in sets.items():
        (folder / name).mkdir(exist_ok=True)
        for seed in seeds:
            instance = f"{name}/circuit-{seed:04d}.cnf"
            (folder / instance).write_text(write_instance(seed, size or Size()), encoding="utf-8")
            answers.append(f"{instance},UNSAT")
    (folder / "answers.csv").write_text("\n".join(answers) + "\n", encoding="utf-8")


def _create(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(
            f"{folder} already exists and is not an empty folder",
            hint=f"remove it, or name another one: --out {folder}-2",
        )
    folder.mkdir(parents=True, exist_ok=True)
