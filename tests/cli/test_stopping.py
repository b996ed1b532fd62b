"""Stop a tuning by a signal or a full disk, and resume it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tightrope.cli.main import Exit, run
from tightrope.cli.terminal.signals import tidy_stop
from tightrope.store import JournalReader

PATIENCE_S = 120  # for a machine that has other things to do


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tightrope", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name
)
def test_a_signal_stops_a_tuning_tidily_and_it_can_be_resumed(project: Path, number: signal.Signals) -> None:
    """The third run says that it is under way, and then hangs until it is killed."""
    os.mkfifo("ready")
    script = Path("cost.sh").read_text()
    hang = 'echo x >> begun\n[ "$(wc -l < begun)" = 3 ] && { echo $$ > ready; sleep 1000; }\n'
    Path("cost.sh").write_text(hang + script)
    usual = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may have said nohup
    try:
        started = start("tune", "--workers", "1")
    finally:
        signal.signal(signal.SIGHUP, usual)
    with started as tuning:
        with open("ready") as ready:
            pid = int(ready.read())
        tuning.send_signal(number)
        out, err = tuning.communicate(timeout=PATIENCE_S)
    assert tuning.returncode == 130
    assert out.splitlines()[-1] == "stopped; nothing lost.  tightrope resume runs/solver"
    assert err == ""
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with JournalReader("runs/solver/tuning.journal") as journal:
        assert (len(journal.history()), len(journal.pending()), journal.writer) == (2, 1, None)
    assert run(["resume", "-q", "runs/solver", "--budget", "6 runs"]) == 0
    with JournalReader("runs/solver/tuning.journal") as journal:
        assert len(journal.history()) == 6


def test_a_second_signal_kills_at_once() -> None:
    code = """if True:
        import os, signal
        from tightrope.cli.terminal.signals import tidy_stop
        with tidy_stop():
            try:
                os.kill(os.getpid(), signal.SIGTERM)
            except KeyboardInterrupt:
                print("asked", flush=True)
                os.kill(os.getpid(), signal.SIGTERM)
                print("still alive", flush=True)
    """
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S)
    assert (ended.returncode, ended.stdout) == (-signal.SIGTERM, "asked\n")


def test_signals_mean_afterwards_what_they_meant_before() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with pytest.raises(KeyboardInterrupt), tidy_stop() as stop:
        os.kill(os.getpid(), signal.SIGTERM)
    assert stop.was_asked
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_a_full_disk_is_reported_in_a_line_and_nothing_is_lost(project: Path) -> None:
    """A limit on the size of files stands in for the disk."""
    command = [sys.executable, "-m", "tightrope", "tune", "--workers", "1"]
    script = ["sh", "-c", 'ulimit -f 400; exec "$@"', "sh", *command]
    ended = subprocess.run(script, capture_output=True, text=True, timeout=PATIENCE_S)
    assert ended.returncode == 3
    assert ended.stderr.count("\n") == 1
    assert "tuning.journal: the disk could not be read or written: it may be full" in ended.stderr
    assert ended.stdout.splitlines()[-1].endswith("once that is fixed:  tightrope resume runs/solver")
    assert run(["resume", "-q", "runs/solver"]) == 0
    with JournalReader("runs/solver/tuning.journal") as journal:
        assert len(journal.history()) == 30


@pytest.mark.parametrize("blocks", [0, 1, 8])
def test_a_disk_without_room_for_a_beginning_leaves_nothing_behind(project: Path, blocks: int) -> None:
    command = [sys.executable, "-m", "tightrope", "tune", "--workers", "1"]
    script = ["sh", "-c", f'ulimit -f {blocks}; exec "$@"', "sh", *command]
    ended = subprocess.run(script, capture_output=True, text=True, timeout=PATIENCE_S)
    assert ended.returncode == 3
    *_, last = ended.stderr.splitlines()  # other packages may complain before
    assert last.startswith("error: runs/solver")
    assert not Path("runs/solver").exists()


def test_nohup_is_heeded() -> None:
    code = """if True:
        import os, signal
        from tightrope.cli.terminal.signals import tidy_stop
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with tidy_stop() as stop:
            os.kill(os.getpid(), signal.SIGHUP)
            print(stop.was_asked)
    """
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S)
    assert ended.stdout == "False\n"


@pytest.mark.parametrize("module", ["click", "numpy"])
def test_an_interrupt_while_modules_are_loaded_ends_it_without_a_traceback(
    project: Path, module: str
) -> None:
    code = f"""if True:
        import os, signal, sys
        from tightrope.__main__ import main

        class Impatient:
            def find_spec(self, name, path=None, target=None):
                if name == "{module}":
                    os.kill(os.getpid(), signal.SIGINT)

        signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore it
        sys.meta_path.insert(0, Impatient())
        sys.argv = ["tightrope", "tune"]
        main()
    """
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "interrupted\n")
    assert not Path("runs").exists()


def interrupt_at_run(number: int) -> None:
    """Let the target press Ctrl-C once it has been run so many times."""
    script = Path("cost.sh")
    count = f"echo run >> count.log; test $(wc -l < count.log) = {number} && kill -INT {os.getpid()}\n"
    script.write_text(count + script.read_text())


def test_a_stopped_validation_shows_what_was_run(tuned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    interrupt_at_run(7)
    assert run(["validate", "--workers", "1"]) == Exit.INTERRUPTED
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "12 runs"
    assert lines[2] == "so far, on the 3 tasks that all configs have done:"
    assert lines[3].split() == ["config", "mean", "median", "solved", "timeouts", "failed"]
    assert [line.split()[0] for line in lines[4:6]] == ["default", "best"]
    assert lines[-1] == "stopped; nothing lost.  tightrope validate runs/solver --workers 1"
    assert run(["validate", "--workers", "1"]) == Exit.DONE
    assert "12 runs, 6 of them done before" in capsys.readouterr().out


def test_a_validation_stopped_at_once_has_no_comparison(
    tuned: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    interrupt_at_run(1)
    assert run(["validate", "--json", "--workers", "1"]) == Exit.INTERRUPTED
    assert "no task has been done by all configs yet" in capsys.readouterr().err


def test_a_stopped_check_says_what_was_checked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    interrupt_at_run(4)
    assert run(["check"]) == Exit.INTERRUPTED
    captured = capsys.readouterr()
    assert "  ✓ default " in captured.out
    assert captured.out.splitlines()[-1] == (
        "stopped after 3 runs; checked: scenario, instances, default. To check the rest:  tightrope check"
    )
    Path("count.log").unlink()
    assert run(["check", "--json"]) == Exit.INTERRUPTED
    told = json.loads(capsys.readouterr().out)
    assert (told["stopped"], [line["name"] for line in told["lines"]]) == (
        True,
        ["scenario", "instances", "default"],
    )
