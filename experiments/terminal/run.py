"""Draw the terminal during a real tuning of Kissat: docs/images/terminal.svg, in about three minutes.

A pseudo-terminal records the output of `tightrope`, and a terminal emulator renders it. The recording is kept
in out/terminal and reused; `--again` makes a new one.
"""

import argparse
import os
import pty
import shlex
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from fcntl import ioctl
from itertools import groupby
from pathlib import Path
from termios import TIOCSWINSZ

import pyte
from rich.console import Console
from rich.style import Style
from rich.text import Text

from tightrope.demo.folder import write_instances
from tightrope.demo.kissat import find_kissat

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "images" / "terminal.svg"
FOLDER = ROOT / "out" / "terminal"
RECORDING = FOLDER / "recording"
COMMANDS = ("tightrope init", "tightrope tune --workers 2 --budget '3m cpu'")
WIDTH, HEIGHT = 110, 40
LIVE = b"slots busy"  # end of the live line
# Rich's format without remote fonts and with a smaller frame.
FORMAT = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
  <rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--again", action="store_true", help="make a new recording")
    if parser.parse_args().again or not RECORDING.exists():
        record()
    draw(last_live_screen(RECORDING.read_bytes()))
    print(f"drew {PICTURE.relative_to(ROOT)}")


def record() -> None:
    """Tune Kissat on a folder of formulas as a user would, and keep the terminal's output."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    project = FOLDER / "circuits"
    project.mkdir(parents=True)
    write_instances(project, 30)
    (project / "kissat").symlink_to(find_kissat())
    with RECORDING.open("wb") as file:
        for command in COMMANDS:
            file.write(f"\x1b[1m$ {command}\x1b[0m\r\n".encode())
            for chunk in on_terminal(shlex.split(command), project):
                file.write(chunk)
            file.write(b"\r\n")


def on_terminal(words: list[str], folder: Path) -> Iterator[bytes]:
    """Run a command on a pseudo-terminal and yield its output."""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "OMP_NUM_THREADS": "1"}
    program = Path(sys.executable).with_name(words[0])
    process = subprocess.Popen(
        [program, *words[1:]], cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    try:
        while chunk := os.read(ours, 1 << 16):
            yield chunk
    except OSError:  # Linux raises this when the other end is closed
        pass
    os.close(ours)
    if process.wait():
        raise SystemExit(f"{shlex.join(words)} failed")


def last_live_screen(recording: bytes) -> list[Text]:
    """Return the lines of the terminal when the live line was last visible."""
    screen = pyte.Screen(WIDTH, HEIGHT)
    pyte.ByteStream(screen).feed(recording[: recording.rindex(LIVE) + len(LIVE)])
    return lines_of(screen)


def lines_of(screen: pyte.Screen) -> list[Text]:
    """Return a screen's lines with colours, without empty lines at the end."""
    lines = []
    for y in range(screen.lines):
        line = Text()
        cells = [screen.buffer[y][x] for x in range(screen.columns)]
        for (color, bold), alike in groupby(cells, key=lambda cell: (cell.fg, cell.bold)):
            color = None if color == "default" else color.replace("brown", "yellow")
            line.append("".join(cell.data for cell in alike), Style(color=color, bold=bold))
        line.rstrip()
        lines.append(line)
    while lines and not lines[-1].plain:
        lines.pop()
    return lines


def draw(lines: list[Text]) -> None:
    with open(os.devnull, "w") as nowhere:
        console = Console(record=True, width=WIDTH, file=nowhere, force_terminal=True)
        for line in lines:
            console.print(line, soft_wrap=True, highlight=False)
        svg = console.export_svg(title="tightrope tune", code_format=FORMAT, unique_id="terminal")
    PICTURE.write_text(svg, encoding="utf-8")
