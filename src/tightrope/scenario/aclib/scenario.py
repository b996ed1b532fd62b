"""Reader of SMAC, ParamILS and AClib scenario files."""

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

from tightrope.budget import Budget
from tightrope.errors import Fault, ScenarioError, TargetError
from tightrope.run.command import CommandTarget
from tightrope.run.convention import ResultLine
from tightrope.scenario.aclib.instances import Listing, read_listing
from tightrope.scenario.instance_table import read_features
from tightrope.scenario.instances import Instances, refuse_overlap
from tightrope.scenario.parameter_file import read_parameter_file
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.text.assignments import Assignments, read_assignments
from tightrope.scenario.text.source import Piece, Source
from tightrope.space import Space

_SPELLINGS: Mapping[str, tuple[str, ...]] = {
    "algo": ("algo", "algoexec", "algorithm", "ta"),
    "execdir": ("execdir", "algoexecdir"),
    "deterministic": ("deterministic", "algodeterministic", "targetalgorithmdeterministic"),
    "run_obj": ("runobj", "runobjective"),
    "overall_obj": ("overallobj", "intraobj", "intrainstanceobj"),
    "cutoff_time": ("cutofftime", "cutoff", "targetruncutofftime", "algocutofftime", "targetruncputimelimit"),
    "cutoff_length": ("cutofflength", "targetruncutofflength"),
    "wallclock_limit": ("wallclocklimit", "runtimelimit"),
    "cputime_limit": ("cputimelimit", "cpulimit", "tunertimeout", "tunertimelimit"),
    "runcount_limit": (
        "runcountlimit",
        "totalnumrunslimit",
        "numrunslimit",
        "numberofrunslimit",
        "tarunlimit",
        "algorunslimit",
    ),
    "paramfile": ("paramfile", "pcsfile", "pcsfn", "pcs"),
    "instance_file": ("instancefile", "instances", "traininstfn", "traininstancefile"),
    "instance_seed_file": ("instanceseedfile",),
    "test_instance_file": ("testinstancefile", "testinstances", "testinstfn"),
    "test_instance_seed_file": ("testinstanceseedfile",),
    "feature_file": ("featurefile", "instancefeaturefile", "featurefn", "instancefeatures"),
    "cost_for_crash": ("costforcrash",),
    "memory_limit": ("memorylimit",),
    "initial_incumbent": ("initialincumbent",),
}
# Keys about SMAC's own behaviour and output, not about the tuning problem.
_IGNORED = {
    *(
        "outdir",
        "outputdir",
        "outputdirectory",
        "rungroup",
        "rungroupname",
        "experimentdir",
        "numrun",
        "seed",
        "verbosity",
    ),
    *("validation", "validate", "doubleintensification", "intensificationpercentage", "executionmode"),
    *("consoleloglevel", "loglevel", "checkinstancesexist", "abortonfirstruncrash", "sharedmodelmode"),
    *("alwaysracedefault", "useinstances", "minr", "maxr", "transformy", "initialchallengers", "cores"),
    *("numiterations", "numconcurrentalgoexecs", "clilogallcalls", "abortonfirstcrash"),
    *("multiobjectives", "saveresultsinstantly", "saveinstantly", "algorunstimelimit", "parfactor"),
    *("maxtimestamp", "maxruntimelimit", "retrytargetalgorithmruncount", "sharedmodel", "inputpsmacdirs"),
}
_NAMES = {spelling: name for name, spellings in _SPELLINGS.items() for spelling in spellings}
KEYS = frozenset(_NAMES)
_PAR = re.compile(r"(?:mean|par)([0-9]*)")
_NO_RUN_LENGTH = "2147483647"  # what SMAC passes if there is no limit on the run length
_CRASHED = 2147483647.0  # SMAC's cost of a failed run if the cost is a quality
_RENAMED = {"ceiling": "cutoff_time", "budget": "wallclock_limit", "instances": "instance_file"}


def normalize_key(key: str) -> str:
    """Return a key in lower case, without '-' and '_', which SMAC ignores."""
    return key.lower().replace("-", "").replace("_", "")


def read_aclib(source: Source, *, folder: Path) -> Scenario:
    """Read a scenario from the content of a SMAC, ParamILS or AClib scenario file.

    Relative paths start from the nearest folder, from `folder` upwards, that contains the parameter file:
    AClib scenarios use paths from AClib's root.
    """
    given = read_assignments(
        source,
        folder,
        names=_NAMES,
        ignored=_IGNORED,
        normalize=normalize_key,
        read_value=_value,
        sign_is_optional=True,
    )
    found = _Found(_with_root(given), Path(folder))
    for read in (_read_space, _read_instances, _read_objective, _read_budget, _read_plain):
        with found.given.faults.collecting():
            read(found)
    with found.given.faults.collecting():
        _read_target(found)
    found.given.faults.raise_if_any()
    try:
        return Scenario(**found.settings)
    except ScenarioError as error:
        raise found.given.locate(error, _RENAMED) from None


@dataclass(slots=True)
class _Found:
    """The settings read so far."""

    given: Assignments
    folder: Path  # that of the scenario
    settings: dict[str, Any] = field(default_factory=dict)
    listing: Listing = field(default_factory=Listing)
    is_quality: bool = False

    @property
    def cwd(self) -> str:
        return os.path.abspath(self.given.folder / self.given.text("execdir", "."))


def _value(piece: Piece) -> Piece:
    """Return a value without a trailing comment and without quotes."""
    found = re.search(r"(?:^|\s)#", piece.text)
    value = piece.cut(0, found.start() if found else None).strip()
    is_quoted = len(value.text) > 1 and value.text[0] == value.text[-1] and value.text[0] in "\"'"
    return value.cut(1, -1) if is_quoted else value


def _with_root(given: Assignments) -> Assignments:
    if "paramfile" not in given:
        return given
    for folder in _upwards(given.folder):
        if os.path.isfile(folder / given["paramfile"].value.text):
            return Assignments(given.source, folder, given.settings, given.faults)
    return given


def _read_space(found: _Found) -> None:
    found.settings["space"] = Space(read_parameter_file(_parameter_file(found)))


def _parameter_file(found: _Found) -> Path:
    """Find the parameter file where AClib and SMAC do, and beside the scenario, where SMAC3 1.4 copies it."""
    setting = found.given["paramfile"]
    name = Path(setting.value.text)
    folders = [*_upwards(found.folder), Path(found.cwd)]
    places = [*(folder / name for folder in folders), found.folder / name.name]
    for place in places:
        if os.path.isfile(place):
            return place
    tried = ", ".join(dict.fromkeys(os.path.abspath(place) for place in places))
    raise setting.error(f"there is no file {str(name)!r}; tried: {tried}", hint="correct the path")


def _upwards(folder: Path) -> list[Path]:
    return [folder, *Path(os.path.abspath(folder)).parents]


def _read_instances(found: _Found) -> None:
    given, listings = found.given, {}
    for part in ("", "test_"):
        for key, has_seeds in ((f"{part}instance_file", False), (f"{part}instance_seed_file", True)):
            if key in given:
                source = Source.of_file(given.file(key))
                listings[part] = read_listing(source, has_seeds=has_seeds, root=given.folder, cwd=found.cwd)
    if "" not in listings:
        if "test_" in listings:
            raise given["test_instance_file"].error("there are no training instances")
        return
    train, test = listings[""], listings.get("test_", Listing())
    instances = Instances(tuple(train.specifics), tuple(test.specifics))
    where = given["test_instance_file"].value if "test_instance_file" in given else None
    if where is not None:
        refuse_overlap(instances, where, folder=Path(found.cwd))
    found.listing = Listing(train.specifics | test.specifics, train.seeds)
    found.settings |= {"instances": instances.train, "test": instances.test, "seeds": train.seeds}
    if "feature_file" in given:
        source = Source.of_file(given.file("feature_file"))
        names = (*instances.train, *instances.test)
        found.settings["features"] = read_features(source, names, needed=instances.train)


def _read_objective(found: _Found) -> None:
    given = found.given
    kind = given.text("run_obj", "runtime").lower()
    if kind not in ("runtime", "quality"):
        raise given["run_obj"].error(f"{kind!r} is not supported", hint="use runtime or quality")
    found.is_quality = kind == "quality"
    cutoff = given.number("cutoff_time")
    if found.is_quality:
        found.settings["ceiling"] = given.number("cost_for_crash") if "cost_for_crash" in given else _CRASHED
    else:
        found.settings["ceiling"] = cutoff
    overall = _PAR.fullmatch(given.text("overall_obj", "mean").lower())
    if overall is None or len(overall[1]) > 9:
        raise given["overall_obj"].error(
            "unsupported overall objective", hint="use mean, or mean10, par10 and similar"
        )
    if overall[1] and not found.is_quality:
        found.settings["par"] = float(overall[1])


def _read_budget(found: _Found) -> None:
    given = found.given
    keys = {"cputime_limit": "cost", "wallclock_limit": "wall", "runcount_limit": "runs"}
    is_given = {key: key in given and given.text(key, "").lower() != "inf" for key in keys}
    limits = {limit: given.number(key) for key, limit in keys.items() if is_given[key]}
    if not limits:
        hint = "add wallclock-limit, cputime-limit (seconds) or runcount-limit"
        raise ScenarioError(
            Fault("the scenario has no budget", hint, given.source.file, key="wallclock-limit")
        )
    try:
        found.settings["budget"] = Budget(**limits)
    except ValueError as error:
        raise given["runcount_limit"].error(str(error)) from None


def _read_plain(found: _Found) -> None:
    given = found.given
    found.settings["deterministic"] = given.boolean("deterministic", default=False)
    if given.text("initial_incumbent", "default").lower() != "default":
        raise given["initial_incumbent"].error(
            "only the default can be the initial incumbent", hint="remove the line"
        )


def _read_target(found: _Found) -> None:
    """Build the command: algo, instance, specifics, cutoff, run length, seed, then -name value."""
    given, setting = found.given, found.given["algo"]
    if "space" not in found.settings or "ceiling" not in found.settings:
        return
    cutoff = given.number("cutoff_time")
    try:
        words = [word.replace("{", "{{").replace("}", "}}") for word in shlex.split(setting.value.text)]
    except ValueError:
        raise setting.error("unclosed quote", hint="close it") from None
    if not words:
        raise setting.error("the command is empty", hint="write a program")
    instance = ["{instance}"] if "instances" in found.settings else ["no-instance"]
    specifics = ["{specifics}"] if any(found.listing.specifics.values()) else ["0"]
    limit = [f"{cutoff:g}"] if found.is_quality else ["{cap}"]
    length = given.text("cutoff_length", "max")
    words += [
        *instance,
        *specifics,
        *limit,
        _NO_RUN_LENGTH if length == "max" else length,
        "{seed}",
        "{parameters}",
    ]
    if not os.path.isdir(found.cwd):
        raise given["execdir"].error(f"there is no folder {found.cwd!r}", hint="check the path")
    try:
        found.settings["target"] = CommandTarget(
            words,
            answer=ResultLine(quality=found.is_quality),
            parameters="-{name} {value}",
            limit_s=cutoff if found.is_quality else inf,
            memory_mb=given.number("memory_limit") if "memory_limit" in given else inf,
            specifics={name: text for name, text in found.listing.specifics.items() if text},
            cwd=found.cwd,
        )
    except TargetError as error:
        raise setting.error(error.problem, hint=error.hint) from None
