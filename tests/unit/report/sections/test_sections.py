"""What the sections draw of a simulated tuning."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from reported import scenario, tuned, with_statuses
from tightrope.records import Status
from tightrope.report.draw.table import Table
from tightrope.report.figure import Figure
from tightrope.report.sections import model
from tightrope.report.sections.caps import caps
from tightrope.report.sections.comparison import best_of, comparison_rows
from tightrope.report.sections.coordinates import chosen_parameters, coordinates
from tightrope.report.sections.error import contradicted, error, typical_error
from tightrope.report.sections.heatmap import heatmap
from tightrope.report.sections.incumbents import incumbents, points_of
from tightrope.report.sections.instances import instances
from tightrope.report.sections.ranking import best_first, relative_costs
from tightrope.report.sections.trust import coverage, noise
from tightrope.report.sections.workers import workers
from tightrope.report.tuning import Tuning


@pytest.fixture(scope="module")
def tuning() -> Tuning:
    return tuned()


def column(table: Table, name: str) -> list[object]:
    place = list(table.columns).index(name)
    return [row[place] for row in table.rows]


def require(figure: Figure | None) -> Figure:
    assert figure is not None
    return figure


def test_the_incumbents_line_ends_at_the_summary(tuning: Tuning) -> None:
    points = points_of(tuning)
    assert points[-1].cost == tuning.progress.cost
    assert points[-1].number == tuning.progress.number
    assert sum(point.is_promotion for point in points) == len(tuning.trajectory)


def test_each_promotion_is_drawn_where_it_happened(tuning: Tuning) -> None:
    drawn = [(point.spent, point.cost.mean) for point in points_of(tuning) if point.is_promotion]
    assert drawn == [(pytest.approx(each.spent), pytest.approx(each.cost)) for each in tuning.trajectory]


def test_several_tunings_are_overlaid(tuning: Tuning) -> None:
    figure = incumbents([tuning, replace(tuning, name="again")])
    assert set(column(figure.table, "tuning")) == {"solver", "again"}


def test_a_default_that_was_cut_is_a_bound(tuning: Tuning) -> None:
    low = replace(tuning, scenario=scenario(ceiling=20.0))
    figure = require(instances(low))
    rows = dict(zip(column(figure.table, "instance"), column(figure.table, "default_is_bound"), strict=True))
    assert rows["ffffffff"] == "yes"
    assert rows["a"] == "no"
    assert max(column(figure.table, "default")) == 20.0  # type: ignore[type-var]


def test_nothing_is_compared_while_the_default_is_the_best() -> None:
    still = tuned(budget=scenario().budget, candidates=[{"x": 0.95, "mode": "slow"}])
    assert still.progress.number == 0
    assert instances(still) is None


def test_the_heat_map_has_a_cell_for_each_pair(tuning: Tuning) -> None:
    figure = require(heatmap(tuning))
    cells = list(zip(column(figure.table, "config"), column(figure.table, "instance"), strict=True))
    assert len(cells) == len(set(cells)) == len(figure.points)
    assert {0, tuning.progress.number} <= {number for number, _ in cells}
    assert "url(#hatch)" in figure.svg


def test_a_long_history_is_thinned_and_the_page_says_so() -> None:
    long = tuned(budget=scenario().budget, slots=1)
    many = replace(
        long,
        history=long.history.of(long.columns.take(np.tile(np.arange(len(long.history)), 20))),
    )
    figure = caps(many)[0]
    assert len(figure.table.rows) == 1500
    assert "1 500 of 3 000 runs" in figure.note


def test_failed_and_lost_runs_are_drawn_without_error(tuning: Tuning) -> None:
    mixed = with_statuses(tuning, [Status.DONE, Status.FAILED, Status.LOST, Status.CAPPED])
    assert caps(mixed)[0].table.rows[1][5] == "failed"
    assert require(workers(mixed)).table.rows[2][6] == "lost"


def test_the_best_config_has_a_relative_cost_of_one(tuning: Tuning) -> None:
    costs = relative_costs(tuning)
    assert costs[tuning.index_of(tuning.progress.config)] == pytest.approx(1.0)
    assert np.nanmax(costs) > 1.0


def test_configs_with_few_runs_are_ranked_with_caution(tuning: Tuning) -> None:
    counts = np.bincount(tuning.columns.config)
    once, often = int(np.argmin(counts)), int(np.argmax(counts))
    costs = np.full(counts.size, 2.0)
    costs[[once, often]] = 0.49, 0.5
    assert best_first(costs, tuning).tolist()[:2] == [often, once]


def test_parameters_that_the_best_config_changes_come_first(tuning: Tuning) -> None:
    assert {each.name for each in chosen_parameters(tuning, 2)} == {"x", "mode"}
    only = chosen_parameters(tuning, 1)[0].name
    assert tuning.progress.config[only] != tuning.progress.default[only]


def test_parallel_coordinates_join_the_points_of_a_config(tuning: Tuning) -> None:
    figure = require(coordinates(tuning))
    assert figure.is_joined
    assert len(figure.points) == 2 * len(figure.table.rows)


def test_the_model_finds_the_minimum(tuning: Tuning) -> None:
    fitted = model.fit(tuning)
    assert fitted is not None
    figure = require(model.slices(tuning, fitted))
    along = [(row[2], row[1]) for row in figure.table.rows if row[0] == "x"]
    assert abs(min(along)[1] - 0.3) < 0.15
    assert typical_error(fitted) < 1.5
    assert (fitted.low <= fitted.predicted).all()
    assert (fitted.predicted <= fitted.high).all()


def test_every_run_is_predicted_by_a_model_without_it(tuning: Tuning) -> None:
    fitted = model.fit(tuning)
    assert fitted is not None
    figure = error(tuning, fitted)
    assert len(figure.table.rows) == len(tuning.history)
    assert figure.note.startswith("Forests of the report on all 150 runs")
    # A run that cost 50 times as much as all others is not known to the model that predicts it.
    odd = int(np.flatnonzero(tuning.has(Status.DONE) & (tuning.columns.cost < 2.0))[0])
    cost = tuning.columns.cost.copy()
    cost[odd] *= 50.0
    columns = replace(tuning.columns, measures={**tuning.columns.measures, "cost": cost})
    again = model.fit(replace(tuning, history=tuning.history.of(columns)))
    assert again is not None
    assert again.predicted[odd] < 0.2 * cost[odd]


def test_a_bound_above_the_band_contradicts_the_model(tuning: Tuning) -> None:
    fitted = model.fit(tuning)
    assert fitted is not None
    below = replace(fitted, high=0.0 * fitted.high)
    assert contradicted(below) == 1.0
    assert contradicted(fitted) < 0.3


def test_too_few_runs_get_no_model(tuning: Tuning) -> None:
    assert model.fit(with_statuses(tuning, [Status.DONE] * 10)) is None


def test_coverage_counts_every_run(tuning: Tuning) -> None:
    figure = require(coverage(tuning))
    assert sum(column(figure.table, "runs")) == len(tuning.history)  # type: ignore[arg-type]


def test_noise_needs_several_seeds(tuning: Tuning) -> None:
    assert noise(tuning).startswith("not known")
    seeds = with_statuses(tuning, [Status.DONE] * 5)
    default = replace(seeds, progress=replace(seeds.progress, config=seeds.progress.default, number=0))
    assert "a factor of" in noise(default)


def test_a_worker_does_one_run_at_a_time(tuning: Tuning) -> None:
    figure = require(workers(tuning))
    bars = sorted((row[3], row[4], row[5]) for row in figure.table.rows)
    assert len(bars) == len(tuning.history)
    for (lane, _, end), (other, begin, _) in pairwise(bars):
        assert lane != other or begin >= end - 1e-9


def test_many_runs_become_a_share_of_busy_workers(tuning: Tuning) -> None:
    n = 2000
    columns = tuning.columns.take(np.zeros(n, dtype=np.intp))
    wall_s = columns.wall_s[0]
    many = replace(
        tuning, history=tuning.history.of(columns), began_s=wall_s * np.arange(n), wall_s=n * wall_s, slots=2
    )
    figure = require(workers(many))
    assert column(figure.table, "share_busy") == pytest.approx([0.5] * len(figure.table.rows))


def test_the_cheaper_tuning_is_detailed(tuning: Tuning) -> None:
    worse = replace(
        tuning, name="worse", progress=replace(tuning.progress, cost=replace(tuning.progress.cost, mean=99.0))
    )
    assert best_of([worse, tuning]) is tuning
    assert [row[0] for row in comparison_rows([worse, tuning])] == ["tuning", "worse", "solver"]
