"""RunFolder: the folder that holds the scenario, settings and journals of a tuning."""

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Self

from tightrope.budget import Budget
from tightrope.cli.files import write_file, write_scenario_file
from tightrope.cli.terminal import words
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.limits import limits_of
from tightrope.errors import JournalError, ScenarioError, UsageError
from tightrope.records import StopKind, StopReason
from tightrope.records.files import TUNING_JOURNAL

if TYPE_CHECKING:  # a slow import, which --help does not need
    from tightrope.scenario.scenario import Scenario

RUNS: Final = Path("runs")
SETTINGS: Final = "settings.json"
_VALIDATION: Final = "validation.journal"
_REPORT: Final = "report.html"
VIEW: Final = "view.json"  # what `status` prints


@dataclass(frozen=True, slots=True)
class Ended:
    """Why a tuning ended, and its wall time by then."""

    reason: StopReason
    wall_s: float

    @classmethod
    def read(cls, written: dict[str, Any]) -> Self:
        """Read what `asdict` wrote; folders of older versions have the reason as plain text."""
        reason = written["reason"]
        if isinstance(reason, str):
            return cls(StopReason(StopKind.UNKNOWN, reason), written["wall_s"])
        return cls(StopReason(StopKind(reason["kind"]), str(reason["text"])), written["wall_s"])


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a tuning that are not in its scenario file, such as options of the command line.

    Attributes
    ----------
    scenario : str
        File name of the scenario's copy in the folder.
    base : str
        Absolute path of the folder that relative paths in the scenario refer to.
    seed : int
        Seed of all random choices.
    workers : int or None
        Runs at the same time; None: the default of the machine.
    dask : str or None
        Address or file of the Dask scheduler, if runs are sent to a cluster.
    slack : float or None
        Overrides the scenario's slack.
    budget : Budget or None
        Overrides the scenario's budget.
    begun : bool
        Whether the journal has runs.
    ended : Ended or None
        Why the tuning ended; None if it has not, or was interrupted.
    """

    scenario: str
    base: str
    seed: int = 0
    workers: int | None = None
    dask: str | None = None
    slack: float | None = None
    budget: Budget | None = None
    begun: bool = False
    ended: Ended | None = None

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read the file that `write` wrote."""
        names = {each.name for each in fields(cls)}
        try:
            written = json.loads(file.read_text(encoding="utf-8"))
            known = {name: value for name, value in written.items() if name in names}
            ended, budget = known.pop("ended", None), known.pop("budget", None)
            read = cls(
                **known,
                budget=None if budget is None else Budget(**budget),
                ended=None if ended is None else Ended.read(ended),
            )
            _require_valid(read)
            return read
        except FileNotFoundError:
            raise UsageError(
                f"{file.parent} is not a run folder: it has no {file.name}",
                hint="give a run folder, such as runs/solver",
            ) from None
        except (ValueError, TypeError, KeyError, AttributeError, UsageError, ScenarioError) as error:
            raise UsageError(
                f"{file} is not valid: {error}", hint="restore it, or start over with `tightrope tune`"
            ) from error

    def write(self, file: Path) -> None:
        """Write the file atomically: after a crash it is either the old one or the new one."""
        budget = None if self.budget is None else limits_of(self.budget)
        written = asdict(self) | {"budget": budget}
        write_file(file, json.dumps(written, indent=2, default=_plain) + "\n")

    def applied_to(self, scenario: "Scenario") -> "Scenario":
        """Return the scenario with these settings in place of its own."""
        changes: dict[str, Any] = {}
        if self.slack is not None:
            changes["slack"] = self.slack
        if self.budget is not None:
            changes["budget"] = self.budget
        return replace(scenario, **changes)


def _plain(value: object) -> object:
    """Return what JSON has no word for."""
    if isinstance(value, StopKind):
        return value.value
    raise TypeError(f"{value!r} cannot be written")


_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "scenario": (str,),
    "base": (str,),
    "seed": (int,),
    "workers": (int, NoneType),
    "dask": (str, NoneType),
    "slack": (int, float, NoneType),
    "budget": (Budget, NoneType),
    "begun": (bool,),
}


def _require_valid(settings: Settings) -> None:
    """Reject settings that were edited into values which no command line accepts."""
    for name, types in _TYPES.items():
        value = getattr(settings, name)
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise TypeError(f"'{name}' cannot be {value!r}")
    if settings.seed < 0:
        raise ValueError(f"'seed' cannot be {settings.seed}")
    if settings.workers is not None and settings.workers < 1:
        raise ValueError(f"'workers' cannot be {settings.workers}")
    if settings.slack is not None and not settings.slack >= 1:
        raise ValueError(f"'slack' cannot be {settings.slack}")
    if settings.ended is not None and not isinstance(settings.ended.wall_s, int | float):
        raise TypeError(f"'wall_s' cannot be {settings.ended.wall_s!r}")


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of one tuning: `create` makes a new one, `open` opens an existing one."""

    path: Path
    settings: Settings

    @classmethod
    def create(cls, path: Path, scenario: bytes, settings: Settings) -> Self:
        """Create the folder with the scenario file's content and the settings."""
        refuse_used(path)
        if (path / settings.scenario).exists():  # a file of the user's: --out may be the scenario's folder
            raise UsageError(
                f"{path / settings.scenario} already exists, and the tuning would overwrite it",
                hint="choose a folder for the tuning alone:  --out runs/again",
            )
        path.mkdir(parents=True, exist_ok=True)
        created = cls(path, settings)
        try:
            write_scenario_file(path / settings.scenario, scenario)
            settings.write(path / SETTINGS)
        except OSError as error:
            created.discard()
            raise OSError(error.errno, error.strerror, str(path)) from error
        return created

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open an existing folder."""
        opened = cls.settled(path)
        opened.require_journal()
        return opened

    @classmethod
    def settled(cls, path: Path) -> Self:
        """Open an existing folder whose journal may be missing."""
        if not path.is_dir():
            raise UsageError(f"there is no folder {path}", hint="give a run folder, such as runs/solver")
        return cls(path, Settings.read(path / SETTINGS))

    def require_journal(self) -> None:
        """Raise an error if the journal is gone: a tuning that has runs must not silently start over."""
        settings, journal = self.settings, self.journal
        if not (settings.begun or settings.ended) or (journal.exists() and journal.stat().st_size > 0):
            return
        problem = "this file is empty" if journal.exists() else "there is no such file"
        state = f"this tuning has ended: {settings.ended.reason}" if settings.ended else "it has runs"
        raise JournalError(
            f"{problem}, but {self.path / SETTINGS} says that {state}",
            path=str(journal),
            hint="restore it from a copy, or start over:  tightrope tune --out OTHER",
        )

    @property
    def journal(self) -> Path:
        """Path of the tuning's journal."""
        return self.path / TUNING_JOURNAL

    @property
    def validation(self) -> Path:
        """Path of the validation's journal."""
        return self.path / _VALIDATION

    @property
    def report(self) -> Path:
        """Path of the report, if one was made."""
        return self.path / _REPORT

    def mention_report(self, terminal: Terminal) -> None:
        """Print where the report is and how to renew it (it lacks the latest runs), or how to make one."""
        make = words.command("report", self.path)
        if self.report.exists():
            terminal.say(f"report:  {self.report}  (renew it:  {make})")
        else:
            terminal.say(f"to look at it:  {make} --open")

    def scenario(self) -> "Scenario":
        """Read the copy of the scenario and apply the settings to it."""
        from tightrope.scenario import read_scenario

        file = self.path / self.settings.scenario
        return self.settings.applied_to(read_scenario(file, base=self.settings.base))

    def discard(self) -> None:
        """Delete the files of a tuning without results, and the folder if that leaves it empty."""
        names = (self.settings.scenario, SETTINGS, VIEW, "dask.log")
        for file in [*(self.path / name for name in names), *self.path.glob(f"{TUNING_JOURNAL}*")]:
            file.unlink(missing_ok=True)
        if not any(self.path.iterdir()):
            self.path.rmdir()

    def remember(self, settings: Settings) -> "RunFolder":
        """Save new settings, and return the folder with them."""
        settings.write(self.path / SETTINGS)
        return replace(self, settings=settings)


def refuse_used(path: Path) -> None:
    """Raise an error if the folder already holds a tuning, and suggest both ways on."""
    if path.exists() and not path.is_dir():
        raise UsageError(f"{path} is a file", hint="give a folder:  --out runs/again")
    if (path / SETTINGS).exists() or (path / TUNING_JOURNAL).exists():
        resume = words.command("resume", path)
        raise UsageError(
            f"{path} already holds a tuning",
            hint=f"continue it:  {resume}   or start another:  tightrope tune --out OTHER",
        )


def folder_for(scenario_file: Path) -> Path:
    """Return the default run folder for a scenario file.

    >>> folder_for(Path("spear.toml")).as_posix(), folder_for(Path("spear/scenario.toml")).as_posix()
    ('runs/spear', 'runs/spear')
    """
    stem = scenario_file.stem
    name = scenario_file.absolute().parent.name if stem == "scenario" else stem
    return RUNS / (name or "tuning")


def chosen_folder(given: Path | None, terminal: Terminal) -> Path:
    """Return the given folder, or else the latest one, and print which one that is."""
    if given is not None:
        return given
    latest = latest_folder()
    terminal.say(f"using {latest}, the latest in {RUNS}", style="dim")
    return latest


def latest_folder() -> Path:
    """Return the folder in ./runs that was written to last."""
    found = [file.parent for file in RUNS.glob(f"*/{SETTINGS}")]
    if not found:
        hint = "give its path, as in  tightrope status DIR,  or start one with  tightrope tune"
        raise UsageError(f"there is no run folder in {RUNS.absolute()}", hint=hint)
    return max(found, key=lambda folder: (_written_s(folder), folder.name))


def _written_s(folder: Path) -> float:
    # A report of an old tuning, or a look at it, does not make that tuning the latest.
    return max(file.stat().st_mtime for file in folder.iterdir() if file.name not in (_REPORT, VIEW))
