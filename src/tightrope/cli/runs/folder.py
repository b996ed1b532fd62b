"""RunFolder: where a tuning keeps its scenario, its settings and its journals."""

import json
import os
import shutil
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Self

from tightrope.budget import Budget
from tightrope.cli.runs.write import write_file
from tightrope.cli.terminal import words
from tightrope.cli.terminal.console import Terminal
from tightrope.errors import Fault, JournalError, ScenarioError, UsageError

if TYPE_CHECKING:  # not needed by those who only ask for help
    from tightrope.scenario.scenario import Scenario

RUNS: Final = Path("runs")
_SETTINGS: Final = "settings.json"
_JOURNAL: Final = "tuning.journal"
_VALIDATION: Final = "validation.journal"


@dataclass(frozen=True, slots=True)
class Ended:
    """Why a tuning came to its end, and the time that it had taken."""

    reason: str
    wall_s: float


@dataclass(frozen=True, slots=True)
class Settings:
    """What the command line said beyond the scenario's file.

    Attributes
    ----------
    scenario : str
        Name of the scenario's copy in the folder.
    base : str
        The folder that relative paths in the scenario refer to, absolute.
    seed : int
        Of all random choices.
    workers : int or None
        How many runs at once; None: as many as are usual where it runs.
    dask : str or None
        The scheduler's address, or its file, if runs are sent to a cluster.
    slack : float or None
        Instead of the scenario's.
    budget : dict or None
        Limits instead of the scenario's, by the names of `Budget`.
    begun : bool
        Whether its journal has runs.
    ended : Ended or None
        Why the tuning came to its end; None if it did not, or was cut off.
    """

    scenario: str
    base: str
    seed: int = 0
    workers: int | None = None
    dask: str | None = None
    slack: float | None = None
    budget: dict[str, float] | None = None
    begun: bool = False
    ended: Ended | None = None

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read what `write` wrote."""
        names = {each.name for each in fields(cls)}
        try:
            written = json.loads(file.read_text(encoding="utf-8"))
            known = {name: value for name, value in written.items() if name in names}
            ended = known.pop("ended", None)
            read = cls(**known, ended=None if ended is None else Ended(**ended))
            _require_sense(read)
            return read
        except FileNotFoundError:
            raise UsageError(
                f"{file.parent} is not the folder of a tuning: it has no {file.name}",
                hint="name a run folder, such as runs/solver",
            ) from None
        except (ValueError, TypeError, AttributeError, UsageError, ScenarioError) as error:
            raise UsageError(
                f"{file} makes no sense: {error}", hint="restore it, or begin anew with `tightrope tune`"
            ) from error

    def write(self, file: Path) -> None:
        """Write it all down, such that a crash leaves either the old file or the new one."""
        fresh = file.with_name(file.name + ".new")
        write_file(fresh, json.dumps(asdict(self), indent=2) + "\n")
        os.replace(fresh, file)

    def applied_to(self, scenario: "Scenario") -> "Scenario":
        """Return the scenario with what was said instead."""
        changes: dict[str, Any] = {}
        if self.slack is not None:
            changes["slack"] = self.slack
        if self.budget is not None:
            changes["budget"] = Budget(**self.budget)
        return replace(scenario, **changes)


_KINDS: Final[dict[str, tuple[type, ...]]] = {
    "scenario": (str,),
    "base": (str,),
    "seed": (int,),
    "workers": (int, NoneType),
    "dask": (str, NoneType),
    "slack": (int, float, NoneType),
    "budget": (dict, NoneType),
    "begun": (bool,),
}


def _require_sense(settings: Settings) -> None:
    """Refuse settings that somebody has edited into what no command line could have said."""
    for name, kinds in _KINDS.items():
        value = getattr(settings, name)
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise TypeError(f"'{name}' cannot be {value!r}")
    if settings.seed < 0:
        raise ValueError(f"'seed' cannot be {settings.seed}")
    if settings.workers is not None and settings.workers < 1:
        raise ValueError(f"'workers' cannot be {settings.workers}")
    if settings.slack is not None and not settings.slack >= 1:
        raise ValueError(f"'slack' cannot be {settings.slack}")
    if settings.ended is not None and not isinstance(settings.ended.wall_s, int | float):
        raise TypeError(f"'wall_s' cannot be {settings.ended.wall_s!r}")
    if settings.budget is not None:
        Budget(**settings.budget)


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of one tuning; make one with `create`, come back to it with `open`."""

    path: Path
    settings: Settings

    @classmethod
    def create(cls, path: Path, scenario_file: Path, settings: Settings) -> Self:
        """Make the folder, with a copy of the scenario's file and the settings."""
        refuse_used(path)
        if (path / settings.scenario).exists():  # somebody's own, as where --out is the scenario's folder
            raise UsageError(
                f"{path / settings.scenario} is there already, and a tuning would write over it",
                hint="give the tuning a folder of its own, as in  --out runs/again",
            )
        path.mkdir(parents=True, exist_ok=True)
        created = cls(path, settings)
        try:
            shutil.copyfile(scenario_file, path / settings.scenario)
            settings.write(path / _SETTINGS)
        except OSError as error:
            created.discard()
            raise OSError(error.errno, error.strerror, str(path)) from error
        return created

    @classmethod
    def open(cls, path: Path) -> Self:
        """Come back to a folder."""
        if not path.is_dir():
            raise UsageError(f"there is no folder {path}", hint="name a run folder, such as runs/solver")
        opened = cls(path, Settings.read(path / _SETTINGS))
        opened._require_journal()
        return opened

    def _require_journal(self) -> None:
        """Refuse a folder whose journal is gone: to begin again where runs were paid for is no going on."""
        settings, journal = self.settings, self.journal
        if not (settings.begun or settings.ended) or (journal.exists() and journal.stat().st_size > 0):
            return
        what = "this file is empty" if journal.exists() else "there is no such file"
        known = f"this tuning has ended: {settings.ended.reason}" if settings.ended else "it has runs"
        raise JournalError(
            f"{what}, but {self.path / _SETTINGS} says that {known}",
            path=str(journal),
            hint="put it back from a copy, or begin anew:  tightrope tune --out OTHER",
        )

    @property
    def journal(self) -> Path:
        """The journal of the tuning."""
        return self.path / _JOURNAL

    @property
    def validation(self) -> Path:
        """The journal of the validation."""
        return self.path / _VALIDATION

    def scenario(self) -> "Scenario":
        """Read the copy of the scenario, and apply what the command line said instead."""
        from tightrope.scenario import read_scenario

        file = self.path / self.settings.scenario
        return self.settings.applied_to(read_scenario(file, base=self.settings.base))

    def discard(self) -> None:
        """Delete what a tuning has written here that came to nothing, and the folder if it is empty then."""
        names = (self.settings.scenario, _SETTINGS, "dask.log")
        for file in [*(self.path / name for name in names), *self.path.glob(f"{_JOURNAL}*")]:
            file.unlink(missing_ok=True)
        if not any(self.path.iterdir()):
            self.path.rmdir()

    def remember(self, settings: Settings) -> "RunFolder":
        """Write new settings down, and return the folder with them."""
        settings.write(self.path / _SETTINGS)
        return replace(self, settings=settings)


def refuse_used(path: Path) -> None:
    """Refuse a folder that holds a tuning already, naming the two ways on."""
    if path.exists() and not path.is_dir():
        raise UsageError(f"{path} is a file", hint="name a folder, as in  --out runs/again")
    if (path / _SETTINGS).exists() or (path / _JOURNAL).exists():
        again = words.command("resume", path)
        raise UsageError(
            f"{path} holds a tuning already",
            hint=f"go on with it:  {again}   or begin another:  tightrope tune --out OTHER",
        )


def settings_for(scenario_file: Path, **said: Any) -> Settings:
    """Return the settings of a new tuning of a scenario's file."""
    require_file(scenario_file)
    # The copy keeps its ending: people and editors go by it.
    name = f"scenario{scenario_file.suffix}"
    return Settings(name, str(scenario_file.parent.absolute()), **said)


def require_file(scenario_file: Path) -> None:
    """Refuse a scenario that is not there."""
    if not scenario_file.is_file():
        what = "this is a folder" if scenario_file.is_dir() else "there is no such file"
        hint = "write one with `tightrope init`, or name yours:  tightrope tune SCENARIO"
        raise ScenarioError(Fault(what, hint, str(scenario_file)))


def folder_for(scenario_file: Path) -> Path:
    """Return where a tuning of this scenario goes unless told otherwise.

    >>> folder_for(Path("spear.toml")).as_posix(), folder_for(Path("spear/scenario.toml")).as_posix()
    ('runs/spear', 'runs/spear')
    """
    stem = scenario_file.stem
    name = scenario_file.absolute().parent.name if stem == "scenario" else stem
    return RUNS / (name or "tuning")


def chosen_folder(given: Path | None, terminal: Terminal) -> Path:
    """Return the folder that was named or else the latest, and say which that is."""
    if given is not None:
        return given
    latest = latest_folder()
    terminal.say(f"taking {latest}, the latest in {RUNS}", style="dim")
    return latest


def latest_folder() -> Path:
    """Return the folder in ./runs in which something was written last."""
    found = [file.parent for file in RUNS.glob(f"*/{_SETTINGS}")]
    if not found:
        hint = "name it, as in  tightrope status DIR,  or begin one with  tightrope tune"
        raise UsageError(f"there is no run folder in {RUNS.absolute()}", hint=hint)
    return max(found, key=lambda folder: (_written_s(folder), folder.name))


def _written_s(folder: Path) -> float:
    return max(file.stat().st_mtime for file in folder.iterdir())
