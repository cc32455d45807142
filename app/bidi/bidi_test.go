package bidi

import (
	"strings"
	"testing"
)

func TestVisual(t *testing.T) {
	for line, want := range map[string]string{
		"":                      "",
		"plain words":           "plain words",
		"שלום עולם":             "שלום עולם",
		"مرحبا שלום":            "שלום| |مرحبا",
		"שלום مرحبا.":           "|.|مرحبا| |שלום",
		"English مرحبا inside":  "English |مرحبا| inside",
		"שלום Kairos עולם":      "עולם| |Kairos| |שלום",
		"مرحبا بالعالم 12 שלום": "שלום| |12| |مرحبا بالعالم",
	} {
		got := strings.ReplaceAll(Visual(line), leftToRight, "|")
		for strings.Contains(got, "||") {
			got = strings.ReplaceAll(got, "||", "|")
		}
		if strings.ReplaceAll(got, "|", "") != strings.ReplaceAll(want, "|", "") {
			t.Errorf("%q is drawn as %q, want %q", line, got, want)
		}
	}
}

func TestRunsCoverTheText(t *testing.T) {
	for _, s := range []string{"", "a", "שלום", "مرحبا שלום a 12 ב\n", "a\u2029b א", "אa\n\n"} {
		for _, rtl := range []bool{false, true} {
			total := 0
			for _, r := range Runs(s, rtl) {
				total += r.Bytes
			}
			if total != len(s) {
				t.Errorf("the runs of %q have %d bytes", s, total)
			}
		}
	}
	if runs := Runs("مرحبا بالعالم שלום", true); len(runs) != 2 || runs[0].Level != 1 || runs[1].Level != 1 {
		t.Errorf("two scripts are %+v", runs)
	}
}
