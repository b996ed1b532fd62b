"""Collection of the faults in a file, so that one error reports them all."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tightrope.errors import Fault, ScenarioError


@dataclass(slots=True)
class Faults:
    """The faults found so far."""

    found: list[Fault] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.found)

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Collect the faults raised inside the block, and continue after it."""
        try:
            yield
        except ScenarioError as error:
            self.found.extend(error.faults)

    def raise_if_any(self) -> None:
        """Raise one error with all faults, without duplicates, if there are any."""
        if self.found:
            raise ScenarioError(*dict.fromkeys(self.found))
