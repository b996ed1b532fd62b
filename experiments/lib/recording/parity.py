"""Unsatisfiable parity formulas, which are easy for a solver that sums up neighbouring vertices first."""

from itertools import product
from random import Random

from lib.recording.formula import Clause, dimacs


def draw_parity(seed: int, *, n_vertices: int, n_chords: int, reach: int) -> str:
    """Draw a ring of vertices with chords of limited reach; each edge is a variable.

    Each vertex requires an even or an odd number of true edges, at random, but the number of odd vertices is
    odd. As every edge counts twice, the formula is unsatisfiable. Variables are numbered at random.
    """
    rng = Random(seed)
    edges = {(i, (i + 1) % n_vertices) for i in range(n_vertices)}
    while len(edges) < n_vertices + n_chords:
        start = rng.randrange(n_vertices)
        edges.add((start, (start + rng.randint(2, reach)) % n_vertices))
    odd = [rng.random() < 0.5 for _ in range(n_vertices - 1)]
    odd.append(sum(odd) % 2 == 0)
    return parity_formula(rng.sample(sorted(edges), len(edges)), odd)


def parity_formula(edges: list[tuple[int, int]], odd: list[bool]) -> str:
    """Return the formula of a graph whose vertices each have an odd or an even number of true edges."""
    clauses: list[Clause] = []
    for vertex, is_odd in enumerate(odd):
        own = [number for number, edge in enumerate(edges, start=1) if vertex in edge]
        for values in product((False, True), repeat=len(own)):
            if (sum(values) % 2 == 1) != is_odd:
                clauses.append(tuple(-v if value else v for v, value in zip(own, values, strict=True)))
    return dimacs(clauses, n_variables=len(edges))
