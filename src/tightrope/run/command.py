"""CommandTarget: a command line, run under a supervisor."""

import shlex
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from math import inf, isfinite
from typing import Literal

from tightrope.errors import Finding, TargetError
from tightrope.records import Outcome, Status, Trial
from tightrope.run.answer import ExitCode, Reader
from tightrope.run.start_error import StartError, start_error_of
from tightrope.run.style import Style
from tightrope.run.supervise.report import Ending
from tightrope.run.supervise.supervisor import Limits, Supervised, guard_for
from tightrope.run.template import Template, read_template
from tightrope.run.verdict import Rules, outcome_from_ending


@dataclass(frozen=True)
class CommandTarget:
    """A command line to run for each trial; the cost is CPU time, wall time, or a number it prints.

    Every value reaches the program as one argument, whatever characters it contains. A run that reaches its
    cap on the chosen clock is stopped, with all processes it started.

    Parameters
    ----------
    command : str or sequence of str
        Program and arguments with placeholders: `{instance}`, `{seed}`, `{cap}`, `{parameters}` for all
        active parameters, `{name}` for one of `names`, `{specifics}`, or `{trial}` for the number of the
        trial. Double a brace to mean the brace itself.
    clock : {"cpu", "wall"}, default="cpu"
        What is measured: user and system time of the whole process tree, or elapsed time.
    answer : Reader, default=ExitCode()
        How success and cost are read: `ExitCode`, `SatSolver`, `JsonLine`, `Pattern`, `ResultLine`,
        `IraceLine`.
    parameters : str or mapping, default="--{name}={value}"
        How parameters are written: one pattern for all, or one for each; see `Style`.
    flags : str or None, default=None
        How boolean parameters are written, such as "--{name}" or "-{name}/-no-{name}".
    names : collection of str, default=()
        Parameters that may have their own placeholder in the command.
    specifics : mapping, default={}
        The value of `{specifics}` for each instance, as in AClib's conventions; "0" for others.
    expected : mapping, default={}
        Known solutions by instance; a run with another answer fails.
    limit_s : float, default=inf
        Time limit of a run whose cost is a printed number. Where time is the cost, the cap is the limit.
    memory_mb : float, default=inf
        Memory limit of the process tree, in units of 10**6 bytes.
    processes : int or None, default=None
        Largest number of processes and threads at a time; forking beyond it fails. Needs control groups.
    grace_s : float, default=0.05
        Time between SIGTERM and SIGKILL.
    keep_kb : int, default=32
        How much is kept of each end of each output stream, in units of 1024 bytes.
    cwd : str or None, default=None
        Working directory.
    env : mapping, default={}
        Environment variables to add to those of this process.
    shell : bool, default=False
        Whether the command is a shell script; values are then quoted for the shell.

    Examples
    --------
    >>> from tightrope.records import Config, Task, Trial
    >>> target = CommandTarget("solver --seed {seed} {parameters} {instance}")
    >>> target.command_for(Trial(0, Config({"alpha": 0.5}), cap=3.0, task=Task("a b.cnf", 7)))
    ['solver', '--seed', '7', '--alpha=0.5', 'a b.cnf']
    """

    command: str | Sequence[str]
    _: KW_ONLY
    clock: Literal["cpu", "wall"] = "cpu"
    answer: Reader = field(default_factory=ExitCode)
    parameters: str | Mapping[str, str] = "--{name}={value}"
    flags: str | None = None
    names: Collection[str] = ()
    specifics: Mapping[str, str] = field(default_factory=dict)
    expected: Mapping[str, str | float] = field(default_factory=dict)
    limit_s: float = inf
    memory_mb: float = inf
    processes: int | None = None
    grace_s: float = 0.05
    keep_kb: int = 32
    cwd: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    shell: bool = False
    template: Template = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.clock not in ("cpu", "wall"):
            raise TargetError(f"the clock must be 'cpu' or 'wall', not {self.clock!r}")
        for key in ("limit_s", "memory_mb", "keep_kb"):
            if not getattr(self, key) > 0:
                raise TargetError(f"{key} must be positive, not {getattr(self, key)}")
        if self.processes is not None and self.processes < 1:
            raise TargetError(f"processes must be positive, not {self.processes}")
        if not 0 <= self.grace_s < inf:
            raise TargetError(f"grace_s must be a number of seconds, not {self.grace_s}")
        if isfinite(self.limit_s) and not self.answer.prints_cost:
            raise TargetError(
                f"limit_s={self.limit_s} has no effect where time is the cost",
                hint="set the ceiling instead",
            )
        style = Style(self.parameters, self.flags)
        template = read_template(
            self.command, style, names=self.names, shell=self.shell, specifics=self.specifics
        )
        object.__setattr__(self, "template", template)

    def command_for(self, trial: Trial) -> list[str]:
        """Return the program and arguments of a trial."""
        return self.template.fill(trial)

    def start(self, trial: Trial, *, cores: Collection[int] = ()) -> "CommandProcess":
        """Start a trial and return at once."""
        if not (trial.cap > 0 or self.answer.prints_cost):
            raise TargetError(f"trial {trial.id} has a cap of {trial.cap}, which is not positive")
        cap_s = self.limit_s if self.answer.prints_cost else trial.cap
        limits = Limits(
            self.clock,
            cap_s=cap_s,
            guard_s=guard_for(cap_s) if self.clock == "cpu" else inf,
            memory_mb=self.memory_mb,
            grace_s=self.grace_s,
            keep_kb=self.keep_kb,
            processes=self.processes or 0,
        )
        command = self.template.fill(trial)
        supervised = Supervised(command, limits, cwd=self.cwd, env=self.env, cores=cores)
        return CommandProcess(trial, command, supervised, Rules(self.clock, self.answer, self.expected))

    def close(self) -> None:
        """Do nothing: a command target keeps nothing between runs."""


class CommandProcess:
    """A running trial of a command; see `tightrope.run.target.Process`."""

    def __init__(self, trial: Trial, command: list[str], supervised: Supervised, rules: Rules) -> None:
        self._trial = trial
        self._command = command
        self._supervised = supervised
        self._rules = rules
        self._start_s = time.monotonic()
        self._outcome: Outcome | None = None
        self._ending: Ending | None = None
        self._findings: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        return f"CommandProcess(trial {self._trial.id}: {shlex.join(self._command)})"

    @property
    def trial(self) -> Trial:
        """The trial that was started."""
        return self._trial

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings about this run; complete once there is an outcome."""
        return self._findings

    @property
    def ending(self) -> Ending | None:
        """How the command ended and what it printed; None before that, or if its supervisor was killed."""
        return self._ending

    @property
    def start_error(self) -> StartError | None:
        """Why this machine could not start it, if that is why it is LOST."""
        return None if self._ending is None else start_error_of(self._ending)

    @property
    def mark(self) -> str:
        """The value of `TIGHTROPE_RUN` in the environment of all processes of the run."""
        return self._supervised.mark

    @property
    def supervisor_pid(self) -> int:
        """The supervisor's process id."""
        return self._supervised.pid

    def fileno(self) -> int:
        """Return a descriptor that becomes readable when there is something to `poll`."""
        return self._supervised.fileno()

    def watch(self) -> None:
        """Kill the run if its supervisor no longer responds."""
        if self._outcome is None:
            self._supervised.watch()

    def poll(self) -> Outcome | None:
        """Return the outcome, or None while the trial runs."""
        if self._outcome is None and self._supervised.is_over():
            self._outcome = self._conclude()
            self._supervised.close()
        return self._outcome

    def cancel(self) -> None:
        """Request that the run be stopped."""
        if self._outcome is None:
            self._supervised.cancel()

    def close(self) -> None:
        """Release everything; a run that has not ended is killed."""
        self._supervised.close()

    def _conclude(self) -> Outcome:
        ending = self._ending = self._supervised.ending()
        if ending is None:
            wall_s = time.monotonic() - self._start_s
            is_guilty = self._supervised.has_stopped_it
            note = "it stopped its supervisor" if is_guilty else "its supervisor was killed"
            status = Status.FAILED if is_guilty else Status.LOST
            return Outcome(self._trial.id, status, inf, wall_s, wall_s=wall_s, note=note)
        outcome, self._findings = outcome_from_ending(self._trial, ending, self._rules, command=self._command)
        return outcome
