"""Reads: what is to be tuned, and the files that say so."""

from tightrope.scenario.pcs import parse_pcs, read_pcs
from tightrope.scenario.pcs_write import write_pcs
from tightrope.scenario.scenario import Scenario

__all__ = ["Scenario", "parse_pcs", "read_pcs", "write_pcs"]
