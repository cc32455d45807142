package language

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"
)

var update = flag.Bool("update", false, "make the catalogs follow the sources: write missing English texts, keep the translations of mended ones, drop what is not used, sort")

const (
	catalogs = "../../assets/translations"
	howToAdd = "To add a text: write lang.L(\"English text\") where it is said, and give it to the other catalogs by hand. For numbers " +
		"write lang.N with a key such as \"{{.PluralCount}} feeds\", run go test ./app/language -update and correct the singular in en.json."
)

// forms are the plural forms of a language (CLDR), as far as whole numbers need them.
var forms = map[string][]string{"en": {"one", "other"}, "de": {"one", "other"}, "zh_Hans": {"other"}}

// catalog is a file of texts: a string, or the plural forms, by key.
type catalog map[string]any

func readCatalog(t *testing.T, name string) catalog {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	c := catalog{}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return c
}

// text is how a catalog is written: sorted, two spaces, nothing escaped.
func (c catalog) text() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(c); err != nil {
		panic(err) // strings and maps of strings
	}
	return b.Bytes()
}

// toolkit are Fyne's own texts: it goes by the system's language alone, so ours have them
// too for who has chosen another.
func toolkit(t *testing.T) catalog {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "fyne.io/fyne/v2").Output()
	if err != nil {
		t.Fatal(err)
	}
	return readCatalog(t, filepath.Join(strings.TrimSpace(string(dir)), "lang", "translations", "base.en.json"))
}

// wanted are the English texts of every catalog, by key.
func wanted(t *testing.T, s *sources) catalog {
	c := catalog{}
	for key, value := range toolkit(t) {
		if forms, ok := value.(map[string]any); ok {
			value = forms["other"]
		}
		c[key] = value
	}
	for key, u := range s.texts {
		c[key] = u.english
		if u.plural {
			c[key] = map[string]any{"one": u.english, "other": u.english}
		}
	}
	return c
}

// own are those that the English catalog has: plurals, and texts that differ from their key.
func (c catalog) own() catalog {
	own := maps.Clone(c)
	maps.DeleteFunc(own, func(key string, value any) bool { return value == key })
	return own
}

func TestCatalogs(t *testing.T) {
	s, err := readSources("..")
	if err != nil {
		t.Fatal(err)
	}
	if len(s.texts) < 100 {
		t.Fatalf("only %d texts are found in the sources", len(s.texts))
	}
	for _, f := range s.faults {
		t.Error(f)
	}
	want := wanted(t, s)
	if !slices.Equal(slices.Sorted(slices.Values(Known())), slices.Sorted(slices.Values([]string{"en", "de", "zh_Hans"}))) {
		t.Errorf("catalogs: %q", Known())
	}
	for _, name := range Known() {
		of := want
		if name == english {
			of = want.own()
		}
		t.Run(name, func(t *testing.T) { checkCatalog(t, name, of, s) })
	}
}

// follow makes the keys of a catalog those that are wanted. A sentence that was mended keeps its translation, which may need
// mending, too; a missing English text is written.
func (c catalog) follow(want catalog, isEnglish bool) {
	var gone []string
	for key := range c {
		if _, ok := want[key]; !ok {
			gone = append(gone, key)
		}
	}
	slices.Sort(gone)
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if _, ok := c[key]; ok {
			continue
		}
		if before := mended(key, gone); before != "" && !isEnglish {
			c[key] = c[before]
		} else if isEnglish {
			c[key] = want[key]
		}
	}
	for _, key := range gone {
		delete(c, key)
	}
}

// mended is the one of some sentences that another was made from: two thirds of the words of both are the same, and so are
// their values. "" if there is none.
func mended(key string, from []string) (best string) {
	most := 2.0 / 3
	words := wordsOf(key)
	for _, one := range from {
		others := wordsOf(one)
		same := 0
		for w := range words {
			if others[w] {
				same++
			}
		}
		if share := float64(2*same) / float64(len(words)+len(others)); share >= most && slices.Equal(valuesOf(key), valuesOf(one)) {
			best, most = one, share
		}
	}
	return best
}

// wordsOf is the set of words of a text, without their case and what follows them.
func wordsOf(text string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(text)) {
		words[strings.Trim(w, ".,;:!?…")] = true
	}
	return words
}

func checkCatalog(t *testing.T, name string, want catalog, s *sources) {
	file := filepath.Join(catalogs, name+".json")
	have := readCatalog(t, file)
	if *update {
		have.follow(want, name == english)
		if err := os.WriteFile(file, have.text(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	missing := 0
	for key, english := range want {
		value, ok := have[key]
		if !ok {
			missing++
			t.Errorf("%q is missing (%s)", key, s.texts[key].at)
			continue
		}
		for _, fault := range entryFaults(name, key, english, value) {
			t.Errorf("%q: %s", key, fault)
		}
	}
	for key := range have {
		if _, ok := want[key]; !ok {
			t.Errorf("%q is said nowhere, or is its own English: take it out", key)
		}
	}
	if missing > 0 {
		t.Error(howToAdd)
	}
	if text, err := os.ReadFile(file); err != nil || !bytes.Equal(text, have.text()) {
		t.Errorf("%s is not as go test ./app/language -update writes it (%v)", file, err)
	}
}

// entryFaults is what is wrong with what a catalog says for a key.
func entryFaults(language, key string, english, value any) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if reserved[strings.ToLower(key)] {
		fault("this key means something else to the reader of the file")
	}
	plain, isPlain := english.(string)
	if isPlain {
		text, ok := value.(string)
		if !ok {
			fault("this is no plural")
			return faults
		}
		if a, b := valuesOf(plain), valuesOf(text); !slices.Equal(a, b) {
			fault("it has the values %q, not %q", b, a)
		}
		if language == "en" && text != plain {
			fault("the English text is the key, not %q", text)
		}
		return append(faults, textFaults(language, text)...)
	}
	plural, ok := value.(map[string]any)
	if !ok {
		fault("this is a plural")
		return faults
	}
	if got := keysOf(plural); !slices.Equal(got, forms[language]) {
		fault("it has the forms %q, not %q", got, forms[language])
	}
	for form, text := range plural {
		text, _ := text.(string)
		faults = append(faults, textFaults(language, text)...)
		a, b := valuesOf(english.(map[string]any)["other"].(string)), valuesOf(text)
		// One need not be written as a number.
		if form == "one" && !slices.Contains(b, "PluralCount") {
			a = slices.DeleteFunc(a, func(v string) bool { return v == "PluralCount" })
		}
		if !slices.Equal(a, b) {
			fault("%s has the values %q, not %q", form, b, a)
		}
	}
	return faults
}

// reserved are the names that go-i18n takes for those of a message's parts.
var reserved = map[string]bool{"id": true, "description": true, "hash": true, "leftdelim": true, "rightdelim": true,
	"zero": true, "one": true, "two": true, "few": true, "many": true, "other": true, "translation": true}

func textFaults(language, text string) []string {
	if strings.TrimSpace(text) == "" {
		return []string{"it says nothing"}
	}
	if language == "de" && tightEllipsis.MatchString(text) {
		return []string{"in German a blank stands before an ellipsis"}
	}
	if _, err := template.New("").Option("missingkey=error").Parse(text); err != nil {
		return []string{err.Error()}
	}
	return nil
}

var tightEllipsis = regexp.MustCompile(`\S…`)

var aValue = regexp.MustCompile(`{{\s*\.(\w+)\s*}}`)

// valuesOf are the names of a template's values, each once, sorted.
func valuesOf(text string) []string {
	names := []string{}
	for _, m := range aValue.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func keysOf(m map[string]any) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// A catalog follows the texts of the sources; the translation of a sentence that was mended stays.
func TestFollow(t *testing.T) {
	c := catalog{"Quit": "Beenden", "It is unsubscribed at {{.Server}}, too.": "Es wird auch bei {{.Server}} abbestellt.", "Gone": "Weg"}
	c.follow(catalog{"Quit": "Quit", "It is also unsubscribed at {{.Server}}.": "", "Gone for {{.Days}}": ""}, false)
	want := catalog{"Quit": "Beenden", "It is also unsubscribed at {{.Server}}.": "Es wird auch bei {{.Server}} abbestellt."}
	if !maps.Equal(c, want) {
		t.Errorf("it is %v", c)
	}
	c = catalog{"{{.PluralCount}} feed": "old"}
	c.follow(catalog{"{{.PluralCount}} feeds": "new"}, true)
	if want := (catalog{"{{.PluralCount}} feeds": "new"}); !maps.Equal(c, want) {
		t.Errorf("in English it is %v", c)
	}
}

// What the test is there to find is found.
func TestEntryFaults(t *testing.T) {
	plural := func(texts ...string) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(texts); i += 2 {
			m[texts[i]] = texts[i+1]
		}
		return m
	}
	n := "{{.PluralCount}} feeds"
	english := plural("one", n, "other", n)
	for name, tt := range map[string]struct {
		language, key  string
		english, value any
		faults         int
	}{
		"plain":             {"de", "Undo", "Undo", "Rückgängig", 0},
		"empty":             {"de", "Undo", "Undo", " ", 1},
		"values":            {"de", "{{.A}} of {{.B}}", "{{.A}} of {{.B}}", "{{.B}}: {{.A}}", 0},
		"another value":     {"de", "{{.A}} of {{.B}}", "{{.A}} of {{.B}}", "{{.C}}: {{.A}}", 1},
		"a broken template": {"de", "A", "A", "{{.A", 1},
		"plural":            {"de", n, english, plural("one", "ein Feed", "other", "{{.PluralCount}} Feeds"), 0},
		"no plural":         {"de", n, english, "{{.PluralCount}} Feeds", 1},
		"a plural":          {"de", "Undo", "Undo", plural("other", "A"), 1},
		"a form too many":   {"zh_Hans", n, english, plural("one", "{{.PluralCount}}", "other", "{{.PluralCount}}"), 1},
		"a form too few":    {"de", n, english, plural("other", "{{.PluralCount}}"), 1},
		"no number":         {"de", n, english, plural("one", "ein Feed", "other", "Feeds"), 1},
		"other English":     {"en", "Undo", "Undo", "Take back", 1},
		"reserved":          {"de", "Other", "Other", "Andere", 1},
	} {
		if got := entryFaults(tt.language, tt.key, tt.english, tt.value); len(got) != tt.faults {
			t.Errorf("%s: %q", name, got)
		}
	}
}
