"""From text to ConfigSpace: parameters, conditions and forbidden clauses."""
