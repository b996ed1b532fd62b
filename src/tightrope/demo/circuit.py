"""Random sequential circuits: at each step, gates compute new latch values from latches and inputs.

Signals are integers from 1: first the latches, then the inputs, then the gates in order. A gate reads only
signals with smaller numbers. A negative number is the signal's negation.
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from random import Random

_OPERATIONS = ("and", "and", "xor", "mux")  # "and" twice: it is the most common gate
_MOST_READ = 4


@dataclass(frozen=True, slots=True)
class Gate:
    """An operation on signals: "and", "xor", or "mux" (reads a switch, then the values for on and off)."""

    operation: str
    reads: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Circuit:
    """Latches, inputs and gates; `following[i]` is the signal that latch i stores at each step.

    Examples
    --------
    >>> toggle = Circuit(n_latches=1, n_inputs=1, gates=(Gate("xor", (1, 2)),), following=(3,))
    >>> toggle.step([True], [True])
    [False]
    """

    _: KW_ONLY
    n_latches: int
    n_inputs: int
    gates: tuple[Gate, ...]
    following: tuple[int, ...]

    def step(self, state: Sequence[bool], inputs: Sequence[bool]) -> list[bool]:
        """Return the next values of the latches."""
        values = [*state, *inputs]
        for gate in self.gates:
            values.append(_apply(gate.operation, [_value(signal, values) for signal in gate.reads]))
        return [_value(signal, values) for signal in self.following]


def draw_circuit(rng: Random, *, n_latches: int, n_inputs: int, n_gates: int) -> Circuit:
    """Draw a circuit with at least three latches and inputs; each gate reads two to four signals."""
    n_free = n_latches + n_inputs
    gates: list[Gate] = []
    for number in range(n_gates):
        operation = rng.choice(_OPERATIONS)
        n_known = n_free + number
        width = 3 if operation == "mux" else rng.randint(2, min(_MOST_READ, n_known))
        gates.append(Gate(operation, _draw_signals(rng, width, upto=n_known)))
    outputs = rng.sample(range(n_free + 1, n_free + n_gates + 1), n_latches)
    following = tuple(signal * rng.choice((-1, 1)) for signal in outputs)
    return Circuit(n_latches=n_latches, n_inputs=n_inputs, gates=tuple(gates), following=following)


def _draw_signals(rng: Random, n: int, *, upto: int) -> tuple[int, ...]:
    return tuple(signal * rng.choice((-1, 1)) for signal in rng.sample(range(1, upto + 1), n))


def _value(signal: int, values: Sequence[bool]) -> bool:
    return values[abs(signal) - 1] == (signal > 0)


def _apply(operation: str, values: list[bool]) -> bool:
    match operation:
        case "and":
            return all(values)
        case "xor":
            return sum(values) % 2 == 1
        case _:
            switch, on, off = values
            return on if switch else off
