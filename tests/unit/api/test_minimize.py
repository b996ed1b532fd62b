"""minimize()."""

import inspect
from collections.abc import Callable, Iterator
from math import inf
from types import SimpleNamespace

import pytest

from tightrope import Budget, Capped, MinimizeResult, Optimizer, minimize
from tightrope.errors import TargetError
from tightrope.records import Event, Finished, Run, Status, StopKind, Trial
from tightrope.run import executor
from tightrope.search.model import Observations
from tightrope.search.surrogate import ForestBelief, ForestModel

SPACE = {"x": (0.0, 1.0)}
SETTINGS = {"first_cap": 1.0}


def cost_of(config: dict[str, float]) -> float:
    return 1.0 + 50.0 * (config["x"] - 0.3) ** 2


def watching(config: dict[str, float], cap: float) -> float | Capped:
    cost = cost_of(config)
    return cost if cost < cap else Capped(at=cap)


def failing(config: dict[str, float], cap: float) -> float:
    raise RuntimeError("no licence")


def failing_unless(is_fine: Callable[[dict[str, float]], bool]) -> Callable[..., float | Capped]:
    def sometimes(config: dict[str, float], cap: float) -> float | Capped:
        if not is_fine(config):
            raise RuntimeError("too hot")
        return watching(config, cap)

    return sometimes


def yielding(config: dict[str, float], cap: float) -> Iterator[float]:
    total = cost_of(config)
    spent = 0.0
    while spent + 0.25 < total:
        spent += 0.25
        yield spent
    yield total


def decisions_of(result: MinimizeResult) -> list[tuple[Trial, float]]:
    """Return what was run and what came of it, without measured times."""
    return [(run.trial, run.outcome.cost) for run in result.history]


class TestSearch:
    def test_it_finds_the_minimum(self) -> None:
        result = minimize(watching, SPACE, budget=80, **SETTINGS)
        assert result.best["x"] == pytest.approx(0.3, abs=0.05)
        assert result.cost == pytest.approx(1.0, abs=0.1)

    def test_the_same_seed_gives_the_same_runs(self) -> None:
        first, second = (minimize(watching, SPACE, budget=30, seed=4, **SETTINGS) for _ in range(2))
        assert decisions_of(first) == decisions_of(second)

    def test_integer_bounds_mean_integers(self) -> None:
        seen: list[object] = []

        def f(config: dict[str, int], cap: float) -> float:
            seen.append(config["n"])
            return min(1.0 + abs(config["n"] - 7), cap)

        assert minimize(f, {"n": (1, 64)}, budget=Budget(evaluations=12), slack=inf).best["n"] == 7
        assert {type(value) for value in seen} == {int}

    def test_a_space_that_has_been_tried_out_ends_it(self) -> None:
        result = minimize(watching, {"x": [0.1, 0.3]}, budget=1000, slack=inf)
        assert (result.best, str(result.reason)) == ({"x": 0.3}, "every config has been tried")

    def test_changing_the_config_that_was_given_changes_nothing(self) -> None:
        def careless(config: dict[str, float], cap: float) -> float | Capped:
            answer = watching(config, cap)
            config.clear()
            return answer

        clean = minimize(watching, SPACE, budget=20, **SETTINGS)
        assert decisions_of(minimize(careless, SPACE, budget=20, **SETTINGS)) == decisions_of(clean)

    def test_every_setting_reaches_the_optimizer(self) -> None:
        ours = inspect.signature(minimize).parameters
        theirs = inspect.signature(Optimizer).parameters
        assert set(ours) - {"f", "budget", "workers", "cost"} == set(theirs)
        assert {name: ours[name].default for name in theirs} == {
            name: theirs[name].default for name in theirs
        }

    def test_the_first_design_is_as_large_as_asked_for(self) -> None:
        result = minimize(
            watching, SPACE, budget=1000, n_initial=3, design="sobol", slack=inf, seed=2, watch=_stop_at(3)
        )
        direct = Optimizer(SPACE, n_initial=3, design="sobol", slack=inf, seed=2)
        assert [run.trial.config for run in result.history.runs] == [direct.ask().config for _ in range(3)]


class TestBudget:
    def test_it_is_a_cumulative_cost_and_is_kept(self) -> None:
        result = minimize(watching, SPACE, budget=30, **SETTINGS)
        assert result.spent == pytest.approx(30.0)
        assert result.spent == sum(run.outcome.spent for run in result.history.runs)
        assert result.reason.kind is StopKind.COST

    def test_what_rounding_leaves_of_it_is_not_worth_a_run(self) -> None:
        for budget in (0.7, 3.3, 7.1):
            result = minimize(lambda config, cap: Capped(at=cap) if cap < 0.1 else 0.1, SPACE, budget=budget)
            assert min(run.trial.cap for run in result.history.runs) > 1e-9

    def test_restarts_count_as_one_evaluation(self) -> None:
        result = minimize(watching, SPACE, budget=Budget(evaluations=12), first_cap=0.01)
        assert len({run.trial.config for run in result.history.runs}) == 12
        assert len(result.history) > 12

    @pytest.mark.parametrize("evaluations", [1, 3, 5])
    def test_a_few_evaluations_are_restarted_until_one_finishes(self, evaluations: int) -> None:
        result = minimize(watching, SPACE, budget=Budget(evaluations=evaluations), first_cap=0.01)
        assert len({run.trial.config for run in result.history.runs}) == evaluations
        assert result.cost < inf

    def test_evaluating_a_config_again_because_of_noise_counts(self) -> None:
        result = minimize(
            lambda config, cap: 1.0, {"n": (1, 2)}, budget=Budget(evaluations=9), noisy=True, slack=inf
        )
        assert len(result.history) == 9

    def test_time_ends_it_and_the_models_time_counts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        clock = [0.0]
        monkeypatch.setattr(executor, "time", SimpleNamespace(monotonic=lambda: clock[0]))

        class Slow(ForestModel):
            def fit(self, observations: Observations, *, seed: int) -> ForestBelief:
                clock[0] += 10.0
                return ForestModel.fit(self, observations, seed=seed)

        result = minimize(
            cost_of, SPACE, budget=Budget(wall="1m"), model=Slow(), slack=inf, n_initial=5, random_share=0.0
        )
        assert (len(result.history), str(result.reason)) == (5 + 6, "60 s have passed")

    def test_if_nothing_finishes_the_error_says_what_to_do_and_has_the_runs(self) -> None:
        with pytest.raises(TargetError, match="raise the budget") as caught:
            minimize(lambda config, cap: Capped(at=cap), SPACE, budget=60)
        assert sum(run.outcome.spent for run in caught.value.history.runs) == pytest.approx(60.0)

    def test_a_cost_of_zero_cannot_be_improved(self) -> None:
        result = minimize(lambda config, cap: 0.0, SPACE, budget=60, log=False)
        assert (result.cost, len(result.history), str(result.reason)) == (0.0, 1, "no cost is below 0")

    def test_costs_below_zero_are_fine_without_caps_and_charges(self) -> None:
        result = minimize(
            lambda config: -cost_of(config), SPACE, budget=Budget(evaluations=8), log=False, slack=inf
        )
        assert result.cost < -10


class TestCaps:
    def test_partial_costs_are_stopped_at_the_cap(self) -> None:
        result = minimize(yielding, SPACE, budget=60, **SETTINGS)
        capped = [run for run in result.history.runs if run.censored]
        assert capped
        assert all(run.trial.cap <= run.outcome.cost < run.trial.cap + 0.25 for run in capped)
        assert result.cost == pytest.approx(1.0, abs=0.2)

    def test_a_function_that_ignores_its_cap_is_charged_in_full_and_told_once(self) -> None:
        with pytest.warns(UserWarning, match="although its cap was") as caught:
            result = minimize(lambda config, cap: cost_of(config), SPACE, budget=60, **SETTINGS)
        assert len(caught) == 1
        assert caught[0].filename == __file__
        assert all(run.done for run in result.history.runs)
        assert all(run.outcome.spent == cost_of(run.trial.config) for run in result.history.runs)

    def test_a_function_without_a_cap_is_told_to_take_one(self) -> None:
        with pytest.warns(UserWarning, match=r"take the cap, f\(config, cap\)"):
            minimize(cost_of, SPACE, budget=60, **SETTINGS)

    def test_without_slack_there_are_no_caps_to_ignore(self) -> None:
        result = minimize(cost_of, SPACE, budget=Budget(evaluations=8), slack=inf, **SETTINGS)
        assert [run.trial.cap for run in result.history.runs] == [inf] * 8

    def test_what_is_left_of_the_budget_is_no_cap_to_complain_about(self) -> None:
        result = minimize(cost_of, SPACE, budget=20, slack=inf)
        assert result.spent > 20

    def test_no_cap_exceeds_the_ceiling(self) -> None:
        result = minimize(watching, SPACE, budget=60, ceiling=1.5)
        assert max(run.trial.cap for run in result.history.runs) <= 1.5


class TestFailures:
    def test_the_first_is_shown_once_with_its_traceback_and_the_search_goes_on(self) -> None:
        with pytest.warns(UserWarning, match="too hot") as caught:
            result = minimize(failing_unless(lambda config: config["x"] < 0.6), SPACE, budget=60, **SETTINGS)
        assert len(caught) == 1
        assert caught[0].filename == __file__
        assert result.best["x"] < 0.6
        assert [finding.code for finding in result.findings] == ["F03"]
        assert 'raise RuntimeError("too hot")' in result.findings[0].message
        assert "call.py" not in result.findings[0].message

    def test_each_keeps_its_exception_as_a_note_and_is_charged_nothing(self) -> None:
        with pytest.warns(UserWarning, match="too hot"):
            result = minimize(failing_unless(lambda config: config["x"] < 0.6), SPACE, budget=60, **SETTINGS)
        failed = [run.outcome for run in result.history.runs if run.outcome.status is Status.FAILED]
        assert {outcome.note.partition("\n")[0] for outcome in failed} == {"RuntimeError: too hot"}
        assert {outcome.spent for outcome in failed} == {0.0}

    def test_one_is_charged_the_last_partial_cost(self) -> None:
        def f(config: dict[str, float], cap: float) -> Iterator[float]:
            yield from (0.25, 0.5)
            if config["x"] > 0.5:
                raise RuntimeError("too hot")
            yield 0.75

        with pytest.warns(UserWarning, match="too hot"):
            result = minimize(f, SPACE, budget=Budget(evaluations=6), **SETTINGS)
        failed = [run.outcome.spent for run in result.history.runs if run.outcome.status is Status.FAILED]
        assert failed
        assert set(failed) == {0.5}
        assert result.spent == sum(run.outcome.spent for run in result.history.runs)

    def test_if_everything_fails_the_first_traceback_is_in_the_error(self) -> None:
        with (
            pytest.warns(UserWarning, match="failed"),
            pytest.raises(TargetError, match="the first 20 evaluations failed") as caught,
        ):
            minimize(failing, SPACE, budget=60, **SETTINGS)
        assert 'raise RuntimeError("no licence")' in str(caught.value)
        assert len(caught.value.history) == 20

    def test_failing_for_free_does_not_go_on_for_ever(self) -> None:
        calls: list[float] = []

        def f(config: dict[str, float], cap: float) -> float:
            calls.append(cap)
            if len(calls) > 1:
                raise RuntimeError("out of order")
            return 1.0

        with pytest.warns(UserWarning, match="out of order"):
            result = minimize(f, SPACE, budget=60, slack=inf)
        assert (result.cost, len(calls)) == (1.0, 101)
        assert str(result.reason) == "100 evaluations in a row failed"


class TestInterrupts:
    def test_an_interrupt_ends_it_with_what_was_found(self) -> None:
        n_calls = [0]

        def f(config: dict[str, float], cap: float) -> float | Capped:
            n_calls[0] += 1
            if n_calls[0] == 10:
                raise KeyboardInterrupt
            return watching(config, cap)

        result = minimize(f, SPACE, budget=1000, slack=inf)
        assert (len(result.history), str(result.reason)) == (9, "it was interrupted")

    def test_before_anything_finished_an_interrupt_is_passed_on(self) -> None:
        def f(config: dict[str, float], cap: float) -> float:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            minimize(f, SPACE, budget=1000)

    def test_the_watch_sees_every_run_at_once_and_may_stop_it(self) -> None:
        seen: list[Run] = []

        def watch(event: Event) -> None:
            seen.extend([event.run] if isinstance(event, Finished) else [])
            if len(seen) == 12:
                raise KeyboardInterrupt

        result = minimize(watching, SPACE, budget=1000, watch=watch, **SETTINGS)
        assert result.history.runs == tuple(seen)


def _stop_at(n: int) -> Callable[[Event], None]:
    def watch(event: Event) -> None:
        if isinstance(event, Finished) and event.run.trial.id == n - 1:
            raise KeyboardInterrupt

    return watch
