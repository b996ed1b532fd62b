"""Path: the order in which the kept changes lead from the default to the stripped config.

At each step every remaining change is a candidate. The one that the model prefers is measured; the others
are raced against it, capped by what it needed, and the best becomes the next step.
"""

from collections.abc import Iterator, Sequence

from tightrope.compare.ablation.board import Board, Contest, Need
from tightrope.compare.ablation.changes import Changes, Chosen
from tightrope.records import Config

_Z = 1.5  # standard errors by which a candidate must be worse to be dropped early


class Path:
    """Finds the path; `steps` holds the changes of each step that is decided."""

    def __init__(self, changes: Changes, kept: Chosen) -> None:
        self._changes, self._kept = changes, kept
        self.steps: list[Chosen] = []
        self._candidates: list[Chosen] = []  # of the present step, in their order
        self._best: Chosen | None = None  # the best of those that are decided
        self._contest: Contest | None = None  # of the next one

    @property
    def done(self) -> Chosen:
        """All changes of the decided steps."""
        return frozenset[int]().union(*self.steps)

    @property
    def candidates(self) -> list[Chosen]:
        """Legal next steps: a single change, or all that are left if a clause forbids each of them."""
        left = self._kept - self.done
        single = [frozenset([number]) for number in sorted(left)]
        legal = [each for each in single if self._changes.config(self.done | each) is not None]
        return legal or ([left] if left else [])

    def begin_step(self, candidates: Sequence[Chosen]) -> None:
        """Start a step with its candidates, the likeliest first."""
        self._candidates = list(candidates)
        self._best = self._contest = None

    def advance(self, board: Board) -> bool:
        """Decide what the runs allow; return whether there is no step under way."""
        while self._candidates:
            candidate = self._candidates[0]
            config = self._config(candidate)
            if self._best is None:
                if not board.is_measured(config):
                    return False
                self._best = candidate
            else:
                self._contest = self._contest or Contest(config, self._config(self._best), 1.0, _Z)
                if not self._contest.is_over(board):
                    return False
                if _is_won(self._contest, board):
                    self._best = candidate
            self._contest = None
            self._candidates.pop(0)
        if self._best is not None:
            self.steps.append(self._best)
            self._best = None
        return True

    def needs(self, board: Board) -> Iterator[Need]:
        """Yield the runs that the present step needs next."""
        if self._contest is not None:
            yield from self._contest.needs(board)
        elif self._candidates:
            yield from board.to_measure(self._config(self._candidates[0]))

    def _config(self, candidate: Chosen) -> Config:
        config = self._changes.config(self.done | candidate)
        assert config is not None, "candidates are legal"
        return config


def _is_won(contest: Contest, board: Board) -> bool:
    return not contest.is_lost(board) and board.total(contest.config) < board.total(contest.against)
