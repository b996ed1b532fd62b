"""A supervisor that is stopped, or never runs, or is late, is noticed; one that is only slow is not."""

from math import inf

import pytest

from tightrope.run.supervise.pulse import Pulse


class Machine:
    """What /proc shows of one process, second by second."""

    def __init__(self, states: str, cpus: list[float], *, longest_s: float = inf) -> None:
        self.now_s = 0.0
        self._states, self._cpus = states, cpus
        self._n = 0
        self.pulse = Pulse(
            1, longest_s=longest_s, clock=lambda: self.now_s, read_cpu=self.cpu_s, state=self.state
        )

    def state(self, pid: int) -> str:
        return self._states[min(self._n, len(self._states) - 1)]

    def cpu_s(self, pid: int) -> float:
        return self._cpus[min(self._n, len(self._cpus) - 1)]

    def seconds_until_stopped(self) -> int | None:
        """Return at which check it counts as stopped; None if not within 100."""
        for self._n in range(100):
            self.now_s += 1.0
            if self.pulse.has_stopped():
                return self._n + 1
        return None


GROWING = [0.005 * second for second in range(100)]


@pytest.mark.parametrize("state", ["T", "t"])
def test_four_checks_in_a_row_find_a_stopped_process(state: str) -> None:
    assert Machine(state, GROWING).seconds_until_stopped() == 4


def test_a_process_that_is_stopped_now_and_then_is_not_stopped() -> None:
    assert Machine("TTTS" * 25, GROWING).seconds_until_stopped() is None


def test_a_process_that_sleeps_and_works_is_alive() -> None:
    assert Machine("S", GROWING).seconds_until_stopped() is None


def test_a_process_that_has_not_run_for_half_a_minute_does_not_respond() -> None:
    assert Machine("S", [1.0]).seconds_until_stopped() == 31


def test_a_process_that_runs_once_in_a_while_responds() -> None:
    assert Machine("R", [float(second // 20) for second in range(100)]).seconds_until_stopped() is None


def test_a_process_that_is_late_does_not_respond() -> None:
    assert Machine("S", GROWING, longest_s=10.0).seconds_until_stopped() == 14


def test_checks_within_a_second_do_not_count() -> None:
    machine = Machine("T", GROWING)
    machine.now_s = 0.9
    assert not any(machine.pulse.has_stopped() for _ in range(100))
