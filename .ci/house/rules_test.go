package house

import (
	"strings"
	"testing"
	"testing/fstest"
)

const soundMap = mapBegins + "\n| package | what it does |\n|---|---|\n| `app` | is the window |\n| `app/home` | finds folders |\n" +
	"| `app/verbs` | is the command |\n| `assets` | holds the icon |\n| `packaging/stage` | lays out files |\n| `poller` | fetches |\n" +
	"| `poller/lab/policy` | holds policies |\n| `poller/plan` | plans |\n| `poller/schedule` | schedules |\n| `poller/score` | scores |\n" +
	"| `reader` | keeps articles |\n| `useraccess` | logs |\n| `useraccess/rate` | learns |\n\n" + mapEnds + "\n"

// soundHouse is a small house that keeps every rule.
func soundHouse() map[string]string {
	return map[string]string{
		"main.go":                     "// Kairos reads feeds.\npackage main\n\nimport _ \"kairos/app\"\n\nfunc main() {}\n",
		"README.md":                   "# Kairos\n",
		"LICENSE":                     "MIT\n",
		"CHANGELOG.md":                "# Changelog\n\nWhat *changes*.\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-23\n\nNews.\n\n### Fixed\n\n- It `fetches`\n  again.\n",
		"go.mod":                      "module kairos\n",
		".ci/build":                   "go build -ldflags '-X kairos/app/home.Version=1'\n",
		"FyneApp.toml":                "[Details]\nIcon = \"assets/k.png\"\nName = \"Kairos\"\nID = \"org.kairos.Reader\"\nVersion = \"1.2.3\"\nBuild = 1\n",
		"assets/assets.go":            "// Package assets holds the icon.\npackage assets\n",
		"assets/k.png":                "an icon",
		"assets/org.kairos.Reader.in": "an entry",
		"packaging/stage/main.go":     "// Package main lays out files.\npackage main\n\nimport _ \"kairos/app/verbs\"\n",
		"app/app.go":                  "// Package app is the window.\npackage app\n\nimport (\n\t_ \"fyne.io/fyne/v2\"\n\t_ \"kairos/app/home\"\n\t_ \"kairos/assets\"\n\t_ \"kairos/poller\"\n)\n\ntype window struct{ pane *sidebar }\n\ntype sidebar struct{ onSelect func() }\n\nfunc (w *window) show() {}\n\n// Open opens the window.\nfunc Open() {}\n",
		"app/home/home.go":            "// Package home finds folders.\npackage home\n\n// ID names us.\nconst ID = \"org.kairos.Reader\"\n\n// Version is set by the build.\nvar Version = \"1.2.3\"\n",
		"app/verbs/verbs.go":          "// Package verbs is the command.\npackage verbs\n\nimport _ \"kairos/poller\"\n",
		"poller/poller.go":            "// Package poller fetches.\npackage poller\n\nimport (\n\t_ \"kairos/poller/schedule\"\n\t_ \"kairos/reader\"\n)\n",
		"poller/plan/plan.go":         "// Package plan plans.\npackage plan\n\nimport (\n\t\"time\"\n\n\t_ \"kairos/useraccess/rate\"\n)\n\nconst step = 5 * time.Minute\n",
		"poller/lab/policy/exact.go":  "// Package policy holds policies.\npackage policy\n\nimport _ \"kairos/poller/schedule\"\n",
		"poller/score/score.go":       "// Package score scores.\npackage score\n",
		"poller/schedule/schedule.go": "// Package schedule schedules.\npackage schedule\n\nimport _ \"kairos/poller/plan\"\n",
		"poller/plan/plan_test.go":    "package plan_test\n\nimport (\n\t_ \"os\"\n\t_ \"kairos/poller/plan\"\n)\n",
		"reader/reader.go":            "//go:build !js\n\n// Package reader keeps articles.\npackage reader\n\n// Open opens a file.\nfunc Open() {}\n",
		"reader/schema.go":            "package reader\n\nconst steps = `CREATE TABLE feed (id)`\n",
		"poller/schema.go":            "package poller\n\nconst steps = `DELETE FROM feed; SELECT id FROM reader_feed`\n",
		"reader/reader_unix.go":       "//go:build unix\n\npackage reader\n",
		"reader/_try/odd.go":          "not Go at all\n",
		"reader/testdata/odd.go":      "not Go at all\n",
		"useraccess/useraccess.go":    "// Package useraccess logs.\npackage useraccess\n\nimport _ \"kairos/useraccess/rate\"\n",
		"useraccess/rate/rate.go":     "// Package rate learns.\npackage rate\n",
		".ci/vet/odd.go":              "not Go at all\n",
		"build/left.go":               "left over\n",
		"CONTRIBUTING.md":             soundMap + "1. `app/app.go`: `Open`, `window.show`\n" + strings.Repeat("2. `reader/reader.go`: `Open`\n", 7),
	}
}

func inspectFixture(t *testing.T, text map[string]string) *house {
	t.Helper()
	files := fstest.MapFS{}
	for name, body := range text {
		files[name] = &fstest.MapFile{Data: []byte(body)}
	}
	h, err := inspectHouse(files)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestSoundHouseKeepsEveryRule(t *testing.T) {
	h := inspectFixture(t, soundHouse())
	for name, rule := range rules {
		for _, broken := range rule(h) {
			t.Errorf("%s: %s", name, broken)
		}
	}
}

// Each case changes the sound house by one file ("" takes it away) and names the rule that this breaks and words of
// the complaint.
func TestRulesFindWhatBreaksThem(t *testing.T) {
	cases := []struct {
		rule, file, text, says string
	}{
		{"Fyne stays in the window", "reader/draw.go", "package reader\nimport _ \"fyne.io/fyne/v2/widget\"", "reader/draw.go → fyne.io/fyne/v2/widget"},
		{"Fyne stays in the window", "app/verbs/more.go", "package verbs\nimport _ \"kairos/app\"", "app/verbs/more.go → app/app.go → fyne.io/fyne/v2"},
		{"Fyne stays in the window", "app/home/home_test.go", "package home\nimport _ \"fyne.io/fyne/v2/test\"", "app/home/home_test.go"},
		{"Fyne stays in the window", "poller/tray_windows.go", "package poller\nimport _ \"fyne.io/systray\"", "poller/tray_windows.go → fyne.io/systray"},
		{"arrows point one way", "reader/up.go", "package reader\nimport _ \"kairos/poller/fetch\"", "reader/up.go imports kairos/poller/fetch"},
		{"arrows point one way", "reader/up_test.go", "package reader_test\nimport _ \"kairos/useraccess\"", "imports kairos/useraccess"},
		{"arrows point one way", "useraccess/up.go", "package useraccess\nimport _ \"kairos/reader\"", "imports kairos/reader"},
		{"arrows point one way", "useraccess/rate/up.go", "package rate\nimport _ \"kairos/useraccess\"", "imports kairos/useraccess"},
		{"arrows point one way", "poller/up.go", "package poller\nimport _ \"kairos/app/home\"", "imports kairos/app/home"},
		{"arrows point one way", "poller/up.go", "package poller\nimport _ \"kairos\"", "imports kairos"},
		{"arrows point one way", "poller/plan/up.go", "package plan\nimport _ \"kairos/poller\"", "imports kairos/poller"},
		{"arrows point one way", "poller/plan/up.go", "package plan\nimport _ \"kairos/useraccess\"", "imports kairos/useraccess"},
		{"arrows point one way", "poller/schedule/up.go", "package schedule\nimport _ \"kairos/reader\"", "imports kairos/reader"},
		{"arrows point one way", "poller/schedule/up.go", "package schedule\nimport _ \"kairos/poller/fetch\"", "imports kairos/poller/fetch"},
		{"arrows point one way", "reader/up.go", "package reader\nimport _ \"kairos/packaging/stage\"", "imports kairos/packaging/stage"},
		{"arrows point one way", "assets/up.go", "package assets\nimport _ \"kairos/reader\"", "imports kairos/reader"},
		{"the mathematics is pure", "poller/plan/io.go", "package plan\nimport _ \"net/http\"", "imports net/http"},
		{"the mathematics is pure", "poller/plan/io.go", "package plan\nimport _ \"database/sql\"", "imports database/sql"},
		{"the mathematics is pure", "useraccess/rate/io.go", "package rate\nimport _ \"os/exec\"", "imports os/exec"},
		{"the mathematics is pure", "useraccess/rate/io.go", "package rate\nimport \"time\"\nvar t = time.Now()", "names time.Now"},
		{"the mathematics is pure", "useraccess/rate/io.go", "package rate\nimport clock \"time\"\nvar f = clock.Now", "names time.Now"},
		{"the mathematics is pure", "useraccess/rate/io.go", "package rate\nimport . \"time\"\nvar f = Now", "names time.Now"},
		{"the mathematics is pure", "useraccess/rate/io.go", "package rate\nimport \"time\"\nfunc f(t time.Time) any { return time.Since(t) }", "names time.Since"},
		{"the mathematics is pure", "poller/schedule/io.go", "package schedule\nimport _ \"database/sql\"", "imports database/sql"},
		{"the mathematics is pure", "poller/schedule/io.go", "package schedule\nimport _ \"net\"", "imports net"},
		{"the mathematics is pure", "poller/schedule/io.go", "package schedule\nimport \"time\"\nvar t = time.Now()", "names time.Now"},
		{"the mathematics is pure", "useraccess/rate/rate.go", "", "useraccess/rate is missing"},
		{"there is one HTTP client", "reader/get.go", "package reader\nimport \"net/http\"\nvar answer, err = http.Get(\"https://kairos.example\")", "names http.Get"},
		{"loop and lab share a schedule", "poller/poller.go", "// Package poller fetches.\npackage poller\n", "poller does not import poller/schedule"},
		{"loop and lab share a schedule", "poller/lab/policy/exact.go", "// Package policy holds policies.\npackage policy\n", "nothing in poller/lab imports poller/schedule"},
		{"loop and lab share a schedule", "poller/lab/policy/exact.go", "", "nothing in poller/lab imports poller/schedule"},
		{"the lab stays a laboratory", "app/curves.go", "package app\nimport _ \"kairos/poller/lab/policy\"", "app/curves.go imports kairos/poller/lab/policy"},
		{"the reader owns its tables", "poller/due.go", "package poller\nconst due = `SELECT id\n\tFROM poll JOIN feed USING (id)`", "poller/due.go names the reader's table feed"},
		{"the reader owns its tables", "reader/schema.go", "", "reader creates no table"},
		{"every package says what it is", "reader/opml/opml.go", "package opml", "reader/opml has 0"},
		{"every package says what it is", "reader/two.go", "// Package reader again.\npackage reader", "reader has 2"},
		{"every package says what it is", "reader/reader.go", "// It keeps articles.\npackage reader", "start with Package reader"},
		{"every package says what it is", "reader/reader.go", "//go:build !js\n\npackage reader", "reader has 0"},
		{"main does nothing", "main.go", "package main\n" + strings.Repeat("//\n", 29), "30 lines"},
		{"main does nothing", "main.go", "", "missing"},
		{"one application ID", "app/id.go", "package app\nconst other = \"org.kairos.Other\"", "org.kairos.Other"},
		{"one application ID", "assets/org.kairos.Old.svg", "<svg/>", "org.kairos.Old"},
		{"one application ID", "app/home/home.go", "// Package home finds folders.\npackage home", "no Go file declares"},
		{"tests do not sleep", "reader/slow_test.go", "package reader\nimport \"time\"\nfunc f() { time.Sleep(1) }", "slow_test.go sleeps"},
		{"tests wait for events", "reader/slow_test.go", "package reader\nimport \"time\"\nvar c = time.After(1)", "slow_test.go waits"},
		{"only app holds the window", "app/widgets/row.go", "// Package widgets draws.\npackage widgets\nimport \"fyne.io/fyne/v2\"\ntype Row struct{ w fyne.Window }", "row.go names fyne.Window"},
		{"only app holds the window", "app/widgets/row.go", "// Package widgets draws.\npackage widgets\nimport f \"fyne.io/fyne/v2\"\nfunc draw(w f.Window) {}", "row.go names fyne.Window"},
		{"the loop is woken", "app/widgets/row.go", "// Package widgets draws.\npackage widgets\nimport \"fyne.io/fyne/v2\"\nfunc show(f func()) { fyne.Do(f) }", "row.go names fyne.Do"},
		{"panes stand apart", "app/sidebar/up.go", "// Package sidebar lists.\npackage sidebar\nimport _ \"kairos/app/timeline\"", "imports kairos/app/timeline"},
		{"panes stand apart", "app/shell/up.go", "// Package shell helps.\npackage shell\nimport _ \"kairos/app/feeds\"", "imports kairos/app/feeds"},
		{"the way of a datum exists", "app/app.go", "// Package app is the window.\npackage app\nfunc Open() {}", "names window.show in app/app.go"},
		{"the way of a datum exists", "CONTRIBUTING.md", "1. `reader/gone.go`: `Open`", "reader/gone.go, which does not exist"},
		{"the way of a datum exists", "CONTRIBUTING.md", "nothing", "0 steps"},
		{"the map has every package", "CONTRIBUTING.md", "nothing", "has no map"},
		{"the map has every package", "reader/opml/opml.go", "// Package opml reads lists.\npackage opml", "lacks | `reader/opml` | reads lists |"},
		{"the map has every package", "poller/score/score.go", "", "has | `poller/score` | scores |"},
		{"FyneApp.toml has what it needs", "assets/k.png", "", "no icon assets/k.png"},
		{"FyneApp.toml has what it needs", "FyneApp.toml", "ID = \"org.kairos.Reader\"\nName = \"Kairos\"\nIcon = \"assets/k.png\"\nVersion = \"1.2\"", "1.2 is not"},
		{"FyneApp.toml has what it needs", "FyneApp.toml", "ID = \"org.kairos.Reader\"\nVersion = \"1.2.3\"", "no Name"},
		{"the version has its variable", "app/home/home.go", "// Package home finds folders.\npackage home\nconst Version = \"1\"", "kairos/app/home.Version"},
		{"the version has its variable", "app/home/home.go", "// Package home finds folders.\npackage home\nvar Version = \"1.2.2\"", "is \"1.2.2\", FyneApp.toml says 1.2.3"},
		{"the changelog has the version", "CHANGELOG.md", "", "CHANGELOG.md is missing"},
		{"the changelog has the version", "CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n", "no version"},
		{"the changelog has the version", "CHANGELOG.md", "# Changelog\n\n## [1.2.2] - 2026-11-23\n", "begins with 1.2.2"},
		{"the changelog has the version", "CHANGELOG.md", "# Changelog\n\n## 1.2.3\n", "not of the form"},
		{"the changelog has the version", "CHANGELOG.md", "# Changelog\n\n## [1.2.3] - 2026-11-23\n\n* It fetches.\n", "neither a heading"},
		{"the version has its variable", ".ci/build", "go build -ldflags '-X main.version=1'\n", "main.version"},
		{"the version has its variable", ".ci/build", "", ".ci/build sets no version"},
	}
	tried := map[string]bool{}
	for _, c := range cases {
		tried[c.rule] = true
		t.Run(c.rule+"/"+c.file, func(t *testing.T) {
			text := soundHouse()
			if text[c.file] = c.text; c.text == "" {
				delete(text, c.file)
			}
			broken := strings.Join(rules[c.rule](inspectFixture(t, text)), "\n")
			if !strings.Contains(broken, c.says) {
				t.Errorf("the rule says %q, want it to say %q", broken, c.says)
			}
		})
	}
	for name := range rules {
		if !tried[name] {
			t.Errorf("no case breaks the rule %q", name)
		}
	}
}
