"""The supervisor: a C++ program that runs, measures and kills one process tree, and its Python side.

Start with `supervisor.py` (Supervised, which starts it) and `report.py` (Ending, which it reports). The
program starts in `main.cpp`: `settings` reads its arguments, `launch` starts the command, `watch` is the main
loop, `tree` and `member` read /proc, and `output.hpp` keeps both ends of an output stream. `orphans.py` kills
what is left if the supervisor itself was killed.
"""
