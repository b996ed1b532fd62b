"""The marathon: batches that are done are not done again, and a failure is recorded with its number."""

import json
import random
from importlib import import_module as load

import pytest

KINDS = ("an_answer", "a_quantity", "a_parameter_file", "a_scenario", "a_named_file")


def test_an_interrupted_marathon_does_only_what_is_missing(tmp_path):
    done = []

    def batch(number, size):
        done.append(number)
        return {"kind": size}

    marathon = load("marathon.run")
    event = marathon.Event("inputs", batch, 100, 10)
    marathon.go(event, 30, tmp_path)
    records = marathon.go(event, 45, tmp_path)
    assert done == [0, 1, 2, 3, 4]
    assert [record["batch"] for record in records] == done
    assert marathon.summarise("inputs", records) == "| inputs | 50 | none | 0 min | 50 kind |"


def test_a_batch_that_fails_is_recorded_and_the_others_go_on(tmp_path):
    def batch(number, size):
        assert number != 1, "broken"
        return {}

    marathon = load("marathon.run")
    records = marathon.go(marathon.Event("runs", batch, 3, 1), 3, tmp_path)
    assert [record["ok"] for record in records] == [True, False, True]
    assert "broken" in records[1]["error"]
    assert "| runs:1 |" in marathon.summarise("runs", records)
    assert len((tmp_path / "runs.jsonl").read_text().splitlines()) == 3
    json.loads((tmp_path / "runs.jsonl").read_text().splitlines()[1])


def test_the_kinds_of_inputs_are_those_tried_here():
    assert tuple(check.__name__ for check in load("marathon.inputs").CHECKS) == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_input_is_read_or_refused(kind, tmp_path):
    inputs = load("marathon.inputs")
    inputs.prepare(tmp_path)
    rng = random.Random(7)
    for _ in range(20):
        getattr(inputs, kind)(rng, tmp_path)
