"""Instances that are recorded: their formulas, optima and features."""

import json
from importlib import import_module as load
from itertools import pairwise, permutations, product

import numpy as np
import pytest


def test_a_latin_square_has_each_value_once_in_each_line():
    from random import Random

    square = np.array(load("lib.recording.formula").draw_latin_square(Random(3), 9))
    for line in (*square, *square.T):
        assert sorted(line) == list(range(9))


def test_a_quasigroup_with_one_hole_has_one_solution():
    lines = load("lib.recording.formula").draw_quasigroup(1, order=5, n_holes=1).splitlines()
    assert lines[0].split()[:3] == ["p", "cnf", "1"]
    assert set(lines[1:]) == {"1 0"}


def test_the_same_seed_gives_the_same_formula():
    draw = load("lib.recording.formula").draw_threshold
    one, same, other = (draw(seed, n_variables=20, ratio=4.3) for seed in (1, 1, 2))
    assert one == same != other


def models(text):
    """Return all assignments that satisfy the formula."""
    header, *lines = text.splitlines()
    clauses = [[int(word) for word in line.split()[:-1]] for line in lines]
    ways = product((False, True), repeat=int(header.split()[2]))
    return [way for way in ways if all(any(way[abs(v) - 1] == (v > 0) for v in c) for c in clauses)]


def test_shuffled_names_do_not_change_the_number_of_models():
    text = load("lib.recording.formula").draw_threshold(3, n_variables=8, ratio=3.0)
    shuffled = load("lib.recording.formula").shuffle_names(f"c a comment\n{text}", 5)
    assert shuffled != text
    assert sorted(map(sum, models(shuffled))) == sorted(map(sum, models(text)))
    assert models(text)


@pytest.mark.parametrize("seed", range(4))
def test_parities_cannot_be_satisfied(seed):
    text = load("lib.recording.parity").draw_parity(seed, n_vertices=6, n_chords=3, reach=3)
    assert text.startswith("p cnf 9 ")
    assert models(text) == []


def test_parities_can_be_satisfied_if_the_number_of_odd_vertices_is_even():
    ring = [(0, 1), (1, 2), (2, 0)]
    found = models(load("lib.recording.parity").parity_formula(ring, [True, True, False]))
    assert found == [(False, True, True), (True, False, False)]


@pytest.mark.parametrize("seed", range(3))
def test_the_shortest_tour_is_the_best_of_all_orders_of_cities(seed):
    text = load("lib.recording.tour").draw_cities(seed, n_cities=6)
    way = json.loads(text)["way"]
    trips = ((0, *order, 0) for order in permutations(range(1, 6)))
    lengths = [sum(way[i][j] for i, j in pairwise(trip)) for trip in trips]
    assert load("lib.recording.tour").optimal_tour(text) == str(min(lengths))


def test_the_best_packing_is_found():
    text = '{"value": [6, 10, 12], "weight": [[1, 2, 3], [1, 1, 1]], "capacity": [5, 2]}'
    assert load("lib.recording.knapsack").optimal_packing(text) == "22"


@pytest.mark.parametrize(
    ("problem", "draw", "module", "answer"),
    [
        (
            "knapsacks",
            lambda: load("lib.recording.knapsack").draw_knapsack(1, n_items=6, n_limits=2),
            "lib.recording.knapsack",
            "optimal_packing",
        ),
        (
            "lot_sizing",
            lambda: load("lib.recording.lot_sizing").draw_plant(1, n_periods=5),
            "lib.recording.lot_sizing",
            "optimal_plan",
        ),
        (
            "tours",
            lambda: load("lib.recording.tour").draw_cities(1, n_cities=6),
            "lib.recording.tour",
            "optimal_tour",
        ),
    ],
)
def test_cp_sat_finds_the_optimum(problem, draw, module, answer, tmp_path):
    pytest.importorskip("ortools")
    (tmp_path / "it.json").write_text(draw())
    library = getattr(load("lib.recording.cp_sat"), f"cp_sat_on_{problem}")()
    result = library.solve({"linearization_level": 2}, tmp_path / "it.json", ceiling=1.0)
    library.close()
    assert result.answer == getattr(load(module), answer)(draw())
    assert 0.0 < result.cost < 1.0


def test_features_of_a_formula_are_counted():
    found = load("lib.recording.features").measure_features("c x\np cnf 3 2\n1 -2 0\n1 2 3 0\n")
    assert (found["variables"], found["clauses"], found["share_of_binary"]) == (3.0, 2.0, 0.5)
