# In a clone `make serve` is a demonstration and `make test` runs the tests. Each sets up what it needs in $(VENV).
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: help setup serve test browser quick near slow coverage lint static texts waits bench siege compare soak hops docs site fixture screenshots constraints wheels release clean

# Byte code is kept: a test run starts Python a hundred times
unexport PYTHONDONTWRITEBYTECODE

help:
	@echo "make serve    start a demonstration floor on http://127.0.0.1:8000"
	@echo "make test     run the tests, with one or two of each screen in a browser"
	@echo "make browser  every test in a browser"
	@echo "make quick    the rules, the machines, odds and screens: the first minute of the tests"
	@echo "make near     the tests nearest to the files changed since BASE (the branch's start on main)"
	@echo "make slow     the long suites, as every night: hours"
	@echo "make coverage the tests, and which branches they took"
	@echo "make lint     style and types; checks of files, texts and lists"
	@echo "make waits    the tests that wait, TIMES=30 times beside busy loops"
	@echo "make bench    measure speed"
	@echo "make siege    wagers and staff while the floor is flooded"
	@echo "make compare  measure OLD=commit and NEW=commit in turn"
	@echo "make soak     hours of the whole-system simulator"
	@echo "make hops     how many files and functions a wager, a card, a login, a report and an audit pass through"
	@echo "make docs     write everything that is generated: pages, types of the browser, list of kinds"
	@echo "make site     the documentation as a web site, in build/site"
	@echo "make fixture  record the floor of tests/fixtures/story.py for the version that is not released"
	@echo "make screenshots  pictures of every screen, to docs/screens; with ALL=1 at every size, to build/screens"
	@echo "make wheels   the wheel of each distribution, in dist"
	@echo "make release  VERSION=N.N.N TO=folder: wheels, sdists, hashes, SBOM, signed list of files"
	@echo "make setup    only make $(VENV) with the puntobanco command"

# The three distributions, from this clone
OURS := packages/puntobanco packages/puntobanco-proof packages/puntobanco-floor
EDITABLE := $(OURS:%=--editable %)
PROJECTS := $(OURS:%=%/pyproject.toml)

setup: $(VENV)/.setup
$(VENV)/.base: $(PROJECTS) constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "puntobanco needs Python 3.11 or newer; try make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) $(EDITABLE)
	@touch $@

$(VENV)/.setup: $(VENV)/.base
	$(INSTALL) $(EDITABLE) --editable 'packages/puntobanco[fast,report]'
	@touch $@

$(VENV)/.test: $(VENV)/.base pyproject.toml
	$(INSTALL) $(EDITABLE) --editable '.[test]'
	@touch $@

$(VENV)/.slow: $(VENV)/.test
	$(INSTALL) $(EDITABLE) --editable '.[slow]'
	@touch $@

$(VENV)/.lint: $(VENV)/.test
	$(INSTALL) $(EDITABLE) --editable '.[lint]'
	@touch $@

$(VENV)/.site: $(VENV)/.base pyproject.toml
	$(INSTALL) $(EDITABLE) --editable '.[site]'
	@touch $@

serve: $(VENV)/.base
	$(BIN)/puntobanco serve --demo

# `.ci/run` sets this to `-m tests.repeat`, which repeats failed tests
PYTEST ?= -m pytest
test: $(VENV)/.test
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python $(PYTEST) --numprocesses auto --dist worksteal -m "slice or not browser"

# Run this as well when you change a screen
browser: $(VENV)/.test
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python $(PYTEST) --numprocesses auto --dist worksteal packages/puntobanco-floor/tests/browser

LIB := packages/puntobanco/tests
PROOF := packages/puntobanco-proof/tests
FLOOR := packages/puntobanco-floor/tests

QUICK := $(LIB)/rules $(LIB)/odds/test_solve.py $(LIB)/odds/test_findings.py $(LIB)/test_roads.py $(LIB)/test_golden.py \
  $(FLOOR)/table $(FLOOR)/house $(FLOOR)/cage $(FLOOR)/test_ledger.py $(FLOOR)/test_journal.py $(FLOOR)/test_screens.py
quick: $(VENV)/.test
	$(BIN)/python -m pytest -q --numprocesses auto --dist worksteal -m "not long and not waits" $(QUICK)

# BASE=commit; `python -m tests.near --all` runs the farther ones too, `--list` only prints them
near: $(VENV)/.test
	$(BIN)/python -m tests.near $(BASE) --numprocesses=auto --dist=worksteal

# One at a time and in full: crashes, every write point, dying nodes, raced wagers, rounds in a browser
SLOW := $(FLOOR)/storage $(FLOOR)/web/test_nodes.py $(FLOOR)/web/test_fuzz.py $(FLOOR)/web/test_openapi.py \
  $(FLOOR)/browser/test_speed.py $(FLOOR)/browser/test_load.py $(FLOOR)/test_journal.py $(LIB)/odds/test_par.py \
  $(LIB)/odds/test_solve.py $(LIB)/rules/test_check.py $(FLOOR)/attacks/test_matrix.py \
  $(FLOOR)/attacks/test_house.py $(FLOOR)/soak/test_soak.py $(FLOOR)/floor/test_followers.py $(LIB)/test_library.py \
  tests/test_install.py tests/test_bare.py $(FLOOR)/web/test_upgrade.py tests/test_release.py $(FLOOR)/pit/test_aimed.py \
  $(PROOF)/tlog/test_interop.py $(PROOF)/witness/test_served.py $(FLOOR)/floor/test_moves.py \
  $(FLOOR)/verifier/test_contract.py $(FLOOR)/pit/test_advantage.py
slow: $(VENV)/.slow
	$(BIN)/python -m tests.browser.chromium
	PUNTOBANCO_SLOW=1 $(BIN)/python -m pytest -s $(SLOW)

# Reported, not demanded: a line that no test takes is a question, not a failure
coverage: $(VENV)/.test
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run -m pytest --numprocesses auto --dist worksteal $(COVERED) || true
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report --sort=cover
	$(BIN)/python -m coverage html --quiet

# What checks the browser's code; nothing of it is needed to run or to serve.
node_modules/.setup: package.json
	npm install --no-package-lock --no-audit --no-fund --loglevel=error
	@touch $@

lint: static texts

static: $(VENV)/.lint node_modules/.setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	node_modules/.bin/tsc
	node_modules/.bin/oxlint --deny-warnings packages/puntobanco-floor/src/puntobanco_floor/web/screens packages/puntobanco-floor/tests/screens

# Checks of files, texts and lists: each is one test that names everything that is wrong
texts: $(VENV)/.lint
	$(BIN)/python $(PYTEST) --numprocesses auto tests/lint

TIMES ?= 30
waits: $(VENV)/.test
	$(BIN)/python -m tests.waits $(TIMES)

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks.rules
	$(BIN)/python -m benchmarks.odds
	$(BIN)/python -m benchmarks.sim
	$(BIN)/python -m benchmarks.library
	$(BIN)/python -m benchmarks.live
	$(BIN)/python -m benchmarks.floor
	$(BIN)/python -m benchmarks.postgres

siege: $(VENV)/.test
	$(BIN)/python -m benchmarks.siege
	$(BIN)/python -m benchmarks.floods

OLD ?= HEAD~1
NEW ?= HEAD
compare: $(VENV)/.test
	$(BIN)/python -m benchmarks.compare $(OLD) $(NEW)

soak: $(VENV)/.test
	$(BIN)/python -m tests.soak --hours 500 --seed 1

hops: $(VENV)/.test
	$(BIN)/python -m tools.hops

screenshots: $(VENV)/.test
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m tools.$(if $(ALL),every_size,pictures)

docs: $(VENV)/.test
	$(BIN)/python -m tools.pages

site: $(VENV)/.site
	$(BIN)/python -m tools.site

fixture: $(VENV)/.test
	$(BIN)/python -m tests.fixtures.recording
	$(BIN)/python -m tests.fixtures.golden

# All versions for developers; those of a node, and of what builds the wheels, with the hashes of their files
COMPILE := uv pip compile --universal --python-version 3.11 --no-header --no-annotate $(OURS:packages/%=--no-emit-package %)
constraints:
	$(COMPILE) --all-extras --output-file constraints.txt pyproject.toml $(PROJECTS)
	$(COMPILE) --generate-hashes --extra postgres --extra report --constraint constraints.txt --output-file requirements.txt $(PROJECTS)
	echo hatchling | $(COMPILE) --generate-hashes --output-file deploy/build-requirements.txt -
	printf 'brotli\nfonttools\n' | $(COMPILE) --generate-hashes --constraint constraints.txt --output-file deploy/font-requirements.txt -

wheels: $(VENV)/.base
	@for folder in $(OURS); do $(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist ./$$folder || exit 1; done; ls dist/*.whl

# Nothing is published and no tag is made: it ends with the commands that do. KEY=file signs with a key that is kept
release: $(VENV)/.test
	$(BIN)/python -m tools.release $(VERSION) $(if $(TO),--to $(TO)) $(if $(KEY),--key $(KEY)) $(if $(TAG),--tag)

clean:
	rm -rf $(VENV) node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis htmlcov .coverage .coverage.*
