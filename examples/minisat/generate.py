"""Generate formulas for MiniSat, each with a planted solution: python generate.py."""

import argparse
from pathlib import Path
from random import Random

HERE = Path(__file__).parent
CLAUSES_PER_VARIABLE = 4.2  # near the hardest ratio


def draw_clauses(seed: int, *, n_variables: int) -> list[list[int]]:
    """Draw an assignment, then clauses of three literals that it satisfies."""
    rng = Random(seed)
    planted = [rng.choice((-1, 1)) * variable for variable in range(1, n_variables + 1)]
    clauses: list[list[int]] = []
    while len(clauses) < round(CLAUSES_PER_VARIABLE * n_variables):
        clause = [rng.choice((-1, 1)) * variable for variable in rng.sample(range(1, n_variables + 1), 3)]
        if any(planted[abs(literal) - 1] == literal for literal in clause):
            clauses.append(clause)
    return clauses


def write_instances(folder: Path, seeds: range, *, n_variables: int) -> list[Path]:
    """Write one formula per seed in the DIMACS format, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for seed in seeds:
        clauses = draw_clauses(seed, n_variables=n_variables)
        lines = [f"p cnf {n_variables} {len(clauses)}", *(f"{a} {b} {c} 0" for a, b, c in clauses)]
        written.append(folder / f"planted-{seed:04d}.cnf")
        written[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    return written


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=HERE, help="where to write the formulas")
    parser.add_argument("--number", type=int, default=30, help="formulas for training, and for testing")
    parser.add_argument("--variables", type=int, default=400, help="variables per formula")
    options = parser.parse_args(arguments)
    written = write_instances(options.folder / "train", range(options.number), n_variables=options.variables)
    tests = range(1000, 1000 + options.number)
    written += write_instances(options.folder / "test", tests, n_variables=options.variables)
    rows = ["instance,answer", *(f"{path.relative_to(options.folder).as_posix()},SAT" for path in written)]
    (options.folder / "answers.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{len(written)} formulas are in {options.folder}")
    print("next:  tightrope check")


if __name__ == "__main__":
    main()
