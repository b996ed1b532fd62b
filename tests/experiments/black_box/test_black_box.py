"""The black-box comparison: problems, attempts, summaries and reports."""

from importlib import import_module as load

import numpy as np
import pytest

pytest.importorskip("matplotlib")


def attempts(spent, hit, seeds=None):
    seeds = np.arange(len(spent)) if seeds is None else np.array(seeds)
    return load("black_box.summary").Attempts(seeds, np.array(spent, dtype=float), np.array(hit, dtype=float))


def row(arm, seed, *, spent, hit):
    costs = {f"spent_{t}": spent for t in ("0.1", "0.01")} | {f"hit_{t}": hit for t in ("0.1", "0.01")}
    return {"problem": "bowl", "arm": arm, "seed": str(seed), **costs}


def evaluations(*costs, optimum=10.0):
    """Return an arm with these costs; None is an evaluation stopped at 30."""
    arms = load("black_box.arms")

    def arm(problem, seed):
        for number, cost in enumerate(costs):
            charged, known = (30.0, np.inf) if cost is None else (cost, cost)
            yield arms.Evaluation(charged, known, number)

    return arm


def problem(most=10):
    return load("black_box.problems").Problem("test", {"x": (0.0, 1.0)}, lambda config: 0.0, 10.0, most=most)


@pytest.mark.parametrize(
    "name", ["bowl", "waves", "cliff", "branin", "hartmann", "solver", "tenfold", "pipeline"]
)
def test_no_config_undercuts_the_optimum_and_the_range_is_wide(name):
    from tightrope.space import Space

    found = load("black_box.problems").PROBLEMS[name]
    space = Space.of(found.space)
    costs = [found.cost(space.decode(each)) for each in space.sample(2000, np.random.default_rng(0))]
    assert min(costs) >= found.optimum * (1 - 1e-9)
    assert max(costs) > 50 * found.optimum


@pytest.mark.parametrize(
    ("name", "best"),
    [
        ("bowl", {"x": 0.317}),
        ("waves", {"x": 0.71}),
        ("cliff", {"x": 0.62}),
        ("branin", {"x": (np.pi + 5) / 15, "y": 2.275 / 15}),
        (
            "hartmann",
            {f"x{i}": x for i, x in enumerate([0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573])},
        ),
        (
            "solver",
            {
                "restart": "luby",
                "unit": 64,
                "phase": "saved",
                "inprocess": True,
                "decay": 0.85,
                "effort": 300,
            },
        ),
    ],
)
def test_the_optimum_is_reached(name, best):
    found = load("black_box.problems").PROBLEMS[name]
    assert found.cost(best) == pytest.approx(found.optimum, rel=1e-5)


def test_an_attempt_ends_when_it_is_near_the_optimum():
    record = load("black_box.measure").attempt(problem(), evaluations(50.0, None, 10.9, 10.05, 10.0), seed=0)
    assert record["spent_0.1"] == pytest.approx(5.0 + 3.0 + 1.09)
    assert record["spent_0.01"] == pytest.approx(5.0 + 3.0 + 1.09 + 1.005)
    assert (record["hit_0.1"], record["hit_0.01"]) == (1, 1)


def test_an_attempt_ends_after_a_number_of_configs_since_the_first_finished_one():
    record = load("black_box.measure").attempt(
        problem(most=2), evaluations(None, None, None, 50.0, 40.0, 35.0, 10.0), seed=0
    )
    assert (record["hit_0.1"], record["configs"]) == (0, 2)
    assert record["spent_0.1"] == pytest.approx(3 * 3.0 + 5.0 + 4.0 + 3.5)


def test_failed_attempts_raise_the_cost_of_a_success():
    assert attempts([10, 20, 30], [1, 0, 1]).ert() == 30.0


def test_an_arm_without_a_success_has_no_finite_cost():
    assert load("black_box.summary").ert(attempts([10, 20], [0, 0])).value == np.inf


def test_seeds_that_one_arm_lacks_are_left_out_of_ratios():
    few, many = attempts([1], [1], seeds=[2]), attempts([9, 9, 2], [1, 1, 1])
    assert load("black_box.summary").ratio(few, many).value == 0.5


def test_ratios_are_of_the_same_seeds():
    found = load("black_box.summary").ratio(attempts([1, 2, 3], [1, 1, 1]), attempts([2, 4, 6], [1, 1, 1]))
    assert (found.value, found.low, found.high) == pytest.approx((0.5, 0.5, 0.5))


def test_pooled_ratios_are_geometric_means():
    pairs = [
        (attempts([1, 1], [1, 1]), attempts([2, 2], [1, 1])),
        (attempts([8, 8], [1, 1]), attempts([1, 1], [1, 1])),
    ]
    assert load("black_box.summary").pooled_ratio(pairs).value == pytest.approx(2.0)


def test_the_summary_compares_every_arm_with_no_censoring():
    report = load("black_box.report")
    rows = [
        row(arm, seed, spent=spent, hit=1)
        for arm, spent in ((report.BASE, 8.0), ("default", 2.0))
        for seed in (0, 1)
    ]
    found = {(each["arm"], each["tolerance"]): each["ratio"] for each in report.summarise(rows)}
    assert found["default", 0.01] == pytest.approx(0.25)
    assert "0.25" in report.goals(rows)


def test_the_table_shows_costs_and_shares_of_success():
    rows = [
        row("default", 0, spent=8.0, hit=0),
        row("default", 1, spent=2.0, hit=1),
        row("a", 0, spent=3.0, hit=0),
    ]
    table = load("black_box.report").markdown(rows, tolerance=0.01).splitlines()
    assert table == ["| arm | bowl |", "| --- | --- |", "| default | 10 (50%) |", "| a | never (3 each) |"]


def test_the_picture_is_drawn_even_where_no_arm_succeeds(tmp_path):
    rows = [row("default", 0, spent=8.0, hit=0), row("forest, drop", 0, spent=3.0, hit=1)]
    load("black_box.picture").draw_ratios(rows, tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 1000
