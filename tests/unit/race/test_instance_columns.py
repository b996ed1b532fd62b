"""What the model sees of instances."""

import numpy as np
import pytest

from tightrope.race.training import InstanceColumns, principal_components


def test_no_more_than_so_many_principal_components_are_seen() -> None:
    features = np.random.default_rng(0).normal(size=(30, 12))
    assert InstanceColumns.of(30, features, components=7).columns.shape == (30, 7)
    assert InstanceColumns.of(30, features, components=0).columns.tolist() == features.tolist()
    assert InstanceColumns.of(30, features, components=12).columns.tolist() == features.tolist()


def test_principal_components_keep_what_varies_together() -> None:
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=(50, 2))
    features = hidden @ rng.normal(size=(2, 10)) * 10.0 ** rng.integers(-3, 200, size=10)
    features[3, 4] = np.nan
    found = principal_components(features, 2)
    fitted = hidden @ np.linalg.lstsq(hidden, found, rcond=None)[0]
    assert np.corrcoef(found[:, 0], fitted[:, 0])[0, 1] > 0.99
    assert np.corrcoef(found[:, 1], fitted[:, 1])[0, 1] > 0.98


def test_principal_components_do_not_depend_on_units() -> None:
    features = np.random.default_rng(0).normal(size=(20, 5))
    scaled = features * [1.0, 10.0, 1e-3, 5.0, 2.0]
    assert principal_components(features, 3) == pytest.approx(principal_components(scaled, 3))
