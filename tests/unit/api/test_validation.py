"""Configs side by side: what is run, what counts, and how it is put into words."""

from math import inf

from tightrope.api.validation import Validation
from tightrope.compare.contrast import Claim
from tightrope.compare.match import Contender, Match, contender, match, scores_by_config
from tightrope.compare.validation_findings import findings_of
from tightrope.errors import Finding
from tightrope.race.objective import Objective
from tightrope.records import Config, Outcome, Run, Status, StopKind, StopReason, Task, Trial
from tightrope.store import History

SLOW, FAST = Config({"x": 1}), Config({"x": 2})
CEILING = 10.0
TIMEOUT, CRASH = "timeout", "crash"


def run(number: int, config: Config, task: Task, cost: float | str) -> Run:
    trial = Trial(number, config, CEILING, task)
    if cost == TIMEOUT:
        return Run(trial, Outcome(number, Status.CAPPED, CEILING, CEILING))
    if cost == CRASH:
        return Run(trial, Outcome(number, Status.FAILED, inf, 0.1, note="exit code 1\n$ ./solver"))
    assert isinstance(cost, float | int)
    return Run(trial, Outcome(number, Status.DONE, cost, cost))


def runs_of(slow: list[float | str], fast: list[float | str]) -> list[Run]:
    """Return runs of both configs on one instance after the other."""
    both = [
        (config, i, cost) for config, costs in ((SLOW, slow), (FAST, fast)) for i, cost in enumerate(costs)
    ]
    return [run(n, config, Task(f"i{i}"), cost) for n, (config, i, cost) in enumerate(both)]


def validation_of(
    contenders: list[Contender],
    matches: list[Match],
    findings: list[Finding],
    runs: list[Run],
    *,
    par: float = 1.0,
    is_time: bool = False,
) -> Validation:
    return Validation(
        best={},
        cost=1.0,
        spent=1.0,
        wall_s=1.0,
        history=History(runs),
        trajectory=(),
        findings=findings,
        reason=StopReason(StopKind.COMPLETE, "all runs are done"),
        on="test",
        contenders=contenders,
        matches=matches,
        ceiling=CEILING,
        par=par,
        is_time=is_time,
    )


def compare(slow: list[float | str], fast: list[float | str], par: float = 1.0) -> tuple[Match, str]:
    """Return the match of the fast config against the slow one, and the sentence about it."""
    runs = runs_of(slow, fast)
    objective = Objective(CEILING, par)
    scores = scores_by_config(runs)
    found = match(("best", scores[FAST]), ("default", scores[SLOW]), objective, is_same=False)
    contenders = [contender("default", SLOW, runs, objective), contender("best", FAST, runs, objective)]
    doubts = findings_of("test", contenders, [found], runs)
    said = validation_of(contenders, [found], doubts, runs, par=par, is_time=True)
    return found, said.sentence(found)


def test_costs_of_all_runs_give_a_ratio() -> None:
    found, sentence = compare([4, 6, 8], [2, 3, 4])
    assert (found.contrast.claim, found.contrast.ratio) == (Claim.RATIO, 2.0)
    assert sentence == (
        "best is 2 times faster than default (95 % interval 2 to 2) on 3 test instances: "
        "better on 3, worse on 0."
    )


def test_timeout_of_the_default_gives_a_bound() -> None:
    found, sentence = compare([4, 6, TIMEOUT], [2, 3, 5])
    assert (found.contrast.claim, found.contrast.ratio) == (Claim.AT_LEAST, 2.0)
    assert sentence.startswith("best is >= 2 times faster than default (at least ")


def test_what_neither_solves_says_nothing() -> None:
    found, sentence = compare([4, 6, TIMEOUT], [2, 3, TIMEOUT])
    assert (found.contrast.claim, found.contrast.ratio, found.n_instances) == (Claim.RATIO, 2.0, 2)
    assert sentence.endswith("on 2 test instances: better on 2, worse on 0, 1 solved by neither.")


def test_timeout_of_the_best_leaves_only_a_score_and_says_so() -> None:
    found, sentence = compare([4, 8, TIMEOUT], [2, TIMEOUT, 3], par=10.0)
    assert found.contrast.is_score
    assert "timeouts and failures counting as 100" in sentence
    assert "faster" not in sentence
    assert (found.n_better, found.n_worse) == (2, 1)


def test_slower_config_is_called_slower() -> None:
    _, sentence = compare([2, 3, 4], [4, 6, 8])
    assert sentence.startswith("best is 2 times slower than default (95 % interval 2 to 2)")


def test_same_config_is_called_the_same() -> None:
    scores = scores_by_config(runs_of([1.0], [1.0]))[SLOW]
    found = match(("best", scores), ("default", scores), Objective(CEILING), is_same=True)
    said = validation_of([], [found], [], [])
    assert said.sentence(found) == "best is the same config as default."


def test_contender_counts_how_its_runs_ended() -> None:
    one = contender("best", FAST, runs_of([], [1, 3, TIMEOUT, CRASH]), Objective(CEILING, 2.0))
    assert (one.n_solved, one.n_timeouts, one.n_failures) == (2, 1, 1)
    assert one.cost.mean == (1 + 3 + 20 + 20) / 4
    assert one.median == 6.5


def test_repeats_of_a_task_are_averaged() -> None:
    task = Task("a")
    scores = scores_by_config([run(0, SLOW, task, 2.0), run(1, SLOW, task, 4.0)])
    assert scores[SLOW][task] == (3.0, True)


def test_repeat_that_timed_out_makes_the_task_a_bound() -> None:
    task = Task("a")
    scores = scores_by_config([run(0, SLOW, task, 2.0), run(1, SLOW, task, TIMEOUT)])
    assert scores[SLOW][task] == (6.0, False)


def test_doubts_are_told() -> None:
    runs = runs_of([4, 5, 6, CRASH], [5, 4, 7, 1])
    objective = Objective(CEILING)
    scores = scores_by_config(runs)
    found = match(("best", scores[FAST]), ("default", scores[SLOW]), objective, is_same=False)
    contenders = [contender("default", SLOW, runs, objective), contender("best", FAST, runs, objective)]
    doubts = findings_of("train", contenders, [found], runs)
    assert [doubt.code for doubt in doubts] == ["V02", "V03", "V01", "V04"]
    assert "$ ./solver" in doubts[-1].message
