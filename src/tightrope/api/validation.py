"""Validation: the result of `validate`, and the sentences that sum it up."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import TYPE_CHECKING, Any

from tightrope import figures
from tightrope.api.result import Result
from tightrope.compare.contrast import Claim
from tightrope.compare.match import Contender, Match

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, kw_only=True)
class Validation(Result):
    """Configs compared on the same tasks; printed, it is a summary.

    Attributes
    ----------
    best, cost, spent, wall_s, history, findings, reason
        As in `Result`: the config with the smallest mean cost, that cost, and so on. There is no trajectory.
    on : {"test", "train"}
        Which instances were used.
    contenders : sequence of Contender
        The configs; the others are compared with the first.
    matches : sequence of Match
        The comparisons.
    ceiling, par : float
        The cap of all runs, and how many ceilings an unsolved run counts.
    is_time : bool
        Whether the cost is time.
    """

    on: str
    contenders: Sequence[Contender]
    matches: Sequence[Match]
    ceiling: float = inf
    par: float = 1.0
    is_time: bool = False

    def plot(self, *, figure: "Figure | None" = None) -> "Figure":
        """Draw the costs of the first and the last config, instance by instance.

        See `tightrope.figures.draw_scatter`.
        """
        first, last = self.contenders[0], self.contenders[-1]
        return figures.draw_scatter(
            self.history.runs,
            (first.name, first.config),
            (last.name, last.config),
            ceiling=self.ceiling,
            figure=figure,
        )

    def __str__(self) -> str:
        return "\n".join([*(self.sentence(match) for match in self.matches), *map(str, self.findings)])

    def sentence(self, match: Match) -> str:
        """Return the result of a match: the winner, the ratio with its interval, and the instances."""
        kind = "test" if self.on == "test" else "training"
        on = f"on {match.n_instances} {kind} instance{'' if match.n_instances == 1 else 's'}"
        if match.contrast.claim is Claim.SAME:
            return f"{match.name} is the same config as {match.against}."
        counts = f"better on {match.n_better}, worse on {match.n_worse}"
        if match.n_unsolved:
            counts += f", {match.n_unsolved} solved by neither"
        return f"{self._claim(match)} {on}: {counts}."

    def _claim(self, match: Match) -> str:
        contrast = match.contrast
        name, other = match.name, match.against
        if contrast.claim is Claim.OPEN:
            return f"The comparison of {name} with {other} is undecided"
        is_slower = contrast.ratio < 1
        low, high = contrast.interval or (nan, nan)
        ratio = contrast.ratio
        if is_slower:
            ratio, low, high = 1 / ratio, 1 / high if high else inf, 1 / low if low else inf
        verb = self._verb(is_slower=is_slower, is_score=contrast.is_score)
        sign = ">= " if contrast.claim is Claim.AT_LEAST else ""
        how = f"{name} {verb[0]} {sign}{ratio:.3g} times {verb[1]} {other}{_interval(low, high)}"
        if contrast.is_score:
            how += f", timeouts and failures counting as {self.ceiling * self.par:.6g}"
        elif contrast.n_cut and contrast.claim is Claim.AT_LEAST:
            how += f", which was stopped {contrast.n_cut} times"
        return how

    def _verb(self, *, is_slower: bool, is_score: bool) -> tuple[str, str]:
        if self.is_time and not is_score:
            return ("is", "slower than" if is_slower else "faster than")
        what = "scores" if is_score else "costs"
        return (what, "more than" if is_slower else "less than")

    def as_dict(self) -> dict[str, Any]:
        """Return a dictionary for JSON, in which infinite numbers must become null."""
        return {
            "on": self.on,
            "contenders": [
                {
                    "name": one.name,
                    "config": dict(one.config),
                    "mean": one.cost.mean,
                    "interval": one.cost.interval,
                    "median": one.median,
                    "tasks": one.cost.n_tasks,
                    "solved": one.n_solved,
                    "timeouts": one.n_timeouts,
                    "failures": one.n_failures,
                }
                for one in self.contenders
            ],
            "matches": [
                {
                    "name": each.name,
                    "against": each.against,
                    "claim": each.contrast.claim.value,
                    "ratio": each.contrast.ratio,
                    "interval": each.contrast.interval,
                    "is_score": each.contrast.is_score,
                    "instances": each.n_instances,
                    "unsolved": each.n_unsolved,
                    "better": each.n_better,
                    "worse": each.n_worse,
                    "sentence": self.sentence(each),
                }
                for each in self.matches
            ],
            "findings": [
                {"code": each.code, "where": each.where, "message": each.message} for each in self.findings
            ],
        }


def _interval(low: float, high: float) -> str:
    if low != low or high != high:
        return ""
    if high == inf:
        return f" (at least {low:.3g} with 95 % confidence)"
    return f" (95 % interval {low:.3g} to {high:.3g})"
