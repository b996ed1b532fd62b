"""The supervisor of one run: a compiled program (C++), and its Python side."""
