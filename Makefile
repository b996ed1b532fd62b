# Main targets: demo, test, test-all, lint, bench. Each installs what it needs into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
KERNEL := $(wildcard src/tightrope/forest/kernel/* src/tightrope/run/supervise/*)
CPP := $(wildcard src/tightrope/forest/kernel/*.?pp src/tightrope/run/supervise/*.?pp tests/kernel/*.?pp tests/supervise/*.?pp)

.PHONY: install demo test test-all lint types imports format test-kernel test-python test-cluster torture bench figures table1 peers live wheel check-wheel test-oldest docs workflows changelog clean
.DEFAULT_GOAL := install

install: $(VENV)/kernel.stamp

$(VENV)/tools.stamp: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tightrope needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install "pip>=25.1"
	$(PIP) install --group build --group dev --group examples
	touch $@

$(VENV)/kernel.stamp: $(VENV)/tools.stamp pyproject.toml CMakeLists.txt $(KERNEL)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(PIP) install --no-build-isolation --config-settings=cmake.define.TIGHTROPE_STRICT=ON --editable ".[all]"
	touch $@

demo: install
	rm -rf out/demo
	$(BIN)/tightrope demo --out out/demo

# Everything but tests marked slow; make test-all runs those as well.
test: lint test-kernel test-python

test-all: lint test-kernel install
	$(BIN)/python -m pytest

lint: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror $(CPP)

format: $(VENV)/tools.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i $(CPP)

test-kernel: $(VENV)/tools.stamp
	$(BIN)/cmake -S . -B build/kernel-tests -G Ninja -DCMAKE_MAKE_PROGRAM="$(CURDIR)/$(BIN)/ninja" -DCMAKE_BUILD_TYPE=Debug \
	  -DTIGHTROPE_KERNEL_TESTS=ON -DTIGHTROPE_STRICT=ON -DTIGHTROPE_SANITIZE=ON >/dev/null
	$(BIN)/cmake --build build/kernel-tests
	$(BIN)/ctest --test-dir build/kernel-tests --output-on-failure

test-python: install
	$(BIN)/python -m pytest -m "not slow"

bench: install
	$(BIN)/python benchmarks/forest.py
	$(BIN)/python benchmarks/importance.py
	$(BIN)/python benchmarks/space.py
	$(BIN)/python benchmarks/gp.py
	$(BIN)/python benchmarks/overhead.py
	$(BIN)/python benchmarks/journal.py
	$(BIN)/python benchmarks/supervise.py
	$(BIN)/python benchmarks/virtual.py

# Tune on a SLURM of its own on this machine, as root; skipped with a message where that is not possible.
# make test-cluster ARGS=--install installs Debian's slurm-wlm, munge and openssl first.
test-cluster: install
	tests/cluster/slurm.sh $(ARGS)

# Kills, adversarial runs and fuzzed inputs by the thousand: an hour, resumable; make torture ARGS="--kills 100"
torture: install
	$(BIN)/python experiments/marathon $(ARGS)

figures: install
	$(BIN)/python experiments/four_treatments
	$(BIN)/python experiments/figure1
	$(BIN)/python experiments/tutorial
	$(BIN)/python experiments/figure2
	$(BIN)/python experiments/ablation
	$(BIN)/python experiments/black_box --quick
	$(BIN)/python experiments/terminal

# The paper's Table 1: make table1, or make table1 ARGS=--quick
table1: install
	$(BIN)/python experiments/table1 $(ARGS)

# Comparison with peers: make peers, or make peers ARGS="--seeds 2 --budget 250"; irace is Debian's r-cran-irace
peers: install
	$(PIP) install --group peers || echo "SMAC3 and Optuna could not be installed"
	PYTHONHASHSEED=0 $(BIN)/python experiments/peers $(ARGS)  # SMAC3 depends on the hash seed

# Two scenarios of Table 1 with real processes, on an idle machine: make live, or make live ARGS="--seeds 5";
# clasp is Debian's package clasp
live: install
	$(BIN)/python experiments/live $(ARGS)

# A wheel that needs no compiler to install: for 3.12 and all later versions, or for 3.11 if that is $(PYTHON).
wheel: $(VENV)/tools.stamp
	rm -rf build/wheel
	$(PIP) install --group wheel
	$(BIN)/python -m build --outdir build/wheel
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/auditwheel repair --wheel-dir dist build/wheel/*.whl
	cp build/wheel/*.tar.gz dist

# Installs the newest wheel into a bare environment without a compiler in reach, and runs the demo from it.
check-wheel:
	tests/wheel/check.sh "$(PYTHON)" dist

# The Python tests with the oldest dependencies that pyproject.toml allows, in an environment of their own.
test-oldest:
	$(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/python -m pip --quiet install "uv>=0.5"
	.venv-oldest/bin/uv pip install --quiet --python .venv-oldest --group build --group dev --group examples
	PATH="$(CURDIR)/.venv-oldest/bin:$$PATH" .venv-oldest/bin/uv pip install --quiet --python .venv-oldest \
	  --resolution lowest-direct --no-build-isolation --editable ".[all]"
	.venv-oldest/bin/python -m pytest -m "not slow"

# The documentation as a site, in build/site
docs: install
	$(PIP) install --group docs
	rm -rf docs/site/api
	$(BIN)/python -m sphinx -q -W --keep-going -c docs/site docs build/site
	@echo "open build/site/index.html"

workflows: $(VENV)/tools.stamp
	$(PIP) install --group workflows
	$(BIN)/actionlint

# What CHANGELOG.md will say of the next version, from the fragments in changes/
changelog: $(VENV)/tools.stamp
	$(PIP) install --group release
	$(BIN)/towncrier build --draft

clean:
	rm -rf build dist out $(VENV) .venv-oldest
