# make talavera.pdf      print a game: output/talavera.pdf
#                        PAPER=a4  SIDES=fold|single|separate  FLIP=short  MARGIN=safe
#                        PRINTER=name  MARKS=cut,register  MIX=no  ONLY=cards  LANGUAGE=de
#                        COLOUR=cmyk  INK=low  CUTTER=silhouette
# make all               every game                             make check    what CI runs
# make test              the tests                              make bench    how fast it is (GROWTH=1)
# make quick             what a change most likely breaks, in half a minute
# make goldens           write the texts that list names, after a new check, renderer or key
# make fuzz              random broken games: MINUTES=10  SEED=7  AREA=tables
# make games             random games by the rules as code, every state looked at: GAMES=100000  GAME=taluva
# make docs              the documentation as a site            make coverage which branches the tests take
# make site              the pages of the games: output/site
#
# The first call makes its own environment in .venv; nothing else has to be installed.

PYTHON ?= python3
PAPER ?= letter
# Settings of the user and the locale change no print. A printer has a margin of its own.
BARE := $(or $(MARGIN),$(if $(PRINTER),,usual))

OUTPUT ?= output
HOW := $(if $(SIDES),--sides $(SIDES)) $(if $(FLIP),--flip $(FLIP)) \
       $(if $(BARE),--margin $(BARE)) $(if $(PRINTER),--printer $(PRINTER)) \
       $(if $(MARKS),--marks $(MARKS)) $(if $(filter no,$(MIX)),--no-mix) $(if $(ONLY),--only $(ONLY)) \
       $(if $(LANGUAGE),--lang $(LANGUAGE)) $(if $(COLOUR),--colour $(COLOUR)) \
       $(if $(INK),--ink $(INK)) $(if $(CUTTER),--cutter $(CUTTER))

VENV := .venv
PNP := $(VENV)/bin/pnp
RUN := $(VENV)/bin/python
GAMES = $(shell $(PNP) list --names)

.DEFAULT_GOAL := help
.PHONY: help all overviews site test quick goldens check format lint types layers page coverage bench docs fuzz games pictures lock clean FORCE

help:
	@sed -n 's/^# \{0,1\}//p' Makefile | head -12

%.pdf: $(VENV)/run FORCE
	@$(PNP) build $* --paper $(PAPER) $(HOW) -o $(OUTPUT)/$@

all: $(VENV)/run
	@$(MAKE) --no-print-directory -j 2 $(addsuffix .pdf,$(GAMES))

# A picture of every face of every game: output/GAME/overview.png
overviews: $(VENV)/run
	@set -e; for game in $(GAMES); do $(PNP) export $$game --to png --dpi 100; done

# A page for each game, and one that leads to them: output/site/index.html. URL= is where they will be.
site: $(VENV)/run
	@$(PNP) site $(patsubst templates/%/game.toml,%,$(sort $(wildcard templates/*/game.toml))) $(if $(URL),--url $(URL)) -o $(OUTPUT)/site

test: $(VENV)/dev
	@env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX=$(abspath $(VENV))/bytecode \
	  $(RUN) -m pytest -n auto --dist loadfile

check: format lint types layers page test

# The texts that list names: a new check, renderer or key changes them.
LISTING := $(notdir $(patsubst %/expected.txt,%,$(shell grep -l "known: " tests/bad_specs/*/*/expected.txt)))
GOLDENS := tests/test_guide.py::test_the_reference_tells_every_key \
           tests/game/test_schema.py::test_the_games_tell_editors_their_schema \
           $(LISTING:%='tests/bad_specs/test_bad_specs.py::test_message[%]')
goldens: $(VENV)/dev
	@$(RUN) -m pytest -n 2 --update-golden $(GOLDENS) >/dev/null || $(RUN) -m pytest -n 2 $(GOLDENS)

# What a change most likely breaks, within half a minute: form, layers, and the small tests of values.
QUICK := $(wildcard tests/checks/*.py) tests/layout/nets tests/tables \
         $(filter-out %/test_drawings.py %/test_misdrawn.py,$(wildcard tests/art/test_*.py)) \
         $(addprefix tests/basics/test_,catalogue.py errors.py geometry.py outlines.py) tests/test_readme.py tests/test_site.py \
         tests/test_contributing.py::test_no_two_types_have_one_name \
         tests/checks/preflight/test_games.py::test_every_kind_is_reported \
         tests/game/test_schema.py::test_every_default_is_a_value_that_its_key_allows $(GOLDENS)
quick: format lint layers
	@$(RUN) -m pytest -n 2 --dist loadfile $(QUICK)

format: $(VENV)/dev
	@$(VENV)/bin/ruff format --check --quiet .

lint: $(VENV)/dev
	@$(VENV)/bin/ruff check --quiet .

types: $(VENV)/dev
	@$(VENV)/bin/mypy --no-error-summary

layers: $(VENV)/dev
	@$(VENV)/bin/lint-imports --no-cache > $(VENV)/layers.log || { cat $(VENV)/layers.log; exit 1; }

# The types of the scripts of the pages that pnp serves. Without node all else is checked.
page: | $(VENV)/python
	@if $(MAKE) --no-print-directory --silent $(VENV)/page/done 2>/dev/null; \
	then cd tests/studio/page && ../../../$(VENV)/page/node_modules/.bin/tsc; \
	else echo "no node: the page's scripts are not checked"; fi

# Which branches of generator/ the tests take. A process at its limits has no room for the counting:
# a few tests of limits may fail here. Those of bounds are left out: a signal that arrives while
# coverage holds its lock would stop the run for ever.
coverage: $(VENV)/dev
	@rm -rf $(OUTPUT)/coverage && mkdir -p $(OUTPUT)/coverage
	-@env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX=$(abspath $(VENV))/bytecode \
	  $(RUN) -m coverage run -m pytest -n auto --dist loadfile \
	  --ignore tests/basics/test_bounds.py --ignore tests/pipeline/test_bounds.py
	@$(RUN) -m coverage combine --quiet
	@$(RUN) -m coverage report

# The documentation as a site: output/docs/index.html. A link that leads nowhere fails. Its first
# page has links to the PDFs of the games if `make site` has made them.
docs: $(VENV)/docs
	@rm -rf $(OUTPUT)/docs
	@$(RUN) -m sphinx -qEW --keep-going -j 2 -c docs/site -d $(VENV)/doctrees docs $(OUTPUT)/docs
	@if [ -d $(OUTPUT)/site ]; then cp -r $(OUTPUT)/site $(OUTPUT)/docs/games; fi
	@$(RUN) -m tests.tools.site $(OUTPUT)/docs

bench: $(VENV)/dev
	@$(RUN) -m tests.bench

# A case that ends without output and without a message is kept in output/fuzz, to be run again.
fuzz: $(VENV)/dev
	@$(RUN) -m tests.fuzz --minutes $(or $(MINUTES),10) --seed $(or $(SEED),1) $(if $(AREA),--area $(AREA))

# Of all games, or of one: GAME=taluva RULE=players=4
games: $(VENV)/dev
	@$(RUN) -m tests.games --games $(or $(GAMES),1000) --first $(or $(FIRST),0) $(if $(GAME),--game $(GAME)) $(if $(RULE),--rule $(RULE))

# A picture, made small: 1200 by 900 pixels at most, 128 colours, the rare ones kept.
define SMALL
import sys
from PIL import Image
with Image.open(sys.argv[1]) as image:
    image.thumbnail((1200, 900), Image.Resampling.LANCZOS)
    image.quantize(128, Image.Quantize.MAXCOVERAGE, kmeans=1).save(sys.argv[2], optimize=True)
endef
export SMALL

# Pictures of tables, close together on one table.
define BESIDE
import sys
from PIL import Image
from generator.pdf.raster import overview
tables = [[Image.open(name).convert("RGBA")] for name in sys.argv[2:]]
overview(tables, 9).save(sys.argv[1])
endef
export BESIDE

# The pictures of the README and of docs/, made by the tool itself.
PLAIN := --paper letter --margin usual --printer none
pictures: $(VENV)/dev
	@$(RUN) -m tests.tools.pictures
	@$(RUN) -m tests.tools.table_picture
	@$(RUN) -m tests.tools.film
	@$(RUN) -m tests.tools.recipe_pictures $(RECIPE)
	@$(PNP) export talavera --to png --dpi 60 $(PLAIN) -o docs/images/talavera >/dev/null
	@cd docs/images && mv talavera/sheets/cards-1-front.png talavera-front.png && \
	  mv talavera/sheets/cards-1-back.png talavera-back.png && \
	  mv talavera/cover/1.png talavera-cover.png && mv talavera/rules/5.png talavera-rules.png && \
	  rm -r talavera
	@set -e; for game in advaya atreya talavera taluva toripoka; do \
	  $(PNP) export $$game --to png --dpi 100 $(PLAIN) -o docs/images/of >/dev/null; \
	  $(RUN) -c "$$SMALL" docs/images/of/overview.png docs/images/$$game.png; \
	  mv docs/images/of/folded.png docs/images/folded-$$game.png; rm -r docs/images/of; done
	@cd docs/images && ../../$(RUN) -c "$$BESIDE" folded.png folded-*.png && \
	  ../../$(RUN) -c "$$SMALL" folded.png folded.png && rm folded-*.png

lock: $(VENV)/dev
	$(VENV)/bin/uv pip compile --quiet --universal --no-header --no-annotate --python-version 3.11 --extra dxf pyproject.toml requirements.in -o requirements.lock
	$(VENV)/bin/uv pip compile --quiet --universal --no-header --no-annotate --python-version 3.11 --group dev pyproject.toml requirements.in -c requirements.lock -o requirements-dev.lock
	$(VENV)/bin/uv pip compile --quiet --universal --no-header --no-annotate --python-version 3.11 --group docs pyproject.toml requirements.in -c requirements-dev.lock -o requirements-docs.lock

clean:
	rm -rf $(VENV) dist output/*.pdf output/*.png

$(VENV)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "python3 cannot make environments; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@touch $@

$(VENV)/run: $(VENV)/python requirements.lock pyproject.toml
	@echo "setting up $(VENV) (once)" >&2
	@$(RUN) -m pip install -qq --disable-pip-version-check --only-binary :all: -r requirements.lock
	@$(RUN) -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@env -u PYTHONDONTWRITEBYTECODE $(RUN) -m compileall -q generator
	@touch $@

$(VENV)/dev: $(VENV)/run requirements-dev.lock
	@$(RUN) -m pip install -qq --disable-pip-version-check --only-binary :all: -r requirements-dev.lock
	@touch $@

$(VENV)/docs: $(VENV)/run requirements-docs.lock
	@$(RUN) -m pip install -qq --disable-pip-version-check --only-binary :all: -r requirements-docs.lock
	@touch $@

$(VENV)/page/done: $(addprefix tests/studio/page/,package.json package-lock.json .npmrc) | $(VENV)/python
	@mkdir -p $(@D) && cp $^ $(@D)
	@cd $(@D) && npm ci --silent >/dev/null 2>&1 && node --version >/dev/null
	@touch $@
