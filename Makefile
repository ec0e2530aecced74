# Tasks. `make` alone lists them; each installs what it needs into .venv.

PYTHON ?= python3
BIN := .venv/bin
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
# One more than there are cores: a sixth of the tests' time is spent waiting.
PYTEST_WORKERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
PYTEST = $(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist worksteal
TESTS ?=
SOAK ?= 20
DATA ?=
BENCH ?=

.DEFAULT_GOAL := help
.PHONY: help compare test test-fast test-thorough test-bench test-docs soak test-default test-legacy test-wheel library wheels wasm lint types docs man \
	bench-auto bench-corpus bench-native bench-reasons published study study-long check clean

help: ## List the tasks
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

.venv/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python $(PIP_INSTALL) --upgrade -c constraints.txt pip
	$(BIN)/python $(PIP_INSTALL) -c constraints.txt -e '.[solvers]'
	-$(BIN)/python $(PIP_INSTALL) -c constraints.txt --group library
	@touch $@

# An editable install has no machine code of its own: this builds it for this machine, again
# whenever its sources change. Where it cannot be built, native runs as Python.
LIBRARY_SOURCES := $(wildcard building/*.py) $(shell find unidoku/backends/native -name '*.py')

build/.library: .venv/.installed $(LIBRARY_SOURCES)
	$(BIN)/python -m building
	@mkdir -p build && touch $@

library: build/.library ## Build the machine code of native for this machine into the checkout

wheels: .venv/.installed-dev ## Build the wheels of all systems, with code for all levels of processors, into build/wheels
	rm -rf build/wheels
	for system in linux-x86_64 linux-aarch64 macos-arm64 windows-x86_64; do \
		UNIDOKU_SYSTEM=$$system $(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir build/wheels . \
			|| exit 1; done
	ls -l build/wheels

.venv/.installed-dev: .venv/.installed
	$(BIN)/python $(PIP_INSTALL) -c constraints.txt -e '.[all]' --group dev --group docs --group harness --group readers
	@touch $@

compare: build/.library ## Compare the backends on the puzzles in examples/
	$(BIN)/unidoku compare

test: .venv/.installed-dev build/.library ## Run the tests of the package, in 5 minutes (TESTS='-m processes tests/cli' for some of them)
	$(PYTEST) -m 'not bench and not site and not thorough' $(TESTS)

test-fast: .venv/.installed-dev build/.library ## Run those without browser, processes, docs, bench and slow ones, in 2 minutes
	$(PYTEST) -m 'not browser and not processes and not docs and not bench and not slow and not thorough' $(TESTS)

test-thorough: .venv/.installed-dev build/.library ## Run the tests that prove once more, on more boards, what those of make test prove
	$(PYTEST) -m thorough $(TESTS)

test-bench: .venv/.installed-dev ## Test the programs of benchmarks/, on little
	$(PYTEST) -m bench $(TESTS)

test-docs: docs ## Look at the documentation site in a browser
	$(BIN)/python -m pytest -m site tests/docs/test_site.py

soak: .venv/.installed-dev ## Run the proofs by volume on SOAK=20 times as many random boards
	UNIDOKU_SOAK=$(SOAK) $(PYTEST) -m volume --timeout 7200 $(TESTS)

test-default: pyproject.toml constraints.txt ## Test the backends of the default install, without any extra
	$(PYTHON) -m venv --clear .venv-default
	.venv-default/bin/python $(PIP_INSTALL) --upgrade -c constraints.txt pip
	.venv-default/bin/python $(PIP_INSTALL) -c constraints.txt -e '.[testing]' --group dev
	UNIDOKU_TEST_BACKENDS=auto,native,norvig,logic,sat,exact-cover .venv-default/bin/python -m pytest \
		tests/default.py tests/backends/test_conformance.py::test_conforms tests/backends/test_limits.py \
		tests/backends/test_interleaved.py tests/backends/adapters/test_sat.py tests/backends/adapters/test_exact_cover.py \
		tests/backends/test_shared.py

test-legacy: pyproject.toml constraints.txt ## Test the adapter of python-constraint with the old 1.4.0
	$(PYTHON) -m venv --clear .venv-legacy
	.venv-legacy/bin/python $(PIP_INSTALL) --upgrade -c constraints.txt pip
	.venv-legacy/bin/python $(PIP_INSTALL) -c constraints.txt -e '.[testing]' --group dev 'python-constraint==1.4.0'
	UNIDOKU_TEST_BACKENDS=python-constraint .venv-legacy/bin/python -m pytest tests/legacy.py \
		tests/backends/test_conformance.py::test_conforms \
		tests/backends/adapters/test_python_constraint.py tests/backends/test_limits.py

test-wheel: pyproject.toml constraints.txt ## Test the built wheel, installed without extras or tools, and the sdist's metadata
	$(PYTHON) -m venv --clear .venv-wheel
	rm -rf build/wheel build/sdist
	.venv-wheel/bin/python $(PIP_INSTALL) --upgrade -c constraints.txt pip
	.venv-wheel/bin/python -m pip wheel --quiet --no-deps --wheel-dir build/wheel .
	.venv-wheel/bin/python $(PIP_INSTALL) -c constraints.txt build/wheel/unidoku-*.whl
	cd build/wheel && HOME=/nowhere XDG_CACHE_HOME=/nowhere ../../.venv-wheel/bin/python ../../tests/wheel.py ../../examples
	cd build/wheel && ../../.venv-wheel/bin/unidoku --version
	cd build/wheel && ../../.venv-wheel/bin/unidoku backends
	cd build/wheel && ../../.venv-wheel/bin/unidoku compare --backends norvig --repeats 1 --time-limit 0.2
	.venv-wheel/bin/python $(PIP_INSTALL) -c constraints.txt --group release
	.venv-wheel/bin/python -m build --sdist --outdir build/sdist .
	.venv-wheel/bin/python -m twine check --strict build/wheel/unidoku-*.whl build/sdist/unidoku-*.tar.gz
	.venv-wheel/bin/check-wheel-contents build/wheel/unidoku-*.whl

wasm: .venv/.installed-dev ## Build the search of native as WebAssembly, for pages and node, into build/wasm
	$(BIN)/python -m building.wasm

lint: .venv/.installed-dev ## Check style, format and the imports between packages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo

types: .venv/.installed-dev ## Check types
	$(BIN)/mypy

docs: .venv/.installed-dev ## Build the documentation site into build/docs
	$(BIN)/python docs/site/build.py

man: .venv/.installed ## Write the manual page of the command, build/man/unidoku.1
	$(BIN)/python docs/make_man.py

bench-native: .venv/.installed-dev ## Measure native on boards (DATA=folder of files); writes benchmarks/results/
	$(BIN)/python benchmarks/native.py --data '$(DATA)' --write --force $(BENCH)

bench-auto: .venv/.installed-dev ## Measure auto and what it searches with, in turns (DATA=folder, BENCH='--rules FILE'); writes benchmarks/results/
	$(BIN)/python benchmarks/auto.py --data '$(DATA)' --write --force $(BENCH)

bench-corpus: .venv/.installed-dev ## See what each backend decides of DATA=puzzles.jsonl, kind by kind; writes benchmarks/results/
	$(BIN)/python benchmarks/corpus.py '$(DATA)' --write --force $(BENCH)

bench-reasons: .venv/.installed-dev ## Print how far short reasons lead on the puzzles of DATA=file or folder, and how large they are
	$(BIN)/python benchmarks/reasons.py '$(DATA)' $(BENCH)

published: .venv/.installed-dev ## Measure published boards beside their tables (DATA=folder of collections), 2 hours; writes docs/published.md
	$(BIN)/python benchmarks/published.py '$(DATA)' --write $(BENCH)

study: .venv/.installed-dev ## Measure which solver is for which puzzle, 36 minutes; writes benchmarks/results/study/ and docs/study.*
	$(BIN)/python benchmarks/study.py $(BENCH)

study-long: .venv/.installed-dev ## The same on more boards with more time, 12 hours; writes build/study-long/
	$(BIN)/python benchmarks/study.py --long $(BENCH)

check: lint types test test-thorough test-bench test-default test-legacy test-wheel docs test-docs ## All of the above but compare and bench

clean: ## Remove what the tasks made
	rm -rf .venv .venv-default .venv-legacy .venv-wheel build
