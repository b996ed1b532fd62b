"""A search of a target's output ends within its time limit, in every thread."""

import re
import signal
import threading
from collections.abc import Callable

import pytest

from tightrope.run.answer import Claim, Pattern
from tightrope.run.supervise.report import Ending, Output, Reason
from tightrope.run.timed_match import TooSlowError, last_match

SLOW, TEXT = r"(?:(a+)+)+$", "a" * 50 + "!"


def in_thread(call: Callable[[], object]) -> object:
    """Return the result of a call in another thread, or what it raised."""
    results: list[object] = []

    def run() -> None:
        try:
            results.append(call())
        except (TooSlowError, OSError) as error:
            results.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return results[0]


@pytest.mark.parametrize("pattern", [r"length (\d+)", r"(nothing)", r"^(l.*)$", "([\U0001f600é]+)"])
def test_other_threads_find_the_same(pattern: str) -> None:
    text = "length 9\nlength 7 é\U0001f600\n"
    expected = (re.findall(pattern, text, re.MULTILINE) or [None])[-1]
    assert last_match(pattern, text) == expected
    assert in_thread(lambda: last_match(pattern, text)) == expected


def test_an_endless_search_is_interrupted() -> None:
    with pytest.raises(TooSlowError):
        last_match(SLOW, TEXT, limit_s=0.1)


def test_an_endless_search_in_a_thread_is_killed() -> None:
    # The limit is for the other process to start as well: negative, so that the test is quick.
    assert isinstance(in_thread(lambda: last_match(SLOW, TEXT, limit_s=-7.5)), TooSlowError)


def test_the_handler_and_the_timer_of_the_caller_are_put_back() -> None:
    def mine(number: int, frame: object) -> None:
        """Do nothing."""

    before = signal.signal(signal.SIGALRM, mine)
    signal.setitimer(signal.ITIMER_REAL, 1000.0, 7.0)
    try:
        last_match(r"(\d)", "1")
        assert signal.getsignal(signal.SIGALRM) is mine
        left_s, interval_s = signal.getitimer(signal.ITIMER_REAL)
        assert 900.0 < left_s <= 1000.0
        assert interval_s == 7.0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_output_on_which_a_pattern_never_ends_is_a_failure() -> None:
    ending = Ending(Reason.EXITED, stdout=Output(TEXT.encode()))
    answer = Pattern(SLOW).read(ending)
    assert answer.claim is Claim.FAILED
    assert "took more than 2 s" in answer.note
