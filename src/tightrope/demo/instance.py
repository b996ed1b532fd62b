"""Instances: formulas that say of a random circuit and a restructured copy that they differ: never true."""

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
    """How large an instance is: latches, inputs and gates of its circuit, and steps over which it runs."""

    n_latches: int = 45
    n_inputs: int = 10
    n_gates: int = 46
    n_frames: int = 5


_USUAL = Size()


def draw_instance(seed: int, size: Size = _USUAL) -> Formula:
    """Draw an instance; the same seed and size give the same one.

    Examples
    --------
    >>> formula = draw_instance(7)
    >>> formula.n_variables, len(formula.clauses)
    (1120, 3616)
    """
    rng = Random(seed)
    circuit = draw_circuit(rng, n_latches=size.n_latches, n_inputs=size.n_inputs, n_gates=size.n_gates)
    return difference(circuit, restructure(circuit, rng), n_frames=size.n_frames)


def write_instance(seed: int, size: Size = _USUAL) -> str:
    """Return the text of an instance in the format DIMACS."""
    comment = _COMMENT.format(
        n_latches=size.n_latches,
        n_inputs=size.n_inputs,
        n_gates=size.n_gates,
        n_frames=size.n_frames,
        seed=seed,
    )
    return draw_instance(seed, size).dimacs(comment=comment)
