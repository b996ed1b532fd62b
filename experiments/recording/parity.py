"""Formulas about sums that are even or odd: unsatisfiable, and easy for whoever adds up neighbours first."""

from itertools import product
from random import Random

from recording.formula import Clause, dimacs


def draw_parity(seed: int, *, n_vertices: int, n_chords: int, reach: int) -> str:
    """Draw a ring of vertices with chords of limited reach; each edge is a variable.

    At every vertex the number of true edges is to be even or odd, as was drawn, but the number of odd
    vertices is odd. Every edge counts twice, so that there is no way. Variables are numbered at random.
    """
    rng = Random(seed)
    edges = {(i, (i + 1) % n_vertices) for i in range(n_vertices)}
    while len(edges) < n_vertices + n_chords:
        start = rng.randrange(n_vertices)
        edges.add((start, (start + rng.randint(2, reach)) % n_vertices))
    odd = [rng.random() < 0.5 for _ in range(n_vertices - 1)]
    odd.append(sum(odd) % 2 == 0)
    return sum_up(rng.sample(sorted(edges), len(edges)), odd)


def sum_up(edges: list[tuple[int, int]], odd: list[bool]) -> str:
    """Return the formula of a graph whose vertices have an odd number of true edges, or an even one."""
    clauses: list[Clause] = []
    for vertex, is_odd in enumerate(odd):
        own = [number for number, edge in enumerate(edges, start=1) if vertex in edge]
        for values in product((False, True), repeat=len(own)):
            if (sum(values) % 2 == 1) != is_odd:
                clauses.append(tuple(-v if value else v for v, value in zip(own, values, strict=True)))
    return dimacs(clauses, n_variables=len(edges))
