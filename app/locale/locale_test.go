package locale

import "testing"

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
		if set := env["LC_ALL"] != c.all; set != c.set || set && env["LC_ALL"] != "en_US.UTF-8" {
			t.Errorf("%+v: LC_ALL is %q", c, env["LC_ALL"])
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
