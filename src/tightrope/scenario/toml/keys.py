"""The keys of a scenario in TOML: what each is called, holds, means, and how it is read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tightrope.scenario.toml.entry import Entry

_SEED_LIMIT: Final = 2**63  # journals hold integers of 64 bits


@dataclass(frozen=True, slots=True)
class Key:
    """A key: its name, what may stand behind it, its default in words, its meaning, an example."""

    name: str
    form: str
    default: str
    meaning: str
    example: str
    read: Callable[[Entry], Any] = lambda entry: entry  # the entry itself if others must be known to read it

    @property
    def is_needed(self) -> bool:
        """Whether no scenario can do without it."""
        return not self.default


def _command(entry: Entry) -> str | list[str]:
    if isinstance(entry.value, list):
        return [item.text() for item in entry.items()]
    return entry.text("a command line in quotes, or a list of its words")


def _style(entry: Entry) -> str | dict[str, str]:
    if isinstance(entry.value, dict):
        return {name: pattern.text() for name, pattern in entry.table().items()}
    style = entry.text('a pattern such as "--{name}={value}"')
    if "{value}" not in style:
        raise entry.error("the pattern has no {value}", hint='write one such as "--{name}={value}"')
    return style


def _flags(entry: Entry) -> str:
    flags = entry.text('a pattern such as "--{name}/--no-{name}"')
    if "{name}" not in flags:
        raise entry.error("the pattern has no {name}", hint='write one such as "--{name}/--no-{name}"')
    return flags


def _memory_mb(entry: Entry) -> float:
    size = entry.size_mb()
    if not size > 0:
        raise entry.error("no run can do without memory", hint='write it like "2GB", or leave it out')
    return size


def _seeds(entry: Entry) -> Sequence[int]:
    return [_seed(item) for item in entry.items("a list of whole numbers")]


def _seed(entry: Entry) -> int:
    seed = entry.whole()
    if not -_SEED_LIMIT <= seed < _SEED_LIMIT:
        raise entry.error(f"{seed} has more than 64 bits", hint="use a smaller number")
    return seed


def _variables(entry: Entry) -> dict[str, str]:
    variables = entry.table()
    for name, value in variables.items():
        if not name or "=" in name or "\0" in name:
            raise value.error(f"no environment variable can have the name {name!r}", hint="check the name")
    return {name: value.text() for name, value in variables.items()}


def _keep_kb(entry: Entry) -> int:
    size = entry.size_mb() * 1e6 / 1024
    if not 1 <= size < 1e9:
        raise entry.error("expected at least 1KiB", hint='write it like "32KiB"')
    return round(size)


def _clock(entry: Entry) -> str:
    return entry.one_of(("cpu", "wall"))


def _cost(entry: Entry) -> str:
    return entry.one_of(("cpu", "wall", "printed"))


KEYS: tuple[Key, ...] = (
    Key(
        "command",
        "text, or list of words",
        "",
        "the command line, with places for `{instance}`, `{seed}`, `{cap}`, `{parameters}`, single "
        "parameters such as `{alpha}`, `{specifics}` and `{trial}`, the number of the run; braces that mean "
        "braces are doubled",
        '"./solver --seed {seed} {parameters} {instance}"',
        _command,
    ),
    Key(
        "params",
        "path, or table",
        "",
        "what may be chosen: a PCS file, a parameter file of irace or ConfigSpace's JSON; or the parameters "
        "themselves, see below",
        '"solver.pcs"',
    ),
    Key(
        "ceiling",
        "duration, or number",
        "",
        "the largest cost that any run may reach before it is stopped; a number is in seconds, or in the "
        "units of a printed cost",
        '"300s"',
    ),
    Key(
        "budget",
        "duration, or table",
        "",
        "what the whole tuning may spend: time that passes, the model's included; or limits, see below",
        '"8h"',
    ),
    Key(
        "instances",
        "pattern, list or table",
        "none: one plain run",
        "what configs are compared on, see below",
        '{ train = "train/*.cnf", test = "test/*.cnf" }',
    ),
    Key(
        "split",
        "share, number or table",
        "no test instances",
        "of `instances` without `test`, put aside this share, or so many, for testing; "
        "`{ test = 0.5, seed = 7 }` draws others",
        "0.5",
    ),
    Key(
        "features",
        "path, or table",
        "none",
        "properties of the instances that the model may learn from: a CSV file with a header, whose first "
        "column names the instances; or a table with a list of numbers for each instance",
        '"features.csv"',
    ),
    Key(
        "forbidden",
        "list of expressions",
        "nothing",
        "combinations that must not be tried, for parameters in the scenario itself",
        "[\"alpha > 0.5 and mode == 'fast'\"]",
    ),
    Key(
        "default",
        "table",
        "that of the parameters",
        "the config to begin with, and to be compared with; parameters that are left out keep their defaults",
        "{ alpha = 0.25 }",
    ),
    Key(
        "candidates",
        "list of tables",
        "all configs",
        "the only configs that may be tried, besides the default",
        "[{ alpha = 0.1 }, { alpha = 0.9 }]",
    ),
    Key(
        "cost",
        '"cpu", "wall" or "printed"',
        '"cpu"; "printed" if `answer` gives a cost',
        "what is to be small: CPU time, time that passes, or a number that the command prints",
        '"wall"',
        _cost,
    ),
    Key(
        "answer",
        "word, or table",
        '"exit"; "json" if the cost is printed',
        "how success, and a printed cost, are read, see below",
        '"sat"',
    ),
    Key(
        "expected",
        "table, or path",
        "unknown",
        "the right answers by instance, or a CSV file with a header, the instance and the answer: any other "
        "answer is a failure",
        '{ "a.cnf" = "SAT" }',
    ),
    Key(
        "specifics",
        "table, or path",
        '"0" for all',
        "what `{specifics}` stands for, by instance, or a CSV file with a header, the instance and the text",
        '{ "a.cnf" = "SAT" }',
    ),
    Key(
        "time_limit",
        "duration",
        "needed if the cost is printed",
        "the time limit of a run whose cost is printed; where time is the cost, the ceiling is the limit",
        '"60s"',
        Entry.duration_s,
    ),
    Key(
        "clock",
        '"cpu" or "wall"',
        'that of the cost, else "cpu"',
        "the clock of `time_limit` if the cost is printed",
        '"wall"',
        _clock,
    ),
    Key(
        "deterministic",
        "true or false",
        "false if the command has `{seed}`, else true",
        "whether a config costs the same whenever it is run on an instance; if not, each instance is run "
        "with seed after seed",
        "true",
        Entry.truth,
    ),
    Key(
        "seeds", "list of numbers", "0, or 0, 1, 2, ...", "the only seeds that are used", "[1, 2, 3]", _seeds
    ),
    Key(
        "slack",
        "number",
        "1.3",
        "a challenger may cost this many times what the incumbent did on the same tasks before it is "
        "stopped; `inf` stops nothing below the ceiling",
        "1.5",
        Entry.number,
    ),
    Key(
        "par",
        "number",
        "1",
        "a run that reaches the ceiling, or fails, counts as this many times the ceiling",
        "10",
        Entry.number,
    ),
    Key(
        "style",
        "pattern, or table of patterns",
        '"--{name}={value}", or the switches of irace',
        "how `{parameters}` are written: all alike, or each by its own pattern",
        '"-{name} {value}"',
        _style,
    ),
    Key(
        "flags",
        "pattern",
        "like the others",
        "how parameters that are true or false are written; what follows a `/` stands for false",
        '"--{name}/--no-{name}"',
        _flags,
    ),
    Key("memory", "size", "no limit", "what a run may hold, with all its processes", '"2GB"', _memory_mb),
    Key("cwd", "path", "the scenario's folder", "the folder that the command runs in", '"build"', Entry.text),
    Key(
        "env",
        "table of texts",
        "nothing",
        "environment variables it gets besides ours",
        '{ OMP_NUM_THREADS = "1" }',
        _variables,
    ),
    Key("shell", "true or false", "false", "whether the command is a shell script", "true", Entry.truth),
    Key(
        "grace",
        "duration",
        '"50ms"',
        "time between the request to end (SIGTERM) and the kill",
        '"1s"',
        Entry.duration_s,
    ),
    Key("keep", "size", '"32KiB"', "how much is kept of both ends of what a run prints", '"1MiB"', _keep_kb),
    Key(
        "resolution",
        "duration, or number",
        "0.01",
        "differences in cost smaller than this cannot be measured: no run gets such a small cap",
        '"1ms"',
        Entry.duration_s,
    ),
    Key(
        "model",
        '"forest" or "random"',
        '"forest"',
        "how challengers are found: by a forest that learns from all runs, or at random",
        '"random"',
        Entry.text,
    ),
    Key(
        "treatment",
        '"sample", "mean", "drop" or "ignore"',
        '"sample"',
        "what the forest makes of runs that were stopped",
        '"mean"',
        Entry.text,
    ),
    Key("tactics", "table", "see [tune](tune.md)", "finer settings of the race", "{ first_tasks = 10 }"),
)


def key_table() -> str:
    """Return all keys as a table for docs/reference/scenario.md."""
    rows = [
        f"| `{key.name}` | {key.form} | {key.default or 'needed'} | {key.meaning} | `{key.example}` |\n"
        for key in KEYS
    ]
    return "| key | holds | default | meaning | example |\n| --- | --- | --- | --- | --- |\n" + "".join(rows)
