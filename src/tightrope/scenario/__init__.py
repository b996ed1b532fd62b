"""The `Scenario` class, and readers and writers for scenario and parameter files.

`text/` holds parsing helpers for all formats, `rules/` builds ConfigSpace spaces. `toml/`, `pcs/`, `irace/`
and `aclib/` hold one file format each.
"""

from tightrope.scenario.irace.read import parse_irace, read_irace
from tightrope.scenario.irace.write import write_irace
from tightrope.scenario.pcs.read import parse_pcs, read_pcs
from tightrope.scenario.pcs.write import write_pcs
from tightrope.scenario.pcs.write_old import write_old_pcs
from tightrope.scenario.read import parse_scenario, read_scenario
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.toml.write import write_scenario

__all__ = [
    "Scenario",
    "parse_irace",
    "parse_pcs",
    "parse_scenario",
    "read_irace",
    "read_pcs",
    "read_scenario",
    "write_irace",
    "write_old_pcs",
    "write_pcs",
    "write_scenario",
]
