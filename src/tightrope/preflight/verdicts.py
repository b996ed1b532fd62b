"""From probes to lines: pure judgements of what was seen."""

from collections.abc import Sequence
from statistics import median

from tightrope.errors import Finding
from tightrope.preflight.probe import Probe
from tightrope.preflight.report import Line, error, warning
from tightrope.records import Status
from tightrope.run.verdict import contradiction

_FAR_SHARE, _FAR = 0.2, 0.05  # costs of the same run that differ by more than both are noisy
_SLOW_SHARE, _SLOW_S = 0.5, 0.1  # a first run longer than the others by both came from a cold disk
_START_SHARE = 0.1
_RESOLUTIONS = 5.0  # a run shorter than this many resolutions is hardly measured
_TAIL_LINES = 12
_LEAST_S = 0.1  # what is shorter is written in milliseconds


def default_line(probes: Sequence[Probe], *, is_time: bool) -> Line:
    """Judge the default's runs, on one instance after the other."""
    if failed := [probe for probe in probes if probe.is_failed]:
        return Line("default", "", (_failure(failed[0]),), details(failed[0]))
    solved = [probe for probe in probes if probe.is_solved]
    if not solved:
        return Line("default", "", (_unfinished(probes[-1]),), f"$ {probes[-1].command}")
    first, *others = solved
    answer = "answer understood" if first.solution is None else f"answer {first.solution} understood"
    text = f"solved{_what(first)} in {cost(first.outcome.cost, is_time)}, {answer}"
    if not is_time:
        text = f"solved{_what(first)} at cost {first.outcome.cost:.6g}, {answer}"
    if others:
        costs = [probe.outcome.cost for probe in others]
        text += f"; {len(others)} more: {cost(min(costs), is_time)} to {cost(max(costs), is_time)}"
    return Line("default", text, _own_findings(probes))


def repeatable_line(probes: Sequence[Probe], *, is_time: bool, deterministic: bool) -> Line:
    """Judge runs of the same config on the same task, in the order in which they were run."""
    first, *others = probes
    for other in others:
        if other.is_failed or _differ(first, other):
            how = _ending(other) if other.is_failed else f"answer {other.solution} after {first.solution}"
            finding = error("C09", "default", f"the same run again{_on(first)} ended otherwise: {how}")
            return Line("repeatable", "", (finding,), details(other))
    costs = [probe.outcome.cost for probe in probes if probe.is_solved]
    if len(costs) < 2:
        return Line("repeatable", "", (warning("C16", "default", "not seen: its second run was cut off"),))
    middle = median(costs)
    spread = max(costs) - min(costs)
    share = spread / middle if middle else 0.0
    text = f"same seed, same answer; cost varies by {_percent(share)} in {len(costs)} runs"
    findings = []
    if _is_cold(probes, is_time=is_time):
        message = f"the first run took {_s(costs[0])}, the next ones {_s(median(costs[1:]))}"
        findings.append(warning("C17", "default", message, "read all instances once before"))
    elif spread > _FAR_SHARE * middle and (spread > _FAR or not is_time):
        hint = "is the machine busy?" if is_time else "what else does it depend on?"
        if deterministic and not is_time:
            hint = "set deterministic = false, and give it {seed}"
        message = f"the same run costs {cost(min(costs), is_time)} to {cost(max(costs), is_time)}"
        findings.append(warning("C10", "default", message, hint))
    return Line("repeatable", text, tuple(findings))


def kill_line(probe: Probe, *, is_time: bool) -> Line:
    """Judge a run that was to be stopped half-way."""
    survived = [finding for finding in probe.findings if finding.code in ("T02", "T04")]
    if probe.survivors:
        message = f"{probe.survivors} of its processes live on"
        hint = "they were started by somebody else on its behalf, or belong to another user"
        survived.append(error("C12", "kill", message, hint))
    if survived:
        return Line("kill", "", tuple(survived), f"$ {probe.command}" if probe.command else "")
    if probe.outcome.status not in (Status.CAPPED, Status.LOST):
        message = f"not seen: the run was over after {_s(probe.elapsed_s)}"
        return Line("kill", "", (warning("C11", "kill", message, "harder instances would show it"),))
    at = f"at {_s(probe.trial.cap)}" if is_time and not probe.is_cut_off else "half-way"
    after_s = probe.outcome.spent if is_time else probe.elapsed_s
    return Line("kill", f"cut {at}, gone after {_s(after_s)}, no children left")


def timing_line(
    probes: Sequence[Probe],
    absent: Probe | None,
    *,
    resolution: float,
    is_time: bool,
    load: float,
    cores: int,
) -> Line:
    """Judge what surrounds the work itself: start-up, measuring, other load.

    Parameters
    ----------
    probes : sequence of Probe
        Runs that were solved.
    absent : Probe or None
        A run on an instance that is not there; None if there was none.
    resolution : float
        The smallest difference in cost that counts.
    is_time : bool
        Whether the cost is time.
    load : float
        Processes that wanted to run during the last minute, on average.
    cores : int
        Cores that may be used.
    """
    typical = median(probe.outcome.spent for probe in probes)
    ours_s = min(max(0.0, probe.elapsed_s - probe.outcome.wall_s) for probe in probes)
    parts, findings = [f"{_s(ours_s)} a run for measuring"], []
    if absent is not None and absent.is_solved:
        message = f"it says it solved {absent.trial.task.instance}, which does not exist"
        hint = "does the command have {instance}, and is the exit code right?"
        findings.append(warning("C14", "command", message, hint))
    elif absent is not None and absent.is_failed:
        share = absent.outcome.spent / typical if typical else 1.0
        parts.insert(0, f"start-up {_s(absent.outcome.spent)}, {_percent(share)} of a run")
        if share > _START_SHARE:
            findings.append(
                warning("C13", "command", "a large share of a run is start-up", "harder instances?")
            )
    costs = [probe.outcome.cost for probe in probes]
    if is_time and median(costs) < _RESOLUTIONS * resolution:
        beside = "not far above" if median(costs) > resolution else "below"
        message = f"a run takes {_s(median(costs))}, {beside} the resolution of {_s(resolution)}"
        findings.append(warning("C19", "default", message, "harder instances tell more"))
    if load > cores + 1:
        message = f"load {load:.1f} on {cores} cores"
        findings.append(warning("C18", "machine", message, 'wait for the others; cost = "cpu" suffers least'))
    return Line("timing", ", ".join(parts), tuple(findings))


def parameters_line(probes: Sequence[Probe], reference: Probe, *, is_time: bool) -> Line:
    """Judge runs of random configs on a task that the default has solved."""
    failed = [probe for probe in probes if probe.is_failed]
    n_solved = sum(probe.is_solved for probe in probes)
    n_cut = len(probes) - n_solved - len(failed)
    cut = f", {n_cut} cut short" if n_cut else ""
    text = f"{len(probes)} random configs: {n_solved} solved{cut}"
    findings: list[Finding] = []
    shown = ""
    if failed:
        make = error if len(failed) == len(probes) else warning
        message = f"{len(failed)} of {len(probes)} random configs failed: {_ending(failed[0])}"
        findings.append(make("C15", f"config {dict(failed[0].trial.config)}", message, "see the command"))
        shown = details(failed[0])
    if is_time and (other := next((each for each in probes if _differ(reference, each)), None)):
        message = (
            f"configs disagree{_on(other)}: {other.solution}, where the default says {reference.solution}"
        )
        findings.append(error("C20", f"config {dict(other.trial.config)}", message, "one of them is wrong"))
        shown = shown or f"$ {other.command}"
    return Line("parameters", text, tuple(findings), shown)


def details(probe: Probe) -> str:
    """Return the command to paste, and the last lines that it printed."""
    _, _, rest = probe.outcome.note.partition("\n")
    lines = [line for line in rest.splitlines() if not line.startswith("$ ")]
    shown = lines[-_TAIL_LINES:]
    return "\n".join([f"$ {probe.command}", *shown] if probe.command else shown)


def cost(value: float, is_time: bool) -> str:
    """Write a cost."""
    return _s(value) if is_time else f"{value:.6g}"


def _s(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= _LEAST_S else f"{1000 * seconds:.3g} ms"


def _percent(share: float) -> str:
    """Write a share with two digits, and without an exponent."""
    return f"{float(f'{100 * share:.2g}'):.15g} %"


_HINTS = (
    ("exit code 10", 'SAT solvers end so: set answer = "sat"'),
    ("exit code 20", 'SAT solvers end so: set answer = "sat"'),
    (
        "cannot be started: No such file",
        "check the path of the program; it is relative to the folder it runs in",
    ),
    ("cannot be started: Permission denied", "make it executable: chmod +x"),
    ("cannot be started: Exec format", "a script needs a first line such as #!/bin/sh"),
    ("it seems to sleep", 'set cost = "wall", if it waits for others'),
    ("wrong answer", "is `expected` right? then the program is not"),
)


def _failure(probe: Probe) -> Finding:
    ending = _ending(probe)
    usual = "paste the command into a shell" if probe.command else ""
    hint = next((hint for start, hint in _HINTS if ending.startswith(start)), usual)
    return error("C07", "default", f"fails{_on(probe)}: {ending}", hint)


def _unfinished(probe: Probe) -> Finding:
    after = f"in the {_s(probe.elapsed_s)} of this check" if probe.is_cut_off else "below the ceiling"
    return warning("C08", "default", f"did not finish{_on(probe)} {after}", "try easier instances")


def _ending(probe: Probe) -> str:
    return probe.outcome.note.partition("\n")[0] or "it does not say why"


def _on(probe: Probe) -> str:
    return f" on{_what(probe)}" if probe.trial.task.instance else ""


def _what(probe: Probe) -> str:
    instance = probe.trial.task.instance
    return f" {instance}" if instance else ""


def _differ(one: Probe, other: Probe) -> bool:
    """Whether both answered, and not the same."""
    if one.solution is None or other.solution is None or not (one.is_solved and other.is_solved):
        return False
    return bool(contradiction(other.solution, one.solution))


def _is_cold(probes: Sequence[Probe], *, is_time: bool) -> bool:
    if not is_time or not all(probe.is_solved for probe in probes):
        return False
    first, *others = (probe.outcome.cost for probe in probes)
    usual = median(others)
    return first - usual > max(_SLOW_S, _SLOW_SHARE * usual)


def _own_findings(probes: Sequence[Probe]) -> tuple[Finding, ...]:
    """Return what the supervisor found, each kind once."""
    return tuple({finding.code: finding for probe in probes for finding in probe.findings}.values())
