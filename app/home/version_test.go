package home

import (
	"runtime"
	"strings"
	"testing"
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
