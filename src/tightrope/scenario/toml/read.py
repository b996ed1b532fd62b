"""Reader of scenarios in TOML."""

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from tightrope.budget import TUNE_COUNTS, Budget
from tightrope.errors import ScenarioError, SpaceError
from tightrope.race.tactics import Tactics
from tightrope.run.answer import Reader
from tightrope.scenario.instance_table import features_of, read_features
from tightrope.scenario.instances import Instances, read_instances
from tightrope.scenario.parameter_file import read_parameter_file
from tightrope.scenario.scenario import PLAIN_SETTINGS, Scenario
from tightrope.scenario.text.source import Source
from tightrope.scenario.toml.answer import read_answer
from tightrope.scenario.toml.configs import read_config
from tightrope.scenario.toml.document import Document, open_document
from tightrope.scenario.toml.entry import Entry, read_document, refuse_unknown
from tightrope.scenario.toml.parameters import read_inline
from tightrope.scenario.toml.target import clock_of, path_from_cwd, read_target, row_of
from tightrope.space import Space

_PLAIN = (*PLAIN_SETTINGS, "seeds")
_NO_INSTANCES = Instances(("",))
_BUDGET_HINT = 'write "8h" for wall time, or a table such as { cpu = "8h" } or { runs = 1000 }'


def read_toml(source: Source, *, folder: Path) -> Scenario:
    """Read a scenario from the content of a TOML file. Relative paths start from `folder`.

    Keys that depend on a faulty key are skipped, so that one fault does not cause others.
    """
    document = open_document(source, folder)
    settings: dict[str, Any] = {key: document.values[key] for key in _PLAIN if key in document.values}
    collecting = document.faults.collecting
    space, answer, instances = None, None, None
    with collecting():
        space = _read_space(document)
    with collecting():
        answer = read_answer(document.values.get("answer"), document.entries.get("cost"))
    with collecting():
        instances = _read_instances(document)
        from_cwd = path_from_cwd(document)
        settings["instances"] = tuple(map(from_cwd, instances.train))
        settings["test"] = tuple(map(from_cwd, instances.test))
        features = _read_features(document, instances)
        settings["features"] = features and {from_cwd(name): row for name, row in features.items()}
    if answer is not None:
        with collecting():
            settings |= _read_ceiling(document, answer)
        with collecting():
            settings |= _read_budget(document, answer)
    with collecting():
        settings |= _read_tactics(document)
    if space is not None:
        with collecting():
            settings |= _read_configs(document, space)
    if space is not None and answer is not None and instances is not None and "command" in document.values:
        with collecting():
            target = read_target(document, space, answer=answer, instances=instances)
            settings["target"] = target
            settings.setdefault("deterministic", "seed" not in target.template.placeholders)
    return _make(document, space, settings)


def read_toml_space(source: Source, *, folder: Path) -> Space | None:
    """Read only the parameters, if there are any."""
    entries = read_document(source).table()
    keys = ("params", "forbidden", "default")
    return _read_space(
        Document(source, folder, entries, {key: entries[key] for key in keys if key in entries})
    )


def is_complete(source: Source) -> bool:
    """Return whether a text has other keys than those of parameters."""
    return bool(read_document(source).table().keys() - {"params", "forbidden", "default"})


def _make(document: Document, space: Space | None, settings: dict[str, Any]) -> Scenario:
    # Placeholders replace settings that could not be read, so that faults in the others are reported too.
    placeholders: dict[str, Any] = {
        "space": {"parameter": (0.0, 1.0)},
        "ceiling": 1e300,
        "budget": Budget(runs=1),
    }
    given = settings if space is None else settings | {"space": space}
    scenario = None
    with document.faults.collecting():
        try:
            scenario = Scenario(**(placeholders | given))
        except ScenarioError as error:
            raise document.locate(error) from None
    document.faults.raise_if_any()
    assert scenario is not None
    return scenario


def _read_space(document: Document) -> Space | None:
    params, forbidden = document.values.get("params"), document.values.get("forbidden")
    if params is None:
        return None
    if isinstance(params.value, dict):
        return Space(read_inline(params, forbidden))
    if forbidden is not None:
        raise forbidden.error(
            "`forbidden` needs parameters in the scenario itself", hint="forbid it in the parameter file"
        )
    default = document.values.get("default")
    given = default.value if default is not None and isinstance(default.value, dict) else {}
    try:
        return Space(read_parameter_file(document.file(params), default=given))
    except SpaceError as error:
        raise params.error(str(error)) from None


def _read_instances(document: Document) -> Instances:
    entry, split = document.values.get("instances"), document.values.get("split")
    if entry is not None:
        return read_instances(entry, split, folder=document.folder)
    if split is not None:
        raise split.error("there are no instances to split", hint='add instances = "train/*"')
    return _NO_INSTANCES


def _read_features(document: Document, instances: Instances) -> dict[str, tuple[float, ...]] | None:
    entry, names = document.values.get("features"), (*instances.train, *instances.test)
    if entry is None:
        return None
    if isinstance(entry.value, str):
        source = Source.of_file(document.file(entry))
        return read_features(source, names, needed=instances.train)
    table = entry.table("the path of a CSV file, or a table by instance")
    rows = [row_of(each, *each.items("a list of numbers")) for each in table.values()]
    return features_of(rows, names, needed=instances.train, where=entry.where)


def _read_ceiling(document: Document, answer: Reader) -> dict[str, Any]:
    entry = document.values.get("ceiling")
    if entry is None:
        return {}
    if answer.prints_cost:
        return {"ceiling": entry.number("a number without a unit, since the cost is printed")}
    return {"ceiling": entry.duration_s()}


def _read_budget(document: Document, answer: Reader) -> dict[str, Any]:
    entry = document.values.get("budget")
    if entry is None:
        return {}
    if isinstance(entry.value, str):
        limits = {"wall": entry.duration_s()}
    else:
        limits = _read_limits(
            entry.table("a duration, or a table of limits", hint=_BUDGET_HINT), clock_of(document, answer)
        )
    try:
        return {"budget": Budget(**limits)}
    except ValueError as error:
        raise entry.error(str(error), hint=_BUDGET_HINT) from None


def _read_limits(limits: dict[str, Entry], clock: str) -> dict[str, float]:
    refuse_unknown(limits, ("wall", "cpu", "runtime", *TUNE_COUNTS), what="budget limit")
    if "cpu" in limits and clock != "cpu":
        raise limits["cpu"].error(
            "runs are measured by wall time, not CPU time", hint="limit `runtime` or `wall`"
        )
    if "cpu" in limits and "runtime" in limits:
        raise limits["runtime"].error("the time of runs is limited twice", hint="remove `cpu` or `runtime`")
    found = {"wall": "wall", "cpu": "cost", "runtime": "cost"}
    read = {found[key]: entry.duration_s() for key, entry in limits.items() if key in found}
    return read | {name: limits[name].integer() for name in TUNE_COUNTS if name in limits}


def _read_configs(document: Document, space: Space) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    if (default := document.values.get("default")) is not None:
        settings["default"] = read_config(default, space)
    for key in ("candidates", "initial"):
        if (listed := document.values.get(key)) is not None:
            settings[key] = [read_config(entry, space) for entry in listed.items("a list of tables")]
    return settings


def _read_tactics(document: Document) -> dict[str, Any]:
    entry = document.values.get("tactics")
    if entry is None:
        return {}
    known = {field.name: field for field in fields(Tactics)}
    given = entry.table()
    refuse_unknown(given, known, what="tactic")
    readers: dict[type, Callable[[Entry], Any]] = {
        float: Entry.number,
        int: Entry.integer,
        bool: Entry.boolean,
    }
    values = {name: readers[type(known[name].default)](each) for name, each in given.items()}
    try:
        return {"tactics": Tactics(**values)}
    except ScenarioError as error:
        raise given[str(error.key)].error(error.problem, hint=error.hint) from None
