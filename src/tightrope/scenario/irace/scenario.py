"""Reader of irace scenario files."""

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tightrope.budget import Budget
from tightrope.errors import Fault, ScenarioError, SpaceError, TargetError
from tightrope.run.command import CommandTarget
from tightrope.run.convention import IraceLine
from tightrope.scenario.instances import Instances, read_names, refuse_overlap, require_unique
from tightrope.scenario.irace.read import read_irace
from tightrope.scenario.irace.switches import style_of
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.text.assignments import Assignments, read_assignments
from tightrope.scenario.text.source import Piece, Source
from tightrope.space import Space

_SUPPORTED = (
    *("parameterFile", "execDir", "trainInstancesDir", "trainInstancesFile", "testInstancesDir"),
    *(
        "testInstancesFile",
        "targetRunner",
        "targetRunnerLauncher",
        "targetRunnerLauncherArgs",
        "targetCmdline",
    ),
    *("maxExperiments", "maxTime", "boundMax", "boundPar", "minMeasurableTime", "deterministic"),
    *("forbiddenFile", "configurationsFile", "capping"),
)
# Keys about irace's own behaviour and output, not about the tuning problem.
_IGNORED = {
    *("logFile", "recoveryFile", "scenarioFile", "debugLevel", "quiet", "seed", "parallel", "loadBalancing"),
    *(
        "mpi",
        "batchmode",
        "digits",
        "elitist",
        "elitistNewInstances",
        "elitistLimit",
        "testType",
        "firstTest",
    ),
    *("eachTest", "blockSize", "confidence", "nbIterations", "nbExperimentsPerIteration", "nbConfigurations"),
    *("mu", "minNbSurvival", "softRestart", "softRestartThreshold", "sampleInstances", "budgetEstimation"),
    *(
        "testNbElites",
        "testIterationElites",
        "postselection",
        "aclib",
        "cappingType",
        "cappingAfterFirstTest",
    ),
    *("boundType", "boundDigits", "boundAsTimeout", "targetRunnerRetries", "targetRunnerTimeout"),
    *("minExperiments", "targetRunnerParallel", "rejectionFile"),
}
KEYS = frozenset((*_SUPPORTED, "targetEvaluator", "repairConfiguration"))
_STRING = re.compile(r"""("[^"\\]*"|'[^'\\]*')\s*(?:#.*)?""")
_PLAIN = re.compile(r"([\w.+-]+)\s*(?:#.*)?")
_CMDLINE = "{configurationID} {instanceID} {seed} {instance} {bound} {targetRunnerArgs}"
_ARGUMENTS: Mapping[str, str] = {
    "configurationID": "{trial}",  # unique for each run, so a runner can use it in file names
    "instanceID": "1",
    "seed": "{seed}",
    "instance": "{instance}",
    "bound": "{cap}",
    "targetRunnerArgs": "{parameters}",
}
_RENAMED = {"ceiling": "boundMax", "par": "boundPar", "resolution": "minMeasurableTime", "budget": "maxTime"}


def read_irace_scenario(source: Source, *, folder: Path) -> Scenario:
    """Read a scenario from the content of an irace scenario file. Relative paths start from `folder`.

    The scenario needs a `boundMax`: the cost is time, and `boundMax` is the ceiling.
    """
    given = read_assignments(
        source,
        folder,
        names={key: key for key in _SUPPORTED},
        ignored=_IGNORED,
        normalize=str,
        read_value=_value,
    )
    found = _Found(given)
    for read in (_read_instances, _read_numbers, _read_space):
        with given.faults.collecting():
            read(found)
    with given.faults.collecting():
        _read_target(found)
    given.faults.raise_if_any()
    try:
        return Scenario(**found.settings)
    except ScenarioError as error:
        raise given.locate(error, _RENAMED) from None


@dataclass(slots=True)
class _Found:
    """The settings read so far."""

    given: Assignments
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def cwd(self) -> str:
        return os.path.abspath(self.given.folder / self.given.text("execDir", "."))

    def path_from_cwd(self, name: str) -> str:
        """Return the path of a file relative to the folder in which the command runs."""
        path = self.given.folder / name
        is_file = os.path.exists(path) and not os.path.isabs(name)
        return os.path.relpath(path, self.cwd) if is_file and "execDir" in self.given else name


def _value(piece: Piece) -> Piece:
    """Read a string, a number or a boolean in R syntax."""
    if found := _STRING.fullmatch(piece.text):
        return piece.cut(*found.span(1)).cut(1, -1)
    if found := _PLAIN.fullmatch(piece.text):
        return piece.cut(*found.span(1))
    raise piece.error(
        f"{piece.text!r} is not supported",
        hint="use a string in quotes, a number, TRUE or FALSE; R code is not supported",
    )


def _read_space(found: _Found) -> None:
    given = found.given
    path = given.folder / given.text("parameterFile", "./parameters.txt")
    if "parameterFile" in given:
        given.file("parameterFile")
    forbidden = given.file("forbiddenFile") if given.text("forbiddenFile", "") else None
    found.settings["space"] = Space(read_irace(path, default=_read_default(given), forbidden=forbidden))


def _read_default(given: Assignments) -> dict[str, str]:
    """Return the initial config; there must be at most one."""
    if not given.text("configurationsFile", ""):
        return {}
    header, *rows = [
        line.text.split() for line in Source.of_file(given.file("configurationsFile")).pieces() if line.text
    ] or [[]]
    if len(rows) != 1 or len(rows[0]) != len(header):
        raise given["configurationsFile"].error(
            f"expected one config, found {len(rows)}", hint="keep only the default config"
        )
    pairs = zip(header, rows[0], strict=True)
    return {name.strip("\"'"): value.strip("\"'") for name, value in pairs if value not in ("NA", "<NA>")}


def _read_instances(found: _Found) -> None:
    given = found.given
    train = _names(found, "trainInstancesDir", "trainInstancesFile")
    test = _names(found, "testInstancesDir", "testInstancesFile")
    if not train:
        hint = "add trainInstancesDir or trainInstancesFile"
        raise ScenarioError(Fault("there are no training instances", hint, given.source.file))
    instances = Instances(train, test)
    key = "testInstancesFile" if given.text("testInstancesFile", "") else "testInstancesDir"
    if test:
        refuse_overlap(instances, given[key].value, folder=given.folder)
    found.settings["instances"] = tuple(map(found.path_from_cwd, train))
    found.settings["test"] = tuple(map(found.path_from_cwd, test))


def _names(found: _Found, folder_key: str, file_key: str) -> tuple[str, ...]:
    given = found.given
    folder = given.text(folder_key, "")
    if given.text(file_key, ""):
        listed = [_one_word(piece, given) for piece in read_names(Source.of_file(given.file(file_key)))]
        return tuple(os.path.join(folder, name) for name in require_unique(listed))
    if not folder:
        return ()
    root = given.folder / folder
    if not os.path.isdir(root):
        raise given[folder_key].error(f"there is no folder {str(root)!r}", hint="check the path")
    files = (
        Path(path) / name for path, _, names in os.walk(root) for name in names if not name.startswith(".")
    )
    names = (os.path.join(folder, path.relative_to(root)) for path in files)
    return tuple(sorted(os.path.normpath(name) for name in names))


def _one_word(piece: Piece, given: Assignments) -> Piece:
    name = piece.cut(1, -1) if re.fullmatch(r'"[^"]*"', piece.text) else piece
    if len(name.text.split()) > 1 and not os.path.exists(given.folder / name.text):
        raise piece.error(
            "arguments after an instance are not supported", hint="add them in the target runner"
        )
    return name


def _read_numbers(found: _Found) -> None:
    given, settings = found.given, found.settings
    if "boundMax" not in given:
        problem = "the key boundMax is missing: every run needs a ceiling"
        hint = 'add boundMax if the cost is time; else use TOML with cost = "printed", ceiling and time_limit'
        given.faults.found.append(Fault(problem, hint, given.source.file, key="boundMax"))
    else:
        settings["ceiling"] = given.number("boundMax")
    settings["deterministic"] = given.boolean("deterministic", default=False)
    for key, name in (("boundPar", "par"), ("minMeasurableTime", "resolution")):
        if key in given:
            settings[name] = given.number(key)
    limits = {"maxExperiments": "runs", "maxTime": "cost"}
    found_limits = {limits[key]: given.number(key) for key in limits if given.text(key, "0") != "0"}
    if not found_limits:
        hint = "add maxTime (seconds) or maxExperiments"
        raise ScenarioError(Fault("the scenario has no budget", hint, given.source.file, key="maxTime"))
    try:
        settings["budget"] = Budget(**found_limits)
    except ValueError as error:
        raise given["maxExperiments"].error(str(error)) from None


def _read_target(found: _Found) -> None:
    given, space = found.given, found.settings.get("space")
    if space is None:
        return
    runner = found.path_from_cwd(given.text("targetRunner", "./target-runner"))
    # A name without a folder would be searched for in PATH.
    words = [*_launcher(given), runner if os.sep in runner else os.path.join(".", runner)]
    words = [word.replace("{", "{{").replace("}", "}}") for word in words]
    for argument in _split(given, "targetCmdline", _CMDLINE):
        for name in re.findall(r"\{(.*?)\}", argument):
            if name not in _ARGUMENTS:
                known = ", ".join(_ARGUMENTS)
                raise given["targetCmdline"].error(f"{{{name}}} is not supported", hint=f"use one of {known}")
        words.append(re.sub(r"\{(.*?)\}", lambda found: _ARGUMENTS[found[1]], argument))
    try:
        style = style_of(space.configspace)
        found.settings["target"] = CommandTarget(
            words, answer=IraceLine(cost=False), parameters=style or "--{name} {value}", cwd=found.cwd
        )
    except (SpaceError, TargetError) as error:
        raise ScenarioError(Fault(error.problem, error.hint, given.source.file, key="targetRunner")) from None


def _launcher(given: Assignments) -> list[str]:
    if not given.text("targetRunnerLauncher", ""):
        return []
    arguments = given.text("targetRunnerLauncherArgs", "{targetRunner} {targetRunnerArgs}")
    if arguments != "{targetRunner} {targetRunnerArgs}":
        raise given["targetRunnerLauncherArgs"].error(
            "only the default arguments are supported", hint="remove the line"
        )
    return _split(given, "targetRunnerLauncher", "")


def _split(given: Assignments, key: str, default: str) -> list[str]:
    try:
        return shlex.split(given.text(key, default))
    except ValueError:
        raise given[key].error("unclosed quote", hint="close it") from None
