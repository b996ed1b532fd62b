"""Command templates: text with placeholders, parsed once and filled in for each trial."""

import math
import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tightrope.errors import TargetError
from tightrope.records import Config, Trial
from tightrope.run.style import Style, write

_TRIAL_FIELDS = ("instance", "specifics", "seed", "cap", "trial")
_NO_SPECIFICS = "0"  # AClib's convention
_ALL = "parameters"
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


@dataclass(frozen=True, slots=True)
class Slot:
    """A placeholder for a value within a word."""

    name: str


Word = tuple[str | Slot, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed command. Build it with `read_template`."""

    words: tuple[Word, ...]
    style: Style
    shell: bool
    specifics: Mapping[str, str] = field(default_factory=dict)

    def fill(self, trial: Trial) -> list[str]:
        """Return program and arguments for one trial, without inactive parameters."""
        if not self.shell:
            return list(self._arguments(trial))
        (script,) = self.words
        return ["/bin/sh", "-c", "".join(self._quoted(piece, trial) for piece in script)]

    @property
    def placeholders(self) -> frozenset[str]:
        """Names in braces: fields of the trial, 'parameters', and names of parameters."""
        return frozenset(piece.name for word in self.words for piece in word if isinstance(piece, Slot))

    @property
    def placed(self) -> frozenset[str]:
        """Parameters with their own placeholder; {parameters} stands for all others."""
        return self.placeholders - {*_TRIAL_FIELDS, _ALL}

    def _arguments(self, trial: Trial) -> Iterator[str]:
        for word in self.words:
            if word == (Slot(_ALL),):
                yield from self._remaining(trial.config)
            elif all(self._is_present(piece, trial.config) for piece in word):
                yield "".join(
                    piece if isinstance(piece, str) else self._value(piece, trial) for piece in word
                )
            elif len(word) == 1:
                raise _inactive_error(word[0])

    def _quoted(self, piece: str | Slot, trial: Trial) -> str:
        if isinstance(piece, str):
            return piece
        if piece.name == _ALL:
            return shlex.join(self._remaining(trial.config))
        if not self._is_present(piece, trial.config):
            raise _inactive_error(piece)
        return shlex.quote(self._value(piece, trial))

    def _remaining(self, config: Config) -> list[str]:
        names = [name for name in config if name not in self.placed]
        return [word for name in names for word in self.style.words(name, config[name])]

    def _value(self, slot: Slot, trial: Trial) -> str:
        match slot.name:
            case "instance":
                return write(trial.task.instance)
            case "specifics":
                return write(self.specifics.get(trial.task.instance, _NO_SPECIFICS))
            case "seed":
                return str(trial.task.seed)
            case "cap":
                return _write_cap(trial.cap)
            case "trial":
                return str(trial.id)
            case name:
                return write(trial.config[name])

    def _is_present(self, piece: str | Slot, config: Config) -> bool:
        return isinstance(piece, str) or piece.name in config or piece.name in _TRIAL_FIELDS


def read_template(
    command: str | Sequence[str],
    style: Style,
    *,
    names: Collection[str] = (),
    shell: bool = False,
    specifics: Mapping[str, str] | None = None,
) -> Template:
    """Parse a command with placeholders.

    Parameters
    ----------
    command : str or sequence of str
        Text is split into words as a shell does; a sequence holds the words themselves.
    style : Style
        How `{parameters}` is written.
    names : collection of str
        Parameters that may have their own placeholder.
    shell : bool
        Whether the text is a shell script; values are then quoted for the shell.
    specifics : mapping from str to str, or None
        The value of `{specifics}` for each instance; "0" for others.

    Examples
    --------
    >>> template = read_template("solver --seed {seed} {parameters} {instance}", Style())
    >>> template.fill(Trial(0, Config({"alpha": 0.5})))
    ['solver', '--seed', '0', '--alpha=0.5', '']
    """
    if shell and not isinstance(command, str):
        raise TargetError(
            f"shell=True needs the command as one string, not {command!r}",
            hint="join the words, or leave out shell=True",
        )
    texts = [str(command)] if shell else _split(command)
    words = tuple(tuple(_pieces(text, command)) for text in texts)
    template = Template(words, style, shell, specifics or {})
    _check(template, names)
    return template


def _split(command: str | Sequence[str]) -> list[str]:
    try:
        words = shlex.split(command) if isinstance(command, str) else [str(word) for word in command]
    except ValueError as error:
        raise TargetError(f"the command {command!r} has an unclosed quote") from error
    if not words:
        raise TargetError("the command is empty", hint="name a program: './solver {parameters} {instance}'")
    return words


def _pieces(text: str, command: object) -> Iterator[str | Slot]:
    """Split a word into literal text and slots; {{ and }} stand for braces."""
    literal, end = "", 0
    for mark in _PLACEHOLDER.finditer(text):
        literal, end = literal + text[end : mark.start()], mark.end()
        if mark[0] in ("{{", "}}"):
            literal += mark[0][0]
        elif mark[1] is None:
            raise TargetError(
                f"unmatched brace in {text!r} of the command {command!r}", hint="double it: {{ or }}"
            )
        else:
            yield from (part for part in (literal, Slot(mark[1])) if part != "")
            literal = ""
    if literal + text[end:] or not text:
        yield literal + text[end:]


def _check(template: Template, names: Collection[str]) -> None:
    if unknown := sorted(template.placed - set(names)):
        raise TargetError(
            f"unknown placeholder {{{unknown[0]}}} in the command: not {{instance}}, {{seed}}, {{cap}}, "
            f"{{parameters}}, {{specifics}} or {{trial}}, nor one of the {len(names)} parameters",
            hint="correct it, declare the parameter (names=), or double the braces for literal ones",
        )
    for word in template.words:
        if not template.shell and Slot(_ALL) in word and len(word) > 1:
            raise TargetError(
                "{parameters} expands to several arguments, so it must be a word of its own",
                hint="put spaces around it",
            )
        _check_quotes(word if template.shell else ())


def _check_quotes(script: Word) -> None:
    for left, slot, right in zip(("", *script), script, (*script[1:], ""), strict=False):
        around = (left[-1:] if isinstance(left, str) else "") + (right[:1] if isinstance(right, str) else "")
        if isinstance(slot, Slot) and set(around) & set("'\"`"):
            raise TargetError(
                f"the placeholder {{{slot.name}}} is inside quotes",
                hint="remove the quotes: values are quoted automatically",
            )


def _write_cap(cap: float) -> str:
    """Write a cap without an exponent, rounded up: a target that obeys it must not stop before it."""
    if not math.isfinite(cap):
        return str(cap)
    return f"{math.ceil(cap * 1e6) / 1e6:.6f}".rstrip("0").rstrip(".")


def _inactive_error(piece: str | Slot) -> TargetError:
    name = piece.name if isinstance(piece, Slot) else piece
    return TargetError(
        f"parameter {name!r} is inactive in this config, but {{{name}}} is a word of its own",
        hint=f"write --{name}={{{name}}}, which is left out when inactive, or leave it to {{parameters}}",
    )
