"""The list of keys of a scenario in TOML, with their meaning and their readers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tightrope.scenario.scenario import MODELS, TREATMENTS
from tightrope.scenario.toml import values
from tightrope.scenario.toml.entry import Entry


@dataclass(frozen=True, slots=True)
class Key:
    """A key: its name, the form of its value, its default in words, its meaning, an example, its reader."""

    name: str
    form: str
    default: str
    meaning: str
    example: str
    read: Callable[[Entry], Any] = lambda entry: entry  # the entry itself if the value depends on other keys

    @property
    def is_required(self) -> bool:
        """Whether every scenario must have it."""
        return not self.default


def _either(names: Sequence[str]) -> str:
    quoted = [f'"{name}"' for name in names]
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"


KEYS: tuple[Key, ...] = (
    Key(
        "command",
        "string, or list of words",
        "",
        "the command line, with the placeholders `{instance}`, `{seed}`, `{cap}`, `{parameters}`, single "
        "parameters such as `{alpha}`, `{specifics}`, and `{trial}` for the number of the run; write `{{` "
        "and `}}` for literal braces",
        '"./solver --seed {seed} {parameters} {instance}"',
        values.read_command,
    ),
    Key(
        "params",
        "path, or table",
        "",
        "the parameters to tune: a PCS file, an irace parameter file or JSON written by ConfigSpace; or a "
        "table of parameters, see below",
        '"solver.pcs"',
    ),
    Key(
        "ceiling",
        "duration, or number",
        "",
        "the largest cost of a run; a run that reaches it is stopped. A number is in seconds, or in the unit "
        "of a printed cost",
        '"300s"',
    ),
    Key(
        "budget",
        "duration, or table",
        "",
        "limit of the whole tuning: a wall time, which includes the model's time; or a table of limits, see "
        "below",
        '"8h"',
    ),
    Key(
        "instances",
        "pattern, list or table",
        "none: the command runs without an instance",
        "the instances on which configs are compared, see below",
        '{ train = "train/*.cnf", test = "test/*.cnf" }',
    ),
    Key(
        "split",
        "share, number or table",
        "no test instances",
        "share or number of `instances` to set aside for testing, if there is no `test`; "
        "`{ test = 0.5, seed = 7 }` draws a different sample",
        "0.5",
    ),
    Key(
        "features",
        "path, or table",
        "none",
        "instance features for the model: a CSV file with a header and the instances in the first column; or "
        "a table with a list of numbers for each instance",
        '"features.csv"',
    ),
    Key(
        "forbidden",
        "list of expressions",
        "none",
        "forbidden combinations, for parameters declared in the scenario itself",
        "[\"alpha > 0.5 and mode == 'fast'\"]",
    ),
    Key(
        "default",
        "table",
        "the defaults of the parameters",
        "the first incumbent, and the baseline of the final comparison; omitted parameters keep their "
        "defaults",
        "{ alpha = 0.25 }",
    ),
    Key(
        "candidates",
        "list of tables",
        "all configs",
        "the configs to choose from, besides the default",
        "[{ alpha = 0.1 }, { alpha = 0.9 }]",
    ),
    Key(
        "initial",
        "list of tables",
        "none",
        "configs that may be good: the first challengers, in this order; omitted parameters keep their "
        "defaults. `[[initial]]` tables do as well",
        "[{ alpha = 0.1 }, { alpha = 0.9 }]",
    ),
    Key(
        "cost",
        '"cpu", "wall" or "printed"',
        '"cpu"; "printed" if `answer` has a cost',
        "what to minimise: CPU time, wall time, or a number that the command prints",
        '"wall"',
        values.read_cost,
    ),
    Key(
        "answer",
        "word, or table",
        '"exit"; "json" if the cost is printed',
        "how success and a printed cost are read, see below",
        '"sat"',
    ),
    Key(
        "expected",
        "table, or path",
        "unknown",
        "the correct answer of each instance: a table, or a CSV file with a header and the columns instance "
        "and answer; any other answer is a failure",
        '{ "a.cnf" = "SAT" }',
    ),
    Key(
        "specifics",
        "table, or path",
        '"0" for all',
        "the value of `{specifics}` for each instance: a table, or a CSV file with a header and the columns "
        "instance and value",
        '{ "a.cnf" = "SAT" }',
    ),
    Key(
        "time_limit",
        "duration",
        "required if the cost is printed",
        "the time limit of a run with a printed cost; if the cost is time, the ceiling is the limit",
        '"60s"',
        Entry.duration_s,
    ),
    Key(
        "clock",
        '"cpu" or "wall"',
        'the clock of the cost, else "cpu"',
        "the clock of `time_limit` if the cost is printed",
        '"wall"',
        values.read_clock,
    ),
    Key(
        "deterministic",
        "true or false",
        "false if the command has `{seed}`, else true",
        "whether a config always has the same cost on an instance; if not, each instance is run with several "
        "seeds",
        "true",
        Entry.boolean,
    ),
    Key("seeds", "list of numbers", "0, or 0, 1, 2, ...", "the seeds to use", "[1, 2, 3]", values.read_seeds),
    Key(
        "slack",
        "number",
        "1.3",
        "a challenger is stopped once its cost exceeds slack times the incumbent's cost on the same tasks; "
        "with `inf`, only the ceiling stops runs",
        "1.5",
        Entry.number,
    ),
    Key(
        "par",
        "number",
        "1",
        "a run that reaches the ceiling, or fails, counts as par times the ceiling",
        "10",
        Entry.number,
    ),
    Key(
        "style",
        "pattern, or table of patterns",
        '"--{name}={value}", or the switches of an irace file',
        "how `{parameters}` are written: one pattern for all, or a pattern for each",
        '"-{name} {value}"',
        values.read_style,
    ),
    Key(
        "flags",
        "pattern",
        "as in `style`",
        "how boolean parameters are written; the part after `/` is for false",
        '"--{name}/--no-{name}"',
        values.read_flags,
    ),
    Key(
        "memory",
        "size",
        "no limit",
        "memory limit of a run, including all its processes",
        '"2GB"',
        values.read_memory_mb,
    ),
    Key(
        "cwd", "path", "the scenario's folder", "the folder in which the command runs", '"build"', Entry.text
    ),
    Key(
        "env",
        "table of strings",
        "none",
        "additional environment variables for the command; copies of the scenario with them can be read by "
        "their owner only",
        '{ OMP_NUM_THREADS = "1" }',
        values.read_variables,
    ),
    Key(
        "shell",
        "true or false",
        "false",
        "whether a shell runs the command; values are then quoted for it",
        "true",
        Entry.boolean,
    ),
    Key(
        "grace",
        "duration",
        '"50ms"',
        "time between SIGTERM and SIGKILL when a run is stopped",
        '"1s"',
        Entry.duration_s,
    ),
    Key(
        "keep",
        "size",
        '"32KiB"',
        "how much of the start and of the end of each output stream is stored",
        '"1MiB"',
        values.read_keep_kb,
    ),
    Key(
        "resolution",
        "duration, or number",
        "0.01",
        "the smallest difference in cost that can be measured; no run gets a smaller cap",
        '"1ms"',
        Entry.duration_s,
    ),
    Key(
        "model",
        _either(MODELS),
        '"forest"',
        "how challengers are proposed: by a random forest fitted to all runs, or by random sampling",
        '"random"',
        Entry.text,
    ),
    Key(
        "treatment",
        _either(TREATMENTS),
        '"sample"',
        "how the forest treats censored runs",
        '"mean"',
        Entry.text,
    ),
    Key("tactics", "table", "see [tune](tune.md)", "settings of the race", "{ first_tasks = 10 }"),
)


def key_table() -> str:
    """Return all keys as a table for docs/reference/scenario.md."""
    rows = [
        f"| `{key.name}` | {key.form} | {key.default or 'required'} | {key.meaning} | `{key.example}` |\n"
        for key in KEYS
    ]
    return "| key | value | default | meaning | example |\n| --- | --- | --- | --- | --- |\n" + "".join(rows)
