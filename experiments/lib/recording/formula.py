"""Formulas in conjunctive normal form, drawn from a seed: the same seed and size give the same formula."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random

Clause = tuple[int, ...]


def dimacs(clauses: Sequence[Clause], *, n_variables: int) -> str:
    """Return the formula in DIMACS format."""
    lines = [f"p cnf {n_variables} {len(clauses)}", *(" ".join(map(str, (*each, 0))) for each in clauses)]
    return "\n".join(lines) + "\n"


def shuffle_names(text: str, seed: int) -> str:
    """Return the formula with variables renamed and clauses reordered: the original order may give hints."""
    rng = Random(seed)
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("c")]
    n_variables = int(lines[0][2])
    names = [0, *rng.sample(range(1, n_variables + 1), n_variables)]
    literals = ([int(word) for word in line[:-1]] for line in lines[1:])
    clauses = [tuple(names[each] if each > 0 else -names[-each] for each in line) for line in literals]
    rng.shuffle(clauses)
    return dimacs(clauses, n_variables=n_variables)


def draw_threshold(seed: int, *, n_variables: int, ratio: float) -> str:
    """Draw a random 3-SAT formula, with a ratio at which about half of the formulas are satisfiable."""
    rng = Random(seed)
    clauses = [
        tuple(rng.choice((-1, 1)) * variable for variable in rng.sample(range(1, n_variables + 1), 3))
        for _ in range(round(ratio * n_variables))
    ]
    return dimacs(clauses, n_variables=n_variables)


def draw_quasigroup(seed: int, *, order: int, n_holes: int) -> str:
    """Draw a Latin square with holes and encode how to fill them; the formula is satisfiable."""
    rng = Random(seed)
    square = draw_latin_square(rng, order)
    cells = [(row, column) for row in range(order) for column in range(order)]
    holes = set(rng.sample(cells, n_holes))
    filled = [cell for cell in cells if cell not in holes]
    taken = {(kind, cell[kind], square[cell[0]][cell[1]]) for kind in (0, 1) for cell in filled}
    free = {
        (row, column): [v for v in range(order) if (0, row, v) not in taken and (1, column, v) not in taken]
        for row, column in sorted(holes)
    }
    number = {(cell, v): i for i, (cell, v) in enumerate(((c, v) for c in free for v in free[c]), start=1)}
    clauses: list[Clause] = []
    for cell, values in free.items():
        clauses += _exactly_one([number[cell, v] for v in values])
    for kind in (0, 1):
        for line in range(order):
            for v in range(order):
                clauses += _exactly_one([number[c, v] for c in free if c[kind] == line and (c, v) in number])
    return dimacs(clauses, n_variables=len(number))


def draw_latin_square(rng: Random, order: int) -> list[list[int]]:
    """Draw a Latin square row by row; each row matches the columns with the values that they lack."""
    lacking = [set(range(order)) for _ in range(order)]
    rows = []
    for _ in range(order):
        row = _match([rng.sample(sorted(values), len(values)) for values in lacking], order)
        for column, value in enumerate(row):
            lacking[column].remove(value)
        rows.append(row)
    rng.shuffle(rows)
    return rows


def _match(choices: list[list[int]], order: int) -> list[int]:
    """Give every column a different one of its choices; by Hall's theorem this is possible."""
    owner: dict[int, int] = {}

    def place(column: int, tried: set[int]) -> bool:
        for value in choices[column]:
            if value not in tried:
                tried.add(value)
                if value not in owner or place(owner[value], tried):
                    owner[value] = column
                    return True
        return False

    for column in range(order):
        assert place(column, set())
    return [value for _, value in sorted((column, value) for value, column in owner.items())]


def _exactly_one(variables: Sequence[int]) -> Iterable[Clause]:
    if variables:
        yield tuple(variables)
    for one, other in combinations(variables, 2):
        yield (-one, -other)
