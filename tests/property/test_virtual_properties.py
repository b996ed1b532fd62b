"""Simulated time: for any driver, time is conserved and each slot holds one run."""

from collections.abc import Callable
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from tightrope.records import Config, Outcome, Status, Trial
from tightrope.run.virtual import Mishap, Virtual

SECONDS = st.integers(0, 9).map(float)  # whole ones, so that sums are exact and ties are common
ANSWERS = SECONDS | st.just(inf) | st.builds(Mishap, SECONDS, st.sampled_from([Status.FAILED, Status.LOST]))
STARTS = st.tuples(st.just("start"), ANSWERS, st.integers(1, 9).map(float))
OTHERS = st.one_of(
    st.tuples(st.just("cancel"), st.integers(0, 9)),
    st.tuples(st.just("wait"), st.none() | SECONDS),
    st.tuples(st.just("advance"), SECONDS),
)
SCRIPTS = st.lists(STARTS | OTHERS, max_size=40)
Script = list[tuple[object, ...]]


class Driver:
    """Executes the legal steps of a script, and records what it observes."""

    def __init__(self, slots: int) -> None:
        self.executor = Virtual(lambda config, instance, seed: config["answer"], slots=slots).open()
        self.started: dict[int, tuple[float, Trial]] = {}
        self.told: list[tuple[float, list[Outcome]]] = []
        self._under_way: list[int] = []

    @property
    def outcomes(self) -> list[Outcome]:
        return [outcome for _, outcomes in self.told for outcome in outcomes]

    def end_s(self, outcome: Outcome) -> float:
        return self.started[outcome.trial_id][0] + outcome.spent

    def follow(self, script: Script) -> None:
        """Execute the script, then wait for all running trials."""
        verbs: dict[object, Callable[..., None]] = {
            "start": self.start,
            "cancel": self.cancel,
            "wait": self.wait,
            "advance": self.executor.advance,
        }
        for verb, *arguments in script:
            verbs[verb](*arguments)
        while self._under_way:
            self.wait(None)

    def start(self, answer: object, cap: float) -> None:
        if len(self._under_way) < self.executor.slots:
            trial = Trial(len(self.started), Config({"answer": answer}), cap=cap)
            self.executor.start(trial)
            self.started[trial.id] = self.executor.clock(), trial
            self._under_way.append(trial.id)

    def cancel(self, position: int) -> None:
        if self._under_way:
            self.executor.cancel(self._under_way[position % len(self._under_way)])

    def wait(self, timeout_s: float | None) -> None:
        outcomes = list(self.executor.wait(timeout_s))
        self.told.append((self.executor.clock(), outcomes))
        for outcome in outcomes:
            self._under_way.remove(outcome.trial_id)


def follow(script: Script, slots: int) -> Driver:
    driver = Driver(slots)
    driver.follow(script)
    return driver


@given(SCRIPTS, st.integers(1, 4))
def test_every_trial_comes_to_one_outcome(script: Script, slots: int) -> None:
    driver = follow(script, slots)
    assert sorted(outcome.trial_id for outcome in driver.outcomes) == sorted(driver.started)


@given(SCRIPTS, st.integers(1, 4))
def test_time_is_conserved(script: Script, slots: int) -> None:
    driver = follow(script, slots)
    assert sum(outcome.spent for outcome in driver.outcomes) <= slots * driver.executor.clock()


@given(SCRIPTS, st.integers(1, 4))
def test_never_are_more_slots_busy_than_there_are(script: Script, slots: int) -> None:
    driver = follow(script, slots)
    lasting = [outcome for outcome in driver.outcomes if outcome.spent > 0]
    starts = [(driver.started[outcome.trial_id][0], 1) for outcome in lasting]
    ends = [(driver.end_s(outcome), -1) for outcome in lasting]
    busy = 0
    for _, change in sorted(starts + ends):  # at equal times ends come first
        busy += change
        assert 0 <= busy <= slots


@given(SCRIPTS, st.integers(1, 4))
def test_outcomes_come_in_the_order_of_their_ends(script: Script, slots: int) -> None:
    driver = follow(script, slots)
    ends = [driver.end_s(outcome) for outcome in driver.outcomes]
    assert ends == sorted(ends)


@given(SCRIPTS, st.integers(1, 4))
def test_no_outcome_is_told_before_its_end(script: Script, slots: int) -> None:
    driver = follow(script, slots)
    for told_s, outcomes in driver.told:
        assert all(driver.end_s(outcome) <= told_s for outcome in outcomes)


@given(SCRIPTS, st.integers(1, 4))
def test_ties_are_told_in_the_order_of_starts(script: Script, slots: int) -> None:
    driver = follow(script, slots)
    for _, outcomes in driver.told:
        keys = [(driver.end_s(outcome), outcome.trial_id) for outcome in outcomes]
        assert keys == sorted(keys)


@given(SCRIPTS, st.integers(1, 4))
def test_costs_and_bounds_are_true(script: Script, slots: int) -> None:
    driver = follow(script, slots)
    for outcome in driver.outcomes:
        _, trial = driver.started[outcome.trial_id]
        answer = trial.config["answer"]
        needed_s = answer.at if isinstance(answer, Mishap) else answer
        assert outcome.spent <= min(needed_s, trial.cap)
        match outcome.status:
            case Status.DONE:
                assert outcome.cost == answer < trial.cap
            case Status.CAPPED:
                assert outcome.cost == outcome.spent
                assert outcome.note == "cancelled" or outcome.cost == trial.cap
            case _:
                assert outcome.status is answer.status


@given(SCRIPTS, st.integers(1, 4))
def test_the_same_script_gives_the_same_history(script: Script, slots: int) -> None:
    assert follow(script, slots).told == follow(script, slots).told
