"""Round trips through cities drawn from a seed, and the length of the shortest trip."""

import json
from random import Random


def draw_cities(seed: int, *, n_cities: int) -> str:
    """Draw distances between cities in a square; each direction has its own detour."""
    rng = Random(seed)
    places = [(rng.randint(0, 1000), rng.randint(0, 1000)) for _ in range(n_cities)]
    way = [
        [round(((x - u) ** 2 + (y - v) ** 2) ** 0.5) + rng.randint(0, 300) for u, v in places]
        for x, y in places
    ]
    return json.dumps({"way": way})


def optimal_tour(text: str) -> str:
    """Return the length of the shortest trip, by dynamic programming over the sets of visited cities."""
    way = json.loads(text)["way"]
    n_others = len(way) - 1  # all but the first, where the trip starts
    least = {(1 << i, i): way[0][i + 1] for i in range(n_others)}
    for seen in range(1, 2**n_others):
        for last in range(n_others):
            if seen >> last & 1 and seen != 1 << last:
                before = seen ^ 1 << last
                least[seen, last] = min(
                    least[before, i] + way[i + 1][last + 1] for i in range(n_others) if before >> i & 1
                )
    whole = 2**n_others - 1
    return str(min(least[whole, i] + way[i + 1][0] for i in range(n_others)))
