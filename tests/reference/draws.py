"""Every random draw of a tree, as a function of its node's 64-bit key.

A draw depends on the key only, not on the state of a generator or the order of work. Two independent programs
can therefore grow the same tree. All arithmetic is modulo 2^64.
"""

MODULUS = 2**64


def mix(number: int) -> int:
    """Scramble 64 bits (the finaliser of the splitmix64 generator)."""
    z = (number + 0x9E3779B97F4A7C15) % MODULUS
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % MODULUS
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % MODULUS
    return z ^ (z >> 31)


def root_key(seed: int, tree: int) -> int:
    return mix(mix(seed) + tree)


def left_key(key: int) -> int:
    return mix(key + 1)


def right_key(key: int) -> int:
    return mix(key + 2)


def column_hash(key: int, column: int) -> int:
    """Return the column's rank among columns that split equally well: the largest wins."""
    return mix(mix(key + 3) + column)


def position_in_gap(key: int) -> float:
    """Draw uniformly from [0, 1) with 53 bits."""
    return (mix(key + 4) >> 11) * 2.0**-53


def absent_level_goes_left(key: int, code: int) -> bool:
    return bool(mix(mix(key + 5) + code) & 1)


def drawn_columns(key: int, n_columns: int, n_drawn: int) -> set[int]:
    """Draw columns without replacement, either the kept or the dropped ones, whichever are fewer."""
    n_dropped = n_columns - n_drawn
    drop = 2 * n_dropped <= n_columns
    taken: set[int] = set()
    i = 0
    while len(taken) < (n_dropped if drop else n_drawn):
        taken.add(((mix(mix(key + 6) + i) >> 32) * n_columns) >> 32)
        i += 1
    return set(range(n_columns)) - taken if drop else taken
