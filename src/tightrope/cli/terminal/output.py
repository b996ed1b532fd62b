"""The only way to the terminal: what programs and files contain is made visible before it is printed.

A target, the name of an instance or a value in a file may contain characters that a terminal obeys, such as
an escape sequence that sets its title, or marks that reverse the order of text. They are printed as escapes.
"""

import io
import sys
from typing import Final
from unicodedata import category

import click

# Control and format characters (such as marks of direction), surrogates, separators of lines and paragraphs.
_OBEYED: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_KEPT: Final = "\n\t"
_FIRST_BYTE, _LAST_BYTE = 0xDC80, 0xDCFF  # how Python holds bytes that are not UTF-8


def visible(text: str) -> str:
    r"""Write characters that a terminal would obey as escapes; line breaks and tabs stay.

    >>> visible("a\x1b[31m\u202e\r\n\udcffb [bold]")
    'a\\x1b[31m\\u202e\n\\xffb [bold]'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        _escape(each) if category(each) in _OBEYED and each not in _KEPT else each
        for each in text.replace("\r\n", "\n")
    )


def one_line(text: str) -> str:
    r"""Make a text visible that must not begin a line of its own, such as a name.

    >>> one_line("a.cnf\nnext:  rm a.cnf")
    'a.cnf\\nnext:  rm a.cnf'
    """
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def _escape(character: str) -> str:
    code = ord(character)
    if _FIRST_BYTE <= code <= _LAST_BYTE:
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x80:
        return {"\r": "\\r"}.get(character, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def printable(text: str, encoding: str | None) -> str:
    """Make a text visible, and write characters that the encoding lacks as escapes."""
    shown = visible(text)
    if shown.isascii():
        return shown
    encoding = encoding or "utf-8"
    return shown.encode(encoding, "backslashreplace").decode(encoding)


def say_error(text: str) -> None:
    """Print a line on stderr."""
    click.echo(printable(text, sys.stderr.encoding), err=True)


def show(error: click.ClickException) -> None:
    """Print an error in the command line on stderr, with the usage."""
    text = io.StringIO()
    error.show(text)
    say_error(text.getvalue().rstrip("\n"))


def write_result(text: str) -> None:
    """Write a result to stdout: exact for a file or another program, visible on a terminal."""
    if sys.stdout.isatty():
        click.echo(printable(text, sys.stdout.encoding), nl=False)
    elif hasattr(sys.stdout, "buffer"):
        click.echo(text.encode("utf-8", "surrogateescape"), nl=False)
    else:  # an object that Python code put in its place
        click.echo(text, nl=False)
