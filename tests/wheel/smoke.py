"""Uses an installed wheel: fits a forest, tunes a function, and on Linux runs a command under a cap.

It needs nothing but the package, so that every wheel can be tried where it was built.
"""

import subprocess
import sys

import numpy as np

from tightrope import CensoredForest, CensoredProcess, Scenario, tune
from tightrope.run import Virtual


def fit() -> None:
    """Fit both estimators to runs that were stopped at 10 s."""
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(200, 2))
    runtime = np.exp(4.0 * X[:, 0])
    for estimator in (CensoredForest(log=True, random_state=0), CensoredProcess(log=True)):
        estimator.fit(X, np.minimum(runtime, 10.0), censored=runtime > 10.0)
        low, high = estimator.predict([[0.1, 0.5], [0.9, 0.5]])
        assert low < 3.0 < 8.0 < high, (estimator, low, high)


def seconds(config: dict[str, float], instance: str, seed: int) -> float:
    """Simulate a solver whose parameter is best at 0.3."""
    return {"easy": 1.0, "hard": 20.0}[instance] * (1.0 + 30.0 * (config["x"] - 0.3) ** 2)


def main() -> None:
    fit()
    scenario = Scenario(space={"x": (0.0, 1.0)}, instances=["easy", "hard"], ceiling=300.0, budget=2000.0)
    best = tune(scenario, executor=Virtual(seconds)).best["x"]
    assert abs(best - 0.3) < 0.1, best
    version = subprocess.run(
        [sys.executable, "-m", "tightrope", "--version"], check=True, capture_output=True
    )
    sys.stdout.write(f"{version.stdout.decode().strip()}: forest, process and tune work\n")


if __name__ == "__main__":
    main()
