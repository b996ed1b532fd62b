"""Strip: the search for a small set of changes that keeps the gain.

Groups of changes are taken back from the best config. If what is left still keeps the gain, the group is
gone for good; otherwise its halves are tried, down to single changes. Halves have about equal predicted
weight, so that many changes that hardly matter are taken back in one contest. This is repeated on what is
left, until no change can be taken back.
"""

from collections.abc import Mapping

from tightrope.compare.ablation.board import Board, Contest
from tightrope.compare.ablation.changes import Changes, Chosen
from tightrope.compare.contrast import Claim
from tightrope.records import Config

TOLERANCE = 1.02  # a smaller ratio of costs is no loss
_KEPT = 0.95  # share of the gain that must be kept, even where the interval allows a larger loss
_Z = 2.0  # standard errors by which a config must be worse to be dropped early


class Strip:
    """Finds the set; `kept` always keeps the gain, and shrinks.

    Parameters
    ----------
    changes : Changes
        All changes, and the configs between which they lead; both are measured.
    board : Board
        What was measured.
    """

    def __init__(self, changes: Changes, board: Board) -> None:
        self._changes, self._board = changes, board
        self.kept: Chosen = changes.all
        self.has_changed = True  # in this round
        self._weights: Mapping[int, float] = {}
        self._groups: list[list[int]] = []

    def begin_round(self, weights: Mapping[int, float]) -> None:
        """Try all kept changes again, given how much each of them seems to matter."""
        self._weights = weights
        self._groups = [sorted(self.kept, key=lambda number: (weights[number], number))]
        self.has_changed = False

    def contest(self) -> Contest | None:
        """Advance as far as the runs allow; return the contest that needs more, None at the round's end."""
        while self._groups:
            group = [number for number in self._groups[-1] if number in self.kept]
            contest = self._contest(self.kept - set(group)) if group else None
            if contest is not None and not contest.is_over(self._board):
                return contest
            self._groups.pop()
            if contest is not None and self._wins(contest):
                self.kept -= set(group)
                self.has_changed = True
            elif group:
                self._groups += self._halves(group)
        return None

    def limit(self) -> float:
        """Return the largest ratio to the best config's cost at which a set may count as keeping the gain."""
        best, default = self._board.total(self._changes.best), self._board.total(self._changes.default)
        return max(TOLERANCE, 1.0 + (1.0 - _KEPT) * (default - best) / best) if best > 0 else TOLERANCE

    def _contest(self, chosen: Chosen) -> Contest | None:
        config = self._changes.config(chosen)
        return None if config is None else Contest(config, self._changes.best, self.limit(), _Z)

    def _wins(self, contest: Contest) -> bool:
        """Whether a config is within the tolerance, or the interval."""
        if contest.is_lost(self._board):
            return False
        return self._keeps(contest.config)

    def _keeps(self, config: Config) -> bool:
        board, best = self._board, self._changes.best
        if board.total(config) <= TOLERANCE * board.total(best):
            return True
        found = board.contrast(config, best)
        return found.claim is Claim.RATIO and found.interval is not None and found.interval[1] >= 1.0

    def _halves(self, group: list[int]) -> list[list[int]]:
        """Return the heavier and the lighter half of a group; the last one is tried first."""
        if len(group) == 1:
            return []
        total = sum(self._weights[number] for number in group)
        cut, sum_so_far = 0, 0.0
        while cut < len(group) - 1 and (cut == 0 or sum_so_far + self._weights[group[cut]] <= total / 2.0):
            sum_so_far += self._weights[group[cut]]
            cut += 1
        return [group[cut:], group[:cut]]
