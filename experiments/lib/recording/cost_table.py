"""Conversion of a complete recording to a table of costs."""

import numpy as np

from lib.cost_table import CostTable
from lib.recording.files import Recording


def as_cost_table(recording: Recording, *, name: str) -> CostTable:
    """Return the recording as a table: failures count as timeouts, and every cost is positive."""
    smallest = float(recording.costs[recording.costs > 0.0].min()) / 2.0
    costs = np.maximum(recording.costs, smallest)
    scale = recording.space.columns.scale
    logs = (
        parameter for parameter, is_log in zip(recording.space.names, scale.is_log, strict=True) if is_log
    )
    return CostTable(
        name=name,
        unit=recording.unit,
        ceiling=recording.ceiling,
        smallest_cost=smallest,
        space=recording.space,
        offsets=dict.fromkeys(logs, 0.0),
        instances=recording.instances,
        configs=recording.configs[1:],
        default=recording.configs[0],
        costs=costs[1:],
        default_costs=costs[0],
        features=np.array(recording.features),
        is_test=recording.is_test,
    )
