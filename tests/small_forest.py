"""Six points, and a small forest fitted to them."""

from typing import Any

import numpy as np

from tightrope import CensoredForest

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 3.0], [7.0, 2.0]])
Y = np.array([1.0, 2.0, 3.0, 4.0, 9.0, 2.5])
CENSORED = np.array([False, False, True, False, True, False])


def fitted(rows: Any = X, y: Any = Y, mask: Any = CENSORED, *, fit: Any = None, **parameters: Any) -> Any:
    """Fit a forest of seven trees."""
    forest = CensoredForest(**{"n_estimators": 7, "random_state": 0, **parameters})
    return forest.fit(rows, y, mask, **(fit or {}))
