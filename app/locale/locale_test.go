package locale

import (
	"maps"
	"testing"
)

func TestLocaleIsSetOnlyWithoutLanguage(t *testing.T) {
	for _, c := range []struct {
		all, messages, lang string
		set                 bool
	}{
		{"", "", "", true},
		{"C", "", "", true},
		{"", "", "C.UTF-8", true},
		{"POSIX", "de_DE.UTF-8", "de_DE.UTF-8", true},
		{"", "C", "de_DE.UTF-8", true},
		{"", "", "de_DE.UTF-8", false},
		{"", "fr_FR", "C", false},
		{"cs_CZ@euro", "", "", false},
		{"C@euro", "", "", true},
	} {
		env := map[string]string{"LC_ALL": c.all, "LC_MESSAGES": c.messages, "LANG": c.lang}
		setDefault(func(name string) string { return env[name] }, func(name, value string) error {
			env[name] = value
			return nil
		})
		want := map[string]string{"LC_ALL": c.all, "LC_MESSAGES": c.messages, "LANG": c.lang}
		if c.set {
			want = map[string]string{"LC_ALL": "", "LC_MESSAGES": "en_US.UTF-8", "LANG": c.lang, "LC_CTYPE": env["LC_CTYPE"]}
		}
		if !maps.Equal(env, want) {
			t.Errorf("%+v: %v", c, env)
		}
	}
}

// What is typed stays what it was, or becomes UTF-8: with the characters of a locale that is not installed, no method of
// input reaches the window.
func TestCharactersAreKept(t *testing.T) {
	for _, c := range []struct{ all, ctype, lang, want string }{
		{"", "", "", "C.UTF-8"},
		{"", "", "C", "C.UTF-8"},
		{"POSIX", "zh_CN.UTF-8", "zh_CN.UTF-8", "C.UTF-8"},
		{"C.UTF-8", "", "zh_CN.UTF-8", "C.UTF-8"},
		{"", "zh_CN.UTF-8", "C", "zh_CN.UTF-8"},
		{"", "", "C.utf8", "C.utf8"},
	} {
		env := map[string]string{"LC_ALL": c.all, "LC_CTYPE": c.ctype, "LANG": c.lang}
		setDefault(func(name string) string { return env[name] }, func(name, value string) error {
			env[name] = value
			return nil
		})
		if env["LC_CTYPE"] != c.want {
			t.Errorf("%+v: %v", c, env)
		}
	}
}

func TestLanguagesAreThoseThatNameOne(t *testing.T) {
	for list, want := range map[string]string{"": "", "de:en": "de:en", "C.UTF-8:C": "", "POSIX:de::C:en": "de:en", "en_GB:en:C": "en_GB:en"} {
		env := map[string]string{"LANGUAGE": list, "LANG": "de_DE.UTF-8"}
		setDefault(func(name string) string { return env[name] }, func(name, value string) error {
			env[name] = value
			return nil
		})
		if env["LANGUAGE"] != want {
			t.Errorf("%q: %q, want %q", list, env["LANGUAGE"], want)
		}
	}
}
