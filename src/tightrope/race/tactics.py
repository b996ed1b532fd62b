"""Tactics: finer settings of a tuning, which rarely need changing."""

from dataclasses import KW_ONLY, dataclass, fields

from tightrope.errors import Fault, ScenarioError

_LEAST = {"trees": 1, "first_tasks": 1, "first_rung": 1, "n_design": 1, "fewest_runs": 1, "tolerance": 1}


@dataclass(frozen=True, slots=True)
class Tactics:
    """Finer settings of a tuning; docs/design/race.md has the evidence for the defaults.

    Parameters
    ----------
    first_tasks : int, default=8
        Tasks that the default config runs before the first challenger.
    opening : float, default=2.0
        Stop these first tasks earlier, once this many ceilings have been spent.
    first_rung : int, default=1
        Smallest number of tasks in a challenger's first comparison with the incumbent.
    stake : float, default=0.25
        The first comparison takes tasks until they cost the incumbent this multiple of its mean; tasks that
        cost more than the mean come later.
    tolerance : float, default=1.0
        Between rungs, a challenger is dropped only if it costs more than this multiple of the incumbent's
        cost. On the last rung it must cost less than the incumbent.
    defence : float, default=0.03
        Tasks that the incumbent gains for each challenger. It is raised if there are so few configs that they
        would run out before the incumbent has run on all instances.
    n_design : int, default=10
        Challengers of the initial design, before the model is used.
    random_share : float, default=0.25
        Share of challengers that are drawn at random.
    n_rivals : int, default=2
        At each selection, at most this many dropped configs return that are better than the incumbent on
        common tasks.
    growth : float, default=0.1
        Refit the model when the data has grown by this share.
    fewest_runs : int, default=4
        Smallest number of runs between two fits.
    trees : int, default=10
        Trees of the forest.
    components : int, default=7
        Reduce more instance features than this to this many principal components; 0 keeps all features.
    relative : bool, default=True
        Learn costs as multiples of each instance's baseline cost, which comes from the incumbent's runs.
    belief : bool, default=True
        Let the race follow what it has seen of noise and tails: a working ceiling below the user's, as many
        tasks as comparisons need, doubt before a promotion, and second chances. False: bare sums, and the
        numbers of tasks above.
    ending : float, default=0.05
        With `belief`, the share of the budget at the end in which the best of the dropped configs return
        instead of new ones.

    Examples
    --------
    >>> Tactics.of_the_paper().stake
    0.0
    """

    _: KW_ONLY
    first_tasks: int = 8
    opening: float = 2.0
    first_rung: int = 1
    stake: float = 0.25
    tolerance: float = 1.0
    defence: float = 0.03
    n_design: int = 10
    random_share: float = 0.25
    n_rivals: int = 2
    growth: float = 0.1
    fewest_runs: int = 4
    trees: int = 10
    components: int = 7
    relative: bool = True
    belief: bool = True
    ending: float = 0.05

    def __post_init__(self) -> None:
        for name in ("relative", "belief"):
            if not isinstance(getattr(self, name), bool):
                raise _error(name, getattr(self, name), "True or False")
        for each in fields(self):
            value, least = getattr(self, each.name), _LEAST.get(each.name, 0)
            is_whole = isinstance(each.default, float) or value % 1 == 0
            if not (value >= least and is_whole):
                kind = "a number" if isinstance(each.default, float) else "a whole number"
                raise _error(each.name, value, f"{kind} of at least {least}")
        for name in ("random_share", "ending"):
            if getattr(self, name) > 1:
                raise _error(name, getattr(self, name), "between 0 and 1")

    @classmethod
    def of_the_paper(cls) -> "Tactics":
        """Return the settings of the paper's SMAC: one default run; challengers start on a single task."""
        return cls(
            first_tasks=1, stake=0.0, defence=1.0, random_share=0.5, n_rivals=0, relative=False, belief=False
        )


def _error(key: str, found: object, expected: str) -> ScenarioError:
    return ScenarioError(Fault(f"tactics: {key} must be {expected}, not {found!r}", key=key))
