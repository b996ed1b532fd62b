"""Known solvers: how to call each, how to read its answer, and what parameters it has.

Each solver is a file in `known/`; `solver.py` reads them, and its docstring says what they contain. A solver
that prints its own options has the name of a format of `printed.py` in its file; `parameters.py` makes
parameters of these options.
"""
