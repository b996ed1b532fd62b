"""Which functions and settings make a FunctionTarget."""

import sys
from contextlib import closing
from functools import partial
from typing import Any

import pytest

from targets import functions
from tightrope.errors import TargetError
from tightrope.records import Config, Trial
from tightrope.run import FunctionTarget, wait

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux")


class TestWhatCannotBeSent:
    def test_a_lambda_is_refused_with_a_hint(self) -> None:
        with pytest.raises(TargetError, match="cannot be sent to a worker process") as caught:
            FunctionTarget(lambda config, cap: 1.0)
        assert "top level" in caught.value.hint
        assert '"module:function"' in caught.value.hint

    def test_a_local_function_is_refused(self) -> None:
        def local(config: dict[str, Any], cap: float) -> float:
            return 1.0

        with pytest.raises(TargetError, match="cannot be sent to a worker process"):
            FunctionTarget(local)

    def test_a_function_of_something_unpicklable_is_refused(self) -> None:
        with pytest.raises(TargetError, match="cannot be sent to a worker process"):
            FunctionTarget(partial(functions.perform, cap=(number for number in range(3))))

    def test_a_name_without_a_function_is_refused(self) -> None:
        with pytest.raises(TargetError, match="nothing' does not name a function"):
            FunctionTarget("targets.functions:nothing")

    def test_a_function_can_be_named(self) -> None:
        with closing(FunctionTarget("targets.functions:perform")) as target:
            outcome = wait(target.start(Trial(0, Config({"act": "return"}), cap=1000.0)))
        assert outcome is not None
        assert outcome.cost == 0.5


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"clock": "moon"}, "'cost', 'wall' or 'cpu'"),
        ({"memory_mb": 0}, "memory_mb must be positive"),
        ({"limit_s": -1.0}, "limit_s must be positive"),
        ({"limit_s": 3.0, "clock": "wall"}, "has no effect"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], why: str) -> None:
    with pytest.raises(TargetError, match=why):
        FunctionTarget(functions.perform, **settings)
