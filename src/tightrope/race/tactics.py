"""Tactics: the finer settings of a tuning, which few will want to change."""

from dataclasses import KW_ONLY, dataclass, fields

from tightrope.errors import Fault, ScenarioError

_LEAST = {"trees": 1, "first_tasks": 1, "first_rung": 1, "n_design": 1, "fewest_runs": 1}


@dataclass(frozen=True, slots=True)
class Tactics:
    """The finer settings of a tuning; docs/design/race.md says what is known about the defaults.

    Parameters
    ----------
    first_tasks : int, default=8
        The default config is run on so many tasks before the first challenger,
    opening : float, default=2.0
        unless that costs more than so many ceilings.
    first_rung : int, default=1
        The first comparison of a challenger with the incumbent has at least so many tasks,
    stake : float, default=0.25
        and so many that they cost the incumbent so many times as much as a task does on average; dearer ones
        are left for later.
    defence : float, default=0.03
        Tasks that the incumbent gains for each challenger; more where configs are so few that they come to
        an end before it has all instances.
    n_design : int, default=10
        Challengers before the model is asked.
    random_share : float, default=0.25
        The share of challengers that are drawn at random, whatever the model believes.
    n_rivals : int, default=2
        Whenever challengers are selected, so many configs may come back that do better than the incumbent
        where both are known.
    growth : float, default=0.1
        The model is fitted again when there is this share more to learn from,
    fewest_runs : int, default=4
        but not before so many runs.
    trees : int, default=10
        Trees of the forest.
    components : int, default=7
        Of more instance features than that, the forest sees so many principal components; 0: all features.

    relative : bool, default=True
        Whether the forest learns costs as multiples of what the same instance usually costs, by the
        incumbent's.

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
    defence: float = 0.03
    n_design: int = 10
    random_share: float = 0.25
    n_rivals: int = 2
    growth: float = 0.1
    fewest_runs: int = 4
    trees: int = 10
    components: int = 7
    relative: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.relative, bool):
            raise _error("relative", self.relative, "True or False")
        for each in fields(self):
            value, least = getattr(self, each.name), _LEAST.get(each.name, 0)
            is_whole = isinstance(each.default, float) or value % 1 == 0
            if not (value >= least and is_whole):
                kind = "a number" if isinstance(each.default, float) else "a whole number"
                raise _error(each.name, value, f"{kind} of at least {least}")
        if self.random_share > 1:
            raise _error("random_share", self.random_share, "between 0 and 1")

    @classmethod
    def of_the_paper(cls) -> "Tactics":
        """Return those of the paper's SMAC: one run of the default, then challengers, first on one task."""
        return cls(first_tasks=1, stake=0.0, defence=1.0, random_share=0.5, n_rivals=0, relative=False)


def _error(key: str, found: object, expected: str) -> ScenarioError:
    return ScenarioError(Fault(f"tactics: {key} must be {expected}, not {found!r}", key=key))
