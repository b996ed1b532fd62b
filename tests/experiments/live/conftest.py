"""A solver that counts, and its recording."""

from importlib import import_module as load

import pytest

from recordings import write_recording

NAME = "clasp-large-circuits"


SOLVER = """#!/bin/sh
# Counts to its first argument and says SAT.
i=0
while [ "$i" -lt "$1" ]; do i=$((i + 1)); done
echo "counted: $i"
exit 10
"""


def draw(seed):
    return f'{{"size": [{seed % 10}, {2 * (seed % 10)}]}}'


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")
    write_recording(folder / NAME)
    described = folder / NAME / "instances.csv"
    names = [line.split(",")[0] for line in described.read_text().splitlines()[1:]]
    lines = [
        f"{name},{'test' if int(name) >= 1000 else 'train'},SAT,{1.5 * (int(name) % 10)},{int(name) % 10 / 2}"
        for name in names
    ]
    described.write_text("\n".join(["name,use,answer,size_mean,size_spread", *lines]) + "\n")
    return folder


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "solver.sh"
    path.write_text(SOLVER)
    path.chmod(0o755)
    return load("lib.recording.program").Program(
        path=str(path),
        options=lambda config: [str(int(2000 * config["x"]))],
        limit="{}",
        first_limit=1,
        counter=r"counted: (\d+)",
    )


@pytest.fixture
def study(program, monkeypatch):
    module = load("lib.recording.studies")
    found = module.Study(
        solver=lambda: program,
        unit="steps",
        ceiling=100.0,
        parameters="clasp",
        draw=draw,
        answer=lambda _: "SAT",
        suffix="json",
    )
    monkeypatch.setitem(module.STUDIES, NAME, found)
    return found
