package language

import (
	"testing"

	"fyne.io/fyne/v2/lang"
)

// A name in Hebrew neither takes the signs and numbers behind it along nor turns the sentence.
func TestNamesAreIsolated(t *testing.T) {
	values := map[string]any{"Title": "שלום"}
	if got, want := lang.L("Playing: {{.Title}}", values), "Playing: \u2068שלום\u2069"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if values["Title"] != "שלום" {
		t.Errorf("the values became %q", values)
	}
}
