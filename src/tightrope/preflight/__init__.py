"""Checks before a tuning: static ones, and probes that run the target.

Start with `report.py`: every check returns a CheckLine, and a CheckReport holds them all. `static_checks.py`
looks at parameters and instances, `probe.py` runs the target, `probe_checks.py` evaluates these runs, and
`budget_check.py` divides the budget by the cost of a run. `tightrope.api.check` runs everything in order.
"""
