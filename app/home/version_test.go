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

// Servers are told the website, once there is one, and no placeholder before.
func TestUserAgentNamesTheWebsite(t *testing.T) {
	for website, named := range map[string]string{"": "", "https://kairos.example": "; +https://kairos.example"} {
		if got, want := fetch.UserAgent(Version, website), "Kairos/"+Version+" (desktop feed reader"+named+")"; got != want {
			t.Errorf("the User-Agent is %q, want %q", got, want)
		}
	}
}

// What builds the program and the packages reads the website from this line.
func TestMetadataNamesTheWebsite(t *testing.T) {
	metadata, err := os.ReadFile("../../FyneApp.toml")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^Website = "(https://[^"]+[^/"])?"$`).Match(metadata) {
		t.Error("FyneApp.toml has no line Website that is empty or an address without a slash at its end")
	}
}
