"""The demo's folder: a solver, instances and a scenario, as a user would have them."""

from pathlib import Path
from typing import Final

from tightrope.demo.instance import Size, write_instance
from tightrope.demo.kissat import find_kissat, read_options, write_params
from tightrope.errors import UsageError

N_TRAIN: Final = 24
N_TEST: Final = 24
_FIRST_TEST_SEED: Final = 1000  # far from those of the training instances
_SCENARIO: Final = """\
# Kissat, a SAT solver, on formulas that say of two equal circuits that they differ.

command   = "./kissat -q -n {parameters} {instance}"
instances = { train = "train/*.cnf", test = "test/*.cnf" }
answer    = "sat"          # exit code 20 means UNSAT,
expected  = "answers.csv"  # and any other answer is a failure
ceiling   = "2s"
budget    = { cpu = "150s", wall = "3m" }  # whichever is spent first

"""


def write_folder(folder: Path, *, n_train: int = N_TRAIN, n_test: int = N_TEST, size: Size | None = None) -> Path:
    """Write everything that a tuning needs and return the path of the scenario.

    Parameters
    ----------
    folder : Path
        Where it goes; it is made, or must be empty.
    n_train, n_test : int
        How many instances to tune on, and how many to compare on afterwards.
    size : Size or None
        How large they are; None: such that Kissat needs some tenths of a second.
    """
    executable = find_kissat()
    _claim(folder)
    (folder / "kissat").symlink_to(executable)
    names = write_instances(folder / "train", range(n_train), size=size)
    names += write_instances(folder / "test", range(_FIRST_TEST_SEED, _FIRST_TEST_SEED + n_test), size=size)
    rows = ["instance,answer", *(f"{name.relative_to(folder).as_posix()},UNSAT" for name in names)]
    (folder / "answers.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    scenario = folder / "scenario.toml"
    scenario.write_text(_SCENARIO + write_params(read_options(executable)), encoding="utf-8")
    return scenario


def write_instances(folder: Path, seeds: range, *, size: Size | None = None) -> list[Path]:
    """Write one instance for each seed, and return their paths."""
    folder.mkdir()
    written = []
    for seed in seeds:
        written.append(folder / f"circuit-{seed:04d}.cnf")
        written[-1].write_text(write_instance(seed, size or Size()), encoding="utf-8")
    return written


def _claim(folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError(
            f"the folder {folder} is not empty", hint=f"remove it, or name another one: --out {folder}-2"
        )
    folder.mkdir(parents=True, exist_ok=True)
