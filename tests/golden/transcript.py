"""What every verb prints in one small project, with times masked."""

import contextlib
import csv
import io
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tightrope.cli.main import run

_SCRIPT = """\
# usage: cost.sh X MODE INSTANCE; the cost is smallest at x = 0.3
test "$2" = broken && { echo "no licence" >&2; exit 3; }
awk -v x="$1" -v mode="$2" -v n="$(wc -c < "$3")" 'BEGIN {
  cost = (1 + 30 * (x - 0.3) ^ 2 + (mode == "slow" ? 2 : 0)) * n
  print "{\\"cost\\": " cost "}"
}'
"""
_SCENARIO = """\
command    = "sh cost.sh {x} {mode} {instance}"
instances  = { train = "train/*.txt", test = "test/*.txt" }
cost       = "printed"
ceiling    = 500
time_limit = "20s"
budget     = { runs = 40 }
tactics    = { first_tasks = 4, n_design = 60 }

[params]
x = { type = "real", range = [0.0, 1.0], default = 0.9 }
mode = { type = "categorical", values = ["slow", "quick", "broken"], default = "slow" }
"""
_PCS = "alpha [0.1, 10.0] [1.0]l\nbeta {on, off} [on]\ngamma [1, 9] [3]i\ngamma | beta in {on}\n"
_IRACE = 'alpha "--alpha " r (0.1, 10)\nbeta "--beta " c (on, off)\n'

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("--help",),
    ("tune", "missing.toml"),
    ("tnue",),
    ("tune", "--slack", "0.5"),
    ("init", "--from", "solver.pcs"),
    ("convert", "solver.pcs", "--to", "irace"),
    ("convert", "solver.pcs", "--to", "toml"),
    ("convert", "parameters.txt", "--to", "pcs"),
    ("convert", "broken.pcs", "--to", "irace"),
    ("check", "--fast"),
    ("status",),
    ("tune", "--workers", "1", "--seed", "1"),
    ("tune", "--workers", "1"),
    ("status",),
    ("status", "--json"),
    ("best",),
    ("best", "--format", "json"),
    ("best", "--format", "pcs"),
    ("export", "--format", "csv"),
    ("export", "--format", "jsonl"),
    ("resume", "--workers", "1"),
    ("resume", "--budget", "+10 runs", "--workers", "1"),
    ("validate", "--workers", "1"),
    ("validate", "--json", "--workers", "1"),
    ("best", "--stripped"),
    ("ablate", "--workers", "1", "--budget", "400 runs", "--strip"),
    ("best", "--stripped"),
    ("tune", "-v", "--budget", "12 runs", "--out", "runs/again", "--workers", "1"),
    ("explain",),
    ("explain", "R03"),
    ("explain", "X99"),
)
_TIMES = (
    (re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?[\d.+:]*"), "<date>"),
    (re.compile(r"\b\d[\d ]*(?:\.\d+)? (?:ms|s|m|h)\b(?: \d+ [ms]\b)?"), "<time>"),
    (re.compile(r"\b\d+:\d\d(?::\d\d)?\b"), "<clock>"),
    (re.compile(r'("(?:wall_s|cpu_s|spent|spared_at_most)": )[0-9.e+-]+'), r"\1<time>"),
)
_SPENT_COLUMNS = ("spent", "wall_s", "cpu_s", "ended")


def write_project(folder: Path) -> None:
    """Write scenario, solver and instances into a folder."""
    for part in ("train", "test"):
        (folder / part).mkdir(parents=True)
        for size in range(1, 7):
            (folder / part / f"{size}.txt").write_text("x" * size)
    texts = {
        "cost.sh": _SCRIPT,
        "scenario.toml": _SCENARIO,
        "solver.pcs": _PCS,
        "parameters.txt": _IRACE,
        "broken.pcs": _PCS.replace("[1.0]l", "[99.0]l"),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)


def transcript(folder: Path) -> Iterator[str]:
    """Yield the lines of all commands, run one after the other in the folder."""
    write_project(folder)
    home = Path.cwd()
    os.chdir(folder)
    try:
        for command in COMMANDS:
            yield f"$ tightrope {' '.join(command)}"
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = run(list(command))
            is_csv = command[-1] == "csv"
            for line in _csv(out.getvalue()) if is_csv else out.getvalue().splitlines():
                yield _masked(line, folder).rstrip()
            yield from (f"! {_masked(line, folder)}".rstrip() for line in err.getvalue().splitlines())
            yield f"= {code}"
    finally:
        os.chdir(home)


def _csv(text: str) -> list[str]:
    """Return the lines of a table without the columns of measured times."""
    names, *rows = csv.reader(io.StringIO(text))
    keep = [i for i, name in enumerate(names) if name not in _SPENT_COLUMNS]
    return [repr([cells[i] for i in keep]) for cells in (names, *rows)]


def _masked(line: str, folder: Path) -> str:
    line = line.replace(str(folder), "<folder>")
    for pattern, mask in _TIMES:
        line = pattern.sub(mask, line)
    return line


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as scratch:
        text = "\n".join(transcript(Path(scratch) / "solver"))
    Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "transcript.txt").write_text(
        text + "\n"
    )
