"""Write a recording as the experiments read it, of a solver that does not exist."""

import gzip
import json
from pathlib import Path

import numpy as np

from tightrope.scenario.pcs.read import parse_pcs
from tightrope.space import Space

PCS = "x [0.1,10.0][5.0]l\nkind {slow,fast}[slow]\nwidth [1,9][2]i\nConditionals:\nwidth|kind in {fast}\n"


def write_recording(folder: Path) -> None:
    """Write 61 configs on 12 instances; small x and the kind fast are good, and some runs time out."""
    folder.mkdir()
    rng = np.random.default_rng(0)
    space = Space(parse_pcs(PCS))
    configs = [space.decode(space.default()), *(space.decode(row) for row in space.sample(60, rng))]
    (folder / "parameters.pcs").write_text(PCS)
    (folder / "about.json").write_text('{"unit": "steps", "ceiling": 100.0}')
    (folder / "configs.jsonl").write_text("".join(json.dumps(dict(each)) + "\n" for each in configs))
    names = [*map(str, range(6)), *map(str, range(1000, 1006))]
    uses = ["train"] * 6 + ["test"] * 6
    lines = [f"{name},{use},SAT,{int(name) % 10}" for name, use in zip(names, uses, strict=True)]
    (folder / "instances.csv").write_text("\n".join(["name,use,answer,size", *lines]) + "\n")
    runs = ["config,instance,outcome,cost,cpu_s"]
    for i, config in enumerate(configs):
        for name in names:
            noise = np.exp(rng.normal(0.0, 0.2))
            cost = config["x"] * (4.0 if config["kind"] == "slow" else 1.0) * (1 + int(name) % 10) * noise
            runs.append(f"{i},{name},{'done' if cost < 100.0 else 'timeout'},{cost:.6g},0.1")
    (folder / "runs.csv.gz").write_bytes(gzip.compress("\n".join(runs).encode()))
