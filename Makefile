# Kairos. `make run` opens the reader, `make test` passes the tests; both see to the system packages they need.

VERSION := $(shell sed -n 's/^ *Version *= *"\(.*\)"/\1/p' FyneApp.toml)
PREFIX  ?= $(HOME)/.local
DESTDIR ?=
MACOS   := $(filter Darwin,$(shell uname -s))

.PHONY: run build test soak window desktop accessible screenshots manual-pictures pages bench bench-check growth corpus papers fmt install uninstall package deb rpm tarball test-packages release reproducible windows test-windows clean help

run: build ## build Kairos and open its window
	@./build/kairos

build: ## build ./build/kairos
	@.ci/deps run
	@.ci/build $(VERSION)

test: ## formatting, vet, staticcheck, all tests, the real window
	@.ci/deps test
	@.ci/check race format vet staticcheck cgofree windows darwin weeks fuzz drawing window scripts

soak: ## the same tests in their full length (hours)
	@.ci/deps test
	@.ci/deps accessible
	@.ci/deps desktop
	@KAIROS_SOAK=1 .ci/check race weeks drawing fuzz window desktop accessible benchmarks workflows reproducible
	@$(MAKE) --no-print-directory test-packages
	@$(MAKE) --no-print-directory test-windows

window: ## only the test of the real window
	@.ci/deps test
	@.ci/check window

accessible: ## the tests with at-spi2-core and python3-pyatspi, which a screen reader reads by, and with Orca
	@.ci/deps accessible
	@.ci/check accessible

desktop: ## the installed Kairos on a whole desktop: tray, notifications, files, clipboard, Chinese input, scale, two monitors, Wayland, keyring
	@.ci/deps desktop
	@.ci/check desktop

screenshots: ## pictures of all screens, light and dark, into ./build/screens
	@.ci/deps test
	@KAIROS_SCREENS=$(CURDIR)/build/screens LANG=en_US.UTF-8 go test -count=1 -tags window,no_metadata -run '^TestScreens$$' ./app/windowtest

manual-pictures: ## the pictures of the manual in its languages, into ./build/manual: look at them, then copy them to assets/help
	@.ci/deps test
	@KAIROS_MANUAL=$(CURDIR)/build/manual go test -count=1 -tags window,no_metadata -run '^TestManualPictures$$' ./app/windowtest

pages: ## every page, dialog and menu, drawn at several sizes, scales and languages, light and dark, into ./build/pages
	@KAIROS_PAGES=$(CURDIR)/build/pages go test -count=1 -timeout 30m -tags no_metadata -run '^TestDrawPages$$' ./app

bench: ## all benchmarks; with OLD=COMMIT the headline ones of that commit and of this tree by turns, compared
	@.ci/deps test
ifdef OLD
	@.ci/bench $(OLD)
else
	@go test -tags window,no_metadata -run '^$$' -bench . -benchmem ./...
endif

bench-check: ## the headline benchmarks beside their stored figures; UPDATE=1 stores those of today
	@.ci/deps test
	@.ci/bench-check $(if $(UPDATE),--update)

growth: ## how time and memory grow from ten thousand to a million articles: assets/growth.png (KAIROS_GROWTH_DATA keeps the 7 GB)
	@.ci/deps test
	@KAIROS_GROWTH=$(CURDIR)/assets/growth.png LANG=en_US.UTF-8 go test -count=1 -v -timeout 3h -tags window,no_metadata -run '^TestGrowth$$' ./app/windowtest

corpus: ## what the reader makes of other people's feeds: the figures, in the folder KAIROS_CORPUS names
	@[ -n "$$KAIROS_CORPUS" ] || { echo "KAIROS_CORPUS is not set: it is to name the folder of feeds to measure on"; exit 1; }
	@mkdir -p build
	@go test -count=1 -v -timeout 1h -run '^TestFigures$$' ./reader/corpus >build/corpus.txt; code=$$?; \
		grep -vE '^(=== RUN|--- |PASS|FAIL|ok )' build/corpus.txt; exit $$code

papers: ## the papers' tables by their own protocols: poller/lab/PAPERS.md, from the traces KAIROS_TRACES names
	@go test -count=1 -timeout 1h -run '^TestPage$$' ./poller/lab/papers -update

fmt: ## format the source
	@gofmt -w .

ifdef MACOS
install: package ## install for this user (PREFIX, DESTDIR; on macOS into ~/Applications)
	@mkdir -p "$(HOME)/Applications"
	@rm -rf "$(HOME)/Applications/Kairos.app"
	@cp -R build/Kairos.app "$(HOME)/Applications/"
	@echo "Installed: $(HOME)/Applications/Kairos.app"

uninstall: ## undo install; feeds and articles stay
	@rm -rf "$(HOME)/Applications/Kairos.app"
else
install: build
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" .ci/install build/kairos

uninstall:
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" .ci/install --remove
endif

ifdef MACOS
package: build ## on macOS the application, into ./build
	@rm -rf build/Kairos.app
	@. .ci/compile && go run ./packaging/macos -version $(VERSION) build/kairos build
	@echo build/Kairos.app
else
package: deb rpm tarball ## on Linux everything to give away, into ./build
endif

deb: build ## a package for Debian, Ubuntu and their kin
rpm: build ## a package for Fedora, openSUSE and their kin
tarball: build ## an archive with an installer, for all other Linux
deb rpm tarball:
	@.ci/deps package
	@.ci/packages $(VERSION) $@

test-packages: deb rpm tarball ## the packages: validated, installed in a fresh Debian, used, removed (on Debian and its kin; minutes)
	@.ci/deps packages-test
	@.ci/test-packages $(VERSION)

release: package windows ## all of a version, with checksums and bills of materials, into ./build/release
	@.ci/release $(VERSION)

reproducible: ## build the last commit twice, from nothing in other folders, and compare the bytes (long)
	@.ci/deps run
	@.ci/reproducible

windows: ## an installer and a zip for Windows, into ./build/windows
	@.ci/deps windows
	@.ci/windows $(VERSION)

test-windows: ## install, use and remove these under Wine
	@.ci/deps windows-test
	@.ci/windows $(VERSION)
	@.ci/test-windows $(VERSION)

clean: ## remove ./build
	@rm -rf build

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile
