"""Record a study: every config on every instance, once, up to the ceiling; resumable."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from lib.recording.features import measure_features
from lib.recording.files import count_instances, read_runs
from lib.recording.result import classify
from lib.recording.studies import Study
from lib.tables import append_rows, write_rows

from record.variation import vary_default
from tightrope.records import Config

_FIRST_TEST_SEED = 1000  # far from the seeds of the training instances
_CONFIG_SEED = 7


def prepare(study: Study, folder: Path, *, n_configs: int, n_instances: int) -> None:
    """Write everything but the runs, unless it exists; half of the instances are for the test.

    A recording with fewer instances gets more; its old instances keep their use.
    """
    about = json.dumps({"unit": study.unit, "ceiling": study.ceiling}, indent=2) + "\n"
    parameters = study.parameter_file.read_text(encoding="utf-8")
    if (folder / "about.json").exists():
        was = [(folder / name).read_text(encoding="utf-8") for name in ("about.json", "parameters.pcs")]
        if was != [about, parameters]:
            raise SystemExit(
                f"{folder} has another ceiling or other parameters than the study: delete it first"
            )
    else:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "parameters.pcs").write_text(parameters, encoding="utf-8")
        lines = [json.dumps(dict(config), sort_keys=True) for config in _draw_configs(study, n_configs)]
        (folder / "configs.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if count_instances(folder) < n_instances:
        write_rows(folder / "instances.csv", list(_describe(study, n_instances // 2)))
    (folder / "about.json").write_text(about, encoding="utf-8")


def _draw_configs(study: Study, n: int) -> list[Config]:
    """Return the default and n other configs."""
    space = study.space()
    n_varied = round(study.varied * n)
    rng = np.random.default_rng(_CONFIG_SEED)
    rows = [space.default(), *space.sample(n - n_varied, rng), *vary_default(space, n_varied, rng=rng)]
    return [space.decode(row) for row in rows]


def _describe(study: Study, n_each: int) -> Iterator[dict[str, object]]:
    for use, first in (("train", 0), ("test", _FIRST_TEST_SEED)):
        for seed in range(first, first + n_each):
            text = study.draw(seed)
            yield {
                "name": str(seed),
                "use": use,
                "answer": study.answer(text),
                **measure_features(text),
            }


def record(study: Study, folder: Path, *, scratch: Path) -> Iterator[int]:
    """Make the missing runs config by config; yield the number of recorded runs after each config."""
    with (folder / "instances.csv").open(newline="") as file:
        answers = {each["name"]: each["answer"] for each in csv.DictReader(file)}
    paths = {name: scratch / f"{name}.{study.suffix}" for name in answers}
    for name, path in paths.items():
        path.write_text(study.draw(int(name)), encoding="utf-8")
    _drop_partial_line(folder / "runs.csv")
    done = {(int(run["config"]), run["instance"]) for run in read_runs(folder)}
    solver = study.solver()
    lines = (folder / "configs.jsonl").read_text(encoding="utf-8").splitlines()
    for i, line in enumerate(lines):
        missing = [name for name in answers if (i, name) not in done]
        for name in missing:
            result = solver.solve(Config(json.loads(line)), paths[name], ceiling=study.ceiling)
            outcome = classify(result, expected=answers[name], ceiling=study.ceiling)
            row = {"config": i, "instance": name, "outcome": outcome.value, "cost": f"{result.cost:.6g}"}
            append_rows(folder / "runs.csv", [row | {"cpu_s": f"{result.cpu_s:.3f}"}])
        yield (i + 1) * len(answers)


def _drop_partial_line(path: Path) -> None:
    """Remove a last line that was not written completely."""
    if path.exists():
        text = path.read_bytes()
        path.write_bytes(text[: text.rfind(b"\n") + 1])
