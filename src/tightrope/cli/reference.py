"""The reference of the command line, made from what each verb says of itself.

`python -m tightrope.cli.reference > docs/reference/cli.md` writes it anew.
"""

from collections.abc import Iterator

import click

from tightrope.cli.main import tightrope
from tightrope.cli.verbs import VERBS

_WIDTH = 100
_PREFACE = """\
# The command line

Each verb says this with `--help`; this page is made of it, by `python -m tightrope.cli.reference`. What they
print is explained in [output](output.md).
"""
_COMPLETION = """\
## Completion

Bash, zsh and fish complete verbs, options and folders once this line is in the shell's start-up file, with
`zsh` or `fish` instead of `bash` if it is another one:

```sh
eval "$(_TIGHTROPE_COMPLETE=bash_source tightrope)"
```
"""


def reference() -> str:
    """Return the whole page."""
    return "\n".join([_PREFACE, *_sections(), _COMPLETION])


def _sections() -> Iterator[str]:
    group = _context(tightrope, "tightrope", None)
    yield _block(group)
    for name in VERBS:
        verb = tightrope.get_command(group, name)
        assert verb is not None
        yield f"## {name}\n\n{_block(_context(verb, name, group))}"


def _context(command: click.Command, name: str, parent: click.Context | None) -> click.Context:
    # The width is given: whoever writes the page may have another terminal.
    names = tightrope.context_settings["help_option_names"]
    return click.Context(
        command,
        info_name=name,
        parent=parent,
        terminal_width=_WIDTH,
        max_content_width=_WIDTH,
        help_option_names=names,
    )


def _block(context: click.Context) -> str:
    return f"```text\n{context.get_help()}\n```\n"


if __name__ == "__main__":
    click.echo(reference(), nl=False)
