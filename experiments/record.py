"""Records what solvers cost, config by config and instance by instance, in deterministic units.

    python experiments/record.py                             names the studies and how far they are
    python experiments/record.py clasp-threshold             records, or goes on with what was begun
    python experiments/record.py clasp-threshold --pack      compresses what is complete

Recordings that are complete are kept in experiments/recordings, and `make table1` tunes on them.
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from recording.machine import prepare, record
from recording.matrix import Matrix, pack, read_matrix
from recording.study import STUDIES
from scipy.stats import spearmanr

RECORDINGS = Path(__file__).parent / "recordings"
N_CONFIGS, N_INSTANCES = 250, 40


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    for name in options.studies or STUDIES:
        folder = options.folder / name
        if options.studies and not options.pack:
            _record(name, folder, options)
        if not (folder / "about.json").exists():
            print(f"{name}: nothing was recorded yet")
            continue
        print(f"{name}: {describe(read_matrix(folder))}")
        if options.pack and read_matrix(folder).is_complete and (folder / "runs.csv").exists():
            print(f"wrote {pack(folder)}")


def _record(name: str, folder: Path, options: argparse.Namespace) -> None:
    prepare(STUDIES[name], folder, n_configs=options.configs, n_instances=options.instances)
    with TemporaryDirectory() as scratch:
        for n_done in record(STUDIES[name], folder, scratch=Path(scratch)):
            print(f"{name}: {n_done} of {(options.configs + 1) * options.instances} runs", flush=True)


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
    parser.add_argument("studies", nargs="*", choices=[*STUDIES, []], metavar="STUDY")
    parser.add_argument("--folder", type=Path, default=RECORDINGS, help="where recordings are kept")
    parser.add_argument("--configs", type=int, default=N_CONFIGS, help="besides the default")
    parser.add_argument("--instances", type=int, default=N_INSTANCES, help="of which half are for the test")
    parser.add_argument("--pack", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
