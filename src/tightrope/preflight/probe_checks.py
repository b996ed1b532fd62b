"""Checks of probes: each turns observed runs into a line of the report; runs nothing."""

from collections.abc import Sequence
from statistics import median

from tightrope.errors import Finding
from tightrope.preflight.probe import Probe
from tightrope.preflight.report import CheckLine, error, warning
from tightrope.records import Status
from tightrope.run.supervise.groups import Groups
from tightrope.run.verdict import contradiction

_FAR_SHARE, _FAR = 0.2, 0.05  # costs of the same run that differ by more than both are noisy
_SLOW_SHARE, _SLOW_S = 0.5, 0.1  # a first run slower than the others by both read from a cold disk
_START_SHARE = 0.1  # largest share of a run for start-up
_RESOLUTIONS = 5.0  # a run shorter than this many resolutions cannot be measured well
_TAIL_LINES = 12
_LEAST_S = 0.1  # shorter times are written in milliseconds


def check_default(probes: Sequence[Probe], *, is_time: bool) -> CheckLine:
    """Check runs of the default config on different instances."""
    if failed := [probe for probe in probes if probe.is_failed]:
        return CheckLine("default", "", (_failure(failed[0]),), details(failed[0]))
    solved = [probe for probe in probes if probe.is_solved]
    if not solved:
        return CheckLine("default", "", (_unfinished(probes[-1]),), f"$ {probes[-1].command}")
    first, *others = solved
    answer = "answer read" if first.solution is None else f"answer {first.solution}"
    text = f"solved{_instance(first)} in {cost(first.outcome.cost, is_time)}, {answer}"
    if not is_time:
        text = f"solved{_instance(first)} at cost {first.outcome.cost:.6g}, {answer}"
    if others:
        costs = [probe.outcome.cost for probe in others]
        text += f"; {len(others)} more: {cost(min(costs), is_time)} to {cost(max(costs), is_time)}"
    return CheckLine("default", text, _supervisor_findings(probes))


def check_repeatable(probes: Sequence[Probe], *, is_time: bool, deterministic: bool) -> CheckLine:
    """Check runs of the same config on the same task, in the order of their starts."""
    first, *others = probes
    for other in others:
        if other.is_failed or _differ(first, other):
            how = (
                _ending(other) if other.is_failed else f"answer {other.solution} instead of {first.solution}"
            )
            finding = error("C09", "default", f"a repeated run{_on(first)} ended differently: {how}")
            return CheckLine("repeatable", "", (finding,), details(other))
    costs = [probe.outcome.cost for probe in probes if probe.is_solved]
    if len(costs) < 2:
        return CheckLine(
            "repeatable", "", (warning("C16", "default", "not checked: the second run was cut off"),)
        )
    middle = median(costs)
    spread = max(costs) - min(costs)
    share = spread / middle if middle else 0.0
    text = f"same seed, same answer; cost varies by {_percent(share)} in {len(costs)} runs"
    findings = []
    if _is_cold(probes, is_time=is_time):
        message = f"the first run took {_s(costs[0])}, later ones {_s(median(costs[1:]))}"
        findings.append(warning("C17", "default", message, "read all instances once before tuning"))
    elif spread > _FAR_SHARE * middle and (spread > _FAR or not is_time):
        hint = "is the machine busy?" if is_time else "find out what else it depends on"
        if deterministic and not is_time:
            hint = "set deterministic = false, and pass {seed}"
        message = f"repeated runs cost {cost(min(costs), is_time)} to {cost(max(costs), is_time)}"
        findings.append(warning("C10", "default", message, hint))
    return CheckLine("repeatable", text, tuple(findings))


def check_kill(probe: Probe, *, is_time: bool) -> CheckLine:
    """Check a run that was to be stopped half-way."""
    survived = [finding for finding in probe.findings if finding.code in ("T02", "T04")]
    if probe.survivors:
        message = f"{probe.survivors} of its processes are still running"
        hint = "perhaps a service started them on its behalf, or they belong to another user"
        survived.append(error("C12", "kill", message, hint))
    if survived:
        return CheckLine("kill", "", tuple(survived), f"$ {probe.command}" if probe.command else "")
    if probe.outcome.status not in (Status.CAPPED, Status.LOST):
        message = f"not checked: the run ended after {_s(probe.elapsed_s)}"
        return CheckLine("kill", "", (warning("C11", "kill", message, "use a harder instance"),))
    at = f"at {_s(probe.trial.cap)}" if is_time and not probe.is_cut_off else "half-way"
    after_s = probe.outcome.spent if is_time else probe.elapsed_s
    return CheckLine("kill", f"stopped {at}, gone after {_s(after_s)}, no children left")


def check_groups(groups: Groups) -> CheckLine:
    """Report whether control groups measure and end runs on this machine."""
    if groups:
        return CheckLine("groups", f"control groups of {groups}")
    return CheckLine("groups", "no control groups: what hides from its parents is measured less exactly")


def check_timing(
    probes: Sequence[Probe],
    absent: Probe | None,
    *,
    resolution: float,
    is_time: bool,
    load: float,
    cores: int,
) -> CheckLine:
    """Check start-up, the overhead of measuring, and the load of the machine.

    Parameters
    ----------
    probes : sequence of Probe
        Solved runs.
    absent : Probe or None
        A run on an instance that does not exist; None without such a run.
    resolution : float
        The smallest cost difference that counts.
    is_time : bool
        Whether the cost is time.
    load : float
        The load average of the last minute.
    cores : int
        Usable cores.
    """
    typical = median(probe.outcome.spent for probe in probes)
    overhead_s = min(max(0.0, probe.elapsed_s - probe.outcome.wall_s) for probe in probes)
    parts, findings = [f"{_s(overhead_s)} a run for measuring"], []
    if absent is not None and absent.is_solved:
        message = f"it reported success on {absent.trial.task.instance}, which does not exist"
        hint = "check that the command has {instance}, and the exit code"
        findings.append(warning("C14", "command", message, hint))
    elif absent is not None and absent.is_failed:
        share = absent.outcome.spent / typical if typical else 1.0
        parts.insert(0, f"start-up {_s(absent.outcome.spent)}, {_percent(share)} of a run")
        if share > _START_SHARE:
            findings.append(
                warning("C13", "command", "a large share of a run is start-up", "use harder instances")
            )
    costs = [probe.outcome.cost for probe in probes]
    if is_time and median(costs) < _RESOLUTIONS * resolution:
        compared = "not far above" if median(costs) > resolution else "below"
        message = f"a run takes {_s(median(costs))}, {compared} the resolution of {_s(resolution)}"
        findings.append(warning("C19", "default", message, "use harder instances"))
    if load > cores + 1:
        message = f"load {load:.1f} on {cores} cores"
        findings.append(
            warning("C18", "machine", message, 'wait until it is idle; cost = "cpu" is affected least')
        )
    return CheckLine("timing", ", ".join(parts), tuple(findings))


def check_parameters(probes: Sequence[Probe], reference: Probe, *, is_time: bool) -> CheckLine:
    """Check runs of random configs on a task that the default solved."""
    failed = [probe for probe in probes if probe.is_failed]
    n_solved = sum(probe.is_solved for probe in probes)
    n_cut = len(probes) - n_solved - len(failed)
    cut = f", {n_cut} stopped" if n_cut else ""
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
            f"configs disagree{_on(other)}: {other.solution}, but the default answers {reference.solution}"
        )
        findings.append(
            error("C20", f"config {dict(other.trial.config)}", message, "one of the answers is wrong")
        )
        shown = shown or f"$ {other.command}"
    return CheckLine("parameters", text, tuple(findings), shown)


def details(probe: Probe) -> str:
    """Return the command to paste, and its last lines of output."""
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
    """Write a share with two significant digits, without an exponent."""
    return f"{float(f'{100 * share:.2g}'):.15g} %"


_HINTS = (
    ("exit code 10", 'SAT solvers exit with this code: set answer = "sat"'),
    ("exit code 20", 'SAT solvers exit with this code: set answer = "sat"'),
    (
        "cannot be started: No such file",
        "check the path of the program; it is relative to its working directory",
    ),
    ("cannot be started: Permission denied", "make it executable: chmod +x"),
    ("cannot be started: Exec format", "a script needs a first line such as #!/bin/sh"),
    ("it seems to sleep", 'set cost = "wall" if it waits for other processes'),
    ("wrong answer", "check `expected`; if it is right, the program is wrong"),
)


def _failure(probe: Probe) -> Finding:
    ending = _ending(probe)
    fallback = "paste the command into a shell" if probe.command else ""
    hint = next((hint for start, hint in _HINTS if ending.startswith(start)), fallback)
    return error("C07", "default", f"fails{_on(probe)}: {ending}", hint)


def _unfinished(probe: Probe) -> Finding:
    after = (
        f"within {_s(probe.elapsed_s)}, the time limit of this check"
        if probe.is_cut_off
        else "below the ceiling"
    )
    return warning("C08", "default", f"did not finish{_on(probe)} {after}", "use easier instances")


def _ending(probe: Probe) -> str:
    return probe.outcome.note.partition("\n")[0] or "no reason was given"


def _on(probe: Probe) -> str:
    return f" on{_instance(probe)}" if probe.trial.task.instance else ""


def _instance(probe: Probe) -> str:
    instance = probe.trial.task.instance
    return f" {instance}" if instance else ""


def _differ(one: Probe, other: Probe) -> bool:
    """Return whether both answered, but differently."""
    if one.solution is None or other.solution is None or not (one.is_solved and other.is_solved):
        return False
    return bool(contradiction(other.solution, one.solution))


def _is_cold(probes: Sequence[Probe], *, is_time: bool) -> bool:
    if not is_time or not all(probe.is_solved for probe in probes):
        return False
    first, *others = (probe.outcome.cost for probe in probes)
    typical = median(others)
    return first - typical > max(_SLOW_S, _SLOW_SHARE * typical)


def _supervisor_findings(probes: Sequence[Probe]) -> tuple[Finding, ...]:
    """Return the findings of the supervisor, one of each code."""
    return tuple({finding.code: finding for probe in probes for finding in probe.findings}.values())
