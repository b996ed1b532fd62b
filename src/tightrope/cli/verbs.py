"""The verbs, and how each is found without importing the others."""

import difflib
import importlib
from dataclasses import dataclass

import click


@dataclass(frozen=True, slots=True)
class Verb:
    """Where a verb lives, `module:command`, and what it does in a few words."""

    home: str
    does: str


VERBS: dict[str, Verb] = {
    "demo": Verb("tightrope.cli.demo:command", "tune a real solver before your eyes, in two minutes"),
    "init": Verb("tightrope.cli.init.command:command", "look around and write a scenario"),
    "check": Verb("tightrope.cli.check:command", "see whether a tuning would work, with real runs"),
    "tune": Verb("tightrope.cli.tune:command", "start a tuning"),
    "resume": Verb("tightrope.cli.resume:command", "go on with a tuning, with more budget if you like"),
    "status": Verb("tightrope.cli.status:command", "show where a tuning stands, while it runs or later"),
    "validate": Verb(
        "tightrope.cli.validate:command", "compare the best config with the default on test instances"
    ),
    "best": Verb("tightrope.cli.best:command", "print the best config, ready to be used"),
    "export": Verb("tightrope.cli.export:command", "write all runs into a file for other programs"),
    "convert": Verb("tightrope.cli.convert:command", "turn parameters and scenarios into another format"),
    "explain": Verb("tightrope.cli.explain:command", "say what a code in a warning means"),
}


class LazyGroup(click.Group):
    """A group that imports a command when it is called: help and completion stay quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order in which one needs them."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the verb of that name, if there is one."""
        if cmd_name not in VERBS:
            return None
        module, _, name = VERBS[cmd_name].home.partition(":")
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb that was called, or say which one was probably meant."""
        name = args[0]
        if name not in VERBS and not name.startswith("-"):
            similar = difflib.get_close_matches(name, VERBS, n=1)
            meant = f"Did you mean '{similar[0]}'?" if similar else f"There are: {', '.join(VERBS)}."
            ctx.fail(f"There is no command '{name}'. {meant}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of verbs without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, verb.does) for name, verb in VERBS.items()])
