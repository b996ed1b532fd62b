"""A complete recording as what arenas are made of."""

import numpy as np
from arena.recorded import Recorded

from recording.matrix import Matrix


def as_recorded(matrix: Matrix, *, name: str) -> Recorded:
    """Return the recording; whatever failed counts as timed out, and no run costs nothing."""
    smallest = float(matrix.costs[matrix.costs > 0.0].min()) / 2.0
    costs = np.maximum(matrix.costs, smallest)
    scale = matrix.space.columns.scale
    logs = (parameter for parameter, is_log in zip(matrix.space.names, scale.is_log, strict=True) if is_log)
    return Recorded(
        name=name,
        unit=matrix.unit,
        ceiling=matrix.ceiling,
        smallest_cost=smallest,
        space=matrix.space,
        offsets=dict.fromkeys(logs, 0.0),
        instances=matrix.instances,
        configs=matrix.configs[1:],
        default=matrix.configs[0],
        costs=costs[1:],
        default_costs=costs[0],
        features=np.array(matrix.features),
        is_test=matrix.is_test,
    )
