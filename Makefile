# The two commands of the README are `make serve` and `make test`. Each sets up what it needs in $(VENV).
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: help setup serve test lint waits bench soak docs screenshots constraints clean

help:
	@echo "make serve    start a demonstration floor on http://127.0.0.1:8000"
	@echo "make test     run the tests"
	@echo "make lint     style and types"
	@echo "make waits    the tests that wait, TIMES=30 times beside busy loops"
	@echo "make bench    measure speed"
	@echo "make soak     hours of the whole-system simulator"
	@echo "make docs     write the generated pages"
	@echo "make screenshots  pictures of every screen, to docs/screens"
	@echo "make setup    only make $(VENV) with the puntobanco command"

setup: $(VENV)/.setup
$(VENV)/.base: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "puntobanco needs Python 3.11 or newer; try make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --editable .
	@touch $@

$(VENV)/.setup: $(VENV)/.base
	$(INSTALL) --editable '.[report]'
	@touch $@

$(VENV)/.test: $(VENV)/.base
	$(INSTALL) --editable '.[report,test]'
	@touch $@

$(VENV)/.lint: $(VENV)/.test
	$(INSTALL) --editable '.[report,lint]'
	@touch $@

serve: $(VENV)/.base
	$(BIN)/puntobanco serve --demo

test: $(VENV)/.test
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

# What checks the browser's code; nothing of it is needed to run or to serve.
node_modules/.setup: package.json
	npm install --no-package-lock --no-audit --no-fund --loglevel=error
	@touch $@

lint: $(VENV)/.lint node_modules/.setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	node_modules/.bin/tsc
	node_modules/.bin/oxlint --deny-warnings src/puntobanco/web/screens tests/screens
	$(BIN)/python -m pytest -q tests/test_typed_screens.py

TIMES ?= 30
waits: $(VENV)/.test
	$(BIN)/python -m tests.waits $(TIMES)

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks.rules
	$(BIN)/python -m benchmarks.odds
	$(BIN)/python -m benchmarks.sim
	$(BIN)/python -m benchmarks.live
	$(BIN)/python -m benchmarks.floor
	$(BIN)/python -m benchmarks.postgres

soak: $(VENV)/.test
	$(BIN)/python -m tests.soak --hours 500 --seed 1

screenshots: $(VENV)/.test
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m tools.pictures

docs: $(VENV)/.test
	$(BIN)/python -m tools.pages

constraints:
	uv pip compile --universal --all-extras --python-version 3.11 --no-header --no-annotate --output-file constraints.txt pyproject.toml

clean:
	rm -rf $(VENV) node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
