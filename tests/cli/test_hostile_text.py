"""What targets print, and what files and instances are called, never reaches a terminal as it is."""

import io
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from unicodedata import category

import pytest

from tightrope.cli.main import Exit, run
from tightrope.cli.verbs import VERBS

# A title, hidden and blinking text, a C1 introducer, reversed text, a return to the margin, and markup.
EVIL = "\x1b]0;title\x07\x1b[8;5m\x9b31m\u202e\rEVIL[bold]"
NAME = f"{EVIL}\udcff\nnext: rm -rf x"
TOML = "\\u001b]0;title\\u0007\\u001b[8;5m\\u009b31m\\u202e\\rEVIL[bold]"
PRINTS = r"printf '\033]0;title\007\033[8;5m\302\23331m\342\200\256\rEVIL[bold]\377\n'"
SCRIPT = f"""\
{PRINTS}; {PRINTS} >&2
awk -v x="$1" 'BEGIN {{ exit x > 0.95 }}' || exit 3
awk -v x="$1" -v n="$(wc -c < "$3")" 'BEGIN {{ print "{{\\"cost\\": " (1 + 30 * (x - 0.3) ^ 2) * n "}}" }}'
"""
SCENARIO = f"""\
command    = "sh cost.sh {{x}} {{mode}} {{instance}}"
instances  = {{ train = "train/*", test = "test/*" }}
cost       = "printed"
ceiling    = 500
time_limit = "20s"
budget     = {{ runs = 40 }}
tactics    = {{ first_tasks = 4, n_design = 4 }}

[params]
x = {{ type = "real", range = [0.0, 1.0], default = 0.9 }}
mode = {{ type = "categorical", values = ["{TOML}", "plain"], default = "{TOML}" }}
"""
# What rich and click write themselves: colours, bold and dim, moves of the cursor, erased lines.
OWN = re.compile(
    r"\x1b\[(?:[0-9]{1,2}A|2K|\?25[lh]|(?:[012]|3[0-7]|9[0-7]|1;\d\d)m|0m|38;5;\d+m|38;2;[\d;]+m)|\r"
)


class Screen(io.TextIOWrapper):
    """A terminal that keeps what is written to it."""

    def __init__(self) -> None:
        self._kept = io.BytesIO()
        super().__init__(self._kept, encoding="utf-8", write_through=True)

    def isatty(self) -> bool:
        return True

    @property
    def shown(self) -> str:
        return self._kept.getvalue().decode("utf-8")


def shown_by(*arguments: str) -> str:
    """Run a verb on a terminal, and return all it writes."""
    screen = Screen()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", "xterm")
        patch.setenv("COLUMNS", "100")
        patch.delenv("NO_COLOR", raising=False)
        patch.setattr(sys, "stdout", screen)
        patch.setattr(sys, "stderr", screen)
        run(arguments)
    return screen.shown


def require_visible(shown: str) -> None:
    """Require that nothing is left that a terminal obeys, besides what rich writes."""
    assert "\rEVIL" not in shown
    rest = OWN.sub("", shown)
    assert {each for each in rest if category(each) in ("Cc", "Cf", "Cs", "Zl", "Zp")} <= {"\n", "\t"}


def write_project(folder: Path) -> Path:
    for part in ("train", "test"):
        (folder / part).mkdir(parents=True)
        for size in range(1, 5):
            (folder / part / f"{size}{NAME}").write_text("x" * size)
    (folder / "cost.sh").write_text(SCRIPT)
    (folder / "scenario.toml").write_text(SCENARIO)
    return folder


@pytest.fixture(scope="module")
def _tuned_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_project(tmp_path_factory.mktemp("hostile") / "solver")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run(["tune", "-q", "--workers", "1", "--out", "runs/one"]) == 0
        assert run(["tune", "-q", "--workers", "1", "--seed", "1", "--out", "runs/two"]) == 0
    return folder


@pytest.fixture
def folder(_tuned_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "solver"
    shutil.copytree(_tuned_once, made)
    for settings in made.glob("runs/*/settings.json"):
        settings.write_text(settings.read_text().replace(str(_tuned_once), str(made)))
    monkeypatch.chdir(made)
    return made


def _failing(folder: Path) -> None:
    (folder / "cost.sh").write_text(f"{PRINTS}; {PRINTS} >&2; exit 3\n")


def _with_programs(folder: Path) -> None:
    (folder / "scenario.toml").unlink()
    for name in ("kissat", "other"):
        file = folder / f"{name}{EVIL}"
        file.write_text("#!/bin/sh\n" + PRINTS)
        file.chmod(0o755)


def _with_parameters(folder: Path) -> None:
    (folder / f"{EVIL}.pcs").write_text(f"x {{a,{EVIL}}} [{EVIL}2]\n", newline="")


def _with_config(folder: Path) -> None:
    (folder / f"{EVIL}.json").write_text('{"x": 0.5}')


def _nothing(folder: Path) -> None:
    """Leave the project as it is."""


# For each verb: what is changed before, and the arguments.
CASES: list[tuple[str, Callable[[Path], None], list[str]]] = [
    ("demo", _nothing, ["--out", "cost.sh"]),
    ("demo", _nothing, ["--instances", EVIL]),
    ("init", _with_programs, []),
    ("init", _with_parameters, ["--from", f"{EVIL}.pcs", "--force"]),
    ("check", _nothing, []),
    ("check", _failing, []),
    ("check", _nothing, [EVIL]),
    ("tune", _nothing, ["-v", "--workers", "2", "--out", "runs/three"]),
    ("tune", _failing, ["--out", "runs/three"]),
    ("tune", _nothing, ["--out", "runs/one"]),
    ("resume", _nothing, ["runs/one", "--budget", "+20 runs", "-v"]),
    ("resume", _failing, ["runs/one", "--budget", "+10 runs"]),
    ("status", _nothing, ["runs/one"]),
    ("status", _nothing, ["runs/one", "--watch"]),
    ("status", _nothing, [EVIL]),
    ("validate", _with_config, ["runs/one", "-v", "--configs", f"default,best,{EVIL}.json"]),
    ("validate", _failing, ["runs/one", "-v"]),
    ("report", _nothing, ["runs/one"]),
    ("report", _nothing, ["runs/one", "runs/two", "--out", f"{EVIL}.html"]),
    ("merge", _nothing, ["runs/one", "runs/two"]),
    *(("best", _nothing, ["runs/one", "--format", form]) for form in ("cli", "json", "toml", "pcs", "irace")),
    *(
        ("export", _nothing, ["runs/one", "--format", form])
        for form in ("csv", "jsonl", "configspace", "smac3")
    ),
    ("convert", _with_parameters, [f"{EVIL}.pcs"]),
    *(("convert", _nothing, ["scenario.toml", "--to", form]) for form in ("toml", "pcs-new", "configspace")),
    ("explain", _nothing, [EVIL]),
]


@pytest.mark.parametrize(("verb", "change", "arguments"), CASES)
def test_no_verb_lets_control_characters_through(
    verb: str, change: Callable[[Path], None], arguments: list[str], folder: Path
) -> None:
    change(folder)
    shown = shown_by(verb, *arguments)
    assert shown
    require_visible(shown)
    if verb != "export":  # in CSV a name may span lines
        assert "\nnext: rm" not in shown


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("argument", [EVIL, "runs/one"])
def test_every_verb_survives_hostile_names(verb: str, argument: str, folder: Path) -> None:
    shown = shown_by(verb, argument)
    assert shown
    require_visible(shown)


def test_an_unknown_verb_is_shown_visibly() -> None:
    shown = shown_by(EVIL)
    assert "\\x1b]0;title\\x07" in shown
    require_visible(shown)


def test_markup_in_a_name_is_text(folder: Path) -> None:
    shown = shown_by("resume", "runs/one", "--budget", "+5 runs", "-v")
    assert "EVIL[bold]\\xff\\nnext: rm -rf x seed 0" in shown


def test_only_the_door_writes_to_the_terminal() -> None:
    source = Path(__file__).parents[2] / "src" / "tightrope" / "cli"
    door = re.compile(r"click\.s?echo\(|(?<![\w.])Console\(|sys\.std(?:out|err)\.write|\.show\(\)")
    found = {
        file.relative_to(source).as_posix() for file in source.rglob("*.py") if door.search(file.read_text())
    }
    assert found == {"terminal/output.py"}


@pytest.mark.parametrize("form", ["csv", "jsonl", "configspace", "smac3"])
def test_an_export_holds_names_that_are_not_utf8(form: str, folder: Path) -> None:
    assert run(["export", "runs/one", "-q", "--format", form, "-o", "out"]) == 0
    content = Path("out").read_bytes()
    assert content
    if form == "csv":
        assert os.fsencode(f"EVIL[bold]{NAME[len(EVIL) :]}") in content
    elif form != "configspace":
        assert b"\\udcff\\nnext" in content


def test_a_report_holds_names_that_are_not_utf8(folder: Path) -> None:
    assert run(["report", "runs/one", "-q"]) == 0
    assert Path("runs/one/report.html").stat().st_size > 10_000


def test_a_merge_says_that_toml_cannot_hold_a_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["merge", "runs/one", "runs/two"]) == Exit.USAGE
    assert "it is not UTF-8; rename it" in capsys.readouterr().err
    assert not Path("runs/merged").exists()
