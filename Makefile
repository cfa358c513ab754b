# Every target sets up what it needs: a virtual environment in .venv, and for the tests Debian's Chromium.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CATALOGUE := engine/locale

.PHONY: demo test test-fast lint types format bench texts browser clean

demo: $(VENV)/.installed
	$(BIN)/masinfira demo

# Two tests run at once, so the libraries in each have no use for threads of their own.
PYTEST := OPENCV_FOR_THREADS_NUM=1 OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist loadfile

test: lint browser
	$(PYTEST)

# Without what takes long, and without a browser.
test-fast: lint
	$(PYTEST) -m "not slow and not browser"

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.installed
	$(BIN)/masinfira bench engine
	$(BIN)/masinfira bench advisor
	$(BIN)/masinfira bench vision

# Collect the sentences from the code into the catalogues and compile what is translated.
texts: $(VENV)/.dev
	$(BIN)/pybabel -q extract -F babel.cfg -k N_ -k P_:1,2 -k C_:1c,2 -k say -k Phrase -k ngettext:1,2 \
	  -o $(CATALOGUE)/masinfira.pot --no-location --sort-output --project masinfira --copyright-holder masinfira .
	for lang in cs ko en; do \
	  $(BIN)/pybabel -q update -D masinfira -d $(CATALOGUE) -i $(CATALOGUE)/masinfira.pot -l $$lang \
	    --no-fuzzy-matching --ignore-obsolete --init-missing; \
	done
	$(BIN)/pybabel compile -D masinfira -d $(CATALOGUE) --statistics
	rm $(CATALOGUE)/masinfira.pot

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@

# The page is tested in a real browser; no test tool can fetch one here, so it comes from Debian.
browser:
	@if [ -x /usr/bin/chromium ] && [ -x /usr/bin/chromedriver ]; then :; \
	elif [ "$$(id -u)" = 0 ]; then apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium chromium-driver; \
	else echo "The browser tests need Chromium. Run once: sudo apt-get install -y chromium chromium-driver"; exit 1; fi

clean:
	rm -rf $(VENV) out build dist *.egg-info
