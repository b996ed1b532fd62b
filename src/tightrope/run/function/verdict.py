"""Derives the outcome of a trial from a function's answer or its worker's end; runs nothing."""

from math import inf

from tightrope.errors import Finding, Severity, TargetError
from tightrope.records import Outcome, Status, Trial
from tightrope.run.answer import describe_exit
from tightrope.run.function.call import Failure
from tightrope.run.function.reply import Answer, Capped
from tightrope.run.function.worker import Finished
from tightrope.run.printed import writable
from tightrope.run.supervise.report import Ending, Reason

_NEAR_CAP = 0.9  # share of the cap from which on `Capped` is accepted
_LEAST_S = 1e-6  # resolution of the clocks; a cost of 0 would have no logarithm

OutcomeAndFindings = tuple[Outcome, tuple[Finding, ...]]


def outcome_from_answer(trial: Trial, finished: Finished, *, clock: str) -> OutcomeAndFindings:
    """Return the outcome of a run that came to its end."""
    answer = finished.answer
    time_s = {"wall": finished.wall_s, "cpu": finished.cpu_s, "cost": 0.0}[clock]
    if isinstance(answer, TargetError):
        findings = (_invalid_answer(answer),)
        return _outcome(trial, finished, Status.FAILED, spent=time_s, note=answer.problem), findings
    if isinstance(answer, Failure):
        spent = max(time_s, answer.spent)
        return _outcome(trial, finished, Status.FAILED, spent=spent, note=answer.note), ()
    if isinstance(answer, Answer):
        status = Status.CAPPED if answer.capped else Status.DONE
        return _outcome(trial, finished, status, cost=answer.cost, spent=answer.cost), ()
    return _outcome_of_timed(trial, finished, time_s, gave_up=isinstance(answer, Capped)), ()


def outcome_from_ending(
    trial: Trial, ending: Ending, *, clock: str, partial: float | None
) -> OutcomeAndFindings:
    """Return the outcome of a run whose worker ended; `partial` is the last partial cost, if any."""
    measured = Finished(None, ending.wall_s, ending.cpu_s)
    spent = (partial or 0.0) if clock == "cost" else ending.cpu_s if clock == "cpu" else ending.wall_s
    status, cost, note = _status_of_ending(trial, ending, clock=clock, partial=partial, spent=spent)
    return _outcome(trial, measured, status, cost=cost, spent=spent, note=note), ()


def outcome_from_load_error(trial: Trial, problem: str) -> OutcomeAndFindings:
    """Return the outcome of a run whose function cannot be loaded."""
    finding = Finding(
        "F01",
        Severity.ERROR,
        f"trial {trial.id}",
        f"the function cannot be loaded in a worker process\n{problem.rstrip()}\n",
        "workers import the module that defines it: make it importable, or put the script's main part under "
        '`if __name__ == "__main__":`',
    )
    note = f"the function cannot be loaded in a worker process\n{problem.rstrip()}"
    return Outcome(trial.id, Status.FAILED, inf, 0.0, note=note), (finding,)


def _status_of_ending(
    trial: Trial, ending: Ending, *, clock: str, partial: float | None, spent: float
) -> tuple[Status, float, str]:
    used = f"{ending.cpu_s:.3g} s of CPU time in {ending.wall_s:.3g} s"
    match ending.reason:
        case Reason.CAP if clock != "cost":
            return Status.CAPPED, trial.cap, ""
        case Reason.CANCELLED if clock != "cost" or partial is not None:
            return Status.CAPPED, min(spent, trial.cap), "cancelled"
        case Reason.CAP:
            return Status.FAILED, inf, f"it returned no cost within its time limit; it used {used}"
        case Reason.GUARD:
            note = f"it seems to sleep: it used {used}; use clock='wall' for functions that wait"
            return Status.FAILED, inf, note
        case Reason.HIDDEN:
            note = f"it hides its CPU time: it was busy, but {used} could be accounted for"
            return Status.FAILED, inf, note
        case Reason.MEMORY:
            return Status.FAILED, inf, f"it held {ending.peak_mb:.0f} MB, more than its memory limit"
        case Reason.EXITED:
            return Status.FAILED, inf, f"it ended its process: {describe_exit(ending.exit_code)}"
        case _:
            return Status.LOST, inf, f"stopped without a result: {ending.reason.value}"


def _outcome_of_timed(trial: Trial, finished: Finished, time_s: float, *, gave_up: bool) -> Outcome:
    if time_s >= trial.cap or (gave_up and time_s >= _NEAR_CAP * trial.cap):
        return _outcome(trial, finished, Status.CAPPED, cost=trial.cap, spent=time_s)
    if gave_up:
        note = f"it gave up after {time_s:.3g} s, well before its cap of {trial.cap:.6g} s"
        return _outcome(trial, finished, Status.FAILED, spent=time_s, note=note)
    return _outcome(trial, finished, Status.DONE, cost=max(time_s, _LEAST_S), spent=time_s)


def _invalid_answer(error: TargetError) -> Finding:
    return Finding("F02", Severity.ERROR, f"config {error.config}", error.problem, error.hint)


def _outcome(
    trial: Trial, measured: Finished, status: Status, *, spent: float, cost: float = inf, note: str = ""
) -> Outcome:
    wall_s, cpu_s = measured.wall_s, measured.cpu_s
    return Outcome(trial.id, status, cost, spent, wall_s=wall_s, cpu_s=cpu_s, note=writable(note))
