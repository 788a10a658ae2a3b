# Everything a person needs: `make run`, `make test`. The rest is for those who work on Ginhouse.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help install run test test-long check lint types imports audit format bench clean

help:
	@echo "make run        start the bot (with DISCORD_TOKEN: on Discord, without: on the playground)"
	@echo "make install    only install what the bot needs"
	@echo "make test       lint, types, import rules and tests"
	@echo "make test-long  property and soak tests at full counts"
	@echo "make bench      measure speed"
	@echo "make format     let ruff put the code in order"

$(VENV)/run.stamp: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ginhouse needs Python 3.11 or newer.")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing what Ginhouse needs into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp
	@echo "Installing what its tests need into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

install: $(VENV)/run.stamp

run: $(VENV)/run.stamp
	@$(BIN)/python -m playground.start

check: lint types imports audit

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/deptry .

types: $(VENV)/dev.stamp
	$(BIN)/mypy

imports: $(VENV)/dev.stamp
	$(BIN)/lint-imports

# Asks over the network, and says aloud when it got no answer.
audit: $(VENV)/dev.stamp
	$(BIN)/python -m tests.pins

test: check
	$(BIN)/pytest -n 2 --dist worksteal -m "not long and not browser"
	$(BIN)/pytest -n 2 --dist worksteal -m "not long and browser"

test-long: $(VENV)/dev.stamp
	$(BIN)/pytest -n 2 --dist worksteal -m long

bench: $(VENV)/dev.stamp
	$(BIN)/python -m bench

format: $(VENV)/dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) build *.egg-info
