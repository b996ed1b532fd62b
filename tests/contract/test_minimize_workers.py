"""minimize() with worker processes: the same search, several evaluations at a time, killed at their caps."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from survivors import await_end, new_mark, survivors
from targets import functions
from tightrope import Budget, minimize
from tightrope.errors import ExecutorError, TargetError
from tightrope.records import Status
from tightrope.run import LocalPool
from tightrope.run.executor import usable_cores

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux")

SPACE = {"x": (0.0, 1.0)}
TWO = LocalPool(2, oversubscribe=True)


def test_a_function_that_knows_nothing_of_caps_is_killed_at_them() -> None:
    result = minimize(
        functions.wait_for,
        SPACE,
        budget=Budget(evaluations=16),
        workers=TWO,
        cost="wall",
        first_cap=0.05,
        model="forest",
    )
    capped = [run.outcome for run in result.history.runs if run.censored]
    assert capped
    assert all(outcome.spent >= outcome.cost for outcome in capped)
    assert result.cost == min(run.outcome.cost for run in result.history.runs if run.done)


def test_a_returned_cost_is_minimised_and_failures_are_told() -> None:
    with pytest.warns(UserWarning, match="too hot") as caught:
        result = minimize(functions.fail_beyond, SPACE, budget=60, workers=TWO, first_cap=1.0, model="forest")
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert result.best["x"] == pytest.approx(0.3, abs=0.1)
    assert result.spent == pytest.approx(60.0)
    assert 'raise RuntimeError("too hot")' in result.findings[0].message
    failed = [run.outcome for run in result.history.runs if run.outcome.status is Status.FAILED]
    assert {outcome.note.partition("\n")[0] for outcome in failed} == {"RuntimeError: too hot"}
    assert all(run.outcome.wall_s > 0 for run in result.history)


def test_an_answer_that_is_no_cost_ends_it() -> None:
    with pytest.raises(TargetError, match=r"config \{'x': .*\}: returned None as its cost"):
        minimize(functions.return_none, SPACE, budget=60, workers=1)


def test_a_lambda_is_refused_before_anything_runs() -> None:
    with pytest.raises(TargetError, match="top level of a module"):
        minimize(lambda config: 1.0, SPACE, budget=60, workers=1)


def test_more_workers_than_cores_are_refused() -> None:
    with pytest.raises(ExecutorError, match="oversubscribe=True"):
        minimize(functions.squared, SPACE, budget=60, workers=usable_cores() + 1)


def test_no_workers_at_all_are_refused() -> None:
    with pytest.raises(ExecutorError, match="at least one slot"):
        minimize(functions.squared, SPACE, budget=60, workers=0)


def test_a_cost_that_we_cannot_measure_is_refused() -> None:
    with pytest.raises(ValueError, match="'returned', 'wall' or 'cpu', not 'moon'"):
        minimize(functions.squared, SPACE, budget=60, cost="moon")  # type: ignore[arg-type]


SCRIPT = """
import sys
import time

from tightrope import Budget, minimize


def f(config, cap):
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as file:
            file.write("begun")
        time.sleep(1000)
    return 1.0 + config["x"]


def main():
    result = minimize(f, {"x": (0.0, 1.0)}, budget=Budget(evaluations=4), workers=1, slack=float("inf"))
    print(len(result.history), "runs")

"""
# Whoever is started in the background of a shell inherits that Ctrl-C is ignored.
HEEDFUL = "import signal\n\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
GUARDED = SCRIPT + 'if __name__ == "__main__":\n    main()\n'


def run_script(tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "script.py").write_text(text)
    command = [sys.executable, "script.py"]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)


def test_a_function_of_a_script_is_found(tmp_path: Path) -> None:
    ended = run_script(tmp_path, GUARDED)
    assert (ended.returncode, ended.stdout) == (0, "4 runs\n"), ended.stderr


def test_a_script_without_a_guard_is_told_what_to_do(tmp_path: Path) -> None:
    ended = run_script(tmp_path, SCRIPT + "main()\n")
    assert ended.returncode == 1
    assert "the function cannot be loaded in a worker process" in ended.stderr
    assert 'if __name__ == "__main__":' in ended.stderr.splitlines()[-1]


def test_a_function_from_an_interpreter_is_refused_with_a_hint() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", GUARDED], capture_output=True, text=True, check=False, timeout=300
    )
    assert ended.returncode == 1
    assert "move it into a file and import it from there" in ended.stderr


def interrupt(tmp_path: Path, number: signal.Signals, mark: dict[str, str]) -> None:
    """Run a script, and send it a signal while a worker is busy."""
    (tmp_path / "script.py").write_text(HEEDFUL + GUARDED)
    os.mkfifo(tmp_path / "fifo")
    driver = subprocess.Popen(
        [sys.executable, "script.py", "fifo"],
        cwd=tmp_path,
        env={**os.environ, **mark},
        stderr=subprocess.DEVNULL,
    )
    assert (tmp_path / "fifo").read_text() == "begun"
    driver.send_signal(number)
    assert driver.wait(60.0) == -number


def test_ctrl_c_leaves_nothing_running(tmp_path: Path) -> None:
    mark = new_mark()
    interrupt(tmp_path, signal.SIGINT, mark)
    assert survivors(mark) == []


def test_workers_end_with_a_driver_that_is_killed(tmp_path: Path) -> None:
    mark = new_mark()
    interrupt(tmp_path, signal.SIGKILL, mark)
    await_end(survivors(mark))
    assert survivors(mark) == []


@pytest.mark.skipif(usable_cores() < 2, reason="it takes two workers")
def test_the_script_of_the_documentation_runs(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "howto" / "parallel.md"
    script = page.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    ended = run_script(tmp_path, script)
    assert "Stopped because 20 evaluations are done." in ended.stdout, ended.stderr
    assert " 0 stopped at their caps" not in ended.stdout
