"""Record the cost of each config on each instance, in deterministic units.

    python experiments/record                             list the studies and what is recorded of them
    python experiments/record cp-sat-knapsacks            record a study, or resume its recording

A recording grows in out/recordings. When it is complete it is packed into experiments/recordings, where
`make table1` reads it. A recording with fewer instances than requested gets the missing ones.
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from lib.recording.files import Recording, count_instances, pack, read_recording, unpack
from lib.recording.studies import STUDIES
from lib.scenarios import RECORDINGS
from scipy.stats import spearmanr

from record.recorder import prepare, record

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
        print(f"{name}: {describe(read_recording(known[0])) if known else 'not recorded yet'}")


def _record(name: str, folder: Path, options: argparse.Namespace) -> None:
    prepare(STUDIES[name], folder, n_configs=options.configs, n_instances=options.instances)
    n_runs = read_recording(folder).costs.size
    with TemporaryDirectory() as scratch:
        for n_done in record(STUDIES[name], folder, scratch=Path(scratch)):
            print(f"{name}: {n_done} of {n_runs} runs", flush=True)


def describe(recording: Recording) -> str:
    """Return a summary of the configs that were recorded on all instances."""
    full, ceiling = ~np.isnan(recording.costs).any(axis=1), recording.ceiling
    if not full[0]:
        return "the default is not recorded on all instances yet"
    costs, failed = recording.costs[full], recording.failed[full]
    mean = np.minimum(costs, ceiling).mean(axis=1)
    best = int(mean.argmin())
    quartiles = " / ".join(f"{each:.4g}" for each in np.quantile(mean, [0.25, 0.5, 0.75]))
    finished = np.isfinite(costs)
    rank = spearmanr(costs[finished], recording.cpu_s[full][finished]).statistic
    lines = [
        f"{full.sum()} of {len(full)} configs on {costs.shape[1]} instances",
        f"{np.nansum(recording.cpu_s) / 60:.1f} CPU minutes",
        f"mean {recording.unit}: default {mean[0]:.4g}, best {mean[best]:.4g}, quartiles {quartiles}",
        f"timeouts {np.mean(~finished & ~failed):.1%}, failures {failed.mean():.1%}",
        f"ceiling {ceiling:g}, {ceiling / np.median(costs[best]):.0f} x the best's median",
        f"rank correlation with CPU time {rank:.2f}",
    ]
    return "\n  ".join(lines)


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("studies", nargs="*", metavar="STUDY")
    parser.add_argument(
        "--folder", type=Path, default=Path("out/recordings"), help="folder of unfinished recordings"
    )
    parser.add_argument("--recordings", type=Path, default=RECORDINGS, help="complete recordings")
    parser.add_argument(
        "--configs", type=int, default=N_CONFIGS, help="number of configs besides the default"
    )
    parser.add_argument(
        "--instances", type=int, default=N_INSTANCES, help="number of instances; half are for the test"
    )
    options = parser.parse_args(arguments)
    unknown = set(options.studies) - set(STUDIES)
    if unknown:
        parser.error(f"no such study: {', '.join(sorted(unknown))}; there are {', '.join(STUDIES)}")
    return options
