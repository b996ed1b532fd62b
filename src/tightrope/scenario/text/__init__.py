"""Parts shared by all text formats: sources with positions, expressions, errors."""
