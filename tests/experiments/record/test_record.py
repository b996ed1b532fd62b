"""The recorder and its command."""

from dataclasses import dataclass, field, replace
from importlib import import_module as load

import numpy as np
import pytest

PCS = "x [0.1,10.0][1.0]l\nkind {slow,fast}[slow]\nwidth [1,9][2]i\nConditionals:\nwidth|kind in {fast}\n"


@dataclass
class Invented:
    """Costs x times the instance's number; wrong answers of fast configs on instance 1."""

    runs: list[tuple[float, str]] = field(default_factory=list)

    def solve(self, config, instance, *, ceiling):
        self.runs.append((config["x"], instance.stem))
        is_wrong = config["kind"] == "fast" and instance.stem == "1"
        cost = config["x"] * (1 + int(instance.stem) % 100)
        return load("lib.recording.result").SolverResult("no" if is_wrong else "yes", cost, cpu_s=cost / 100)


@pytest.fixture
def study(tmp_path, monkeypatch):
    module = load("lib.recording.studies")
    monkeypatch.setattr(module, "_PARAMETERS", tmp_path)
    (tmp_path / "invented.pcs").write_text(PCS)
    invented = Invented()
    return module.Study(
        solver=lambda: invented,
        unit="steps",
        ceiling=20.0,
        parameters="invented",
        draw=lambda seed: f'{{"size": [{seed}]}}',
        answer=lambda _: "yes",
        suffix="json",
    )


def record(study, folder, *, n_configs=30, n_instances=8, at_most=None):
    recorder = load("record.recorder")
    recorder.prepare(study, folder, n_configs=n_configs, n_instances=n_instances)
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    for n_done, _ in enumerate(recorder.record(study, folder, scratch=scratch), start=1):
        if n_done == at_most:
            break
    return load("lib.recording.files").read_recording(folder)


def test_every_config_is_recorded_on_every_instance(study, tmp_path):
    recording = record(study, tmp_path / "new")
    assert recording.is_complete
    assert recording.costs.shape == (31, 8)
    assert recording.configs[0] == {"x": 1.0, "kind": "slow"}
    assert recording.is_test.tolist() == [False] * 4 + [True] * 4
    assert recording.costs[0].tolist() == [1.0, 2.0, 3.0, 4.0] * 2


def test_some_configs_may_be_variations_of_the_default(study, tmp_path):
    configs = record(replace(study, varied=0.5), tmp_path / "new").configs
    assert configs == record(replace(study, varied=0.5), tmp_path / "again").configs
    assert len(set(configs)) == 31
    default, varied = configs[0], configs[16:]
    assert any(each["x"] == default["x"] for each in varied)  # which chance would hardly do
    assert record(study, tmp_path / "random").configs[1:16] == configs[1:16]


def test_timeouts_and_wrong_answers_have_infinite_cost(study, tmp_path):
    recording = record(study, tmp_path / "new")
    fast = np.array([config["kind"] == "fast" for config in recording.configs])
    assert recording.failed[:, 1].tolist() == fast.tolist()
    assert np.isinf(recording.costs[fast, 1]).all()
    slow = recording.costs[~fast]
    assert slow[np.isfinite(slow)].max() < 20.0
    assert np.isinf(slow).any()


def test_a_recording_resumes(study, tmp_path):
    part = record(study, tmp_path / "new", at_most=3)
    assert not part.is_complete
    whole = record(study, tmp_path / "new")
    assert whole.is_complete
    assert len(study.solver().runs) == len(set(study.solver().runs)) == 31 * 8


def test_a_partial_last_line_is_recorded_again(study, tmp_path):
    record(study, tmp_path / "new", at_most=2)
    runs = tmp_path / "new" / "runs.csv"
    runs.write_text(runs.read_text()[:-9])
    assert record(study, tmp_path / "new").is_complete


def test_a_recording_gets_more_instances_and_keeps_its_runs(study, tmp_path):
    few = record(study, tmp_path / "new")
    many = record(study, tmp_path / "new", n_instances=12)
    assert many.is_complete
    assert many.costs.shape == (31, 12)
    assert many.configs == few.configs
    assert set(few.instances) < set(many.instances)
    assert many.is_test.tolist() == [False] * 6 + [True] * 6
    assert len(study.solver().runs) == len(set(study.solver().runs)) == 31 * 12


def test_a_recording_with_another_ceiling_is_not_resumed(study, tmp_path):
    record(study, tmp_path / "new", at_most=2)
    with pytest.raises(SystemExit, match="another ceiling"):
        record(replace(study, ceiling=30.0), tmp_path / "new")


def test_a_packed_recording_reads_the_same(study, tmp_path):
    before = record(study, tmp_path / "new")
    packed = load("lib.recording.files").pack(tmp_path / "new", tmp_path / "kept" / "new")
    after = load("lib.recording.files").read_recording(tmp_path / "kept" / "new")
    assert packed == tmp_path / "kept" / "new" / "runs.csv.gz"
    assert after.costs.tolist() == before.costs.tolist()


def test_the_command_packs_a_complete_recording_and_records_it_once(study, tmp_path, monkeypatch, capsys):
    command = load("record.run")
    monkeypatch.setattr(command, "STUDIES", {"invented": study})
    places = ["--folder", str(tmp_path / "growing"), "--recordings", str(tmp_path / "kept")]
    for _ in range(2):
        command.main(["invented", *places, "--configs", "3", "--instances", "4"])
    said = capsys.readouterr().out
    assert said.count("4 of 4 configs on 4 instances") == 2
    assert said.count("wrote ") == 1
    assert len(study.solver().runs) == 16


def test_the_command_adds_instances_to_a_packed_recording(study, tmp_path, monkeypatch, capsys):
    command = load("record.run")
    monkeypatch.setattr(command, "STUDIES", {"invented": study})
    for n_instances, growing in ((4, "one"), (8, "other")):
        places = ["--folder", str(tmp_path / growing), "--recordings", str(tmp_path / "kept")]
        command.main(["invented", *places, "--configs", "3", "--instances", str(n_instances)])
    assert "4 of 4 configs on 8 instances" in capsys.readouterr().out
    assert len(study.solver().runs) == 32


def test_a_recording_is_described(study, tmp_path):
    text = load("record.run").describe(record(study, tmp_path / "new"))
    assert "31 of 31 configs on 8 instances" in text
    assert "mean steps: default 2.5" in text


def test_a_complete_recording_becomes_an_arena(study, tmp_path):
    recording = record(study, tmp_path / "new")
    recorded = load("lib.recording.cost_table").as_cost_table(recording, name="invented")
    arena = load("lib.arena.arena").recorded_arena(recorded)
    assert arena.instances_train == ("0", "1", "2", "3")
    assert recorded.offsets == {"x": 0.0}
    assert arena.cost(recording.configs[0], "1002") == 3.0
