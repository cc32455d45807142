package language

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/lang"
)

// chosen makes this test's program say a few texts in the language that it names, as of
// the beginning of a program.
const chosen = "KAIROS_TEST_LANGUAGE"

func TestMain(m *testing.M) {
	name, asked := os.LookupEnv(chosen)
	if !asked {
		os.Exit(m.Run())
	}
	if err := Choose(name); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.Join([]string{lang.L("Unread"), lang.L("Cancel"), lang.N("{{.PluralCount}} feeds", 1), lang.N("{{.PluralCount}} feeds", 2)}, "|"))
}

// said is what a program says that has a language chosen while the system has its own.
func said(t *testing.T, system, name string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "LC_ALL=", "LC_MESSAGES=", "LANGUAGE=", "LANG="+system, chosen+"="+name)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// What can be chosen leads to a catalog, that of the system too.
func TestCatalogOf(t *testing.T) {
	for _, tt := range []struct{ system, languages, name, want string }{
		{"C", "", "", "en"}, {"en_US.UTF-8", "", "", "en"}, {"de_AT.UTF-8", "", "", "de"}, {"zh_CN.UTF-8", "", "", "zh_Hans"},
		{"fr_FR.UTF-8", "", "", "en"}, {"fr_FR.UTF-8", "fr:de", "", "de"}, {"en_US.UTF-8", "en:de", "", "en"}, {"de_DE.UTF-8", "", "zh_Hans", "zh_Hans"},
	} {
		t.Setenv("LC_ALL", tt.system)
		t.Setenv("LANGUAGE", tt.languages)
		if got := Of(tt.name); got != tt.want {
			t.Errorf("%q of %s, %s: %q, want %q", tt.name, tt.system, tt.languages, got, tt.want)
		}
	}
}

// The system's language is spoken, or the one chosen in its place, also by Fyne.
func TestLanguage(t *testing.T) {
	const (
		english = "Unread|Cancel|1 feed|2 feeds"
		german  = "Ungelesen|Abbrechen|1 Feed|2 Feeds"
		chinese = "未读|取消|1 个订阅源|2 个订阅源"
	)
	for _, tt := range []struct{ system, name, want string }{
		{"C", "", english}, {"C.UTF-8", "", english}, {"en_US.UTF-8", "", english}, {"de_DE.UTF-8", "", german}, {"de_AT.UTF-8", "", german},
		{"zh_CN.UTF-8", "", chinese}, {"zh", "", chinese}, {"zh_SG.UTF-8", "", chinese},
		{"C", "de", german}, {"en_GB.UTF-8", "de", german}, {"de_DE.UTF-8", "en", english}, {"de_DE.UTF-8", "zh_Hans", chinese},
		{"zh_CN.UTF-8", "de", german}, {"zh_TW.UTF-8", "de", german}, {"fr_FR.UTF-8", "de", german}, {"pt_BR.UTF-8", "zh_Hans", chinese},
		{"ja_JP.UTF-8", "de", german}, {"ja_JP.UTF-8", "", english}, {"fr_FR.UTF-8", "", english}, {"gsw_CH.UTF-8", "", german}, {"de_DE.UTF-8", "none such", german},
	} {
		if got := said(t, tt.system, tt.name); got != tt.want {
			t.Errorf("system %q, chosen %q: %q, want %q", tt.system, tt.name, got, tt.want)
		}
	}
}

// A language that cannot be drawn gives way to English until another is chosen, and stays the chosen one.
func TestFallBack(t *testing.T) {
	t.Cleanup(func() { Choose("en") })
	if err := Choose("zh_Hans"); err != nil || lang.L("Unread") != "未读" || Undrawn() != "" {
		t.Fatalf("%q, %q (%v)", lang.L("Unread"), Undrawn(), err)
	}
	if err := FallBack("chinese"); err != nil || lang.L("Unread") != "Unread" || lang.L("Cancel") != "Cancel" || Undrawn() != "chinese" || Chosen() != "zh_Hans" {
		t.Errorf("%q, %q, %q (%v)", lang.L("Unread"), Undrawn(), Chosen(), err)
	}
	if err := Choose("de"); err != nil || lang.L("Unread") != "Ungelesen" || Undrawn() != "" {
		t.Errorf("%q, %q (%v)", lang.L("Unread"), Undrawn(), err)
	}
}

// Only the catalogs that the user may be shown are read.
func TestOnlyWhatIsSpokenIsRead(t *testing.T) {
	for _, tt := range []struct {
		locales string
		want    string
	}{
		{"", "en"}, {"en-US", "en"}, {"fr-FR", "en"}, {"de-AT", "en de"}, {"ca-ES de-DE", "en de"}, {"gsw-CH", "en de"}, {"zh-CN de", "en zh_Hans de"}, {"zh-TW", "en zh_Hans"}, {"none such", "en"},
	} {
		if got := strings.Join(needed(strings.Fields(tt.locales)), " "); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.locales, got, tt.want)
		}
	}
}

// The window writes numbers in sentences as its language does, with and without other values.
func TestNumbersOfSentences(t *testing.T) {
	for name, want := range map[string][]string{"en": {"12,345 articles deleted", "12,345 new articles"}, "de": {"12.345 Artikel gelöscht", "12.345 neue Artikel"}} {
		if err := Choose(name); err != nil {
			t.Fatal(err)
		}
		got := []string{lang.N("{{.PluralCount}} articles deleted", 12345), lang.N("{{.PluralCount}} new articles", 12345, map[string]any{"PluralCount": 12345})}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
