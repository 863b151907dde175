# Two commands do all the set-up on a machine with Python 3.11 or newer: make run, make test.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PORT   ?= 8000

.PHONY: run install test check format clean

## run: virtual environment, install, ingest samples/, serve on http://localhost:8000
run: $(VENV)/.installed
	$(BIN)/youju add samples
	$(BIN)/youju serve --port $(PORT)

## install: the lean install alone (no torch)
install: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q -c constraints.txt -e .
	touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q -c constraints.txt -e ".[dev,local-models]"
	touch $(VENV)/.installed $@

## test: everything the tests need, then all checks and tests
test: $(VENV)/.installed-dev check
	$(BIN)/pytest

## check: formatting, lint, types
check: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/.installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
