"""Importances of uncensored data agree with those of Optuna's evaluators, an independent implementation."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tightrope import CensoredForest
from tightrope.forest import ALGORITHM_1
from tightrope.forest.importance import Analysis, effects, thresholds
from tightrope.space import Space

optuna = pytest.importorskip(
    "optuna", reason="Optuna is the oracle: pip install --group peers, or pip install optuna"
)

SPACE = Space.of(
    {"kind": ["a", "b", "c"], "n": (1, 20), "u": (0.0, 1.0), "x": (0.0, 1.0), "y": (0.1, 10.0, "log")}
)
N_TREES = 16


def log_cost(configs: list[Any]) -> NDArray[np.float64]:
    kind = {"a": 0.0, "b": 1.0, "c": 0.3}
    return np.array(
        [
            2.5 * c["x"] ** 2 + kind[c["kind"]] + 0.05 * c["n"] + 0.4 * np.log10(c["y"]) * c["x"]
            for c in configs
        ]
    )


def sample(n: int) -> tuple[list[Any], NDArray[np.float64]]:
    rows = SPACE.sample(n, np.random.default_rng(0))
    configs = [dict(SPACE.decode(row)) for row in rows]
    return configs, log_cost(configs)


def ours(configs: list[Any], log: NDArray[np.float64], **options: Any) -> dict[str, float]:
    X = SPACE.for_model(SPACE.encode(configs))
    forest = CensoredForest(N_TREES, log=True, random_state=0, **ALGORITHM_1)
    forest.fit(X, np.exp(log), categorical=SPACE.categorical)
    cells = SPACE.partition(thresholds(forest, SPACE.n_columns), SPACE.default())
    analysis = Analysis(forest, cells, np.empty((1, 0)), **options)
    return {each.names[0]: each.share for each in effects(analysis, SPACE.names, n_in_pairs=0)}


def theirs(evaluator: Any, configs: list[Any], log: NDArray[np.float64]) -> dict[str, float]:
    kinds = optuna.distributions
    distributions = {
        "kind": kinds.CategoricalDistribution(["a", "b", "c"]),
        "n": kinds.IntDistribution(1, 20),
        "u": kinds.FloatDistribution(0.0, 1.0),
        "x": kinds.FloatDistribution(0.0, 1.0),
        "y": kinds.FloatDistribution(0.1, 10.0, log=True),
    }
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study()
    for config, value in zip(configs, log.tolist(), strict=True):
        study.add_trial(optuna.create_trial(params=config, distributions=distributions, value=value))
    return dict(optuna.importance.get_param_importances(study, evaluator=evaluator, normalize=True))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Optuna marks parts of itself as experimental
def test_main_effects_agree_with_fanova() -> None:
    configs, log = sample(400)
    evaluator = optuna.importance.FanovaImportanceEvaluator(n_trees=N_TREES, seed=0)
    expected, found = theirs(evaluator, configs, log), ours(configs, log)
    whole = sum(found.values())
    for name, share in expected.items():
        # Two forests with different split rules and bootstrap samples: repetitions differ by up to 0.02.
        assert found[name] / whole == pytest.approx(share, abs=0.05), name
    assert list(found)[:3] == list(expected)[:3]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_what_matters_among_good_configs_agrees_with_ped_anova() -> None:
    """Shares differ by definition; which parameters matter does not."""
    configs, log = sample(800)
    level = SPACE.for_model(SPACE.encode([configs[int(np.argsort(log)[len(log) // 10])]]))[0]
    expected = theirs(optuna.importance.PedAnovaImportanceEvaluator(), configs, log)
    found = ours(configs, log, at_most=level)
    assert list(found)[:2] == list(expected)[:2] == ["x", "n"]
    assert set(list(found)[-2:]) == set(list(expected)[-2:]) == {"u", "y"}
