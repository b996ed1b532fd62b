"""Parsed text to ConfigSpace and back: parameters, conditions and forbidden clauses of every format."""
