"""Replay is live: an engine fed with what was written down decides as the one did that wrote it."""

from math import inf

from hypothesis import given, settings
from hypothesis import strategies as st

from random_tuning import Tuning, World, cancelled, of_numbers, of_space, replay
from tightrope.race.engine import Decided
from tightrope.records import Cancel

SEEDS = st.integers(0, 10_000)
SLACKS = st.sampled_from([1.0, 1.3, inf])
SLOTS = st.integers(1, 5)


def without_cancels(decided: Decided) -> tuple[object, ...]:
    actions = [action for action in decided.actions if not isinstance(action, Cancel)]
    return decided.number, actions, decided.challengers


def check(tuning: Tuning, decided: Decided, *, cancelled_before: set[int]) -> None:
    """Cut before the decision, and decide again."""
    again = replay(tuning.plan, tuning.records[: tuning.n_before])
    repeated = again.decide(tuning.slots - again.n_running, tuning.asked_s)
    assert without_cancels(repeated) == without_cancels(decided)
    # Runs that had been cancelled and not come back are started again, and have to be cancelled again.
    assert cancelled(decided) <= cancelled(repeated) <= cancelled(decided) | cancelled_before
    assert again.incumbent == tuning.engine.incumbent
    assert again.trajectory == tuning.engine.trajectory
    assert again.totals == tuning.engine.totals


@given(SEEDS, SLACKS, SLOTS, st.sampled_from([(0,), None]))
@settings(max_examples=12)
def test_replay_is_live_at_every_cut(
    seed: int, slack: float, slots: int, seeds: tuple[int, ...] | None
) -> None:
    tuning = Tuning(of_numbers(slack=slack, runs=40, seeds=seeds), World(seed), slots)
    before: set[int] = set()
    for decided in tuning.decisions():
        check(tuning, decided, cancelled_before=before)
        before = set(tuning.cancelled)


@given(SEEDS, SLACKS, SLOTS, st.integers(0, 9))
@settings(max_examples=8)
def test_replay_is_live_where_a_model_proposes(seed: int, slack: float, slots: int, first: int) -> None:
    tuning = Tuning(of_space(slack=slack, runs=40), World(seed), slots)
    before: set[int] = set()
    for decided in tuning.decisions():
        if decided.number % 10 == first:
            check(tuning, decided, cancelled_before=before)
        before = set(tuning.cancelled)
