# Everything here works on a fresh checkout: Python 3.11 or later and make are all it needs.
# `make demo` shows the arena, `make test` tests it; docs/development.md explains the rest.

export VENV ?= .venv
# Tests start hundreds of programs: without cached byte code each of them would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE
PYTHON := $(VENV)/bin/python
# Worker processes of the tests: many tests wait for processes and limits, so more than a small machine has processors.
WORKERS ?= 3
# Processes of `make strength` and `make luck`.
JOBS ?= 2
# Rounds of `make soak`.
ROUNDS ?= 10
# What decides where the arena dies in `make crash`, and how often it dies; what decides what fails in `make crash-cluster`.
SEED ?= 1
KILLS ?= 100
# Random failures of `make crash-cluster`.
FAILURES ?= 100
# Matches of `make soak-hosted`.
MATCHES ?= 10000
# More arguments for the demo (`make demo ARGS="--matches 20"`) or for pytest (`make test ARGS=tests/unit/core`).
ARGS ?=
# The game of `make demo GAME=...`, `make strength GAME=...`, by default the first one; of `make luck`, by default all.
GAME ?=
# Anything here makes `make test` print how much of engine and arena/core the tests in tests/covering.py run through.
COVERAGE ?=

.DEFAULT_GOAL := help
.PHONY: help setup setup-demo demo bots ladder-polyglot test test-system lint type fmt proto promise golden check bench strength luck \
	ladder-builds soak soak-hosted crash crash-cluster class clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

setup: ## make or repair the environment, with all tools
	@.ci/setup.sh dev

setup-demo:
	@.ci/setup.sh server

demo: setup-demo ## a rated ladder of sample bots on this machine, to look at
	@$(VENV)/bin/arena demo $(if $(GAME),--game $(GAME)) $(ARGS)

bots: setup ## build the sample bots of all languages whose tools are there
	@$(PYTHON) -m sample_bots.languages build $(ARGS)

ladder-polyglot: setup ## one ladder of the sample bots of all languages that are built
	@$(PYTHON) -m sample_bots.languages ladder -- --matches 60 $(ARGS)

test: setup ## the unit tests and one real match; the other suites are left to `make check`
	@$(PYTHON) -m pytest -q -n $(WORKERS) $(if $(COVERAGE),--cov --cov-report=term) $(ARGS)

test-system: setup ## all tests in tests/system: real processes, sandbox, crashes, compiled wheel, other languages
	@$(PYTHON) -m pytest -q -n $(WORKERS) $(or $(ARGS),tests/system)

STUDENTS ?= 120
class: setup ## the afternoon of docs/class.md with STUDENTS students (120)
	@STUDENTS=$(STUDENTS) $(PYTHON) -m pytest -q tests/system/e2e/test_class.py $(ARGS)

lint: setup ## style of the code, and lint of the protocol
	@$(PYTHON) -m ruff check
	@$(PYTHON) -m ruff format --check
	@cd proto && "$(abspath $(VENV))/bin/buf" lint

type: setup ## types, strictly
	@$(PYTHON) -m mypy

fmt: setup ## lay the code out and put right what can be put right by itself
	@$(PYTHON) -m ruff format
	@$(PYTHON) -m ruff check --fix

proto: setup ## generate arena/v1 and arena/games from proto/ again
	@$(PYTHON) .ci/generate.py

promise: setup ## after adding to proto/: promise it, too; refuses what would break a bot
	@$(PYTHON) .ci/promise.py

golden: setup ## rewrite the golden files; then read the difference
	@UPDATE_GOLDENS=1 $(PYTHON) -m pytest -q \
		$$(grep -rlE --include='test_*.py' 'UPDATE_GOLDENS|check_screen' tests) $(ARGS)

check: ## everything that must pass before a change is merged
	@.ci/run

bench: setup ## how fast the arena is beside what else there is, in ten minutes (ARGS=--full, ARGS="--quick P1 P5")
	@$(PYTHON) -m benchmarks.bench $(ARGS)

strength: setup ## how strong the sample bots are, and whether that is what is promised of them
	@$(PYTHON) -m benchmarks.strength $(if $(GAME),--game $(GAME)) --jobs $(JOBS) $(ARGS)

luck: setup ## how much of a result is luck, and what rotated seats and a shared seed do about it
	@$(PYTHON) -m benchmarks.luck $(GAME) --jobs $(JOBS) $(ARGS)

ladder-builds: setup ## a ladder of a search bot on the compiled engine, on the plain one, and its rival
	@$(PYTHON) -m benchmarks.ladder_builds $(if $(GAME),--game $(GAME)) $(ARGS)

soak: setup ## the tests ROUNDS times over, with new random examples, more matches of both builds, 100 kills, 200 stops
	@for round in $$(seq $(ROUNDS)); do \
		echo "round $$round of $(ROUNDS), crash seed $(SEED)$$round"; \
		CRASH_SEED=$(SEED)$$round CRASH_KILLS=100 CRASH_STOPS=200 EQUAL_MATCHES=150 ARENA_OPT_LEVEL=3 \
		$(PYTHON) -m pytest -q -n $(WORKERS) --hypothesis-profile=soak $(or $(ARGS),tests/unit tests/system) || exit 1; \
	done

soak-hosted: setup ## MATCHES short matches of hosted bots, after which nothing of them may be left
	@HOSTED_MATCHES=$(MATCHES) $(PYTHON) -m pytest -q -s tests/system/hosting/test_soak.py $(ARGS)

crash: setup ## kill -9 the arena KILLS times where SEED says, with an audit after each
	@CRASH_SEED=$(SEED) CRASH_KILLS=$(KILLS) $(PYTHON) -m pytest -q -s tests/system/crash/test_crash.py -k however_often $(ARGS)

crash-cluster: setup ## each failure of a cluster once, and FAILURES random ones over a running tournament
	@CLUSTER_FAILURES=$(FAILURES) CLUSTER_SEED=$(SEED) $(PYTHON) -m pytest -q tests/system/cluster $(ARGS)

clean: ## remove the environment and everything built; the data folder stays
	@rm -rf "$(VENV)" "$(VENV).unfinished" benchmarks/.venvs build dist .coverage* .hypothesis .import_linter_cache *.egg-info
	@rm -rf .mypy_cache .pytest_cache .ruff_cache
	@find arena engine sample_bots tests benchmarks .ci -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
