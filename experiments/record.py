"""Records what solvers cost, config by config and instance by instance, in deterministic units.

    python experiments/record.py                             names the studies and how far they are
    python experiments/record.py cp-sat-knapsacks            records, or goes on with what was begun

Recordings grow in out/recordings. Once complete they are packed into experiments/recordings, and
`make table1` tunes on them. A recording of fewer instances than are asked for is given the others.
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from recording.machine import prepare, record
from recording.matrix import Matrix, count_instances, pack, read_matrix, unpack
from recording.study import STUDIES
from scipy.stats import spearmanr

RECORDINGS = Path(__file__).parent / "recordings"
N_CONFIGS, N_INSTANCES = 205, 120


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    for name in options.studies or STUDIES:
        packed, growing = options.recordings / name, options.folder / name
        if name in options.studies and count_instances(packed) < options.instances:
            if packed.exists() and not growing.exists():
                unpack(packed, growing)
            _record(name, growing, options)
            print(f"wrote {pack(growing, packed)}")
        known = [folder for folder in (packed, growing) if (folder / "about.json").exists()]
        print(f"{name}: {describe(read_matrix(known[0])) if known else 'nothing was recorded yet'}")


def _record(name: str, folder: Path, options: argparse.Namespace) -> None:
    prepare(STUDIES[name], folder, n_configs=options.configs, n_instances=options.instances)
    n_runs = read_matrix(folder).costs.size
    with TemporaryDirectory() as scratch:
        for n_done in record(STUDIES[name], folder, scratch=Path(scratch)):
            print(f"{name}: {n_done} of {n_runs} runs", flush=True)


def describe(matrix: Matrix) -> str:
    """Say what was recorded, as far as it goes."""
    full = ~np.isnan(matrix.costs).any(axis=1)
    if not full[0]:
        return "not even the default was recorded on all instances"
    costs, failed = matrix.costs[full], matrix.failed[full]
    mean = np.minimum(costs, matrix.ceiling).mean(axis=1)
    best = int(mean.argmin())
    quartiles = " / ".join(f"{each:.4g}" for each in np.quantile(mean, [0.25, 0.5, 0.75]))
    finished = np.isfinite(costs)
    rank = spearmanr(costs[finished], matrix.cpu_s[full][finished]).statistic
    lines = [
        f"{full.sum()} of {len(full)} configs on {costs.shape[1]} instances",
        f"{np.nansum(matrix.cpu_s) / 60:.1f} CPU minutes",
        f"mean {matrix.unit}: default {mean[0]:.4g}, best {mean[best]:.4g}, quartiles {quartiles}",
        f"timeouts {np.mean(~finished & ~failed):.1%}, failures {failed.mean():.1%}",
        f"ceiling {matrix.ceiling:g}, {matrix.ceiling / np.median(costs[best]):.0f} x the best's median",
        f"rank correlation with CPU time {rank:.2f}",
    ]
    return "\n  ".join(lines)


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("studies", nargs="*", metavar="STUDY")
    parser.add_argument("--folder", type=Path, default=Path("out/recordings"), help="where they grow")
    parser.add_argument("--recordings", type=Path, default=RECORDINGS, help="where complete ones are kept")
    parser.add_argument("--configs", type=int, default=N_CONFIGS, help="besides the default")
    parser.add_argument("--instances", type=int, default=N_INSTANCES, help="of which half are for the test")
    options = parser.parse_args(arguments)
    unknown = set(options.studies) - set(STUDIES)
    if unknown:
        parser.error(f"no such study: {', '.join(sorted(unknown))}; there are {', '.join(STUDIES)}")
    return options


if __name__ == "__main__":
    main()
