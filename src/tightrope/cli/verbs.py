"""The table of verbs, and a click group that imports each verb only when it is called."""

import difflib
import importlib
from dataclasses import dataclass

import click


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb: the place of its click command, `module:name`, and a short summary."""

    home: str
    summary: str


VERBS: dict[str, Verb] = {
    "demo": Verb("tightrope.cli.demo:command", "Tune a real SAT solver, in about three minutes"),
    "init": Verb("tightrope.cli.init.command:command", "Write a scenario for the program in this folder"),
    "check": Verb("tightrope.cli.check:command", "Test a scenario with a few real runs"),
    "tune": Verb("tightrope.cli.tune:command", "Start a tuning"),
    "resume": Verb("tightrope.cli.resume:command", "Continue a tuning, optionally with more budget"),
    "status": Verb("tightrope.cli.status:command", "Show the progress of a tuning"),
    "validate": Verb(
        "tightrope.cli.validate:command", "Compare the best config with the default on test instances"
    ),
    "ablate": Verb(
        "tightrope.cli.ablate:command", "Find the changes that matter, and a config with only those"
    ),
    "report": Verb("tightrope.cli.report:command", "Write one HTML page about a tuning, or compare several"),
    "merge": Verb(
        "tightrope.cli.merge:command", "Compare the best configs of several tunings in a final race"
    ),
    "best": Verb("tightrope.cli.best:command", "Print the best config"),
    "export": Verb(
        "tightrope.cli.export:command", "Export all runs as CSV, JSON Lines, Parquet or for SMAC3"
    ),
    "rescue": Verb("tightrope.cli.rescue:command", "Repair a damaged journal; all sound rows are kept"),
    "cluster": Verb("tightrope.cli.cluster:command", "Write a batch file that tunes on a SLURM cluster"),
    "convert": Verb("tightrope.cli.convert:command", "Convert parameter files and scenarios"),
    "explain": Verb("tightrope.cli.explain:command", "Explain the code of a warning or an error"),
}


class LazyGroup(click.Group):
    """A group that imports a command when it is called, so that help and completion stay fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of a typical workflow."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the verb of that name; suggest the closest one if it does not exist."""
        if cmd_name not in VERBS:
            if ctx.resilient_parsing or cmd_name.startswith("-"):
                return None
            similar = difflib.get_close_matches(cmd_name, VERBS, n=1)
            meant = f"Did you mean '{similar[0]}'?" if similar else f"Commands: {', '.join(VERBS)}."
            ctx.fail(f"No such command '{cmd_name}'. {meant}")
        module, _, name = VERBS[cmd_name].home.partition(":")
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of verbs without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, verb.summary) for name, verb in VERBS.items()])
