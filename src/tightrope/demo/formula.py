"""Formulas in conjunctive normal form, and the encoding of "do these two circuits differ?"."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tightrope.demo.circuit import Circuit, Gate


@dataclass(slots=True)
class Formula:
    """Clauses over variables 1, 2, ...; a negative number is a variable's negation."""

    n_variables: int = 0
    clauses: list[tuple[int, ...]] = field(default_factory=list)

    def variable(self) -> int:
        """Add a variable."""
        self.n_variables += 1
        return self.n_variables

    def variables(self, n: int) -> list[int]:
        """Add `n` variables."""
        return [self.variable() for _ in range(n)]

    def add(self, *clause: int) -> None:
        """Add a clause: at least one of these literals is true."""
        self.clauses.append(clause)

    def dimacs(self, *, comment: str = "") -> str:
        """Return the formula in the DIMACS format."""
        lines = [f"c {line}" for line in comment.splitlines()]
        lines.append(f"p cnf {self.n_variables} {len(self.clauses)}")
        lines += [" ".join(map(str, (*clause, 0))) for clause in self.clauses]
        return "\n".join(lines) + "\n"


def difference(one: Circuit, other: Circuit, *, n_frames: int) -> Formula:
    """Return a formula that is satisfiable if and only if the latches of the two circuits can differ.

    Both circuits start in the same arbitrary state and get the same inputs for `n_frames` steps.
    """
    formula = Formula()
    start = formula.variables(one.n_latches)
    states = [start, start]
    for _ in range(n_frames):
        inputs = formula.variables(one.n_inputs)
        states = [
            _step(formula, circuit, [*state, *inputs])
            for circuit, state in zip((one, other), states, strict=True)
        ]
    formula.add(*(_differ(formula, a, b) for a, b in zip(*states, strict=True)))
    return formula


def _step(formula: Formula, circuit: Circuit, free: Sequence[int]) -> list[int]:
    literals = list(free)
    for gate in circuit.gates:
        literals.append(_encode(formula, gate, [_literal(signal, literals) for signal in gate.reads]))
    return [_literal(signal, literals) for signal in circuit.following]


def _literal(signal: int, literals: Sequence[int]) -> int:
    return literals[abs(signal) - 1] * (1 if signal > 0 else -1)


def _encode(formula: Formula, gate: Gate, reads: list[int]) -> int:
    match gate.operation:
        case "and":
            return _conjunction(formula, reads)
        case "xor":
            result = reads[0]
            for read in reads[1:]:
                result = _differ(formula, result, read)
            return result
        case _:
            return _choice(formula, *reads)


def _conjunction(formula: Formula, reads: Sequence[int]) -> int:
    result = formula.variable()
    for read in reads:
        formula.add(-result, read)
    formula.add(result, *(-read for read in reads))
    return result


def _differ(formula: Formula, a: int, b: int) -> int:
    result = formula.variable()
    formula.add(-result, a, b)
    formula.add(-result, -a, -b)
    formula.add(result, -a, b)
    formula.add(result, a, -b)
    return result


def _choice(formula: Formula, switch: int, on: int, off: int) -> int:
    result = formula.variable()
    formula.add(-switch, -on, result)
    formula.add(-switch, on, -result)
    formula.add(switch, -off, result)
    formula.add(switch, off, -result)
    return result
