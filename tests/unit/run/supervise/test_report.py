"""Only what begins with the token is a report, whatever else arrives through the pipe."""

import pytest

from tightrope.run.supervise.report import Reason, Report, read_ending

LINE = (
    b"reason=exited code=%d cpu_ns=1000 wall_ns=1000 peak_bytes=1 leftover=0 stubborn=0 run=0 "
    b"out_total=2 out_head=2 out_tail=0 err_total=0 err_head=0 err_tail=0\nhi"
)


def test_a_report_with_its_token_is_read() -> None:
    report = Report()
    report.add(b"token=" + report.token + b" " + LINE % 3)
    ending = report.ending()
    assert ending is not None
    assert (ending.reason, ending.exit_code, ending.stdout.text) == (Reason.EXITED, 3, "hi")


@pytest.mark.parametrize(
    "junk", [LINE % 0, b"token=" + b"0" * 32 + b" " + LINE % 0, bytes(10_000_000), b"\xff\n"]
)
def test_what_others_write_before_it_is_ignored(junk: bytes) -> None:
    report = Report()
    report.add(junk)
    assert report.ending() is None
    report.add(b"token=" + report.token + b" " + LINE % 3)
    ending = report.ending()
    assert ending is not None
    assert ending.exit_code == 3


def test_tokens_differ() -> None:
    assert Report().token != Report().token


@pytest.mark.parametrize(
    "junk",
    [
        b"",
        b"\n",
        b"reason=\n",
        b"reason=exited\n",
        b"reason=nonsense code=1\n",
        b"reason=exited code=x\n",
        b"no equals sign\n",
        b"\xff\xfe\n",
        b"reason=unstarted\n",
        b"reason=unstarted errno=\xd9\xa1\n" * 100,
    ],
)
def test_a_damaged_report_is_none(junk: bytes) -> None:
    assert read_ending(junk) is None
