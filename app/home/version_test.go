package home

import (
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"kairos/poller/fetch"
)

func TestBuildInOneLine(t *testing.T) {
	for want, b := range map[string]Build{
		"1.2.3": {Version: "1.2.3"},
		"1.2.3 (2026-11-23, Go 1.26.4, Fyne 2.7.1)": {"1.2.3", "2026-11-23", "1.26.4", "2.7.1"},
		"1.2.3 (Go 1.26.4)":                         {Version: "1.2.3", Go: "1.26.4"},
	} {
		if got := b.String(); got != want {
			t.Errorf("%+v is %q, want %q", b, got, want)
		}
	}
	if b := Built(); b.Version != Version || "go"+b.Go != strings.Fields(runtime.Version())[0] {
		t.Errorf("this program is %+v", b)
	}
}

// Servers are told the website that FyneApp.toml names. As long as it names none they are told none, and no placeholder either.
func TestUserAgentNamesTheWebsite(t *testing.T) {
	metadata, err := os.ReadFile("../../FyneApp.toml")
	if err != nil {
		t.Fatal(err)
	}
	named := ""
	if m := regexp.MustCompile(`(?m)^\s*Website\s*=\s*"([^"]*)"`).FindSubmatch(metadata); m != nil {
		named = string(m[1])
	}
	if named != Website {
		t.Errorf("FyneApp.toml names the website %q, the program %q", named, Website)
	}
	want := "Kairos/" + Version + " (desktop feed reader)"
	if named != "" {
		want = "Kairos/" + Version + " (desktop feed reader; +" + named + ")"
	}
	if got := fetch.UserAgent(Version, Website); got != want {
		t.Errorf("the User-Agent is %q, want %q", got, want)
	}
}
