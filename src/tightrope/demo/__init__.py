"""The demo scenario of `tightrope demo`: generated SAT formulas, and the solver Kissat.

Start with `folder.py`, which writes the scenario folder, and `instance.py`, which draws one formula.
`circuit.py` draws a random circuit, `restructuring.py` rewrites it into an equivalent one, and `formula.py`
encodes the question whether the two differ. `kissat.py` finds the installed solver.
"""
