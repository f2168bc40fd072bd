# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev
BENCH_VENV := .venv-bench
BENCH_STAMP := $(BENCH_VENV)/.installed
BENCH := $(BENCH_VENV)/bin/python -m benchmarks

.PHONY: install demo test lint kill-test soak confluence-clients bench lock clean

install: $(STAMP)

$(STAMP): pyproject.toml requirements/runtime.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/runtime.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	touch $@

$(DEV_STAMP): $(STAMP) requirements/dev.txt
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/dev.txt
	touch $@

demo: install
	$(BIN)/python -m demo

lint: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/python -m pytest -n auto

kill-test: $(DEV_STAMP)
	$(BIN)/python -m pytest -m large tests/runs/test_killed_and_resumed.py tests/runs/confluence/test_killed.py

# Long: 10,000 pages with random faults and ten kills, and 10,000 examples of each property.
soak: $(DEV_STAMP)
	$(BIN)/python -m pytest -m large tests/faults/test_random_faults.py
	HYPOTHESIS_PROFILE=soak $(BIN)/python -m pytest tests/faults/test_hostile_input.py

# Other people's Confluence clients judge the server the tests export from.
confluence-clients: $(DEV_STAMP)
	$(BIN)/python -m tests.confluence_server.clients

# The peers have an environment of their own. Not all that they name is installed, hence --no-deps:
# see requirements/bench-excludes.txt.
$(BENCH_STAMP): pyproject.toml requirements/bench.txt
	$(PYTHON) -m venv $(BENCH_VENV)
	$(BENCH_VENV)/bin/python -m pip install --quiet --require-hashes --no-deps -r requirements/bench.txt
	$(BENCH_VENV)/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	$(BENCH_VENV)/bin/python -m compileall -q src
	touch $@

# About an hour, as root on Debian. Each benchmark writes its part of docs/benchmarks.md.
bench: $(BENCH_STAMP) confluence-clients
	command -v nginx || { apt-get update -qq && apt-get install -y -qq nginx-light; }
	$(BENCH).end_to_end
	$(BENCH).sitemap
	$(BENCH).growth
	$(BENCH).corpus fetch .bench/packages
	$(BENCH).conversion .bench/packages
	$(BENCH).cleanup collect .bench/cleanup
	$(BENCH).cleanup publish .bench/cleanup
	$(BENCH).confluence

# Renew the pinned requirements; needs uv (pip install uv).
lock:
	uv pip compile pyproject.toml requirements/build.in --universal --generate-hashes --no-emit-index-url --no-header -o requirements/runtime.txt
	uv pip compile pyproject.toml requirements/dev.in --universal --generate-hashes --no-emit-index-url --no-header -o requirements/dev.txt
	uv pip compile pyproject.toml requirements/build.in requirements/bench.in --excludes requirements/bench-excludes.txt --universal --generate-hashes --no-emit-index-url --no-header -o requirements/bench.txt

# Of output/ only the demo's part: mirrors are written there unless told otherwise.
clean:
	rm -rf $(VENV) $(BENCH_VENV) .bench output/demo
