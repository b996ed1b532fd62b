"""Instances: formulas that ask whether a random circuit and an equivalent copy differ; all unsatisfiable."""

from dataclasses import dataclass
from random import Random

from tightrope.demo.circuit import draw_circuit
from tightrope.demo.formula import Formula, difference
from tightrope.demo.restructuring import restructure

_COMMENT = """\
a random circuit of {n_latches} latches, {n_inputs} inputs and {n_gates} gates, and a restructured copy of it,
both unrolled over {n_frames} steps: do they ever differ? No: unsatisfiable by construction. Seed {seed}."""


@dataclass(frozen=True, slots=True)
class Size:
    """The size of an instance: latches, inputs and gates of its circuit, and the number of steps."""

    n_latches: int = 45
    n_inputs: int = 10
    n_gates: int = 46
    n_frames: int = 5


_DEFAULT = Size()


def draw_instance(seed: int, size: Size = _DEFAULT) -> Formula:
    """Draw an instance; equal seeds and sizes give equal instances.

    Examples
    --------
    >>> formula = draw_instance(7)
    >>> formula.n_variables, len(formula.clauses)
    (1120, 3616)
    """
    rng = Random(seed)
    circuit = draw_circuit(rng, n_latches=size.n_latches, n_inputs=size.n_inputs, n_gates=size.n_gates)
    return difference(circuit, restructure(circuit, rng), n_frames=size.n_frames)


def write_instance(seed: int, size: Size = _DEFAULT) -> str:
    """Return an instance in the DIMACS format."""
    comment = _COMMENT.format(
        n_latches=size.n_latches,
        n_inputs=size.n_inputs,
        n_gates=size.n_gates,
        n_frames=size.n_frames,
        seed=seed,
    )
    return draw_instance(seed, size).dimacs(comment=comment)
