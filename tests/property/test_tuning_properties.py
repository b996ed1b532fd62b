"""Whatever runs cost and however they end, an engine keeps its promises, with any number of slots."""

from math import inf

from hypothesis import given, settings
from hypothesis import strategies as st

from random_tuning import CEILING, RESOLUTION, Tuning, World, of_numbers, of_space, started
from tightrope.race.tasks import TaskOrder
from tightrope.records import Stop, StopKind

SEEDS = st.integers(0, 10_000)
SLACKS = st.sampled_from([1.0, 1.1, 1.3, 2.0, inf])
SLOTS = st.integers(1, 5)


@given(SEEDS, SLACKS, SLOTS, st.sampled_from([1.0, 10.0]))
@settings(max_examples=20)
def test_caps_exceed_the_resolution_and_not_the_ceiling(
    seed: int, slack: float, slots: int, par: float
) -> None:
    tuning = Tuning(of_numbers(slack=slack, par=par), World(seed), slots)
    caps = [trial.cap for decided in tuning.decisions() for trial in started(decided)]
    assert min(caps) > RESOLUTION
    assert max(caps) <= CEILING


@given(SEEDS, st.sampled_from([1.0, 1.3, 2.0]))
@settings(max_examples=15)
def test_small_costs_have_small_caps(seed: int, slack: float) -> None:
    """A challenger never gets more than the slack times all that the incumbent has cost so far."""
    tuning = Tuning(of_numbers(slack=slack, resolution=1e-7), World(seed, scale=1e-4))
    for decided in tuning.decisions():
        incumbent = tuning.engine.incumbent
        for trial in started(decided):
            if trial.config != incumbent.config:
                assert (
                    1e-7 < trial.cap <= min(slack * incumbent.cost * incumbent.n_tasks * (1 + 1e-9), CEILING)
                )


@given(SEEDS, SLACKS, SLOTS)
@settings(max_examples=20)
def test_no_config_is_run_on_a_task_again_unless_its_cap_is_above_what_is_known(
    seed: int, slack: float, slots: int
) -> None:
    tuning = Tuning(of_numbers(n=12, slack=slack, runs=1000), World(seed), slots)
    for decided in tuning.decisions():
        for trial in started(decided):
            assert trial.cap > tuning.known.get((trial.config, trial.task), 0.0)
        pairs = [(trial.config, trial.task) for trial in tuning.running.values()]
        assert len(set(pairs)) == len(pairs), "nor is it twice under way"


@given(SEEDS, SLACKS, st.integers(1, 8), st.sampled_from([(0,), (3, 4), None]))
@settings(max_examples=20)
def test_the_incumbents_tasks_are_the_first_of_the_order(
    seed: int, slack: float, n_tasks: int, seeds: tuple[int, ...] | None
) -> None:
    """So every instance has been used when enough challengers have been met: four for each, by default."""
    tuning = Tuning(of_numbers(slack=slack, n_tasks=n_tasks, seeds=seeds), World(seed))
    order = TaskOrder(tuning.plan.instances, seeds=seeds, seed=tuning.plan.seed)
    for _ in tuning.decisions():
        places = {order.position(task) for task in tuning.settled(tuning.engine.incumbent.config)}
        assert places == set(range(len(places)))
    n_challengers = tuning.engine.n_configs - 1
    assert len(places) >= min(n_tasks, tuning.plan.tactics.defence * n_challengers)


@given(SEEDS, SLACKS, SLOTS)
@settings(max_examples=20)
def test_no_slot_is_idle_while_there_is_a_config_to_try(seed: int, slack: float, slots: int) -> None:
    tuning = Tuning(of_numbers(n=20, slack=slack, runs=1000), World(seed), slots)
    for decided in tuning.decisions():
        if len(tuning.running) < slots and tuning.settled(tuning.engine.incumbent.config):
            assert tuning.engine.n_configs == 20 or isinstance(decided.actions[0], Stop)
    assert decided.stop is not None
    assert decided.stop.kind is StopKind.EXHAUSTED


@given(SEEDS, SLACKS, SLOTS)
@settings(max_examples=6)
def test_all_slots_are_busy_where_a_model_proposes(seed: int, slack: float, slots: int) -> None:
    tuning = Tuning(of_space(slack=slack, n_tasks=5, runs=40), World(seed), slots)
    for decided in tuning.decisions():
        left = 40 - tuning.engine.totals.runs
        assert len(tuning.running) == min(slots, left) or isinstance(decided.actions[0], Stop)


@given(SEEDS, SLACKS, SLOTS)
@settings(max_examples=4)
def test_a_tuning_can_be_repeated(seed: int, slack: float, slots: int) -> None:
    plan, world = of_space(slack=slack, runs=25), World(seed)
    assert list(Tuning(plan, world, slots).decisions()) == list(Tuning(plan, world, slots).decisions())
