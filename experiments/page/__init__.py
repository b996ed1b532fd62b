"""The pictures of the report in the documentation."""
