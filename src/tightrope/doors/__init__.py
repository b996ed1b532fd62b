"""The ways in: one module for each thing that users ask for."""
