"""What is wrong with a file, gathered so that all of it is told at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tightrope.errors import Fault, ScenarioError


@dataclass(slots=True)
class Faults:
    """Faults that have been found so far."""

    found: list[Fault] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.found)

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Keep the faults of what is done inside, and go on behind it."""
        try:
            yield
        except ScenarioError as error:
            self.found.extend(error.faults)

    def tell(self) -> None:
        """Raise an error with all faults, each once, if there are any."""
        if self.found:
            raise ScenarioError(*dict.fromkeys(self.found))
