"""Budgets with which a tuning makes about a thousand runs at slack 1.3.

Budgets are in runs of the default config at its mean cost on the training instances. They were measured by
`python experiments/budgets`, with seeds that no comparison uses.
"""

from lib.scenarios import study_of

BUDGETS: dict[str, int] = {
    "clasp-circuits": 440,
    "clasp-large-circuits": 380,
    "cp-sat-knapsacks": 90,
    "cp-sat-lot-sizing": 400,
    "cp-sat-tours": 150,
    "kissat-large-parity": 400,
    "kissat-parity": 340,
    "SPEAR-SWV": 300,
}
NOT_MEASURED = 250  # budget of a study that is not in the table
QUICK_SHARE = 0.4


def budget_of(scenario: str, *, share: float = 1.0) -> int:
    """Return the budget of a tuning, in runs of the default config."""
    return round(share * BUDGETS.get(study_of(scenario), NOT_MEASURED))
