package app

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"kairos/app/help"
	"kairos/app/language"
	"kairos/assets"
)

// What the manual names is there: commands, their keys and texts of the window. It names no key by itself.
func TestManual(t *testing.T) {
	w := newCommandKeys(commandGroups())
	english, err := assets.Translations.ReadFile("translations/de.json") // which has the English texts as keys
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`\{\{(key|title|say) "([^"]+)"\}\}`)
	bare := regexp.MustCompile(`\b(Ctrl|Alt|Shift|Strg|Umschalt)\+|\bF[0-9]+\b|\*\*[A-Z?]\*\*`)
	for _, l := range language.Known() {
		for _, topic := range help.Topics {
			name := l + "/" + topic + ".md"
			page, err := fs.ReadFile(assets.Help(), name)
			if err != nil {
				t.Fatal(err)
			}
			for _, what := range named.FindAllStringSubmatch(string(page), -1) {
				_, known := w.commands[what[2]]
				switch {
				case what[1] == "say" && !strings.Contains(string(english), "\n  \""+what[2]+"\": "):
					t.Errorf("%s: the window never says %q", name, what[2])
				case what[1] != "say" && !known:
					t.Errorf("%s: there is no command %q", name, what[2])
				case what[1] == "key" && len(w.keyLabels(what[2])) == 0:
					t.Errorf("%s: %q has no key", name, what[2])
				}
			}
			if key := bare.FindString(named.ReplaceAllString(string(page), "")); key != "" {
				t.Errorf("%s names the key %s itself", name, key)
			}
		}
	}
}

// The title of a command says what it does, and does not list values.
func TestCommandsDoNotListValues(t *testing.T) {
	for id, c := range commandsByID(commandGroups()) {
		if strings.Contains(c.title, ": ") {
			t.Errorf("%s is titled %q", id, c.title)
		}
	}
}
