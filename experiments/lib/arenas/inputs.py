"""Programs measured with every config on every input: x264, ImageMagick, gcc and xz.

Costs are seconds. There are no timeouts, so a ceiling is imposed; there are no features.
"""

from pathlib import Path

import pandas

from lib.arena.arena import Arena
from lib.arenas.matrix import matrix_arena


def inputs_arena(folder: Path, *, ceiling: float, rank: float) -> Arena:
    """Return the arena of the folder's program; see `matrix_arena` for `rank`."""
    runtimes = pandas.read_csv(folder / "runtimes.csv.gz", index_col=0)
    texts = pandas.read_csv(folder / "configs.csv", index_col=0, dtype=str, keep_default_na=False)
    configs = texts.loc[runtimes.columns].to_dict("records")
    return matrix_arena(
        folder.name,
        configs,
        runtimes.to_numpy(dtype=float).T,
        instances=[str(name) for name in runtimes.index],
        ceiling=ceiling,
        rank=rank,
    )
