"""Many arenas of different kinds, to choose settings on one half of them and to judge by the other."""
