"""Rewrites a circuit into an equivalent one: gates reordered, split and replaced."""

from random import Random

from tightrope.demo.circuit import Circuit, Gate


def restructure(circuit: Circuit, rng: Random) -> Circuit:
    """Return a circuit with the same behaviour; each gate is rewritten at random."""
    netlist = _Netlist(circuit.n_latches + circuit.n_inputs, rng)
    new_signal = list(range(circuit.n_latches + circuit.n_inputs + 1))  # old -> new
    for gate in circuit.gates:
        reads = [_renamed(signal, new_signal) for signal in gate.reads]
        new_signal.append(netlist.rebuild(gate.operation, reads))
    following = tuple(_renamed(signal, new_signal) for signal in circuit.following)
    return Circuit(
        n_latches=circuit.n_latches,
        n_inputs=circuit.n_inputs,
        gates=tuple(netlist.gates),
        following=following,
    )


def _renamed(signal: int, new_signal: list[int]) -> int:
    return new_signal[signal] if signal > 0 else -new_signal[-signal]


class _Netlist:
    """The gates so far; each method adds gates and returns the signal of their result."""

    def __init__(self, n_free: int, rng: Random) -> None:
        self._n_free = n_free
        self._rng = rng
        self.gates: list[Gate] = []

    def rebuild(self, operation: str, reads: list[int]) -> int:
        if operation == "mux":
            return self._choose(*reads)
        left = self._rng.sample(reads, len(reads))  # both operations are commutative and associative
        join = self._both if operation == "and" else self._differ
        while len(left) > 1:
            left.append(join(left.pop(0), left.pop(0)))
        return left[0]

    def _both(self, a: int, b: int) -> int:
        match self._rng.randrange(4):
            case 0:
                return self._add("and", a, b)
            case 1:
                return self._add("mux", a, b, a)
            case 2:
                return self._add("and", a, -self._add("xor", a, b))
            case _:
                return self._add("xor", a, self._add("and", a, -b))

    def _differ(self, a: int, b: int) -> int:
        match self._rng.randrange(4):
            case 0:
                return self._add("xor", a, b)
            case 1:
                return self._add("mux", a, -b, b)
            case 2:
                return self._add("and", -self._add("and", a, b), -self._add("and", -a, -b))
            case _:
                return -self._add("and", -self._add("and", a, -b), -self._add("and", -a, b))

    def _choose(self, switch: int, on: int, off: int) -> int:
        match self._rng.randrange(4):
            case 0:
                return self._add("mux", switch, on, off)
            case 1:
                return self._add("xor", off, self._add("and", switch, self._add("xor", on, off)))
            case 2:
                return -self._add("and", -self._add("and", switch, on), -self._add("and", -switch, off))
            case _:
                return self._add("and", -self._add("and", switch, -on), -self._add("and", -switch, -off))

    def _add(self, operation: str, *reads: int) -> int:
        self.gates.append(Gate(operation, reads))
        return self._n_free + len(self.gates)
