package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEscape(t *testing.T) {
	if got, want := escape("github.com/BurntSushi/toml"), "github.com/!burnt!sushi/toml"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestSources(t *testing.T) {
	t.Chdir("../..")
	all, err := sources()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, e := range all {
		names[e.URL] = true
		if len(e.SHA256) != 64 || !strings.HasPrefix(e.Dest, "proxy/") || !strings.HasSuffix(e.Dest, "/@v") {
			t.Errorf("%+v", e)
		}
	}
	if len(names) != len(all) {
		t.Errorf("%d files, %d of them different", len(all), len(names))
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) (v\S+)`).FindAllStringSubmatch(string(mod), -1) {
		for _, kind := range []string{".zip", ".mod", ".info"} {
			if url := proxy + escape(m[1]) + "/@v/" + m[2] + kind; !names[url] {
				t.Errorf("no %s", url)
			}
		}
	}
}

// Every permission is one of these; each has its reason beside it in the manifest.
func TestPermissions(t *testing.T) {
	text, err := os.ReadFile("org.kairos.Reader.yml")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"--share=network", "--socket=x11", "--share=ipc", "--device=dri", "--talk-name=org.kde.StatusNotifierWatcher",
		"--talk-name=org.a11y.Bus", "--talk-name=org.freedesktop.secrets", "--system-talk-name=org.freedesktop.UPower"}
	var got []string
	for _, found := range regexp.MustCompile(`(?m)^  - (--\S+)$`).FindAllStringSubmatch(string(text), -1) {
		got = append(got, found[1])
	}
	if !slices.Equal(got, want) {
		t.Errorf("permissions %q, want %q", got, want)
	}
}
