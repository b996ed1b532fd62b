"""Generate C programs and the checksums they must print: python generate.py.

Each program is one of the kernels below with its own size; its checksum is computed in Python.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

HERE = Path(__file__).parent
WORD = 0xFFFFFFFF  # all arithmetic is modulo 2**32: the same for every compiler

_PROGRAM = """\
#include <stdint.h>
#include <stdio.h>
#include <time.h>

{kernel}
int main(void) {{
  double best = 1e9;
  uint32_t sum = 0;
  for (int again = 0; again < 5; ++again) {{
    clock_t start = clock();
    for (int repeat = 0; repeat < 10; ++repeat) {{
      sum = 0;
      for (uint32_t turn = 0; turn < {turns}; ++turn) sum += kernel({seed}u + turn);
    }}
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (seconds < best) best = seconds;
  }}
  printf("{{\\"cost\\": %.6f, \\"answer\\": %u}}\\n", best * 1e3, (unsigned)sum);
  return 0;
}}
"""

_DRAW = """\
static uint32_t draw(uint32_t *state) { return *state = *state * 1664525u + 1013904223u; }
"""

_MATRIX = """\
static uint32_t a[N][N], b[N][N], c[N][N];

static uint32_t kernel(uint32_t state) {
  uint32_t sum = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) a[i][j] = draw(&state), b[i][j] = draw(&state), c[i][j] = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < N; ++k) c[i][j] += a[i][k] * b[k][j];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) sum = sum * 31u + c[i][j];
  return sum;
}
"""

_SIEVE = """\
static uint8_t composite[N + 1];

static uint32_t kernel(uint32_t state) {
  uint32_t sum = state;
  for (uint32_t i = 0; i <= N; ++i) composite[i] = 0;
  for (uint32_t i = 2; i <= N; ++i) {
    if (composite[i]) continue;
    sum = sum * 31u + i;
    for (uint32_t j = 2 * i; j <= N; j += i) composite[j] = 1;
  }
  return sum;
}
"""

_SMOOTH = """\
static uint32_t row[N], next[N];

static uint32_t kernel(uint32_t state) {
  uint32_t sum = 0;
  for (int i = 0; i < N; ++i) row[i] = draw(&state) >> 8;
  for (int step = 0; step < 50; ++step) {
    for (int i = 1; i < N - 1; ++i) next[i] = (row[i - 1] + 2 * row[i] + row[i + 1]) >> 2;
    for (int i = 1; i < N - 1; ++i) row[i] = next[i];
  }
  for (int i = 0; i < N; ++i) sum = sum * 31u + row[i];
  return sum;
}
"""


@dataclass(frozen=True)
class Kernel:
    """A kernel in C, the same in Python, the range of sizes, and the number of repetitions."""

    text: str
    reference: Callable[[int, int], int]
    sizes: tuple[int, int]
    turns: int


def _draws(state: int) -> Callable[[], int]:
    def draw() -> int:
        nonlocal state
        state = (state * 1664525 + 1013904223) & WORD
        return state

    return draw


def _checksum(values: list[int], start: int = 0) -> int:
    total = start
    for value in values:
        total = (total * 31 + value) & WORD
    return total


def multiply(n: int, state: int) -> int:
    """Multiply two matrices."""
    draw = _draws(state)
    drawn = [[(draw(), draw()) for _ in range(n)] for _ in range(n)]
    a = [[pair[0] for pair in row] for row in drawn]
    columns = [[row[j][1] for row in drawn] for j in range(n)]
    products = [
        sum(x * y for x, y in zip(row, column, strict=True)) & WORD for row in a for column in columns
    ]
    return _checksum(products)


def sieve(n: int, state: int) -> int:
    """Find the prime numbers up to n."""
    is_prime = [False, False] + [True] * (n - 1)
    for i in range(2, n + 1):
        if is_prime[i]:
            is_prime[2 * i :: i] = [False] * len(is_prime[2 * i :: i])
    return _checksum([i for i in range(n + 1) if is_prime[i]], start=state & WORD)


def smooth(n: int, state: int) -> int:
    """Average neighbours repeatedly."""
    draw = _draws(state)
    row = [draw() >> 8 for _ in range(n)]
    for _ in range(50):
        inner = [((row[i - 1] + 2 * row[i] + row[i + 1]) & WORD) >> 2 for i in range(1, n - 1)]
        row = [row[0], *inner, row[-1]]
    return _checksum(row)


KERNELS = {
    "matrix": Kernel(_MATRIX, multiply, (40, 80), 5),
    "sieve": Kernel(_SIEVE, sieve, (20000, 60000), 10),
    "smooth": Kernel(_SMOOTH, smooth, (1000, 3000), 10),
}


def write_program(kernel: Kernel, n: int, *, seed: int) -> str:
    """Write a kernel for one size as a program that times itself and prints a checksum."""
    text = f"enum {{ N = {n} }};\n\n{_DRAW}\n{kernel.text}"
    return _PROGRAM.format(kernel=text, turns=kernel.turns, seed=seed)


def expected_sum(kernel: Kernel, n: int, *, seed: int) -> int:
    """Return the checksum that the program must print."""
    return sum(kernel.reference(n, (seed + turn) & WORD) for turn in range(kernel.turns)) & WORD


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=HERE, help="where to write the programs")
    parser.add_argument(
        "--number", type=int, default=4, help="programs of each kind, for training and for testing"
    )
    options = parser.parse_args(arguments)
    rng, rows = Random(0), ["instance,answer"]
    for group in ("train", "test"):
        (options.folder / group).mkdir(parents=True, exist_ok=True)
        for name, kernel in KERNELS.items():
            for number in range(options.number):
                n, seed = rng.randint(*kernel.sizes), rng.randrange(1000)
                path = f"{group}/{name}-{number}.c"
                (options.folder / path).write_text(write_program(kernel, n, seed=seed), encoding="utf-8")
                rows.append(f"{path},{expected_sum(kernel, n, seed=seed)}")
    (options.folder / "checksums.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{len(rows) - 1} programs are in {options.folder}")
    print("next:  tightrope check")


if __name__ == "__main__":
    main()
